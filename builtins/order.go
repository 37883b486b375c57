package builtins

import (
	"math/bits"
	"slices"

	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Sorting compares as the operators of a recipe do, so that chances, numbers and
// whole numbers sort together. What holds none of them Starlark sorts by itself.

func orderBuiltins() []builtin {
	return []builtin{
		{
			name: "sorted", free: true,
			params: []Param{
				{Name: "x", Doc: "a list of values"},
				{Name: "key", Doc: "a function that says by what each value is sorted", Default: "None"},
				{Name: "reverse", Doc: "whether the greatest value comes first", Default: "False"},
			},
			doc:     "The values of a list in ascending order; equal ones keep their order.",
			errors:  "rolls without a key; values that can't be compared",
			example: "sorted([d(6).p_eq(6), 0.1, 1])",
			result:  "[0.1, 0.16666666666666666, 1]",
			run:     sorted,
		},
		{
			name: "len", free: true,
			params:  []Param{{Name: "x", Doc: "a list, text or another collection"}},
			doc:     "How many things a collection holds.",
			errors:  "a pool, whose number of dice is pool.size; a value that holds nothing",
			example: "len([4, 5, 6])",
			result:  "3",
			raw:     length,
		},
	}
}

func sorted(c call) (starlark.Value, error) {
	values, ok := elements(c.value(0))
	if dict, isDict := c.value(0).(*starlark.Dict); isDict {
		values, ok = dict.Keys(), true
	}
	if !ok {
		return nil, c.want(0, "a list")
	}
	reverse := false
	if v := c.value(2); v != nil {
		var err error
		if reverse, err = Truth(c.thread, v); err != nil {
			return nil, argError("reverse", "%v", err)
		}
	}
	items, err := c.keyed(values)
	if err != nil {
		return nil, err
	}
	if err := c.chargeSort(items); err != nil {
		return nil, err
	}
	if err := c.sort(items, reverse); err != nil {
		return nil, err
	}
	list := make([]starlark.Value, len(items))
	for i, item := range items {
		list[i] = item.value
	}
	return starlark.NewList(list), nil
}

// chargeSort charges the comparisons of a sort, by the sizes of what is compared.
func (c call) chargeSort(items []sortItem) error {
	const compareWork, large = 64, 1 << 16
	depth := int64(bits.Len(uint(len(items))))
	work := product(compareWork*int64(len(items)), depth)
	for _, item := range items {
		cost := compareCost(item.key)
		if cost < large {
			work += cost * depth
			continue
		}
		// To look at large keys takes time itself, so each is paid for at once.
		if err := dist.ChargeWork(c.ctx(), product(cost, depth)); err != nil {
			return err
		}
	}
	return dist.ChargeWork(c.ctx(), work)
}

// compareCost is about what it takes to compare v with another value like it.
func compareCost(v starlark.Value) int64 {
	switch v := v.(type) {
	case starlark.String:
		return exactWork + int64(len(v))/4
	case starlark.Int:
		return 0
	case *Prob:
		return exactWork + reduceCost(exact{v.rat, 0}.bits())/16
	case *Number:
		return exactWork + reduceCost(exact{v.rat, 0}.bits())/16
	case starlark.Tuple, *starlark.List, *starlark.Dict, *starlark.Set:
		return exactWork + 32*elementsOf(v)
	}
	return exactWork
}

// exactWork is what a comparison takes that has to find out what it compares.
const exactWork = 450

// elementsOf counts the elements of a collection, with those inside, up to some
// more than maxElements. It does not recurse, however deep the collection is.
func elementsOf(v starlark.Value) int64 {
	const maxElements = 1 << 20
	n := int64(0)
	var stack []starlark.Value
	look := func(v starlark.Value) {
		n++
		switch v := v.(type) {
		case starlark.String:
			n += int64(len(v)) / 256
		case starlark.Tuple, *starlark.List, *starlark.Dict, *starlark.Set:
			stack = append(stack, v)
		}
	}
	for look(v); len(stack) > 0 && n <= maxElements; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch v := v.(type) {
		case starlark.Tuple:
			for _, e := range v {
				look(e)
			}
		case *starlark.List:
			for i := range v.Len() {
				look(v.Index(i))
			}
		case *starlark.Dict:
			for _, item := range v.Items() {
				look(item[1])
			}
		case *starlark.Set:
			n += int64(v.Len())
		}
	}
	return n
}

// A sortItem is a value with what it is sorted by.
type sortItem struct{ value, key starlark.Value }

func (c call) keyed(values []starlark.Value) ([]sortItem, error) {
	items := make([]sortItem, len(values))
	for i, v := range values {
		items[i] = sortItem{v, v}
	}
	if !c.given(1) {
		return items, nil
	}
	key, err := c.function(1)
	if err != nil {
		return nil, err
	}
	for i, v := range values {
		if items[i].key, err = starlark.Call(c.thread, key, starlark.Tuple{v}, nil); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// sort sorts by key and keeps the order of equal keys, also in reverse. The
// first comparison that fails is the error.
func (c call) sort(items []sortItem, reverse bool) error {
	const lookEvery = 1 << 12
	var failed error
	compared := 0
	less := func(a, b starlark.Value) bool {
		if compared++; compared%lookEvery == 0 && failed == nil {
			failed = c.ctx().Err()
		}
		if failed != nil {
			return false
		}
		ok, err := c.less(a, b)
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

func (c call) less(a, b starlark.Value) (bool, error) {
	if i, ok := a.(starlark.Int); ok {
		if j, ok := b.(starlark.Int); ok {
			order, err := i.Cmp(j, 0)
			return order < 0, err
		}
	}
	if isRollLike(a) || isRollLike(b) {
		roll := a
		if !isRollLike(a) {
			roll = b
		}
		_, err := structurally(syntax.LT, false, roll)
		return false, err
	}
	v, err := Compare(c.thread, syntax.LT, a, b)
	if err != nil {
		return false, err
	}
	return Truth(c.thread, v)
}

// length is Starlark's len, which says more about dice.
func length(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 1 {
		switch v := args[0].(type) {
		case *Pool:
			return nil, argError("x", "got %s; pool.size is how many dice it has, roll.support_size() how many totals", describe(v))
		case *Roll:
			return nil, argError("x", "got %s; roll.support_size() is how many results it has", describe(v))
		}
	}
	return starlark.Universe["len"].(*starlark.Builtin).CallInternal(thread, args, kwargs)
}
