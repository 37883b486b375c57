package builtins

import (
	"math/bits"
	"slices"

	"dicescript/builtins/define"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Sorting compares as the operators of a recipe do, so that chances, numbers and
// whole numbers sort together. What holds none of them Starlark sorts by itself.

func orderBuiltins() []define.Builtin {
	return []define.Builtin{
		{
			Name: "sorted", Free: true,
			Params: []define.Param{
				{Name: "x", Doc: "a list of values"},
				{Name: "key", Doc: "a function that says by what each value is sorted", Default: "None"},
				{Name: "reverse", Doc: "whether the greatest value comes first", Default: "False"},
			},
			Doc:     "The values of a list in ascending order; equal ones keep their order.",
			Errors:  "rolls without a key; values that can't be compared",
			Example: "sorted([d(6).p_eq(6), 0.1, 1])",
			Result:  "[0.1, 0.16666666666666666, 1]",
			Run:     sorted,
		},
		{
			Name: "len", Free: true,
			Params:  []define.Param{{Name: "x", Doc: "a list, text or another collection"}},
			Doc:     "How many things a collection holds.",
			Errors:  "a pool, whose number of dice is pool.size; a value that holds nothing",
			Example: "len([4, 5, 6])",
			Result:  "3",
			Raw:     length,
		},
	}
}

func sorted(c define.Call) (starlark.Value, error) {
	values, ok := value.Elements(c.Value(0))
	if dict, isDict := c.Value(0).(*starlark.Dict); isDict {
		values, ok = dict.Keys(), true
	}
	if !ok {
		return nil, c.Want(0, "a list")
	}
	reverse := false
	if v := c.Value(2); v != nil {
		var err error
		if reverse, err = value.Truth(c.Thread, v); err != nil {
			return nil, define.ArgError("reverse", "%v", err)
		}
	}
	items, err := keyed(c, values)
	if err != nil {
		return nil, err
	}
	if err := paySort(c, items); err != nil {
		return nil, err
	}
	if err := sortItems(c, items, reverse); err != nil {
		return nil, err
	}
	list := make([]starlark.Value, len(items))
	for i, item := range items {
		list[i] = item.value
	}
	return starlark.NewList(list), nil
}

// paySort pays for the comparisons of a sort: each value is looked at about as
// often as the number of values has binary digits.
func paySort(c define.Call, items []sortItem) error {
	times := int64(bits.Len(uint(len(items))))
	for _, item := range items {
		if err := c.Meter().Compared(item.key, times); err != nil {
			return err
		}
	}
	return nil
}

// A sortItem is a value with what it is sorted by.
type sortItem struct{ value, key starlark.Value }

func keyed(c define.Call, values []starlark.Value) ([]sortItem, error) {
	items := make([]sortItem, len(values))
	for i, v := range values {
		items[i] = sortItem{v, v}
	}
	if !c.Given(1) {
		return items, nil
	}
	key, err := c.Function(1)
	if err != nil {
		return nil, err
	}
	for i, v := range values {
		if items[i].key, err = starlark.Call(c.Thread, key, starlark.Tuple{v}, nil); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// sortItems sorts by key and keeps the order of equal keys, also in reverse. The
// first comparison that fails is the error.
func sortItems(c define.Call, items []sortItem, reverse bool) error {
	const lookEvery = 1 << 12
	var failed error
	compared := 0
	less := func(a, b starlark.Value) bool {
		if compared++; compared%lookEvery == 0 && failed == nil {
			failed = c.Context().Err()
		}
		if failed != nil {
			return false
		}
		ok, err := isBelow(c, a, b)
		failed = err
		return ok
	}
	slices.SortStableFunc(items, func(a, b sortItem) int {
		if reverse {
			a, b = b, a
		}
		switch {
		case less(a.key, b.key):
			return -1
		case less(b.key, a.key):
			return 1
		}
		return 0
	})
	return failed
}

func isBelow(c define.Call, a, b starlark.Value) (bool, error) {
	if i, ok := a.(starlark.Int); ok {
		if j, ok := b.(starlark.Int); ok {
			order, err := i.Cmp(j, 0)
			return order < 0, err
		}
	}
	if value.IsDice(a) || value.IsDice(b) {
		roll := a
		if !value.IsDice(a) {
			roll = b
		}
		return false, value.NoOrder(roll)
	}
	v, err := value.Compare(c.Thread, syntax.LT, a, b)
	if err != nil {
		return false, err
	}
	return value.Truth(c.Thread, v)
}

// length is Starlark's len, which says more about dice.
func length(c define.Call, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 1 {
		switch v := args[0].(type) {
		case *value.Pool:
			return nil, define.ArgError("x", "got %s; pool.size is how many dice it has, roll.support_size() how many totals", value.Describe(v))
		case *value.Roll:
			return nil, define.ArgError("x", "got %s; roll.support_size() is how many results it has", value.Describe(v))
		}
	}
	return starlark.Universe["len"].(*starlark.Builtin).CallInternal(c.Thread, args, kwargs)
}
