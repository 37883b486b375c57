package throw

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"dicescript/lang/notation"
)

// Modifiers, in the order in which they are written: those about each die
// make another die of it, those about all dice make a total of them.

func (t *thrower) modified(n node, mods []notation.Modifier) node {
	for i, m := range mods {
		switch m.Action {
		case notation.KeepDrop:
			var count *notation.Band
			if i+1 < len(mods) {
				count = mods[i+1].When
			}
			return kept(n, m, count)
		case notation.Count:
			return kept(n, notation.Modifier{Select: notation.KeepHighest, N: math.MaxInt}, m.When)
		}
		dice := make([]die, len(n.dice))
		for k, d := range n.dice {
			dice[k] = t.each(d, m)
		}
		n = ofDice(dice)
	}
	return n
}

// each is a die with a modifier.
func (t *thrower) each(d die, m notation.Modifier) die {
	switch m.Action {
	case notation.Explode:
		added := t.adding(d, m.When)
		d = t.exploding(d, m.When)
		d.added = added
		return d
	case notation.Compound:
		return t.exploding(d, m.When)
	case notation.RerollOnce:
		return t.rerolled(d, m.When, 1)
	case notation.RerollUntil:
		for d.high > d.low && holds(m.When, d.high) {
			d.high--
		}
		for d.low < d.high && holds(m.When, d.low) {
			d.low++
		}
		return t.rerolled(d, m.When, mostRolls)
	case notation.RaiseTo:
		return clamped(d, "↑", func(v int) int { return max(v, m.N) })
	case notation.CapAt:
		return clamped(d, "↓", func(v int) int { return min(v, m.N) })
	}
	return d
}

// mostRolls ends what would go on for longer than anybody waits.
const mostRolls = 100_000

// explodes reports whether a result of d is in the band, or, when that is nil, the
// highest one.
func explodes(d die, on *notation.Band, v int) bool {
	return on == nil && v == d.high || on != nil && holds(on, v)
}

// exploding is rolled again and added while it explodes.
func (t *thrower) exploding(d die, on *notation.Band) die {
	one := d
	d.roll = func() rolled {
		r := one.roll()
		sum, text := r.value, r.text
		for n := 0; explodes(one, on, r.value); n++ {
			if n == mostRolls {
				t.err = errLong
				break
			}
			r = one.roll()
			sum += r.value
			text += "!+" + r.text
		}
		return rolled{sum, text}
	}
	return d
}

// adding rolls a die and all that are added because it explodes, each for itself.
func (t *thrower) adding(d die, on *notation.Band) func() []rolled {
	return func() []rolled {
		results := []rolled{d.roll()}
		for {
			last := &results[len(results)-1]
			if !explodes(d, on, last.value) {
				return results
			}
			if len(results) > mostRolls {
				t.err = errLong
				return results
			}
			last.text += "!"
			results = append(results, d.roll())
		}
	}
}

// rerolled is rolled again, up to so many times, while a result is in the band.
func (t *thrower) rerolled(d die, on *notation.Band, times int) die {
	roll := d.roll
	d.roll = func() rolled {
		r := roll()
		text := r.text
		for n := 0; holds(on, r.value); n++ {
			if n == times {
				if times == mostRolls {
					t.err = errLong
				}
				break
			}
			r = roll()
			text += "→" + r.text
		}
		return rolled{r.value, text}
	}
	return d
}

// clamped counts as another face.
func clamped(d die, sign string, f func(int) int) die {
	roll, added := d.roll, d.added
	other := func(r rolled) rolled {
		if v := f(r.value); v != r.value {
			return rolled{v, r.text + sign + strconv.Itoa(v)}
		}
		return r
	}
	d.low, d.high = f(d.low), f(d.high)
	d.roll = func() rolled { return other(roll()) }
	if added == nil {
		return d
	}
	d.added = func() []rolled {
		results := added()
		for i, r := range results {
			results[i] = other(r)
		}
		return results
	}
	// A total is that of the faces as they count.
	d.roll = func() rolled {
		sum, texts := 0, []string(nil)
		for _, r := range d.added() {
			sum += r.value
			texts = append(texts, r.text)
		}
		return rolled{sum, strings.Join(texts, "+")}
	}
	return d
}

// kept is the total of some of the dice or, with a band, how many of those
// match it.
func kept(n node, m notation.Modifier, count *notation.Band) node {
	dice := n.dice
	return node{
		low: min(0, n.low), high: max(len(dice), n.high),
		total: func() rolled {
			var results []rolled
			for _, d := range dice {
				if d.added != nil {
					results = append(results, d.added()...)
				} else {
					results = append(results, d.roll())
				}
			}
			keep := selected(results, m)
			sum, texts := 0, make([]string, len(results))
			for i, r := range results {
				texts[i] = r.text
				switch {
				case !keep[i]:
					texts[i] = "(" + r.text + ")"
				case count == nil:
					sum += r.value
				case holds(count, r.value):
					texts[i] += "*"
					sum++
				}
			}
			return rolled{sum, bracketed(texts)}
		},
	}
}

// selected tells which results are kept. Of equal ones, those rolled first are.
func selected(results []rolled, m notation.Modifier) []bool {
	order := make([]int, len(results))
	for i := range order {
		order[i] = i
	}
	highFirst := m.Select == notation.KeepHighest || m.Select == notation.DropLowest
	slices.SortStableFunc(order, func(a, b int) int {
		if highFirst {
			return cmp.Compare(results[b].value, results[a].value)
		}
		return cmp.Compare(results[a].value, results[b].value)
	})
	n := min(m.N, len(order))
	if m.Select == notation.DropHighest || m.Select == notation.DropLowest {
		n = len(order) - min(n, max(len(order)-1, 0)) // one always stays
	}
	keep := make([]bool, len(results))
	for _, i := range order[:n] {
		keep[i] = true
	}
	return keep
}

func holds(b *notation.Band, v int) bool {
	return b != nil && (b.Lo == nil || v >= *b.Lo) && (b.Hi == nil || v <= *b.Hi)
}
