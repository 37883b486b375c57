package chain

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"dicescript/dist/internal/work"
)

// The best plan takes, in every state, the way whose mean payoff is best when all later
// ways are best too (Bellman, "Dynamic Programming", 1957). A state that cannot come back
// is chosen for when those that it leads to are valued. For states that lead to each other
// a plan is looked for in floats; its values solve linear equations exactly, and as long as
// some way is better by them than the planned one, the plan takes it (policy iteration:
// Howard, "Dynamic Programming and Markov Processes", 1960; with two sides, the plan of one
// is bettered against the best answer of the other: Hoffman and Karp, 1966).
//
// A float only says which ways are worth an exact comparison: each is known with how far
// it may be off.
//
// A plan that begins by ending surely, and changes only for the better, ends surely all
// the time, or gains something every time it comes round.

// A Solution is the best plan, and what it is worth in every state that can be reached.
type Solution struct {
	Plan Plan
	v    []number
	err  []float64
}

// Value returns the value of a state that can be reached.
func (s *Solution) Value(i int) *big.Rat {
	return new(big.Rat).SetFrac(s.v[i].n, s.v[i].d.value)
}

// Err returns how far the value of a state may be off.
func (s *Solution) Err(i int) float64 { return s.err[i] }

// An EndlessGain is the error of a graph in which one side gains more and more by coming
// back to a state.
type EndlessGain struct{ State int }

func (e *EndlessGain) Error() string {
	return fmt.Sprintf("chain: state %d can be come back to with a gain each time", e.State)
}

// choiceBits is how long the denominators of values may be before they are rounded.
const choiceBits = 2048

// Best returns the best plan when one side wants the highest payoff, or the lowest, and
// the side that is against it the opposite. Some way must lead from every state to an end.
// Of ways that are equally good the first one is taken, but where the process would then
// never end.
//
// Values are exact as long as their denominators have no more than 2048 bits. Others are
// rounded to 128 bits, and the plan is the best for what is rounded.
func (g *Graph) Best(meter work.Meter, lowest bool) (*Solution, error) {
	n := len(g.States)
	if err := meter.Table(int64(n)*2+int64(len(g.Ways)), 2); err != nil {
		return nil, err
	}
	plan := make(Plan, n)
	for s := range g.States {
		plan[s] = g.States[s].First
	}
	v, err := newValues(meter, g, plan, choiceBits)
	if err != nil {
		return nil, err
	}
	p := &policy{values: v, lowest: lowest, tick: work.NewTicker(meter), within: make([]int32, n), local: make([]int32, n), totals: make([]float64, len(g.Ways))}
	for i := range g.Ways {
		p.totals[i] = aboutInt(g.Ways[i].Total)
	}
	for _, r := range g.earnings {
		f, _ := r.Float64()
		p.earnings = append(p.earnings, f)
	}
	if err := p.run(); err != nil {
		return nil, err
	}
	return &Solution{plan, v.v, v.err}, nil
}

// A policy finds the best plan.
type policy struct {
	*values
	lowest   bool
	tick     work.Ticker
	totals   []float64 // of ways, about
	earnings []float64
	within   []int32 // the number of the component by all ways, from 1 on, where states come back
	local    []int32 // the place in that component, from 1 on
	inner    *condenser
}

// high reports whether who chooses in a state wants the highest value.
func (p *policy) high(s int32) bool { return p.g.States[s].Against == p.lowest }

// isBetter reports whether a comparison with what there is says that something is better
// for who chooses in a state.
func (p *policy) isBetter(s int32, comparison int) bool {
	return comparison > 0 && p.high(s) || comparison < 0 && !p.high(s)
}

func (p *policy) run() error {
	span := wayspan{g: p.g, all: true}
	order, err := p.g.condense(p.meter, span, 0)
	if err != nil {
		return err
	}
	if p.inner, err = newCondenser(p.meter, wayspan{g: p.g, plan: p.plan}); err != nil {
		return err
	}
	p.inner.within = p.within
	for k := range order.len() {
		states := order.at(k)
		switch s := states[0]; {
		case p.g.States[s].IsEnd():
			err = p.end(s)
		case !span.comesBack(states):
			err = p.choose(s)
		default:
			slices.Sort(states)
			err = (&knot{policy: p, states: states, id: int32(k) + 1}).solve()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// about returns what a way is worth, by the floats of the states that it leads to, and
// how far that may be from what follows from their exact values.
func (p *policy) about(way int32) (q, off float64) {
	size := 0.0
	edges := p.g.edgesOf(way)
	for i := range edges {
		e := &edges[i]
		w := p.aboutWeight(e)
		q += w * p.f[e.To]
		size += w * math.Abs(p.f[e.To])
		if k := e.earning(); k > 0 {
			q += w * p.earnings[k-1]
			size += w * math.Abs(p.earnings[k-1])
		}
	}
	// Each term is off by at most 6 parts in 2^52, and each sum by half of one.
	off = size * float64(2*len(edges)+20) * 0x1p-52
	return q / p.totals[way], off/p.totals[way] + math.SmallestNonzeroFloat64
}

func (p *policy) aboutWeight(e *Edge) float64 {
	if w := p.g.weight(e); w.wide != nil {
		return aboutInt(w.wide)
	} else {
		return float64(w.word)
	}
}

// aboutInt returns an integer as a float to within one part in 2^51.
func aboutInt(n *big.Int) float64 {
	f := scale(n)
	return math.Ldexp(f.m, f.e)
}

// exactly returns what a way is worth by the exact values of the states that it leads to.
func (p *policy) exactly(s, way int32) (number, error) {
	all, _, err := p.after(s, way, true)
	if err != nil {
		return number{}, err
	}
	v := all.number(p.arithmetic)
	v.d, err = p.times(v.d, p.split(p.g.Ways[way].Total))
	return v, err
}

// payWays charges a look at all ways of a state.
func (p *policy) payWays(s int32) error {
	from, to := wayspan{g: p.g, all: true}.edges(s)
	return p.pay(int64(to-from)*2 + 8*int64(p.g.States[s].Last-p.g.States[s].First))
}

// worst returns the largest error among the states that the ways of a state lead to.
func (p *policy) worst(s int32) float64 {
	worst := 0.0
	from, to := wayspan{g: p.g, all: true}.edges(s)
	for _, e := range p.g.Edges[from:to] {
		worst = max(worst, p.err[e.To])
	}
	return worst
}

// choose values a state that does not come back.
func (p *policy) choose(s int32) error {
	if err := p.payWays(s); err != nil {
		return err
	}
	at := &p.g.States[s]
	sign := 1.0
	if !p.high(s) {
		sign = -1
	}
	// What a way is worth at least for who chooses, of all ways the most.
	sure := math.Inf(-1)
	if at.Last-at.First > 1 {
		for way := at.First; way < at.Last; way++ {
			q, off := p.about(way)
			sure = max(sure, sign*q-off)
		}
	}
	var best number
	for way := at.First; way < at.Last; way++ {
		if at.Last-at.First > 1 {
			if q, off := p.about(way); sign*q+off < sure {
				continue
			}
		}
		v, err := p.exactly(s, way)
		if err != nil {
			return err
		}
		if best.n != nil {
			c, err := p.cmp(v, best)
			if err != nil {
				return err
			}
			if !p.isBetter(s, c) {
				continue
			}
		}
		best, p.plan[s] = v, way
	}
	return p.settle(s, best, p.worst(s))
}

// A knot is a component of states that come back, looking at all ways.
type knot struct {
	*policy
	states []int32
	id     int32
}

func (k *knot) solve() error {
	edges := 0
	for i, s := range k.states {
		k.within[s], k.local[s] = k.id, int32(i)+1
		if err := k.payWays(s); err != nil {
			return err
		}
		from, to := wayspan{g: k.g, all: true}.edges(s)
		edges += int(to - from)
	}
	if err := k.meter.Table(int64(edges+4*len(k.states)), 1); err != nil {
		return err
	}
	k.begin()
	if err := k.approach(int64(edges) + 8*int64(len(k.states))); err != nil {
		return err
	}
	if err := k.improve(); err != nil {
		return err
	}
	if err := k.firstOfEqual(); err != nil {
		return err
	}
	for _, s := range k.states {
		k.within[s], k.local[s] = 0, 0
	}
	worst := 0.0
	for _, s := range k.states {
		worst = max(worst, k.worst(s))
	}
	for _, s := range k.states {
		v := k.v[s]
		if err := k.settle(s, number{new(big.Int).Set(v.n), v.d}, worst); err != nil {
			return err
		}
	}
	return nil
}

// backwards returns the edges of a span inside of the knot, from where they lead to: those
// into the state in place j come from the places before[first[j]:first[j+1]].
func (k *knot) backwards(span wayspan) (first, before []int32) {
	n := len(k.states)
	first = make([]int32, n+2)
	each := func(visit func(i int, to int32)) {
		for i, s := range k.states {
			from, last := span.edges(s)
			for _, e := range k.g.Edges[from:last] {
				if j := k.local[e.To]; j > 0 && k.within[e.To] == k.id {
					visit(i, j-1)
				}
			}
		}
	}
	each(func(_ int, to int32) { first[to+2]++ })
	for j := 2; j < len(first); j++ {
		first[j] += first[j-1]
	}
	before = make([]int32, first[n+1])
	each(func(i int, to int32) {
		before[first[to+1]] = int32(i)
		first[to+1]++
	})
	return first, before
}

// leaves reports whether a way leads out of the knot.
func (k *knot) leaves(way int32) bool {
	for _, e := range k.g.edgesOf(way) {
		if k.within[e.To] != k.id {
			return true
		}
	}
	return false
}

// distances returns how many steps every state of the knot is away from leaving it by the
// ways of a span; -1 when it never does.
func (k *knot) distances(span wayspan) []int32 {
	first, before := k.backwards(span)
	far := make([]int32, len(k.states))
	var queue []int32
	for i, s := range k.states {
		far[i] = -1
		from, to := k.g.States[s].First, k.g.States[s].Last
		if !span.all {
			from, to = k.plan[s], k.plan[s]+1
		}
		for way := from; way < to && far[i] < 0; way++ {
			if k.leaves(way) {
				far[i] = 0
				queue = append(queue, int32(i))
			}
		}
	}
	for len(queue) > 0 {
		j := queue[0]
		queue = queue[1:]
		for _, i := range before[first[j]:first[j+1]] {
			if far[i] < 0 {
				far[i] = far[j] + 1
				queue = append(queue, i)
			}
		}
	}
	return far
}

// begin plans, for every state, the first way that comes closer to leaving the knot, so
// that the plan ends surely.
func (k *knot) begin() {
	far := k.distances(wayspan{g: k.g, all: true})
	for i, s := range k.states {
		for way := k.g.States[s].Last - 1; way >= k.g.States[s].First; way-- {
			closer := far[i] == 0 && k.leaves(way)
			for _, e := range k.g.edgesOf(way) {
				closer = closer || k.within[e.To] == k.id && far[k.local[e.To]-1] < far[i]
			}
			if closer {
				k.plan[s] = way
			}
		}
	}
}

// unending returns a state that the plan never leaves the knot from, or -1.
func (k *knot) unending() int {
	for i, far := range k.distances(wayspan{g: k.g, plan: k.plan}) {
		if far < 0 {
			return int(k.states[i])
		}
	}
	return -1
}

// mostSweeps bounds how long a plan is looked for in floats.
const mostSweeps = 2000

// approach looks for a good plan in floats. It need not be the best, nor even good: what
// it finds is only where the exact search begins.
func (k *knot) approach(cost int64) error {
	choices := false
	for _, s := range k.states {
		k.f[s] = 0
		choices = choices || k.g.States[s].Last-k.g.States[s].First > 1
	}
	if !choices {
		return nil
	}
	size := 0.0
	for _, best := range []bool{false, true} {
		for sweep := range mostSweeps {
			if err := k.meter.Work(cost); err != nil {
				return err
			}
			moved, most := k.sweep(best, sweep%2 == 1)
			if size = most; !(moved > 1e-14*size) {
				break
			}
		}
	}
	begun := make([]int32, len(k.states))
	for i, s := range k.states {
		begun[i] = k.plan[s]
		best := k.near(s, begun[i])
		for way := k.g.States[s].First; way < k.g.States[s].Last; way++ {
			if v := k.near(s, way); k.gains(s, v-best) && math.Abs(v-best) > 1e-11*size {
				k.plan[s], best = way, v
			}
		}
	}
	if k.unending() >= 0 {
		for i, s := range k.states {
			k.plan[s] = begun[i]
		}
	}
	return nil
}

// gains reports whether a difference is for the better of who chooses in a state.
func (k *knot) gains(s int32, difference float64) bool {
	return difference > 0 && k.high(s) || difference < 0 && !k.high(s)
}

// sweep values every state once by the states around it, by the plan or by the best way.
// It returns how far a value moved at most and how large one is.
func (k *knot) sweep(best, backwards bool) (moved, most float64) {
	for n := range k.states {
		s := k.states[n]
		if backwards {
			s = k.states[len(k.states)-1-n]
		}
		v := k.near(s, k.plan[s])
		if best {
			for way := k.g.States[s].First; way < k.g.States[s].Last; way++ {
				if w := k.near(s, way); k.gains(s, w-v) {
					v = w
				}
			}
		}
		moved, most = max(moved, math.Abs(v-k.f[s])), max(most, math.Abs(v))
		k.f[s] = v
	}
	return moved, most
}

// near is about what a way is worth, tried until it leaves its state; a way that never
// does is worth what the state is.
func (k *knot) near(s, way int32) float64 {
	sum, stays := 0.0, 0.0
	edges := k.g.edgesOf(way)
	for i := range edges {
		e := &edges[i]
		w := k.aboutWeight(e)
		if n := e.earning(); n > 0 {
			sum += w * k.earnings[n-1]
		}
		if e.To == s {
			stays += w
			continue
		}
		sum += w * k.f[e.To]
	}
	if rest := k.totals[way] - stays; rest > 0 {
		return sum / rest
	}
	return k.f[s]
}

// improve makes the plan the best one: first the answers of the other side until none is
// better, then all ways of this side that are better, and so on.
func (k *knot) improve() error {
	for {
		if err := k.evaluate(); err != nil {
			return err
		}
		changed, err := k.change(true)
		if err != nil {
			return err
		}
		if !changed {
			if changed, err = k.change(false); err != nil || !changed {
				return err
			}
		}
		if s := k.unending(); s >= 0 {
			return &EndlessGain{s}
		}
	}
}

// evaluate values the plan exactly.
func (k *knot) evaluate() error {
	k.inner.where = k.id
	found, err := k.inner.inside(k.states, &k.tick)
	if err != nil {
		return err
	}
	for c := range found.len() {
		if err := k.component(found.at(c), k.keep); err != nil {
			return err
		}
	}
	return nil
}

// keep gives a state the value of a plan, which may not be the last one: it is not
// rounded.
func (k *knot) keep(s int32, v number, err float64) error {
	if problem := k.meter.Weights(1, v.d.wordsOf()); problem != nil {
		return problem
	}
	return k.set(s, v, err)
}

// change takes, in all states of one side, a way that is strictly better than the planned
// one, the best of them.
func (k *knot) change(against bool) (bool, error) {
	changed := false
	for _, s := range k.states {
		at := &k.g.States[s]
		if at.Against != against || at.Last-at.First < 2 {
			continue
		}
		if err := k.payWays(s); err != nil {
			return false, err
		}
		better, err := k.better(s)
		if err != nil {
			return false, err
		}
		changed = changed || better
	}
	return changed, nil
}

// better takes a way of a state that is better than the planned one.
func (k *knot) better(s int32) (bool, error) {
	sign := 1.0
	if !k.high(s) {
		sign = -1
	}
	planned := k.plan[s]
	best, f := k.v[s], k.f[s]
	for way := k.g.States[s].First; way < k.g.States[s].Last; way++ {
		if way == planned {
			continue
		}
		if q, off := k.about(way); sign*q+off < sign*f-math.Abs(f)*0x1p-49 {
			continue
		}
		v, err := k.exactly(s, way)
		if err != nil {
			return false, err
		}
		c, err := k.cmp(v, best)
		if err != nil {
			return false, err
		}
		if !k.isBetter(s, c) {
			continue
		}
		best, k.plan[s] = v, way
		if f, err = k.values.near(best); err != nil {
			return false, err
		}
	}
	return k.plan[s] != planned, nil
}

// firstOfEqual takes the first of equally good ways in all states from which the plan ends
// surely then, wherever it goes. In the others it stays as it is: from there it ends, or
// comes to one of the former.
func (k *knot) firstOfEqual() error {
	planned := make([]int32, len(k.states))
	changed := false
	for i, s := range k.states {
		planned[i] = k.plan[s]
		way, err := k.firstAsGood(s)
		if err != nil {
			return err
		}
		k.plan[s] = way
		changed = changed || way != planned[i]
	}
	if !changed {
		return nil
	}
	span := wayspan{g: k.g, plan: k.plan}
	first, before := k.backwards(span)
	var queue []int32
	lost := make([]bool, len(k.states))
	for i, far := range k.distances(span) {
		if far < 0 {
			lost[i] = true
			queue = append(queue, int32(i))
		}
	}
	for len(queue) > 0 {
		j := queue[0]
		queue = queue[1:]
		for _, i := range before[first[j]:first[j+1]] {
			if !lost[i] {
				lost[i] = true
				queue = append(queue, i)
			}
		}
	}
	for i, s := range k.states {
		if lost[i] {
			k.plan[s] = planned[i]
		}
	}
	return nil
}

// firstAsGood returns the first way of a state that is worth what the state is.
func (k *knot) firstAsGood(s int32) (int32, error) {
	if err := k.payWays(s); err != nil {
		return 0, err
	}
	f := k.f[s]
	for way := k.g.States[s].First; way < k.plan[s]; way++ {
		if q, off := k.about(way); math.Abs(q-f) > off+math.Abs(f)*0x1p-49 {
			continue
		}
		v, err := k.exactly(s, way)
		if err != nil {
			return 0, err
		}
		if c, err := k.cmp(v, k.v[s]); c == 0 || err != nil {
			return way, err
		}
	}
	return k.plan[s], nil
}
