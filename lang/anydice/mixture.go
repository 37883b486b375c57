package anydice

import (
	"errors"
	"math/big"

	"dicescript/dist"
)

// The result of a call that runs once for each roll is the mixture of its
// results by weight. A sequence counts as its sum, a die brings its own
// distribution, and the empty die drops out with its weight, the rest made 1
// again: so programs reroll, and condition.

// A mixer collects the results. Those that are alike are added up first, so
// that the distributions are mixed once.
type mixer struct {
	numbers dist.Tally[int]
	dice    dist.Tally[*dist.Dist]
	slips   map[*dist.Dist]slip
	dropped dist.Weight
	parts   []mixed // given with a chance instead of a weight
}

// A mixed is one of the dice of a mixture with its share.
type mixed struct {
	base  *dist.Dist
	slip  slip
	share *big.Rat
}

// add adds a result with its weight.
func (m *mixer) add(r *run, v value, w dist.Weight) error {
	if v.kind != dieValue {
		n, err := scalar(v)
		if err != nil {
			return err
		}
		m.numbers.Add(n.n, w)
		return nil
	}
	if v.die.isEmpty() {
		m.dropped = m.dropped.Plus(w)
		return nil
	}
	t, s, err := r.totalAndSlip(v.die)
	if err != nil {
		return err
	}
	m.dice.Add(t, w)
	if s != nil {
		if m.slips == nil {
			m.slips = map[*dist.Dist]slip{}
		}
		if old := m.slips[t]; old == nil || old.bound.Cmp(&s.bound) < 0 {
			m.slips[t] = s
		}
	}
	return nil
}

// addDie adds a pool of one with its share.
func (m *mixer) addDie(d *die, share *big.Rat) {
	m.parts = append(m.parts, mixed{base: d.base, slip: d.slip, share: share})
}

// finish returns the mixture, the empty die when nothing is left. s is the slip
// of the rolls that the call ran for.
func (m *mixer) finish(r *run, s slip) (*die, error) {
	if m.numbers.Len() == 0 && m.dice.Len() == 0 && len(m.parts) == 0 {
		return empty, nil
	}
	if m.dice.Len() == 0 && len(m.parts) == 0 {
		base, err := dist.TallyDist(r.ctx, &m.numbers, 0)
		if err != nil {
			return nil, err
		}
		return m.settled(r, base, m.numbers.Total(), s)
	}
	parts := m.parts
	kept := dist.Weight{}
	if m.numbers.Len() > 0 {
		base, err := dist.TallyDist(r.ctx, &m.numbers, 0)
		if err != nil {
			return nil, err
		}
		w := m.numbers.Total()
		kept = kept.Plus(w)
		parts = append(parts, mixed{base: base, share: new(big.Rat).SetInt(w.Int())})
	}
	for base, w := range m.dice.All() {
		kept = kept.Plus(w)
		parts = append(parts, mixed{base: base, slip: m.slips[base], share: new(big.Rat).SetInt(w.Int())})
	}
	base, inner, err := r.mix(parts)
	if err != nil {
		return nil, err
	}
	return m.settled(r, base, kept, s.plus(inner))
}

// settled gives the mixture its slip: that of what was dropped too.
func (m *mixer) settled(r *run, base *dist.Dist, kept dist.Weight, s slip) (*die, error) {
	if s != nil && !m.dropped.IsZero() {
		all := kept.Plus(m.dropped)
		var err error
		if s, err = s.given(new(big.Rat).SetFrac(kept.Int(), all.Int())); err != nil {
			return nil, err
		}
	}
	base, s, err := r.fit(base, s, 1)
	if err != nil {
		return nil, err
	}
	return single(base, s), nil
}

// errTooRound is the error of a condition that holds so seldom that the rounded
// chances do not tell how often.
var errTooRound = errors.New("the chance of what is left is too small to be known after rounding")

// mix mixes dice by their shares, and returns the slip of the mixture.
func (r *run) mix(parts []mixed) (*dist.Dist, slip, error) {
	if len(parts) == 1 {
		return parts[0].base, parts[0].slip, nil
	}
	if err := r.fitParts(parts); err != nil {
		return nil, nil, err
	}
	sum := new(big.Rat)
	rolls := make([]dist.Part, len(parts))
	slips := false
	for i, p := range parts {
		rolls[i] = dist.Part{Weight: p.share, Roll: p.base}
		slips = slips || p.slip != nil
	}
	base, err := dist.Mixture(r.ctx, rolls)
	if err != nil || !slips {
		return base, nil, err
	}
	var s slip
	for _, p := range parts {
		sum.Add(sum, p.share)
	}
	for _, p := range parts {
		if p.slip != nil {
			s = s.plus(p.slip.weighed(new(big.Rat).Quo(p.share, sum)))
		}
	}
	return base, s, nil
}

// fitParts rounds the parts of a mixture whose common total would be too long.
func (r *run) fitParts(parts []mixed) error {
	widest := 0
	sum := 0
	for _, p := range parts {
		widest = max(widest, p.base.Words())
		sum += p.base.Words()
	}
	if sum <= r.plans.exact || widest <= 1 && len(parts) <= r.plans.exact {
		return nil
	}
	common, g, q := big.NewInt(1), new(big.Int), new(big.Int)
	for _, p := range parts {
		total := p.base.Total()
		if words := int64(len(common.Bits()) + len(total.Bits())); words > 2*int64(r.plans.exact) {
			common = nil
		} else if err := dist.ChargeWork(r.ctx, words*words); err != nil {
			return err
		}
		if common == nil || len(common.Bits()) > r.plans.exact {
			return r.roundParts(parts)
		}
		g.GCD(nil, nil, common, total)
		common.Mul(common, q.Quo(total, g))
	}
	if len(common.Bits()) > r.plans.exact {
		return r.roundParts(parts)
	}
	return nil
}

// roundParts rounds all dice of a mixture, so that they have one total. Small
// dice stay as they are.
func (r *run) roundParts(parts []mixed) error {
	for i, p := range parts {
		if p.base.Words() == 1 {
			continue
		}
		base, s, err := r.rounded(p.base, p.slip)
		if err != nil {
			return err
		}
		parts[i].base, parts[i].slip = base, s
	}
	return nil
}
