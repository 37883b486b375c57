package markov

import (
	"math/big"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// A Vector is the distribution of a process over the states of its chain at one
// time: state i has the chance Weights.At(i) / Denominator.
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

// Absorbed reports whether no state that the process may be in is ever left.
func (m *Vector) Absorbed(rows []Row) bool {
	for i, n := 0, m.Weights.Len(); i < n; i++ {
		if !nat.IsZero(m.Weights.At(i)) && !rows[i].Absorbing {
			return false
		}
	}
	return true
}

// StepWork is what going from one state to another takes besides the words of
// the weights.
const StepWork = 8

// Advance makes one step from states whose rows are known. It returns the
// number by which the denominator grew.
func (m *Vector) Advance(meter work.Meter, rows []Row) (*big.Int, error) {
	var common *big.Int // of the rows so far
	wide := int64(0)    // the words of it
	worst, width := 0.0, 0
	mod := new(big.Int)
	for i, n := 0, m.Weights.Len(); i < n; i++ {
		r := &rows[i]
		if nat.IsZero(m.Weights.At(i)) {
			continue
		}
		if common == nil {
			common, wide = r.Total, int64(r.Words)
		}
		if err := meter.Weights(0, wide); err != nil { // wider than a weight may be
			return nil, err
		}
		if err := meter.Work(wide * int64(r.Words)); err != nil {
			return nil, err
		}
		if common.Cmp(r.Total) != 0 && mod.Rem(common, r.Total).Sign() != 0 {
			common = nat.LCM(common, r.Total)
			wide = int64(nat.WordsFor(common))
		}
		worst = max(worst, r.Err)
		width += len(r.To) * r.W.Words
	}
	if common == nil { // it is nowhere
		common = big.NewInt(1)
	}
	denominator := new(big.Int).Mul(m.Denominator, common)
	words := nat.WordsFor(denominator)
	if err := meter.Work(upper.MulSat(int64(width+m.Weights.Len()), int64(words)+StepWork)); err != nil {
		return nil, err
	}
	next, err := m.room(meter, len(rows), words)
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
		r := &rows[i]
		if err := tick.Tick(len(r.To) * (words + StepWork)); err != nil {
			return nil, err
		}
		if common.Cmp(r.Total) != 0 {
			x = m.scale(x, factor.Quo(common, r.Total), words)
		}
		addRow(next, r, x)
	}
	if nat.Checking {
		nat.InsistMass(next, new(big.Int).Mul(m.Weights.Sum(), common), "a step of a process")
	}
	m.spare, m.Weights = m.Weights.Data, next
	m.Denominator = denominator
	m.Err = upper.Add(m.Err, worst)
	return common, nil
}

// addRow adds x times the row to the weights of the states that it goes to.
func addRow(next nat.Vec, r *Row, x []nat.Limb) {
	if next.Words == 1 {
		for k, j := range r.To {
			if nat.Checking {
				nat.InsistScaledFits(next.Data[j:j+1], x[:1], r.W.Data[k], "a step of a process")
			}
			next.Data[j] += x[0] * r.W.Data[k]
		}
		return
	}
	for k, j := range r.To {
		nat.AddMul(next.At(j), x, nat.Trim(r.W.At(k)))
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
