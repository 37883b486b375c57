package dist

import (
	"cmp"
	"math"
	"math/big"

	"dicescript/dist/internal/linear"
	"dicescript/dist/internal/nat"
	"dicescript/dist/upper"
)

// Policy iteration over states that lead to each other. The values outside are
// known; what they contribute to a way is a constant, in integers over one common
// denominator.

// A knot is states that lead to each other.
type knot[S, M comparable] struct {
	*player[S, M]
	states []int
	turns  []turn // of the states; their ways are those of the knot
	ways   []knotWay
	unit   *big.Int // the common denominator of the values outside
	err    float64  // of those
	plan   []int    // by state: a way
	x      []*big.Int
	den    *big.Int // the values are x / (den unit)
	work   int64    // of a look at every edge
}

// A knotWay leads to states of the knot and, with the rest of its weight, out of
// it.
type knotWay struct {
	move    int // of the player
	total   *big.Int
	to      []int
	w       []*big.Int
	outside *big.Int // the weights of the ways out times the values there, times unit
	leaves  bool

	// The same, about.
	about, aboutOutside float64
	aboutW              []float64
}

// solveTogether values states that lead to each other.
func (p *player[S, M]) solveTogether(states []int) error {
	k := &knot[S, M]{player: p, states: states}
	if err := k.gather(); err != nil {
		return err
	}
	if i := k.begin(); i >= 0 {
		return badArg("moves", "play need not end: from state %s it never does", quoted(p.plan.states[states[i]]))
	}
	if err := k.approach(); err != nil {
		return err
	}
	if err := k.improve(); err != nil {
		return err
	}
	den := new(big.Int).Mul(k.den, k.unit)
	for i, s := range states {
		if k.err > 0 {
			p.settleRounded(s, k.x[i], den, k.err, k.ways[k.plan[i]].move)
			continue
		}
		p.settle(s, new(big.Rat).SetFrac(k.x[i], den), k.err, k.ways[k.plan[i]].move)
	}
	return nil
}

// gather takes the edges of the states apart into those inside and outside.
func (k *knot[S, M]) gather() error {
	p := k.player
	place := make(map[int]int, len(k.states))
	edges := int64(0)
	for i, s := range k.states {
		place[s] = i
		for _, w := range p.ways[p.turns[s].first:p.turns[s].last] {
			edges += int64(w.last - w.first + 4)
		}
	}
	k.work = 4 * edges
	if err := ChargeTable(p.ctx, edges, 6); err != nil {
		return err
	}
	if err := ChargeWork(p.ctx, 16*edges); err != nil {
		return err
	}
	values, err := k.outside(place)
	if err != nil {
		return err
	}
	for _, s := range k.states {
		t := turn{first: len(k.ways), against: p.turns[s].against}
		for m := p.turns[s].first; m < p.turns[s].last; m++ {
			k.ways = append(k.ways, k.way(m, place, values))
		}
		t.last = len(k.ways)
		k.turns = append(k.turns, t)
	}
	return ChargeWork(p.ctx, upper.MulSat(edges, int64(nat.WordsFor(k.unit))*2))
}

// outside returns the values of the states that the knot leads to, times the
// common denominator.
func (k *knot[S, M]) outside(place map[int]int) (map[int32]*big.Int, error) {
	p := k.player
	known := map[int32]*big.Rat{}
	k.unit = big.NewInt(1)
	for _, s := range k.states {
		for _, w := range p.ways[p.turns[s].first:p.turns[s].last] {
			for _, j := range p.edges.to[w.first:w.last] {
				if _, inside := place[int(j)]; inside || known[j] != nil {
					continue
				}
				v := p.plan.values[j]
				known[j] = v.exact
				k.err = max(k.err, v.err)
				if k.unit.BitLen() <= maxExactBits {
					if err := ChargeWork(p.ctx, int64(16*nat.WordsFor(k.unit)+16)); err != nil {
						return nil, err
					}
					k.unit = nat.LCM(k.unit, v.exact.Denom())
				}
			}
		}
	}
	if k.err > 0 || k.unit.BitLen() > maxExactBits {
		k.unit = new(big.Int).Lsh(big.NewInt(1), uint(p.places()))
		k.err = upper.Add(k.err, p.rounding())
		for j, v := range known {
			known[j] = p.rounded(v.Num(), v.Denom())
		}
	}
	values := make(map[int32]*big.Int, len(known))
	for j, v := range known {
		x := new(big.Int).Quo(k.unit, v.Denom())
		values[j] = x.Mul(x, v.Num())
	}
	return values, nil
}

// way takes one way apart.
func (k *knot[S, M]) way(m int, place map[int]int, values map[int32]*big.Int) knotWay {
	p := k.player
	w := p.ways[m]
	out := knotWay{move: m, total: w.total, about: w.about, outside: new(big.Int)}
	term := new(big.Int)
	for e := w.first; e < w.last; e++ {
		j, weight := p.edges.to[e], p.edges.w[e].shared()
		near, _ := new(big.Float).SetInt(weight).Float64()
		if i, inside := place[int(j)]; inside {
			out.to, out.w, out.aboutW = append(out.to, i), append(out.w, weight), append(out.aboutW, near)
			continue
		}
		out.leaves = true
		out.outside.Add(out.outside, term.Mul(weight, values[j]))
		out.aboutOutside += near * p.near[j]
	}
	return out
}

// begin plans, for every state, the first way that comes closer to leaving the
// knot, so that the plan ends surely. It returns a state that cannot leave, or -1.
func (k *knot[S, M]) begin() int {
	const never = math.MaxInt
	far := make([]int, len(k.states))
	from := make([][]int, len(k.states))
	var queue []int
	for i, t := range k.turns {
		far[i] = never
		for _, w := range k.ways[t.first:t.last] {
			if w.leaves && far[i] == never {
				far[i] = 0
				queue = append(queue, i)
			}
			for _, j := range w.to {
				from[j] = append(from[j], i)
			}
		}
	}
	for len(queue) > 0 {
		j := queue[0]
		queue = queue[1:]
		for _, i := range from[j] {
			if far[i] == never {
				far[i] = far[j] + 1
				queue = append(queue, i)
			}
		}
	}
	k.plan = make([]int, len(k.states))
	for i, t := range k.turns {
		if far[i] == never {
			return i
		}
		for at := t.last - 1; at >= t.first; at-- {
			closer := k.ways[at].leaves && far[i] == 0
			for _, j := range k.ways[at].to {
				closer = closer || far[j] < far[i]
			}
			if closer {
				k.plan[i] = at
			}
		}
	}
	return -1
}

// ends reports whether a plan leaves the knot surely.
func (k *knot[S, M]) ends(plan []int) bool {
	from := make([][]int, len(plan))
	leaves := make([]bool, len(plan))
	var queue []int
	for i, at := range plan {
		w := &k.ways[at]
		if w.leaves {
			leaves[i] = true
			queue = append(queue, i)
		}
		for _, j := range w.to {
			from[j] = append(from[j], i)
		}
	}
	found := len(queue)
	for len(queue) > 0 {
		j := queue[0]
		queue = queue[1:]
		for _, i := range from[j] {
			if !leaves[i] {
				leaves[i] = true
				found++
				queue = append(queue, i)
			}
		}
	}
	return found == len(plan)
}

// mostSweeps bounds how long a plan is looked for in floats.
const mostSweeps = 2000

// approach looks for a good plan in floats. It need not be the best, nor even
// good: what it finds is only where the exact search begins.
func (k *knot[S, M]) approach() error {
	x := make([]float64, len(k.states))
	choices := len(k.ways) > len(k.states)
	for pass := range 2 {
		if pass == 1 && !choices {
			break
		}
		for sweep := range mostSweeps {
			if err := ChargeWork(k.ctx, k.work); err != nil {
				return err
			}
			if moved := k.sweep(x, pass == 1, sweep%2 == 1); !(moved > 1e-14*k.scale) {
				break
			}
		}
	}
	plan := make([]int, len(k.plan))
	for i, t := range k.turns {
		plan[i] = k.plan[i]
		best := k.near(plan[i], i, x)
		for at := t.first; at < t.last; at++ {
			if v := k.near(at, i, x); t.better(cmp.Compare(v, best)) && math.Abs(v-best) > 1e-11*k.scale {
				plan[i], best = at, v
			}
		}
	}
	if k.ends(plan) {
		k.plan = plan
	}
	return nil
}

// sweep values every state once by the states around it, by the plan or by the
// best way, and returns how far a value moved at most.
func (k *knot[S, M]) sweep(x []float64, best, backwards bool) float64 {
	moved := 0.0
	for n := range k.states {
		i := n
		if backwards {
			i = len(k.states) - 1 - n
		}
		v := k.near(k.plan[i], i, x)
		if best {
			for at := k.turns[i].first; at < k.turns[i].last; at++ {
				if w := k.near(at, i, x); k.turns[i].better(cmp.Compare(w, v)) {
					v = w
				}
			}
		}
		moved = max(moved, math.Abs(v-x[i]))
		x[i] = v
	}
	return moved
}

// near is about what a way is worth, tried until it leaves its state; a way that
// never does is worth what the state is.
func (k *knot[S, M]) near(at, i int, x []float64) float64 {
	w := &k.ways[at]
	sum, stays := w.aboutOutside, 0.0
	for e, j := range w.to {
		if j == i {
			stays = w.aboutW[e]
			continue
		}
		sum += w.aboutW[e] * x[j]
	}
	if stays == w.about {
		return x[i]
	}
	return sum / (w.about - stays)
}

// improve makes the plan the best one: first the answers of the other side until
// none is better, then all moves of this side that are better, and so on.
func (k *knot[S, M]) improve() error {
	if err := k.value(); err != nil {
		return err
	}
	for {
		changed, err := k.change(true)
		if err != nil {
			return err
		}
		if !changed {
			if changed, err = k.change(false); err != nil || !changed {
				return err
			}
		}
		if err := k.value(); err != nil {
			return err
		}
	}
}

// value solves for the values of the plan: total x - sum of w x inside = outside.
func (k *knot[S, M]) value() error {
	eq := &linear.Equations{}
	right := make([]*big.Int, len(k.plan))
	for i, at := range k.plan {
		w := &k.ways[at]
		row := map[int]*big.Int{i: new(big.Int).Set(w.total)}
		for e, j := range w.to {
			nat.AddTerm(row, j, new(big.Int).Neg(w.w[e]))
		}
		eq.Add(row)
		right[i] = w.outside
	}
	s, err := linear.NewSolver(meterOf(k.ctx), eq)
	if err != nil {
		return notSingular(err)
	}
	k.x, k.den, err = s.Solve(right)
	return err
}

// change takes, in all states of one side, a way that is strictly better than the
// planned one, the best of them.
func (k *knot[S, M]) change(against bool) (bool, error) {
	changed := false
	sum, best, term := new(big.Int), new(big.Rat), new(big.Int)
	if err := ChargeWork(k.ctx, upper.MulSat(k.work, int64(nat.WordsFor(k.den)+nat.WordsFor(k.unit)))); err != nil {
		return false, err
	}
	for i, t := range k.turns {
		if t.against != against || t.last-t.first < 2 {
			continue
		}
		planned := k.plan[i]
		best.SetInt(k.x[i])
		for at := t.first; at < t.last; at++ {
			if at == planned {
				continue
			}
			w := &k.ways[at]
			sum.Mul(w.outside, k.den)
			for e, j := range w.to {
				sum.Add(sum, term.Mul(w.w[e], k.x[j]))
			}
			// sum / total against best
			if c := sum.Cmp(term.Mul(w.total, best.Num())); best.IsInt() && t.better(c) ||
				!best.IsInt() && t.better(new(big.Rat).SetFrac(sum, w.total).Cmp(best)) {
				best.SetFrac(sum, w.total)
				k.plan[i] = at
				changed = true
			}
		}
		if err := k.tick.Tick(64); err != nil {
			return false, err
		}
	}
	return changed, nil
}
