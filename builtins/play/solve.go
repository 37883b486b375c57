package play

import (
	"errors"
	"fmt"
	"math/big"

	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/builtins/internal/exact"
	"dicescript/builtins/internal/intern"
	"dicescript/builtins/runenv"
	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/dist/upper"

	"go.starlark.net/starlark"
)

// What a play comes to: how likely each of its ends is, on condition that all evidence
// holds, or, where something is earned or chosen, what it pays.

// A Rule is a function to be played.
type Rule struct {
	Call   define.Call
	Player runenv.Player
	Word   func(starlark.Value) Word
	Fn     starlark.Callable
	Args   []starlark.Value
	Scale  *value.Scale // for labels; nil for any
	Lowest bool         // whether choices want the lowest payoff

	world *world // once it has been explored
}

// explored explores the play of a rule.
func (r *Rule) explored() (*world, error) {
	defer r.Player.Close()
	w, err := explore(r.Call, r.Player, r.Word, r.Fn, r.Args)
	if err != nil {
		return nil, err
	}
	r.world = w
	if w.plain, err = w.process(nil); err != nil {
		return nil, err
	}
	if i, err := w.plain.Unending(r.Call.Context()); err != nil || i >= 0 {
		if err == nil {
			err = fmt.Errorf("the play may go on for ever: from line %d there is a way that never comes to an end", w.lineOf(i))
		}
		return nil, err
	}
	return w, nil
}

// lineOf is the line at which the play waits in a state; at its beginning it does so in the
// one that follows.
func (w *world) lineOf(i int) int {
	if i == 0 && len(w.nodes[0].ways) > 0 {
		i = w.nodes[0].ways[0][0].To
	}
	return w.nodes[i].line
}

// Play returns what the rule comes to. Where it chooses, plan is the best plan and the
// value is nil.
func (r *Rule) Play() (v starlark.Value, plan *Plan, err error) {
	w, err := r.explored()
	switch {
	case err != nil:
		return nil, nil, err
	case w.chooses:
		plan, err = w.best(r.Lowest)
		return nil, plan, err
	case w.earns:
		v, err = w.earned()
		return v, nil, err
	}
	v, err = w.distribution(r.Scale)
	return v, nil, err
}

// Evidence returns the chance that all evidence of the play holds.
func (r *Rule) Evidence() (starlark.Value, error) {
	w, err := r.explored()
	if err != nil {
		return nil, err
	}
	if w.chooses {
		return nil, errors.New("the chance of evidence depends on what is chosen in this play")
	}
	goes, err := w.endsAt()
	if err != nil {
		return nil, err
	}
	return value.NewProb(r.Call.Methods(), exact.New(w.holds(goes), upper.Add(goes.Bound(), w.leftOver(goes)))), nil
}

// process returns the play as a process. Where it was cut off it ends.
func (w *world) process(payoff func(i int) (*big.Rat, error)) (*dist.Process, error) {
	p := new(dist.Process)
	for range w.nodes {
		p.State()
	}
	for i := range w.nodes {
		n := &w.nodes[i]
		if len(n.ways) == 0 {
			var pays *big.Rat
			if n.ends && payoff != nil {
				var err error
				if pays, err = payoff(i); err != nil {
					return nil, err
				}
			}
			p.End(i, pays)
			continue
		}
		if n.choice != nil && n.choice.against {
			p.Against(i)
		}
		for _, list := range n.ways {
			if err := p.Way(w.call.Context(), i, list, n.bound); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

// endsAt returns how likely the play ends where.
func (w *world) endsAt() (*dist.Settled[int], error) {
	p, err := w.plain, error(nil)
	if p == nil {
		if p, err = w.process(nil); err != nil {
			return nil, err
		}
	}
	return p.Ends(w.call.Context(), nil)
}

// holds is the chance that all evidence holds.
func (w *world) holds(goes *dist.Settled[int]) *big.Rat {
	if w.fails < 0 {
		return big.NewRat(1, 1)
	}
	p, _ := goes.P(w.fails)
	if p == nil {
		p = new(big.Rat)
	}
	return new(big.Rat).Sub(exact.One, p)
}

// leftOver bounds the chance to come to where the play was cut off.
func (w *world) leftOver(goes *dist.Settled[int]) float64 {
	left := 0.0
	for i := w.reached; i < len(w.nodes); i++ {
		if w.nodes[i].ends {
			continue
		}
		if p, ok := goes.P(i); ok {
			left = upper.Add(left, upper.Abs(p))
		}
	}
	return left
}

var errImpossible = errors.New("the evidence is impossible: on every way through the play a given does not hold")

// distribution returns what is returned, on condition of the evidence.
func (w *world) distribution(scale *value.Scale) (starlark.Value, error) {
	goes, err := w.endsAt()
	if err != nil {
		return nil, err
	}
	holds := w.holds(goes)
	if holds.Sign() == 0 {
		return nil, errImpossible
	}
	bound := upper.Add(goes.Bound(), w.leftOver(goes))
	if w.fails >= 0 && bound > 0 {
		if upper.AbsDown(holds) <= 1024*bound {
			return nil, errors.New("the chance that the evidence holds is not safely above the error of this play; give its dice a limit")
		}
		bound = upper.Div(bound, upper.AbsDown(holds))
	}
	all := callback.Answers{Bound: bound}
	rest := new(big.Int) // of ways that were cut off
	for i, n := range goes.All() {
		if i >= w.reached && !w.nodes[i].ends {
			rest.Add(rest, n)
		}
		v := w.nodes[i].value
		if v == nil || n.Sign() == 0 {
			continue
		}
		if v == starlark.None {
			return nil, w.nothing(i)
		}
		all.Values = append(all.Values, v)
		all.Weights = append(all.Weights, new(big.Int).Set(n))
		all.Places = append(all.Places, fmt.Sprintf("line %d", w.nodes[i].line))
	}
	if last := len(all.Weights) - 1; last >= 0 {
		// As with unlimited dice, where the play is cut it ends with the last answer that
		// was found, so that the chances of all others are their own.
		all.Weights[last].Add(all.Weights[last], rest)
	}
	return callback.Together(w.call, "fn", all, scale)
}

func (w *world) nothing(i int) error {
	return fmt.Errorf("fn: returned nothing at line %d; every way through the function must end in a return with a value", w.nodes[i].line)
}

// earned returns what is earned on the way and returned at the end.
func (w *world) earned() (starlark.Value, error) {
	if err := w.condition(); err != nil {
		return nil, err
	}
	if err := w.payRolls(); err != nil {
		return nil, err
	}
	p, err := w.process(w.payoff)
	if err != nil {
		return nil, err
	}
	paid, err := p.Payoff(w.call.Context(), nil)
	if err != nil {
		return nil, err
	}
	return Paid(w.call, paid, true)
}

// Paid returns a payoff: a roll, or Outcomes of numbers where it is not always whole, or not
// certain to be.
func Paid(c define.Call, paid *dist.Payoff, certain bool) (starlark.Value, error) {
	if certain {
		if d, whole, err := paid.Dist(c.Context()); whole || err != nil {
			return c.Rolled(d, err)
		}
	}
	in := &intern.Table{}
	over, err := dist.Relabel(c.Context(), paid.Chances, func(i int) (int, error) {
		return in.Index(starlark.String(paid.Values[i].RatString()))
	})
	return c.Unscaled(in, over, err)
}

// payoff is what an end pays.
func (w *world) payoff(i int) (*big.Rat, error) {
	n := &w.nodes[i]
	switch v := n.value.(type) {
	case nil:
		return nil, nil
	case starlark.NoneType:
		if w.earns {
			return nil, nil
		}
		return nil, w.nothing(i)
	case starlark.Bool:
		if v {
			return big.NewRat(1, 1), nil
		}
		return nil, nil
	case starlark.Int, *value.Number, *value.Prob:
		r, bound, problem := value.RatOf(v)
		if problem == "" && bound == 0 {
			return r, nil
		}
	case *value.Roll, *value.Pool:
		return nil, nil // parted before, see payRolls
	}
	return nil, fmt.Errorf("fn: returned %s at line %d, want a payoff where something is chosen or earned: a whole number, a Number or a roll, or always a truth value or a chance", value.Describe(n.value), n.line)
}

// payRolls makes ends that return a roll pay each of its outcomes with its chance.
func (w *world) payRolls() error {
	numbers, chances := -1, -1
	for i := range w.nodes {
		n := &w.nodes[i]
		switch n.value.(type) {
		case starlark.Bool, *value.Prob:
			chances = i
		case starlark.Int, *value.Number:
			numbers = i
		case *value.Roll, *value.Pool:
			numbers = i
			d, _, err := value.AsRoll(w.call.Thread, n.value)
			if err != nil {
				return err
			}
			end := len(w.nodes)
			w.nodes = append(w.nodes, node{ends: true, from: i})
			if err := w.lead(i, []path{{to: end, roll: d}}, []dist.Weight{one}); err != nil {
				return err
			}
		}
	}
	if chances >= 0 && (numbers >= 0 || w.earns) {
		return fmt.Errorf("fn: returned %s at line %d, want a number: payoffs are numbers and rolls, or truth values and chances alone", value.Describe(w.nodes[chances].value), w.nodes[chances].line)
	}
	return nil
}

// condition makes the play one in which all evidence holds: a way is taken in proportion
// to its chance times the chance h that evidence holds from there on,
//
//	P(s -> t | evidence) = P(s -> t) h(t) / h(s)
//
// (Doob's h-transform; Rogers and Williams, "Diffusions, Markov Processes and
// Martingales", III.45).
func (w *world) condition() error {
	if w.fails < 0 {
		return nil
	}
	p, err := w.withoutEarning().process(func(i int) (*big.Rat, error) {
		if i == w.fails {
			return nil, nil
		}
		return big.NewRat(1, 1), nil
	})
	if err != nil {
		return err
	}
	holds, err := p.Best(w.call.Context(), false)
	if err != nil {
		return err
	}
	if holds.Value(0).Sign() == 0 {
		return errImpossible
	}
	for i := range w.nodes {
		if holds.Bound(i) > 0 {
			return errors.New("the chances of this evidence are too long to be exact beside what is earned or chosen")
		}
	}
	for i := range w.nodes {
		for k, list := range w.nodes[i].ways {
			if w.nodes[i].ways[k], err = w.weighed(list, holds); err != nil {
				return err
			}
		}
		if holds.Value(i).Sign() == 0 {
			w.nodes[i].ways = nil // nothing leads here
		}
	}
	return nil
}

// withoutEarning returns the same play, in which nothing is earned on the way.
func (w *world) withoutEarning() *world {
	plain := &world{call: w.call, nodes: make([]node, len(w.nodes)), fails: w.fails}
	for i, n := range w.nodes {
		ways := make([][]dist.Edge, len(n.ways))
		for k, list := range n.ways {
			ways[k] = make([]dist.Edge, len(list))
			for j, e := range list {
				ways[k][j] = dist.Edge{To: e.To, Weight: e.Weight}
			}
		}
		n.ways = ways
		plain.nodes[i] = n
	}
	return plain
}

// weighed returns edges weighed by the values that they lead to.
func (w *world) weighed(list []dist.Edge, by *dist.Policy) ([]dist.Edge, error) {
	common := big.NewInt(1)
	for _, e := range list {
		var err error
		if common, err = w.lcm(common, by.Value(e.To).Denom()); err != nil {
			return nil, err
		}
	}
	var out []dist.Edge
	for _, e := range list {
		h := by.Value(e.To)
		if h.Sign() == 0 {
			continue
		}
		n := new(big.Int).Quo(common, h.Denom())
		n.Mul(n, h.Num())
		weight, err := dist.NewWeight(n.Mul(n, e.Weight.Int()))
		if err != nil {
			return nil, err
		}
		out = append(out, dist.Edge{To: e.To, Weight: weight, Earn: e.Earn})
	}
	return out, nil
}
