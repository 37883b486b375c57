package play

import (
	"errors"
	"fmt"
	"math/big"

	"dicescript/builtins/runenv"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// The best plan of a play: at each choice the option that is worth most, when all later
// choices are best too.

// A Plan is a best plan.
type Plan struct {
	w       *world
	process *dist.Process
	policy  *dist.Policy
}

// best finds the best plan.
func (w *world) best(lowest bool) (*Plan, error) {
	if w.reached < len(w.nodes) {
		return nil, w.grows("the play goes on in more and more states, with a choice in it")
	}
	if err := w.noEvidenceAfterChoices(); err != nil {
		return nil, err
	}
	if err := w.condition(); err != nil {
		return nil, err
	}
	if err := w.payRolls(); err != nil {
		return nil, err
	}
	for i := range w.nodes {
		if w.nodes[i].bound > 0 {
			return nil, fmt.Errorf("line %d throws an unlimited roll in a play with a choice, so that values are not certain; give it a limit", w.nodes[i].line)
		}
	}
	p, err := w.process(w.payoff)
	if err != nil {
		return nil, err
	}
	policy, err := p.Best(w.call.Context(), lowest)
	if gain := (*dist.EndlessGainError)(nil); errors.As(err, &gain) {
		return nil, fmt.Errorf("there is no best plan: coming back to line %d again and again earns more each time", w.nodes[gain.State].line)
	}
	if err != nil {
		return nil, err
	}
	return &Plan{w, p, policy}, nil
}

// noEvidenceAfterChoices refuses evidence that may fail after a choice: what is best on
// condition of what one's choices change is another question.
func (w *world) noEvidenceAfterChoices() error {
	if w.fails < 0 {
		return nil
	}
	after := make([]bool, len(w.nodes))
	var todo []int
	visit := func(i int) {
		for _, list := range w.nodes[i].ways {
			for _, e := range list {
				if !after[e.To] {
					after[e.To] = true
					todo = append(todo, e.To)
				}
			}
		}
	}
	for i := range w.nodes {
		if w.nodes[i].choice != nil {
			visit(i)
		}
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		visit(i)
	}
	if after[w.fails] {
		return fmt.Errorf("given: the evidence of line %d may fail after a choice; put it before the choice", w.failed)
	}
	return nil
}

// Value returns the mean payoff of the plan, and how far it may be off.
func (p *Plan) Value() (*big.Rat, float64) { return p.policy.Value(0), p.policy.Bound(0) }

// Payoff returns the distribution of the payoff under the plan.
func (p *Plan) Payoff() (starlark.Value, error) {
	paid, err := p.process.Payoff(p.w.call.Context(), p.policy)
	if err != nil {
		return nil, err
	}
	return Paid(p.w.call, paid, true)
}

// A Decision is a choice of a plan.
type Decision struct {
	Line      int
	Variables []runenv.Variable // that are read after it
	Move      starlark.Value
	Value     *big.Rat // of the best option
	Options   []Option // all of them
}

// An Option is what may be chosen, and what it is worth.
type Option struct {
	Move  starlark.Value
	Value *big.Rat
}

// Decisions returns the choices of the plan, in the order in which they were found.
func (p *Plan) Decisions() []Decision {
	var all []Decision
	for i := range p.w.nodes {
		n := &p.w.nodes[i]
		if n.choice == nil || len(n.ways) == 0 {
			continue
		}
		d := Decision{Line: n.line, Variables: n.choice.variables, Move: n.choice.options[p.policy.Way(i)], Value: p.policy.Value(i)}
		for k, move := range n.choice.options {
			d.Options = append(d.Options, Option{move, p.worth(n.ways[k])})
		}
		all = append(all, d)
	}
	return all
}

// worth is the value of a way.
func (p *Plan) worth(list []dist.Edge) *big.Rat {
	sum, total := new(big.Rat), new(big.Int)
	for _, e := range list {
		v := new(big.Rat).Set(p.policy.Value(e.To))
		if e.Earn != nil {
			v.Add(v, e.Earn)
		}
		n := e.Weight.Int()
		total.Add(total, n)
		sum.Add(sum, v.Mul(v, new(big.Rat).SetInt(n)))
	}
	return sum.Quo(sum, new(big.Rat).SetInt(total))
}

// Held is the memory of a plan.
func (p *Plan) Held() (bytes int64, inside []starlark.Value) {
	for i := range p.w.nodes {
		n := &p.w.nodes[i]
		bytes += bytesOfState
		if n.choice == nil {
			continue
		}
		inside = append(inside, n.choice.options...)
		for _, v := range n.choice.variables {
			inside = append(inside, v.Value)
		}
	}
	return bytes, inside
}

// asLabel is a value as it is now, as a label: what can't be one is its text.
func asLabel(v starlark.Value) starlark.Value {
	switch v := v.(type) {
	case starlark.Int, starlark.String:
		return v
	case starlark.Tuple:
		items := make(starlark.Tuple, len(v))
		for i, x := range v {
			items[i] = asLabel(x)
		}
		return items
	}
	return starlark.String(v.String())
}
