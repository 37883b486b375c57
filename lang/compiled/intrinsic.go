package compiled

import (
	"slices"
	"strconv"
	"strings"

	"dicescript/builtins/small"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// The builtins that compute with numbers and lists. Given dice, they are called
// themselves, by the host.

// An intrinsic makes the code of a call with arguments by position; it is nil for
// a call that is left to own, the builtin itself.
type intrinsic func(c *compiler, args []syntax.Expr, own computation) expr

// intrinsicOf returns the intrinsic of a builtin, nil when it has none.
func intrinsicOf(name string) intrinsic {
	switch name {
	case "abs":
		return ofOne(absolute)
	case "all":
		return ofList(quantified(false))
	case "any":
		return ofList(quantified(true))
	case "bool":
		return ofOne(func(_ *Machine, v small.Value) small.Value { return truthOf(v).value() })
	case "enumerate":
		return ofList(enumerated)
	case "int":
		return ofOne(wholeNumber)
	case "len":
		return ofOne(length)
	case "list":
		return ofList(func(_ *Machine, items []small.Value) small.Value { return small.MakeList(items) })
	case "max":
		return extreme(1)
	case "min":
		return extreme(-1)
	case "reversed":
		return ofList(reversed)
	case "sorted":
		return ofList(sorted)
	case "str":
		return ofOne(written)
	case "sum":
		return ofList(summed)
	case "tuple":
		return ofList(func(m *Machine, items []small.Value) small.Value { return m.tuple(items) })
	case "type":
		return ofOne(typeName)
	case "zip":
		return zipped
	}
	return nil
}

// ofOne is a builtin of one argument.
func ofOne(f func(m *Machine, v small.Value) small.Value) intrinsic {
	return func(c *compiler, args []syntax.Expr, own computation) expr {
		if len(args) != 1 {
			return nil
		}
		arg := c.expr(args[0]).eval
		return func(m *Machine) small.Value {
			v := arg(m)
			if v.IsStuck() {
				return v
			}
			if out := f(m, v); !out.IsStuck() || v.Kind() != small.Other {
				return out
			}
			return own(m, []small.Value{v})
		}
	}
}

// ofList is a builtin of one list.
func ofList(f func(m *Machine, items []small.Value) small.Value) intrinsic {
	return func(c *compiler, args []syntax.Expr, own computation) expr {
		if len(args) != 1 {
			return nil
		}
		arg := c.iterated(args[0]).eval
		return func(m *Machine) small.Value {
			v := arg(m)
			if v.IsStuck() {
				return v
			}
			if items, ok := m.listed(v); ok {
				if out := f(m, items); !out.IsStuck() || !holdsOther(items) {
					return out
				}
			} else if v.Kind() != small.Other {
				return small.Nothing
			}
			return own(m, []small.Value{v})
		}
	}
}

func holdsOther(items []small.Value) bool {
	return slices.ContainsFunc(items, func(v small.Value) bool { return v.Kind() == small.Other })
}

func absolute(_ *Machine, v small.Value) small.Value {
	if v.R != nil || v.N == minInt {
		return small.Nothing
	}
	return small.MakeInt(int64(size(v.N)))
}

func wholeNumber(m *Machine, v small.Value) small.Value {
	switch v.Kind() {
	case small.Int:
		return v
	case small.Bool:
		return small.MakeInt(v.N)
	case small.Text:
		// Only what every reading of a number agrees on.
		digits := strings.TrimPrefix(v.R.Text, "-")
		n, err := strconv.ParseInt(v.R.Text, 10, 64)
		if err != nil || digits == "" || digits[0] < '1' && digits != "0" || digits[0] > '9' {
			return small.Nothing
		}
		return small.MakeInt(n)
	}
	return small.Nothing
}

func length(_ *Machine, v small.Value) small.Value {
	switch v.Kind() {
	case small.Text:
		return small.MakeInt(int64(len(v.R.Text)))
	case small.List, small.Tuple:
		return small.MakeInt(int64(len(v.R.Items)))
	case small.Other:
		if d, ok := v.R.Other.(*starlark.Dict); ok {
			return small.MakeInt(int64(d.Len()))
		}
	}
	return small.Nothing
}

func typeName(_ *Machine, v small.Value) small.Value {
	if k := v.Kind(); k != small.Other {
		return typeNames[k]
	}
	return small.MakeText(v.R.Other.Type())
}

// typeNames are texts that are made once.
var typeNames = [...]small.Value{
	small.Int: small.MakeText("int"), small.Bool: small.MakeText("bool"), small.None: small.MakeText("NoneType"),
	small.Text: small.MakeText("string"), small.Tuple: small.MakeText("tuple"), small.List: small.MakeText("list"),
}

// quantified is any or all: want is the truth that settles it.
func quantified(want bool) func(m *Machine, items []small.Value) small.Value {
	return func(_ *Machine, items []small.Value) small.Value {
		for _, item := range items {
			truth, known := item.Truth()
			if !known {
				return small.Nothing
			}
			if truth == want {
				return small.MakeBool(want)
			}
		}
		return small.MakeBool(!want)
	}
}

func enumerated(m *Machine, items []small.Value) small.Value {
	out := make([]small.Value, len(items))
	for i, item := range items {
		out[i] = m.tuple([]small.Value{small.MakeInt(int64(i)), item})
	}
	return small.MakeList(out)
}

func reversed(_ *Machine, items []small.Value) small.Value {
	out := slices.Clone(items)
	slices.Reverse(out)
	return small.MakeList(out)
}

// sorted sorts numbers, texts and tuples; equal ones can't be told apart.
func sorted(m *Machine, items []small.Value) small.Value {
	out := slices.Clone(items)
	known := m.spend(int64(4 * len(items)))
	if len(items) > 0 && items[0].R != nil && items[0].R.Kind != small.Text && items[0].R.Kind != small.Tuple {
		return small.Nothing
	}
	slices.SortStableFunc(out, func(x, y small.Value) int {
		order, ok := small.Order(x, y)
		known = known && ok
		return order
	})
	if !known {
		return small.Nothing
	}
	return small.MakeList(out)
}

func summed(_ *Machine, items []small.Value) small.Value {
	total := small.MakeInt(0)
	for _, item := range items {
		if item.R != nil {
			return small.Nothing
		}
		if total = intArithmetic(syntax.PLUS, total.N, item.N); total.R != nil {
			return total
		}
	}
	return total
}

func zipped(c *compiler, args []syntax.Expr, _ computation) expr {
	lists := make([]expr, len(args))
	for i, a := range args {
		lists[i] = c.iterated(a).eval
	}
	if len(lists) == 0 {
		return nil
	}
	return func(m *Machine) small.Value {
		rows := make([][]small.Value, len(lists))
		n := maxItems
		for i, list := range lists {
			items, ok := m.listed(list(m))
			if !ok {
				return small.Nothing
			}
			rows[i] = items
			n = min(n, len(items))
		}
		out := make([]small.Value, n)
		for k := range out {
			items := make([]small.Value, len(rows))
			for i, row := range rows {
				items[i] = row[k]
			}
			out[k] = m.tuple(items)
		}
		return small.MakeList(out)
	}
}

// extreme is min (sign -1) or max (sign 1) of several arguments or of a list.
func extreme(sign int) intrinsic {
	return func(c *compiler, args []syntax.Expr, own computation) expr {
		if len(args) == 1 {
			return ofList(func(m *Machine, items []small.Value) small.Value { return extremeOf(items, sign) })(c, args, own)
		}
		if len(args) == 2 {
			x, y := c.expr(args[0]), c.expr(args[1])
			first, second := x.eval, y.eval
			if n, ok := y.number(); ok {
				return func(m *Machine) small.Value {
					v := first(m)
					if v.R == nil {
						if (n > v.N) == (sign > 0) {
							return small.MakeInt(n)
						}
						return v
					}
					return either(m, []small.Value{v, small.MakeInt(n)}, sign, own)
				}
			}
			return func(m *Machine) small.Value {
				v, w := first(m), second(m)
				if v.R == nil && w.R == nil {
					if (w.N > v.N) == (sign > 0) {
						return w
					}
					return v
				}
				return either(m, []small.Value{v, w}, sign, own)
			}
		}
		if len(args) == 0 {
			return nil
		}
		evals := c.evals(args)
		return func(m *Machine) small.Value {
			var room [8]small.Value
			values, ok := m.values(evals, room[:0])
			if !ok {
				return small.Nothing
			}
			best := values[0]
			for _, v := range values[1:] {
				if v.R != nil || best.R != nil {
					return either(m, slices.Clone(values), sign, own)
				}
				if v.N != best.N && (v.N > best.N) == (sign > 0) {
					best = v
				}
			}
			return best
		}
	}
}

func either(m *Machine, values []small.Value, sign int, own computation) small.Value {
	for _, v := range values {
		if v.IsStuck() || v.R != nil && !m.spend(int64(v.R.Size)) {
			return small.Nothing
		}
	}
	if holdsOther(values) {
		return own(m, values)
	}
	return extremeOf(values, sign)
}

// extremeOf is the first of the greatest or of the least values.
func extremeOf(items []small.Value, sign int) small.Value {
	if len(items) == 0 {
		return small.Nothing
	}
	best := items[0]
	if len(items) == 1 && best.R != nil {
		return small.Nothing
	}
	for _, item := range items[1:] {
		order, known := small.Order(item, best)
		if !known {
			return small.Nothing
		}
		if order*sign > 0 {
			best = item
		}
	}
	return best
}
