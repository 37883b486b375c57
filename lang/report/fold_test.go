package report

import (
	"context"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"dicescript/dist"
	"dicescript/lang"
)

func TestSixtyFourOutcomesAreListed(t *testing.T) {
	for sides, want := range map[int]int{64: 64, 100: 1} {
		rows := tableRows(render(t, "markdown", oneOutput("d", lang.Roll{Dist: dist.Must(dist.Die(sides))}), Options{}))
		if len(rows) != want {
			t.Errorf("d%d has %d rows, want %d", sides, len(rows), want)
		}
	}
}

func labelsOf(t *testing.T, data lang.Data, o Options) []string {
	var labels []string
	for _, r := range tableRows(render(t, "markdown", oneOutput("x", data), o)) {
		labels = append(labels, r[0])
	}
	return labels
}

func TestEqualChancesMerge(t *testing.T) {
	// Each face of d1000 is 0.1 %, so four fit below 0.5 % in a tail.
	got := labelsOf(t, lang.Roll{Dist: dist.Must(dist.Die(1000))}, Options{})
	want := []string{"<5", "5..996", ">996"}
	if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("d1000 folds to %v, want %v", got, want)
	}
}

func TestPlaygroundDoesNotWiden(t *testing.T) {
	// Each face of d2000 is 0.05 %: nine in a tail, then 1982 in chunks of nine.
	roll := lang.Roll{Dist: dist.Must(dist.Die(2000))}
	if n := len(labelsOf(t, roll, Options{Style: Playground})); n != 2+221 {
		t.Errorf("%d rows in playground style, want 223", n)
	}
	if n := len(labelsOf(t, roll, Options{})); n > 64 || n < 32 {
		t.Errorf("%d rows in exact style", n)
	}
}

func TestWidenedChunksKeepTheShape(t *testing.T) {
	// 100d6 rises to its mean of 350 and falls after it; between the tails and
	// the ragged ends its rows must do so too.
	roll, err := dist.Must(dist.Die(6)).Times(t.Context(), 100)
	if err != nil {
		t.Fatal(err)
	}
	bands := rollSeries(Options{}, roll).fold(true, mostRows)
	if len(bands) > mostRows || len(bands) < mostRows/2 {
		t.Fatalf("%d rows", len(bands))
	}
	for i := 4; i < len(bands)-3; i++ {
		rises := bands[i].weights[0].Cmp(bands[i-1].weights[0]) > 0
		if middle := bands[i].hi; rises && middle > 352 || !rises && middle < 350 {
			t.Errorf("%d..%d breaks the shape", bands[i].lo, bands[i].hi)
		}
	}
}

// drawDist draws a distribution of up to 400 outcomes with uneven weights.
func drawDist(t *rapid.T, name string) *dist.Dist {
	xs := rapid.SliceOfNDistinct(rapid.IntRange(-300, 300), 1, 400, rapid.ID).Draw(t, name)
	ws := make([]*big.Int, len(xs))
	skew := rapid.Int64Range(1, 10_000).Draw(t, "skew")
	for i := range ws {
		ws[i] = big.NewInt(rapid.Int64Range(1, skew).Draw(t, "weight"))
	}
	d, err := dist.Weighted(context.Background(), xs, ws)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestBandsPartitionTheOutcomes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDist(t, "outcomes")
		widen := rapid.Bool().Draw(t, "widen")
		bands := rollSeries(Options{}, d).fold(widen, mostRows)
		if widen && len(bands) > mostRows {
			t.Fatalf("%d bands", len(bands))
		}
		i, sum := 0, new(big.Int)
		for x, w := range d.All() {
			for x > bands[i].hi {
				checkMass(t, bands[i], sum, d.Total(), widen)
				i, sum = i+1, new(big.Int)
			}
			if x < bands[i].lo {
				t.Fatalf("%d is in no band", x)
			}
			sum.Add(sum, w)
		}
		checkMass(t, bands[i], sum, d.Total(), widen)
		if i != len(bands)-1 {
			t.Fatalf("%d bands, %d hold outcomes", len(bands), i+1)
		}
	})
}

func checkMass(t *rapid.T, b band, sum, total *big.Int, widen bool) {
	if sum.Cmp(b.weights[0]) != 0 {
		t.Fatalf("%d..%d weighs %v, holds %v", b.lo, b.hi, b.weights[0], sum)
	}
	half := new(big.Rat).SetFrac(sum, total).Cmp(big.NewRat(1, 200)) < 0
	if b.open != closed && !half {
		t.Fatalf("the tail %d..%d weighs %v/%v", b.lo, b.hi, sum, total)
	}
}

func TestTailsAreAsLongAsTheyMayBe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDist(t, "outcomes")
		bands := rollSeries(Options{}, d).fold(false, mostRows)
		first, last := bands[0], bands[len(bands)-1]
		if first.open == below && len(bands) > 1 {
			enough(t, d, func(x int) bool { return x <= nextOutcome(d, first.hi) })
		}
		if last.open == above && len(bands) > 1 {
			enough(t, d, func(x int) bool { return x >= bands[len(bands)-2].hi })
		}
	})
}

func enough(t *rapid.T, d *dist.Dist, in func(int) bool) {
	sum := new(big.Int)
	for x, w := range d.All() {
		if in(x) {
			sum.Add(sum, w)
		}
	}
	if new(big.Rat).SetFrac(sum, d.Total()).Cmp(big.NewRat(1, 200)) < 0 {
		t.Fatalf("a tail could take one outcome more")
	}
}

func nextOutcome(d *dist.Dist, after int) int {
	for x := range d.All() {
		if x > after {
			return x
		}
	}
	return after
}

func TestComparisonsFoldTogether(t *testing.T) {
	// Up to 100 both are level; above, d100 has nothing and d200 goes on.
	got := labelsOf(t, lang.Comparison{Rolls: []lang.NamedRoll{
		{Name: "d100", Dist: dist.Must(dist.Die(100))}, {Name: "d200", Dist: dist.Must(dist.Die(200))},
	}}, Options{})
	if len(got) != 2 || got[0] != "1..100" || got[1] != "101..200" {
		t.Errorf("rows are %v", got)
	}
}

func TestTurnsOfFirstTimeFold(t *testing.T) {
	// Turns until a chance of 1 % comes up, at most 200; the rest is one label.
	l := lang.Outcomes{}
	p := big.NewRat(1, 100)
	left := big.NewRat(1, 1)
	for n := 0; n <= 200; n++ {
		chance := new(big.Rat)
		if n > 0 {
			chance.Mul(left, p)
			left = new(big.Rat).Sub(left, chance)
		}
		l.Entries = append(l.Entries, lang.Outcome{Label: lang.IntLabel(n), Value: chance})
	}
	l.Entries = append(l.Entries, lang.Outcome{Label: lang.TextLabel(">200"), Value: left})
	got := labelsOf(t, l, Options{})
	if len(got) > 65 || got[len(got)-1] != ">200" || got[len(got)-2] == ">199" {
		t.Errorf("rows are %v", got)
	}
	if n := len(labelsOf(t, l, Options{AllRows: true})); n != 202 {
		t.Errorf("%d rows, want 202", n)
	}
}
