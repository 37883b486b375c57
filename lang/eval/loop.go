package eval

import (
	"errors"

	"dicescript/builtins/slot"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Loops. What a loop has come to stands in two variables of its own: what it goes through
// beside how far it is, and how many locks of iteration there were before it began.

// A loop is one around the statement that is being compiled.
type loop struct {
	head   int   // where it goes on
	breaks []int // places from which it is left
}

// forLoop emits for.
func (c *compiler) forLoop(s *syntax.ForStmt) {
	if c.countedLoop(s) {
		return
	}
	var over expr
	cost := c.costed(func() { over = c.iterated(s.X).eval })
	state := c.slot()
	before := c.slot()
	at := placeOf(s.For)
	c.writes(state, before)
	c.emit(func(next int) stmt {
		return func(fr *frame) int {
			if !fr.spend(cost) {
				return aborted
			}
			v := over(fr)
			if v.V != nil && isFailed(v) {
				return aborted
			}
			fr.slots[before] = slot.Int(int64(len(fr.locks)))
			if !fr.iterate(&fr.slots[state], v, at) {
				return aborted
			}
			return next
		}
	})
	c.reads(state, before)
	head := c.reserve()
	c.loopBody(head, s, before, func(set setter, cost int64, body, after int) stmt {
		return func(fr *frame) int {
			var v slot.Value
			switch fr.step(&fr.slots[state], &v) {
			case yes:
				if !fr.spend(cost) || !set(fr, v) {
					return aborted
				}
				return body
			case no:
				fr.release(int(fr.slots[before].N))
				fr.slots[state] = slot.Value{}
				return after
			}
			return aborted
		}
	}, func(after int) stmt {
		return func(fr *frame) int {
			fr.release(int(fr.slots[before].N))
			fr.slots[state] = slot.Value{}
			return after
		}
	})
}

// loopBody emits the body of a for whose head stands at a place. leave makes a break.
func (c *compiler) loopBody(head int, s *syntax.ForStmt, before int, make func(set setter, cost int64, body, after int) stmt, leave func(after int) stmt) {
	known, dead := c.snapshot(), c.dead
	l := &loop{head: head}
	var set setter
	cost := c.costed(func() { set = c.target(s.Vars, placeOf(s.For)) })
	c.noteAt(head)
	c.loops = append(c.loops, l)
	c.stmts(s.Body)
	c.loops = c.loops[:len(c.loops)-1]
	c.emit(func(int) stmt { return func(*frame) int { return head } })
	c.leads(len(c.body)-1, head)
	after := len(c.body)
	c.body[head] = make(set, cost, head+1, after)
	c.leads(head, head+1, after)
	for _, at := range l.breaks {
		c.body[at] = leave(after)
		c.leads(at, after)
		c.readsAt(at, before)
	}
	c.assigned, c.dead = known, dead
}

// countedLoop emits a for over range(...), of which the range is not made, and reports
// whether s is one.
func (c *compiler) countedLoop(s *syntax.ForStmt) bool {
	call, ok := unparen(s.X).(*syntax.CallExpr)
	if !ok || !c.isStandard(call.Fn, "range") || len(call.Args) < 1 || len(call.Args) > 3 || !plainArgs(call.Args) {
		return false
	}
	var args []expr
	var fn expr // where the arguments are not all whole numbers, the builtin speaks
	cost := c.costed(func() {
		fn = c.expr(call.Fn).eval
		args = c.exprs(call.Args)
	})
	state, left, by, before := c.slot(), c.slot(), c.slot(), c.slot()
	c.writes(state, left, by, before)
	at, called := placeOf(s.For), placeOf(call.Lparen)
	c.emit(func(next int) stmt {
		return func(fr *frame) int {
			if !fr.spend(cost) {
				return aborted
			}
			var room [3]slot.Value
			values, ok := fr.values(args, room[:0])
			if !ok {
				return aborted
			}
			if bounds, ok := rangeBounds(values); ok {
				fr.slots[state], fr.slots[by] = slot.Int(bounds[0]), slot.Int(bounds[2])
				fr.slots[left] = slot.Int(rangeLength(bounds))
				return next
			}
			v := fr.call(called, fn(fr), values, nil)
			if isFailed(v) {
				return aborted
			}
			fr.slots[before] = slot.Int(int64(len(fr.locks)))
			fr.slots[by] = slot.Int(0)
			if !fr.iterate(&fr.slots[state], v, at) {
				return aborted
			}
			return next
		}
	})
	c.reads(state, left, by, before)
	head := c.reserve()
	id, isName := unparen(s.Vars).(*syntax.Ident)
	variable := -1
	if isName {
		variable = c.plainLocal(id)
	}
	c.loopBody(head, s, before, func(set setter, cost int64, body, after int) stmt {
		return func(fr *frame) int {
			n := fr.slots[left].N
			if step := fr.slots[by].N; step != 0 {
				if n == 0 {
					return after
				}
				if !fr.spend(cost) {
					return aborted
				}
				fr.slots[left].N = n - 1
				at := &fr.slots[state]
				v := at.N
				at.N += step
				if variable >= 0 {
					fr.slots[variable].Set(slot.Value{N: v})
					return body
				}
				if !set(fr, slot.Value{N: v}) {
					return aborted
				}
				return body
			}
			var v slot.Value
			switch fr.step(&fr.slots[state], &v) {
			case yes:
				if !fr.spend(cost) || !set(fr, v) {
					return aborted
				}
				return body
			case no:
				fr.release(int(fr.slots[before].N))
				return after
			}
			return aborted
		}
	}, func(after int) stmt {
		return func(fr *frame) int {
			if fr.slots[by].N == 0 {
				fr.release(int(fr.slots[before].N))
			}
			return after
		}
	})
	return true
}

// rangeBounds are start, stop and step of range with these arguments; ok is false where
// they are not all short whole numbers.
func rangeBounds(args []slot.Value) (bounds [3]int64, ok bool) {
	bounds[2] = 1
	for i, v := range args {
		if v.V != nil || v.N != int64(int32(v.N)) {
			return bounds, false
		}
		bounds[i] = v.N
	}
	if len(args) == 1 {
		bounds[0], bounds[1] = 0, bounds[0]
	}
	return bounds, bounds[2] != 0
}

// rangeLength is how many numbers there are in a range.
func rangeLength(b [3]int64) int64 {
	switch {
	case b[2] > 0 && b[0] < b[1]:
		return (b[1]-b[0]-1)/b[2] + 1
	case b[2] < 0 && b[0] > b[1]:
		return (b[0]-b[1]-1)/-b[2] + 1
	}
	return 0
}

func (c *compiler) whileLoop(s *syntax.WhileStmt) {
	var cond test
	known, dead := c.snapshot(), c.dead
	cost := c.costed(func() { cond = c.condition(s.Cond) })
	head := c.reserve()
	l := &loop{head: head}
	c.loops = append(c.loops, l)
	c.stmts(s.Body)
	c.loops = c.loops[:len(c.loops)-1]
	c.emit(func(int) stmt { return func(*frame) int { return head } })
	c.leads(len(c.body)-1, head)
	after := len(c.body)
	c.body[head] = decide(cost, cond, head+1, after)
	c.leads(head, head+1, after)
	for _, at := range l.breaks {
		c.body[at] = func(*frame) int { return after }
		c.leads(at, after)
	}
	c.assigned, c.dead = known, dead
}

// iterate begins to go through a value: state holds how far it has come. A list is locked
// meanwhile.
func (fr *frame) iterate(state *slot.Value, v slot.Value, at place) bool {
	fr.at = at
	switch x := v.V.(type) {
	case *starlark.List:
		fr.locks = append(fr.locks, lock{x, x.Iterate()})
		*state = slot.Value{V: x}
		return true
	case starlark.Tuple:
		*state = slot.Value{V: x}
		return true
	case starlark.Iterable:
		it := x.Iterate()
		if it == nil {
			break
		}
		fr.locks = append(fr.locks, lock{x, it})
		if fr.code.alive != nil {
			return fr.listElements(state, it, at)
		}
		*state = slot.Value{V: &iteration{of: x, it: it}}
		return true
	}
	fr.m.err = notIterable(v)
	return false
}

// listElements makes state go through a tuple of what an iterator gives: a play can be
// copied then.
func (fr *frame) listElements(state *slot.Value, it starlark.Iterator, at place) bool {
	var all starlark.Tuple
	var next starlark.Value
	for it.Next(&next) {
		if len(all)%elementsAtOnce == 0 {
			if err := fr.m.meter.Tuple(elementsAtOnce); err != nil {
				fr.fail(at, err)
				return false
			}
		}
		all = append(all, next)
	}
	*state = slot.Value{V: all}
	return true
}

// elementsAtOnce is how many elements are paid for together.
const elementsAtOnce = 16

// An iteration is what a loop goes through that gives its elements one by one.
type iteration struct {
	nothing
	of starlark.Value
	it starlark.Iterator
}

// step gives the next element.
func (fr *frame) step(state *slot.Value, v *slot.Value) verdict {
	switch x := state.V.(type) {
	case *starlark.List:
		if int(state.N) >= x.Len() {
			return no
		}
		*v = slot.Of(x.Index(int(state.N)))
		state.N++
		return yes
	case starlark.Tuple:
		if int(state.N) >= len(x) {
			return no
		}
		*v = slot.Of(x[state.N])
		state.N++
		return yes
	case *iteration:
		var next starlark.Value
		if x.it.Next(&next) {
			*v = slot.Of(next)
			return yes
		}
		return no
	}
	fr.m.err = errors.New("internal error: a loop has lost what it goes through")
	return wrong
}
