package lang_test

import (
	"context"
	"math/big"
	"testing"

	"dicescript/dist"
	"dicescript/lang"
)

// The workloads with callbacks that other dice engines are measured on too. The
// engine's own are in package dist, under the same name. Every result is checked
// against an enumeration.

// peers are recipes whose last line puts out the result.
var peers = []struct {
	name   string
	recipe string
	check  func(testing.TB, *lang.Result)
}{
	{"callback_100x100", `
def level(a, b):
    if a <= 5 and b > a:
        return "critical"
    if a <= 50 and b > 30:
        return "success"
    return "failure"
output("level", map(level, d(100), d(100)))
`, checkLevels},
	{"markov_30", `
def step(n):
    return either("1/3", min(n + 1, 100), max(n - 1, 0))
output("place", iterate(20, step, 30))
`, checkWalk},
	{"two_pools", `
def first_wins(a, b):
    return a[4] > b[4] or (a[4] == b[4] and a[3] > b[3])
output("wins", map_sorted(first_wins, dice_pool(5, 10), dice_pool(5, 10)))
`, checkPools},
	{"best_two_mixed_20", `output("sum", pool(4d4, 4d6, 4d8, 4d10, 4d12).map_sorted(lambda a: a[-1] + a[-2]))`, checkBestTwo},
	{"range_of_5_cards", `output("range", deck(range(52)).deal(5).map_sorted(lambda a: a[-1] - a[0]))`, checkRange(5)},
	{"range_of_6_cards", `output("range", deck(range(52)).deal(6).map_sorted(lambda a: a[-1] - a[0]))`, checkRange(6)},
	{"risk_of_five", `
def wins(a, b):
    n = 0
    for i in range(5):
        if a[-1 - i] > b[-1 - i]:
            n += 1
    return n
output("wins", map_sorted(wins, 5d10, 5d10))
`, checkRisk},
	{"risk_of_eight", `output("wins", map_sorted(lambda a, b: sum([1 for x, y in zip(a, b) if x > y]), 8d10, 8d10))`, checkRiskOfEight},
	{"opposed_grid", `
load("brp.star", "opposed_table")
output("table", opposed_table())
`, checkOpposed},
}

func BenchmarkPeer(b *testing.B) {
	// Four million calls take more steps than a host gives a recipe by default.
	host, err := lang.New(lang.WithLimits(lang.Limits{Steps: 1 << 40, Work: 1 << 40}))
	if err != nil {
		b.Fatal(err)
	}
	for _, peer := range peers {
		b.Run(peer.name, func(b *testing.B) {
			ctx := context.Background()
			program, err := host.Compile(ctx, peer.name+".star", []byte(peer.recipe))
			if err != nil {
				b.Fatal(err)
			}
			result, err := program.Run(ctx)
			if err != nil {
				b.Fatal(err)
			}
			peer.check(b, result)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := program.Run(ctx); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// checkBestTwo looks at the chance of two twelves among four d12.
func checkBestTwo(t testing.TB, r *lang.Result) {
	const none, one = 11 * 11 * 11 * 11, 4 * 11 * 11 * 11
	want(t, "24", r.Outputs[0].Data.(lang.Roll).Dist.PMF(24), big.NewRat(12*12*12*12-none-one, 12*12*12*12))
}

// checkRange counts the hands of n different cards: of a range r there are 52-r places for the
// lowest, and the others lie between the ends.
func checkRange(n int64) func(testing.TB, *lang.Result) {
	return func(t testing.TB, r *lang.Result) {
		d := r.Outputs[0].Data.(lang.Roll).Dist
		for x := n - 1; x <= 51; x++ {
			hands := new(big.Int).Binomial(x-1, n-2)
			hands.Mul(hands, big.NewInt(52-x))
			want(t, "range", d.PMF(int(x)), new(big.Rat).SetFrac(hands, new(big.Int).Binomial(52, n)))
		}
	}
}

// checkRisk compares with a count of all four million pairs of sorted rolls.
func checkRisk(t testing.TB, r *lang.Result) {
	d := r.Outputs[0].Data.(lang.Roll).Dist
	for wins, ways := range []int64{2565803020, 1903626450, 1704643050, 1545913875, 1348559850, 931453755} {
		want(t, "wins", d.PMF(wins), big.NewRat(ways, 1e10))
	}
}

// checkRiskOfEight adds up the chances of each place on its own.
func checkRiskOfEight(t testing.TB, r *lang.Result) {
	mean := new(big.Rat)
	for rank := 1; rank <= 8; rank++ {
		d := dist.Must(dist.Must(dist.Repeat(dist.Must(dist.Die(10)), 8)).OrderStat(context.Background(), rank))
		mean.Add(mean, dist.Must(dist.Compare(context.Background(), d, d)).Greater)
	}
	want(t, "mean", r.Outputs[0].Data.(lang.Roll).Dist.Mean(), mean)
}

func want(t testing.TB, what string, got, want *big.Rat) {
	t.Helper()
	if got.Cmp(want) != 0 {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func checkLevels(t testing.TB, r *lang.Result) {
	counts := map[string]int64{}
	for a := 1; a <= 100; a++ {
		for b := 1; b <= 100; b++ {
			switch {
			case a <= 5 && b > a:
				counts["critical"]++
			case a <= 50 && b > 30:
				counts["success"]++
			default:
				counts["failure"]++
			}
		}
	}
	for _, e := range r.Outputs[0].Data.(lang.Outcomes).Entries {
		want(t, e.Label.String(), e.Value, big.NewRat(counts[e.Label.String()], 10000))
	}
}

// checkWalk multiplies by the matrix of the walk 30 times, in thirds.
func checkWalk(t testing.TB, r *lang.Result) {
	var at [101]*big.Int
	for i := range at {
		at[i] = new(big.Int)
	}
	at[20].SetInt64(1)
	for range 30 {
		var next [101]*big.Int
		for i := range next {
			next[i] = new(big.Int)
		}
		for i, w := range at {
			up, down := min(i+1, 100), max(i-1, 0)
			next[up].Add(next[up], w)
			next[down].Add(next[down], w)
			next[down].Add(next[down], w)
		}
		at = next
	}
	total := new(big.Int).Exp(big.NewInt(3), big.NewInt(30), nil)
	d := r.Outputs[0].Data.(lang.Roll).Dist
	for i, w := range at {
		want(t, "place", d.PMF(i), new(big.Rat).SetFrac(w, total))
	}
}

// checkPools sums over the two highest dice of each side.
func checkPools(t testing.TB, r *lang.Result) {
	// ways[h][s] of 10^5 rolls of five dice show h highest and s second.
	var ways [11][11]int64
	power := func(n int64) int64 { return n * n * n * n }
	for h := int64(1); h <= 10; h++ {
		for s := int64(1); s < h; s++ {
			// one die shows h, the others at most s and not all below it
			ways[h][s] = 5 * (power(s) - power(s-1))
		}
		ways[h][h] = h*power(h) - (h-1)*power(h-1) - 5*power(h-1)
	}
	wins := int64(0)
	for h := 1; h <= 10; h++ {
		for s := 1; s <= h; s++ {
			for g := 1; g <= h; g++ {
				for u := 1; u <= g; u++ {
					if h > g || s > u {
						wins += ways[h][s] * ways[g][u]
					}
				}
			}
		}
	}
	want(t, "wins", r.Outputs[0].Data.(lang.Prob).Value, big.NewRat(wins, 1e10))
}

// checkOpposed plays all 10 000 pairs of rolls for each of the 121 cells.
func checkOpposed(t testing.TB, r *lang.Result) {
	const fumble, failure, success, special, critical = 0, 1, 2, 3, 4
	level := func(roll, skill int) int {
		switch {
		case roll == 1:
			return critical
		case roll == 100:
			return fumble
		case roll <= skill && roll <= skill/20:
			return critical
		case roll <= skill && roll <= skill/5:
			return special
		case roll <= skill:
			return success
		case roll >= 100-(100-skill)/20:
			return fumble
		}
		return failure
	}
	grid := r.Outputs[0].Data.(lang.Grid)
	for i := range grid.Rows {
		for j := range grid.Cols {
			wins := int64(0)
			for a := 1; a <= 100; a++ {
				for b := 1; b <= 100; b++ {
					mine, theirs := level(a, 10*i), level(b, 10*j)
					if mine > theirs || mine == theirs && a >= b {
						wins++
					}
				}
			}
			want(t, "cell", grid.Cells[i][j].Value, big.NewRat(wins, 10000))
		}
	}
	// As it stands printed: 30 against 70 is 18.76 %.
	want(t, "30 against 70", grid.Cells[3][7].Value, big.NewRat(1876, 10000))
}
