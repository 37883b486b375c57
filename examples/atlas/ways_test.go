package atlas

import (
	"fmt"
	"math/big"
	"sort"
)

// Chances found by going through every way in which dice can fall, one after the other,
// and arithmetic on them. Nothing here knows how to do better, and nothing of the engine
// is used: it is the second opinion about every number of the atlas.

// A way is one way in which chance falls. A rule asks it for dice, in any order and as
// often as it likes, and is called again until all ways have been seen.
type way struct {
	path []branch
	at   int
	num  uint64
	den  uint64
}

type branch struct{ at, n int }

// index is one of n numbers from 0, each equally likely.
func (w *way) index(n int) int {
	if w.at == len(w.path) {
		w.path = append(w.path, branch{0, n})
	}
	w.at++
	return w.path[w.at-1].at
}

func (w *way) weigh(num, den int) {
	w.num *= uint64(num)
	w.den *= uint64(den)
	if w.den >= 1<<62 || w.num >= 1<<62 {
		panic("too long for plain enumeration")
	}
}

// d is what a die shows.
func (w *way) d(sides int) int {
	w.weigh(1, sides)
	return w.index(sides) + 1
}

// dice are what several dice show.
func (w *way) dice(n, sides int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = w.d(sides)
	}
	return all
}

// low are dice in ascending order.
func (w *way) low(n, sides int) []int {
	all := w.dice(n, sides)
	sort.Ints(all)
	return all
}

// pick is a place of a list of weights.
func (w *way) pick(weights ...int) int {
	total := 0
	for _, x := range weights {
		total += x
	}
	i := w.index(len(weights))
	w.weigh(weights[i], total)
	return i
}

// yes is whether a chance of num in den comes true.
func (w *way) yes(num, den int) bool { return w.pick(den-num, num) == 1 }

// draw takes one of the elements out of a list.
func draw[T any](w *way, list *[]T) T {
	w.weigh(1, len(*list))
	i := w.index(len(*list))
	x := (*list)[i]
	*list = append(append([]T{}, (*list)[:i]...), (*list)[i+1:]...)
	return x
}

// next goes on to the next way.
func (w *way) next() bool {
	for len(w.path) > 0 {
		last := &w.path[len(w.path)-1]
		if last.at++; last.at < last.n {
			return true
		}
		w.path = w.path[:len(w.path)-1]
	}
	return false
}

// A law is the chance of each outcome: whole numbers, or texts.
type law map[any]*big.Rat

// all is the law of a rule; nil is what was ruled out by evidence.
func all(rule func(w *way) any) law {
	type key struct {
		outcome any
		den     uint64
	}
	sums := map[key]*big.Int{}
	small := map[key]uint64{}
	w := &way{}
	for {
		w.at, w.num, w.den = 0, 1, 1
		if x := rule(w); x != nil && w.num > 0 {
			k := key{x, w.den}
			if small[k] += w.num; small[k] >= 1<<62 {
				panic("too long for plain enumeration")
			}
		}
		if !w.next() {
			break
		}
	}
	for k, n := range small {
		sums[k] = new(big.Int).SetUint64(n)
	}
	found := law{}
	for k, n := range sums {
		found.add(k.outcome, new(big.Rat).SetFrac(n, new(big.Int).SetUint64(k.den)))
	}
	return found.normal()
}

func (l law) add(x any, p *big.Rat) {
	if l[x] == nil {
		l[x] = new(big.Rat)
	}
	l[x].Add(l[x], p)
}

// normal is the law on condition of what there is.
func (l law) normal() law {
	total := new(big.Rat)
	for _, p := range l {
		total.Add(total, p)
	}
	found := law{}
	for x, p := range l {
		found[x] = new(big.Rat).Quo(p, total)
	}
	return found
}

// chance is how likely something is.
func chance(rule func(w *way) bool) *big.Rat {
	return all(func(w *way) any { return rule(w) }).of(true)
}

// average is the mean of a rule.
func average(rule func(w *way) int) *big.Rat {
	return all(func(w *way) any { return rule(w) }).mean()
}

// of is the chance of one outcome.
func (l law) of(x any) *big.Rat {
	if p := l[x]; p != nil {
		return p
	}
	return new(big.Rat)
}

func (l law) mean() *big.Rat {
	total := new(big.Rat)
	for x, p := range l {
		total.Add(total, mul(p, x.(int)))
	}
	return total
}

// p is the chance of the numbers for which holds is true.
func (l law) p(holds func(x int) bool) *big.Rat {
	total := new(big.Rat)
	for x, p := range l {
		if holds(x.(int)) {
			total.Add(total, p)
		}
	}
	return total
}

func (l law) atLeast(n int) *big.Rat { return l.p(func(x int) bool { return x >= n }) }

// then goes on from each outcome.
func (l law) then(next func(x int) law) law {
	found := law{}
	for x, p := range l {
		for y, q := range next(x.(int)) {
			found.add(y, mul(p, q))
		}
	}
	return found
}

// to is the law of what a function makes of each number.
func (l law) to(f func(x int) any) law {
	return l.then(func(x int) law { return always(f(x)) })
}

func (l law) plus(m law) law {
	return l.then(func(x int) law { return m.to(func(y int) any { return x + y }) })
}

// several is the sum of n independent ones.
func (l law) several(n int) law {
	total := always(0)
	for range n {
		total = total.plus(l)
	}
	return total
}

func always(x any) law { return law{x: rat(1)} }

// sum is the law of the total of some dice, given by their sides.
func sum(sides ...int) law {
	total := always(0)
	for _, s := range sides {
		total = total.plus(all(func(w *way) any { return w.d(s) }))
	}
	return total
}

// hits is how many of n things happen that have the same chance.
func hits(n int, p any) law {
	return law{0: sub(1, p), 1: rat(p)}.several(n)
}

// mix is one law with a chance, and another one otherwise.
func mix(p any, a, b law) law {
	found := law{}
	for x, q := range a {
		found.add(x, mul(p, q))
	}
	for x, q := range b {
		found.add(x, mul(sub(1, p), q))
	}
	return found
}

// rat is a fraction: a whole number, a text such as "1/6", or itself.
func rat(x any) *big.Rat {
	switch x := x.(type) {
	case int:
		return big.NewRat(int64(x), 1)
	case string:
		r, ok := new(big.Rat).SetString(x)
		if !ok {
			panic(fmt.Sprintf("%q is no fraction", x))
		}
		return r
	case *big.Rat:
		return x
	case *big.Int:
		return new(big.Rat).SetInt(x)
	}
	panic(fmt.Sprintf("%T is no fraction", x))
}

func frac(a, b int) *big.Rat { return big.NewRat(int64(a), int64(b)) }

func add(xs ...any) *big.Rat {
	total := new(big.Rat)
	for _, x := range xs {
		total.Add(total, rat(x))
	}
	return total
}

func mul(xs ...any) *big.Rat {
	total := rat(1)
	for _, x := range xs {
		total.Mul(total, rat(x))
	}
	return total
}

func sub(a, b any) *big.Rat { return new(big.Rat).Sub(rat(a), rat(b)) }
func div(a, b any) *big.Rat { return new(big.Rat).Quo(rat(a), rat(b)) }

func pow(x any, n int) *big.Rat {
	total := rat(1)
	for range n {
		total.Mul(total, rat(x))
	}
	return total
}

func most(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return b
	}
	return a
}

// ways out of n things to take k.
func over(n, k int) *big.Rat {
	if k < 0 || k > n {
		return new(big.Rat)
	}
	return rat(new(big.Int).Binomial(int64(n), int64(k)))
}

// dealt is the chance of k good ones among hand cards of a deck with good ones.
func dealt(deck, good, hand, k int) *big.Rat {
	return div(mul(over(good, k), over(deck-good, hand-k)), over(deck, hand))
}

// linear solves equations: x[i] = c[i] + the sum of m[i][j] x[j].
func linear(m [][]*big.Rat, c []*big.Rat) []*big.Rat {
	n := len(c)
	rows := make([][]*big.Rat, n)
	for i := range rows {
		rows[i] = make([]*big.Rat, n+1)
		for j := range n {
			rows[i][j] = sub(0, m[i][j])
		}
		rows[i][i] = add(rows[i][i], 1)
		rows[i][n] = c[i]
	}
	for i := range n {
		at := i
		for rows[at][i].Sign() == 0 {
			at++
		}
		rows[i], rows[at] = rows[at], rows[i]
		for k := range n {
			if k == i || rows[k][i].Sign() == 0 {
				continue
			}
			f := div(rows[k][i], rows[i][i])
			for j := i; j <= n; j++ {
				rows[k][j] = sub(rows[k][j], mul(f, rows[i][j]))
			}
		}
	}
	x := make([]*big.Rat, n)
	for i := range x {
		x[i] = div(rows[i][n], rows[i][i])
	}
	return x
}

// small helpers for rules

func total(faces []int) int {
	n := 0
	for _, x := range faces {
		n += x
	}
	return n
}

// tally is how many of the numbers there are from lo to hi.
func tally(faces []int, lo, hi int) int {
	n := 0
	for _, x := range faces {
		if x >= lo && x <= hi {
			n++
		}
	}
	return n
}

func has(faces []int, x int) bool { return tally(faces, x, x) > 0 }

func word(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}
