package dist

import (
	"maps"
	"math/big"
	"slices"

	"dicescript/dist/internal/nat"
)

// Oracles for rolls of many dice and wide weights. The ways for every outcome are
// packed into one big integer, a slot for each, and math/big does the arithmetic.

// ways says in how many ways each outcome comes about.
type ways map[int]*big.Int

func (w ways) add(x int, n *big.Int) {
	if w[x] == nil {
		w[x] = new(big.Int)
	}
	w[x].Add(w[x], n)
}

func (w ways) total() *big.Int {
	sum := new(big.Int)
	for _, n := range w {
		sum.Add(sum, n)
	}
	return sum
}

// unpacked reads the slots of so many bits from the lowest outcome on.
func unpacked(packed *big.Int, bits uint, lowest int, out ways) {
	rest, mask := new(big.Int).Set(packed), new(big.Int).Lsh(big.NewInt(1), bits)
	mask.Sub(mask, big.NewInt(1))
	for x := lowest; rest.Sign() > 0; x++ {
		if n := new(big.Int).And(rest, mask); n.Sign() > 0 {
			out.add(x, n)
		}
		rest.Rsh(rest, bits)
	}
}

// sumWays returns the ways for the total of a pool: a product of powers.
func sumWays(p *Pool) ways {
	bits, lowest := uint(p.wordsBound()*nat.LimbBits+8), 0
	product := big.NewInt(1)
	for _, g := range p.groups {
		die := new(big.Int)
		for x, w := range g.die.All() {
			die.Add(die, w.Lsh(w, uint(x-g.die.Min())*bits))
		}
		product.Mul(product, die.Exp(die, big.NewInt(int64(g.count)), nil))
		lowest += g.count * g.die.Min()
	}
	out := ways{}
	unpacked(product, bits, lowest, out)
	return out
}

// faceStep is one kind of dice on one face, as a pool is laid out in ascending
// order of faces.
type faceStep struct {
	group, face int
	weight      *big.Int
	last        bool // all dice of the kind are placed after it
}

func layout(p *Pool) []faceStep {
	faces := map[int]bool{}
	for _, g := range p.groups {
		for x := range g.die.All() {
			faces[x] = true
		}
	}
	var steps []faceStep
	for _, face := range slices.Sorted(maps.Keys(faces)) {
		for i, g := range p.groups {
			if at, ok := g.die.axis.Find(face); ok && !nat.IsZero(g.die.w.At(at)) {
				steps = append(steps, faceStep{i, face, nat.Natural(g.die.w.At(at)), face == g.die.Max()})
			}
		}
	}
	return steps
}

// placed is how many dice of each of at most three kinds are on the faces so far.
type placed [3]int

func (s placed) sum() int { return s[0] + s[1] + s[2] }

// next visits what can follow on s, with the ways for each.
func (f faceStep) next(p *Pool, s placed, visit func(to placed, count int, ways *big.Int)) {
	rest := p.groups[f.group].count - s[f.group]
	from := 0
	if f.last {
		from = rest
	}
	for c := from; c <= rest; c++ {
		n := new(big.Int).Binomial(int64(rest), int64(c))
		to := s
		to[f.group] += c
		visit(to, c, n.Mul(n, new(big.Int).Exp(f.weight, big.NewInt(int64(c)), nil)))
	}
}

// keptWays adds a face for every place from low up to the number of dice less
// high, where the dice lie in ascending order.
func keptWays(p *Pool, high, low int) ways {
	base, _ := p.ends()
	bits := uint(p.wordsBound()*nat.LimbBits + 8)
	now := map[placed]*big.Int{{}: big.NewInt(1)}
	for _, f := range layout(p) {
		then := map[placed]*big.Int{}
		for s, packed := range now {
			f.next(p, s, func(to placed, _ int, n *big.Int) {
				kept := max(0, min(to.sum(), p.size-high)-max(s.sum(), low))
				if then[to] == nil {
					then[to] = new(big.Int)
				}
				n.Mul(n, packed)
				then[to].Add(then[to], n.Lsh(n, uint(kept*(f.face-base))*bits))
			})
		}
		now = then
	}
	out := ways{}
	for _, packed := range now { // all dice are placed
		unpacked(packed, bits, base*(p.size-high-low), out)
	}
	return out
}

// matchWays runs a rule about how many dice show each face: step is told the
// value so far, the face and the number of dice that show it.
func matchWays(p *Pool, start [3]int, step func(v [3]int, face, count int) [3]int, finish func(v [3]int) int) ways {
	type state struct {
		placed
		value   [3]int
		showing int // on the face that is being placed
	}
	steps := layout(p)
	now := map[state]*big.Int{{value: start}: big.NewInt(1)}
	for i, f := range steps {
		then := map[state]*big.Int{}
		for s, w := range now {
			f.next(p, s.placed, func(to placed, count int, n *big.Int) {
				r := state{to, s.value, s.showing + count}
				if i+1 == len(steps) || steps[i+1].face != f.face {
					r.value, r.showing = step(s.value, f.face, r.showing), 0
				}
				if then[r] == nil {
					then[r] = new(big.Int)
				}
				then[r].Add(then[r], n.Mul(n, w))
			})
		}
		now = then
	}
	out := ways{}
	for s, w := range now {
		out.add(finish(s.value), w)
	}
	return out
}

// hasWays fails unless d has the chances that the ways give, and its weights add
// up.
func hasWays(t fataler, what string, d *Dist, want ways) {
	t.Helper()
	sum, mass, n := want.total(), new(big.Int), 0
	for x, w := range d.All() {
		n++
		mass.Add(mass, w)
		if want[x] == nil || new(big.Int).Mul(w, sum).Cmp(new(big.Int).Mul(want[x], d.total)) != 0 {
			t.Fatalf("%s: P(%d) = %v/%v, want %v/%v", what, x, w, d.total, want[x], sum)
		}
	}
	if n != len(want) || mass.Cmp(d.total) != 0 {
		t.Fatalf("%s: %d outcomes of mass %v, want %d of %v", what, n, mass, len(want), d.total)
	}
}
