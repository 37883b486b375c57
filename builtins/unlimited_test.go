package builtins

import (
	"testing"
)

// An exploding d6 without a limit has the mean m = 7/2 + m/6, which is 21/5, and
// E X² = 91/6 + 2m + E X²/6, which is 707/25. Half of all rolls are at most 3, but
// with an error nobody can tell that from a little less than half.
func TestUnlimitedRolls(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`explode(d(6), None).mean().fraction`, `21/5`},
		{`explode(d(6), None).mean().error`, `0.0`},
		{`explode(d(6), None).variance().fraction`, `266/25`},
		{`explode(d(6), None).min()`, `1`},
		{`explode(d(6), None).median()`, `!median: roll: this quantile is not known`},
		{`explode(d(6), None).quantile(0.4)`, `3`},
		{`explode(d(8), None).quantile("90%")`, `10`},
		{`explode(d(6), None).max()`, `!max: roll: the highest result is not known for this unlimited roll; give the roll a limit`},
		{`(-explode(d(6), None)).min()`, `!min: roll: the lowest result is not known for this unlimited roll`},
		{`(-explode(d(6), None)).max()`, `-1`},
		{`explode(d(6), None).support()`, `!support: roll:`},
		{`explode(d(6), None).support_size()`, `!support_size: roll:`},
		{`explode(d(6), None).entropy()`, `!entropy: roll: the entropy is not known for this unlimited roll`},
		{`explode(d(6), None).skewness()`, `!skewness: roll:`},
		{`explode(d(6), None).clamp(1, 4).support()`, `[1, 2, 3, 4]`},
		{`r = explode(d(6), None)
0 < r.error and r.error < 1e-20`, `True`},
		{`explode(d(6)).error`, `0.0`},
		{`r = explode(d(6), None)
pool(r, r).error == (r + r).sum().error`, `True`},
		{`r = explode(d(6), None)
pool(r, r, d(6)).mean().fraction`, `119/10`},
		{`r = explode(d(6), None)
pool(r, d(6)).highest().p_ge(6).error > 0`, `True`},
	})
}

// What is certain about an unlimited roll carries no error.
func TestChancesOfUnlimitedRolls(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`r = explode(d(6), None)
[p.error == 0 for p in [r.p_ge(1), r.p_lt(1), r.pmf(0), r.cdf(0), r.p_in(at_least(1)), r.p_in(at_most(0)), r.pmf(2.5), r.p_gt(0.5)]]`, `[True, True, True, True, True, True, True, True]`},
		{`r = explode(d(6), None)
[p.error > 0 for p in [r.p_ge(2), r.p_le(1), r.pmf(1), r.pmf(1 << 40), r.p_ge(1 << 40), r.p_in([1, 2]), r.p_in(through(1, 5)), r.p_gt(d(6))]]`, `[True, True, True, True, True, True, True, True]`},
		{`r = explode(d(6), None)
r.p_ge(1).fraction, r.p_in(at_most(0)).fraction`, `("1", "0")`},
		{`(-explode(d(6), None)).p_le(-1).error`, `0.0`},
		{`r = explode(d(6), None)
pool(r, r).p_at_least(0, 6).error == 0, pool(r, r).p_any().error == 0, pool(r, r).p_any(6).error > 0`, `(True, True, True)`},
	})
}
