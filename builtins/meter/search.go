package meter

import (
	"go.starlark.net/starlark"
)

// A list is searched element by element, with a look at the context between them: to
// compare a float with a whole number takes a fraction, and there may be a million.

// isAmong reports whether x is an element of y, unless there is an error already.
func (m *Meter) isAmong(x starlark.Value, y starlark.Indexable, err error) (bool, error) {
	if err == nil {
		err = m.Look(y)
	}
	if err != nil {
		return false, err
	}
	i, err := m.find(x, y, 0, y.Len())
	return i >= 0, err
}

// findUnits is the time that comparing two numbers may take: a float becomes a fraction.
const findUnits = 16

// find returns the place of the first element of y from start up to end that equals x, or
// -1. It looks at the context between them.
func (m *Meter) find(x starlark.Value, y starlark.Indexable, start, end int) (int, error) {
	for i := start; i < end; i++ {
		if err := m.pass(findUnits); err != nil {
			return -1, err
		}
		if equal, err := starlark.Equal(y.Index(i), x); equal || err != nil {
			return i, err
		}
	}
	return -1, nil
}

// searches is list.index and list.remove.
func searches(m *Meter, c *call) (starlark.Value, error) {
	list := c.recv.(*starlark.List)
	remove := c.fn.Name() == "remove"
	start, end, ok := between(c.args, list.Len())
	if !ok || len(c.kwargs) > 0 || remove && (len(c.args) > 1 || isFixed(list)) {
		return c.native() // an error
	}
	i, err := m.find(c.args[0], list, start, end)
	if err != nil {
		return nil, err
	}
	if i < 0 { // the error of an empty list
		return methodOf(starlark.NewList(nil), c.fn.Name()).CallInternal(c.thread, c.args[:1], nil)
	}
	if !remove {
		return starlark.MakeInt(i), nil
	}
	_, err = methodOf(list, "pop").CallInternal(c.thread, starlark.Tuple{starlark.MakeInt(i)}, nil)
	return starlark.None, err
}

// between returns which part of a list of n elements the arguments of index name.
func between(args starlark.Tuple, n int) (start, end int, ok bool) {
	if len(args) < 1 || len(args) > 3 {
		return 0, 0, false
	}
	ends := []int{0, n}
	for i, v := range args[1:] {
		if v == starlark.None {
			continue
		}
		at, err := starlark.AsInt32(v)
		if err != nil {
			return 0, 0, false
		}
		if at < 0 {
			at += n
		}
		ends[i] = min(max(at, 0), n)
	}
	return ends[0], ends[1], true
}

// isFixed reports whether nothing can be taken from a list, as it is frozen, gone through
// or empty.
func isFixed(list *starlark.List) bool {
	return list.Len() == 0 || list.SetIndex(0, list.Index(0)) != nil
}

func methodOf(list *starlark.List, name string) *starlark.Builtin {
	v, _ := list.Attr(name)
	return v.(*starlark.Builtin)
}
