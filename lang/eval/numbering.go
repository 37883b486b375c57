package eval

import "slices"

// A numbering gives numbers to things in the order in which they are come to. Mostly they
// are few, and looked through faster than hashed.
type numbering[K comparable] struct {
	list []K
	at   map[K]int // of all, where they are many
}

// fewThings is how many things are looked through.
const fewThings = 8

func (n *numbering[K]) len() int { return len(n.list) }

func (n *numbering[K]) clear() {
	clear(n.list)
	n.list, n.at = n.list[:0], nil
}

// find returns the number of a thing that was added.
func (n *numbering[K]) find(x K) (int, bool) {
	if n.at != nil {
		i, ok := n.at[x]
		return i, ok
	}
	i := slices.Index(n.list, x)
	return i, i >= 0
}

// add gives a number to a thing that has none.
func (n *numbering[K]) add(x K) int {
	i := len(n.list)
	n.list = append(n.list, x)
	switch {
	case n.at != nil:
		n.at[x] = i
	case i == fewThings:
		n.at = make(map[K]int, 4*fewThings)
		for k, y := range n.list {
			n.at[y] = k
		}
	}
	return i
}
