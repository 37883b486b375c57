package dist

import (
	"context"
	"fmt"
	"math/big"
	"testing"
)

// The workloads that other dice engines are measured on. Each is computed from
// nothing on every iteration; one result is checked against a known value
// before the clock starts, so that a fast wrong answer cannot pass.

type peer struct {
	name  string
	run   func() (*Dist, error)
	check func(*Dist) *big.Rat
	want  string // the leading digits of the value, or an exact fraction
}

func mean(d *Dist) *big.Rat { return d.Mean() }

func pmfOf(x int) func(*Dist) *big.Rat {
	return func(d *Dist) *big.Rat { return d.PMF(x) }
}

func die(sides int) *Dist { return Must(Die(sides)) }

func dice(count, sides int) *Pool { return Must(Repeat(die(sides), count)) }

func joinedPools(pools ...*Pool) *Pool {
	all := pools[0]
	for _, p := range pools[1:] {
		all = Must(all.Join(p))
	}
	return all
}

var peers = []peer{
	{"sum_100d6", func() (*Dist, error) { return die(6).Times(ctx, 100) }, pmfOf(350), "0.0233226060153"},
	{"sum_1000d6", func() (*Dist, error) { return die(6).Times(ctx, 1000) }, pmfOf(3500), "0.00738580420888"},
	{"sum_200d100", func() (*Dist, error) { return die(100).Times(ctx, 200) }, pmfOf(10100), "0.0009765205184"},
	{"exploding_50d6", func() (*Dist, error) { return exploding(6, 20).Times(ctx, 50) }, pmfOf(207), "0.0174579084356"},
	{"kh_5_of_10d10", func() (*Dist, error) { return dice(10, 10).Highest(ctx, 5) }, mean, "38.780303525"},
	{"kh_10_of_20d20", func() (*Dist, error) { return dice(20, 20).Highest(ctx, 10) }, mean, "152.535714286"},
	{"kh_20_of_40d10", func() (*Dist, error) { return dice(40, 10).Highest(ctx, 20) }, mean, "158.447154555"},
	{"kh_50_of_100d6", func() (*Dist, error) { return dice(100, 6).Highest(ctx, 50) }, mean, "248.009553205"},
	{"kh_100_of_300d20", func() (*Dist, error) { return dice(300, 20).Highest(ctx, 100) }, mean, "1713.199944182226"},
	{"kh_250_of_500d6", func() (*Dist, error) { return dice(500, 6).Highest(ctx, 250) }, mean, "1245.541919305831"},
	{"kh_333_of_1000d2", func() (*Dist, error) { return dice(1000, 2).Highest(ctx, 333) }, mean, "665.999999999999999999999999989543"},
	{"middle_186_of_300d20", func() (*Dist, error) { return dice(300, 20).Middle(ctx, 186) }, (*Dist).Variance, "6761.293198751848"},
	{"kh_mixed", func() (*Dist, error) {
		return joinedPools(dice(4, 6), dice(3, 8), dice(2, 10), dice(1, 12)).Highest(ctx, 3)
	}, mean, "22.2551434602"},
	{"kh_exploding", func() (*Dist, error) { return Must(Repeat(exploding(10, 10), 10)).Highest(ctx, 5) }, mean, "44.8910968713"},
	{"middle_3_of_5d100", func() (*Dist, error) { return dice(5, 100).Middle(ctx, 3) }, mean, "303/2"},
	{"count_10d6", func() (*Dist, error) { return dice(10, 6).Count(ctx, From(5)) }, pmfOf(3), "5120/19683"},
	{"count_1000d10", func() (*Dist, error) { return dice(1000, 10).Count(ctx, From(8)) }, pmfOf(300), "0.0275210038213"},
	{"largest_set_20d6", func() (*Dist, error) { return dice(20, 6).LargestSet(ctx) }, mean, "5.79094132224"},
	{"longest_run_10d10", func() (*Dist, error) { return dice(10, 10).LongestRun(ctx) }, mean, "3.8156121478"},
	{"longest_run_mixed_40", func() (*Dist, error) { return mixedForty().LongestRun(ctx) }, mean, "726526437654790068259497477671472593/79407184549937850344905113600000000"},
	{"largest_set_mixed_40", func() (*Dist, error) { return mixedForty().LargestSet(ctx) }, mean, "4195309923582119299240853663562331/496294903437111564655656960000000"},
	{"sets_mixed_40", func() (*Dist, error) { return mixedForty().Sets(ctx, 3) }, mean, "6646219650154814078890529197993/1008575732230069734604800000000"},
	{"pairs_mixed_40", func() (*Dist, error) { return mixedForty().Pairs(ctx) }, mean, "14392481/839808"},
	{"unique_mixed_40", func() (*Dist, error) { return mixedForty().Unique(ctx) }, mean, "31422461487936141065328393755839/3025727196690209203814400000000"},
	{"versus_kept", func() (*Dist, error) {
		a, err := dice(10, 10).Highest(ctx, 5)
		if err != nil {
			return nil, err
		}
		b, err := dice(12, 8).Highest(ctx, 4)
		if err != nil {
			return nil, err
		}
		c, err := Compare(ctx, a, b)
		if err != nil {
			return nil, err
		}
		return Coin(c.Greater)
	}, mean, "0.958037734466"},
	{"evaluate_two_pools", unmatchedOfTen, mean, "526931246391853793/105672301608960000"},
	{"difference_300d10_300d12", func() (*Dist, error) { return difference(ctx, 300, 10, 12) }, pmfOf(0), "0.0000029825387456042"},
	{"difference_1000d10_1000d12", func() (*Dist, error) { return difference(ctx, 1000, 10, 12) }, pmfOf(-1000), "0.0028090457697"},
	{"unlike_999", func() (*Dist, error) { return unlike(999, 4, 20).Total(ctx) }, pmfOf(6483), "0.0033890491436"},
	{"unlike_d2_to_d201", func() (*Dist, error) { return unlike(200, 2, 201).Total(ctx) }, pmfOf(10250), "0.00083576142600320663534"},
	{"symbols_40", func() (*Dist, error) { return symbols(40) }, mean, "80/3"},
	{"symbols_60", func() (*Dist, error) { return symbols(60) }, mean, "40"},
	{"symbols_100", func() (*Dist, error) { return symbols(100) }, mean, "200/3"},
	{"fight_60", func() (*Dist, error) { return fought(60) }, mean, "0.598427417747510830237867809248045548"},
	{"fight_200", func() (*Dist, error) { return fought(200) }, mean, "0.625800662193682880369092346582735227"},
	{"risk_100", func() (*Dist, error) { return conquered(100) }, mean, "0.824362866124977104807108489626286232"},
	{"risk_200", func() (*Dist, error) { return conquered(200) }, mean, "0.911078445685991932666085626315548522"},
	{"pairs_5d10_5d10", func() (*Dist, error) { return pairsWon(5) }, mean, "400043247/200000000"},
	{"pairs_8d10_8d10", func() (*Dist, error) { return pairsWon(8) }, mean, "3770432409533487/1250000000000000"},
	{"deal_five", func() (*Dist, error) { return Must(ranksOf52().Deal(5)).Hand(0).LargestSet(ctx) }, pmfOf(4), "1/4165"},
}

// mixedForty returns eight dice of each of five sizes.
func mixedForty() *Pool {
	return joinedPools(dice(8, 4), dice(8, 6), dice(8, 8), dice(8, 10), dice(8, 12))
}

// exploding returns a die that is rolled again and added on its top face, at
// most depth times.
func exploding(sides, depth int) *Dist {
	d := die(sides)
	return Must(d.Explode(ctx, d.TopFace(), depth))
}

// difference returns the sum of n dice less that of n others.
func difference(ctx context.Context, n, a, b int) (*Dist, error) {
	x, err := die(a).Times(ctx, n)
	if err != nil {
		return nil, err
	}
	y, err := die(b).Times(ctx, n)
	if err != nil {
		return nil, err
	}
	return x.Sub(ctx, y)
}

// symbols returns how many of the first symbol n symbol dice show, of three kinds of
// symbols, after all of them have been counted.
func symbols(n int) (*Dist, error) {
	faces := [][]int{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {2, 0, 0}}
	one := make([]*big.Int, len(faces))
	for i := range one {
		one[i] = big.NewInt(1)
	}
	v, err := NewVectors(ctx, faces, one, 0)
	if err != nil {
		return nil, err
	}
	if v, err = v.Times(ctx, n); err != nil {
		return nil, err
	}
	return v.Item(ctx, 0)
}

// pairsWon returns how many of n d10 win against n others, the highest against the highest.
func pairsWon(n int) (*Dist, error) {
	v, err := CompareSorted(ctx, dice(n, 10).Multiset(), dice(n, 10).Multiset(), n, Descending)
	if err != nil {
		return nil, err
	}
	return v.Item(ctx, 0)
}

// unlike returns n dice of all sizes from least to most, again and again.
func unlike(n, least, most int) *Pool {
	list := make([]*Dist, n)
	for i := range list {
		list[i] = die(least + i%(most-least+1))
	}
	return Must(NewPool(list...))
}

func BenchmarkPeer(b *testing.B) {
	for _, p := range plans {
		b.Run(p.name, func(b *testing.B) {
			v, err := p.value()
			if err != nil {
				b.Fatal(err)
			}
			mustShow(b, v, p.want)
			for b.Loop() {
				if _, err := p.value(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	for _, p := range peers {
		b.Run(p.name, func(b *testing.B) {
			d, err := p.run()
			if err != nil {
				b.Fatal(err)
			}
			mustShow(b, p.check(d), p.want)
			for b.Loop() {
				if _, err := p.run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// mustShow checks a value against a fraction or against its leading digits.
func mustShow(b *testing.B, got *big.Rat, want string) {
	b.Helper()
	exact, ok := new(big.Rat).SetString(want)
	if !ok {
		b.Fatalf("%q is no number", want)
	}
	if got.Cmp(exact) == 0 {
		return
	}
	// Half a unit in the last digit, or one where the digits are cut.
	digits := 0
	for i := range want {
		if want[i] == '.' {
			digits = len(want) - i - 1
		}
	}
	unit := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil))
	if off := new(big.Rat).Sub(got, exact); digits == 0 || off.Abs(off).Cmp(unit) > 0 {
		b.Fatalf("got %s, want %s", got.FloatString(20), want)
	}
}

// BenchmarkScaling shows how the work grows with the pool.
func BenchmarkScaling(b *testing.B) {
	type probe struct {
		name string
		run  func() (*Dist, error)
	}
	var probes []probe
	for _, n := range []int{100, 300, 1000, 3000, 10000} {
		probes = append(probes, probe{fmt.Sprintf("sum_%dd6", n), func() (*Dist, error) { return dice(n, 6).Total(ctx) }})
	}
	for _, n := range []int{10, 20, 50, 100, 200, 400} {
		probes = append(probes, probe{fmt.Sprintf("kh_half_of_%dd6", n), func() (*Dist, error) { return dice(n, 6).Highest(ctx, n/2) }})
	}
	probes = append(probes,
		probe{"kh_50_of_100d20", func() (*Dist, error) { return dice(100, 20).Highest(ctx, 50) }},
		probe{"lowest_2_of_100d10000", func() (*Dist, error) { return dice(100, 10000).Lowest(ctx, 2) }},
		probe{"middle_10_of_20d20", func() (*Dist, error) { return dice(20, 20).Middle(ctx, 10) }},
		probe{"middle_50_of_100d6", func() (*Dist, error) { return dice(100, 6).Middle(ctx, 50) }},
		probe{"kh_20_of_20d6_20d8", func() (*Dist, error) { return joinedPools(dice(20, 6), dice(20, 8)).Highest(ctx, 20) }},
		probe{"kh_50_of_50d6_50d8", func() (*Dist, error) { return joinedPools(dice(50, 6), dice(50, 8)).Highest(ctx, 50) }},
		probe{"middle_5_of_mixed_10", func() (*Dist, error) {
			return joinedPools(dice(4, 6), dice(3, 8), dice(2, 10), dice(1, 12)).Middle(ctx, 5)
		}},
		probe{"rank_50_of_100d100", func() (*Dist, error) { return dice(100, 100).OrderStat(ctx, 50) }},
		probe{"largest_set_100d6", func() (*Dist, error) { return dice(100, 6).LargestSet(ctx) }},
		probe{"largest_set_100d20", func() (*Dist, error) { return dice(100, 20).LargestSet(ctx) }},
		probe{"longest_run_30d20", func() (*Dist, error) { return dice(30, 20).LongestRun(ctx) }},
		probe{"pairs_20d6", func() (*Dist, error) { return dice(20, 6).Pairs(ctx) }},
		probe{"pairs_50d20", func() (*Dist, error) { return dice(50, 20).Pairs(ctx) }},
	)
	b.Run("versus_20d6_20d6", func(b *testing.B) {
		for b.Loop() {
			x, err := dice(20, 6).Total(ctx)
			if err != nil {
				b.Fatal(err)
			}
			c, err := Compare(ctx, x, x)
			if err != nil || c.Less.Cmp(c.Greater) != 0 {
				b.Fatalf("equal pools: less %v, greater %v, %v", c.Less, c.Greater, err)
			}
		}
	})
	for _, p := range probes {
		b.Run(p.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := p.run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
