package builtins

import (
	"testing"
)

func TestIterate(t *testing.T) {
	weather := "def f(s):\n  return d(4).map(lambda x: s if x > 1 else (\"rain\" if s == \"sun\" else \"sun\"))\n"
	experience := "def f(s):\n  return either(d(100).p_gt(min(s, 99)), s + d(6), s)\n"
	checkRecipes(t, [][2]string{
		{`iterate(0, lambda x: x + d(6), 3).mean()`, `10.5`},
		{`same(iterate(0, lambda x: x + d(6), 3), dice_pool(3, 6) + 0)`, `True`},
		{`iterate(7, lambda x: x, 0)`, `DieRoll 7`},
		// Two states that change with chance 1/4: 1/2 + 1/2 (1/2)^n.
		{weather + `iterate("sun", f, 3).pmf("sun").fraction`, `9/16`},
		{weather + `iterate("sun", f, 3).labels`, `["sun", "rain"]`},
		// Growth of a skill by experience rolls, from 35.
		{experience + `iterate(35, f, 1).mean().fraction`, `1491/40`},
		{experience + `round(iterate(35, f, 20).mean(), 12)`, `68.124307914102`},
		// A process of tuples.
		{`iterate((0, 0), lambda s: d(2).map(lambda x: (s[0] + 1, s[1]) if x == 1 else (s[0], s[1] + 1)), 4).pmf((2, 2)).fraction`, `3/8`},
		// A scale that all steps share stays.
		{`iterate("tie", lambda s: versus(d(6), d(6)) if s == "tie" else s, 2).p_at_least("tie").fraction`, `37/72`},
		{`iterate("tie", lambda s: versus(d(6), d(6)) if s == "tie" else s, None).p_at_least("win").fraction`, `1/2`},
		// A start that is itself rolled.
		{`same(iterate(d(6), lambda x: x + d(6), 1), dice_pool(2, 6) + 0)`, `True`},
		{`iterate(versus(d(6), d(6)), lambda s: versus(d(6), d(6)) if s == "tie" else s, None).pmf("tie")`, `0`},
	})
}

func TestIterateUntilItRests(t *testing.T) {
	checkRecipes(t, [][2]string{
		// The gambler's ruin with fair bets: from i of n, the chance of n is i/n.
		{`iterate(30, lambda x: x if x in (0, 100) else either("1/2", x - 1, x + 1), None).pmf(100).fraction`, `3/10`},
		// Craps: the shooter wins 244/495 of the time.
		{"def f(s):\n  if s == \"come out\":\n    return dice_pool(2, 6).map(lambda f: \"win\" if f[0] + f[1] in (7, 11) else \"lose\" if f[0] + f[1] in (2, 3, 12) else str(f[0] + f[1]))\n  if s in (\"win\", \"lose\"):\n    return s\n  return dice_pool(2, 6).map(lambda f: \"win\" if str(f[0] + f[1]) == s else \"lose\" if f[0] + f[1] == 7 else s)\niterate(\"come out\", f, None).pmf(\"win\").fraction", `244/495`},
		{`iterate(0, lambda x: 1 - x, None)`, `!iterate: step: the process need not end: from state 0 it never does`},
		{`iterate("a", lambda x: "b" if x == "a" else "a", None)`, `!from state "a" it never does`},
		{`iterate(5, lambda x: x, None)`, `DieRoll 5`},
	})
}

func TestFirstTime(t *testing.T) {
	six := `f = first_time(0, lambda s: d(6).map(lambda x: int(x == 6)), lambda s: s == 1, 4)` + "\n"
	checkRecipes(t, [][2]string{
		{six + `f.labels`, `[0, 1, 2, 3, 4, ">4"]`},
		{six + `[f.pmf(0).fraction, f.pmf(2).fraction, f.pmf(">4").fraction]`, `["0", "5/36", "625/1296"]`},
		{six + `f.p_at_most(4).fraction`, `671/1296`},
		{six + `f.mean()`, `!mean: a chance of 0.48225308641975306 is left beyond the limit, so there is no mean`},
		{six + `f.p_at_most(5)`, `!p_at_most: label: there is no label 5; the labels are 0, 1, 2, 3, 4, ">4"`},
		// How many d6 until the sum reaches 6: the mean is (7/6)^5.
		{`first_time(0, lambda s: s + d(6), lambda s: s >= 6, 6).mean().fraction`, `16807/7776`},
		{`first_time(5, lambda s: s + 1, lambda s: s >= 5, 0).pmf(0)`, `1`},
		// A start that is itself rolled takes no step.
		{`first_time(d(6), lambda s: s + d(6), lambda s: s >= 6, 5).pmf(0).fraction`, `1/6`},
		{`first_time(d(6), lambda s: s + d(6), lambda s: s >= 6, 5).labels`, `[0, 1, 2, 3, 4, 5, ">5"]`},
	})
}

func TestWalkErrors(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`iterate(0, lambda x: x + 1, -1)`, `!iterate: n: got -1, want at least 0`},
		{`iterate(0, lambda x: x + 1, 2.5)`, `!iterate: n: got 2.5, want a whole number`},
		{`iterate(0, 3, 5)`, `!iterate: step: got 3, want a function`},
		{`iterate([0], lambda x: x, 5)`, `!iterate: start: got a list, want a state`},
		{`iterate(0, lambda x: None, 5)`, `!iterate: step: returned nothing for 0`},
		{`iterate(0, lambda x: [x], 5)`, `!iterate: step: returned a list for 0, want the next state: a whole number, a label, a tuple`},
		{`iterate(0, lambda x: x / 2, 5)`, `!iterate: step: returned 0.0 for 0, want the next state`},
		{`iterate(0, lambda x, y: x, 5)`, `!iterate: step: the lambda takes 2 arguments, but it is given 1: the state`},
		{`first_time(0, lambda s: s, lambda s: d(6).p_ge(2), 3)`, `!first_time: done: returned a chance (0.8333333333333334) for 0, want True or False`},
		{`first_time(0, lambda s: s, lambda s: d(6), 3)`, `!first_time: done: returned a roll for 0, want True or False`},
		{`first_time(0, lambda s: s, lambda s: 1, 3)`, `!first_time: done: returned 1 for 0, want True or False`},
		{`first_time(0, lambda s: s, lambda s: False, -1)`, `!first_time: limit: got -1, want at least 0`},
	})
}

// step is called once for every state, however often it is reached.
func TestStepIsCalledOncePerState(t *testing.T) {
	checkRecipes(t, [][2]string{
		{"calls = []\ndef f(s):\n  calls.append(s)\n  return d(5)\niterate(1, f, 50)\nlen(calls)", `5`},
		{"calls = []\ndef f(s):\n  calls.append(s)\n  return 1 if s == 1.0 else 1\niterate(1, f, 50)\ncalls", `[1]`},
	})
}

func TestEvaluate(t *testing.T) {
	checkRecipes(t, [][2]string{
		// The best set of five dice, against all of them laid down.
		{"def f(faces):\n  return max([faces.count(x) for x in faces])\ndef best(s, face, count):\n  return max(s, count)\nsame(dice_pool(4, 6).evaluate(best, 0), dice_pool(4, 6).map(lambda faces: max([len([y for y in faces if y == x]) for x in faces])))", `True`},
		{`dice_pool(3, 6).evaluate(lambda s, face, count: s + face * count, 0).mean()`, `10.5`},
		// Every face that a die can show is visited, also when none shows it.
		{`pool(d(2), die_faces([5, 7])).evaluate(lambda s, face, count: s + (face,), ()).labels`, `[(1, 2, 5, 7)]`},
		// The state can be a tuple, and finish says what it is worth.
		{`dice_pool(5, 6).evaluate(lambda s, face, count: (max(s[0], count), s[1] + (1 if count >= 2 else 0)), (0, 0), lambda s: s[0] == 3 and s[1] == 2).fraction`, `25/648`},
		{`dice_pool(2, 6).evaluate(lambda s, face, count: s + count, 0, lambda n: d(6)).mean()`, `3.5`},
		{`dice_pool(2, 6).evaluate(lambda s, face: s, 0)`, `!evaluate: step: the lambda takes 2 arguments, but it is given 3: the state, a face, and how many dice show it`},
		{`dice_pool(2, 6).evaluate(lambda s, face, count: [s], 0)`, `!evaluate: step: returned a list for 0, 1 and 0, want a state that can't change`},
		{`dice_pool(2, 6).evaluate(lambda s, face, count: None, 0)`, `!evaluate: step: returned nothing for 0, 1 and 0`},
		{`dice_pool(2, 6).evaluate(lambda s, face, count: s, [])`, `!evaluate: start: got a list, want a state that can't change`},
		{`dice_pool(2, 6).evaluate(lambda s, face, count: s, 0, lambda s: None)`, `!evaluate: finish: returned nothing for 0`},
	})
}
