package dist

import (
	"context"
	"slices"
)

// A trail finds, for each state in which a machine can end, the first multisets that lead
// there: in lexicographic order of their ascending faces, those of the first multiset
// before those of the second. Of two lists of as many faces the one comes first that shows
// a low face more often, so that it is enough to remember, for every state and place, the
// best way so far, and how it ranks among those of the others.

type trail struct {
	sets   int
	counts func(label, set int) int // how many of a set show the face of a label
	ranks  [][]int                  // by set and cell, where the first multiset of a cell stands among those of all
	levels []trailLevel
	next   []trailCell // by row and place
	room   int
	row    int // the first cell of the row that is left
	from   int // the cell that is left
}

// A trailLevel is the best ways over one face.
type trailLevel struct {
	face  int
	cells []trailCell
}

// A trailCell is how a state and a place are come to.
type trailCell struct {
	from  int // the cell before plus 1; 0 where nothing leads
	label int
}

// enter makes room for a row.
func (t *trail) enter(ctx context.Context, room int) error {
	if err := ChargeTable(ctx, int64(room), int64(2+2*t.sets)); err != nil {
		return err
	}
	t.room = room
	t.next = append(t.next, make([]trailCell, room)...)
	return nil
}

// begin begins at the row that has been entered.
func (t *trail) begin() {
	for range t.sets {
		t.ranks = append(t.ranks, make([]int, t.room))
	}
	t.next = nil
}

// offer offers the way from the cell that is left to a place of a row.
func (t *trail) offer(row, place, label int) {
	c := &t.next[row*t.room+place]
	if c.from == 0 || t.isBefore(trailCell{t.from + 1, label}, *c) {
		*c = trailCell{t.from + 1, label}
	}
}

// isBefore reports whether the multisets of one way come before those of another.
func (t *trail) isBefore(x, y trailCell) bool {
	for set := range t.sets {
		if a, b := t.ranks[set][x.from-1], t.ranks[set][y.from-1]; a != b {
			return a < b
		}
		if x.label == y.label {
			continue
		}
		if a, b := t.counts(x.label, set), t.counts(y.label, set); a != b {
			return a > b
		}
	}
	return false
}

// pass ends a face.
func (t *trail) pass(ctx context.Context, face int) error {
	if err := ChargeWork(ctx, int64(len(t.next))*int64(t.sets)*trailWork); err != nil {
		return err
	}
	for set := range t.sets {
		t.ranks[set] = t.ranked(set)
	}
	t.levels = append(t.levels, trailLevel{face, t.next})
	t.next = nil
	return nil
}

// trailWork is what it takes to rank a cell, besides logarithms.
const trailWork = 32

// ranked ranks the cells to come by the multisets of one set.
func (t *trail) ranked(set int) []int {
	type key struct{ rank, count int }
	order := func(a, b key) int {
		if a.rank != b.rank {
			return a.rank - b.rank
		}
		return b.count - a.count
	}
	keys := make([]key, 0, len(t.next))
	of := func(c trailCell) key { return key{t.ranks[set][c.from-1], t.counts(c.label, set)} }
	for _, c := range t.next {
		if c.from > 0 {
			keys = append(keys, of(c))
		}
	}
	slices.SortFunc(keys, order)
	keys = slices.Compact(keys)
	ranks := make([]int, len(t.next))
	for i, c := range t.next {
		if c.from > 0 {
			ranks[i], _ = slices.BinarySearchFunc(keys, of(c), order)
		}
	}
	return ranks
}

// compare compares the first multisets of two cells of the last level.
func (t *trail) compare(x, y int) int {
	for set := range t.sets {
		if a, b := t.ranks[set][x], t.ranks[set][y]; a != b {
			return a - b
		}
	}
	return 0
}

// faces returns the first multiset of a set for a cell of the last level, of so many faces.
func (t *trail) faces(set, cell, size int) []int {
	faces := make([]int, 0, size)
	for i := len(t.levels) - 1; i >= 0; i-- {
		c := t.levels[i].cells[cell]
		for range t.counts(c.label, set) {
			faces = append(faces, t.levels[i].face)
		}
		cell = c.from - 1
	}
	slices.Reverse(faces)
	return faces
}
