package dist

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func bigs(ns ...int64) []*big.Int {
	out := make([]*big.Int, len(ns))
	for i, n := range ns {
		out[i] = big.NewInt(n)
	}
	return out
}

func TestOutcomesAnswerByTheirOrder(t *testing.T) {
	o := Must(NewOutcomes(ctx, []string{"fumble", "miss", "graze", "hit"}, bigs(0, 6, 2, 4), 0))
	conforms(t, o)
	for _, c := range []struct {
		label          string
		p, least, most *big.Rat
	}{
		{"fumble", new(big.Rat), big.NewRat(1, 1), new(big.Rat)},
		{"miss", big.NewRat(1, 2), big.NewRat(1, 1), big.NewRat(1, 2)},
		{"graze", big.NewRat(1, 6), big.NewRat(1, 2), big.NewRat(2, 3)},
		{"hit", big.NewRat(1, 3), big.NewRat(1, 3), big.NewRat(1, 1)},
	} {
		p, ok1 := o.P(c.label)
		least, ok2 := o.AtLeast(c.label)
		most, ok3 := o.AtMost(c.label)
		if !ok1 || !ok2 || !ok3 || p.Cmp(c.p) != 0 || least.Cmp(c.least) != 0 || most.Cmp(c.most) != 0 {
			t.Errorf("%s: got %v, %v, %v", c.label, p, least, most)
		}
	}
	if p, ok := o.In("hit", "graze", "hit"); !ok || p.Cmp(big.NewRat(1, 2)) != 0 {
		t.Errorf("hit or graze: got %v", p)
	}
	if p, ok := o.In(); !ok || p.Sign() != 0 {
		t.Errorf("none: got %v", p)
	}
	for name, ask := range map[string]func(string) (*big.Rat, bool){"P": o.P, "AtLeast": o.AtLeast, "AtMost": o.AtMost} {
		if _, ok := ask("glance"); ok {
			t.Errorf("%s knows a label that is not there", name)
		}
	}
	if _, ok := o.In("hit", "glance"); ok {
		t.Error("In knows a label that is not there")
	}
}

func TestOutcomesAreValidated(t *testing.T) {
	for name, err := range map[string]error{
		"twice":    errOf(NewOutcomes(ctx, []string{"a", "b", "a"}, bigs(1, 1, 1), 0)),
		"negative": errOf(NewOutcomes(ctx, []string{"a", "b"}, bigs(1, -1), 0)),
		"zero":     errOf(NewOutcomes(ctx, []string{"a", "b"}, bigs(0, 0), 0)),
		"none":     errOf(NewOutcomes(ctx, []string{}, nil, 0)),
		"error":    errOf(NewOutcomes(ctx, []string{"a"}, bigs(1), -1e-9)),
		"lengths":  errOf(NewOutcomes(ctx, []string{"a", "b"}, bigs(1), 0)),
		"unlisted": errOf(Classify(ctx, Must(Die(3)), []int{1, 2}, func(x int) (int, error) { return x, nil })),
		"order":    errOf(Classify(ctx, Must(Die(1)), []int{1, 1}, func(x int) (int, error) { return x, nil })),
		"no step":  errOf(Iterate(ctx, 0, func(int) (*Outcomes[int], error) { return nil, nil }, 1)),
		"parts":    errOf(MixOutcomes[int](ctx, nil)),
		"part":     errOf(MixOutcomes(ctx, []OutcomesPart[int]{{Weight: big.NewRat(-1, 2), Outcomes: Certain(1)}})),
	} {
		var arg *ArgError
		if !errors.As(err, &arg) {
			t.Errorf("%s: got %v, want an ArgError", name, err)
		}
	}
}

func errOf[T any](_ T, err error) error { return err }

func TestManyLabels(t *testing.T) {
	var labels []string
	var weights []*big.Int
	for i := range 100 {
		labels = append(labels, fmt.Sprint("label ", i))
		weights = append(weights, big.NewInt(int64(i)))
	}
	o := Must(NewOutcomes(ctx, labels, weights, 0))
	conforms(t, o)
	if p, ok := o.P("label 99"); !ok || p.Cmp(big.NewRat(99, 4950)) != 0 {
		t.Errorf("got %v", p)
	}
}

func TestMixOutcomesIsTheWeightedSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var parts []OutcomesPart[int]
		sum := new(big.Rat)
		for range rapid.IntRange(1, 4).Draw(t, "parts") {
			w := big.NewRat(rapid.Int64Range(0, 5).Draw(t, "num"), rapid.Int64Range(1, 7).Draw(t, "den"))
			parts = append(parts, OutcomesPart[int]{Weight: w, Outcomes: DistOutcomes(drawDist(t, "part"))})
			sum.Add(sum, w)
		}
		o, err := MixOutcomes(ctx, parts)
		if sum.Sign() == 0 {
			if err == nil {
				t.Fatal("no error, although no part can be chosen")
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		conforms(t, o)
		var order []int
		for _, p := range parts {
			for _, l := range p.Outcomes.Labels() {
				if !slices.Contains(order, l) {
					order = append(order, l)
				}
			}
		}
		if !slices.Equal(o.Labels(), order) {
			t.Fatalf("labels %v, want %v", o.Labels(), order)
		}
		for _, l := range order {
			want := new(big.Rat)
			for _, p := range parts {
				want.Add(want, new(big.Rat).Mul(p.Weight, chanceOf(p.Outcomes, l)))
			}
			if got := chanceOf(o, l); got.Cmp(want.Quo(want, sum)) != 0 {
				t.Fatalf("P(%d) = %v, want %v", l, got, want)
			}
		}
	})
}

func TestErrorsOfMixturesAddUp(t *testing.T) {
	exact := Must(NewOutcomes(ctx, []string{"a"}, bigs(1), 0))
	cut := Must(NewOutcomes(ctx, []string{"b", "c"}, bigs(1, 3), 1e-10))
	o := Must(MixOutcomes(ctx, []OutcomesPart[string]{
		{Weight: big.NewRat(3, 1), Outcomes: exact},
		{Weight: big.NewRat(1, 1), WeightBound: 4e-10, Outcomes: cut},
	}))
	if e := o.Bound(); e < 1.25e-10 || e > 1.2501e-10 {
		t.Errorf("error %g, want 1e-10/4 + 4e-10/4", e)
	}
}

// The damage of an unlimited attack is bounded by that of its worst and best
// label, so its mean is known to within the error times the difference.
func TestValuesOfACutRollAreBounded(t *testing.T) {
	attack := geometric{1, 0}.cut(20)
	o := Must(Classify(ctx, attack, []string{"miss", "hit", "wonder"}, func(x int) (string, error) {
		switch {
		case x > 20:
			return "wonder", nil
		case x > 2:
			return "hit", nil
		}
		return "miss", nil
	}))
	d := Must(o.Values(ctx, func(l string) (int, error) { return map[string]int{"hit": 8, "wonder": 100}[l], nil }))
	m, err := d.Moments(ctx)
	if err != nil {
		t.Fatal(err)
	}
	truth := 8.0/8 + 92*attack.Bound()
	if f, _ := m.Mean.Float64(); f == truth || truth-f > m.MeanBound || m.MeanBound > 101*attack.Bound() {
		t.Errorf("mean %v within %g, truth %v", f, m.MeanBound, truth)
	}
	unknown := Must(Classify(ctx, attack, nil, func(x int) (int, error) { return x, nil }))
	if _, err := Must(unknown.Values(ctx, func(x int) (int, error) { return x, nil })).Moments(ctx); err == nil {
		t.Error("moments after a map of an unlimited roll are no error")
	}
}

func TestRelabelMergesInOrder(t *testing.T) {
	o := Must(NewOutcomes(ctx, []string{"fumble", "miss", "graze", "hit"}, bigs(1, 6, 2, 4), 1e-20))
	r := Must(Relabel(ctx, o, func(l string) (string, error) {
		if l == "graze" || l == "hit" {
			return "success", nil
		}
		return "failure", nil
	}))
	if want := Must(NewOutcomes(ctx, []string{"failure", "success"}, bigs(7, 6), 1e-20)); !Must(sameOutcomes(ctx, r, want)) {
		t.Errorf("got %v", r.Labels())
	}
	broken := errors.New("broken")
	if _, err := Relabel(ctx, o, func(string) (string, error) { return "", broken }); err != broken {
		t.Errorf("got %v", err)
	}
	if _, err := o.Values(ctx, func(string) (int, error) { return 0, broken }); err != broken {
		t.Errorf("got %v", err)
	}
}

// The mean over labels is the sum of chance times worth, taken one fraction at a time.
func TestMeanOfOutcomes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var parts []OutcomesPart[int]
		for range rapid.IntRange(1, 6).Draw(t, "parts") {
			w := big.NewRat(rapid.Int64Range(0, 1<<40).Draw(t, "weight"), rapid.Int64Range(1, 1<<20).Draw(t, "of"))
			parts = append(parts, OutcomesPart[int]{Weight: w, Outcomes: Certain(rapid.IntRange(-50, 50).Draw(t, "label"))})
		}
		o, err := MixOutcomes(ctx, parts)
		if err != nil {
			t.Skip(err)
		}
		worth := func(label int) *big.Int { return big.NewInt(int64(label*label - 7*label)) }
		got, err := o.Mean(ctx, func(label int) (*big.Int, error) { return worth(label), nil })
		if err != nil {
			t.Fatal(err)
		}
		want := new(big.Rat)
		for _, label := range o.Labels() {
			p, _ := o.P(label)
			want.Add(want, p.Mul(p, new(big.Rat).SetInt(worth(label))))
		}
		if got.Cmp(want) != 0 {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// The mean as it is printed is the mean, in terms that need not be the lowest.
func TestMeanQuotient(t *testing.T) {
	for _, d := range []*Dist{die(6), Constant(-3), Must(Faces(-5, 7, 7, 1<<40)), Must(die(6).Explode(ctx, Only(6), Unlimited))} {
		num, den, bound, ok := d.MeanQuotient()
		if !ok || bound != 0 || new(big.Rat).SetFrac(num, den).Cmp(d.Mean()) != 0 {
			t.Errorf("%v/%v, %v is not %v", num, den, ok, d.Mean())
		}
	}
}
