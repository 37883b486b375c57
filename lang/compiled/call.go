package compiled

import (
	"dicescript/builtins/small"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Calls: of the builtins that compute, of other compiled functions, of methods,
// and, through the host, of builtins that make or ask dice.

func (c *compiler) call(x *syntax.CallExpr) code {
	args, names, ok := split(x.Args)
	if !ok {
		return c.stuckExpr(x, "a call spreads arguments with *")
	}
	switch fn := unparen(x.Fn).(type) {
	case *syntax.Ident:
		return c.callName(x, fn, args, names)
	case *syntax.DotExpr:
		return c.callMethod(fn, args, names)
	}
	return c.stuckExpr(x, "it calls what has no name")
}

// split returns the arguments of a call in their order, and the names of the last
// ones.
func split(args []syntax.Expr) (values []syntax.Expr, names []string, ok bool) {
	for _, a := range args {
		switch b := a.(type) {
		case *syntax.BinaryExpr:
			if b.Op == syntax.EQ {
				values = append(values, b.Y)
				names = append(names, b.X.(*syntax.Ident).Name)
				continue
			}
		case *syntax.UnaryExpr:
			if b.Op == syntax.STAR || b.Op == syntax.STARSTAR {
				return nil, nil, false
			}
		}
		values = append(values, a)
	}
	return values, names, true
}

func (c *compiler) callName(x *syntax.CallExpr, fn *syntax.Ident, args []syntax.Expr, names []string) code {
	meaning, _ := c.meaningOf(fn.Name)
	switch meaning {
	case variable:
		return c.stuckExpr(x, "it calls a function that it is given or makes")
	case captured:
		evals := c.evals(args)
		site, capture := c.fn.sites, c.capture(fn.Name)
		c.fn.sites++
		c.fn.called = append(c.fn.called, capture)
		c.cost += 4
		return evaluated(func(m *Machine) small.Value { return m.call(site, capture, evals, names) })
	}
	if fn.Name == "fail" {
		return c.failure(x, args)
	}
	if !c.options.Standard(fn.Name) {
		return c.stuckExpr(x, "%s is left to the interpreter", fn.Name)
	}
	own := c.hosted(fn.Name, args, names)
	if make := intrinsicOf(fn.Name); make != nil && len(names) == 0 {
		if f := make(c, args, own); f != nil {
			return evaluated(f)
		}
	}
	evals := c.evals(args)
	return evaluated(func(m *Machine) small.Value {
		var room [8]small.Value
		values, ok := m.values(evals, room[:0])
		if !ok {
			return small.Nothing
		}
		return own(m, values)
	})
}

// failure compiles a call of fail, which the interpreter makes.
func (c *compiler) failure(x *syntax.CallExpr, args []syntax.Expr) code {
	gaps := len(c.fn.except)
	out := c.stuckExpr(x, "fail ends the recipe")
	for _, a := range args {
		c.expr(a) // for what it has that could be noticed before
	}
	if len(c.fn.except) == gaps+1 {
		c.fn.except[gaps].Fails = true
	}
	return out
}

func (c *compiler) evals(args []syntax.Expr) []expr {
	evals := make([]expr, len(args))
	for i, a := range args {
		evals[i] = c.expr(a).eval
	}
	return evals
}

func (m *Machine) values(evals []expr, values []small.Value) ([]small.Value, bool) {
	for _, eval := range evals {
		v := eval(m)
		if v.IsStuck() {
			return nil, false
		}
		values = append(values, v)
	}
	return values, true
}

// A computation is what a builtin makes of its arguments.
type computation func(m *Machine, args []small.Value) small.Value

// hosted calls a builtin itself.
func (c *compiler) hosted(name string, args []syntax.Expr, names []string) computation {
	i := c.capture(name)
	return func(m *Machine, values []small.Value) small.Value {
		fn := m.bound.captured[i]
		if m.host == nil || fn.Kind() != small.Other {
			return small.Nothing
		}
		return m.callHost(fn.R.Other, values, names)
	}
}

// callHost calls a builtin that has no effect, unless it is given a function,
// which might have one.
func (m *Machine) callHost(fn starlark.Value, values []small.Value, names []string) small.Value {
	for _, v := range values {
		if m.beside && !m.lasting(v) {
			return small.Nothing
		}
		if v.Kind() != small.Other {
			continue
		}
		if _, ok := v.R.Other.(starlark.Callable); ok {
			return small.Nothing
		}
	}
	positional, named := starlarks(values, names)
	m.steps += hostSteps
	return m.hosted(m.host.Call(fn, positional, named))
}

// lasting reports whether two goroutines may hand a value to builtins. A list is made
// anew for each of them, but a tuple is handed over with the lists that are in it.
func (m *Machine) lasting(v small.Value) bool {
	switch v.Kind() {
	case small.Other:
		return m.host.Lasting(v.R.Other)
	case small.List, small.Tuple:
		for _, item := range v.R.Items {
			if v.R.Kind == small.Tuple && item.Kind() == small.List || !m.lasting(item) {
				return false
			}
		}
	}
	return true
}

// hostSteps is what a call through the host takes besides what the host counts.
const hostSteps = 32

func starlarks(values []small.Value, names []string) (starlark.Tuple, []starlark.Tuple) {
	positional := make(starlark.Tuple, len(values)-len(names))
	for i := range positional {
		positional[i] = values[i].Starlark()
	}
	var named []starlark.Tuple
	for i, name := range names {
		named = append(named, starlark.Tuple{starlark.String(name), values[len(positional)+i].Starlark()})
	}
	return positional, named
}

// callMethod compiles x.name(args).
func (c *compiler) callMethod(fn *syntax.DotExpr, args []syntax.Expr, names []string) code {
	recv := c.expr(fn.X).eval
	evals := c.evals(args)
	name := fn.Name.Name
	c.cost += 8
	if changes(name) {
		return c.stuckExpr(fn, "%s changes what it is called on", name)
	}
	c.fn.touches = c.fn.touches || !textMethods[name] && name != "get"
	return evaluated(func(m *Machine) small.Value {
		v := recv(m)
		if v.IsStuck() {
			return v
		}
		var room [8]small.Value
		values, ok := m.values(evals, room[:0])
		if !ok {
			return small.Nothing
		}
		switch v.Kind() {
		case small.Text:
			return m.textMethod(v, name, values, names)
		case small.List:
			if name == "index" && len(values) == 1 && len(names) == 0 {
				return m.indexOf(v, values[0])
			}
		case small.Other:
			return m.otherMethod(v.R.Other, name, values, names)
		}
		return small.Nothing
	})
}

// changes reports whether a method of this name changes a list, a dict or a set.
func changes(name string) bool {
	switch name {
	case "add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "setdefault", "update":
		return true
	}
	return false
}

// indexOf is list.index(x).
func (m *Machine) indexOf(list, x small.Value) small.Value {
	items, ok := m.listed(list)
	if !ok {
		return small.Nothing
	}
	for i, item := range items {
		switch equal, known := small.Equal(x, item); {
		case !known:
			return small.Nothing
		case equal:
			return small.MakeInt(int64(i))
		}
	}
	return small.Nothing
}

// otherMethod calls a method of a dict that is only read, or of dice.
func (m *Machine) otherMethod(recv starlark.Value, name string, values []small.Value, names []string) small.Value {
	if d, ok := recv.(*starlark.Dict); ok {
		if name != "get" || len(names) > 0 || len(values) < 1 || len(values) > 2 || !small.Solid(values[0]) {
			return small.Nothing
		}
		v, found, err := d.Get(values[0].Starlark())
		switch {
		case err != nil:
			return small.Nothing
		case found:
			if list, ok := v.(*starlark.List); ok && !m.spend(int64(list.Len())) {
				return small.Nothing
			}
			return small.Of(v)
		case len(values) == 2:
			return values[1]
		}
		return small.NoneValue
	}
	if m.host == nil {
		return small.Nothing
	}
	method, err := m.host.Attr(recv, name)
	if err != nil || method == nil {
		return small.Nothing
	}
	return m.callHost(method, values, names)
}

// attribute compiles x.name, such as the size of a pool.
func (c *compiler) attribute(x *syntax.DotExpr) code {
	recv, name := c.expr(x.X).eval, x.Name.Name
	return evaluated(func(m *Machine) small.Value {
		v := recv(m)
		if v.Kind() != small.Other || m.host == nil {
			return small.Nothing
		}
		return m.hosted(m.host.Attr(v.R.Other, name))
	})
}
