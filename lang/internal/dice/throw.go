// Real throws of dice notation: the dice of a literal or of roll("..."), one by one.

package dice

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"dicescript/builtins/throwing"
	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/lang/notation"

	"go.starlark.net/starlark"
)

// OfLiteral is a literal as notation.
func OfLiteral(l *notation.Literal) notation.Expr {
	p := l.Dice
	x := &notation.Dice{Literal: p}
	if p.Select != notation.KeepAll {
		x.Literal.Select = notation.KeepAll
		x.Modifiers = []notation.Modifier{{Action: notation.KeepDrop, Select: p.Select, N: p.N}}
	}
	return x
}

// Level is how strongly the outermost operator of notation binds, as in a recipe: 0 where
// there is none.
func Level(x notation.Expr) int {
	switch x := x.(type) {
	case *notation.Binary:
		if x.Op == "+" || x.Op == "-" {
			return 5
		}
		return 6
	case *notation.Negate:
		return 7
	}
	return 0
}

// Operator is the outermost operator of notation, "" where there is none.
func Operator(x notation.Expr) string {
	switch x := x.(type) {
	case *notation.Binary:
		return x.Op
	case *notation.Negate:
		return "-"
	}
	return ""
}

// Throw throws notation whose value is v.
func Throw(t *throwing.Thrower, v starlark.Value, x notation.Expr) (starlark.Value, error) {
	th := &thrower{t}
	n, err := th.node(x)
	if err != nil {
		return nil, err
	}
	m := value.MethodsOf(v)
	if _, ok := v.(*value.Pool); ok && n.dice != nil {
		faces, made := make([]int, len(n.dice)), make([][]*throwing.Die, len(n.dice))
		for i, d := range n.dice {
			r, err := d.roll()
			if err != nil {
				return nil, err
			}
			faces[i], made[i] = r.value, r.dice
		}
		return t.Pool(m, faces, made)
	}
	r, err := n.total()
	return throwing.Roll(m, r.value), err
}

// A rolled is a number with the dice that it comes from.
type rolled struct {
	value int
	dice  []*throwing.Die
}

// A thrownDie can be rolled again and again. Its results lie between low and high.
type thrownDie struct {
	roll      func() (rolled, error)
	low, high int
	added     func() ([]rolled, error) // with the dice that it adds, each for itself; nil when it adds none
}

// A thrownNode is a piece of notation that can be rolled: dice that modifiers can be about,
// or just a total.
type thrownNode struct {
	dice      []thrownDie // nil for a total
	total     func() (rolled, error)
	low, high int // the ends of the total
}

// A thrower makes nodes of notation.
type thrower struct{ t *throwing.Thrower }

var (
	errRange = errors.New("the total is too large")
	errNode  = errors.New("a range is not something to roll")
	errGroup = errors.New("modifiers are about dice, and there are none in the parentheses before them")
)

func (t *thrower) node(x notation.Expr) (thrownNode, error) {
	switch x := x.(type) {
	case *notation.Number:
		return thrownNode{total: func() (rolled, error) { return rolled{value: x.Value}, nil }, low: x.Value, high: x.Value}, nil
	case *notation.Dice:
		n, err := t.pool(x.Literal)
		if err != nil {
			return n, err
		}
		return t.modified(n, x.Modifiers), nil
	case *notation.Group:
		return t.group(x)
	case *notation.Negate:
		n, err := t.node(x.X)
		return thrownNode{total: func() (rolled, error) {
			r, err := t.part(x.X, n)
			r.value = -r.value
			return r, err
		}, low: -n.high, high: -n.low}, err
	case *notation.Binary:
		return t.binary(x)
	}
	return thrownNode{}, errNode
}

// pool is the dice of a literal.
func (t *thrower) pool(p notation.Pool) (thrownNode, error) {
	low, high := 1, p.Sides
	die, err := makeDie(context.Background(), p)
	if err != nil {
		return thrownNode{}, err
	}
	if p.Fate {
		low, high = -1, 1
	}
	one := thrownDie{low: low, high: high, roll: func() (rolled, error) {
		d, err := t.t.Die(die)
		if err != nil {
			return rolled{}, err
		}
		return rolled{d.Value, []*throwing.Die{d}}, nil
	}}
	dice := make([]thrownDie, p.Count)
	for i := range dice {
		dice[i] = one
	}
	return ofDice(dice), nil
}

// ofDice is dice with nothing done to them.
func ofDice(dice []thrownDie) thrownNode {
	n := thrownNode{dice: dice}
	for _, d := range dice {
		n.low += d.low
		n.high += d.high
	}
	n.total = func() (sum rolled, err error) {
		for _, d := range dice {
			r, err := d.roll()
			if err != nil {
				return sum, err
			}
			sum.value += r.value
			sum.dice = append(sum.dice, r.dice...)
		}
		return sum, nil
	}
	return n
}

// part rolls an operand, as a throw of its own.
func (t *thrower) part(x notation.Expr, n thrownNode) (r rolled, err error) {
	if number, ok := x.(*notation.Number); ok {
		return rolled{value: number.Value}, nil
	}
	inner := unwrapped(x)
	err = t.t.Within(notation.Text(inner), Operator(inner), func() (any, error) {
		r, err = n.total()
		return r.value, err
	})
	return r, err
}

// unwrapped is notation without parentheses around all of it.
func unwrapped(x notation.Expr) notation.Expr {
	for {
		g, ok := x.(*notation.Group)
		if !ok || len(g.Modifiers) > 0 {
			return x
		}
		x = g.X
	}
}

// group is notation in parentheses; modifiers after it are about its dice, or about all of it
// as if it were one die.
func (t *thrower) group(x *notation.Group) (thrownNode, error) {
	n, err := t.node(x.X)
	if err != nil || len(x.Modifiers) == 0 {
		return n, err
	}
	if n.dice == nil {
		if n.low == n.high {
			return n, errGroup
		}
		n = ofDice([]thrownDie{{roll: n.total, low: n.low, high: n.high}})
	}
	return t.modified(n, x.Modifiers), nil
}

func (t *thrower) binary(x *notation.Binary) (thrownNode, error) {
	a, err := t.node(x.X)
	if err != nil {
		return a, err
	}
	b, err := t.node(x.Y)
	if err != nil {
		return b, err
	}
	n := thrownNode{total: func() (rolled, error) {
		r, err := t.part(x.X, a)
		if err != nil {
			return r, err
		}
		s, err := t.part(x.Y, b)
		if err != nil {
			return s, err
		}
		v, err := apply(x.Op, r.value, s.value)
		return rolled{v, append(r.dice, s.dice...)}, err
	}}
	n.low, n.high = ends(x.Op, a, b)
	if x.Op == "+" && a.dice != nil && b.dice != nil {
		n.dice = append(append([]thrownDie(nil), a.dice...), b.dice...)
	}
	return n, nil
}

// ends are those of a op b, which lie at ends of a and b.
func ends(op string, a, b thrownNode) (low, high int) {
	for i, x := range []int{a.low, a.high} {
		for j, y := range []int{b.low, b.high} {
			if op == "//" && y == 0 {
				continue
			}
			v, _ := apply(op, x, y)
			if i+j == 0 || v < low {
				low = v
			}
			if i+j == 0 || v > high {
				high = v
			}
		}
	}
	return low, high
}

func apply(op string, a, b int) (int, error) {
	switch op {
	case "+":
		return a + b, nil
	case "-":
		return a - b, nil
	case "*":
		if a != 0 && (a*b)/a != b {
			return 0, errRange
		}
		return a * b, nil
	}
	if b == 0 {
		return 0, errors.New("division by zero")
	}
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q, nil
}

// modified applies modifiers in the order in which they are written: those about each die
// make another die of it, those about all dice make a total of them.
func (t *thrower) modified(n thrownNode, mods []notation.Modifier) thrownNode {
	for i, m := range mods {
		switch m.Action {
		case notation.KeepDrop:
			var count *notation.Band
			if i+1 < len(mods) {
				count = mods[i+1].When
			}
			return thrownKept(n, m, count)
		case notation.Count:
			return thrownKept(n, notation.Modifier{Select: notation.KeepHighest, N: math.MaxInt}, m.When)
		}
		dice := make([]thrownDie, len(n.dice))
		for k, d := range n.dice {
			dice[k] = t.each(d, m)
		}
		n = ofDice(dice)
	}
	return n
}

// each is a die with a modifier.
func (t *thrower) each(d thrownDie, m notation.Modifier) thrownDie {
	switch m.Action {
	case notation.Explode:
		added := t.adding(d, m.When)
		d = summed(d, added)
		d.added = added
		return d
	case notation.Compound:
		return summed(d, t.adding(d, m.When))
	case notation.RerollOnce:
		return t.rerolled(d, m.When, 1)
	case notation.RerollUntil:
		for d.high > d.low && holds(m.When, d.high) {
			d.high--
		}
		for d.low < d.high && holds(m.When, d.low) {
			d.low++
		}
		return t.rerolled(d, m.When, dist.Unlimited)
	case notation.RaiseTo:
		return clamped(d, func(v int) int { return max(v, m.N) })
	case notation.CapAt:
		return clamped(d, func(v int) int { return min(v, m.N) })
	}
	return d
}

// explodes reports whether a result of d is in the band, or, when that is nil, the highest one.
func explodes(d thrownDie, on *notation.Band, v int) bool {
	return on == nil && v == d.high || on != nil && holds(on, v)
}

// adding rolls a die and all that are added because it explodes.
func (t *thrower) adding(d thrownDie, on *notation.Band) func() ([]rolled, error) {
	return func() ([]rolled, error) {
		r, err := d.roll()
		results := []rolled{r}
		for err == nil && explodes(d, on, r.value) {
			place := t.t.Place()
			if r, err = d.roll(); len(r.dice) == 1 {
				r.dice[0].Exploded = place
			}
			results = append(results, r)
		}
		return results, err
	}
}

// summed is the die whose results are all that it adds together.
func summed(d thrownDie, added func() ([]rolled, error)) thrownDie {
	d.roll = func() (sum rolled, err error) {
		results, err := added()
		for _, r := range results {
			sum.value += r.value
			sum.dice = append(sum.dice, r.dice...)
		}
		return sum, err
	}
	return d
}

// rerolled is rolled again, up to so many times, while a result is in the band.
func (t *thrower) rerolled(d thrownDie, on *notation.Band, times int) thrownDie {
	roll := d.roll
	d.roll = func() (rolled, error) {
		r, err := roll()
		for n := 0; err == nil && holds(on, r.value) && (times == dist.Unlimited || n < times); n++ {
			before := r
			if r, err = roll(); len(before.dice) == 1 && len(r.dice) == 1 {
				before.dice[0].Rerolled = t.t.Place()
			}
		}
		return r, err
	}
	return d
}

// clamped counts as another face.
func clamped(d thrownDie, f func(int) int) thrownDie {
	roll, added := d.roll, d.added
	other := func(r rolled) rolled {
		v := f(r.value)
		if v != r.value && len(r.dice) == 1 {
			r.dice[0].Counts = &v
		}
		return rolled{v, r.dice}
	}
	d.low, d.high = f(d.low), f(d.high)
	if added == nil {
		d.roll = func() (rolled, error) {
			r, err := roll()
			return other(r), err
		}
		return d
	}
	// A total is that of the faces as they count.
	d.added = func() ([]rolled, error) {
		results, err := added()
		for i, r := range results {
			results[i] = other(r)
		}
		return results, err
	}
	return summed(d, d.added)
}

// thrownKept is the total of some of the dice or, with a band, how many of those match it.
func thrownKept(n thrownNode, m notation.Modifier, count *notation.Band) thrownNode {
	dice := n.dice
	return thrownNode{
		low: min(0, n.low), high: max(len(dice), n.high),
		total: func() (sum rolled, err error) {
			var results []rolled
			for _, d := range dice {
				var more []rolled
				if d.added != nil {
					more, err = d.added()
				} else {
					var r rolled
					r, err = d.roll()
					more = []rolled{r}
				}
				if err != nil {
					return sum, err
				}
				results = append(results, more...)
			}
			keep, all := selected(results, m), true
			for _, k := range keep {
				all = all && k
			}
			for i, r := range results {
				sum.dice = append(sum.dice, r.dice...)
				if !all || m.N < math.MaxInt {
					throwing.Mark(r.dice, keep[i])
				}
				switch {
				case !keep[i]:
				case count == nil:
					sum.value += r.value
				case holds(count, r.value):
					sum.value++
					for _, d := range r.dice {
						d.Counted = true
					}
				}
			}
			return sum, nil
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
