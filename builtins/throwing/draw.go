package throwing

import (
	"fmt"
	"math/big"

	"dicescript/builtins/runenv"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// What is a single die, or has no dice that could be told apart, is drawn from its
// distribution.

// A table is the outcomes of a distribution with their weights.
type table struct {
	outcomes []int
	weights  []*big.Int
	total    *big.Int
	equal    bool // whether all outcomes have one weight
}

func (t *Thrower) table(d *dist.Dist) (*table, error) {
	if known := t.tables[d]; known != nil {
		return known, nil
	}
	env := runenv.Of(t.Thread)
	if err := env.Pays().List(int64(d.Len())); err != nil {
		return nil, err
	}
	w := &table{total: d.Total(), equal: true}
	for x, weight := range d.All() {
		w.outcomes = append(w.outcomes, x)
		w.weights = append(w.weights, new(big.Int).Set(weight))
		w.equal = w.equal && w.weights[0].Cmp(weight) == 0
	}
	if len(t.tables) < mostTables {
		t.tables[d] = w
	}
	return w, nil
}

// mostTables is how many tables a thrower keeps.
const mostTables = 256

// outcome draws from a distribution.
func (t *Thrower) outcome(d *dist.Dist) (int, error) {
	if err := t.Spend(); err != nil {
		return 0, err
	}
	if d.Len() == 1 {
		return d.Min(), nil
	}
	if isFair(d) {
		return 1 + t.Below(d.Len()), nil
	}
	w, err := t.table(d)
	if err != nil {
		return 0, err
	}
	if w.equal {
		return w.outcomes[t.Below(len(w.outcomes))], nil
	}
	return w.outcomes[t.Pick(w.weights, w.total)], nil
}

// isFair reports whether a die shows 1 to its highest face, each equally likely.
func isFair(d *dist.Dist) bool {
	return d.Min() == 1 && d.Max() == d.Len() && d.Bound() == 0 && d.Total().IsInt64() && d.Total().Int64() == int64(d.Len())
}

// mostSides is how many sides a die has at most that is called one.
const mostSides = 1_000_000

// Die throws a single die that shows what d says, and adds it to what is being thrown.
func (t *Thrower) Die(d *dist.Dist) (*Die, error) {
	n, err := t.outcome(d)
	if err != nil {
		return nil, err
	}
	die := &Die{Value: n}
	if total := d.Total(); d.Bound() == 0 && total.IsInt64() && total.Int64() <= mostSides {
		die.Sides = int(total.Int64())
	}
	t.node.Dice = append(t.node.Dice, die)
	return die, nil
}

// Symbol throws a single die whose faces are labels, and adds it to what is being thrown.
func (t *Thrower) Symbol(o *value.Outcomes) (starlark.Value, error) {
	thrown, err := t.drawLabel(o)
	if err != nil {
		return nil, err
	}
	die := &Die{Face: value.LabelText(LabelOf(thrown))}
	if total := o.Over().Total(); total.IsInt64() && total.Int64() <= mostSides {
		die.Sides = int(total.Int64())
	}
	t.node.Dice = append(t.node.Dice, die)
	return thrown, nil
}

// Draw draws a value from its distribution: the dice of a pool one by one, anything else
// as a whole.
func (t *Thrower) Draw(v starlark.Value) (starlark.Value, error) {
	m := value.MethodsOf(v)
	switch v := v.(type) {
	case *value.Roll:
		if !isFair(v.Dist()) {
			t.node.Drawn = true
			n, err := t.outcome(v.Dist())
			return Roll(m, n), err
		}
		die, err := t.Die(v.Dist())
		if err != nil {
			return nil, err
		}
		return Roll(m, die.Value), nil
	case *value.Pool:
		var faces []int
		var dice [][]*Die
		for d, n := range v.Pool().Blocks() {
			for range n {
				die, err := t.Die(d)
				if err != nil {
					return nil, err
				}
				faces, dice = append(faces, die.Value), append(dice, []*Die{die})
			}
		}
		return t.Pool(m, faces, dice)
	case *value.Prob:
		t.node.Drawn = true
		if err := t.Spend(); err != nil {
			return nil, err
		}
		return Prob(m, t.Chance(v.Exact().Rat)), nil
	case *value.Outcomes:
		t.node.Drawn = true
		return t.drawLabel(v)
	case *value.Multiset:
		return t.drawHand(v)
	}
	return nil, fmt.Errorf("there is nothing to throw: this is %s, want a roll, a chance or outcomes", value.Describe(v))
}

func (t *Thrower) drawLabel(o *value.Outcomes) (starlark.Value, error) {
	if err := t.Spend(); err != nil {
		return nil, err
	}
	var at []int
	var weights []*big.Int
	total := new(big.Int)
	for i, w := range o.Over().All() {
		at, weights = append(at, i), append(weights, new(big.Int).Set(w))
		total.Add(total, w)
	}
	return Label(o, at[t.Pick(weights, total)])
}

// drawHand draws a hand, or kept dice, from all that there can be.
func (t *Thrower) drawHand(m *value.Multiset) (starlark.Value, error) {
	t.node.Drawn = true
	env := runenv.Of(t.Thread)
	var hands [][]int
	var weights []*big.Int
	total := new(big.Int)
	err := m.Dist().Sorted(env.Engine(), func(faces []int, w dist.Weight) error {
		hands = append(hands, append([]int(nil), faces...))
		weights = append(weights, new(big.Int).Set(w.Int()))
		total.Add(total, w.Int())
		return env.Pays().List(int64(1 + len(faces)))
	})
	if err != nil {
		return nil, err
	}
	faces := hands[t.Pick(weights, total)]
	dice := make([]*Die, len(faces))
	for i, face := range faces {
		dice[i] = CardOf(m.Cards(), face)
	}
	t.node.Dice = append(t.node.Dice, dice...)
	return t.Hand(m, faces, dice)
}

// CardOf is a card, or a die that was kept, as it fell.
func CardOf(cards *value.Cards, face int) *Die {
	if cards.AreNumbers() {
		return &Die{Value: face}
	}
	return &Die{Face: value.LabelText(cards.Named(face)), Value: face}
}

// Pool returns dice that show certain faces. dice are those that each face is made of.
func (t *Thrower) Pool(m value.Methods, faces []int, dice [][]*Die) (starlark.Value, error) {
	sure := make([]*dist.Dist, len(faces))
	for i, n := range faces {
		sure[i] = dist.Constant(n)
	}
	p, err := dist.NewPool(sure...)
	if err != nil {
		return nil, err
	}
	pool := value.NewPool(m, p)
	t.faces[pool] = dice
	return pool, nil
}

// Hand returns cards or kept dice that are certain, in the place of m.
func (t *Thrower) Hand(m *value.Multiset, faces []int, dice []*Die) (starlark.Value, error) {
	sure := make([]*dist.Dist, len(faces))
	for i, n := range faces {
		sure[i] = dist.Constant(n)
	}
	p, err := dist.NewPool(sure...)
	if err != nil {
		return nil, err
	}
	hand := value.NewMultiset(value.MethodsOf(m), p.Multiset(), m.Cards())
	t.cards[hand] = dice
	return hand, nil
}

// DiceOf returns the dice of each face of a pool, or of each card of a hand, that was thrown;
// nil where they are not known.
func (t *Thrower) DiceOf(v starlark.Value) [][]*Die {
	switch v := v.(type) {
	case *value.Pool:
		return t.faces[v]
	case *value.Multiset:
		var dice [][]*Die
		for _, d := range t.cards[v] {
			dice = append(dice, []*Die{d})
		}
		return dice
	case *value.Roll:
		return nil
	}
	return nil
}

// FacesOf returns what the dice of a pool show that was thrown, in its order.
func FacesOf(p *value.Pool) []int {
	var faces []int
	for die, n := range p.Pool().Blocks() {
		for range n {
			faces = append(faces, die.Min())
		}
	}
	return faces
}
