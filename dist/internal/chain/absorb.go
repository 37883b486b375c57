package chain

import (
	"math"
	"math/big"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// Where a process ends: the mass of the start goes forward in topological order. A state
// that is left with the weights w_j of the pivot W sends on m w_j / W of its mass m, and
// is left m / W times its total; the states of a component are left as often as the
// equations of the component say.

// An Absorption says where a process ends: in state Ends[k] with a chance in proportion
// to W[k].
type Absorption struct {
	Ends []int // in the order of their numbers
	W    []*big.Int
	Err  float64 // how far the chances may be off
	// Steps is the mean number of steps, nil when it is not known: where a way has an
	// error, or chances were rounded.
	Steps *big.Rat
}

const (
	// exactBits is how long the denominators of masses and of moments may be before
	// they are rounded.
	exactBits = 1 << 16
	// massPlaces is the binary places of rounded masses, beyond those of totals.
	massPlaces = 256
)

// Absorb sends the mass of state 0 to the ends by a plan that reaches them surely from
// every state that it can come to.
func (g *Graph) Absorb(meter work.Meter, plan Plan, steps bool) (*Absorption, error) {
	f, err := newForward(meter, g, plan)
	if err != nil {
		return nil, err
	}
	if f.counts = steps; steps {
		f.left = map[*denominator]*big.Int{}
	}
	order, err := g.condense(meter, wayspan{g: g, plan: plan}, 0)
	if err != nil {
		return nil, err
	}
	for k := order.len() - 1; k >= 0; k-- {
		if err := f.component(order.at(k)); err != nil {
			return nil, err
		}
	}
	return f.result()
}

// A forward is a pass that sends mass.
type forward struct {
	*walk
	mass    []*sum  // by state, nil when there is none
	spare   []*sum  // those of states that are done
	checked []int32 // the bits of the denominator when powers were last taken out of it
	places  int     // of rounded masses; 0 as long as they are exact
	wide    int     // the bits of the largest total
	err     float64

	entering, solution []*sum  // of a component
	often              big.Int // a state of it is left

	counts bool
	left   map[*denominator]*big.Int // how often states are left, over a denominator
	leftIn []*denominator            // in order
}

func newForward(meter work.Meter, g *Graph, plan Plan) (*forward, error) {
	w, err := newWalk(newArithmetic(meter), g, plan)
	if err != nil {
		return nil, err
	}
	n := len(g.States)
	if err := meter.Table(int64(n), 2); err != nil {
		return nil, err
	}
	f := &forward{walk: w, mass: make([]*sum, n), checked: make([]int32, n)}
	for _, w := range g.Ways {
		f.wide = max(f.wide, w.Total.BitLen())
	}
	return f, f.plus(f.at(0), big.NewInt(1), f.one)
}

// at returns the mass of a state, to be added to.
func (f *forward) at(s int32) *sum {
	if f.mass[s] == nil {
		f.mass[s] = f.fresh()
	}
	return f.mass[s]
}

// done takes the memory of a state that has sent its mass.
func (f *forward) done(s int32) {
	if f.mass[s] != nil {
		f.spare = append(f.spare, f.mass[s])
		f.mass[s] = nil
	}
}

func (f *forward) component(states []int32) error {
	if s := states[0]; len(states) == 1 {
		if f.g.States[s].IsEnd() || f.mass[s] == nil {
			return nil
		}
		return f.single(s)
	}
	for _, s := range states {
		if f.mass[s] != nil {
			return f.together(states)
		}
	}
	return nil // all of the mass was rounded away
}

// shorten brings a mass of a state into a shorter form, when it is long.
func (f *forward) shorten(s int32, m *sum) error {
	if m.d == nil {
		m.d = f.one
	}
	if f.places == 0 && m.d.bits > 2*int(f.checked[s])+256 {
		var err error
		if m.d, err = f.strip(&m.n, m.d); err != nil {
			return err
		}
		f.checked[s] = int32(m.d.bits)
		if m.d.bits > exactBits {
			f.places = massPlaces + f.wide
		}
	}
	if f.places == 0 {
		return nil
	}
	x, err := f.floor(number{&m.n, m.d}, f.places)
	if err != nil {
		return err
	}
	m.n.Set(x.n)
	m.d = x.d
	return nil
}

// single sends on the mass of a state that is a component of its own.
func (f *forward) single(s int32) error {
	if err := f.shorten(s, f.mass[s]); err != nil {
		return err
	}
	m := f.mass[s]
	pivot, common := f.pivot(s)
	if err := f.visit(s, &m.n, m.d, pivot, common); err != nil {
		return err
	}
	d, err := f.divide(&m.n, m.d, pivot)
	if err != nil {
		return err
	}
	if err := f.send(s, &m.n, d, common); err != nil {
		return err
	}
	f.done(s)
	return nil
}

// divide divides n / d by a number and returns the denominator of the quotient. Where
// masses are rounded it is n that is divided.
func (f *forward) divide(n *big.Int, d *denominator, by *big.Int) (*denominator, error) {
	if f.places == 0 {
		return f.times(d, f.split(by))
	}
	if err := f.pay(int64(len(n.Bits())) * int64(len(by.Bits())) * 4); err != nil {
		return nil, err
	}
	n.Quo(n, by)
	return d, nil
}

// send sends n / d times the weights of a state to the states that it leads to outside
// of its component.
func (f *forward) send(s int32, n *big.Int, d *denominator, common nat.Limb) error {
	edges := f.edges(s)
	for i := range edges {
		e := &edges[i]
		if e.To == s || f.place[e.To] > 0 {
			continue
		}
		w := f.g.weight(e)
		if common != 1 {
			w.word /= common
		}
		f.checked[e.To] = max(f.checked[e.To], f.checked[s])
		if err := f.add(f.at(e.To), n, d, w); err != nil {
			return err
		}
	}
	return nil
}

// visit counts how often a state of the mass n / d is left, which is its total over
// pivot and common times that.
func (f *forward) visit(s int32, n *big.Int, d *denominator, pivot *big.Int, common nat.Limb) error {
	way := &f.g.Ways[f.plan.way(f.g, s)]
	if way.Err == 0 && !f.counts {
		return nil
	}
	full := pivot
	if common != 1 {
		full = new(big.Int).Mul(pivot, new(big.Int).SetUint64(uint64(common)))
	}
	if way.Err > 0 {
		mass, err := f.near(number{n, d})
		if err != nil {
			return err
		}
		often := upper.Mul(upper.Up(mass*(1+0x1p-49)), upper.Abs(new(big.Rat).SetFrac(way.Total, full)))
		f.err = upper.Add(f.err, upper.Mul(often, way.Err))
	}
	if !f.counts || f.places > 0 {
		return nil
	}
	if full.Cmp(way.Total) == 0 {
		return f.count(n, d)
	}
	over, err := f.times(d, f.split(full))
	if err != nil {
		return err
	}
	if err := f.pay(int64(len(n.Bits())) * int64(len(way.Total.Bits()))); err != nil {
		return err
	}
	return f.count(new(big.Int).Mul(n, way.Total), over)
}

// count adds that a state is left n / d times.
func (f *forward) count(n *big.Int, d *denominator) error {
	if err := f.pay(int64(len(n.Bits())) + work.Visit); err != nil {
		return err
	}
	have, ok := f.left[d]
	if !ok {
		have = new(big.Int)
		f.left[d] = have
		f.leftIn = append(f.leftIn, d)
	}
	have.Add(have, n)
	return nil
}

// together sends on the mass of states that lead to each other.
func (f *forward) together(states []int32) error {
	f.enclose(states)
	defer f.forget(states)
	sums := f.vector(&f.entering, len(states))
	for k, s := range states {
		if sums[k] = f.mass[s]; sums[k] == nil {
			continue
		}
		if err := f.shorten(s, sums[k]); err != nil {
			return err
		}
	}
	sys, err := f.system(states, true)
	if err != nil {
		return err
	}
	u := f.vector(&f.solution, len(states))
	for k := range u {
		u[k] = f.fresh()
	}
	den, err := sys.solve(sums, u)
	if err != nil {
		return err
	}
	checked := int32(0)
	for _, s := range states {
		checked = max(checked, f.checked[s])
	}
	for k, s := range states {
		n := &u[k].n
		d, err := f.divide(n, u[k].d, den)
		if err != nil {
			return err
		}
		total := f.total(s)
		if f.counts || f.g.Ways[f.plan.way(f.g, s)].Err > 0 {
			if err := f.visit(s, f.often.Mul(n, total), d, total, 1); err != nil {
				return err
			}
		}
		f.checked[s] = checked
		if err := f.send(s, n, d, 1); err != nil {
			return err
		}
	}
	for _, s := range states {
		f.done(s)
	}
	f.spare = append(f.spare, u...)
	return nil
}

// vector returns a row of sums in memory that is used again.
func (f *forward) vector(room *[]*sum, n int) []*sum {
	if cap(*room) < n {
		*room = make([]*sum, 2*n)
	}
	return (*room)[:n]
}

// fresh returns an empty sum.
func (f *forward) fresh() *sum {
	if n := len(f.spare); n > 0 {
		s := f.spare[n-1]
		f.spare = f.spare[:n-1]
		s.d = nil
		return s
	}
	return &sum{}
}

// result gathers the mass of the ends.
func (f *forward) result() (*Absorption, error) {
	out := &Absorption{}
	var sums []*sum
	for s, m := range f.mass {
		if m == nil || m.n.Sign() == 0 {
			continue
		}
		if f.places > 0 {
			if err := f.shorten(int32(s), m); err != nil {
				return nil, err
			}
		}
		out.Ends, sums = append(out.Ends, s), append(sums, m)
	}
	var err error
	if out.W, out.Err, err = f.gather(sums); err != nil {
		return nil, err
	}
	if f.counts && f.places == 0 && f.err == 0 {
		if err := f.countSteps(out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// gather brings the masses of ends to one denominator, and returns how far they may be off.
func (f *forward) gather(sums []*sum) ([]*big.Int, float64, error) {
	w, d, err := f.common(sums)
	if err != nil {
		return nil, 0, err
	}
	if err := f.evaluate(d); err != nil {
		return nil, 0, err
	}
	lost := new(big.Int).Set(d.value)
	for _, x := range w {
		lost.Sub(lost, x)
	}
	if nat.Checking {
		nat.Insist(lost.Sign() == 0 || f.places > 0, "where a process ends")
	}
	if lost.Sign() == 0 {
		return w, f.err, nil
	}
	return w, math.Min(1, upper.Add(f.err, upper.Abs(new(big.Rat).SetFrac(lost, d.value)))), nil
}

// countSteps adds up how often states are left.
func (f *forward) countSteps(out *Absorption) error {
	var all sum
	for _, d := range f.leftIn {
		if err := f.plus(&all, f.left[d], d); err != nil {
			return err
		}
	}
	var err error
	out.Steps, err = f.rat(all.number(f.arithmetic))
	return err
}
