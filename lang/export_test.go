package lang

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"dicescript/builtins"
	"dicescript/lang/throw"
)

// OneByOne makes a host that makes each call of a callback like any other call, for
// comparison.
func OneByOne() Option {
	return func(h *Host) error {
		h.oneByOne = true
		return nil
	}
}

// Foresee is what is read off the text alone, without a trial.
func (p *Program) Foresee(opts ...RunOption) (Usage, bool) { return p.foresee(newRunOptions(opts)) }

// SweepBlocks makes a host whose sweeps run in blocks of so many settings.
func SweepBlocks(n int) Option {
	return func(h *Host) error {
		h.inBlocks = n
		return nil
	}
}

// An Enumerated is what an output came to on all ways that chance can decide.
type Enumerated struct {
	Output  Output
	Weights map[string]*big.Rat
	Rest    *big.Rat // of the ways that were given up
	Ways    int
	Err     error
}

// EnumerateThrows throws each output of a recipe on all ways that chance can decide.
func (p *Program) EnumerateThrows(ctx context.Context, most int, least *big.Rat, opts ...RunOption) ([]Enumerated, error) {
	o := newRunOptions(opts)
	o.thrown = true
	r, _, err := p.begin(ctx, o)
	if err != nil {
		return nil, err
	}
	err = r.protect(func() error {
		if p.foreign != nil {
			return r.runAnyDice(p)
		}
		_, err := r.execute(p.main)
		return err
	})
	if err != nil {
		return nil, r.failure(err)
	}
	var all []Enumerated
	for _, s := range r.throwable() {
		e := Enumerated{Output: r.result.Outputs[s.output], Weights: map[string]*big.Rat{}}
		var outputs []throw.Output
		err := r.protect(func() (err error) {
			e.Rest, err = throw.Enumerate(most, least, func(src throw.Source) (err error) {
				outputs, err = r.throwOnce(src, []shownValue{s})
				return err
			}, func(chance *big.Rat) {
				e.Ways++
				key := fmt.Sprint(outputs[0].Result)
				if e.Weights[key] == nil {
					e.Weights[key] = new(big.Rat)
				}
				e.Weights[key].Add(e.Weights[key], chance)
			})
			return err
		})
		if err != nil {
			e.Err = r.failure(err)
			if errors.Is(err, throw.ErrTooManyWays) {
				e.Err = err
			}
		}
		if plan, ok := s.value.(*builtins.Plan); ok {
			v, err := plan.Payoff(r.thread)
			if err != nil {
				return nil, err
			}
			if e.Output.Data, err = r.data(v); err != nil {
				return nil, err
			}
		}
		all = append(all, e)
	}
	return all, nil
}
