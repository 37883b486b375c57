package callback

import "dicescript/builtins/small"

// A refNumbering remembers the numbers of values that are told apart by what they
// refer to. The same value may be referred to in more than one way.
type refNumbering struct {
	places []numberedRef // by the numbers that the refs have of their own
	last   numberedRef   // that was looked for in known
	known  map[*small.Ref]int
}

// A numberedRef is what refers to a value, and the number of the value.
type numberedRef struct {
	ref    *small.Ref
	number int
}

// maxKnown bounds how many ways to refer to values are remembered.
const maxKnown = 1 << 14

func (n *refNumbering) find(r *small.Ref) (int, bool) {
	if r == nil {
		return 0, false
	}
	if i := r.Number; i > 0 && i < len(n.places) && n.places[i].ref == r {
		return n.places[i].number, true
	}
	if r == n.last.ref {
		return n.last.number, true
	}
	number, ok := n.known[r]
	if ok {
		n.last = numberedRef{r, number}
	}
	return number, ok
}

func (n *refNumbering) put(r *small.Ref, number int) {
	if i := r.Number; i > 0 && i < maxKnown {
		if i >= len(n.places) {
			n.places = append(n.places, make([]numberedRef, max(8, i+1, 2*len(n.places))-len(n.places))...)
		}
		n.places[i] = numberedRef{r, number}
		return
	}
	if n.known == nil || len(n.known) >= maxKnown {
		n.known = map[*small.Ref]int{}
	}
	n.known[r] = number
	n.last = numberedRef{r, number}
}
