package builtins

import (
	"testing"
)

func TestStatistics(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`(d(6) + d(6)).mean()`, `7`},
		{`(d(6) + d(6)).variance().fraction`, `35/6`},
		{`(d(6) * 2).variance().fraction`, `35/3`},
		{`type(d(6).mean())`, `Number`},
		{`type(d(6).sd())`, `float`},
		{`d(2).sd()`, `0.5`},
		{`d(1).sd()`, `0.0`},
		{`d(1).variance()`, `0`},
		{`d(1).skewness()`, `!skewness: roll: the skewness is not defined for a roll with a single outcome`},
		{`d(1).kurtosis()`, `!kurtosis: roll:`},
		{`d(1).entropy()`, `0.0`},
		{`(d(2) * d(2)).skewness() > 0`, `True`},
		{`(-(d(2) * d(2))).skewness() < 0`, `True`},
		{`d(6).median()`, `3`},
		{`(d(6) + d(6)).median()`, `7`},
		{`(-d(6)).median()`, `-4`},
		{`(d(6) + d(6)).mode()`, `[7]`},
		{`d(4).mode()`, `[1, 2, 3, 4]`},
		{`(d(6) - d(4)).min(), (d(6) - d(4)).max()`, `(-3, 5)`},
		{`(d(6) * d(6)).support()`, `[1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 16, 18, 20, 24, 25, 30, 36]`},
		{`(d(6) * d(6)).support_size()`, `18`},
		{`(d(6) + d(6)).entropy() < d(11).entropy()`, `True`},
		{`d(6).error`, `0.0`},
	})
}

// A quantile is the smallest result whose cumulative chance reaches the share.
func TestQuantile(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`d(10).quantile(0)`, `1`},
		{`d(10).quantile(0.1)`, `1`},
		{`d(10).quantile("11%")`, `2`},
		{`d(3).quantile("1/3")`, `1`},
		{`d(3).quantile("2/3")`, `2`},
		{`d(10).quantile(d(5).pmf(1))`, `2`},
		{`d(10).quantile(1)`, `10`},
		{`[(d(6) + d(6)).quantile(q) for q in ["1/36", "1/6", "5/12", "7/12", "35/36", 1]]`, `[2, 4, 6, 7, 11, 12]`},
		{`d(10).quantile(90)`, `!quantile: q: got 90, want a chance from 0 to 1; for a percentage write it in quotes, like "30%"`},
		{`d(10).quantile(-1)`, `!quantile: q: got -1, want a chance from 0 to 1`},
		{`d(10).quantile("half")`, `!quantile: q: got "half", want a number`},
		{`d(10).quantile()`, `!quantile: q: missing; write .quantile(q)`},
	})
}
