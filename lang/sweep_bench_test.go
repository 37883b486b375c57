package lang_test

import (
	"context"
	"testing"

	"dicescript/lang"
)

// attack is a recipe of a few dice with inputs to sweep over.
const attack = `
bonus = param("bonus", 5, min=0, max=24)
armour = param("armour", 15, min=8, max=24)
stance = param("stance", "normal", choices=["normal", "advantage"])
attack = (2d20kh1 if stance == "advantage" else 1d20) + bonus
hit = attack >= armour
output("hit", hit)
damage = 2d6 + 3
output("damage", mixture([(hit, damage), (1 - hit, 0)]))
`

// BenchmarkSweep computes a setting: divide a second by its time.
func BenchmarkSweep(b *testing.B) {
	host, err := lang.New(lang.WithLimits(lang.Limits{Steps: -1, Work: -1, Cells: -1, Bytes: -1}))
	if err != nil {
		b.Fatal(err)
	}
	for _, bench := range []struct {
		name, source string
		axes         lang.Axes
	}{
		{"attack", attack, lang.Axes{span("bonus", 0, 24), span("armour", 8, 24), {Name: "stance", Values: []any{"normal", "advantage"}}}},
		{"one_die", "bonus = param('bonus', 0)\ndc = param('dc', 10)\noutput('hit', 1d20 + bonus >= dc)", lang.Axes{span("bonus", 0, 99), span("dc", 1, 30)}},
		{"pool", "n = param('n', 3)\ndc = param('dc', 10)\noutput('sum', 4d6kh3 + n)\noutput('two', (5d10).count(at_least(dc)) >= 2)", lang.Axes{span("n", 0, 99), span("dc", 1, 10)}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			program, err := host.Compile(context.Background(), "recipe.star", []byte(bench.source))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for done := 0; done < b.N; {
				for _, r := range program.Sweep(context.Background(), bench.axes) {
					if len(r.Outputs) == 0 {
						b.Fatal("no outputs")
					}
					if done++; done == b.N {
						break
					}
				}
			}
		})
	}
}

// span is an axis of whole numbers.
func span(name string, lo, hi int) lang.Axis {
	a := lang.Axis{Name: name}
	for i := lo; i <= hi; i++ {
		a.Values = append(a.Values, i)
	}
	return a
}
