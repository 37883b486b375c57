package builtins

import (
	"context"
	"testing"

	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/syntax"
)

const ladder = `s = scale().step("miss").step("graze").step("hit")` + "\n"

func TestScale(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`scale().step("fumble", 1, early=True).step("miss", at_most(14)).step("hit", [15, 20])`, `scale().step("fumble", 1, early=True).step("miss", ..14).step("hit", [15, 20])`},
		{`scale().step("a").step("a")`, `!step: label: the scale has a step "a" already`},
		{`scale().step("")`, `!step: label: got an empty text`},
		{`scale().step(2.5)`, `!step: label: got 2.5, want text, a whole number or a tuple`},
		{`scale().step("a", "b")`, `!step: band: got "b", want a whole number, a list of them, or a band`},
		{`scale().step("a", early=1)`, `!step: early: got 1, want True or False`},
		// A scale never changes: a step on top makes another one.
		{"a = scale().step(\"x\")\nb = a.step(\"y\")\n(a.labels, b.labels)", `(["x"], ["x", "y"])`},
		{"l = [1, 2]\ns = scale().step(\"x\", l)\nl.append(3)\ns", `scale().step("x", [1, 2])`},
		{`scale().step(("hit", 2)).step("3").labels`, `[("hit", 2), "3"]`},
		{`scale().step(1)`, `!step: label: got 1, want text, as in "Hit"`},
	})
}

func TestBucket(t *testing.T) {
	early := `e = scale().step("fumble", 1, early=True).step("miss", at_most(14)).step("hit", at_least(15)).step("crit", 20, early=True)` + "\n"
	checkRecipes(t, [][2]string{
		{ladder + `bucket(dice_pool(2, 6), s, 6, 9).p_at_least("graze").fraction`, `7/12`},
		{ladder + `bucket(dice_pool(2, 6), s, [6, 9]).p_at_most("graze").fraction`, `5/6`},
		{ladder + `dice_pool(2, 6).bucket(s, at_most(6), through(7, 9), at_least(10)).pmf("hit").fraction`, `1/6`},
		{ladder + `d(6).bucket(s, [[1, 3], 5, at_least(2)]).pmf("hit").fraction`, `1/2`},
		{early + `[e.labels, bucket(d(20), e).pmf("fumble").fraction, bucket(d(20), e).pmf("miss").fraction]`, `[["fumble", "miss", "hit", "crit"], "1/20", "13/20"]`},
		{early + `[bucket(d(20), e).pmf("hit").fraction, bucket(d(20), e).pmf("crit").fraction]`, `["1/4", "1/20"]`},
		// The first match wins where bands overlap.
		{`bucket(d(6), scale().step("low", at_most(4)).step("high", at_least(3))).pmf("low").fraction`, `2/3`},
		// All labels are there, also those that can't happen.
		{ladder + `bucket(d(4), s, 6, 9)`, `Outcomes(miss: 1, graze: 0, hit: 0)`},
		{`bucket(d(6), scale().step("low", through(1, 2)).step("high", through(4, 6)))`, `!bucket: scale: the total 3 is possible, but no step catches it; the steps are low 1..2, high 4..6`},
		{ladder + `bucket(d(6), s)`, `!bucket: scale: no step has a band, so the total 1 falls into none`},
		{ladder + `bucket(d(6), s, 9, 6)`, `!bucket: spec: got the cut point 6 after 9, want them rising`},
		{ladder + `bucket(d(6), s, 6)`, `!bucket: spec: got 1 value; the scale has 3 steps: want 2 rising cut points, or 3 bands`},
		{`bucket(d(6), scale())`, `!bucket: scale: it has no steps`},
		{`bucket(d(6), ["a"])`, `!bucket: scale: got a list, want a scale`},
		{`bucket("2d6", scale().step("a"))`, `!bucket: roll: got "2d6", want a roll`},
		{"e = explode(d(6), None)\nbucket(e, scale().step(\"low\", at_most(9)).step(\"high\", through(10, 10000)))", `!bucket: scale: the roll has no highest total`},
		{"e = explode(d(6), None)\no = bucket(e, scale().step(\"low\", at_most(9)).step(\"high\", at_least(10)))\no.error == e.error and o.error > 0", `True`},
	})
}

func TestClassify(t *testing.T) {
	checkRecipes(t, [][2]string{
		{ladder + `classify(d(10), s, lambda x: "hit" if x <= 3 else "miss")`, `Outcomes(miss: 0.7, graze: 0, hit: 0.3)`},
		{ladder + `joint_classify(d(6), d(6), s, lambda a, b: "hit" if a > b else "graze" if a == b else "miss").p_at_least("graze").fraction`, `7/12`},
		{ladder + `classify(d(10), s, lambda x: "hti")`, `!classify: fn: returned "hti" for 1: there is no label "hti"; did you mean "hit"?`},
		{ladder + `classify(d(10), s, lambda x: 3)`, `!there is no label 3; the labels are "miss", "graze", "hit"`},
		{ladder + `classify(d(10), s, lambda x: None)`, `!classify: fn: returned nothing for 1;`},
		{ladder + `classify(d(10), s, lambda x: d(6))`, `!classify: fn: returned a roll for 1, want a label of the scale`},
		{ladder + `joint_classify(d(10), d(10), s, lambda x: "hit")`, `!joint_classify: fn: the lambda takes 1 argument, but it is given 2`},
	})
}

func TestOutcomesAnswer(t *testing.T) {
	o := ladder + `o = bucket(dice_pool(2, 6), s, 6, 9)` + "\n"
	checkRecipes(t, [][2]string{
		{o + `o.p_in(["miss", "hit", "hit"]).fraction`, `7/12`},
		{o + `o.p_in("hit").fraction`, `1/6`},
		{o + `o.p_in([])`, `0`},
		{o + `o.p_in(["miss", "hits"])`, `!p_in: labels: there is no label "hits"; did you mean "hit"?`},
		{o + `o.pmf("Hit")`, `!pmf: label: there is no label "Hit"; did you mean "hit"?`},
		{o + `o.p_at_least(7)`, `!p_at_least: label: there is no label 7; the labels are "miss", "graze", "hit"`},
		{`d(6).map(str).p_at_least("3")`, `!p_at_least: label: these labels have no order`},
		{o + `o.mean()`, `!mean: the label "miss" is no number`},
		{o + `o.error`, `0.0`},
		{o + `same(o, bucket(dice_pool(2, 6), s, 6, 9)) and not same(o, bucket(d(12), s, 6, 9))`, `True`},
		{`versus(d(8), d(6))`, `Outcomes(lose: 0.3125, tie: 0.125, win: 0.5625)`},
		{`versus(3, 3)`, `Outcomes(lose: 0, tie: 1, win: 0)`},
		{`versus(dice_pool(2, 4), "x")`, `!versus: b: got "x", want a roll`},
	})
}

// The two dice of the stat table, unlimited: chances from the generating
// functions, by hand.
func TestVersusOfUnlimitedDice(t *testing.T) {
	v, err := recipe(t, `versus(dice_pool(2, 4).explode(None), dice_pool(2, 10).explode(None))`)
	if err != nil {
		t.Fatal(err)
	}
	o := v.(*value.Outcomes)
	for i, want := range []float64{0.776318157875524, 0.045817496724702, 0.177864345399774} {
		got, _ := o.Chance(i).Float64()
		if diff := got - want; diff > 1e-14 || diff < -1e-14 {
			t.Errorf("%v: got %v, want %v", o.Labels()[i], got, want)
		}
	}
	if o.Bound() <= 0 || o.Bound() > 1e-15 {
		t.Errorf("error %v", o.Bound())
	}
}

func TestOutcomesOfAHost(t *testing.T) {
	over := dist.Must(dist.Relabel(context.Background(), dist.DistOutcomes(dist.Must(dist.Die(4))), func(x int) (string, error) {
		if x == 4 {
			return "hit", nil
		}
		return "miss", nil
	}))
	o := NewOutcomes(over, true)
	if got := o.String(); got != "Outcomes(miss: 0.75, hit: 0.25)" {
		t.Error(got)
	}
	if p, err := value.Compare(nil, syntax.GE, o, o.Labels()[1]); err != nil || p.String() != "0.25" {
		t.Error(p, err)
	}
}
