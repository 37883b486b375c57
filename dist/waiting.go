package dist

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/bits"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/chain"
	"dicescript/dist/internal/linear"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// How long a process takes until something holds, without a limit. The means of the
// time and of its square are solved for exactly, in internal/chain; the distribution
// itself is followed step by step and cut like every unlimited process.

// WaitingTime returns the distribution of how many steps a process takes until
// done holds, without a limit: it is cut where the chance that the process goes
// on is below 2^-80, and its mean and variance are exact. done and step are called
// once for every state that is reached, and step only for states that are not
// done.
//
// Where the exact weights would be longer than 2048 bits, because the process
// takes very long, chances are rounded to some 200 bits, and what is lost by that
// is part of the error bound too.
//
// It is an error when some state can be reached from which none that is done
// can, and when there are more than 262 144 states. With steps that carry an
// error bound, mean and variance are not known.
//
// Cost: the elimination of a sparse matrix in machine words, as many
// substitutions as the mean has digits, and one step of [Iterate] for each
// outcome.
func WaitingTime[S comparable](ctx context.Context, start S, step func(S) (*Outcomes[S], error), done func(S) (bool, error)) (*Dist, error) {
	w := &waiting[S]{walker: newChain(ctx, start, step)}
	w.rests, w.earn = false, w.graph.Earning(big.NewRat(1, 1))
	if err := w.explore(done); err != nil {
		return nil, err
	}
	if w.over(0) {
		return Constant(0), nil
	}
	i, err := w.graph.Unending(meterOf(ctx))
	if err != nil {
		return nil, err
	}
	if i >= 0 {
		return nil, badArg("done", "it need not come to hold: from state %s it never does", quoted(w.states[i]))
	}
	if w.moments, err = w.graph.Moments(meterOf(ctx), nil); err != nil {
		return nil, notSingular(err)
	}
	if err := w.fits(); err != nil {
		return nil, err
	}
	return w.follow()
}

// fits refuses a process that takes hopelessly long: it is followed for more
// steps than it takes on average.
func (w *waiting[S]) fits() error {
	steps := w.moments.About
	if !(steps < math.MaxInt32) {
		return indexable(w.ctx, math.MaxInt64)
	}
	if err := indexable(w.ctx, int64(steps)); err != nil {
		return err
	}
	return wouldFit(w.ctx, upper.MulSat(int64(steps), int64(len(w.graph.Edges))+chain.StepWork))
}

type waiting[S comparable] struct {
	*walker[S]
	err     float64
	moments *chain.Moments
}

// over reports whether a state is done.
func (w *waiting[S]) over(i int) bool { return w.graph.States[i].IsEnd() }

// explore finds all states.
func (w *waiting[S]) explore(done func(S) (bool, error)) error {
	for i := 0; i < len(w.states); i++ {
		if err := ChargeWork(w.ctx, work.Visit); err != nil {
			return err
		}
		yes, err := done(w.states[i])
		if err != nil {
			return err
		}
		if yes {
			w.graph.End(i, nil)
			continue
		}
		if err := w.expand(i); err != nil {
			return err
		}
		w.err = max(w.err, w.bound(i))
		if err := checkStates(w.ctx, len(w.states), maxTransient); err != nil {
			return err
		}
	}
	return nil
}

// exactWords is up to how many words the chances of a process are kept exactly.
const exactWords = 32

// follow finds the distribution.
func (w *waiting[S]) follow() (*Dist, error) {
	d, left, err := w.exactly()
	if d == nil && err == nil {
		d, left, err = w.rounded()
	}
	if err != nil {
		return nil, err
	}
	if left.sum() == 0 && w.err == 0 {
		return d, nil
	}
	if w.err > 0 {
		t := unknownTail(upper.Add(left.sum(), upper.Mul(w.err, w.moments.About)))
		t.below = false
		return d.withTail(t), nil
	}
	return d.withTail(w.tail(left, float64(d.Max()))), nil
}

// A remainder is the chance that the process goes on beyond the last outcome, and
// what was lost by rounding.
type remainder struct{ goesOn, lost float64 }

func (r remainder) sum() float64 { return upper.Add(r.goesOn, r.lost) }

// tail is that of a time that is cut at last. Who goes on there takes E T_j more;
// what was lost before may take as much, or have been over.
func (w *waiting[S]) tail(left remainder, last float64) *tail {
	m := w.moments
	t := &tail{err: min(1, left.sum()), above: true, m1: m.Mean, m2: m.Square}
	t.d1 = upper.Add(upper.Mul(left.goesOn, m.Most), upper.Mul(left.lost, upper.Add(m.Most, last)))
	t.d2 = upper.Add(upper.Mul(left.goesOn, m.Most2), upper.Mul(left.lost, upper.Add(m.Most2, upper.Mul(last, last))))
	return t
}

// exactly follows the process with exact weights. It returns nothing when they
// grow too long.
func (w *waiting[S]) exactly() (*Dist, remainder, error) {
	m := chain.Start()
	hits, grown := []Weight{{}}, []*big.Int{nil}
	f := finishing[S]{chain: w.walker}
	for i := range w.states {
		f.known = append(f.known, map[bool]finish{true: isDone, false: goesOn}[w.over(i)])
	}
	limit := exactWords
	returns, err := w.graph.Returns(meterOf(w.ctx))
	if err != nil {
		return nil, remainder{}, err
	}
	if !returns { // it is surely over after some number of steps
		limit = maxWords
	}
	for {
		common, err := m.Advance(meterOf(w.ctx), &w.graph)
		if err != nil {
			return nil, remainder{}, err
		}
		if nat.WordsFor(m.Denominator) > limit {
			return nil, remainder{}, nil
		}
		if err := ChargeTable(w.ctx, 1, int64(2*nat.WordsFor(m.Denominator)+8)); err != nil {
			return nil, remainder{}, err
		}
		hit, going, err := f.take(m)
		if err != nil {
			return nil, remainder{}, err
		}
		hits, grown = append(hits, hit), append(grown, common)
		left := new(big.Rat).SetFrac(m.Weights.Sum(), m.Denominator)
		if goesOn := upper.Abs(left); !going || goesOn < math.Ldexp(1, -cutBits) {
			last := len(hits) - 1
			hits[last] = hits[last].Plus(weightOf(m.Weights.Sum()))
			d, err := spreadHits(w.ctx, hits, grown, nat.WordsFor(m.Denominator))
			return d, remainder{goesOn: goesOn}, err
		}
	}
}

// spreadHits brings the weights of the times to one denominator: that of time t
// grew by grown[t].
func spreadHits(ctx context.Context, hits []Weight, grown []*big.Int, words int) (*Dist, error) {
	if err := chargeWeights(ctx, int64(len(hits)), int64(words)); err != nil {
		return nil, err
	}
	if err := ChargeWork(ctx, upper.MulSat(int64(len(hits)), upper.MulSat(int64(words), int64(words)))); err != nil {
		return nil, err
	}
	v := nat.NewVec(len(hits), words)
	factor := Weight{word: 1}
	for t := len(hits) - 1; t >= 0; t-- {
		hits[t].Times(factor).put(v.At(t))
		if t > 0 {
			factor = factor.Times(weightOf(grown[t]))
		}
	}
	return newDist(ctx, axis.Axis{Lo: 0, Step: 1, N: len(hits)}, v, nil)
}

// roundedBits is to how many bits chances are rounded, beyond those of the
// totals of the steps.
const roundedBits = 192

// rounded follows the process with chances over a power of two, which are
// rounded down.
func (w *waiting[S]) rounded() (*Dist, remainder, error) {
	wide := 0
	for _, way := range w.graph.Ways {
		wide = max(wide, way.Total.BitLen())
	}
	words := (roundedBits+wide)/nat.LimbBits + 1
	n := len(w.states)
	if err := ChargeTable(w.ctx, int64(n), int64(2*words)); err != nil {
		return nil, remainder{}, err
	}
	one := new(big.Int).Lsh(big.NewInt(1), uint(words*nat.LimbBits-1))
	cut := new(big.Int).Rsh(one, cutBits)
	r := rounding{graph: &w.graph, words: words, now: nat.NewVec(n, words), next: nat.NewVec(n, words), share: make([]nat.Limb, words)}
	nat.PutInt(r.now.At(0), one)
	hits := nat.Vec{Words: words, Data: make([]nat.Limb, words)}
	for {
		if err := ChargeWork(w.ctx, r.work()); err != nil {
			return nil, remainder{}, err
		}
		if err := ChargeTable(w.ctx, 1, int64(words)); err != nil {
			return nil, remainder{}, err
		}
		hits.Data = append(hits.Data, r.step()...)
		if err := indexable(w.ctx, int64(hits.Len())); err != nil {
			return nil, remainder{}, err
		}
		if left := r.now.Sum(); left.Cmp(cut) < 0 {
			lost := new(big.Int).Sub(one, hits.Sum())
			lost.Sub(lost, left)
			last := hits.At(hits.Len() - 1)
			nat.PutInt(last, new(big.Int).Add(nat.View(nat.Trim(last)), new(big.Int).Add(left, lost)))
			d, err := newDist(w.ctx, axis.Axis{Lo: 0, Step: 1, N: hits.Len()}, hits, nil)
			of := func(x *big.Int) float64 { return upper.Abs(new(big.Rat).SetFrac(x, one)) }
			return d, remainder{goesOn: of(left), lost: of(lost)}, err
		}
	}
}

// A rounding is a process that is followed with rounded chances.
type rounding struct {
	graph     *chain.Graph
	words     int
	now, next nat.Vec
	share     []nat.Limb
}

// work is what the next step takes.
func (r *rounding) work() int64 {
	edges := 0
	for i, s := range r.graph.States {
		if s.First < s.Last && !nat.IsZero(r.now.At(i)) {
			way := &r.graph.Ways[s.First]
			edges += (int(way.Last-way.First) + 2) * len(way.Total.Bits())
		}
	}
	return int64(len(r.graph.States)*r.words) + int64(edges)*int64(r.words+4)
}

// step goes one step and returns the chance to be done then.
func (r *rounding) step() []nat.Limb {
	clear(r.next.Data)
	quotient := new(big.Int)
	for i := range r.graph.States {
		x := nat.Trim(r.now.At(i))
		if len(x) == 0 {
			continue
		}
		way := &r.graph.Ways[r.graph.States[i].First]
		clear(r.share)
		if t := way.Total.Bits(); len(t) == 1 {
			divWord(r.share, x, t[0])
		} else {
			nat.PutInt(r.share, quotient.Quo(nat.View(x), way.Total))
		}
		r.graph.Spread(r.next, way, nat.Trim(r.share))
	}
	hit := make([]nat.Limb, r.words)
	for j := range r.graph.States {
		if r.graph.States[j].IsEnd() {
			nat.Add(hit, r.next.At(j))
			clear(r.next.At(j))
		}
	}
	r.now, r.next = r.next, r.now
	return hit
}

// divWord writes x divided by a word into dst, rounded down.
func divWord(dst, x []nat.Limb, m nat.Limb) {
	r := uint(0)
	for i := len(x) - 1; i >= 0; i-- {
		q, rest := bits.Div(r, uint(x[i]), uint(m))
		dst[i], r = nat.Limb(q), rest
	}
}

// notSingular says which argument is to blame for equations without a solution.
func notSingular(err error) error {
	if errors.Is(err, linear.ErrSingular) {
		return badArg("step", "its equations have no single solution")
	}
	return err
}
