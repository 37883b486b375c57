package anydice

import "math/bits"

// What a function reads of its caller's variables can be told from its text:
// a variable counts when some way through the body, or through a function that
// it calls, reads it before it is surely set. It may tell too much, never too
// little. Two things follow: results may be remembered by the arguments and
// those variables, and a body that sets none of them sees nothing of what the
// combination before has left.

// The facts of a function under the definitions of the moment.
type facts struct {
	reads   []int // slots that it, or what it calls, may read before they are set
	calls   bool  // users' functions
	busy    bool  // it calls or loops, so that its results are worth remembering
	carries bool  // a run of the body may see what another has left

	faceLoops map[int]*faceLoop // by the slot of a parameter; nil when there is none
}

// factsOf returns the facts of a function.
func (r *run) factsOf(f *function) *facts {
	if known, ok := r.facts[f]; ok {
		return known
	}
	s := &survey{functions: r.functions, slots: len(r.slots), found: map[*function]*findings{}}
	s.reach(f)
	for s.changed = true; s.changed; {
		s.changed = false
		for _, g := range s.order {
			s.walk(g)
		}
	}
	for _, g := range s.order {
		r.facts[g] = s.found[g].facts()
	}
	return r.facts[f]
}

// A slotSet is a set of variables.
type slotSet []uint64

func (s slotSet) has(i int) bool { return s[i/64]>>(i%64)&1 == 1 }
func (s slotSet) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s slotSet) copied() slotSet {
	return append(slotSet(nil), s...)
}

// meet keeps what is in both.
func (s slotSet) meet(t slotSet) {
	for i := range s {
		s[i] &= t[i]
	}
}

func (s slotSet) slots() []int {
	var list []int
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			list = append(list, 64*i+bits.TrailingZeros64(w))
		}
	}
	return list
}

// findings are the facts of a function as far as they are known.
type findings struct {
	reads, sets slotSet // sets are variables that the body itself assigns to
	calls, busy bool
}

func (f *findings) facts() *facts {
	out := &facts{reads: f.reads.slots(), calls: f.calls, busy: f.busy}
	for _, slot := range out.reads {
		out.carries = out.carries || f.sets.has(slot)
	}
	return out
}

// A survey walks through functions that may call each other until nothing new
// is found.
type survey struct {
	functions []*function
	slots     int
	found     map[*function]*findings
	order     []*function
	changed   bool
	self      *findings
}

func (s *survey) newSet() slotSet { return make(slotSet, s.slots/64+1) }

// reach notes a function and those that it may call.
func (s *survey) reach(f *function) {
	if s.found[f] != nil {
		return
	}
	s.found[f] = &findings{reads: s.newSet(), sets: s.newSet()}
	s.order = append(s.order, f)
	eachCall(f.body, func(c *call) {
		if g := s.functions[c.shape]; g != nil {
			s.reach(g)
		}
	})
}

func (s *survey) walk(f *function) {
	s.self = s.found[f]
	set := s.newSet()
	for _, p := range f.params {
		set.add(p.slot)
	}
	s.statements(f.body, set)
}

// read notes that a variable is read unless it is surely set.
func (s *survey) read(slot int, set slotSet) {
	if set.has(slot) || s.self.reads.has(slot) {
		return
	}
	s.self.reads.add(slot)
	s.changed = true
}

// statements walks through a block and adds to set what it surely sets. It
// reports whether the block surely ends the function.
func (s *survey) statements(list []statement, set slotSet) (ended bool) {
	for _, x := range list {
		switch x := x.(type) {
		case *assignment:
			s.expression(x.x, set)
			set.add(x.slot)
			s.self.sets.add(x.slot)
		case *result:
			s.expression(x.x, set)
			return true
		case *loop:
			s.self.busy = true
			s.expression(x.over, set)
			s.self.sets.add(x.slot)
			inner := set.copied()
			inner.add(x.slot)
			s.statements(x.body, inner)
		case *condition:
			s.expression(x.x, set)
			then, els := set.copied(), set.copied()
			thenEnds, elsEnds := s.statements(x.then, then), s.statements(x.els, els)
			switch {
			case thenEnds && elsEnds:
				return true
			case thenEnds:
				copy(set, els)
			case elsEnds:
				copy(set, then)
			default:
				then.meet(els)
				copy(set, then)
			}
		}
	}
	return false
}

func (s *survey) expression(e expression, set slotSet) {
	eachExpression(e, func(e expression) {
		switch e := e.(type) {
		case *variable:
			s.read(e.slot, set)
		case *call:
			g := s.functions[e.shape]
			if g == nil {
				return
			}
			s.self.calls, s.self.busy = true, true
			for _, slot := range s.found[g].reads.slots() {
				s.read(slot, set)
			}
		}
	})
}

// eachExpression visits an expression and all in it.
func eachExpression(e expression, visit func(expression)) {
	visit(e)
	switch e := e.(type) {
	case *prefixed:
		eachExpression(e.x, visit)
	case *infix:
		eachExpression(e.x, visit)
		eachExpression(e.y, visit)
	case *sequenceLiteral:
		for _, q := range e.parts {
			for _, x := range []expression{q.from, q.to, q.times} {
				if x != nil {
					eachExpression(x, visit)
				}
			}
		}
	case *call:
		for _, x := range e.args {
			eachExpression(x, visit)
		}
	}
}

// eachOwn visits the expressions of statements, and those of the blocks in them.
func eachOwn(list []statement, visit func(expression)) {
	eachStatement(list, func(s statement) {
		switch s := s.(type) {
		case *assignment:
			visit(s.x)
		case *result:
			visit(s.x)
		case *condition:
			visit(s.x)
		case *loop:
			visit(s.over)
		}
	})
}

// eachStatement visits statements, and those of the blocks in them.
func eachStatement(list []statement, visit func(statement)) {
	for _, s := range list {
		visit(s)
		switch s := s.(type) {
		case *condition:
			eachStatement(s.then, visit)
			eachStatement(s.els, visit)
		case *loop:
			eachStatement(s.body, visit)
		}
	}
}

// eachCall visits the calls in statements.
func eachCall(list []statement, visit func(*call)) {
	eachOwn(list, func(e expression) {
		eachExpression(e, func(e expression) {
			if c, ok := e.(*call); ok {
				visit(c)
			}
		})
	})
}
