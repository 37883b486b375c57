package builtins

import (
	"testing"
)

func TestKeptDice(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`dice_pool(4, 6).drop_lowest().pmf(18).fraction`, `7/432`}, // 21 of 1296 hold three sixes
		{`dice_pool(4, 6).highest(3).pmf(3).fraction`, `1/1296`},
		{`dice_pool(2, 20).highest().p_ge(15).fraction`, `51/100`},
		{`dice_pool(2, 20).lowest().p_ge(15).fraction`, `9/100`},
		{`dice_pool(3, 6).highest(0)`, `DieRoll 0`},
		{`dice_pool(3, 6).lowest(0)`, `DieRoll 0`},
		{`dice_pool(3, 6).highest(7).mean()`, `10.5`},
		{`dice_pool(3, 6).lowest(k = 3).mean()`, `10.5`},
		{`dice_pool(3, 6).drop_lowest(0).mean()`, `10.5`},
		{`dice_pool(3, 6).drop_highest(9).pmf(1).fraction`, `91/216`}, // the lowest stays
		{`dice_pool(3, 6).drop_lowest(9).pmf(6).fraction`, `91/216`},
		{`dice_pool(3, 6).highest(-1)`, `!highest: k: got -1, want at least 0`},
		{`dice_pool(3, 6).drop_lowest(-1)`, `!drop_lowest: k: got -1, want at least 0`},
		{`pool(d(4), d(12)).highest().pmf(12).fraction`, `1/12`},
		{`pool(d(4), d(12)).sum().mean()`, `9`},
		{`type(dice_pool(3, 6).sum())`, `DieRoll`},
	})
}

// Of an even surplus as many dice go at either end; of an odd one the extra die
// goes from the high end.
func TestMiddleDice(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`dice_pool(3, 6).middle_of(1).pmf(1).fraction`, `2/27`},
		{`dice_pool(3, 6).middle_of(2).pmf(2).fraction`, `2/27`},   // two of three show 1
		{`dice_pool(3, 6).middle_of(2).pmf(12).fraction`, `1/216`}, // all show 6
		{`dice_pool(2, 6).middle_of(1).pmf(6).fraction`, `1/36`},
		{`middle_of(dice_pool(5, 100), 3).mean().fraction`, `303/2`},
		{`middle_of(keep = 2, pool = dice_pool(2, 6)).mean()`, `7`},
		{`dice_pool(3, 6).middle_of(0)`, `!middle_of: keep: got 0, want 1 to 3, the number of dice`},
		{`dice_pool(3, 6).middle_of(4)`, `!middle_of: keep: got 4, want 1 to 3, the number of dice`},
		{`middle_of(d(6), 1)`, `!middle_of: pool: got a roll, want a dice pool`},
		{`middle_of([1, 2], 1)`, `!middle_of: pool: got a list, want a dice pool`},
		{`dice_pool(3, 6).order_stat(1).pmf(6).fraction, order_stat(dice_pool(3, 6), 3).pmf(6).fraction`, `("91/216", "1/216")`},
		{`dice_pool(3, 6).order_stat(0)`, `!order_stat: k: got 0, want 1 to 3, the number of dice`},
		{`dice_pool(3, 6).order_stat(4)`, `!order_stat: k: got 4, want 1 to 3, the number of dice`},
	})
}

func TestMatchingDice(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`dice_pool(10, 6).count(at_least(5)).pmf(3).fraction`, `5120/19683`},
		{`count(pool(d(2), d(4)), 1).pmf(2).fraction`, `1/8`},
		{`dice_pool(3, 6).count(7)`, `DieRoll 0`},
		{`dice_pool(3, 6).count([])`, `!count: spec: got an empty list`},
		{`dice_pool(3, 6).count()`, `!count: spec: missing; write .count(spec, again=None)`},
		{`count(3, 6)`, `!count: pool: got 3, want a dice pool, as dice_pool(count, sides) makes one`},
		{`dice_pool(2, 6).p_any(6).fraction, dice_pool(2, 6).p_none(6).fraction`, `("11/36", "25/36")`},
		{`dice_pool(2, 6).p_any(7).fraction, dice_pool(2, 6).p_none(7).fraction`, `("0", "1")`},
		{`[dice_pool(2, 6).p_at_least(k, 6).fraction for k in [-1, 0, 1, 2, 3]]`, `["1", "1", "11/36", "1/36", "0"]`},
		{`dice_pool(2, 6).p_at_least(spec = [5, 6], k = 2).fraction`, `1/9`},
		{`pool(d(4), d(6), d(6)).p_none(4).fraction`, `25/48`},
		{`pool(d(4), d(6), d(6)).p_any([5, 6]).fraction`, `5/9`},
		{`dice_pool(1000000, 6).p_any(6)`, `!p_any: pool: it has 1000000 dice, too many for an exact chance`},
		{`dice_pool(1000000, 6).p_any(7).fraction`, `0`},
		{`dice_pool(2, 6).p_any("6")`, `!p_any: spec: got "6", want a whole number, a list of them, or a band`},
		{`dice_pool(2, 6).p_at_least("two", 6)`, `!p_at_least: k: got "two", want a whole number`},
	})
}

// Without faces the question is about the size of the pool.
func TestChancesAboutTheSize(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`p = dice_pool(3, 6)
p.p_any().fraction, p.p_none().fraction, p.p_any(None).fraction`, `("1", "0", "1")`},
		{`p = dice_pool(3, 6)
[p.p_at_least(k).fraction for k in [0, 3, 4]]`, `["1", "1", "0"]`},
	})
}

func TestSetsAndStraights(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`dice_pool(5, 6).largest_set().pmf(5).fraction`, `1/1296`},
		{`dice_pool(2, 6).largest_set().pmf(2).fraction`, `1/6`},
		{`dice_pool(1, 6).largest_set()`, `DieRoll 1`},
		{`dice_pool(5, 6).sets(2).pmf(2).fraction`, `175/648`}, // 1800 times two pairs and 300 full houses
		{`dice_pool(5, 6).sets(6)`, `DieRoll 0`},
		{`dice_pool(5, 6).sets(0)`, `!sets: width: got 0, want at least 1`},
		{`dice_pool(5, 6).sets()`, `!sets: width: missing; write .sets(width)`},
		{`dice_pool(3, 6).longest_run().pmf(3).fraction`, `1/9`},
		{`dice_pool(2, 6).longest_run().pmf(2).fraction`, `5/18`},
		{`dice_pool(2, 6).unique().mean().fraction`, `11/6`},
		{`dice_pool(4, 6).pairs().pmf(2).fraction`, `2/27`},
		{`dice_pool(2, 6).pairs().mean().fraction`, `1/6`},
		{`pool(d(2), d(3)).pairs().pmf(1).fraction`, `1/3`},
	})
}

func TestRollsHaveNoDice(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`(dice_pool(2, 6) // 2).highest()`, `!highest: got a roll, want a dice pool; a roll is one total`},
		{`d(6).size`, `!size: got a roll, want a dice pool`},
		{`d(6).hihgest()`, `!DieRoll has no .hihgest`},
		{`hasattr(d(6), "highest"), hasattr(dice_pool(2, 6), "highest")`, `(False, True)`},
	})
}

func TestPartsOfPools(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`(dice_pool(2, 6) + d(8)).size`, `3`},
		{`dice_pool(1000000, 6).size`, `1000000`},
		{`[die.max() for die in dice_pool(2, 6).dice]`, `[6, 6]`},
		{`pool(dice_pool(2, 6).dice).size`, `2`},
		{`dice_pool(257, 6).dice`, `!dice: pool: it has 257 dice, want at most 256 to list`},
		{`dice_pool(3, 6).error`, `0.0`},
		{`dice_pool(3, 6).mean(), dice_pool(3, 6).median(), dice_pool(3, 6).mode()`, `(10.5, 10, [10, 11])`},
	})
}
