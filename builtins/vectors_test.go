package builtins

import (
	"strings"
	"testing"
)

const symbols = `green = die_faces([(0, 0), (1, 0), (1, 0), (2, 0), (0, 1), (1, 1)])
purple = die_faces({(0, 0): 1, (-1, 0): "3/2", (0, -1): 2})
`

// Sums of symbol dice against a look at every combination, and other identities
// between two routes.
func TestSymbolDice(t *testing.T) {
	for _, test := range []string{
		`same(green + purple, map(lambda a, b: (a[0] + b[0], a[1] + b[1]), green, purple))`,
		`same(times(3, green), map(lambda a, b, c: (a[0] + b[0] + c[0], a[1] + b[1] + c[1]), green, green, green))`,
		`same(times(3, green) + purple, sum([green, purple, green, green]))`,
		`same(times(-2, green), map(lambda a, b: (-a[0] - b[0], -a[1] - b[1]), green, green))`,
		`same(times(0, green), die_faces([(0, 0)]))`,
		`same(times(d(2) - 1, green), either("1/2", (0, 0), green))`,
		`same(times(d(3) - 2, green), mixture([(1, times(-1, green)), (1, (0, 0)), (1, green)]))`,
		`same(green + (1, -2), map(lambda a: (a[0] + 1, a[1] - 2), green))`,
		`same((1, -2) + green, green + (1, -2))`,
		`same((green + purple).item(0), green.item(0) + purple.item(0))`,
		`purple.pmf((-1, 0)).fraction == "1/3"`,
		// From low to high, wherever they come from.
		`map(lambda a, b: (b, a), d(2), d(2)).labels == [(1, 1), (1, 2), (2, 1), (2, 2)]`,
		`mixture([(1, (2, "b")), (1, (2, "a")), (1, (1, True))]).labels == [(1, True), (2, "a"), (2, "b")]`,
		`either("1/2", "b", "a").labels == ["b", "a"]`,
	} {
		v, err := recipe(t, symbols+test)
		if err != nil {
			t.Errorf("%s: %v", test, err)
			continue
		}
		if v.String() != "True" {
			t.Errorf("%s is %v", test, v)
		}
	}
}

func TestWhatSymbolDiceRefuse(t *testing.T) {
	for source, want := range map[string]string{
		`die_faces([(1, 2), 3])`:            "die_faces: faces: got the face 3 beside tuples, want tuples of whole numbers",
		`die_faces([(1, 2), (3,)])`:         "die_faces: faces: got faces of 2 places and of 1, want tuples of one length",
		`die_faces({(1, "a"): 1})`:          "die_faces: faces: got the face",
		`green + 1`:                         "+: got 1 beside Outcomes",
		`green + (1,)`:                      "+: got tuples of 2 places and of 1, want all of one length",
		`green + (1, "a")`:                  "+: got",
		`green + versus(d(2), d(2))`:        `+: got Outcomes with the label "lose", want tuples of whole numbers`,
		`times(2, versus(d(2), d(2)))`:      `times: roll: got Outcomes with the label "lose", want tuples of whole numbers`,
		`times(explode(d(2), None), green)`: "times: n: got an unlimited roll",
		`sum([green, d(6)])`:                "",
	} {
		_, err := recipe(t, symbols+source)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", source, err, want)
		}
	}
}
