package builtins

import (
	"strings"
	"testing"
)

// What is known by other routes about waiting, dice that add dice, faces named by
// a function, scales of map and copies that are taken away.
func TestSameByAnotherRoute(t *testing.T) {
	for _, source := range []string{
		// The first six, two sixes in a row, all six faces.
		`first_time(0, lambda n: either("1/6", 1, 0), lambda n: n == 1).mean().fraction == "6"`,
		`first_time(0, lambda n: either("1/6", 1, 0), lambda n: n == 1).variance().fraction == "30"`,
		`first_time(0, lambda n: either("1/6", n + 1, 0), lambda n: n == 2).mean().fraction == "42"`,
		`first_time(0, lambda n: either(d(6).p_gt(n), n + 1, n), lambda n: n == 6).mean().fraction == "147/10"`,
		// A start by chance is no step.
		`first_time(d(2), lambda n: either("1/6", 3, n), lambda n: n == 3).mean().fraction == "6"`,
		`iterate(d(2), lambda n: n if n == 3 else either("1/6", 3, n), None).steps.fraction == "6"`,
		`iterate("a", lambda s: "b", None).steps.fraction == "1"`,
		`iterate("a", lambda s: "a", None).steps.fraction == "0"`,
		// With a limit the same chances, as far as it goes.
		`first_time(0, lambda n: either("1/6", 1, 0), lambda n: n == 1).p_le(9).fraction == "8124571/10077696"`,
		`first_time(0, lambda n: either("1/6", 1, 0), lambda n: n == 1, 9).p_at_most(9).fraction == "8124571/10077696"`,
		// 10-again, of which each die has the mean 3/10 / (9/10); no die again is count.
		`count(dice_pool(5, 10), at_least(8), again=at_least(10)).mean().fraction == "5/3"`,
		`count(pool(d(6), d(8)), 6, again=[6, 8]).mean().fraction == "11/30"`,
		`same(count(dice_pool(5, 10), at_least(8), again=11), count(dice_pool(5, 10), at_least(8)))`,
		`count(dice_pool(1, 6), [2, 4, 6], again=6).mean() == success_pool(1, 6, waves=None).mean()`,
		// A function names the faces that a list names.
		`same(d(20).reroll(lambda x: x % 2 == 1), d(20).reroll(list(range(1, 21, 2))))`,
		`same(dice_pool(3, 6).reroll(lambda x: x < 3).sum(), dice_pool(3, 6).reroll([1, 2]).sum())`,
		`same(pool(d(4), d(12)).count(lambda x: x > 10 or x == 4), pool(d(4), d(12)).count([4, 11, 12]))`,
		`same(d(6).keep(lambda x: x > 2), d(6).keep(at_least(3)))`,
		`same(d(6).remove(lambda x: False), d(6))`,
		`same(explode(d(6), on=lambda x: x > 4), explode(d(6), on=[5, 6]))`,
		`same(open_ended(d(10), lambda x: x == 1, lambda x: x == 10, lambda x: x > 8), open_ended(d(10), 1, 10, [9, 10]))`,
		`d(6).p_in(lambda x: x % 3 == 0).fraction == "1/3"`,
		`dice_pool(4, 6).p_any(lambda x: x == 6).fraction == "671/1296"`,
		// Labels of map on a scale: all there, in its order.
		`same(map(lambda x: "hit" if x > 9 else "miss", d(20), scale=scale().step("miss").step("hit").step("crit")),
			classify(d(20), scale().step("miss").step("hit").step("crit"), lambda x: "hit" if x > 9 else "miss"))`,
		`d(6).map(lambda x: either("1/2", "a", "b") if x > 3 else "b", scale=scale().step("b").step("a")).p_at_least("a").fraction == "1/4"`,
		`map(lambda x: str(x // 3), d(8), scale=scale().step("2").step("1").step("0")).labels == ["2", "1", "0"]`,
		// Copies that are taken away.
		`same(times(-2, d(6)), -times(2, d(6)))`,
		`same(times(d(3) - 2, d(6)), mixture([(1, -d(6)), (1, 0), (1, d(6))]))`,
		`same(times(-d(2), d(4)), mixture([(1, -d(4)), (1, -times(2, d(4)))]))`,
		// Outcomes of whole numbers answer as the roll does.
		`first_time(0, lambda s: s + 1, lambda s: s >= 5, 10).median() == 5`,
		`mixture([(1, "x"), (1, "y"), (2, "z")]).mode() == ["z"]`,
		`mixture([(1, "x"), (1, "x")]).mode() == ["x"]`,
	} {
		v, err := recipe(t, strings.Join(strings.Fields(source), " "))
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if v.String() != "True" {
			t.Errorf("%s is %v", source, v)
		}
	}
}

func TestWhatWaitingAndFacesRefuse(t *testing.T) {
	for source, want := range map[string]string{
		`first_time(0, lambda n: 0, lambda n: n == 1)`: "first_time: done: it need not come to hold",
		`d(6).steps`:                                                    "steps: it comes from no process",
		`iterate(0, lambda n: 0, 3).steps`:                              "steps: it comes from no process",
		`count(dice_pool(2, 6), 6, again=lambda x: True)`:               "count: again: got every face",
		`explode(d(6), None).keep(lambda x: x > 2)`:                     "keep: spec: an unlimited roll has no last face",
		`d(6).reroll(lambda x: x)`:                                      "reroll: spec: returned 1 for 1, want True or False",
		`d(6).keep(lambda x: False)`:                                    "keep:",
		`map(lambda x: "a", d(6), scale=scale().step("b"))`:             `map: fn: returned "a" for 1: there is no label "a"`,
		`map(lambda x: d(6), d(6), scale=scale().step("b"))`:            "map: fn: returned",
		`d(6).map(lambda x: "a", scale=3)`:                              "map: scale: got 3, want a scale",
		`versus(d(6), d(6)).sd()`:                                       `sd: the label "lose" is no number`,
		`first_time(0, lambda n: d(2), lambda n: n == 2, 1).variance()`: `variance: a chance of 0.5 is left beyond the limit`,
	} {
		_, err := recipe(t, source)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", source, err, want)
		}
	}
}
