package builtins

import (
	"context"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dicescript/builtins/meter"
	"dicescript/builtins/runenv"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Every builtin is called with arguments that make no sense. It may refuse them
// in its own words; it may not panic, hang, or speak of the inside.

func hostileValues(t *testing.T) []starlark.Value {
	t.Helper()
	var values []starlark.Value
	for _, source := range []string{
		`None`, `True`, `0`, `-1`, `3`, `1 << 62`, `-(1 << 63)`, `1 << 70`, `2.5`, `-0.5`, `float("nan")`, `float("inf")`,
		`""`, `"x"`, `[]`, `[1, 2]`, `["a"]`, `[None]`, `[(1, 2)]`, `()`, `{}`, `{1: 2}`, `len`, `lambda *a: a[0]`, `lambda: None`,
		`d(6)`, `dice_pool(2, 6)`, `pool(d(4), die_faces([-3, 100]))`, `explode(d(6), None)`, `-explode(d(6), None)`,
		`d(6).p_ge(3)`, `explode(d(6), None).p_ge(7)`, `d(6).mean()`, `-d(6).mean()`, `through(1, 4)`, `at_least(3)`, `at_most(-3)`,
		`versus(d(6), d(6))`, `scale()`, `deck([1, "x"])`, `deck([1, 2]).deal(1)`, `deck([(1, "x"), (2, "y")]).deal(2)`, `dice_pool(3, 6).keep_dice(low=2)`,
	} {
		v, err := recipe(t, source)
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		values = append(values, v)
	}
	return values
}

// inside matches what no recipe should read in an error.
var inside = regexp.MustCompile(`\*?(starlark|dist|builtins|big|syntax)\.[A-Z]|%!|<nil>|0xc0|runtime error|internal error|goroutine`)

// By default two arguments meet in some of the calls, which of them is counted; they
// all do where all tests are wanted.
func TestHostileArguments(t *testing.T) {
	every, calls := 8, 0
	if os.Getenv("DICESCRIPT_TESTS") == "all" {
		every = 1
	}
	values, costs := hostileValues(t), meter.NewTable()
	limits := meter.Limits{Work: 1 << 21, Cells: 1 << 17, Outcomes: 1 << 14, Steps: 1 << 17}.Filled()
	attempt := func(what string, f starlark.Value, args ...starlark.Value) {
		thread := &starlark.Thread{Name: what}
		thread.SetMaxExecutionSteps(2_000)
		m := costs.NewMeter(limits)
		m.Begin(context.Background(), thread)
		runenv.Set(thread, &runenv.Env{Context: m.Context(), Meter: m, Host: unheard{&host{}}})
		defer func() {
			if r := recover(); r != nil {
				t.Errorf("%s%v: panic: %v", what, starlark.Tuple(args), r)
			}
		}()
		v, err := starlark.Call(thread, f, args, nil)
		if err != nil && inside.MatchString(err.Error()) {
			t.Errorf("%s%v: %v", what, starlark.Tuple(args), err)
		}
		if err == nil && strings.Contains(v.String(), "0xc0") {
			t.Errorf("%s%v is %v", what, starlark.Tuple(args), v)
		}
	}
	each := func(what string, f starlark.Value) {
		attempt(what, f)
		for i, a := range values {
			attempt(what, f, a)
			for j, b := range values {
				if calls++; calls%every != 0 {
					continue
				}
				attempt(what, f, a, b)
				if (i+j)%4 == 0 {
					attempt(what, f, a, b, values[(i*7+j*3)%len(values)])
				}
			}
		}
	}
	globals := Globals()
	for _, name := range slices.Sorted(maps.Keys(globals)) {
		if f, ok := globals[name].(*starlark.Builtin); ok {
			each(name, f)
		}
	}
	for _, v := range values {
		v, ok := v.(starlark.HasAttrs)
		if !ok || strings.HasPrefix(v.Type(), "string") || len(registered().AttrNames(v)) == 0 {
			continue
		}
		for _, name := range v.AttrNames() {
			f, err := v.Attr(name)
			if err != nil && inside.MatchString(err.Error()) {
				t.Errorf("%s: %v", name, err)
			}
			if _, ok := f.(*starlark.Builtin); ok {
				each(fmt.Sprintf("(%s).%s", v, name), f)
			}
		}
	}
}

func TestHostileOperands(t *testing.T) {
	values, costs := hostileValues(t), meter.NewTable()
	thread := &starlark.Thread{}
	limits := meter.Limits{Work: 1 << 21, Cells: 1 << 17, Outcomes: 1 << 14, Steps: 1 << 17}.Filled()
	check := func(op syntax.Token, x, y starlark.Value, apply func() (starlark.Value, error)) {
		m := costs.NewMeter(limits)
		m.Begin(context.Background(), thread)
		runenv.Set(thread, &runenv.Env{Context: m.Context(), Meter: m})
		defer func() {
			if r := recover(); r != nil {
				t.Errorf("%v %s %v: panic: %v", x, op, y, r)
			}
		}()
		if _, err := apply(); err != nil && inside.MatchString(err.Error()) {
			t.Errorf("%v %s %v: %v", x, op, y, err)
		}
	}
	for _, x := range values {
		check(syntax.MINUS, x, x, func() (starlark.Value, error) { return value.Unary(thread, syntax.MINUS, x) })
		for _, y := range values {
			for _, op := range []syntax.Token{syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.SLASH, syntax.SLASHSLASH, syntax.PERCENT, syntax.PIPE, syntax.LTLT} {
				if _, text := x.(starlark.String); text && op == syntax.PERCENT {
					continue // formatting
				}
				if isHuge(x) && (op == syntax.STAR || op == syntax.LTLT) || isHuge(y) && (op == syntax.STAR || op == syntax.LTLT) {
					continue // what Starlark itself does with memory is for the front end to guard
				}
				check(op, x, y, func() (starlark.Value, error) { return value.Binary(thread, op, x, y) })
			}
			for _, op := range []syntax.Token{syntax.EQL, syntax.NEQ, syntax.LT, syntax.GE, syntax.IN, syntax.NOT_IN} {
				check(op, x, y, func() (starlark.Value, error) { return value.Compare(thread, op, x, y) })
			}
		}
	}
}

func isHuge(v starlark.Value) bool {
	n, ok := v.(starlark.Int)
	return ok && n.BigInt().BitLen() > 32
}

// unheard records nothing: the texts of hostile values are long.
type unheard struct{ *host }

func (unheard) Output(string, bool, starlark.Value) error { return nil }
