// Package states finds the states of a machine that runs face by face again, at every
// step. Those that a caller has numbered from 0 on are found by their numbers, and
// others in a map.
package states

// An Index gives states their places in a table. It is emptied to be used again.
type Index[S comparable] interface {
	Place(s S) (at int, ok bool)
	Put(s S, at int)
	Empty()
}

// NewIndex returns an index that is empty.
func NewIndex[S comparable]() Index[S] {
	if numbers, ok := any(&numberIndex{round: 1}).(Index[S]); ok {
		return numbers
	}
	return Map[S]{}
}

// A Map is an index for states of any kind.
type Map[S comparable] map[S]int

func (x Map[S]) Place(s S) (int, bool) { at, ok := x[s]; return at, ok }
func (x Map[S]) Put(s S, at int)       { x[s] = at }
func (x Map[S]) Empty()                { clear(x) }

// A numberIndex has the places of small numbers side by side. It is emptied by the
// beginning of another round.
type numberIndex struct {
	round  uint32
	places []numberPlace
	large  map[int]int
}

type numberPlace struct {
	round uint32
	at    int
}

// mostNumbers is how many numbers have places side by side.
const mostNumbers = 1 << 16

func (x *numberIndex) Place(s int) (int, bool) {
	if uint(s) < uint(len(x.places)) {
		p := x.places[s]
		return p.at, p.round == x.round
	}
	at, ok := x.large[s]
	return at, ok
}

func (x *numberIndex) Put(s, at int) {
	if s < 0 || s >= mostNumbers {
		if x.large == nil {
			x.large = map[int]int{}
		}
		x.large[s] = at
		return
	}
	for s >= len(x.places) {
		x.places = append(x.places, make([]numberPlace, max(64, len(x.places)))...)
	}
	x.places[s] = numberPlace{x.round, at}
}

func (x *numberIndex) Empty() {
	clear(x.large)
	if x.round++; x.round == 0 {
		clear(x.places)
		x.round = 1
	}
}
