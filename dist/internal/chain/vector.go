package chain

import (
	"math/big"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// The distribution of a process after n steps is its starting state multiplied n times by
// the matrix of its steps: p(t+1) = p(t) P. Weights stay integers: a step multiplies all
// of them by the least common multiple of the totals that it uses.

// A Vector is the distribution of a process over its states at one time: state i has the
// chance Weights.At(i) / Denominator. States need not be known before they are reached.
type Vector struct {
	Weights     nat.Vec
	Denominator *big.Int
	Err         float64    // the sum of the errors of the steps so far
	spare       []nat.Limb // the table of the step before, to be used again
	scaled      []nat.Limb
}

// Start puts a process at state 0.
func Start() *Vector {
	return &Vector{Weights: nat.Vec{Words: 1, Data: []nat.Limb{1}}, Denominator: big.NewInt(1)}
}

// Ended reports whether the process is at an end, wherever it may be.
func (m *Vector) Ended(g *Graph) bool {
	for i, n := 0, m.Weights.Len(); i < n; i++ {
		if !nat.IsZero(m.Weights.At(i)) && !g.States[i].IsEnd() {
			return false
		}
	}
	return true
}

// StepWork is what going from one state to another takes besides the words of
// the weights.
const StepWork = 8

// Advance makes one step from states that are known, whose first ways are taken; at an
// end the process stays. It returns the number by which the denominator grew.
func (m *Vector) Advance(meter work.Meter, g *Graph) (*big.Int, error) {
	common, width, err := m.commonTotal(meter, g)
	if err != nil {
		return nil, err
	}
	denominator := new(big.Int).Mul(m.Denominator, common)
	words := nat.WordsFor(denominator)
	if err := meter.Work(upper.MulSat(int64(width+m.Weights.Len()), int64(words)+StepWork)); err != nil {
		return nil, err
	}
	next, err := m.room(meter, len(g.States), words)
	if err != nil {
		return nil, err
	}
	factor := new(big.Int)
	tick := work.NewTicker(meter)
	for i, n := 0, m.Weights.Len(); i < n; i++ {
		x := nat.Trim(m.Weights.At(i))
		if len(x) == 0 {
			continue
		}
		if g.States[i].IsEnd() {
			nat.AddMul(next.At(i), x, common.Bits())
			continue
		}
		way := &g.Ways[g.States[i].First]
		if err := tick.Tick(int(way.Last-way.First) * (words + StepWork)); err != nil {
			return nil, err
		}
		if common.Cmp(way.Total) != 0 {
			x = m.scale(x, factor.Quo(common, way.Total), words)
		}
		g.Spread(next, way, x)
	}
	if nat.Checking {
		nat.InsistMass(next, new(big.Int).Mul(m.Weights.Sum(), common), "a step of a process")
	}
	m.spare, m.Weights = m.Weights.Data, next
	m.Denominator = denominator
	return common, nil
}

// commonTotal returns the least common multiple of the totals that a step uses, and how
// many words the weights of its edges have.
func (m *Vector) commonTotal(meter work.Meter, g *Graph) (common *big.Int, width int, err error) {
	wide, worst := int64(1), 0.0
	mod := new(big.Int)
	for i, n := 0, m.Weights.Len(); i < n; i++ {
		if nat.IsZero(m.Weights.At(i)) || g.States[i].IsEnd() {
			continue
		}
		way := &g.Ways[g.States[i].First]
		if common == nil {
			common, wide = way.Total, int64(nat.WordsFor(way.Total))
		}
		if err := meter.Weights(0, wide); err != nil { // wider than a weight may be
			return nil, 0, err
		}
		words := len(way.Total.Bits())
		if err := meter.Work(wide * int64(words)); err != nil {
			return nil, 0, err
		}
		if common.Cmp(way.Total) != 0 && mod.Rem(common, way.Total).Sign() != 0 {
			common = nat.LCM(common, way.Total)
			wide = int64(nat.WordsFor(common))
		}
		worst = max(worst, way.Err)
		width += int(way.Last-way.First) * words
	}
	m.Err = upper.Add(m.Err, worst)
	if common == nil { // it stays where it is
		common = big.NewInt(1)
	}
	return common, width, nil
}

// Spread adds x times the weights of a way to the states that it leads to.
func (g *Graph) Spread(next nat.Vec, way *Way, x []nat.Limb) {
	edges := g.Edges[way.First:way.Last]
	if next.Words == 1 {
		for i := range edges {
			e := &edges[i]
			if nat.Checking {
				nat.InsistScaledFits(next.Data[e.To:e.To+1], x[:1], e.w, "a step of a process")
			}
			next.Data[e.To] += x[0] * e.w
		}
		return
	}
	for i := range edges {
		e := &edges[i]
		if e.earn < 0 {
			nat.AddMul(next.At(int(e.To)), x, g.wide[e.w].Bits())
			continue
		}
		nat.AddMulWord(next.At(int(e.To)), x, e.w)
	}
}

// room returns an empty table for n states, in the memory of the step before
// last when that is large enough.
func (m *Vector) room(meter work.Meter, n, words int) (nat.Vec, error) {
	if cap(m.spare) < n*words {
		if err := meter.Weights(int64(n), int64(words)); err != nil {
			return nat.Vec{}, err
		}
		if err := meter.Table(int64(n), int64(words)); err != nil {
			return nat.Vec{}, err
		}
		m.spare = make([]nat.Limb, 2*n*words)
	}
	data := m.spare[:n*words]
	clear(data)
	return nat.Vec{Words: words, Data: data}, nil
}

// scale returns factor times x, which fits the given number of words, until the
// next call.
func (m *Vector) scale(x []nat.Limb, factor *big.Int, words int) []nat.Limb {
	if cap(m.scaled) < words {
		m.scaled = make([]nat.Limb, 2*words)
	}
	s := m.scaled[:words]
	clear(s)
	nat.AddMul(s, x, factor.Bits())
	return nat.Trim(s)
}

// Reduce takes out what divides all weights, which then also divides the
// denominator, their sum.
func (m *Vector) Reduce(meter work.Meter) error {
	tick := work.NewTicker(meter)
	g, err := m.Weights.Content(&tick)
	if err != nil || g.IsInt64() && g.Int64() == 1 {
		return err
	}
	w, err := m.Weights.Divided(g, &tick)
	if err != nil {
		return err
	}
	m.Denominator = new(big.Int).Quo(m.Denominator, g)
	m.Weights = w.Resized(nat.WordsFor(m.Denominator))
	return nil
}
