package builtins

import (
	"slices"

	"dicescript/builtins/define"
	"dicescript/builtins/throwing"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Throws of what a function of the recipe decides: it is called once, for what shows, and
// what it returns is thrown.

// call calls a function with values that are certain.
func call(c define.Call, fn starlark.Value, args ...starlark.Value) (starlark.Value, error) {
	return starlark.Call(c.Thread, fn, args, nil)
}

// throwMap throws what a function looks at together.
func throwMap(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
	fn, rolls := c.Value(0), []starlark.Value{c.Receiver}
	switch {
	case c.Receiver == nil && isFunction(fn):
		rolls = c.Rest(1)
	case c.Receiver == nil:
		return throwPoolMap(c, t, result, c.Value(0), c.Value(1))
	default:
		if pool, ok := c.Receiver.(*value.Pool); ok {
			return throwPoolMap(c, t, result, pool, fn)
		}
	}
	args := make([]starlark.Value, len(rolls))
	for i, v := range rolls {
		thrown, err := t.Value(v)
		if err != nil {
			return nil, err
		}
		args[i] = throwing.LabelOf(thrown)
	}
	if dict, ok := fn.(*starlark.Dict); ok {
		answer, _, err := dict.Get(args[0])
		if err != nil {
			return nil, err
		}
		return t.Answer(result, answer)
	}
	answer, err := call(c, fn, args...)
	if err != nil {
		return nil, err
	}
	return t.Answer(result, answer)
}

func isFunction(v starlark.Value) bool {
	_, ok := v.(starlark.Callable)
	return ok
}

// throwPoolMap shows a function the faces of a pool in the order of its dice.
func throwPoolMap(c define.Call, t *throwing.Thrower, result, pool, fn starlark.Value) (starlark.Value, error) {
	faces, err := thrownFaces(c, t, pool)
	if err != nil {
		return nil, err
	}
	answer, err := call(c, fn, listOf(faces))
	if err != nil {
		return nil, err
	}
	return t.Answer(result, answer)
}

// throwSorted shows a function the sorted faces of pools, kept dice or a hand.
func throwSorted(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
	pools := c.Rest(1)
	if c.Receiver != nil {
		pools = []starlark.Value{c.Receiver}
	}
	args := make([]starlark.Value, len(pools))
	for i, pool := range pools {
		faces, err := thrownFaces(c, t, pool)
		if err != nil {
			return nil, err
		}
		slices.Sort(faces)
		if hand, ok := pool.(*value.Multiset); ok {
			cards := make([]starlark.Value, len(faces))
			for k, face := range faces {
				cards[k] = hand.Cards().Named(face)
			}
			args[i] = starlark.NewList(cards)
			continue
		}
		args[i] = listOf(faces)
	}
	answer, err := call(c, c.Value(0), args...)
	if err != nil {
		return nil, err
	}
	return t.Answer(result, answer)
}

func listOf(faces []int) *starlark.List {
	values := make([]starlark.Value, len(faces))
	for i, n := range faces {
		values[i] = starlark.MakeInt(n)
	}
	return starlark.NewList(values)
}

// thrownFaces throws a pool, a roll as one die, kept dice or a hand, and returns what shows;
// of a hand the faces of the engine.
func thrownFaces(c define.Call, t *throwing.Thrower, v starlark.Value) ([]int, error) {
	thrown, err := t.Value(v)
	if err != nil {
		return nil, err
	}
	return shownBy(c, t, thrown)
}

func shownBy(c define.Call, t *throwing.Thrower, thrown starlark.Value) ([]int, error) {
	switch thrown := thrown.(type) {
	case *value.Pool:
		return throwing.FacesOf(thrown), nil
	case *value.Multiset:
		var faces []int
		err := thrown.Dist().Sorted(c.Context(), func(sorted []int, _ dist.Weight) error {
			faces = slices.Clone(sorted)
			return nil
		})
		return faces, err
	}
	n, err := t.Number(thrown)
	return []int{n}, err
}

// throwEvaluate goes through the faces with how many dice show each.
func throwEvaluate(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
	pools, finish, order := []starlark.Value{c.Receiver}, 2, dist.Ascending
	if c.Receiver == nil {
		pools, finish = c.Rest(2), 3
		var err error
		if order, err = orderOf(c, 4, order); err != nil {
			return nil, err
		}
	}
	var faces []int
	cards := (*value.Cards)(nil)
	for _, v := range pools {
		m, err := asMultiset(c, v)
		if err != nil {
			return nil, err
		}
		faces = append(faces, m.Dist().Faces()...)
		cards = m.Cards()
	}
	slices.Sort(faces)
	faces = slices.Compact(faces)
	if order == dist.Descending {
		slices.Reverse(faces)
	}
	thrown, err := t.Values(pools)
	if err != nil {
		return nil, err
	}
	counts := make([]map[int]int, len(pools))
	for i, v := range thrown {
		shown, err := shownBy(c, t, v)
		if err != nil {
			return nil, err
		}
		counts[i] = map[int]int{}
		for _, face := range shown {
			counts[i][face]++
		}
	}
	state := c.Value(1)
	for _, face := range faces {
		args := []starlark.Value{state, cards.Named(face)}
		for i := range counts {
			args = append(args, starlark.MakeInt(counts[i][face]))
		}
		if state, err = call(c, c.Value(0), args...); err != nil {
			return nil, err
		}
	}
	if c.Given(finish) {
		if state, err = call(c, c.Value(finish), state); err != nil {
			return nil, err
		}
	}
	return t.Answer(result, state)
}

// A walk goes from state to state.
type walk struct {
	c     define.Call
	t     *throwing.Thrower
	state starlark.Value
	rests bool // whether the state follows on itself
}

// newWalk throws where a process begins.
func newWalk(c define.Call, t *throwing.Thrower) (*walk, error) {
	start, err := t.Value(c.Value(0))
	return &walk{c: c, t: t, state: throwing.LabelOf(start)}, err
}

// step goes on to the next state.
func (w *walk) step() error {
	if err := w.t.Spend(); err != nil {
		return err
	}
	next, err := call(w.c, w.c.Value(1), w.state)
	if err != nil {
		return err
	}
	certain := !throwing.Throwable(next) || throwing.IsCertain(next)
	thrown, err := w.t.Value(next)
	if err != nil {
		return err
	}
	label := throwing.LabelOf(thrown)
	same, err := starlark.Equal(label, w.state)
	w.rests = certain && same
	w.state = label
	return err
}

func throwIterate(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
	n := dist.Unlimited
	if c.Value(2) != starlark.None {
		var err error
		if n, err = c.AtLeast(2, 0, 0); err != nil {
			return nil, err
		}
	}
	w, err := newWalk(c, t)
	for k := 0; err == nil && !w.rests && (n == dist.Unlimited || k < n); k++ {
		err = w.step()
	}
	if err != nil {
		return nil, err
	}
	return t.Like(result, w.state)
}

func throwFirstTime(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
	limit := dist.Unlimited
	if c.Given(3) {
		var err error
		if limit, err = c.AtLeast(3, 0, 0); err != nil {
			return nil, err
		}
	}
	w, err := newWalk(c, t)
	for n := 0; err == nil; n++ {
		done, bad := call(c, c.Value(2), w.state)
		switch {
		case bad != nil:
			return nil, bad
		case bool(done.Truth()):
			return t.Like(result, starlark.MakeInt(n))
		case limit != dist.Unlimited && n == limit:
			return t.Like(result, beyond(limit))
		}
		err = w.step()
	}
	return nil, err
}
