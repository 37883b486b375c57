package builtins

import (
	"testing"
)

// Faces are changed on each die of a pool, which stays a pool; clamp and shift
// change the total.
func TestTransformationsOfPools(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`p = dice_pool(3, 6)
[type(x) for x in [p.keep(1), p.remove(1), p.convert(1, 0), p.ignore(1), p.clamp(4, 9), p.shift(1)]]`,
			`["DicePool", "DicePool", "DicePool", "DicePool", "DieRoll", "DieRoll"]`},
		{`dice_pool(2, 6).keep(at_least(5)).p_eq(12).fraction`, `1/4`},
		{`dice_pool(2, 6).remove(1).mean()`, `8`},
		{`dice_pool(3, 6).remove([1, 2]).highest().p_eq(6).fraction`, `37/64`},
		{`dice_pool(2, 6).convert(1, 6).pmf(12).fraction`, `1/9`},
		{`dice_pool(2, 6).ignore(at_most(3)).pmf(0).fraction`, `1/4`},
		{`dice_pool(2, 6).ignore(1).largest_set().pmf(2).fraction`, `1/6`},
		{`dice_pool(2, 6).clamp(4, 10).pmf(4).fraction, dice_pool(2, 6).clamp(4, 10).pmf(10).fraction`, `("1/6", "1/6")`},
		{`pool(d(4), d(6)).keep(5)`, `!keep: spec: no outcome is left`},
		{`pool(d(4), d(6)).keep(at_least(4)).size`, `2`},
	})
}

func TestTransformationsOfRolls(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`(dice_pool(2, 6) // 1).keep(at_least(11)).pmf(11).fraction`, `2/3`},
		{`d(6).keep(3)`, `DieRoll 3`},
		{`d(6).remove(through(1, 6))`, `!remove: spec: `},
		{`d(6).remove(7).mean()`, `3.5`},
		{`d(20).convert(to = 0, spec = 1).mean().fraction`, `209/20`},
		{`d(6).convert([], 0)`, `!convert: spec: got an empty list`},
		{`d(6).convert(1)`, `!convert: to: missing; write .convert(spec, to)`},
		{`d(6).convert(1, "none")`, `!convert: to: got "none", want a whole number`},
		{`d(6).clamp(7, 9)`, `DieRoll 7`},
		{`d(6).clamp(max = 0)`, `DieRoll 0`},
		{`(d(6) - 3).clamp(0).pmf(0).fraction`, `1/2`},
		{`shift(7, 3)`, `DieRoll 10`},
		{`shift(delta = -1, roll = d(6)).min()`, `0`},
		{`d(6).shift((1 << 63) - 1)`, `!shift: `},
		{`d(6).shift(0.5)`, `!shift: delta: got 0.5, want a whole number`},
	})
}
