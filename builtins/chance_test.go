package builtins

import (
	"testing"
)

func TestChancesAgainstNumbers(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`[d(6).pmf(x).fraction for x in [0, 1, 6, 7, 1 << 80, -(1 << 80)]]`, `["0", "1/6", "1/6", "0", "0", "0"]`},
		{`[d(6).cdf(x).fraction for x in [0, 1, 6, 7, 1 << 80, -(1 << 80)]]`, `["0", "1/6", "1", "1", "1", "0"]`},
		{`[d(6).p_ge(x).fraction for x in [0, 1, 6, 7, 1 << 80, -(1 << 80)]]`, `["1", "1", "1/6", "0", "0", "1"]`},
		{`[d(6).p_gt(x).fraction for x in [0, 1, 6, 7, 1 << 80, -(1 << 80)]]`, `["1", "5/6", "0", "0", "0", "1"]`},
		{`[d(6).p_le(x).fraction for x in [0, 1, 6, 7]]`, `["0", "1/6", "1", "1"]`},
		{`[d(6).p_lt(x).fraction for x in [0, 1, 6, 7]]`, `["0", "0", "5/6", "1"]`},
		{`d(20).p_ge(10.5).fraction, d(20).p_ge(10).fraction`, `("1/2", "11/20")`},
		{`d(6).p_gt(d(6).mean()).fraction, d(6).p_eq(3.5).fraction`, `("1/2", "0")`},
		{`(d(4) * 2).pmf(3).fraction`, `0`},
		{`p_ge(7, 7).fraction, p_gt(7, 7).fraction`, `("1", "0")`},
		{`p_ge(x = 11, roll = dice_pool(2, 6)).fraction`, `1/12`},
		{`type(d(6).p_ge(3))`, `Prob`},
		{`d(6).p_ge("five")`, `!p_ge: x: got "five", want a whole number`},
		{`d(6).p_ge(None)`, `!p_ge: x: got None, want a whole number`},
		{`d(6).p_ge()`, `!p_ge: x: missing; write .p_ge(x)`},
		{`p_ge([4, 6], 3)`, `!p_ge: roll: got a list, want a roll; pool(a, b) puts dice together`},
	})
}

// With two equal d6, a tie has 1/6 and either side wins half of the rest.
func TestChancesAgainstRolls(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`r = d(6)
[f(r).fraction for f in [r.p_lt, r.p_le, r.p_eq, r.p_ge, r.p_gt]]`, `["5/12", "7/12", "1/6", "7/12", "5/12"]`},
		{`p_gt(7, dice_pool(2, 6)).fraction`, `5/12`},
		{`dice_pool(2, 6).p_ge(7).fraction`, `7/12`},
		{`d(20).p_eq(d(20) + 20).fraction`, `0`},
		{`dice_pool(2, 6).p_gt(d(12)).fraction`, `1/2`},
		{`d(6).pmf(d(6))`, `!pmf: x: got a roll, want a number; p_eq, p_ge and the like take another roll`},
		{`d(6).cdf(d(6))`, `!cdf: x: got a roll, want a number; p_eq, p_ge`},
	})
}

func TestChancesOfSpecs(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`dice_pool(2, 6).p_in([7, 11]).fraction`, `2/9`},
		{`p_in(dice_pool(2, 6), [7, 7, 11]).fraction`, `2/9`},
		{`d(6).p_in(3).fraction`, `1/6`},
		{`d(6).p_in(at_least(5)).fraction, d(6).p_in(at_most(2)).fraction, d(6).p_in(through(2, 4)).fraction`, `("1/3", "1/3", "1/2")`},
		{`d(6).p_in(at_least(7)).fraction, d(6).p_in([0, 7]).fraction`, `("0", "0")`},
		{`d(6).p_in([])`, `!p_in: spec: got an empty list, want at least one whole number`},
		{`d(6).p_in(["six"])`, `!p_in: spec: item 1 of the list: got "six", want a whole number`},
		{`d(6).p_in(d(6))`, `!p_in: spec: got a roll`},
	})
}
