package builtins

import (
	"context"
	"strings"
	"testing"

	"dicescript/builtins/internal/exact"
	"dicescript/builtins/runenv"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

func TestComparisonsOfOutcomesAreChances(t *testing.T) {
	thread := &starlark.Thread{}
	runenv.Set(thread, &runenv.Env{Context: context.Background()})
	eval := func(source string) starlark.Value {
		v, err := recipe(t, source)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	contest := eval(`versus(d(6), d(6))`) // 15, 6 and 15 of 36
	other := eval(`d(4).map(lambda x: "win" if x == 1 else "draw")`)
	text := func(s string) starlark.Value { return starlark.String(s) }
	for _, c := range []struct {
		x    starlark.Value
		op   syntax.Token
		y    starlark.Value
		want string
	}{
		{contest, syntax.EQL, text("win"), "5/12"},
		{contest, syntax.NEQ, text("win"), "7/12"},
		{text("win"), syntax.EQL, contest, "5/12"},
		{contest, syntax.GE, text("tie"), "7/12"},
		{contest, syntax.GT, text("tie"), "5/12"},
		{contest, syntax.LE, text("tie"), "7/12"},
		{contest, syntax.LT, text("tie"), "5/12"},
		{text("tie"), syntax.LT, contest, "5/12"},
		{contest, syntax.IN, starlark.NewList([]starlark.Value{text("win"), text("tie")}), "7/12"},
		{contest, syntax.NOT_IN, starlark.Tuple{text("win")}, "7/12"},
		// Two independent contests: sums of products.
		{contest, syntax.EQL, contest, "27/72"},
		{contest, syntax.GT, contest, "45/144"},
		{contest, syntax.EQL, other, "5/48"},
		{contest, syntax.EQL, starlark.None, "False"},
		{contest, syntax.NEQ, starlark.None, "True"},
		{contest, syntax.EQL, text("won"), `!==: there is no label "won"; did you mean "win"?`},
		{contest, syntax.GE, starlark.MakeInt(3), `!>=: there is no label 3`},
		{other, syntax.GE, text("win"), `!>=: these labels have no order`},
		{contest, syntax.GE, other, `!>=: the two Outcomes have no scale in common`},
		{contest, syntax.IN, starlark.MakeInt(3), `!in: got 3, want a list of labels`},
		{contest, syntax.IN, starlark.Tuple{text("won")}, `!in: there is no label "won"`},
		{contest, syntax.EQL, eval("d(6)"), `!==: a roll can't be compared with Outcomes`},
	} {
		v, err := value.Compare(thread, c.op, c.x, c.y)
		problem, wantError := strings.CutPrefix(c.want, "!")
		switch {
		case wantError:
			if err == nil || !strings.Contains(err.Error(), problem) {
				t.Errorf("%v %v %v: got %v, %v, want the error %s", c.x, c.op, c.y, v, err, problem)
			}
		case err != nil:
			t.Errorf("%v %v %v: %v", c.x, c.op, c.y, err)
		default:
			want := c.want
			if p, ok := v.(*value.Prob); ok {
				if got, same := p.Rat().RatString(), ratText(want); got != same {
					t.Errorf("%v %v %v: got %s, want %s", c.x, c.op, c.y, got, same)
				}
				continue
			}
			if v.String() != want {
				t.Errorf("%v %v %v: got %s, want %s", c.x, c.op, c.y, v, want)
			}
		}
	}
	for _, v := range []starlark.Value{contest, other} {
		if _, err := value.Truth(thread, v); err == nil {
			t.Errorf("%v as a condition: no error", v)
		}
	}
}

// ratText reduces a fraction.
func ratText(s string) string {
	r, _ := exact.ParseRat(s)
	return r.RatString()
}

func TestMixtureOfOutcomes(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`either("1/4", versus(d(6), d(6)), "win").pmf("win").fraction`, `41/48`},
		{`either("1/4", "win", versus(d(6), d(6))).p_at_least("tie").fraction`, `11/16`},
		{`mixture([(1, versus(d(6), d(6))), (2, versus(d(8), d(6)))]).p_at_most("lose").fraction`, `25/72`},
		{`mixture([(1, versus(d(6), d(6))), (1, "rout")]).labels`, `["lose", "tie", "win", "rout"]`},
		{`mixture([(1, versus(d(6), d(6))), (1, "rout")]).p_at_most("lose")`, `!have no order`},
		{`mixture([(1, d(6)), (1, versus(d(6), d(6)))])`, `!mixture: parts: item 1: got a roll beside labels, want either rolls only, or Outcomes and labels only`},
		{`either("1/4", "rain", "sun").pmf("rain").fraction`, `1/4`},
		{`either("1/4", "rain", 3)`, `Outcomes(rain: 0.25, 3: 0.75)`},
		{`mixture([(0, "rain"), (0, "sun")])`, `!mixture: parts: all weights are 0`},
		{`mixture([(3, ("a", 1)), (1, ("b", 2))]).pmf(("b", 2)).fraction`, `1/4`},
	})
}
