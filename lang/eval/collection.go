package eval

import (
	"fmt"

	"dicescript/builtins/native"
	"dicescript/builtins/slot"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Lists, tuples and dicts that are written out, their elements and parts of them. What is
// made is paid for before.

// values evaluates expressions into a slice.
func (fr *frame) values(evals []expr, into []slot.Value) ([]slot.Value, bool) {
	for _, eval := range evals {
		v := eval(fr)
		if v.V != nil && isFailed(v) {
			return nil, false
		}
		into = append(into, v)
	}
	return into, true
}

// passing compiles an expression whose value is not kept: a list or tuple that is written
// out need not be paid for.
func (c *compiler) passing(x syntax.Expr) node {
	switch d := unparen(x).(type) {
	case *syntax.TupleExpr:
		c.cost++
		return c.tupleOf(d.List, placeIn(x), true)
	case *syntax.ListExpr:
		c.cost++
		return c.listOf(d.List, placeIn(x), true)
	}
	return c.expr(x)
}

// iterated compiles what a loop goes through.
func (c *compiler) iterated(x syntax.Expr) node { return c.passing(x) }

func (c *compiler) tuple(x *syntax.TupleExpr) node { return c.tupleOf(x.List, placeIn(x), false) }
func (c *compiler) list(x *syntax.ListExpr) node   { return c.listOf(x.List, placeIn(x), false) }

func (c *compiler) tupleOf(list []syntax.Expr, at place, free bool) node {
	nodes := make([]node, len(list))
	constant := true
	for i, x := range list {
		nodes[i] = c.expr(x)
		constant = constant && nodes[i].fixed
	}
	size := int64(len(list))
	if constant {
		values := make(starlark.Tuple, len(nodes))
		for i, n := range nodes {
			values[i] = n.value.Starlark()
		}
		v := slot.Value{V: values}
		n := fixed(v)
		if !free {
			n.eval = func(fr *frame) slot.Value {
				if err := fr.m.meter.Tuple(size); err != nil {
					return fr.fail(at, err)
				}
				return v
			}
		}
		return n
	}
	evals := make([]expr, len(nodes))
	for i, n := range nodes {
		evals[i] = n.eval
	}
	return computed(func(fr *frame) slot.Value {
		values, v := fr.elements(evals, size, at, free)
		if values == nil {
			return v
		}
		return slot.Value{V: starlark.Tuple(values)}
	})
}

func (c *compiler) listOf(list []syntax.Expr, at place, free bool) node {
	evals := c.exprs(list)
	size := int64(len(list))
	return computed(func(fr *frame) slot.Value {
		values, v := fr.elements(evals, size, at, free)
		if values == nil {
			return v
		}
		return slot.Value{V: starlark.NewList(values)}
	})
}

// elements pays for so many elements and evaluates them; they are nil when that fails.
func (fr *frame) elements(evals []expr, size int64, at place, free bool) ([]starlark.Value, slot.Value) {
	if !free {
		if err := fr.m.meter.Tuple(size); err != nil {
			return nil, fr.fail(at, err)
		}
	}
	values := make([]starlark.Value, len(evals))
	for i, eval := range evals {
		v := eval(fr)
		if v.V == nil {
			values[i] = starlark.MakeInt64(v.N)
			continue
		}
		if isFailed(v) {
			return nil, v
		}
		values[i] = v.V
	}
	return values, slot.Value{}
}

// dict compiles a dict that is written out.
func (c *compiler) dict(x *syntax.DictExpr) node {
	keys, values := make([]expr, len(x.List)), make([]expr, len(x.List))
	places := make([]place, len(x.List))
	for i, e := range x.List {
		entry := e.(*syntax.DictEntry)
		keys[i], values[i] = c.expr(entry.Key).eval, c.expr(entry.Value).eval
		places[i] = placeOf(entry.Colon)
	}
	at := placeIn(x)
	return computed(func(fr *frame) slot.Value {
		d := starlark.NewDict(len(keys))
		if err := fr.m.meter.Made(d); err != nil {
			return fr.fail(at, err)
		}
		for i, key := range keys {
			k := key(fr)
			if isFailed(k) {
				return k
			}
			v := values[i](fr)
			if isFailed(v) {
				return v
			}
			n := d.Len()
			if err := fr.m.meter.SetKey(d, k.Starlark(), v.Starlark()); err != nil {
				return fr.fail(places[i], err)
			}
			if d.Len() == n {
				return fr.failf(places[i], "duplicate key: %v", k.Starlark())
			}
		}
		return slot.Value{V: d}
	})
}

// index compiles x[key].
func (c *compiler) index(x *syntax.IndexExpr) node {
	of, key, at := c.passing(x.X), c.passing(x.Y), placeOf(x.Lbrack)
	a, b := of.eval, key.eval
	if i := of.local; i >= 0 {
		return computed(func(fr *frame) slot.Value {
			k := b(fr)
			if list, ok := fr.slots[i].V.(*starlark.List); ok && k.V == nil {
				if n := uint64(k.N); n < uint64(list.Len()) {
					return slot.Of(list.Index(int(n)))
				}
			}
			return fr.indexOf(fr.slots[i], k, at)
		})
	}
	return computed(func(fr *frame) slot.Value {
		v := a(fr)
		if v.V != nil && isFailed(v) {
			return v
		}
		return fr.indexOf(v, b(fr), at)
	})
}

// slice compiles x[from:to:by].
func (c *compiler) slice(x *syntax.SliceExpr) node {
	of := c.expr(x.X).eval
	none := func(*frame) slot.Value { return noneValue }
	bounds := [3]expr{none, none, none}
	for i, b := range []syntax.Expr{x.Lo, x.Hi, x.Step} {
		if b != nil {
			bounds[i] = c.expr(b).eval
		}
	}
	at := placeOf(x.Lbrack)
	return computed(func(fr *frame) slot.Value {
		v := of(fr)
		if isFailed(v) {
			return v
		}
		var values [3]slot.Value
		for i, b := range bounds {
			if values[i] = b(fr); isFailed(values[i]) {
				return failed
			}
		}
		out, err := fr.m.slice(v, values)
		if err != nil {
			return fr.fail(at, err)
		}
		return slot.Of(out)
	})
}

// slice is x[from:to:by], paid for before it is made.
func (m *Machine) slice(x slot.Value, bounds [3]slot.Value) (starlark.Value, error) {
	of, ok := x.V.(starlark.Sliceable)
	if !ok {
		return nil, fmt.Errorf("%s has no parts: [from:to] is for lists and texts", native.TypeInWords(typeOf(x)))
	}
	n := of.Len()
	step := 1
	if by := bounds[2]; !isNone(by) {
		var err error
		if step, err = sliceNumber(by); err != nil {
			return nil, fmt.Errorf("the step of a slice is %w", err)
		}
		if step == 0 {
			return nil, fmt.Errorf("the step of a slice is a whole number other than 0")
		}
	}
	start, end, err := sliceEnds(bounds[0], bounds[1], n, step)
	if err != nil {
		return nil, err
	}
	if err := m.meter.Slice(of, sliceLength(start, end, step)); err != nil {
		return nil, err
	}
	return of.Slice(start, end, step), nil
}

// sliceEnds are the first place and the one behind the last of x[from:to:step].
func sliceEnds(from, to slot.Value, n, step int) (start, end int, err error) {
	start, end = 0, n
	least, most := 0, n
	if step < 0 {
		start, end = n-1, -1
		least, most = -1, n-1
	}
	if start, err = sliceEnd(from, n, start); err != nil {
		return 0, 0, fmt.Errorf("the start of a slice is %w", err)
	}
	if end, err = sliceEnd(to, n, end); err != nil {
		return 0, 0, fmt.Errorf("the end of a slice is %w", err)
	}
	if step > 0 {
		start, end = min(max(start, least), most), min(max(end, least), most)
		return start, max(start, end), nil
	}
	start, end = min(start, most), max(end, least)
	return max(start, end), end, nil
}

func sliceEnd(v slot.Value, n, otherwise int) (int, error) {
	if isNone(v) {
		return otherwise, nil
	}
	i, err := sliceNumber(v)
	if err == nil && i < 0 {
		i += n
	}
	return i, err
}

// sliceNumber is one of the numbers of a slice.
func sliceNumber(v slot.Value) (int, error) {
	if v.V == nil && v.N == int64(int32(v.N)) {
		return int(v.N), nil
	}
	if _, isInt := v.Starlark().(starlark.Int); isInt {
		return 0, fmt.Errorf("a whole number that is not so large")
	}
	return 0, fmt.Errorf("a whole number, got %s%s", native.TypeInWords(v.V.Type()), wholeMeant(v.V))
}

func sliceLength(start, end, step int) int64 {
	switch {
	case step > 0 && start < end:
		return int64((end-start-1)/step + 1)
	case step < 0 && start > end:
		return int64((start-end-1)/-step + 1)
	}
	return 0
}

func isNone(v slot.Value) bool {
	_, none := v.V.(starlark.NoneType)
	return none
}

// attribute compiles x.name.
func (c *compiler) attribute(x *syntax.DotExpr) node {
	of, name, at := c.expr(x.X).eval, x.Name.Name, placeOf(x.Dot)
	return computed(func(fr *frame) slot.Value {
		v := of(fr)
		if isFailed(v) {
			return v
		}
		return fr.attributeOf(v, name, at)
	})
}
