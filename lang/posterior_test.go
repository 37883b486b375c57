package lang_test

import (
	"strings"
	"testing"

	"dicescript/lang"
)

// Posteriors that authors of exact probabilistic languages have published, for their own
// programs:
//
//   - Dice: Holtzen, Van den Broeck and Millstein, "Scaling Exact Inference for Discrete
//     Probabilistic Programs" (OOPSLA 2020), and the values in its test suite;
//   - Prodigy: Klinkenberg et al., "Exact Bayesian Inference for Loopy Probabilistic
//     Programs using Generating Functions" (OOPSLA 2024), and the programs without a loop
//     that it proves to be equivalent to its loops;
//   - Genfer: Zaiser, Murawski and Ong, "Exact Bayesian Inference on Discrete Models via
//     Probability Generating Functions" (NeurIPS 2023), and the total measures and
//     posteriors of its benchmarks.
func TestPublishedPosteriors(t *testing.T) {
	for _, c := range []struct{ name, rule, ask, want string }{
		{"Dice: one of two is seen", `
def rule():
    x, y = flip("0.4"), flip("0.1")
    given(x or y)
    return x
`, `play(rule)`, "20/23"},
		{"Dice: a number that is not 1", `
def rule():
    x = throw(mixture([(1, 0), (4, 1), (5, 2)]))
    given(x != 1)
    return x == 2
`, `play(rule)`, "5/6"},
		{"Dice: equal, when the sum modulo 4 is small", `
def rule():
    x = throw(mixture([(1, 0), (2, 1), (3, 2), (4, 3)]))
    y = throw(mixture([(4, 0), (3, 1), (2, 2), (1, 3)]))
    given((x + y) % 4 < 2)
    return x == y
`, `play(rule)`, "5/23"},
		{"Dice: candy from two coins", `
def rule():
    coin1 = 10 if flip("0.5") else 25
    coin2 = 10 if flip("0.5") else 25
    inserted = coin1 if flip("0.8") else 0
    inserted += coin2 if flip("0.8") else 0
    given(inserted >= 15)
    return coin1 == 10
`, `play(rule)`, "9/20"},
		{"Dice: a Caesar cipher", `
def letter(key, seen):
    given((key + throw(mixture([(4, 0), (2, 1), (1, 2), (1, 3)]))) % 4 == seen)

def rule():
    key = throw(d4) - 1
    for seen in range(4):
        letter(key, seen)
    return key == 0
`, `play(rule)`, "1/4"},
		{"Dice and Genfer: murder mystery", murder, `play(rule)`, "9/569"},
		{"Genfer: murder mystery, total measure", murder, `evidence(rule)`, "569/1000"},
		{"Dice and Genfer: evidence on one side", evidence1, `play(rule)`, "1/3"},
		{"Genfer: evidence on one side, total measure", evidence1, `evidence(rule)`, "3/4"},
		{"Dice and Genfer: evidence of a coin", `
def rule():
    if flip("0.5"):
        coin = flip("0.5")
        given(coin)
        return coin
    return flip("0.5")
`, `play(rule)`, "2/3"},
		{"Dice and Genfer: wet grass", grass, `play(rule)`, "509/719"},
		{"Genfer: wet grass, total measure", grass, `evidence(rule)`, "6471/10000"},
		{"Dice and Genfer: an alarm", alarm, `play(rule)`, "2969983/992160802"},
		{"Genfer: an alarm, total measure", alarm, `evidence(rule)`, "496080401/2500000000"},
		{"Genfer: noisy or", `
def rule():
    n0, n4 = flip("0.5"), flip("0.5")
    n1 = flip("0.8" if n0 else "0.1")
    n21 = flip("0.8" if n0 else "0.1")
    n22 = flip("0.8" if n4 else "0.1")
    n33 = flip("0.8" if n4 else "0.1")
    n31 = flip("0.8" if n1 else "0.1")
    n32 = flip("0.8" if n21 or n22 else "0.1")
    return n31 or n32 or n33
`, `play(rule)`, "130307/160000"},
		{"Prodigy: throws to a six, all even", allEven, `play(rule).mean()`, "3/2"},
		{"Prodigy: throws to a six, all even, its variance", allEven, `play(rule).variance()`, "3/4"},
		{"Prodigy: throws to a six, all even, evidence", allEven, `evidence(rule)`, "1/4"},
		{"Prodigy: a coin until heads, in less than 3", `
def rule():
    x, on = 0, True
    while on:
        on = flip("0.5")
        x += 1
        given(x < 3)
    return x == 1
`, `play(rule)`, "2/3"},
		{"Prodigy: bits that flip, from 00", bits, `evidence(rule, False, False)`, "13/28"},
		{"Prodigy: bits that flip, from 01", bits, `evidence(rule, False, True)`, "3/7"},
		{"Prodigy: bits that flip, from 11", bits, `evidence(rule, True, True)`, "2/7"},
		// The generating function 7/13 (3i³ - 16i)/(i² + 8i - 16) has this derivative at 1.
		{"Prodigy: bits that flip, how often", bits, `play(rule, False, False).mean()`, "179/91"},
		// From one bit: 7/3 (i² - 4i)/(i² + 8i - 16); from two: 7i²/(16 - i² - 8i).
		{"Prodigy: bits that flip, how often from 01", bits, `play(rule, False, True).mean()`, "44/21"},
		{"Prodigy: bits that flip, how often from 11", bits, `play(rule, True, True).mean()`, "24/7"},
		// (1 - a) b / (1 - (1 - a)(1 - b))
		{"Prodigy: duelling cowboys", `
def rule(a, b):
    while True:
        if flip(a):
            return False
        if flip(b):
            return True
`, `play(rule, "1/3", "1/4")`, "1/3"},
		// Binomial(a + b - i - 1, b - 1) 2^(i - a - b) for i left of n
		{"Prodigy: one of two counters runs out", `
def rule(n, m):
    while n > 0 and m > 0:
        if flip("0.5"):
            n -= 1
        else:
            m -= 1
    return n == 2
`, `play(rule, 5, 3)`, "5/32"},
		{"Prodigy: the sum of three geometric numbers", `
def rule(x):
    while x > 0:
        if flip("0.5"):
            x -= 1
        else:
            earn(1)
`, `play(rule, 3).variance()`, "6"},
		{"Prodigy: a geometric number that is even", `
def rule():
    c = 0
    while flip("0.5"):
        c += 1
        c %= 2
        earn(1)
    given(c == 0)
`, `play(rule).mean()`, "2/3"},
		{"Prodigy: the die of Knuth and Yao", `
def rule():
    s = 1
    while s < 8:
        s = 2 * s + (1 if flip("0.5") else 0)
        if s == 8 or s == 15:
            s = 2 if s == 8 else 3
    return s == 9
`, `play(rule)`, "1/6"},
	} {
		src := "def flip(p):\n    return throw(coin(p)) == 1\n" + c.rule + "output(\"x\", (" + c.ask + "))\n"
		h, err := lang.New()
		if err != nil {
			t.Fatal(err)
		}
		p, err := h.Compile(t.Context(), "rule.star", []byte(src))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		res, err := p.Run(t.Context())
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := ""
		switch x := res.Outputs[0].Data.(type) {
		case lang.Prob:
			got = x.Value.RatString()
		case lang.Number:
			got = x.Value.RatString()
		}
		if got != strings.TrimSpace(c.want) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

const (
	murder = `
def rule():
    alice = flip("0.3")
    given(flip("0.03" if alice else "0.8"))
    return alice
`
	evidence1 = `
def rule():
    seen, coin = flip("0.5"), flip("0.5")
    if seen:
        given(coin)
    return seen
`
	grass = `
def rule():
    cloudy = flip("0.5")
    rain = flip("0.8" if cloudy else "0.2")
    sprinkler = flip("0.1" if cloudy else "0.5")
    given(rain and flip("0.9") or sprinkler and flip("0.9"))
    return rain
`
	alarm = `
def rule():
    earthquake, burglary = flip("0.0001"), flip("0.001")
    given(flip("0.7" if earthquake else "0.99"))
    if earthquake:
        given(flip("0.8"))
    else:
        given(flip("0.6" if burglary else "0.2"))
    return burglary
`
	allEven = `
def rule():
    x = 0
    while x < 6:
        x = throw(d6)
        earn(1)
        given(x % 2 == 0)
`
	bits = `
def rule(b3, b4):
    b1 = True
    b2 = True
    while b1 or b2:
        b1, b2 = flip("0.5"), flip("0.5")
        given(b1 == b3 or b2 == b4)
        b3, b4 = b1, b2
        earn(1)
`
)
