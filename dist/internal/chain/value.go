package chain

import (
	"math"
	"math/big"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// What a process earns on the way to its end and there: from state i on the payoff X_i and
// its square have the means
//
//	E X_i  = sum over the edges of p_ij (r_ij + E X_j)
//	E X_i² = sum over the edges of p_ij (r_ij² + 2 r_ij E X_j + E X_j²),
//
// which are passed back from the ends, component by component. With 1 earned at every step
// they are those of the time that the process takes.

// values holds the values of states under a plan.
type values struct {
	*walk
	exact int // the bits of denominators up to which values are exact
	// places is the binary places of those that are rounded.
	places  int
	v       []number  // by state
	f       []float64 // the same in floats
	err     []float64 // how far a value may be from the truth; nil as long as all are exact
	checked []int32   // the bits of the denominator when powers were last taken out of it
	earned  []number  // by number
}

func newValues(meter work.Meter, g *Graph, plan Plan, exact int) (*values, error) {
	w, err := newWalk(newArithmetic(meter), g, plan)
	if err != nil {
		return nil, err
	}
	n := len(g.States)
	if err := meter.Table(int64(n), 6); err != nil {
		return nil, err
	}
	x := &values{walk: w, exact: exact, v: make([]number, n), f: make([]float64, n), err: make([]float64, n), checked: make([]int32, n)}
	x.earned = append(x.earned, number{})
	largest := 0.0
	for _, r := range g.earnings {
		x.earned = append(x.earned, number{r.Num(), x.split(r.Denom())})
		largest = max(largest, upper.Abs(r))
	}
	for s := range g.States {
		if p := g.States[s].Payoff; p != nil {
			largest = max(largest, upper.Abs(p))
		}
	}
	x.places = placesFor(largest)
	return x, nil
}

// valuePlaces is how many binary places rounded values have, beside the largest payoff.
const valuePlaces = 128

// placesFor is how many binary places are kept behind the point.
func placesFor(largest float64) int {
	exponent := 0
	if largest > 0 && !math.IsInf(largest, 0) {
		_, exponent = math.Frexp(largest)
	}
	return max(0, valuePlaces-exponent)
}

// end sets the value of an end.
func (x *values) end(s int32) error {
	v := number{new(big.Int), x.one}
	if p := x.g.States[s].Payoff; p != nil {
		v = number{p.Num(), x.split(p.Denom())}
	}
	return x.set(s, v, 0)
}

// set gives a state its value.
func (x *values) set(s int32, v number, err float64) error {
	f, problem := x.near(v)
	x.v[s], x.f[s], x.err[s] = v, f, err
	return problem
}

// settle gives a state its final value, rounded where it is long or what it follows from
// is.
func (x *values) settle(s int32, v number, err float64) error {
	if err == 0 && v.d.bits > min(2*int(x.checked[s])+256, x.exact) {
		d, problem := x.strip(v.n, v.d)
		if problem != nil {
			return problem
		}
		if v.d = d; d.bits > x.exact {
			if v, problem = x.shared(v); problem != nil {
				return problem
			}
		}
		x.checked[s] = int32(v.d.bits)
	}
	if err > 0 || v.d.bits > x.exact {
		var problem error
		if v, problem = x.floor(v, x.places); problem != nil {
			return problem
		}
		err = upper.Add(err, math.Ldexp(1, -x.places))
	}
	if problem := x.meter.Table(1, int64(len(v.n.Bits()))); problem != nil {
		return problem
	}
	return x.set(s, v, err)
}

// after adds up what follows on the edges of a way outside of the component that was
// entered and of state s, with what all of them earn, times the total.
func (x *values) after(s, way int32, all bool) (*sum, float64, error) {
	out, earned, worst := &sum{}, &sum{}, 0.0
	edges := x.g.edgesOf(way)
	for i := range edges {
		e := &edges[i]
		if e.earning() > 0 {
			r := x.earned[e.earning()]
			if err := x.add(earned, r.n, r.d, x.g.weight(e)); err != nil {
				return nil, 0, err
			}
		}
		if !all && (e.To == s || x.place[e.To] > 0) {
			continue
		}
		v := x.v[e.To]
		worst = max(worst, x.err[e.To])
		x.checked[s] = max(x.checked[s], x.checked[e.To])
		if err := x.add(out, v.n, v.d, x.g.weight(e)); err != nil {
			return nil, 0, err
		}
	}
	if earned.d != nil {
		if err := x.plus(out, &earned.n, earned.d); err != nil {
			return nil, 0, err
		}
	}
	return out, worst, nil
}

// evaluateAll values all states that can be reached from the start.
func (x *values) evaluateAll() error {
	order, err := x.g.condense(x.meter, wayspan{g: x.g, plan: x.plan}, 0)
	if err != nil {
		return err
	}
	for k := range order.len() {
		states := order.at(k)
		if x.g.States[states[0]].IsEnd() {
			if err := x.end(states[0]); err != nil {
				return err
			}
			continue
		}
		if err := x.component(states, x.settle); err != nil {
			return err
		}
	}
	return nil
}

// component values the states of a component under the plan from those that it leads to,
// and gives them their values by put.
func (x *values) component(states []int32, put func(s int32, v number, err float64) error) error {
	b := make([]*sum, len(states))
	worst := 0.0
	x.enclose(states)
	defer x.forget(states)
	for k, s := range states {
		var off float64
		var err error
		if b[k], off, err = x.after(s, x.plan.way(x.g, s), false); err != nil {
			return err
		}
		worst = max(worst, off)
	}
	v, err := x.unknowns(states, b)
	if err != nil {
		return err
	}
	for k, s := range states {
		if err := put(s, v[k], worst); err != nil {
			return err
		}
	}
	return nil
}

// unknowns solves the equations of a component with the right sides b.
func (x *values) unknowns(states []int32, b []*sum) ([]number, error) {
	if len(states) == 1 {
		pivot, common := x.pivot(states[0])
		if common != 1 {
			pivot = new(big.Int).Mul(pivot, new(big.Int).SetUint64(uint64(common)))
		}
		v := b[0].number(x.arithmetic)
		d, err := x.times(v.d, x.split(pivot))
		return []number{{v.n, d}}, err
	}
	sys, err := x.system(states, false)
	if err != nil {
		return nil, err
	}
	solution, out := make([]*sum, len(b)), make([]number, len(b))
	for k := range solution {
		solution[k] = &sum{}
	}
	den, err := sys.solve(b, solution)
	if err != nil {
		return nil, err
	}
	over := x.split(den)
	for k := range out {
		out[k].n = &solution[k].n
		if out[k].d, err = x.times(solution[k].d, over); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Moments are what a process earns from its start.
type Moments struct {
	Mean, Square *big.Rat // E X and E X² from the start; nil when they are too long to be exact
	// Most and Most2 are not below E |X| and E X² from any state, as long as nothing
	// earned is negative.
	Most, Most2 float64
	About       float64 // not below E |X| from the start, under the same condition
}

// Moments returns the moments of what is earned by a plan that ends surely.
func (g *Graph) Moments(meter work.Meter, plan Plan) (*Moments, error) {
	first, err := newValues(meter, g, plan, exactBits)
	if err != nil {
		return nil, err
	}
	if err := first.evaluateAll(); err != nil {
		return nil, err
	}
	second, err := first.squares()
	if err != nil {
		return nil, err
	}
	out := &Moments{About: bound(first.f[0], first.err[0])}
	for s := range g.States {
		if first.v[s].n != nil {
			out.Most = max(out.Most, bound(first.f[s], first.err[s]))
			out.Most2 = max(out.Most2, bound(second.f[s], second.err[s]))
		}
	}
	if first.err[0] == 0 {
		if out.Mean, err = first.rat(first.v[0]); err != nil {
			return nil, err
		}
	}
	if second.err[0] == 0 && first.err[0] == 0 {
		out.Square, err = first.rat(second.v[0])
	}
	return out, err
}

// bound is not below the absolute value that a float is near to.
func bound(f, err float64) float64 { return upper.Add(upper.Up(math.Abs(f)*(1+0x1p-48)), err) }

// squares returns the means of the squares from those of x.
func (x *values) squares() (*values, error) {
	n := len(x.g.States)
	if err := x.meter.Table(int64(n), 6); err != nil {
		return nil, err
	}
	y := &values{walk: x.walk, exact: x.exact, places: x.places, v: make([]number, n), f: make([]float64, n), err: make([]float64, n), checked: make([]int32, n), earned: x.earned}
	order, err := x.g.condense(x.meter, wayspan{g: x.g, plan: x.plan}, 0)
	if err != nil {
		return nil, err
	}
	for k := range order.len() {
		states := order.at(k)
		if s := states[0]; x.g.States[s].IsEnd() {
			v := x.v[s]
			d, err := x.times(v.d, v.d)
			if err != nil {
				return nil, err
			}
			if err := y.set(s, number{new(big.Int).Mul(v.n, v.n), d}, 0); err != nil {
				return nil, err
			}
			continue
		}
		if err := y.squared(states, x); err != nil {
			return nil, err
		}
	}
	return y, nil
}

// squared values the squares of a component.
func (y *values) squared(states []int32, x *values) error {
	y.enclose(states)
	defer y.forget(states)
	b := make([]*sum, len(states))
	worst := 0.0
	for k, s := range states {
		b[k] = &sum{}
		edges := y.edges(s)
		for i := range edges {
			e := &edges[i]
			if e.earning() > 0 {
				if err := y.square(b[k], e, x.v[e.To]); err != nil {
					return err
				}
				if x.err[e.To] > 0 { // it is met at every visit
					worst = math.Inf(1)
				}
			}
			if e.To != s && y.place[e.To] == 0 {
				v := y.v[e.To]
				worst = max(worst, y.err[e.To])
				y.checked[s] = max(y.checked[s], y.checked[e.To])
				if err := y.add(b[k], v.n, v.d, y.g.weight(e)); err != nil {
					return err
				}
			}
		}
	}
	v, err := y.unknowns(states, b)
	if err != nil {
		return err
	}
	for k, s := range states {
		if err := y.settle(s, v[k], worst); err != nil {
			return err
		}
	}
	return nil
}

// square adds the weight of an edge times r² + 2 r v = r (r + 2 v).
func (y *values) square(to *sum, e *Edge, v number) error {
	r := y.earned[e.earning()]
	var both sum
	if err := y.plus(&both, r.n, r.d); err != nil {
		return err
	}
	if v.n.Sign() != 0 {
		if err := y.plus(&both, new(big.Int).Lsh(v.n, 1), v.d); err != nil {
			return err
		}
	}
	d, err := y.times(both.d, r.d)
	if err != nil {
		return err
	}
	if err := y.pay(int64(len(both.n.Bits())) * int64(len(r.n.Bits()))); err != nil {
		return err
	}
	return y.add(to, both.n.Mul(&both.n, r.n), d, y.g.weight(e))
}

// cmp compares two numbers.
func (a *arithmetic) cmp(x, y number) (int, error) {
	if x.d == y.d {
		return x.n.Cmp(y.n), nil
	}
	j, err := a.join(x.d, y.d)
	if err != nil {
		return 0, err
	}
	if err := a.pay(2 * j.d.wordsOf() * (nat.LimbBits / 8)); err != nil {
		return 0, err
	}
	p, q := x.n, y.n
	if j.fa != nil {
		p = new(big.Int).Mul(p, j.fa)
	}
	if j.fb != nil {
		q = new(big.Int).Mul(q, j.fb)
	}
	return p.Cmp(q), nil
}
