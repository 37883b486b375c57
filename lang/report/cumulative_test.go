package report

import (
	"context"
	"encoding/csv"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"dicescript/dist"
	"dicescript/lang"
)

func TestChancesOfAtLeastAndAtMost(t *testing.T) {
	// Of two d4, 10 of 16 show 5 or more and as many 5 or less.
	two := oneOutput("x", lang.Roll{Dist: dist.Must(dist.Must(dist.Die(4)).Times(t.Context(), 2))})
	for show, want := range map[Show][]string{
		"":         {"5", "25.0", "1/4", "4"},
		Exactly:    {"5", "25.0", "1/4", "4"},
		AtLeast:    {"5", "62.5", "5/8", "10"},
		AtMost:     {"5", "62.5", "5/8", "10"},
		AllChances: {"5", "25.0", "62.5", "62.5", "1/4", "4"},
	} {
		got := tableRows(render(t, "markdown", two, Options{Show: show}))[3]
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%q: %v, want %v", show, got, want)
		}
	}
}

func TestOutcomesWithoutAnOrderShowTheirOwnChances(t *testing.T) {
	half := big.NewRat(1, 2)
	data := lang.Outcomes{Entries: []lang.Outcome{{Label: lang.TextLabel("b"), Value: half}, {Label: lang.TextLabel("a"), Value: half}}}
	if got := tableRows(render(t, "markdown", oneOutput("x", data), Options{Show: AllChances}))[0]; len(got) != 4 {
		t.Errorf("labels without an order: %v", got)
	}
	data.Ordered = true
	if got := tableRows(render(t, "markdown", oneOutput("x", data), Options{Show: AtMost}))[1]; got[1] != "100.0" {
		t.Errorf("labels of a scale: %v", got)
	}
}

func TestUnknownShow(t *testing.T) {
	err := Render(t.Context(), &strings.Builder{}, "text", &lang.Result{}, Options{Show: "least"})
	if err == nil || err.Error() != `show: got "least", want exactly, at-least, at-most or all` {
		t.Error(err)
	}
}

// Rows of at least and at most are those of plain sums over all outcomes, in a long
// table too, and so is every line of csv.
func TestCumulativeChancesArePlainSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDist(t, "outcomes")
		sum := func(from, to int) *big.Rat {
			n := new(big.Int)
			for x, w := range d.All() {
				if from <= x && x <= to {
					n.Add(n, w)
				}
			}
			return new(big.Rat).SetFrac(n, d.Total())
		}
		o := Options{Show: AllChances, ctx: context.Background()}
		c := newClimb(d.Total())
		bands := (&sheet{o: o}).bands(rollSeries(o, d))
		for _, b := range bands {
			l := c.next(b.weights[0])
			if l.exactly.Rat().Cmp(sum(b.lo, b.hi)) != 0 || l.atLeast.Rat().Cmp(sum(b.lo, d.Max())) != 0 || l.atMost.Rat().Cmp(sum(d.Min(), b.hi)) != 0 {
				t.Fatalf("%d..%d: %v", b.lo, b.hi, l)
			}
		}
		var csvText strings.Builder
		if err := Render(context.Background(), &csvText, "csv", oneOutput("x", lang.Roll{Dist: d}), o); err != nil {
			t.Fatal(err)
		}
		lines, err := csv.NewReader(strings.NewReader(csvText.String())).ReadAll()
		if err != nil || len(lines) != 1+d.Len() {
			t.Fatal(len(lines), err)
		}
		i := 1
		for x := range d.All() {
			least, _ := sum(x, d.Max()).Float64()
			most, _ := sum(d.Min(), x).Float64()
			if lines[i][7] != csvFloat(least) || lines[i][8] != csvFloat(most) {
				t.Fatalf("%v", lines[i])
			}
			i++
		}
	})
}
