package eval

import (
	"fmt"

	"dicescript/builtins/native"
	"dicescript/builtins/slot"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Assignments: first the value, then what it is assigned to.

func (c *compiler) assign(s *syntax.AssignStmt) {
	if s.Op != syntax.EQ {
		c.augmented(s)
		return
	}
	if call, ok := s.RHS.(*syntax.CallExpr); ok && c.stepped && c.mayPause(call) {
		c.pausing(call, unparen(s.LHS).(*syntax.Ident))
		return
	}
	if c.assignTogether(s) {
		return
	}
	var x node
	var set setter
	local := -1
	cost := c.costed(func() {
		if _, several := unparen(s.LHS).(*syntax.TupleExpr); several {
			x = c.iterated(s.RHS)
		} else {
			x = c.expr(s.RHS)
		}
		if id, ok := unparen(s.LHS).(*syntax.Ident); ok {
			if local = c.plainLocal(id); local >= 0 {
				return
			}
		}
		set = c.target(s.LHS, placeOf(s.OpPos))
	})
	if local < 0 {
		c.evaluate(cost, x.eval, set)
		return
	}
	eval := x.eval
	c.emit(func(next int) stmt {
		return func(fr *frame) int {
			if !fr.spend(cost) {
				return aborted
			}
			v := eval(fr)
			if v.V != nil && isFailed(v) {
				return aborted
			}
			fr.slots[local].Set(v)
			return next
		}
	})
}

// plainLocal is the variable that a name is which is assigned to, -1 when it is none of
// the function's own or others use it too.
func (c *compiler) plainLocal(id *syntax.Ident) int {
	b, ok := id.Binding.(*resolve.Binding)
	if !ok || b.Scope != resolve.Local {
		return -1
	}
	c.assigned[b.Index] = true
	c.writes(b.Index)
	return b.Index
}

// mostTogether is how many values are assigned together without a tuple.
const mostTogether = 4

// assignTogether emits a, b = x, y without making a tuple, and reports whether s is such.
func (c *compiler) assignTogether(s *syntax.AssignStmt) bool {
	to, from := displayed(s.LHS), displayed(s.RHS)
	if len(to) < 2 || len(to) > mostTogether || len(from) != len(to) {
		return false
	}
	var evals []expr
	sets := make([]setter, len(to))
	cost := c.costed(func() {
		evals = c.exprs(from)
		for i, x := range to {
			sets[i] = c.target(x, placeOf(s.OpPos))
		}
	})
	c.emit(func(next int) stmt {
		return func(fr *frame) int {
			if !fr.spend(cost) {
				return aborted
			}
			var room [mostTogether]slot.Value
			for i, eval := range evals {
				v := eval(fr)
				if v.V != nil && isFailed(v) {
					return aborted
				}
				room[i] = v
			}
			for i, set := range sets {
				if !set(fr, room[i]) {
					return aborted
				}
			}
			return next
		}
	})
	return true
}

// displayed are the parts of a tuple or list that is written out.
func displayed(x syntax.Expr) []syntax.Expr {
	switch x := unparen(x).(type) {
	case *syntax.TupleExpr:
		return x.List
	case *syntax.ListExpr:
		return x.List
	}
	return nil
}

// target compiles what is assigned to; at is where errors of taking a value apart show.
func (c *compiler) target(x syntax.Expr, at place) setter {
	switch x := x.(type) {
	case *syntax.ParenExpr:
		return c.target(x.X, at)
	case *syntax.Ident:
		return c.variable(x)
	case *syntax.TupleExpr:
		return c.unpack(x.List, at)
	case *syntax.ListExpr:
		return c.unpack(x.List, at)
	case *syntax.IndexExpr:
		return c.element(x)
	case *syntax.DotExpr:
		return c.field(x)
	}
	panic("eval: unknown target")
}

// variable compiles an assignment to a name.
func (c *compiler) variable(id *syntax.Ident) setter {
	b := id.Binding.(*resolve.Binding)
	i := b.Index
	switch b.Scope {
	case resolve.Local:
		c.assigned[i] = true
		c.writes(i)
		return func(fr *frame, v slot.Value) bool {
			fr.slots[i] = v
			return true
		}
	case resolve.Cell:
		c.reads(i)
		return func(fr *frame, v slot.Value) bool {
			fr.slots[i].V.(*cell).value = v
			return true
		}
	case resolve.Free:
		return func(fr *frame, v slot.Value) bool {
			fr.fn.free[i].value = v
			return true
		}
	}
	return func(fr *frame, v slot.Value) bool {
		fr.fn.module.globals[i].Set(v)
		return true
	}
}

// unpack compiles an assignment to several.
func (c *compiler) unpack(list []syntax.Expr, at place) setter {
	sets := make([]setter, len(list))
	for i, x := range list {
		sets[i] = c.target(x, at)
	}
	return func(fr *frame, v slot.Value) bool {
		var items []starlark.Value
		switch x := v.V.(type) {
		case starlark.Tuple:
			items = x
		case *starlark.List:
			if x.Len() == len(sets) {
				var room [8]starlark.Value
				items = room[:0]
				for i := range x.Len() {
					items = append(items, x.Index(i))
				}
			}
		}
		if items == nil {
			var err error
			if items, err = parts(v, len(sets)); err != nil {
				fr.fail(at, err)
				return false
			}
		}
		if len(items) != len(sets) {
			fr.fail(at, unpackError(v.V, len(items), len(sets)))
			return false
		}
		for i, set := range sets {
			if !set(fr, slot.Of(items[i])) {
				return false
			}
		}
		return true
	}
}

// parts are the elements of a value that is taken apart into n, one more at most.
func parts(v slot.Value, n int) ([]starlark.Value, error) {
	of, ok := v.V.(starlark.Iterable)
	if !ok {
		return nil, fmt.Errorf("several names on the left need as many values on the right, got %s", native.TypeInWords(typeOf(v)))
	}
	it := of.Iterate()
	defer it.Done()
	items := make([]starlark.Value, 0, n)
	var next starlark.Value
	for it.Next(&next) {
		if len(items) == n {
			return nil, unpackError(of, starlark.Len(of), n)
		}
		items = append(items, next)
	}
	if len(items) < n {
		return nil, unpackError(of, len(items), n)
	}
	return items, nil
}

func unpackError(_ starlark.Value, got, want int) error {
	if got < want && got >= 0 {
		return fmt.Errorf("too few values to unpack (got %d, want %d)", got, want)
	}
	return fmt.Errorf("too many values to unpack (got %d, want %d)", got, want)
}

// element compiles x[key] = value.
func (c *compiler) element(x *syntax.IndexExpr) setter {
	of, key := c.expr(x.X).eval, c.expr(x.Y).eval
	at := placeOf(x.Lbrack)
	return func(fr *frame, v slot.Value) bool {
		to := of(fr)
		if to.V != nil && isFailed(to) {
			return false
		}
		k := key(fr)
		if k.V != nil && isFailed(k) {
			return false
		}
		if err := fr.m.setElement(to, k, v); err != nil {
			fr.fail(at, err)
			return false
		}
		return true
	}
}

// field compiles x.name = value.
func (c *compiler) field(x *syntax.DotExpr) setter {
	of, name, at := c.expr(x.X).eval, x.Name.Name, placeOf(x.Dot)
	return func(fr *frame, v slot.Value) bool {
		to := of(fr)
		if to.V != nil && isFailed(to) {
			return false
		}
		if err := setField(to, name, v); err != nil {
			fr.fail(at, err)
			return false
		}
		return true
	}
}

// augmented emits x op= y.
func (c *compiler) augmented(s *syntax.AssignStmt) {
	op := s.Op - syntax.PLUS_EQ + syntax.PLUS
	at := placeOf(s.OpPos)
	switch lhs := unparen(s.LHS).(type) {
	case *syntax.Ident:
		c.augmentedName(lhs, op, s.RHS, at)
	case *syntax.IndexExpr:
		c.augmentedElement(lhs, op, s.RHS, at)
	case *syntax.DotExpr:
		var of, right expr
		name, dot := lhs.Name.Name, placeOf(lhs.Dot)
		cost := c.costed(func() { of, right = c.expr(lhs.X).eval, c.expr(s.RHS).eval })
		c.emitStep(cost, func(fr *frame) bool {
			x := of(fr)
			if isFailed(x) {
				return false
			}
			old := fr.attributeOf(x, name, dot)
			if isFailed(old) {
				return false
			}
			y := right(fr)
			if isFailed(y) {
				return false
			}
			v := fr.augment(op, old, y, at)
			if isFailed(v) {
				return false
			}
			if err := setField(x, name, v); err != nil {
				fr.fail(dot, err)
				return false
			}
			return true
		})
	default:
		panic("eval: unknown target")
	}
}

// emitStep emits a statement that goes on with the next.
func (c *compiler) emitStep(cost int64, do func(fr *frame) bool) {
	c.emit(func(next int) stmt {
		return func(fr *frame) int {
			if !fr.spend(cost) || !do(fr) {
				return aborted
			}
			return next
		}
	})
}

func (c *compiler) augmentedName(id *syntax.Ident, op syntax.Token, rhs syntax.Expr, at place) {
	var x, y node
	var set setter
	cost := c.costed(func() {
		x, y = c.name(id), c.expr(rhs)
		set = c.variable(id)
	})
	local, right := x.local, y.eval
	if local < 0 {
		read := x.eval
		c.emitStep(cost, func(fr *frame) bool {
			v := read(fr)
			if v.V != nil && isFailed(v) {
				return false
			}
			w := right(fr)
			if w.V != nil && isFailed(w) {
				return false
			}
			v = fr.augment(op, v, w, at)
			return !(v.V != nil && isFailed(v)) && set(fr, v)
		})
		return
	}
	if op == syntax.PLUS {
		c.emitStep(cost, func(fr *frame) bool {
			v := fr.slots[local] // as it is before the right side is evaluated
			w := right(fr)
			if sum := v.N + w.N; v.V == nil && w.V == nil && (sum > v.N) == (w.N > 0) {
				fr.slots[local].N = sum
				return true
			}
			return fr.augmentLocal(local, op, v, w, at)
		})
		return
	}
	c.emitStep(cost, func(fr *frame) bool {
		v := fr.slots[local]
		w := right(fr)
		if v.V == nil && w.V == nil {
			if out, ok := intArithmetic(op, v.N, w.N); ok {
				fr.slots[local].N = out
				return true
			}
		}
		return fr.augmentLocal(local, op, v, w, at)
	})
}

func (fr *frame) augmentLocal(local int, op syntax.Token, v, w slot.Value, at place) bool {
	if isFailed(w) {
		return false
	}
	v = fr.augment(op, v, w, at)
	if v.V != nil && isFailed(v) {
		return false
	}
	fr.slots[local] = v
	return true
}

func (c *compiler) augmentedElement(x *syntax.IndexExpr, op syntax.Token, rhs syntax.Expr, at place) {
	var of, key, right expr
	bracket := placeOf(x.Lbrack)
	cost := c.costed(func() { of, key, right = c.expr(x.X).eval, c.expr(x.Y).eval, c.expr(rhs).eval })
	c.emitStep(cost, func(fr *frame) bool {
		to := of(fr)
		if isFailed(to) {
			return false
		}
		k := key(fr)
		if isFailed(k) {
			return false
		}
		old := fr.indexOf(to, k, bracket)
		if isFailed(old) {
			return false
		}
		y := right(fr)
		if isFailed(y) {
			return false
		}
		v := fr.augment(op, old, y, at)
		if isFailed(v) {
			return false
		}
		if err := fr.m.setElement(to, k, v); err != nil {
			fr.fail(bracket, err)
			return false
		}
		return true
	})
}
