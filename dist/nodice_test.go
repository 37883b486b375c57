package dist

import (
	"context"
	"testing"
)

// Of no dice the total and every count are 0.
func TestNoDice(t *testing.T) {
	ctx := context.Background()
	p := Must(Repeat(Must(Die(6)), 0))
	for name, ask := range map[string]func() (*Dist, error){
		"total": func() (*Dist, error) { return p.Total(ctx) }, "count": func() (*Dist, error) { return p.Count(ctx, From(1)) },
		"count again": func() (*Dist, error) { return p.CountAgain(ctx, From(1), From(6)) }, "highest again": func() (*Dist, error) { return p.HighestAgain(ctx, AgainOn(From(6)), 2) },
		"highest": func() (*Dist, error) { return p.Highest(ctx, 1) }, "lowest": func() (*Dist, error) { return p.Lowest(ctx, 2) },
		"drop highest": func() (*Dist, error) { return p.DropHighest(ctx, 1) }, "drop lowest": func() (*Dist, error) { return p.DropLowest(ctx, 0) },
		"largest set": func() (*Dist, error) { return p.LargestSet(ctx) }, "sets": func() (*Dist, error) { return p.Sets(ctx, 2) },
		"longest run": func() (*Dist, error) { return p.LongestRun(ctx) }, "unique": func() (*Dist, error) { return p.Unique(ctx) }, "pairs": func() (*Dist, error) { return p.Pairs(ctx) },
		"with others": func() (*Dist, error) { return Must(p.Join(p)).Total(ctx) },
	} {
		d, err := ask()
		if err != nil || !equal(d, Constant(0)) {
			t.Errorf("%s: %v, %v", name, d, err)
		}
	}
	if d := Must(Must(p.Join(Must(Repeat(Must(Die(6)), 2)))).Total(ctx)); d.Len() != 11 {
		t.Errorf("no dice and two are %v", d)
	}
	tally, err := Evaluate(ctx, p, 7, func(s, face, count int) (int, error) { return 0, nil })
	if err != nil {
		t.Fatal(err)
	}
	for s := range tally.All() {
		if s != 7 {
			t.Errorf("evaluated to %d", s)
		}
	}
}
