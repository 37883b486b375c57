package suite

import (
	"errors"
	"fmt"
	"math/big"

	"dicescript/builtins"
	"dicescript/builtins/runenv"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// What test files have besides the builtins of recipes. Comparisons are exact:
// a chance is compared as a fraction, a roll outcome by outcome.

// Assertions are the builtins of test files.
func Assertions() starlark.StringDict {
	dict := starlark.StringDict{}
	for name, f := range map[string]func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error){
		"assert_eq": assertEq, "assert_true": assertTrue, "assert_fails": assertFails,
	} {
		dict[name] = starlark.NewBuiltin(name, f)
	}
	return dict
}

// assertEq is assert_eq(got, want).
func assertEq(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var got, want starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "got", &got, "want", &want); err != nil {
		return nil, err
	}
	same, err := (&comparison{thread: thread}).equal(got, want, 0)
	if err != nil {
		return nil, fmt.Errorf("assert_eq: %w", err)
	}
	if !same {
		wanted := shown(want)
		if s, ok := starlark.AsString(want); ok && isExact(got) {
			wanted = cut(s, mostShown)
		}
		return nil, fmt.Errorf("assert_eq: got %s, want %s", shown(got), wanted)
	}
	return starlark.None, nil
}

// assertTrue is assert_true(x).
func assertTrue(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "x", &x); err != nil {
		return nil, err
	}
	ok, err := value.Truth(thread, x)
	if err != nil {
		return nil, fmt.Errorf("assert_true: %w", err)
	}
	if !ok {
		return nil, fmt.Errorf("assert_true: got %s", shown(x))
	}
	return starlark.None, nil
}

// assertFails is assert_fails(fn, pattern): fn() fails with a message in which
// the regular expression is found.
func assertFails(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var fn starlark.Callable
	var text string
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "fn", &fn, "pattern", &text); err != nil {
		return nil, err
	}
	re, err := pattern(text)
	if err != nil {
		return nil, fmt.Errorf("assert_fails: pattern: %w", err)
	}
	v, err := starlark.Call(thread, fn, nil, nil)
	if err == nil {
		return nil, fmt.Errorf("assert_fails: %s did not fail, it gave %s", fn.Name(), shown(v))
	}
	if message := cut(message(err), mostSearched); !re.MatchString(message) {
		return nil, fmt.Errorf("assert_fails: the error is %q, want one that matches %q", cut(message, mostShown), text)
	}
	return starlark.None, nil
}

// message is what went wrong, without the calls that led there.
func message(err error) string {
	for {
		var trace *starlark.EvalError
		if !errors.As(err, &trace) || trace.Unwrap() == nil {
			return err.Error()
		}
		err = trace.Unwrap()
	}
}

// A comparison goes through two values, which may hold themselves, or one list
// many times.
type comparison struct {
	thread   *starlark.Thread
	compared int
}

const (
	deepestCompared = 1000      // lists in lists
	mostCompared    = 1_000_000 // elements
	lookEvery       = 1000      // elements between two looks at the context
)

// step counts a pair of values, and ends a comparison that takes too long.
func (c *comparison) step(depth int) error {
	c.compared++
	switch {
	case depth > deepestCompared:
		return fmt.Errorf("lists in lists more than %d deep; does a list hold itself?", deepestCompared)
	case c.compared > mostCompared:
		return fmt.Errorf("more than %d elements to compare", mostCompared)
	case c.compared%lookEvery == 0:
		return runenv.Of(c.thread).Context.Err()
	}
	return nil
}

// equal compares structurally and exactly.
func (c *comparison) equal(got, want starlark.Value, depth int) (bool, error) {
	if err := c.step(depth); err != nil {
		return false, err
	}
	if x, bound, ok := exact(got); ok {
		y, bound2, ok := exact(want)
		if s, isText := starlark.AsString(want); isText {
			y, ok = new(big.Rat).SetString(s)
		}
		switch {
		case !ok:
			return nativeEqual(c.thread, got, want)
		case bound > 0 || bound2 > 0:
			return false, fmt.Errorf("got %s, which is certain only to within %.2g: compare it with float bounds", shown(got), max(bound, bound2))
		}
		return x.Cmp(y) == 0, nil
	}
	switch got := got.(type) {
	case starlark.Tuple, *starlark.List:
		return c.equalElements(got.(starlark.Indexable), want, depth+1)
	case *starlark.Dict:
		return c.equalDicts(got, want, depth+1)
	case *value.Roll, *value.Pool, *value.Outcomes:
		same, ok := builtins.Globals()["same"].(starlark.Callable)
		if !ok {
			return nativeEqual(c.thread, got, want)
		}
		v, err := starlark.Call(c.thread, same, starlark.Tuple{got, want}, nil)
		if err != nil {
			return false, err
		}
		return bool(v.Truth()), nil
	}
	return nativeEqual(c.thread, got, want)
}

// exact is the value of a chance or a whole or exact number.
func exact(v starlark.Value) (x *big.Rat, bound float64, ok bool) {
	switch v := v.(type) {
	case *value.Prob:
		return v.Rat(), v.Bound(), true
	case *value.Number:
		return v.Rat(), v.Bound(), true
	case starlark.Int:
		return new(big.Rat).SetInt(v.BigInt()), 0, true
	}
	return nil, 0, false
}

func isExact(v starlark.Value) bool {
	_, _, ok := exact(v)
	return ok
}

func nativeEqual(thread *starlark.Thread, got, want starlark.Value) (bool, error) {
	v, err := value.Compare(thread, syntax.EQL, got, want)
	if err != nil {
		return false, err
	}
	b, ok := v.(starlark.Bool)
	return ok && bool(b), nil
}

func (c *comparison) equalElements(got starlark.Indexable, want starlark.Value, depth int) (bool, error) {
	other, ok := want.(starlark.Indexable)
	if !ok || got.Type() != want.Type() || got.Len() != other.Len() {
		return false, nil
	}
	for i := range got.Len() {
		if same, err := c.equal(got.Index(i), other.Index(i), depth); err != nil || !same {
			return false, err
		}
	}
	return true, nil
}

func (c *comparison) equalDicts(got *starlark.Dict, want starlark.Value, depth int) (bool, error) {
	other, ok := want.(*starlark.Dict)
	if !ok || got.Len() != other.Len() {
		return false, nil
	}
	for _, item := range got.Items() {
		v, found, err := other.Get(item[0])
		if err != nil || !found {
			return false, err
		}
		if same, err := c.equal(item[1], v, depth); err != nil || !same {
			return false, err
		}
	}
	return true, nil
}
