package builtins

import (
	"strings"
	"testing"
)

// Identities between two routes that a reader can follow.
func TestSeveralPoolsAndHands(t *testing.T) {
	for _, source := range []string{
		// The joint machine sees what map_sorted sees.
		`same(evaluate(lambda left, face, a, b: left + max(0, a - b), 0, dice_pool(3, 6), dice_pool(2, 4)),
			map_sorted(lambda a, b:
				sum([max(0, len([x for x in a if x == f]) - len([x for x in b if x == f])) for f in range(1, 7)]),
				dice_pool(3, 6), dice_pool(2, 4)))`,
		// From high to low it sees the highest first.
		`same(evaluate(lambda s, face, n: s if s or not n else face, 0, dice_pool(3, 6), order="descending"), dice_pool(3, 6).highest())`,
		`same(evaluate(lambda s, face, n: face if n else s, 0, dice_pool(3, 6)), dice_pool(3, 6).highest())`,
		`same(evaluate(lambda s, face, n: s + n, 0, dice_pool(3, 6), finish=lambda s: s * 2), constant(6))`,
		// A deck of single dice faces, dealt whole, is always the same hand.
		`same(deck([1, 2, 3]).deal(3).sum(), constant(6))`,
		// Two hands of one deal are dependent: they never share a card.
		`evaluate(lambda both, card, a, b: both or a + b > 1, False, *deck(["x", "y", "z"]).deal(1, 1)).fraction == "0"`,
		`count(deck({"ace": 4, "other": 48}).deal(5), "ace").mean().fraction == "5/13"`,
		`same(deck([(2, "C"), (3, "D")]).deal(1).count(lambda card: card[0] == 3), coin("1/2"))`,
		`same(dice_pool(4, 6).keep_dice(drop_low=1).sum(), keep_highest(4, 6, 3))`,
		`same(dice_pool(4, 6).keep_dice(drop_high=1).sum(), keep_lowest(4, 6, 3))`,
		`stationary(0, lambda s: (s + 1) % 2).pmf(0).fraction == "1/2"`,
		`same(map(lambda a, b: (a, b), d(6), d(4)).item(-1), d(4))`,
		`map(lambda a, b: (a, b), d(6), d(4)).keep(lambda p: p[0] > 4).item(0).mean().fraction == "11/2"`,
		// Two sides: who takes the last of five matches, one or two at a time, wins.
		`best_play(("A", 5), lambda s: (1 if s[0] == "B" else 0) if s[1] == 0 else
			{n: ("B" if s[0] == "A" else "A", s[1] - n) for n in (1, 2) if n <= s[1]}, player=lambda s: s[0]).move(("A", 5)) == 2`,
		// What is earned on the way is no part of a state: a throw earns its number, and a
		// one ends the turn with what there is; two throws of 21/6 and 21/6 5/6 on average.
		`best_play(2, lambda s: 0 if s == 0 else {"throw": d(6).map(lambda x: (x, 0 if x == 1 else s - 1))}, rewards=True).value.fraction == "77/12"`,
		`same(best_play("a", lambda s: 1 if s == "b" else {"go": (2, "b")}, rewards=True).play(), constant(3))`,
		`best_play("a", lambda s: 0 if s == "b" else {"on": d(6).map(lambda x: (1, "b" if x == 6 else "a"))}, rewards=True).play().mean().fraction == "6"`,
		`best_play("a", lambda s: 0 if s == "b" else {"go": (d(3).p_eq(1), "b"), "stay": (-1, "a")}, rewards=True).play().pmf("1/3").fraction == "1"`,
		`best_play(d(6), lambda s: -s if s < 0 else {"keep": -s}, goal="lowest").value.fraction == "7/2"`,
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

func TestWhatDecksAndPlansRefuse(t *testing.T) {
	for source, want := range map[string]string{
		`deck([])`:                                                                "cards: got none, want at least one card",
		`deck({"a": -1})`:                                                         `cards: got -1 for the card "a", want how many there are`,
		`deck([1, 2]).deal(3)`:                                                    "deal: n: got 3 where 2 of 2 cards are left",
		`deck(["a"]).deal(1).sum()`:                                               "sum: cards: they are no whole numbers",
		`deck(["a"]).deal(1).count("b")`:                                          "count: spec:",
		`dice_pool(4, 6).keep_dice()`:                                             "keep_dice: high: missing",
		`dice_pool(4, 6).keep_dice(high=1, low=1)`:                                "keep_dice: low: got it beside high",
		`evaluate(lambda s, f, n: s, 0)`:                                          "evaluate: pools: missing",
		`evaluate(lambda s, f: s, 0, dice_pool(2, 6))`:                            "evaluate: step:",
		`evaluate(lambda s, f, n: s, 0, 3)`:                                       "evaluate: pools: number 1: got 3, want a pool, kept dice or a hand",
		`evaluate(lambda s, f, n: s, 0, dice_pool(2, 6), order="up")`:             `evaluate: order: got "up"`,
		`evaluate(lambda s, f, n: s, 0, dice_pool(2, 6), finsh=1)`:                "did you mean finish?",
		`evaluate(lambda s, f, a, b: s, 0, dice_pool(2, 6), deck(["a"]).deal(1))`: "evaluate: pools: they show different things",
		`stationary(0, lambda s: either("1/2", -1, 1) if s == 0 else s)`:          "stationary: step: there are several classes",
		`best_play(0, lambda s: {"wait": s})`:                                     "best_play: moves: play need not end: from state 0 it never does",
		`best_play("a", lambda s: {"stop": 3})`:                                   `the move "stop" for "a" leads to 3, and 3 may be meant as a state or as a payoff`,
		`best_play("a", lambda s: {"roll": d(2)})`:                                `and 1 may be meant as a state or as a payoff`,
		`best_play(4, lambda s: {"hold": s, "roll": d(6)})`:                       `the move "hold" for 4 leads to 4, and 4 may be meant as a state or as a payoff`,
		`best_play("a", lambda s: 1 if s == "b" else {"go": (1, "a"), "stop": (0, "b")}, rewards=True)`: `there is no best plan: whoever comes back to state "a" again and again earns more each time`,
		`best_play(0, lambda s: {})`:             "best_play: moves: returned",
		`best_play(0, lambda s: {"go": None})`:   `the move "go" for 0 leads to None`,
		`best_play(0, lambda s: 1, goal="high")`: `best_play: goal: got "high", want "highest" or "lowest"`,
		`best_play(0, lambda s: 1).move(7)`:      "move: state: got 7, want a state that can come up",
		`versus(d(6), d(6)).item(0)`:             `item: i: the label "lose" is no tuple`,
		`versus(d(6), d(6)).keep("loose")`:       `did you mean "lose"?`,
	} {
		v, err := recipe(t, source)
		if err == nil {
			t.Errorf("%s is %v, want an error", source, v)
			continue
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n got %v\nwant %s", source, err, want)
		}
	}
}
