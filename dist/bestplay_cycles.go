package dist

import (
	"math/big"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/policy"
	"dicescript/dist/upper"
)

// States that lead to each other are valued together. The values outside are known;
// what they contribute to a way is a constant, in integers over one common
// denominator. internal/policy finds the best plan.

// A knot is states that lead to each other.
type knot[S, M comparable] struct {
	*player[S, M]
	policy.Problem
	states []int
	moves  []int   // by way: of the player
	err    float64 // of the values outside
}

// solveTogether values states that lead to each other.
func (p *player[S, M]) solveTogether(states []int) error {
	k := &knot[S, M]{player: p, states: states}
	if err := k.gather(); err != nil {
		return err
	}
	best, stuck, err := policy.Solve(meterOf(p.ctx), &k.Problem)
	if err != nil {
		return notSingular(err)
	}
	if stuck >= 0 {
		return badArg("moves", "play need not end: from state %s it never does", quoted(p.plan.states[states[stuck]]))
	}
	den := new(big.Int).Mul(best.Den, k.Unit)
	for i, s := range states {
		move := k.moves[best.Plan[i]]
		if k.err > 0 {
			p.settleRounded(s, best.X[i], den, k.err, move)
			continue
		}
		p.settle(s, new(big.Rat).SetFrac(best.X[i], den), k.err, move)
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
		for _, w := range p.ways[p.turns[s].First:p.turns[s].Last] {
			edges += int64(w.last - w.first + 4)
		}
	}
	k.Scale, k.Work = p.scale, 4*edges
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
		t := policy.Turn{First: len(k.Ways), Against: p.turns[s].Against}
		for m := p.turns[s].First; m < p.turns[s].Last; m++ {
			k.Ways = append(k.Ways, k.way(m, place, values))
			k.moves = append(k.moves, m)
		}
		t.Last = len(k.Ways)
		k.Turns = append(k.Turns, t)
	}
	return ChargeWork(p.ctx, upper.MulSat(edges, int64(nat.WordsFor(k.Unit))*2))
}

// outside returns the values of the states that the knot leads to, times the
// common denominator.
func (k *knot[S, M]) outside(place map[int]int) (map[int32]*big.Int, error) {
	p := k.player
	known := map[int32]*big.Rat{}
	k.Unit = big.NewInt(1)
	for _, s := range k.states {
		for _, w := range p.ways[p.turns[s].First:p.turns[s].Last] {
			for _, j := range p.edges.to[w.first:w.last] {
				if _, inside := place[int(j)]; inside || known[j] != nil {
					continue
				}
				v := p.plan.values[j]
				known[j] = v.exact
				k.err = max(k.err, v.err)
				if k.Unit.BitLen() <= maxExactBits {
					if err := ChargeWork(p.ctx, int64(16*nat.WordsFor(k.Unit)+16)); err != nil {
						return nil, err
					}
					k.Unit = nat.LCM(k.Unit, v.exact.Denom())
				}
			}
		}
	}
	if k.err > 0 || k.Unit.BitLen() > maxExactBits {
		k.Unit = new(big.Int).Lsh(big.NewInt(1), uint(p.places()))
		k.err = upper.Add(k.err, p.rounding())
		for j, v := range known {
			known[j] = p.rounded(v.Num(), v.Denom())
		}
	}
	values := make(map[int32]*big.Int, len(known))
	for j, v := range known {
		x := new(big.Int).Quo(k.Unit, v.Denom())
		values[j] = x.Mul(x, v.Num())
	}
	return values, nil
}

// way takes one way apart.
func (k *knot[S, M]) way(m int, place map[int]int, values map[int32]*big.Int) policy.Way {
	p := k.player
	w := p.ways[m]
	out := policy.Way{Total: w.total, About: w.about, Outside: new(big.Int)}
	term := new(big.Int)
	for e := w.first; e < w.last; e++ {
		j, weight := p.edges.to[e], p.edges.w[e].shared()
		near, _ := new(big.Float).SetInt(weight).Float64()
		if i, inside := place[int(j)]; inside {
			out.To, out.W, out.AboutW = append(out.To, i), append(out.W, weight), append(out.AboutW, near)
			continue
		}
		out.Leaves = true
		out.Outside.Add(out.Outside, term.Mul(weight, values[j]))
		out.AboutOutside += near * p.near[j]
	}
	return out
}
