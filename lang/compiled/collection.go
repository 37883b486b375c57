package compiled

import (
	"dicescript/builtins/small"
	"dicescript/builtins/value"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Elements, slices and comprehensions of lists, tuples and texts. A list is
// never changed once it is made: what would change one is the interpreter's.

func (c *compiler) element(x *syntax.IndexExpr) code {
	collection, index := c.expr(x.X), c.expr(x.Y)
	a, b := collection.eval, index.eval
	if n, ok := index.number(); ok {
		if slot := collection.slot; slot >= 0 {
			return evaluated(func(m *Machine) small.Value {
				if r := m.local[slot].R; r != nil && (r.Kind == small.List || r.Kind == small.Tuple) {
					i := n
					if i < 0 {
						i += int64(len(r.Items))
					}
					if uint64(i) < uint64(len(r.Items)) {
						return r.Items[i]
					}
					return small.Nothing
				}
				return m.element(m.local[slot], small.MakeInt(n))
			})
		}
		return evaluated(func(m *Machine) small.Value { return m.element(a(m), small.MakeInt(n)) })
	}
	return evaluated(func(m *Machine) small.Value { return m.element(a(m), b(m)) })
}

// element is x[i].
func (m *Machine) element(x, i small.Value) small.Value {
	if i.IsStuck() {
		return small.Nothing
	}
	switch x.Kind() {
	case small.List, small.Tuple:
		if i.R != nil {
			return small.Nothing
		}
		n := int64(len(x.R.Items))
		if i.N < 0 {
			i.N += n
		}
		if i.N < 0 || i.N >= n {
			return small.Nothing
		}
		return x.R.Items[i.N]
	case small.Text:
		n := int64(len(x.R.Text))
		if i.N < 0 {
			i.N += n
		}
		if i.R != nil || i.N < 0 || i.N >= n {
			return small.Nothing
		}
		return small.MakeText(x.R.Text[i.N : i.N+1])
	case small.Other:
		d, ok := x.R.Other.(*starlark.Dict)
		if !ok || !small.Solid(i) {
			return small.Nothing
		}
		v, found, err := d.Get(i.Starlark())
		if !found || err != nil {
			return small.Nothing
		}
		m.steps += 8
		if list, ok := v.(*starlark.List); ok && !m.spend(int64(list.Len())) {
			return small.Nothing
		}
		return small.Of(v)
	}
	return small.Nothing
}

func (c *compiler) slice(x *syntax.SliceExpr) code {
	from := c.expr(x.X).eval
	end := func(x syntax.Expr) expr {
		if x == nil {
			return func(*Machine) small.Value { return small.NoneValue }
		}
		return c.expr(x).eval
	}
	lo, hi, step := end(x.Lo), end(x.Hi), end(x.Step)
	return evaluated(func(m *Machine) small.Value { return m.slice(from(m), lo(m), hi(m), step(m)) })
}

// slice is x[lo:hi:step].
func (m *Machine) slice(x, lo, hi, step small.Value) small.Value {
	n := 0
	switch x.Kind() {
	case small.Text:
		n = len(x.R.Text)
	case small.List, small.Tuple:
		n = len(x.R.Items)
	default:
		return small.Nothing
	}
	by := int64(1)
	switch step.Kind() {
	case small.None:
	case small.Int:
		by = step.N
	default:
		return small.Nothing
	}
	if by == 0 || by != int64(int32(by)) {
		return small.Nothing
	}
	first, last := 0, n
	if by < 0 {
		first, last = n-1, -1
	}
	from, ok1 := sliceEnd(lo, first, n, by)
	to, ok2 := sliceEnd(hi, last, n, by)
	if !ok1 || !ok2 || !m.spend(int64(n)) {
		return small.Nothing
	}
	var at []int
	for i := from; by > 0 && i < to || by < 0 && i > to; i += int(by) {
		at = append(at, i)
		if by > int64(n) || by < -int64(n) {
			break
		}
	}
	if x.Kind() == small.Text {
		text := make([]byte, len(at))
		for k, i := range at {
			text[k] = x.R.Text[i]
		}
		return small.MakeText(string(text))
	}
	items := make([]small.Value, len(at))
	for k, i := range at {
		items[k] = x.R.Items[i]
	}
	if x.Kind() == small.List {
		return small.MakeList(items)
	}
	return m.tuple(items)
}

// sliceEnd is one end of a slice of n items, which is left out when it is None.
func sliceEnd(end small.Value, otherwise, n int, by int64) (int, bool) {
	switch end.Kind() {
	case small.None:
		return otherwise, true
	case small.Int:
	default:
		return 0, false
	}
	i := end.N
	if i != int64(int32(i)) {
		return 0, false
	}
	if i < 0 {
		i += int64(n)
	}
	if by > 0 {
		return int(min(max(i, 0), int64(n))), true
	}
	return int(min(max(i, -1), int64(n)-1)), true
}

// iterated compiles what is gone through: besides lists and tuples, ranges and
// what else is made to be gone through at once.
func (c *compiler) iterated(x syntax.Expr) code {
	if call, ok := unparen(x).(*syntax.CallExpr); ok {
		if fn, ok := call.Fn.(*syntax.Ident); ok && fn.Name == "range" && c.standard("range") {
			c.cost += 2
			bounds := c.rangeBounds(call.Args)
			if bounds == nil {
				return c.stuckExpr(x, "range is given what is no bound")
			}
			return evaluated(func(m *Machine) small.Value {
				from, by, n, ok := bounds(m)
				if !ok || n > maxItems || !m.spend(n) {
					return small.Nothing
				}
				items := make([]small.Value, n)
				for i := range items {
					items[i] = small.MakeInt(from + int64(i)*by)
				}
				return small.MakeList(items)
			})
		}
	}
	list := c.expr(x)
	if list.fixed && list.value.Kind() == small.Other {
		if band, ok := value.AsBand(list.value.R.Other); ok {
			return c.bandItems(band, list)
		}
	}
	return list
}

// bandItems are the numbers of a range, if they are few. To look for a number in
// it the range itself does.
func (c *compiler) bandItems(band *value.Band, whole code) code {
	lo, hasLo := band.Low()
	hi, hasHi := band.High()
	if !hasLo || !hasHi || uint64(hi)-uint64(lo) >= maxItems {
		return whole
	}
	items := make([]small.Value, 0, hi-lo+1)
	for n := lo; n <= hi; n++ {
		items = append(items, small.MakeInt(int64(n)))
	}
	return constant(small.MakeList(items))
}

// rangeBounds compiles the arguments of range: where it begins, by how much it
// goes on, and how many numbers there are.
func (c *compiler) rangeBounds(args []syntax.Expr) func(m *Machine) (from, by, n int64, ok bool) {
	if len(args) < 1 || len(args) > 3 || !positional(args) {
		return nil
	}
	start, stop, step := constant(small.MakeInt(0)), code{}, constant(small.MakeInt(1))
	if len(args) == 1 {
		stop = c.expr(args[0])
	} else {
		start, stop = c.expr(args[0]), c.expr(args[1])
	}
	if len(args) == 3 {
		step = c.expr(args[2])
	}
	a, b, s := start.eval, stop.eval, step.eval
	return func(m *Machine) (from, by, n int64, ok bool) {
		v, w, u := a(m), b(m), s(m)
		const far = 1 << 40
		if v.R != nil || w.R != nil || u.R != nil || u.N == 0 || max(size(v.N), size(w.N), size(u.N)) > far {
			return 0, 0, 0, false
		}
		switch {
		case u.N > 0 && w.N > v.N:
			n = (w.N - v.N + u.N - 1) / u.N
		case u.N < 0 && w.N < v.N:
			n = (v.N - w.N - u.N - 1) / -u.N
		}
		return v.N, u.N, n, true
	}
}

// positional reports whether no argument has a name or a star.
func positional(args []syntax.Expr) bool {
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

// listed returns the items of a list or tuple, counting all that is in it as steps.
func (m *Machine) listed(v small.Value) ([]small.Value, bool) {
	if v.R == nil || v.R.Kind != small.List && v.R.Kind != small.Tuple {
		return nil, false
	}
	return v.R.Items, m.spend(int64(v.R.Size))
}

// comprehension compiles a list comprehension.
func (c *compiler) comprehension(x *syntax.Comprehension) code {
	if _, isDict := x.Body.(*syntax.DictEntry); isDict || x.Curly {
		return c.stuckExpr(x, "it makes a dict or a set")
	}
	block := map[string]int{}
	for _, cl := range x.Clauses {
		if f, ok := cl.(*syntax.ForClause); ok {
			dicesyntax.EachTarget(f.Vars, func(id *syntax.Ident) {
				if _, known := block[id.Name]; !known {
					block[id.Name] = c.slot()
				}
			})
		}
	}
	first := c.iterated(x.Clauses[0].(*syntax.ForClause).X)
	c.blocks = append(c.blocks, block)
	defer func() { c.blocks = c.blocks[:len(c.blocks)-1] }()
	outside := c.cost
	c.cost = 0
	defer func() { c.cost = outside }()

	var out func(m *Machine, list *[]small.Value) bool
	c.within(func() { out = c.turns(x, 0, first) })
	return evaluated(func(m *Machine) small.Value {
		var room [16]small.Value
		list := room[:0]
		if !out(m, &list) {
			return small.Nothing
		}
		items := make([]small.Value, len(list))
		copy(items, list)
		return small.MakeList(items)
	})
}

// turns compiles the clauses from i on, and the body.
func (c *compiler) turns(x *syntax.Comprehension, i int, first code) func(m *Machine, list *[]small.Value) bool {
	if i == len(x.Clauses) {
		body := c.expr(x.Body)
		eval, cost := body.eval, c.cost
		c.cost = 0
		return func(m *Machine, list *[]small.Value) bool {
			v := eval(m)
			if v.IsStuck() || len(*list) >= maxItems || !m.spend(cost) {
				return false
			}
			*list = append(*list, v)
			return true
		}
	}
	switch cl := x.Clauses[i].(type) {
	case *syntax.IfClause:
		cond := c.expr(cl.Cond).condition()
		cost := c.cost
		c.cost = 0
		inside := c.turns(x, i+1, first)
		return func(m *Machine, list *[]small.Value) bool {
			m.steps += cost
			switch cond(m) {
			case yes:
				return inside(m, list)
			case no:
				return true
			}
			return false
		}
	case *syntax.ForClause:
		over := first
		if i > 0 {
			over = c.iterated(cl.X)
		}
		set := c.target(cl.Vars)
		cost := c.cost
		c.cost = 0
		inside := c.turns(x, i+1, first)
		eval := over.eval
		return func(m *Machine, list *[]small.Value) bool {
			items, ok := m.listed(eval(m))
			if !ok || !m.spend(cost) {
				return false
			}
			for _, item := range items {
				if !set(m, item) || !inside(m, list) {
					return false
				}
			}
			return true
		}
	}
	return func(*Machine, *[]small.Value) bool { return false }
}

// target compiles an assignment to a name or to several of them.
func (c *compiler) target(x syntax.Expr) func(m *Machine, v small.Value) bool {
	switch x := unparen(x).(type) {
	case *syntax.Ident:
		if slot, ok := c.lookup(x.Name); ok {
			return func(m *Machine, v small.Value) bool {
				m.local[slot] = v
				return true
			}
		}
	case *syntax.TupleExpr:
		return c.unpacked(x.List)
	case *syntax.ListExpr:
		return c.unpacked(x.List)
	}
	start, _ := x.Span()
	c.gap(start, "it changes a list or a dict")
	return func(*Machine, small.Value) bool { return false }
}

func (c *compiler) unpacked(list []syntax.Expr) func(m *Machine, v small.Value) bool {
	targets := make([]func(*Machine, small.Value) bool, len(list))
	for i, x := range list {
		targets[i] = c.target(x)
	}
	return func(m *Machine, v small.Value) bool {
		items, ok := m.listed(v)
		if !ok || len(items) != len(targets) {
			return false
		}
		for i, set := range targets {
			if !set(m, items[i]) {
				return false
			}
		}
		return true
	}
}
