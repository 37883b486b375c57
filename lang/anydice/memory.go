package anydice

import (
	"encoding/binary"

	"dicescript/dist"
)

// A call with the same arguments, that reads the same values of its caller's
// variables, has the same result. Recursions that would take exponential time
// are quick when results are remembered. A result is the same at any depth
// unless the calls below it were cut off; one that was cut is remembered for
// its depth alone. A definition and a setting forget everything.

// A memory holds results by function, arguments and variables.
type memory struct {
	whole map[string]remembered // of calls of which nothing was cut
	cut   map[string]value      // of calls at a depth
	key   []byte
}

// A remembered is a result, and how many levels of calls it took.
type remembered struct {
	v      value
	levels int
}

// maxRemembered bounds the number of results; beyond it all are forgotten.
const maxRemembered = 1 << 18

// longestKey bounds the bytes of a key. What would take longer to look up is
// not remembered.
const longestKey = 512

func newMemory() memory {
	return memory{whole: map[string]remembered{}, cut: map[string]value{}}
}

// forget drops what was found out about functions.
func (r *run) forget() {
	clear(r.facts)
	clear(r.memory.whole)
	clear(r.memory.cut)
}

// remembering returns the remembered result of a function for arguments, or
// computes it. depth is that of the caller: the body runs one deeper.
func (r *run) remembering(f *function, reads []int, args []value, depth int, compute func() (value, error)) (value, error) {
	key, ok := r.keyOf(f, reads, args)
	if !ok {
		return compute()
	}
	if known, ok := r.memory.whole[string(key)]; ok && depth+known.levels <= r.maxDepth {
		r.deepest = max(r.deepest, depth+known.levels)
		return known.v, nil
	}
	whole := string(key)
	key = binary.AppendVarint(key, int64(depth))
	if v, ok := r.memory.cut[string(key)]; ok {
		r.cut, r.deepest = true, r.maxDepth
		return v, nil
	}
	below := string(key)
	deepest, cut := r.deepest, r.cut
	r.deepest, r.cut = r.depth, false
	v, err := compute()
	if err == nil {
		err = r.remember(whole, below, v, r.deepest-depth)
	}
	r.deepest, r.cut = max(r.deepest, deepest), r.cut || cut
	return v, err
}

func (r *run) remember(whole, below string, v value, levels int) error {
	if v.kind == rollValue {
		return nil
	}
	const words = 16 // of an entry, besides its key
	if err := dist.ChargeTable(r.ctx, 1, words+int64(len(whole)+len(below))/8); err != nil {
		return err
	}
	if len(r.memory.whole)+len(r.memory.cut) >= maxRemembered {
		clear(r.memory.whole)
		clear(r.memory.cut)
	}
	if r.cut {
		r.memory.cut[below] = v
	} else {
		r.memory.whole[whole] = remembered{v: v, levels: levels}
	}
	return nil
}

// keyOf writes what a result depends on. It is false when that can't be looked
// up.
func (r *run) keyOf(f *function, reads []int, args []value) ([]byte, bool) {
	key := binary.AppendVarint(r.memory.key[:0], int64(f.at))
	ok := true
	for _, v := range args {
		key, ok = r.appendKey(key, v)
		if !ok {
			return nil, false
		}
	}
	for _, slot := range reads {
		key, ok = r.appendKey(key, r.slots[slot].v)
		if !ok {
			return nil, false
		}
	}
	r.memory.key = key
	return key, true
}

func (r *run) appendKey(key []byte, v value) ([]byte, bool) {
	key = append(key, byte(v.kind))
	switch v.kind {
	case numberValue:
		key = binary.AppendVarint(key, int64(v.n))
	case sequenceValue:
		if len(v.seq) > longestKey/2 {
			return key, false
		}
		key = binary.AppendVarint(key, int64(len(v.seq)))
		for _, x := range v.seq {
			key = binary.AppendVarint(key, int64(x))
		}
	case dieValue:
		key = binary.AppendVarint(key, int64(v.die.count))
		if v.die.isEmpty() {
			return append(key, 0), true
		}
		key = binary.AppendVarint(key, int64(r.numberOf(v.die.base)))
		if v.die.slip != nil {
			key = v.die.slip.bound.Append(key, 'p', 0)
		}
		key = append(key, 0)
	case rollValue:
		return key, false
	}
	return key, len(key) <= longestKey
}
