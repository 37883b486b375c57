package chain

import (
	"maps"
	"math/big"
	"slices"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
)

// What a process has earned when it ends, as a distribution. The mass that goes forward is
// kept apart by what was earned before, so that a running total needs no place in a state.
// A component inside of which nothing is earned is left as the equations say, for each
// earning on its own; one in which something is earned is followed step by step, and cut
// where the chance of still being inside is tiny.

// Payoffs are what a process earns, with its chances in proportion to W.
type Payoffs struct {
	At  []*big.Rat // ascending
	W   []*big.Int
	Err float64 // how far the chances may be off
	// Uncertain reports whether some way that was taken has an error.
	Uncertain bool
	// Cut reports whether more may be earned than there is, or less.
	Cut bool
}

// payoffCut is the chance of being inside of a component, as a power of two, below which
// it is not followed any more: 2^-80 for 256 of them.
const payoffCut = 88

// A Wide earning is the error of earnings that cannot be counted with.
type Wide struct{}

func (Wide) Error() string { return "chain: an earning is too large or too fine" }

// Payoffs returns the distribution of what is earned until the end, with the payoff there,
// by a plan that ends surely.
func (g *Graph) Payoffs(meter work.Meter, plan Plan) (*Payoffs, error) {
	f, err := newForward(meter, g, plan)
	if err != nil {
		return nil, err
	}
	if err := meter.Table(int64(len(g.States)), 1); err != nil {
		return nil, err
	}
	p := &earner{forward: f, purses: make([]map[int64]*sum, len(g.States)), unit: big.NewInt(1)}
	if err := p.scaleEarnings(); err != nil {
		return nil, err
	}
	f.done(0)
	first, err := p.at(0, 0)
	if err != nil {
		return nil, err
	}
	if err := p.plus(first, big.NewInt(1), p.one); err != nil {
		return nil, err
	}
	order, err := g.condense(meter, wayspan{g: g, plan: plan}, 0)
	if err != nil {
		return nil, err
	}
	for k := order.len() - 1; k >= 0; k-- {
		states := order.at(k)
		if g.States[states[0]].IsEnd() {
			continue
		}
		if err := p.component(states); err != nil {
			return nil, err
		}
	}
	return p.result()
}

// An earner sends mass with what was earned.
type earner struct {
	*forward
	purses []map[int64]*sum // by state, the mass by what was earned, in units
	unit   *big.Int         // the earnings are in parts of
	earned []int64          // by number
	cut    bool
}

// scaleEarnings takes the earnings as whole numbers over one unit.
func (p *earner) scaleEarnings() error {
	for _, r := range p.g.earnings {
		if err := p.pay(int64(8 * nat.WordsFor(p.unit))); err != nil {
			return err
		}
		if p.unit = nat.LCM(p.unit, r.Denom()); p.unit.BitLen() > 62 {
			return Wide{}
		}
	}
	p.earned = []int64{0}
	for _, r := range p.g.earnings {
		x := new(big.Int).Quo(p.unit, r.Denom())
		if x.Mul(x, r.Num()); x.BitLen() > 62 {
			return Wide{}
		}
		p.earned = append(p.earned, x.Int64())
	}
	return nil
}

// at returns the mass of a state with so much earned, to be added to.
func (p *earner) at(s int32, earned int64) (*sum, error) {
	purse := p.purses[s]
	if purse == nil {
		purse = map[int64]*sum{}
		p.purses[s] = purse
	}
	m := purse[earned]
	if m == nil {
		if err := p.meter.Table(1, 8); err != nil {
			return nil, err
		}
		if err := p.pay(4 * work.Visit); err != nil {
			return nil, err
		}
		m = &sum{}
		purse[earned] = m
	}
	return m, nil
}

func (p *earner) component(states []int32) error {
	any := false
	for _, s := range states {
		any = any || p.purses[s] != nil
	}
	if !any {
		return nil
	}
	p.enclose(states)
	defer p.forget(states)
	var err error
	switch {
	case p.earnsInside(states):
		err = p.follow(states)
	case len(states) == 1:
		err = p.sendEach(states[0])
	default:
		err = p.solveEach(states)
	}
	for _, s := range states {
		p.purses[s] = nil
	}
	return err
}

// earnsInside reports whether something is earned on the way from a state of the component
// to another.
func (p *earner) earnsInside(states []int32) bool {
	for _, s := range states {
		edges := p.edges(s)
		for i := range edges {
			if edges[i].earning() > 0 && p.place[edges[i].To] > 0 {
				return true
			}
		}
	}
	return false
}

// sendEach sends on the mass of a state that is a component of its own.
func (p *earner) sendEach(s int32) error {
	pivot, common := p.pivot(s)
	for _, earned := range slices.Sorted(maps.Keys(p.purses[s])) {
		m := p.purses[s][earned]
		if err := p.shorten(s, m); err != nil {
			return err
		}
		if err := p.visit(s, &m.n, m.d, pivot, common); err != nil {
			return err
		}
		d, err := p.divide(&m.n, m.d, pivot)
		if err != nil {
			return err
		}
		if err := p.sendOn(s, earned, &m.n, d, common); err != nil {
			return err
		}
	}
	return nil
}

// sendOn sends n / d times the weights of a state out of its component.
func (p *earner) sendOn(s int32, earned int64, n *big.Int, d *denominator, common nat.Limb) error {
	edges := p.edges(s)
	for i := range edges {
		e := &edges[i]
		if p.place[e.To] > 0 {
			continue
		}
		w := p.g.weight(e)
		if common != 1 {
			w.word /= common
		}
		to, err := p.more(earned, e)
		if err != nil {
			return err
		}
		m, err := p.at(e.To, to)
		if err != nil {
			return err
		}
		p.checked[e.To] = max(p.checked[e.To], p.checked[s])
		if err := p.add(m, n, d, w); err != nil {
			return err
		}
	}
	return nil
}

// more returns what is earned after an edge.
func (p *earner) more(earned int64, e *Edge) (int64, error) {
	x := p.earned[e.earning()]
	if sum := earned + x; (sum > earned) == (x > 0) || x == 0 {
		return sum, nil
	}
	return 0, Wide{}
}

// solveEach sends on the mass of states that lead to each other and earn nothing inside.
func (p *earner) solveEach(states []int32) error {
	earnings := map[int64]bool{}
	for _, s := range states {
		for x := range p.purses[s] {
			earnings[x] = true
		}
	}
	sys, err := p.system(states, true)
	if err != nil {
		return err
	}
	for _, earned := range slices.Sorted(maps.Keys(earnings)) {
		sums := make([]*sum, len(states))
		for k, s := range states {
			if m := p.purses[s][earned]; m != nil {
				if err := p.shorten(s, m); err != nil {
					return err
				}
				sums[k] = m
			}
		}
		u := make([]*sum, len(states))
		for k := range u {
			u[k] = p.fresh()
		}
		den, err := sys.solve(sums, u)
		if err != nil {
			return err
		}
		for k, s := range states {
			total := p.total(s)
			n := &u[k].n
			d, err := p.divide(n, u[k].d, den)
			if err != nil {
				return err
			}
			if err := p.visit(s, p.often.Mul(n, total), d, total, 1); err != nil {
				return err
			}
			if err := p.sendOn(s, earned, n, d, 1); err != nil {
				return err
			}
		}
	}
	return nil
}

// follow goes through a component step by step, with rounded masses.
func (p *earner) follow(states []int32) error {
	p.cut = true
	if p.places == 0 {
		p.places = massPlaces + p.wide
	}
	limit := new(big.Int).Lsh(big.NewInt(1), uint(p.places-payoffCut))
	for {
		inside := new(big.Int)
		var now []map[int64]*sum
		for _, s := range states {
			now = append(now, p.purses[s])
			p.purses[s] = nil
			for _, m := range now[len(now)-1] {
				if err := p.shorten(s, m); err != nil {
					return err
				}
				inside.Add(inside, &m.n)
			}
		}
		if inside.Cmp(limit) < 0 {
			return nil
		}
		for k, s := range states {
			for _, earned := range slices.Sorted(maps.Keys(now[k])) {
				if err := p.step(s, earned, now[k][earned]); err != nil {
					return err
				}
			}
		}
	}
}

// step makes one step from a state.
func (p *earner) step(s int32, earned int64, m *sum) error {
	total := p.total(s)
	if err := p.visit(s, &m.n, m.d, total, 1); err != nil {
		return err
	}
	d, err := p.divide(&m.n, m.d, total)
	if err != nil || m.n.Sign() == 0 {
		return err
	}
	edges := p.edges(s)
	for i := range edges {
		e := &edges[i]
		to, err := p.more(earned, e)
		if err != nil {
			return err
		}
		next, err := p.at(e.To, to)
		if err != nil {
			return err
		}
		if err := p.add(next, &m.n, d, p.g.weight(e)); err != nil {
			return err
		}
	}
	return nil
}

// result adds the payoffs of the ends.
func (p *earner) result() (*Payoffs, error) {
	payoffs := map[string]*big.Rat{}
	masses := map[string]*sum{}
	for s, purse := range p.purses {
		for _, earned := range slices.Sorted(maps.Keys(purse)) {
			m := purse[earned]
			if p.places > 0 {
				if err := p.shorten(int32(s), m); err != nil {
					return nil, err
				}
			}
			if m.d == nil || m.n.Sign() == 0 {
				continue
			}
			if err := p.pay(16 * work.Visit); err != nil {
				return nil, err
			}
			x := new(big.Rat).SetFrac(big.NewInt(earned), p.unit)
			if own := p.g.States[s].Payoff; own != nil {
				x.Add(x, own)
			}
			name := x.RatString()
			if masses[name] == nil {
				payoffs[name], masses[name] = x, &sum{}
			}
			if err := p.plus(masses[name], &m.n, m.d); err != nil {
				return nil, err
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(payoffs), func(a, b string) int { return payoffs[a].Cmp(payoffs[b]) })
	out := &Payoffs{Cut: p.cut, Uncertain: p.err > 0}
	var sums []*sum
	for _, name := range names {
		out.At, sums = append(out.At, payoffs[name]), append(sums, masses[name])
	}
	var err error
	out.W, out.Err, err = p.gather(sums)
	return out, err
}
