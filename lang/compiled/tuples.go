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

// tuple returns the tuple of items from the table, or puts it there.
func (t *tupleTable) tuple(items []small.Value) small.Value {
	if 2*t.count >= len(t.slots) {
		t.grow()
	}
	mask := uint(len(t.slots) - 1)
	at := hash(items) & mask
	for ; t.slots[at] != nil; at = (at + 1) & mask {
		if slices.Equal(t.slots[at].Items, items) {
			return small.Value{R: t.slots[at]}
		}
	}
	v := small.MakeTuple(slices.Clone(items))
	if small.Solid(v) { // and so not too large
		t.slots[at] = v.R
		t.count++
		v.R.Number = t.count
	}
	return v
}

func (t *tupleTable) grow() {
	old := t.slots
	if t.count >= maxTuples {
		old = nil
	}
	t.slots, t.count = make([]*small.Ref, max(64, 2*len(old))), 0
	mask := uint(len(t.slots) - 1)
	for _, r := range old {
		if r == nil {
			continue
		}
		at := hash(r.Items) & mask
		for ; t.slots[at] != nil; at = (at + 1) & mask {
		}
		t.slots[at] = r
		t.count++
	}
}

// hash mixes the numbers of items; those that refer to something count by their
// kind and, where they have one, by the length of their text.
func hash(items []small.Value) uint {
	h := uint(len(items))
	for _, v := range items {
		x := uint(v.N)
		if v.R != nil {
			x += uint(v.R.Kind)<<32 + uint(len(v.R.Text))<<40
		}
		hi, lo := bits.Mul(h^x+0x9e3779b9, mixing)
		h = hi ^ lo
	}
	return h
}

const mixing = uint(0x9e3779b97f4a7c15 & (1<<bits.UintSize - 1))
