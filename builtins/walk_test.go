package builtins

import "testing"

func TestIterate(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`iterate(7, lambda x: x, 0)`, `DieRoll 7`},
		// Two states that change with chance 1/4: 1/2 + 1/2 (1/2)^n.
		// Growth of a skill by experience rolls, from 35.
		// A process of tuples.
		// A scale that all steps share stays.
		{`iterate("tie", lambda s: versus(d(6), d(6)) if s == "tie" else s, 2).p_at_least("tie").fraction`, `37/72`},
		{`iterate("tie", lambda s: versus(d(6), d(6)) if s == "tie" else s, None).p_at_least("win").fraction`, `1/2`},
		// A start that is itself rolled.
		{`iterate(versus(d(6), d(6)), lambda s: versus(d(6), d(6)) if s == "tie" else s, None).pmf("tie")`, `0`},
	})
}

func TestIterateUntilItRests(t *testing.T) {
	checkRecipes(t, [][2]string{
		// The gambler's ruin with fair bets: from i of n, the chance of n is i/n.
		// Craps: the shooter wins 244/495 of the time.
		{`iterate(0, lambda x: 1 - x, None)`, `!iterate: step: the process need not come to rest: from state 0 it never does`},
		{`iterate("a", lambda x: "b" if x == "a" else "a", None)`, `!from state "a" it never does`},
		{`iterate(5, lambda x: x, None)`, `DieRoll 5`},
	})
}

func TestFirstTime(t *testing.T) {
	checkRecipes(t, [][2]string{
		// How many d6 until the sum reaches 6: the mean is (7/6)^5.
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
