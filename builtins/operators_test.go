package builtins

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"

	"dicescript/builtins/internal/exact"
	"dicescript/builtins/runenv"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

func TestRollArithmetic(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`d(6) + d(6)`, `DieRoll 2..12, mean 7.000`},
		{`d(6) * 2 - 1`, `DieRoll 1..11, mean 6.000`},
		{`10 - d(6)`, `DieRoll 4..9, mean 6.500`},
		{`-d(6) // 2`, `DieRoll -3..-1, mean -2.000`},
		{`(d(6) % 2).mean()`, `0.5`},
		{`d(6) // (d(2) - 1)`, `!//: divisor: it can be 0`},
		{`d(6) / 2`, `!/: a roll is divided by //, which rounds down`},
		{`d(6) + "x"`, `!+: only text can be joined with text`},
		{`d(6) * 1.5`, `!*: a roll holds whole numbers and can't be combined with 1.5`},
		{`d(6) + d(6).p_ge(3)`, `!+: a roll can't be combined with a chance`},
		{`d(6) + (1 << 70)`, `!want a whole number from -2^63 to 2^63-1`},
		{`dice_pool(2, 6) + dice_pool(2, 6)`, `DicePool 4d6`},
		{`d(8) + dice_pool(2, 6)`, `DicePool 1d8 + 2d6`},
		{`dice_pool(2, 6) + 3`, `DieRoll 5..15, mean 10.000`},
		{`dice_pool(2, 6) // 2`, `DieRoll 1..6, mean 3.250`},
		{`(dice_pool(2, 6) * 2).support()[1]`, `6`},
	})
}

// text % value writes any value by %s and chances as floats.
func TestFormatting(t *testing.T) {
	thread := &starlark.Thread{}
	for _, c := range [][3]string{
		{`"%s"`, `d(6)`, `DieRoll 1..6, mean 3.500`},
		{`"%f"`, `d(4).p_eq(1)`, `0.250000`},
		{`"%d%% %s %g"`, `(25, d(4).p_eq(1), d(6).mean())`, `25% 0.25 3.5`},
		{`"%d"`, `7`, `7`},
	} {
		x, _ := recipe(t, c[0])
		y, err := recipe(t, c[1])
		if err != nil {
			t.Fatal(err)
		}
		got, err := value.Binary(thread, syntax.PERCENT, x, y)
		if err != nil || printed(got) != c[2] {
			t.Errorf("%s %% %s: got %v, %v, want %s", c[0], c[1], got, err, c[2])
		}
	}
}

// What arithmetic of chances gives is a chance only where both sides are.
func TestExactArithmetic(t *testing.T) {
	checkRecipes(t, [][2]string{
		{"p = d(6).p_eq(6)\n[type(x) for x in [p + p, p * p, 1 - p, p - p, p / (p + p), p.power(2), p * 1]]", `["Prob", "Prob", "Prob", "Prob", "Prob", "Prob", "Prob"]`},
		{"p = d(6).p_ge(2)\n[type(x) for x in [p + p, 100 * p, p / d(6).p_eq(6), 2 * p, -p, p.power(-1), d(6).p_eq(6) - p]]", `["Number", "Number", "Number", "Number", "Number", "Number", "Number"]`},
		{`(1 - d(6).p_eq(6).power(4)).fraction`, `1295/1296`},
		{"p = d(6).p_ge(4)\nq = d(8).p_ge(7)\n[x.fraction for x in [p & q, p | q, ~p, ~(p | q)]]", `["1/8", "5/8", "1/2", "3/8"]`},
		{"p = d(6).p_ge(4)\ntype(p | p)", `Prob`},
		{"p = explode(d(6), None).p_ge(7)\n[x.error > 0 for x in [p & p, p | p, ~p]]", `[True, True, True]`},
		{`100 * d(20).p_ge(15)`, `30`},
		{`d(20).p_ge(15) * 0.5`, `0.15`},
		{`d(6).p_eq(6) / 0`, `!/: division by zero`},
		{`1 / (d(6).p_eq(6) - d(6).p_eq(1))`, `!/: division by zero`},
		{`(d(6).mean() // 1, d(6).mean() % 1, -d(6).mean() // 1)`, `(3, 0.5, -4)`},
		{`d(6).p_eq(6) + "x"`, `!+: only text can be joined with text`},
		{`sum([d(6).p_eq(n) for n in range(1, 7)]).fraction`, `1`},
		{`type(sum([d(6).p_eq(n) for n in range(1, 7)]))`, `Prob`},
		{`d(6).mean().power(1 << 60)`, `!power: n: got 1152921504606846976, which makes a number of too many digits`},
		{`d(1).p_eq(1).power(1 << 60)`, `1`},
		{`d(10).p_eq(1).power(400)`, `1e-400`},
		{`d(2).p_eq(1).power(2000)`, `8.7098098162172167e-603`},
		{`-2 * d(2).p_eq(1).power(-2000)`, `-2.296261390548509e+602`},
		{`1 / d(10).p_eq(1).power(309) - 1`, `1e+309`},
	})
}

// The chance that an unlimited d6 totals a multiple of 6 is 0, and each number
// derived from such a roll knows how far it may be off.
func TestErrorsPropagate(t *testing.T) {
	checkRecipes(t, [][2]string{
		{"p = explode(d(6), None).p_ge(7)\n[x.error > 0 for x in [p, 1 - p, p * p, 100 * p, p / 3, 1 / p, p.power(3)]]", `[True, True, True, True, True, True, True]`},
		{"p = explode(d(6), None).p_ge(7)\n1 / (p - p)", `!/: the divisor is not certain to differ from 0`},
	})
}

func compared(t *testing.T, op syntax.Token, x, y string) (starlark.Value, error) {
	t.Helper()
	a, err := recipe(t, x)
	if err != nil {
		t.Fatal(err)
	}
	b, err := recipe(t, y)
	if err != nil {
		t.Fatal(err)
	}
	return value.Compare(&starlark.Thread{}, op, a, b)
}

func TestComparisons(t *testing.T) {
	for _, c := range []struct {
		x    string
		op   syntax.Token
		y    string
		want string // the fraction of a chance, a bool, or "!" and a part of the error
	}{
		{"d(20) + 5", syntax.GE, "15", "11/20"},
		{"15", syntax.LE, "d(20) + 5", "11/20"},
		{"d(6)", syntax.EQL, "6", "1/6"},
		{"d(6)", syntax.NEQ, "6", "5/6"},
		{"d(6)", syntax.GT, "d(6)", "5/12"},
		{"d(6)", syntax.LE, "d(6)", "7/12"},
		{"d(6)", syntax.EQL, "d(6)", "1/6"},
		{"d(6)", syntax.GE, "3.5", "1/2"},
		{"d(6)", syntax.GT, "d(6).mean()", "1/2"},
		{"d(6)", syntax.EQL, "3.5", "0"},
		{"d(6)", syntax.LT, "1 << 80", "1"},
		{"d(6)", syntax.GE, "1 << 80", "0"},
		{"d(6)", syntax.GT, "-(1 << 80)", "1"},
		{"dice_pool(2, 6)", syntax.IN, "[7, 11]", "2/9"},
		{"dice_pool(2, 6)", syntax.IN, "through(7, 9)", "5/12"},
		{"dice_pool(2, 6)", syntax.NOT_IN, "through(7, 9)", "7/12"},
		{"d(6)", syntax.EQL, "None", "False"},
		{"d(6)", syntax.NEQ, `"x"`, `!!=: a roll can't be compared with "x"`},
		{"d(6)", syntax.NEQ, "None", "True"},
		{"d(6)", syntax.EQL, `"6"`, `!==: "6" is text, and a roll shows numbers: write 6 without quotes`},
		{"d(6)", syntax.EQL, "[1, 2]", `!==: a roll shows one number, and is never equal to a list: the chance of one of several is written roll in [1, 2]`},
		{"d(6)", syntax.NEQ, "through(1, 3)", `!!=: a roll shows one number, and is never equal to the band 1..3: the chance of one of several is written roll not in 1..3`},
		{"6", syntax.IN, "dice_pool(3, 6)", `!in: a pool is not a list to look into: the chance that some die shows a 6 is (3d6).p_any(6), that of a total of 6 is 3d6 == 6`},
		{"6", syntax.IN, "dice_pool(3, 6).dice", `!in: this list holds rolls, and no roll is a number`},
		{`"x"`, syntax.LT, "d(6)", `!<: a roll can't be compared with "x"`},
		{"d(6)", syntax.GE, "d(6).p_eq(1)", "!a roll can't be compared with a chance"},
		{"d(6)", syntax.IN, "6", "!in: got 6, want a list of whole numbers or a band"},
		{"6", syntax.IN, "d(6)", "!in: a roll is not a list to look into"},
		{"d(6)", syntax.IN, `["x"]`, `!in: item 1 of the list: got "x", want a whole number`},
		{"d(4).p_eq(1)", syntax.EQL, "0.25", "True"},
		{"d(10).p_eq(1)", syntax.EQL, "0.1", "True"},
		{"explode(d(6), None).p_ge(7)", syntax.GT, "0.1", "True"},
		{"explode(d(6), None).p_ge(7)", syntax.NEQ, "1", "True"},
		{"explode(d(6), None).p_ge(7)", syntax.EQL, "d(6).p_eq(6)", "!too close to call"},
		{"explode(d(6), None).p_ge(7) - d(6).p_eq(6)", syntax.GT, "0", "!too close to call"},
		{"d(3).p_eq(1)", syntax.LT, "d(2).p_eq(1)", "True"},
		{"d(6).mean()", syntax.EQL, "3", "False"},
		{"d(1).p_eq(1)", syntax.EQL, "1", "True"},
		{"d(4).p_eq(1)", syntax.IN, "[0.25, 1]", "True"},
		{"0.25", syntax.IN, "[1, d(4).p_eq(1)]", "True"},
		{"3.5", syntax.IN, "(d(6), d(6).mean())", "True"},
		{"5", syntax.NOT_IN, "[d(9).mean(), None]", "False"},
		{"4", syntax.IN, "[d(4), d(6).mean()]", "False"},
		{"d(4).p_eq(1)", syntax.EQL, `"x"`, "False"},
		{"d(4).p_eq(1)", syntax.LT, `"x"`, `!<: got "x", want a number to compare with`},
		{"3", syntax.IN, "through(1, 5)", "True"},
		{"9", syntax.NOT_IN, "through(1, 5)", "True"},
		{"2", syntax.LT, "3", "True"},
		{`"a"`, syntax.IN, `"cat"`, "True"},
	} {
		v, err := compared(t, c.op, c.x, c.y)
		got := ""
		switch v := v.(type) {
		case *value.Prob:
			got = v.Rat().RatString()
		case starlark.Bool:
			got = v.String()
		}
		if err != nil {
			got = "!" + err.Error()
		}
		if got != c.want && !(err != nil && strings.HasPrefix(c.want, "!") && strings.Contains(got, c.want[1:])) {
			t.Errorf("%s %s %s: got %s, want %s", c.x, c.op, c.y, got, c.want)
		}
	}
}

func TestTruth(t *testing.T) {
	for source, want := range map[string]string{
		"d(6)":                    "a roll is not yes or no",
		"dice_pool(2, 6)":         "a roll is not yes or no",
		"d(6).p_ge(3)":            "a chance is not yes or no; compare it, as in p > 0.5",
		"d(6).mean()":             "True",
		"d(6).mean() * 0":         "False",
		"[]":                      "False",
		"through(1, 2)":           "True",
		"any([1, d(6)])":          "True",
		"all([0, d(6)])":          "False",
		"any([0, d(6)])":          "any: a roll is not yes or no",
		"bool(d(6).p_ge(2))":      "bool: a chance is not yes or no",
		"bool()":                  "False",
		"[] or d(6).p_eq(1)":      "a chance is not yes or no",
		"bool(starlark=1)":        "no such parameter",
		"all([d(6) for n in []])": "True",
	} {
		v, err := recipe(t, source)
		got := ""
		if err == nil {
			var ok bool
			ok, err = value.Truth(nil, v)
			got = starlark.Bool(ok).String()
		}
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", source, got, want)
		}
	}
}

func TestSame(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`same(d(6), uniform(1, 6))`, `True`},
		{`same(d(6), d(8))`, `False`},
		{`same(dice_pool(2, 6), d(6) + d(6))`, `True`},
		{`same(dice_pool(2, 6), pool(d(6), d(6)))`, `True`},
		{`same(pool(d(6), d(8)), pool(d(8), d(6)))`, `False`},
		{`same(3, constant(3)), same([d(6)], [d(6)]), same("a", d(6)), same(d(2).p_eq(1), 0.5)`, `(True, True, False, True)`},
		{"p = explode(d(6), None).p_ge(7)\nsame(p, p)", `True`},
		{`{d(6): "x"}[uniform(1, 6)]`, `x`},
		{`{d(2).p_eq(1): "x"}[d(4).p_le(2)]`, `x`},
	})
}

// A run pays for the total of a pool once, and pays the same whether another run
// has worked it out before or not.
func TestTotalsCostEveryRunTheSame(t *testing.T) {
	shared := NewPool(dist.Must(dist.Repeat(dist.Must(dist.Die(6)), 50)))
	var used []dist.Limits
	for range 3 {
		budget := dist.NewBudget(dist.Limits{})
		thread := &starlark.Thread{}
		runenv.Set(thread, &runenv.Env{Context: dist.WithBudget(context.Background(), budget)})
		for range 3 {
			if _, err := shared.Total(thread); err != nil {
				t.Fatal(err)
			}
		}
		used = append(used, budget.Used())
	}
	if used[0].Work == 0 || used[0] != used[1] || used[1] != used[2] {
		t.Errorf("the runs were charged %v", used)
	}
}

func TestTotalsAreRefusedBeforeTheWork(t *testing.T) {
	pool := NewPool(dist.Must(dist.Repeat(dist.Must(dist.Die(6)), 50)))
	thread := &starlark.Thread{}
	runenv.Set(thread, &runenv.Env{Context: dist.WithBudget(context.Background(), dist.NewBudget(dist.Limits{Outcomes: 100}))})
	if _, err := pool.Total(thread); err == nil {
		t.Error("a total of 251 outcomes was made with a limit of 100")
	}
	if _, err := pool.Total(&starlark.Thread{}); err != nil {
		t.Error(err)
	}
	if _, err := pool.Total(thread); err == nil {
		t.Error("a total of 251 outcomes was given out with a limit of 100")
	}
}

// Squaring a fraction over and over doubles its digits each time: the budget of
// the run ends that.
func TestExactArithmeticIsCharged(t *testing.T) {
	ctx := dist.WithBudget(context.Background(), dist.NewBudget(dist.Limits{Work: 1 << 24}))
	thread := &starlark.Thread{}
	runenv.Set(thread, &runenv.Env{Context: ctx})
	var p starlark.Value = dist1of6()
	var err error
	for range 40 {
		if p, err = value.Binary(thread, syntax.STAR, p, p); err != nil {
			break
		}
	}
	var limit *dist.LimitError
	if !errors.As(err, &limit) {
		t.Errorf("got %v", err)
	}
}

func dist1of6() *value.Prob { return value.NewProb(registered(), exact.New(big.NewRat(1, 6), 0)) }
