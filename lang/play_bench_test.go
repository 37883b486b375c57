package lang_test

import (
	"testing"

	"dicescript/lang"
)

// Plays that people write, each from its text to its exact result.
func BenchmarkPlay(b *testing.B) {
	for _, bench := range []struct{ name, src, want string }{
		{"ten_throws", `
def rule():
    total = 0
    for i in range(10):
        total += throw(d6)
    return total
output("x", str(play(rule).pmf(35) == (10d6).pmf(35)))
`, "True"},
		{"pig", `
def rule():
    total = 0
    while choose(["roll", "hold"]) == "roll":
        x = throw(d6)
        if x == 1:
            return 0
        total += x
        if total >= 100:
            return total
    return total
output("x", play(rule).value.fraction)
`, "492303203/60466176"},
		{"duel_60", `
def rule(a, b):
    while True:
        b -= throw(d6)
        if b <= 0:
            return True
        a -= throw(d6)
        if a <= 0:
            return False
output("x", str(round(float(play(rule, 60, 60)) * 1000)))
`, "569"},
		{"zombie", `
def rule():
    cup, brains, shots, hand = {"g": 6, "y": 4, "r": 3}, 0, 0, []
    while True:
        while len(hand) < 3:
            left = [(cup[c], c) for c in cup if cup[c] > 0]
            if not left:
                return brains
            c = throw(mixture(left))
            cup[c] -= 1
            hand.append(c)
        steps = []
        for c in sorted(hand):
            b, s = {"g": (3, 1), "y": (2, 2), "r": (1, 3)}[c]
            x = throw(d6)
            if x <= b:
                brains += 1
            elif x <= b + s:
                shots += 1
            else:
                steps.append(c)
        if shots >= 3:
            return 0
        hand = steps
        if choose(["stop", "roll"]) == "stop":
            return brains
output("x", str(round(float(play(rule).value) * 1000)))
`, "2259"},
		{"yahtzee_turn", `
def rule():
    dice = throw(5d6)
    for again in range(2):
        keep = []
        for x in range(1, 7):
            n = len([y for y in dice if y == x])
            if n > len(keep):
                keep = [x] * n
        dice = sorted(keep + throw(dice_pool(5 - len(keep), 6)))
    return len(set(dice)) == 1
output("x", play(rule).fraction)
`, "347897/7558272"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			h, err := lang.New(lang.WithLimits(lang.Limits{Steps: lang.Unlimited, Work: lang.Unlimited, Bytes: lang.Unlimited, Cells: lang.Unlimited}))
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				p, err := h.Compile(b.Context(), "rule.star", []byte(bench.src))
				if err != nil {
					b.Fatal(err)
				}
				res, err := p.Run(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				if got := res.Outputs[0].Data.(lang.Text).Text; got != bench.want {
					b.Fatalf("got %s, want %s", got, bench.want)
				}
			}
		})
	}
}
