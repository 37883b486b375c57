package eval

import (
	"dicescript/builtins/slot"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Comprehensions. The clauses are nested: each hands on to the one in it, and the last
// one to what is done with an element.

// mostAtOnce is how many elements room is made for before there are any.
const mostAtOnce = 1 << 10

// A clause does something for each element, and reports whether it could.
type clause func(fr *frame, into *gathering) bool

// A gathering is what a comprehension has made so far.
type gathering struct {
	list []starlark.Value
	dict *starlark.Dict
	paid bool // whether the whole list is paid for
}

func (c *compiler) comprehension(x *syntax.Comprehension) node {
	at := placeIn(x)
	known := c.snapshot()
	var each clause
	first := x.Clauses[0].(*syntax.ForClause)
	over := c.iterated(first.X)
	counted := len(x.Clauses) == 1 // it is as long as what it goes through
	before := c.flow.mark()
	each = c.clauses(x, 0, over, counted)
	c.flow.forget(before, bindings(x))
	c.assigned = known
	if x.Curly {
		return computed(func(fr *frame) slot.Value {
			into := gathering{dict: new(starlark.Dict)}
			if err := fr.m.meter.Made(into.dict); err != nil {
				return fr.fail(at, err)
			}
			if !each(fr, &into) {
				return failed
			}
			return slot.Value{V: into.dict}
		})
	}
	return computed(func(fr *frame) slot.Value {
		var into gathering
		if !each(fr, &into) {
			return failed
		}
		list := starlark.NewList(into.list)
		if !into.paid {
			if err := fr.m.meter.Made(list); err != nil {
				return fr.fail(at, err)
			}
		}
		return slot.Value{V: list}
	})
}

// bindings are the variables of a comprehension.
func bindings(x *syntax.Comprehension) map[int]bool {
	own := map[int]bool{}
	for _, cl := range x.Clauses {
		if f, ok := cl.(*syntax.ForClause); ok {
			syntax.Walk(f.Vars, func(n syntax.Node) bool {
				if id, ok := n.(*syntax.Ident); ok {
					if b, ok := id.Binding.(*resolve.Binding); ok && b.Scope == resolve.Local {
						own[b.Index] = true
					}
				}
				return true
			})
		}
	}
	return own
}

// clauses compiles the clauses from the nth on. over is what the first one goes through.
func (c *compiler) clauses(x *syntax.Comprehension, n int, over node, counted bool) clause {
	if n == len(x.Clauses) {
		return c.gathered(x, counted)
	}
	switch cl := x.Clauses[n].(type) {
	case *syntax.ForClause:
		if n > 0 {
			over = c.iterated(cl.X)
		}
		at := placeOf(cl.For)
		var set setter
		var inner clause
		var variable = -1
		cost := c.costed(func() {
			if id, ok := unparen(cl.Vars).(*syntax.Ident); ok {
				variable = c.plainLocal(id)
			}
			set = c.target(cl.Vars, at)
			inner = c.clauses(x, n+1, node{}, counted)
		})
		of := over.eval
		return func(fr *frame, into *gathering) bool {
			v := of(fr)
			if isFailed(v) {
				return false
			}
			if counted {
				if err := fr.m.meter.Source(v.Starlark()); err != nil {
					fr.fail(at, err)
					return false
				}
			}
			locks := len(fr.locks)
			var state slot.Value
			if !fr.iterate(&state, v, at) {
				return false
			}
			if n := starlark.Len(v.Starlark()); counted && n >= 0 && into.dict == nil {
				if err := fr.m.meter.Tuple(int64(n)); err != nil {
					fr.fail(at, err)
					return false
				}
				into.paid = true
				into.list = make([]starlark.Value, 0, min(n, mostAtOnce))
			}
			for {
				var element slot.Value
				if fr.step(&state, &element) != yes {
					break
				}
				if !fr.spend(cost) {
					return false
				}
				if variable >= 0 {
					fr.slots[variable] = element
				} else if !set(fr, element) {
					return false
				}
				if !inner(fr, into) {
					return false
				}
			}
			fr.release(locks)
			return true
		}
	case *syntax.IfClause:
		cond := c.condition(cl.Cond)
		inner := c.clauses(x, n+1, node{}, counted)
		return func(fr *frame, into *gathering) bool {
			switch cond(fr) {
			case yes:
				return inner(fr, into)
			case no:
				return true
			}
			return false
		}
	}
	panic("eval: unknown clause")
}

// gathered compiles what is done with an element.
func (c *compiler) gathered(x *syntax.Comprehension, counted bool) clause {
	if entry, ok := x.Body.(*syntax.DictEntry); ok && x.Curly {
		key, value, at := c.expr(entry.Key).eval, c.expr(entry.Value).eval, placeOf(entry.Colon)
		return func(fr *frame, into *gathering) bool {
			k := key(fr)
			if isFailed(k) {
				return false
			}
			v := value(fr)
			if isFailed(v) {
				return false
			}
			if err := fr.m.meter.SetKey(into.dict, k.Starlark(), v.Starlark()); err != nil {
				fr.fail(at, err)
				return false
			}
			return true
		}
	}
	body, at := c.expr(x.Body).eval, placeIn(x)
	return func(fr *frame, into *gathering) bool {
		v := body(fr)
		if v.V != nil && isFailed(v) {
			return false
		}
		if !counted {
			if err := fr.m.meter.Element(); err != nil {
				fr.fail(at, err)
				return false
			}
		}
		if v.V == nil {
			if err := fr.m.meter.Boxed(v.N); err != nil {
				fr.fail(at, err)
				return false
			}
		}
		into.list = append(into.list, v.Starlark())
		return true
	}
}
