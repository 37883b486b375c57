package builtins

import (
	"context"
	"fmt"
	"math/big"
	"testing"

	"dicescript/builtins/runenv"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

func TestProbTable(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`prob_table([("a", d(6).p_ge(5)), ["b", 1], ("c", 0.3), ((1, "d"), "1/3")])`, `ProbTable(a: 0.3333333333333333, b: 1, c: 0.3, (1, "d"): 0.3333333333333333)`},
		{`prob_table([("a", 2)])`, `!prob_table: rows: row 1, "a": got 2, want a chance from 0 to 1`},
		{`prob_table([("a", d(6))])`, `!prob_table: rows: row 1, "a": got a roll, want a number`},
		{`prob_table([("a", 0.5), "b"])`, `!prob_table: rows: row 2: got "b", want ("label", chance)`},
		{`prob_table([])`, `!prob_table: rows: got an empty list`},
		{`prob_table({"a": 0.5})`, `!write .items() after the dict`},
		{`prob_table({"a": 0.5}.items()).labels`, `["a"]`},
		{`prob_table(3)`, `!prob_table: rows: got 3, want a list of rows`},
		{`prob_table([("", 0.5)])`, `!prob_table: rows: row 1: the label: got an empty text`},
	})
	v, err := recipe(t, `prob_table([("c", 0.3)])`)
	if err != nil {
		t.Fatal(err)
	}
	if row := v.(*value.ProbTable).Rows()[0]; row.Chance.Cmp(big.NewRat(3, 10)) != 0 || row.Bound != 0 {
		t.Errorf("got %v", row)
	}
}

func TestGrid(t *testing.T) {
	v, err := recipe(t, `grid([10, "x"], through(1, 3), lambda r, c: d(6).p_ge(c) if r == 10 else c + 0.5, title="T", corner="C", digits=1)`)
	if err != nil {
		t.Fatal(err)
	}
	g := v.(*value.Grid)
	if got := fmt.Sprint(g.Title(), g.Corner(), g.Digits(), g.Rows(), g.Cols()); got != `TC1 [10 "x"] [1 2 3]` {
		t.Error(got)
	}
	if c := g.Cell(0, 2); c.Value.Cmp(big.NewRat(2, 3)) != 0 || !c.Prob {
		t.Errorf("got %v", c)
	}
	if c := g.Cell(1, 0); c.Value.Cmp(big.NewRat(3, 2)) != 0 || c.Prob {
		t.Errorf("got %v", c)
	}
	checkRecipes(t, [][2]string{
		{`grid([1], [2], lambda r, c: d(6))`, `!grid: fn: returned a roll for 1 and 2, want a chance or a number: ask the roll for its mean()`},
		{`grid([1], [2], lambda r, c: "x")`, `!grid: fn: returned "x" for 1 and 2, want a chance or a number`},
		{`grid([1], [2], lambda r, c: None)`, `!grid: fn: returned nothing for 1 and 2`},
		{`grid([1], [2], lambda r: 1)`, `!grid: fn: the lambda takes 1 argument, but it is given 2: the row and the column`},
		{`grid([], [2], lambda r, c: 1)`, `!grid: rows: got an empty list`},
		{`grid([1], 2, lambda r, c: 1)`, `!grid: cols: got 2, want a list`},
		{`grid([1], [(1, 2)], lambda r, c: 1)`, `!grid: cols: item 1: got a tuple, want a whole number or text`},
		{`grid([1], [2], lambda r, c: 1, digits=-1)`, `!grid: digits: got -1, want at least 0`},
		{`grid([1], [2], lambda r, c: 1, title=3)`, `!grid: title: got 3, want text`},
	})
}

func TestCompareRolls(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`compare([("a", d(6)), ("b", dice_pool(2, 4)), ("c", 3)])`, `Comparison(a: DieRoll 1..6, mean 3.500; b: DieRoll 2..8, mean 5.000; c: DieRoll 3)`},
		{`compare([("a", d(6)), ("a", d(4))])`, `!compare: rolls: row 2: the label "a" comes twice`},
		{`compare([("a", 0.5)])`, `!compare: rolls: row 1, "a": got 0.5, want a roll`},
		{`compare([d(6)])`, `!compare: rolls: row 1: got a roll, want ("label", roll)`},
	})
}

func TestOutput(t *testing.T) {
	h := &host{}
	env := &runenv.Env{Context: context.Background(), Host: h}
	for _, c := range [][2]string{
		{`output("a", d(6))`, `"a" true DieRoll 1..6, mean 3.500`},
		{`output(dice_pool(2, 6))`, `"" false DicePool 2d6`},
		{`output(value=3)`, `"" false 3`},
		{`output(value="x", title="t")`, `"t" true "x"`},
		{`output("just text")`, `"" false "just text"`},
		{`output("b", through(1, 3))`, `"b" true 1..3`},
		{`output("b", True)`, `"b" true True`},
		{`output("b", scale().step("x"))`, `"b" true scale().step("x")`},
	} {
		h.shown = nil
		if _, err := recipeIn(t, c[0], env); err != nil || len(h.shown) != 1 || h.shown[0] != c[1] {
			t.Errorf("%s: got %v, %v; want %s", c[0], h.shown, err, c[1])
		}
	}
	checkRecipes(t, [][2]string{
		{`output()`, `!output: value: missing; write output("title", value) or output(value)`},
		{`output(d(6), "title")`, `!output: title: got a roll, want text: the title comes first`},
		{`output("a", None)`, `!output: value: got None, want something to show; does the function that made it end in a return?`},
		{`output("a", d)`, `!output: value: got the function d, want something to show; did you mean to call it: d(...)?`},
		{`output("a", range(3))`, `!output: value: got a value of type range, which can't be shown`},
		{`output(1, 2)`, `!output: title: got 1, want text in quotes`},
	})
	if _, err := recipeIn(t, `output("a", 1)`, &runenv.Env{}); err == nil || err.Error() != "output: only the main file shows results; a module returns them" {
		t.Errorf("got %v", err)
	}
}

func TestParam(t *testing.T) {
	set := map[string]starlark.Value{
		"skill": starlark.MakeInt(60), "low": starlark.MakeInt(-1), "word": starlark.String("cook"), "bonus": starlark.MakeInt(2),
	}
	env := &runenv.Env{Context: context.Background(), Host: &host{params: set}}
	for _, c := range [][2]string{
		{`param("skill", 45)`, `60`},
		{`param("other", 45)`, `45`},
		{`param("bonus", 0.5)`, `2.0`},
		{`param("word", "fight", choices=["fight", "cook"])`, `cook`},
	} {
		if v, err := recipeIn(t, c[0], env); err != nil || printed(v) != c[1] {
			t.Errorf("%s: got %v, %v; want %s", c[0], v, err, c[1])
		}
	}
	for _, c := range [][2]string{
		{`param("skill", 45, max=50)`, `param: skill: got 60, want at most 50`},
		{`param("low", 45, min=0)`, `param: low: got -1, want at least 0`},
		{`param("skill", "x")`, `param: skill: got 60, want text`},
		{`param("skill", True)`, `param: skill: got 60, want True or False`},
		{`param("word", "a", choices=["a", "b"])`, `param: word: got "cook", want one of "a", "b"`},
		{`param("word", 1)`, `param: word: got "cook", want a whole number`},
	} {
		if _, err := recipeIn(t, c[0], env); err == nil || err.Error() != c[1] {
			t.Errorf("%s: got %v, want %s", c[0], err, c[1])
		}
	}
	checkRecipes(t, [][2]string{
		{`param("", 1)`, `!param: name: got an empty name`},
		{`param("x")`, `!param: default: missing`},
		{`param("x", d(6))`, `!param: default: got a roll, want a whole number, a fraction, text, or True or False`},
		{`param("x", 5, max=3)`, `!param: x: default: got 5, want at most 3`},
		{`param("x", "a", min=3)`, `!param: min: only a number has one`},
		{`param("x", 1, min=0.5)`, `!param: min: got 0.5, want a whole number`},
		{`param("x", 1, choices=[])`, `!param: choices: got an empty list`},
		{`param("x", 1, choices=[1, "b"])`, `!param: choices: item 2: got "b", want a whole number like the default`},
		{`param("x", 1, choices=[2])`, `!param: x: default: got 1, want one of 2`},
	})
}

func TestParameterFromText(t *testing.T) {
	declare := func(args ...starlark.Value) *Parameter {
		p, err := ParameterOf(append(starlark.Tuple{starlark.String("x")}, args...), nil)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, c := range []struct {
		p          *Parameter
		text, want string
	}{
		{declare(starlark.MakeInt(1)), " 12 ", "12"},
		{declare(starlark.MakeInt(1)), "1.5", `x: got "1.5", want a whole number`},
		{declare(starlark.Float(1)), "1/4", "0.25"},
		{declare(starlark.Float(1)), "", `x: got "", want a number`},
		{declare(starlark.True), "false", "False"},
		{declare(starlark.True), "0", `x: got "0", want true or false`},
		{declare(starlark.String("a")), " b ", `" b "`},
	} {
		v, err := c.p.Parse(c.text)
		got := fmt.Sprint(v)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q: got %s, want %s", c.text, got, c.want)
		}
	}
	if _, err := ParameterOf(starlark.Tuple{starlark.String("x")}, nil); err == nil || err.Error() != "param: default: missing; write param(name, default, help=\"\", min=None, max=None, choices=None)" {
		t.Errorf("got %v", err)
	}
}
