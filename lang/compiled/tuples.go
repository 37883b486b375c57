package compiled

import (
	"math/bits"
	"slices"

	"dicescript/builtins/small"
)

// A rule that keeps several numbers in a tuple makes the same few tuples again
// and again. A machine remembers those that it has made, so that they are made
// once and told apart by where they are. What it remembers changes no result and
// no count of steps.

type tupleTable struct {
	slots []*small.Ref // open addressing
	count int
}

// most tuples that a machine remembers, before it begins anew.
const maxTuples = 1 << 14

// tuple returns the tuple of items, which it copies if need be. It takes as many
// steps whether the machine remembers it or not.
func (m *Machine) tuple(items []small.Value) small.Value {
	v := m.tuples.tuple(items)
	m.steps += int64(v.R.Size) / 4
	return v
}

// mostProbes bounds the places where a tuple is looked for. One that is not found in them
// and has no room there is not remembered: a recipe can make many that come to the same
// place.
const mostProbes = 16

// tuple returns the tuple of items from the table, or puts it there.
func (t *tupleTable) tuple(items []small.Value) small.Value {
	if 2*t.count >= len(t.slots) {
		t.grow()
	}
	at, free := t.find(items)
	if at != nil && !free {
		return small.Value{R: *at}
	}
	v := small.MakeTuple(slices.Clone(items))
	if free && small.Solid(v) { // and so not too large
		*at = v.R
		t.count++
		v.R.Number = t.count
	}
	return v
}

// find returns the place of the tuple of items, or a free one for it, nil when there is
// none.
func (t *tupleTable) find(items []small.Value) (at **small.Ref, free bool) {
	mask := uint(len(t.slots) - 1)
	for i, h := uint(0), hash(items); i < mostProbes; i++ {
		at := &t.slots[(h+i)&mask]
		if *at == nil {
			return at, true
		}
		if slices.EqualFunc((*at).Items, items, alike) {
			return at, false
		}
	}
	return nil, false
}

func (t *tupleTable) grow() {
	old := t.slots
	if t.count >= maxTuples {
		old = nil
	}
	t.slots, t.count = make([]*small.Ref, max(64, 2*len(old))), 0
	for _, r := range old {
		if r == nil {
			continue
		}
		if at, free := t.find(r.Items); free {
			*at = r
			t.count++
		}
	}
}

// shortText is how long a text may be that is looked into, to tell tuples apart.
const shortText = 32

// alike reports whether two items are the same: the same number, the same thing, or short
// texts of the same letters.
func alike(v, w small.Value) bool {
	if v == w {
		return true
	}
	return v.Kind() == small.Text && w.Kind() == small.Text && len(v.R.Text) <= shortText && v.R.Text == w.R.Text
}

// hash mixes what tells items apart: the numbers, the letters of short texts, and the
// numbers that the table has given tuples.
func hash(items []small.Value) uint {
	h := uint(len(items))
	for _, v := range items {
		x := uint(v.N)
		if r := v.R; r != nil {
			x += uint(r.Kind)<<32 + uint(r.Number) + uint(len(r.Text))<<40
			if len(r.Text) <= shortText {
				for i := range len(r.Text) {
					x = x*31 + uint(r.Text[i])
				}
			}
		}
		hi, lo := bits.Mul(h^x+0x9e3779b9, mixing)
		h = hi ^ lo
	}
	return h
}

const mixing = uint(0x9e3779b97f4a7c15 & (1<<bits.UintSize - 1))
