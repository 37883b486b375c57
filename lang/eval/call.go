package eval

import (
	"fmt"

	"dicescript/builtins/slot"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Calls: of the recipe's own functions into a frame, of all others through Starlark.

// plainArgs reports whether all arguments are given by position.
func plainArgs(args []syntax.Expr) bool {
	for _, a := range args {
		switch a := a.(type) {
		case *syntax.BinaryExpr:
			if a.Op == syntax.EQ {
				return false
			}
		case *syntax.UnaryExpr:
			if a.Op == syntax.STAR || a.Op == syntax.STARSTAR {
				return false
			}
		}
	}
	return true
}

func (c *compiler) call(x *syntax.CallExpr) node {
	if !plainArgs(x.Args) {
		return c.callNamed(x)
	}
	if dot, ok := x.Fn.(*syntax.DotExpr); ok {
		return c.method(x, dot)
	}
	if n, ok := c.intrinsic(x); ok {
		return n
	}
	if id, ok := x.Fn.(*syntax.Ident); ok && dicesyntax.IsRange(id.Name) {
		return c.computedRange(id.Name, x)
	}
	fn := c.expr(x.Fn).eval
	args := c.exprs(x.Args)
	at := placeOf(x.Lparen)
	c.cost += int64(len(args))
	return computed(func(fr *frame) slot.Value {
		f := fn(fr)
		own, ok := f.V.(*Function)
		if !ok {
			return fr.callOther(at, f, args)
		}
		callee := fr.m.enter(own)
		d := own.def
		if len(args) == d.ordinary && len(d.params) == len(args) && d.keywords == 0 {
			for i, arg := range args {
				v := arg(fr)
				if v.V != nil && isFailed(v) {
					fr.m.leave(callee)
					return v
				}
				callee.slots[i] = v
			}
			fr.at = at
			if !fr.spend(callNodes) {
				fr.m.leave(callee)
				return failed
			}
			return fr.m.run(callee)
		}
		fr.m.leave(callee)
		return fr.callOther(at, f, args)
	})
}

// computedRange compiles lo..hi, lo.. and ..hi, an end of which is computed.
func (c *compiler) computedRange(name string, x *syntax.CallExpr) node {
	ends := c.exprs(x.Args)
	at := placeOf(x.Lparen)
	c.cost += int64(len(ends))
	return computed(func(fr *frame) slot.Value {
		var room [2]slot.Value
		values, ok := fr.values(ends, room[:0])
		if !ok {
			return failed
		}
		var lo, hi starlark.Value
		switch name {
		case dicesyntax.RangeThrough:
			lo, hi = values[0].Starlark(), values[1].Starlark()
		case dicesyntax.RangeFrom:
			lo = values[0].Starlark()
		default:
			hi = values[0].Starlark()
		}
		v, err := fr.m.hooks.Range(lo, hi)
		if err != nil {
			return fr.fail(at, err)
		}
		return slot.Value{V: v}
	})
}

// callOther evaluates the arguments and calls any value.
func (fr *frame) callOther(at place, f slot.Value, args []expr) slot.Value {
	if isFailed(f) {
		return f
	}
	var room [8]slot.Value
	values, ok := fr.values(args, room[:0])
	if !ok {
		return failed
	}
	return fr.call(at, f, values, nil)
}

// call calls a value with arguments, from a place.
func (fr *frame) call(at place, f slot.Value, args []slot.Value, named []namedArg) slot.Value {
	fr.at = at
	if !fr.spend(callNodes) {
		return failed
	}
	if own, ok := f.V.(*Function); ok {
		return fr.m.call(own, args, named)
	}
	callable, ok := f.V.(starlark.Callable)
	if !ok {
		if isFailed(f) {
			return f
		}
		return fr.fail(at, notCallable(f, false, ""))
	}
	positional := make(starlark.Tuple, len(args))
	for i, v := range args {
		positional[i] = v.Starlark()
	}
	var pairs []starlark.Tuple
	for _, a := range named {
		pairs = append(pairs, starlark.Tuple{starlark.String(a.name), a.value.Starlark()})
	}
	return fr.callStarlark(callable, positional, pairs)
}

// callStarlark calls what is no function of a recipe.
func (fr *frame) callStarlark(f starlark.Callable, args starlark.Tuple, kwargs []starlark.Tuple) slot.Value {
	m := fr.m
	m.Flush()
	v, err := starlark.Call(m.thread, f, args, kwargs)
	if err == nil && m.halted {
		err = m.refuel()
	}
	if err != nil {
		m.err = err
		return failed
	}
	return slot.Of(v)
}

// method compiles x.name(args).
func (c *compiler) method(x *syntax.CallExpr, dot *syntax.DotExpr) node {
	of := c.expr(dot.X).eval
	args := c.exprs(x.Args)
	name, dotAt, at := dot.Name.Name, placeOf(dot.Dot), placeOf(x.Lparen)
	c.cost += 1 + int64(len(args))
	if name == "append" && len(args) == 1 {
		arg := args[0]
		return computed(func(fr *frame) slot.Value {
			v := of(fr)
			list, ok := v.V.(*starlark.List)
			if !ok {
				return fr.callMethod(v, name, args, dotAt, at)
			}
			w := arg(fr)
			if w.V != nil && isFailed(w) {
				return w
			}
			if err := fr.m.ownedByPlay(list); err != nil {
				return fr.fail(at, err)
			}
			err := fr.m.meter.Append(list)
			if w.V == nil && err == nil {
				err = fr.m.meter.Boxed(w.N)
			}
			if err != nil {
				return fr.fail(at, fmt.Errorf("append: %w", err))
			}
			if list.Append(w.Starlark()) == nil {
				return noneValue
			}
			return fr.call(at, fr.attributeOf(v, name, dotAt), []slot.Value{w}, nil) // says what is wrong, with its frame
		})
	}
	return computed(func(fr *frame) slot.Value { return fr.callMethod(of(fr), name, args, dotAt, at) })
}

// callMethod is v.name(args).
func (fr *frame) callMethod(v slot.Value, name string, args []expr, dot, at place) slot.Value {
	if isFailed(v) {
		return v
	}
	if fr.m.player != nil && changesReceiver(name) {
		if err := fr.m.ownedByPlay(v.V); err != nil {
			return fr.fail(at, err)
		}
	}
	f := fr.attributeOf(v, name, dot)
	if isFailed(f) {
		return f
	}
	var room [8]slot.Value
	values, ok := fr.values(args, room[:0])
	if !ok {
		return failed
	}
	if _, ok := f.V.(starlark.Callable); !ok {
		return fr.fail(at, notCallable(f, true, name))
	}
	return fr.call(at, f, values, nil)
}

// callNamed compiles a call with arguments by name, or with *args or **kwargs.
func (c *compiler) callNamed(x *syntax.CallExpr) node {
	dot, isMethod := x.Fn.(*syntax.DotExpr)
	arguments, at := c.arguments(x), placeOf(x.Lparen)
	return computed(func(fr *frame) slot.Value {
		f, values, pairs, ok := arguments(fr)
		if !ok {
			return failed
		}
		if _, ok := f.V.(starlark.Callable); !ok && isMethod {
			return fr.fail(at, notCallable(f, true, dot.Name.Name))
		}
		return fr.call(at, f, values, pairs)
	})
}

// arguments compiles what is called and what it is called with.
func (c *compiler) arguments(x *syntax.CallExpr) func(fr *frame) (f slot.Value, values []slot.Value, pairs []namedArg, ok bool) {
	fn := c.expr(x.Fn).eval
	at := placeOf(x.Lparen)
	var positional, named []expr
	var names []string
	var rest, others expr
	var restAt, othersAt place
	for _, a := range x.Args {
		c.cost++
		if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
			names = append(names, b.X.(*syntax.Ident).Name)
			named = append(named, c.expr(b.Y).eval)
			continue
		}
		if u, ok := a.(*syntax.UnaryExpr); ok && u.Op == syntax.STAR {
			rest, restAt = c.expr(u.X).eval, placeOf(u.OpPos)
			continue
		}
		if u, ok := a.(*syntax.UnaryExpr); ok && u.Op == syntax.STARSTAR {
			others, othersAt = c.expr(u.X).eval, placeOf(u.OpPos)
			continue
		}
		positional = append(positional, c.expr(a).eval)
	}
	return func(fr *frame) (f slot.Value, values []slot.Value, pairs []namedArg, ok bool) {
		if f = fn(fr); isFailed(f) {
			return f, nil, nil, false
		}
		if values, ok = fr.values(positional, nil); !ok {
			return f, nil, nil, false
		}
		for i, eval := range named {
			v := eval(fr)
			if isFailed(v) {
				return f, nil, nil, false
			}
			pairs = append(pairs, namedArg{names[i], v})
		}
		var more, all slot.Value
		if rest != nil {
			if more = rest(fr); isFailed(more) {
				return f, nil, nil, false
			}
			if err := fr.m.meter.Spread(more.Starlark()); err != nil {
				fr.fail(restAt, err)
				return f, nil, nil, false
			}
		}
		if others != nil {
			if all = others(fr); isFailed(all) {
				return f, nil, nil, false
			}
			if err := fr.m.meter.SpreadNamed(all.Starlark()); err != nil {
				fr.fail(othersAt, err)
				return f, nil, nil, false
			}
			var err error
			if pairs, err = spreadNamed(all, pairs); err != nil {
				fr.fail(at, err)
				return f, nil, nil, false
			}
		}
		if rest != nil {
			of, ok := more.V.(starlark.Iterable)
			if !ok {
				fr.failf(at, "argument after * must be iterable, not %s", typeOf(more))
				return f, nil, nil, false
			}
			for v := range starlark.Elements(of) {
				values = append(values, slot.Of(v))
			}
		}
		return f, values, pairs, true
	}
}

// spreadNamed adds the entries of **kwargs to the arguments by name.
func spreadNamed(v slot.Value, pairs []namedArg) ([]namedArg, error) {
	of, ok := v.V.(starlark.IterableMapping)
	if !ok {
		return nil, fmt.Errorf("argument after ** must be a mapping, not %s", typeOf(v))
	}
	for _, item := range of.Items() {
		name, ok := item[0].(starlark.String)
		if !ok {
			return nil, fmt.Errorf("keywords must be strings, not %s", item[0].Type())
		}
		pairs = append(pairs, namedArg{string(name), slot.Of(item[1])})
	}
	return pairs, nil
}
