package report

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"dicescript/dist"
	"dicescript/lang"
)

// The bins of a long table have one width, but for the rows that are no bins.
func TestBinsHaveOneWidth(t *testing.T) {
	thousand := dist.Must(dist.Must(dist.Die(6)).Times(t.Context(), 1000))
	half := big.NewRat(1, 2)
	mixed := dist.Must(dist.Mixture(t.Context(), []dist.Part{{Weight: half, Roll: dist.Constant(0)}, {Weight: half, Roll: thousand}}))
	for name, d := range map[string]*dist.Dist{
		"a bell":   thousand,
		"apart":    dist.Must(thousand.Scale(t.Context(), 1000)),
		"and zero": mixed,
	} {
		bands := rollSeries(Options{}, d).fold(true, mostRows)
		widths := map[int]int{}
		for _, b := range bands {
			if b.open == closed {
				widths[b.count]++
			}
		}
		most := 0
		for _, n := range widths {
			most = max(most, n)
		}
		if len(bands) > mostRows || len(bands)-most > 5 {
			t.Errorf("%s: %d rows, widths %v", name, len(bands), widths)
		}
	}
}

// Each band holds as many outcomes as it counts, also where the last bin takes some
// from the tail.
func TestBandsCountTheirOutcomes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDist(t, "outcomes")
		most := rapid.IntRange(8, 64).Draw(t, "rows")
		for _, b := range rollSeries(Options{}, d).fold(rapid.Bool().Draw(t, "widen"), most) {
			n := 0
			for x := range d.All() {
				if b.lo <= x && x <= b.hi {
					n++
				}
			}
			if n != b.count {
				t.Fatalf("%d..%d counts %d, holds %d", b.lo, b.hi, b.count, n)
			}
		}
	})
}

// A row of several outcomes is as high as one of them: 9 and 10 of three exploding dice
// are no peak.
func TestBarsOfRowsWithSeveralOutcomes(t *testing.T) {
	three := dist.Must(dist.Must(dist.Die(6)).Explode(t.Context(), dist.Only(6), dist.Unlimited))
	three = dist.Must(three.Times(t.Context(), 3))
	text := render(t, "text", oneOutput("x", lang.Roll{Dist: three}), Options{})
	bars := map[string]int{}
	for _, line := range strings.Split(text, "\n") {
		if fields := strings.Fields(line); len(fields) > 3 {
			bars[fields[0]] = strings.Count(line, "█")
		}
	}
	if bars["9..10"] != 40 || bars["8"] != 36 || bars["11"] != 36 || !strings.Contains(text, "█ each 9.03\n") {
		t.Errorf("bars %v in\n%s", bars, text)
	}
	hundred := render(t, "text", oneOutput("x", lang.Roll{Dist: dist.Must(dist.Die(100))}), Options{})
	if !strings.Contains(hundred, "█ each 1.00\n") {
		t.Error(hundred)
	}
}
