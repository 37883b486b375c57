package throw

import (
	"errors"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"strings"

	"dicescript/lang/notation"
)

// A Throw is the outcome of rolling some notation once.
type Throw struct {
	Total int
	// Shown is how the total came about: "[5 4 3 (1)] + 2". In brackets are
	// dice. A die in parentheses was not kept, 6!+3 has exploded, 1→4 was
	// rolled again, 1↑2 and 6↓5 count as another face, and 8* is a success. A die
	// that is followed by !, as in 10! 3, has added the next one.
	Shown string
}

// Once rolls notation once.
func Once(x notation.Expr, src rand.Source) (Throw, error) {
	t := &thrower{src: src}
	n, err := t.node(x)
	if err != nil {
		return Throw{}, err
	}
	t.err = nil
	r := n.total()
	return Throw{r.value, r.text}, t.err
}

// A rolled is a number with the way it came about.
type rolled struct {
	value int
	text  string
}

// A die can be rolled again and again. Its results lie between low and high.
type die struct {
	roll      func() rolled
	low, high int
	added     func() []rolled // with the dice that it adds, each for itself; nil when it adds none
}

// A node is a piece of notation that can be rolled: dice that modifiers can
// be about, or just a total.
type node struct {
	dice  []die // nil for a total
	total func() rolled
	low   int // the ends of the total
	high  int
}

// thrower makes nodes of notation. What goes wrong in a roll is kept in err.
type thrower struct {
	src rand.Source
	err error
}

var (
	errRange = errors.New("the total is too large")
	errLong  = errors.New("the dice were rolled again too often")
	errNode  = errors.New("a range is not something to roll")
	errGroup = errors.New("modifiers are about dice, and there are none in the parentheses before them")
)

func (t *thrower) node(x notation.Expr) (node, error) {
	switch x := x.(type) {
	case *notation.Number:
		text := strconv.Itoa(x.Value)
		return node{total: func() rolled { return rolled{x.Value, text} }, low: x.Value, high: x.Value}, nil
	case *notation.Dice:
		return t.modified(t.pool(x.Literal), x.Modifiers), nil
	case *notation.Group:
		return t.group(x)
	case *notation.Negate:
		n, err := t.node(x.X)
		return node{total: func() rolled {
			r := n.total()
			return rolled{-r.value, "-" + r.text}
		}, low: -n.high, high: -n.low}, err
	case *notation.Binary:
		return t.binary(x)
	}
	return node{}, errNode
}

// pool is the dice of a literal.
func (t *thrower) pool(p notation.Pool) node {
	low, high := 1, p.Sides
	if p.Fate {
		low, high = -1, 1
	}
	one := die{low: low, high: high, roll: func() rolled { return t.face(low, high) }}
	dice := make([]die, p.Count)
	for i := range dice {
		dice[i] = one
	}
	return ofDice(dice)
}

// face rolls a number from low to high.
func (t *thrower) face(low, high int) rolled {
	n := uint64(high-low) + 1
	mask := uint64(1)<<bits.Len64(n-1) - 1
	u := t.src.Uint64() & mask
	for u >= n {
		u = t.src.Uint64() & mask
	}
	v := low + int(u)
	return rolled{v, strconv.Itoa(v)}
}

// ofDice is dice with nothing done to them.
func ofDice(dice []die) node {
	n := node{dice: dice}
	for _, d := range dice {
		n.low += d.low
		n.high += d.high
	}
	n.total = func() rolled {
		sum, texts := 0, make([]string, len(dice))
		for i, d := range dice {
			r := d.roll()
			sum += r.value
			texts[i] = r.text
		}
		return rolled{sum, bracketed(texts)}
	}
	return n
}

// mostShown is how many dice are shown one by one.
const mostShown = 60

func bracketed(texts []string) string {
	if len(texts) > mostShown {
		return "[" + strings.Join(texts[:mostShown], " ") + " ... " + strconv.Itoa(len(texts)) + " dice]"
	}
	return "[" + strings.Join(texts, " ") + "]"
}

// group is notation in parentheses; modifiers after it are about its dice, or
// about all of it as if it were one die.
func (t *thrower) group(x *notation.Group) (node, error) {
	n, err := t.node(x.X)
	if err != nil {
		return n, err
	}
	if len(x.Modifiers) > 0 {
		if n.dice == nil {
			if n.low == n.high {
				return n, errGroup
			}
			n = ofDice([]die{{roll: n.total, low: n.low, high: n.high}})
		}
		return t.modified(n, x.Modifiers), nil
	}
	total := n.total
	n.total = func() rolled {
		r := total()
		return rolled{r.value, "(" + r.text + ")"}
	}
	return n, nil
}

func (t *thrower) binary(x *notation.Binary) (node, error) {
	a, err := t.node(x.X)
	if err != nil {
		return a, err
	}
	b, err := t.node(x.Y)
	if err != nil {
		return b, err
	}
	n := node{total: func() rolled {
		r, s := a.total(), b.total()
		return rolled{t.apply(x.Op, r.value, s.value), r.text + " " + x.Op + " " + s.text}
	}}
	n.low, n.high = t.ends(x.Op, a, b)
	if x.Op == "+" && a.dice != nil && b.dice != nil {
		n.dice = append(append([]die(nil), a.dice...), b.dice...)
	}
	return n, nil
}

// ends are those of a op b, which lie at ends of a and b.
func (t *thrower) ends(op string, a, b node) (low, high int) {
	for i, x := range []int{a.low, a.high} {
		for j, y := range []int{b.low, b.high} {
			if op == "//" && y == 0 {
				continue
			}
			v := t.apply(op, x, y)
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

func (t *thrower) apply(op string, a, b int) int {
	switch op {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		if a != 0 && (a*b)/a != b {
			t.err = errRange
		}
		return a * b
	}
	if b == 0 {
		t.err = errors.New("division by zero")
		return 0
	}
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}
