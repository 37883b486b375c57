package dice

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"sort"
	"testing"

	"dicescript/builtins/value"
	"dicescript/lang/notation"

	"pgregory.net/rapid"
)

// The oracle throws the dice of a formula one by one, in every way, as a person at the
// table would: dice lie there in a list, are rolled again, added, set aside and counted.
// It knows nothing of distributions. What takes more than some throws is left out, and
// its chance is how far both may differ.

// A path is one way in which the dice of a formula may fall.
type path struct {
	choices []int
	at      int
	sides   []int // of the dice thrown on the way
	deep    bool  // more dice than are followed
}

const mostThrows = 7

type tooDeep struct{}

// throw is a face of 1..sides.
func (p *path) throw(sides int) int {
	if p.at == mostThrows {
		panic(tooDeep{})
	}
	if p.at == len(p.choices) {
		p.choices = append(p.choices, 1)
	}
	p.sides = append(p.sides[:p.at], sides)
	p.at++
	return p.choices[p.at-1]
}

// every visits all paths with their chances, and returns the chance of those that are too
// long.
func every(visit func(p *path), total func(chance *big.Rat)) *big.Rat {
	left := new(big.Rat)
	p := &path{}
	for {
		p.at, p.deep = 0, false
		func() {
			defer func() {
				if r := recover(); r != nil {
					if _, ok := r.(tooDeep); !ok {
						panic(r)
					}
					p.deep = true
				}
			}()
			visit(p)
		}()
		chance := big.NewRat(1, 1)
		for _, s := range p.sides[:p.at] {
			chance.Mul(chance, big.NewRat(1, int64(s)))
		}
		if p.deep {
			left.Add(left, chance)
		} else {
			total(chance)
		}
		p.choices = p.choices[:p.at]
		for len(p.choices) > 0 && p.choices[len(p.choices)-1] == p.sides[len(p.choices)-1] {
			p.choices = p.choices[:len(p.choices)-1]
		}
		if len(p.choices) == 0 {
			return left
		}
		p.choices[len(p.choices)-1]++
	}
}

// A lying die is one on the table.
type lying struct {
	face   int // that it shows
	counts int // what it is worth
	out    bool
	less   int // than was thrown
}

type player struct {
	p      *path
	d      notation.Dialect
	inputs map[string]int
}

func (q player) term(x notation.Term) *big.Rat {
	switch x := x.(type) {
	case *notation.Fixed:
		return big.NewRat(int64(x.Over), int64(x.Under))
	case *notation.TableName:
		return big.NewRat(int64(q.inputs[x.Name]), 1)
	case *notation.TableDice:
		n, _ := q.term(x.Count).Float64()
		least, top := 1, x.Sides
		face := func() int { return q.p.throw(x.Sides) }
		if x.Fate {
			least, top = -1, 1
			face = func() int { return q.p.throw(3) - 2 }
		}
		var dice []lying
		for range int(n) {
			f := face()
			dice = append(dice, lying{face: f, counts: f})
		}
		return big.NewRat(int64(total(play(dice, x.Modifiers, least, top, face))), 1)
	case *notation.TableGroup:
		var dice []lying
		for _, item := range x.Items {
			for _, n := range q.items(item, x.Joined && len(x.Modifiers) > 0) {
				dice = append(dice, lying{face: n, counts: n})
			}
		}
		return big.NewRat(int64(total(play(dice, x.Modifiers, 0, 0, nil))), 1)
	case *notation.TableCall:
		return q.call(x)
	case *notation.TableOp:
		return q.op(x)
	}
	panic("unknown")
}

func (q player) items(x notation.Term, joined bool) []int {
	if op, ok := x.(*notation.TableOp); ok && joined {
		return append(q.items(op.X, true), q.items(op.Y, true)...)
	}
	if d, ok := x.(*notation.TableDice); ok && joined {
		var faces []int
		for range d.Count.(*notation.Fixed).Over {
			faces = append(faces, q.p.throw(d.Sides))
		}
		return faces
	}
	return []int{int(q.term(x).Num().Int64())}
}

func floor(x *big.Rat) *big.Rat {
	n := new(big.Int).Div(x.Num(), x.Denom()) // Euclidean, and the denominator is above 0
	return new(big.Rat).SetInt(n)
}

func (q player) call(x *notation.TableCall) *big.Rat {
	var args []*big.Rat
	for _, a := range x.Args {
		args = append(args, q.term(a))
	}
	sort.Slice(args, func(i, k int) bool { return args[i].Cmp(args[k]) < 0 })
	switch x.Name {
	case "floor":
		return floor(args[0])
	case "ceil":
		return new(big.Rat).Neg(floor(new(big.Rat).Neg(args[0])))
	case "round":
		return floor(new(big.Rat).Add(args[0], big.NewRat(1, 2)))
	case "abs":
		return new(big.Rat).Abs(args[0])
	case "min":
		return args[0]
	}
	return args[len(args)-1]
}

func (q player) op(x *notation.TableOp) *big.Rat {
	if x.X == nil {
		return new(big.Rat).Neg(q.term(x.Y))
	}
	a, b := q.term(x.X), q.term(x.Y)
	yes := func(holds bool) *big.Rat {
		if holds {
			return big.NewRat(1, 1)
		}
		return new(big.Rat)
	}
	switch x.Op {
	case "+":
		return new(big.Rat).Add(a, b)
	case "-":
		return new(big.Rat).Sub(a, b)
	case "*":
		return new(big.Rat).Mul(a, b)
	case "/":
		return new(big.Rat).Quo(a, b)
	case "//":
		return floor(new(big.Rat).Quo(a, b))
	case "%":
		down := new(big.Rat).Quo(a, b)
		if q.d == notation.Avrae || down.Sign() >= 0 {
			down = floor(down)
		} else {
			down = new(big.Rat).Neg(floor(new(big.Rat).Neg(down)))
		}
		return new(big.Rat).Sub(a, down.Mul(down, b))
	case "==":
		return yes(a.Cmp(b) == 0)
	case "!=":
		return yes(a.Cmp(b) != 0)
	case ">=":
		return yes(a.Cmp(b) >= 0)
	case "<=":
		return yes(a.Cmp(b) <= 0)
	case ">":
		return yes(a.Cmp(b) > 0)
	}
	return yes(a.Cmp(b) < 0)
}

func total(dice []lying) int {
	sum := 0
	for _, d := range dice {
		if !d.out {
			sum += d.counts
		}
	}
	return sum
}

// play does to the dice what the modifiers say, one after the other.
func play(dice []lying, mods []notation.TableModifier, least, top int, throw func() int) []lying {
	counted := false
	for _, m := range mods {
		meant := func(d lying) bool { return m.Pick.Holds(d.face, least, top, !counted || d.counts > 0) }
		switch m.Action {
		case notation.TableReroll, notation.TableRerollAll:
			for i, d := range dice {
				for again := meant(d); again; again = meant(d) && m.Action == notation.TableRerollAll {
					f := throw()
					d = lying{face: f, counts: f}
				}
				dice[i] = d
			}
		case notation.TableExplode, notation.TablePenetrate:
			// Dice that are added are looked at as well: natural faces decide.
			for i := 0; i < len(dice); i++ {
				natural := dice[i]
				natural.face += natural.less
				if meant(natural) {
					less := 0
					if m.Action == notation.TablePenetrate {
						less = 1
					}
					f := throw() - less
					dice = append(dice, lying{face: f, counts: f, less: less})
				}
			}
		case notation.TableExplodeOnce:
			for _, d := range dice {
				if meant(d) {
					f := throw()
					dice = append(dice, lying{face: f, counts: f})
				}
			}
		case notation.TableRerollAdd:
			for _, d := range dice {
				if meant(d) {
					f := throw()
					dice = append(dice, lying{face: f, counts: f})
					break
				}
			}
		case notation.TableCompound:
			for i := range dice {
				for last := dice[i]; meant(last); {
					f := throw()
					last = lying{face: f, counts: f}
					dice[i].counts += f
				}
				dice[i].face = dice[i].counts
			}
		case notation.TableRaise, notation.TableCap:
			for i := range dice {
				if m.Action == notation.TableRaise {
					dice[i].counts = max(dice[i].counts, m.N)
				} else {
					dice[i].counts = min(dice[i].counts, m.N)
				}
			}
		case notation.TableKeepHigh, notation.TableKeepLow, notation.TableDropHigh, notation.TableDropLow:
			order := make([]int, len(dice))
			for i := range order {
				order[i] = i
			}
			sort.SliceStable(order, func(i, k int) bool { return dice[order[i]].counts > dice[order[k]].counts })
			for place, i := range order {
				fromLow := len(order) - 1 - place
				switch m.Action {
				case notation.TableKeepHigh:
					dice[i].out = place >= m.N
				case notation.TableKeepLow:
					dice[i].out = fromLow >= m.N
				case notation.TableDropHigh:
					dice[i].out = place < m.N
				case notation.TableDropLow:
					dice[i].out = fromLow < m.N
				}
			}
		case notation.TableKeepMatch, notation.TableDropMatch:
			for i, d := range dice {
				d.face = d.counts
				if meant(d) == (m.Action == notation.TableDropMatch) {
					dice[i].out = true
				}
			}
		case notation.TableCount:
			for i, d := range dice {
				dice[i].counts = 0
				if meant(d) {
					dice[i].counts = 1
				}
			}
			counted = true
		case notation.TableDeduct:
			for i, d := range dice {
				if meant(d) {
					dice[i].counts = -1
				}
			}
		case notation.TableSubtract:
			for i, d := range dice {
				if meant(d) {
					dice[i].counts = -d.face
				}
			}
		}
	}
	return dice
}

// enumerate is what a formula comes to by the oracle.
func enumerate(t interface{ Fatal(...any) }, dialect, text string, inputs map[string]int) (chances map[int]*big.Rat, left *big.Rat) {
	f, err := notation.ParseTable(notation.Dialect(dialect), text)
	if err != nil {
		t.Fatal(err)
	}
	chances = map[int]*big.Rat{}
	var last *big.Rat
	left = every(func(p *path) {
		last = player{p, f.Dialect, inputs}.term(f.X)
	}, func(chance *big.Rat) {
		n := int(new(big.Int).Quo(last.Num(), last.Denom()).Int64()) // Avrae cuts off
		if chances[n] == nil {
			chances[n] = new(big.Rat)
		}
		chances[n].Add(chances[n], chance)
	})
	return chances, left
}

// check compares the value of a formula with the oracle.
func check(t interface {
	Fatal(...any)
	Errorf(string, ...any)
}, dialect, text string, inputs map[string]int) {
	v, err := Table(context.Background(), dialect, text, inputs)
	if err != nil {
		t.Errorf("%s %q: %v", dialect, text, err)
		return
	}
	d := v.(*value.Roll).Dist()
	want, left := enumerate(t, dialect, text, inputs)
	slack, _ := left.Float64()
	slack += d.Bound()
	if slack > 0.3 {
		t.Errorf("%s %q: the oracle leaves out %v", dialect, text, slack)
	}
	seen := new(big.Rat)
	for x := range d.All() {
		p := d.PMF(x)
		q := want[x]
		if q == nil {
			q = new(big.Rat)
		}
		off, _ := new(big.Rat).Sub(p, q).Float64()
		if slack == 0 && off != 0 || math.Abs(off) > slack {
			t.Errorf("%s %q: %d has the chance %s, want %s within %v", dialect, text, x, p, q, slack)
			return
		}
		seen.Add(seen, q)
	}
	if missing, _ := new(big.Rat).Sub(big.NewRat(1, 1), seen).Float64(); missing > slack+1e-15 {
		t.Errorf("%s %q: misses outcomes of %v", dialect, text, missing)
	}
}

var tableFormulas = map[string][]string{
	"foundry": {
		"3d6", "d20 + 5", "2d6 - 1d4", "4d6k3", "4d6kh3", "4d6kl2", "4d6d1", "4d6dl2", "4d6dh1", "3d6dl3", "2d20kh", "2d20kl", "2d20d", "2d20dh",
		"3d6r1", "3d6r<3", "2d6r<=2", "2d6r", "1d4rr1", "1d4rr<3", "2d4rr", "2d6r1r2", "2d4rr1rr2", "2d4r3rr1",
		"2d6x", "2d6x6", "2d6x>4", "1d6x>=5", "2d6xo", "2d6xo>=5", "2d4r1x", "2d6xcs>=5", "2d6xocs>=5", "2d6xkh1", "3d6xkl2", "3d6xdl1", "2d4xkh3cs>=2",
		"3d6min2", "3d6max4", "3d6min2max5", "4d6min2kh3", "2d6xmin3", "4d6cs>=5", "4d6cs6", "3d10cf<3", "4d6even", "4d6odd", "4d6kh3cs>=5", "4d6kl2even",
		"4d6cs>=5df1", "4d6cs>=5df<=2", "3d6df<3", "3d6cs>=5df", "3d6sf<3", "3d6cs>=5sf", "4d6kh3cs>=5df1",
		"{1d8, 1d10}kh1", "{1d8, 1d10}kl", "{2d6, 1d8, 3}kh2", "{1d6, 1d8}", "{1d8, 1d10}dl1", "{1d8, 1d10, 1d4}cs>=4", "{2d6kh1, 1d4 + 2}kh",
		"floor(2d6 / 2)", "ceil(1d6 / 4)", "round(1d6 / 2)", "round(-1d6 / 2)", "abs(1d6 - 4)", "min(1d6, 1d8)", "max(1d6, 4, 1d4)", "floor(1d6 * 0.5)", "floor(2d6/2/3)",
		"floor(1d4 / 2 + 1d4 / 3)", "2d6 * 2 / 2", "1d6 * 1d4", "1d6 % 4", "(1d4 - 3) % 2", "-2d4 + 1", "(1d4 + 1) * 2", "4dF", "4df", "1d% - 50", "2dFkh1", "4dFcs1",
		"1d20 + @mod", "(@level)d4", "(@level + 1)d4kh1", "@abilities.str.mod + 1d4", "2d6[fire] + 1d4[cold] + 1[bonus]", "floor(max(1d6/2, 1d4/3))", "0d6 + 1", "3d6kh0", "2d6kh5",
	},
	"roll20": {
		"3d6", "4d6k3", "4d6kl3", "4d6d1", "4d6dh1", "4d6kh2", "2d8r8", "2d8r<2", "2d4r1r3", "2d8ro<2", "2d8ro8", "2d4ro1ro2", "2d4r>3",
		"2d6!", "2d6!6", "2d6!>5", "1d6!<2", "2d6!!", "2d6!!5", "2d6!!>5", "2d6!p", "2d6!p>5", "2d6!k1", "3d6!d1", "2d6!!k1", "2d6!!>7", "2d6!>4", "2d6!p>4",
		"3d6>3", "4d6<4", "4d6=2", "5d6>5f1", "4d6<2f>5", "4d6>5f<2", "2d6!>5>4", "2d6!!>7", "4d6k3>4", "2d6!p>5>3",
		"{2d6 + 1d8}k2", "{2d6, 1d8}k1", "{1d6, 1d8, 1d4}>4", "{1d6, 1d8, 1d4}>4f1", "{3d6 + 2d4}d2", "{2d6, 1d10}d1", "{1d6 + 1d4}", "{2d4 + 1d6}>3",
		"floor(1d6 / 2)", "ceil(2d6/3)", "round(1d6/2)", "abs(1d6 - 3)", "2d6 + @{strength}", "2d6[fire]+1d4", "3d6s", "3d6sd", "4d6cs>5", "4d6cf<2kh3", "4dF", "1d6 % 4",
	},
	"avrae": {
		"3d6", "4d6kh3", "4d6kl1", "4d6k3", "4d6k>4", "4d6k<3", "4d6p1", "4d6p<3", "4d6ph1", "4d6pl1", "4d6p1p2", "4d6kh3k>2", "4d6kh2p6", "3d6pl3",
		"2d6ro<3", "2d6ro1", "1d4rr1", "2d4rr<3", "1d4rr<3rr4", "2d6ra6", "3d6ra>4", "2d6ra<3", "2d6e6", "1d6e>4", "2d6e6kh1", "2d4ro1e4", "3d6e6pl1", "2d6e6k>4",
		"3d6mi2", "3d6ma4", "3d6mi2kh2", "3d6mi3k3", "2d6mi3ma5", "2d6ra6mi2",
		"(1d4, 1d6)kh1", "(1d4 + 1, 3, 2d6kl1)kh1", "(1d4, 2 + 2, 1d6)", "(1d6, 1d8, 1d4)p<3", "(1d6, 1d8)k>3", "(2d6)kh1", "(1d6 + 1)kh1",
		"1d6 / 2", "-1d6 / 2", "1d6 // 4", "-1d6 // 4", "-1d6 % 4", "1d6 * 0.5 + 1d4 * 0.5", "1d20 >= 15", "2d6 == 7", "1d6 > 1d8", "1d6 != 3", "1d4 < 2 + 1", "1d6 <= 2",
		"3d6 [fire] + 1d4 [piercing]", "-(1d8 + 3) [healing]", "4d6 kh3", "+1d6",
	},
}

func TestTables(t *testing.T) {
	inputs := map[string]int{"mod": 3, "level": 2, "abilities.str.mod": -1, "strength": 4}
	for _, dialect := range notation.Dialects() {
		for _, text := range tableFormulas[dialect] {
			check(t, dialect, text, inputs)
		}
	}
}

// Random modifiers in an order that is allowed come to the same by the oracle.
func TestRandomTables(t *testing.T) {
	stages := map[string][][]string{
		"foundry": {{"", "r1", "r<3", "rr1", "r2r1"}, {"", "x", "x>4", "xo", "xo<=2"}, {"", "min2", "max3"}, {"", "kh1", "k2", "dl1", "dh1", "kl2"}, {"", "cs>=3", "even", "df1", "sf<3", "cs>2df1", "cs4df"}},
		"roll20":  {{"", "r1", "ro<2", "r1r2"}, {"", "!", "!!", "!p", "!>4", "!!4", "!p>4"}, {""}, {"", "k1", "kl2", "d1", "dh1"}, {"", ">3", "<2", "=1", ">4f1"}},
		"avrae":   {{"", "ro1", "ro<3", "rr2", "ro1ro2"}, {"", "e4", "ra4", "ra<3"}, {"", "mi2", "ma3"}, {"", "kh1", "kl2", "pl1", "ph1"}, {"", "k>2", "p1", "p<3", "k3"}},
	}
	rapid.Check(t, func(rt *rapid.T) {
		dialect := rapid.SampledFrom(notation.Dialects()).Draw(rt, "dialect")
		text := fmt.Sprintf("%dd%d", rapid.IntRange(0, 3).Draw(rt, "count"), rapid.IntRange(4, 5).Draw(rt, "sides"))
		for i, options := range stages[dialect] {
			text += rapid.SampledFrom(options).Draw(rt, fmt.Sprint(i))
		}
		if _, err := notation.ParseTable(notation.Dialect(dialect), text); err != nil {
			return // the documents do not say what it means, or it is not computed
		}
		check(rt, dialect, text, nil)
	})
}
