// Modules of the host's own, kept compiled for as long as their texts are the same.

package lang

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"sync"

	"dicescript/builtins/meter"
)

// A shelf holds the modules that a host's roots have given. It is shared by all
// compilations of the host.
type shelf struct {
	mu    sync.Mutex
	units map[shelfKey]*shelved
	bytes int
	clock int // counts what is taken
}

// A shelfKey names a module: the same file has another name in positions for recipes of
// different folders.
type shelfKey struct {
	at   location
	file string
}

type shelved struct {
	unit *unit
	used int // when it was last taken
}

// mostShelved bounds the texts of the modules that are kept.
const mostShelved = 16 << 20

// take returns the module with a text, nil when it is not there.
func (s *shelf) take(k shelfKey, src []byte) *unit {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.units[k]
	if found == nil || found.unit.lines.Text != string(src) {
		return nil
	}
	s.clock++
	found.used = s.clock
	return found.unit
}

// put keeps a module, in place of those that were not asked for the longest.
func (s *shelf) put(k shelfKey, u *unit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.units[k]; old != nil {
		s.bytes -= len(old.unit.lines.Text)
	}
	s.clock++
	s.units[k] = &shelved{u, s.clock}
	if s.bytes += len(u.lines.Text); s.bytes > mostShelved {
		s.clear()
	}
}

// clear lets go of the older half.
func (s *shelf) clear() {
	var times []int
	for _, m := range s.units {
		times = append(times, m.used)
	}
	slices.Sort(times)
	middle := times[len(times)/2]
	for k, m := range s.units {
		if m.used < middle {
			s.bytes -= len(m.unit.lines.Text)
			delete(s.units, k)
		}
	}
}

// kept is a module that was compiled before from the same text, and stands on modules
// that are the same too; nil when there is none.
func (c *compiler) kept(at location, src []byte) *unit {
	if c.inLibrary || meter.Check(meter.SourceBytes, int64(len(src)), c.host.limits.SourceBytes) != nil {
		return nil
	}
	u := c.host.modules.take(shelfKey{at, c.fileName(at)}, src)
	if u == nil {
		return nil
	}
	c.stack = append(c.stack, at)
	defer func() { c.stack = c.stack[:len(c.stack)-1] }()
	for _, name := range u.loadOrder {
		if m, errs := c.module(at, name); len(errs) > 0 || m != u.loads[name] {
			return nil // compiling it again tells what is wrong
		}
	}
	return u
}

// keep keeps a module that has been compiled.
func (c *compiler) keep(u *unit) {
	if !c.inLibrary {
		c.host.modules.put(shelfKey{u.at, u.file}, u)
	}
}

// A Module is one that a program stands on.
type Module struct {
	Name string // as a recipe of the host would load it
	Hash string // of its text: SHA-256 in hexadecimal digits
}

// Modules returns the modules that the program stands on, by name: those that it loads and
// those that they load, bundled ones among them. The same text with the same modules is
// the same program, whatever the host's files or database say by now. It takes some 3 µs
// for each kilobyte of their texts.
func (p *Program) Modules() []Module {
	seen := map[*unit]bool{}
	var modules []Module
	var visit func(u *unit)
	visit = func(u *unit) {
		for _, m := range u.loads {
			if !seen[m] {
				seen[m] = true
				sum := sha256.Sum256([]byte(m.lines.Text))
				modules = append(modules, Module{m.at.root.prefix + m.at.path, hex.EncodeToString(sum[:])})
				visit(m)
			}
		}
	}
	visit(p.main)
	slices.SortFunc(modules, func(a, b Module) int { return strings.Compare(a.Name, b.Name) })
	return modules
}
