package eval

import (
	"math/bits"
	"slices"
)

// What is read after a place of a body: two states of a play that differ in a variable
// that nobody reads any more are one. A variable is alive at a place when a way leads from
// there to a statement that reads it before another writes it (Aho et al., "Compilers",
// section 9.2.5):
//
//	alive(s) = reads(s) | (alive of all that follow - writes(s))

// A passage is what is known of one statement of a body.
type passage struct {
	reads, writes []int
	to            []int // where it may lead
}

// passages are those of a body, in its order. The one behind the last gathers what is read
// and written by the statement that is being compiled.
type passages struct {
	done []passage
	next passage
}

// reads notes that the statement being compiled reads variables.
func (c *compiler) reads(slots ...int) {
	if c.stepped {
		c.flow.next.reads = append(c.flow.next.reads, slots...)
	}
}

// writes notes that the statement being compiled gives variables a value, whatever way
// it takes.
func (c *compiler) writes(slots ...int) {
	if c.stepped {
		c.flow.next.writes = append(c.flow.next.writes, slots...)
	}
}

// note ends the statement at the end of the body, which leads to the one after it.
func (c *compiler) note() {
	if c.stepped {
		c.flow.next.to = []int{len(c.body)}
		c.flow.done = append(c.flow.done, c.flow.next)
		c.flow.next = passage{}
	}
}

// noteAt adds what has been read since to the head of a loop, which stands already. What
// it writes it writes on one of its two ways only.
func (c *compiler) noteAt(at int) {
	if c.stepped {
		c.flow.done[at].reads = append(c.flow.done[at].reads, c.flow.next.reads...)
		c.flow.next = passage{}
	}
}

func (c *compiler) readsAt(at int, slot int) {
	if c.stepped {
		c.flow.done[at].reads = append(c.flow.done[at].reads, slot)
	}
}

// mark is how much has been read so far by the statement that is being compiled.
func (f *passages) mark() int { return len(f.next.reads) }

// forget takes variables of a comprehension out of what has been read since: each of them
// is given a value before.
func (f *passages) forget(since int, own map[int]bool) {
	reads := f.next.reads[:since]
	for _, slot := range f.next.reads[since:] {
		if !own[slot] {
			reads = append(reads, slot)
		}
	}
	f.next.reads = reads
}

// leads says where a statement may lead, in place of the one after it.
func (c *compiler) leads(at int, to ...int) {
	if c.stepped {
		c.flow.done[at].to = to
	}
}

// mostAlive bounds the places of a body times its variables: a longer body is not played.
const mostAlive = 1 << 23

// alive returns the variables that are alive at each place; nil where they are too many.
// Those that other functions use too always are.
func (f *passages) alive(slots int, cells []int) [][]int32 {
	n := len(f.done)
	if n > mostAlive/max(1, slots) {
		return nil
	}
	words := (slots + 63) / 64
	all := make([]uint64, (n+1)*words)
	at := func(i int) []uint64 { return all[i*words : (i+1)*words] }
	for changed := true; changed; {
		changed = false
		for i := n - 1; i >= 0; i-- {
			changed = f.pass(i, at(n), at) || changed
		}
	}
	lists := make([][]int32, n)
	for i := range n {
		for _, s := range cells {
			at(i)[s/64] |= 1 << (s % 64)
		}
		count := 0
		for _, w := range at(i) {
			count += bits.OnesCount64(w)
		}
		lists[i] = make([]int32, 0, count)
		for k, w := range at(i) {
			for ; w != 0; w &= w - 1 {
				lists[i] = append(lists[i], int32(64*k+bits.TrailingZeros64(w)))
			}
		}
	}
	return lists
}

// pass updates one place, and reports whether anything has changed.
func (f *passages) pass(i int, room []uint64, at func(int) []uint64) bool {
	p := f.done[i]
	clear(room)
	for _, next := range p.to {
		if next < len(f.done) {
			for k, w := range at(next) {
				room[k] |= w
			}
		}
	}
	for _, s := range p.writes {
		room[s/64] &^= 1 << (s % 64)
	}
	for _, s := range p.reads {
		room[s/64] |= 1 << (s % 64)
	}
	if slices.Equal(room, at(i)) {
		return false
	}
	copy(at(i), room)
	return true
}
