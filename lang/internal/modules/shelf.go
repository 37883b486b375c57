// What was made of modules, kept for as long as their texts are the same.

package modules

import (
	"slices"
	"sync"
)

// A Shelf holds what was made of modules, by their texts. It may be shared by goroutines.
type Shelf[U any] struct {
	mu    sync.Mutex
	units map[Key]*shelved[U]
	bytes int
	clock int // counts what is taken
}

// NewShelf returns an empty shelf.
func NewShelf[U any]() *Shelf[U] { return &Shelf[U]{units: map[Key]*shelved[U]{}} }

// A Key names a module: the same file has another name in positions for recipes of
// different folders.
type Key struct {
	At   Location
	File string
}

type shelved[U any] struct {
	text string
	unit U
	used int // when it was last taken
}

// mostShelved bounds the texts of the modules that are kept.
const mostShelved = 16 << 20

// Take returns what was made of a module with a text, and whether it is there.
func (s *Shelf[U]) Take(k Key, text []byte) (unit U, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.units[k]
	if found == nil || found.text != string(text) {
		return unit, false
	}
	s.clock++
	found.used = s.clock
	return found.unit, true
}

// Put keeps what was made of a module, in place of those that were not asked for the
// longest.
func (s *Shelf[U]) Put(k Key, text string, unit U) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.units[k]; old != nil {
		s.bytes -= len(old.text)
	}
	s.clock++
	s.units[k] = &shelved[U]{text, unit, s.clock}
	if s.bytes += len(text); s.bytes > mostShelved {
		s.clear()
	}
}

// clear lets go of the older half.
func (s *Shelf[U]) clear() {
	var times []int
	for _, m := range s.units {
		times = append(times, m.used)
	}
	slices.Sort(times)
	middle := times[len(times)/2]
	for k, m := range s.units {
		if m.used < middle {
			s.bytes -= len(m.text)
			delete(s.units, k)
		}
	}
}
