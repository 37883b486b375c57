package throwing

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"dicescript/builtins/internal/exact"
	"dicescript/builtins/runenv"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A value is thrown by its derivation, which throws what it was made of.

// A Thrower throws values in one run.
type Thrower struct {
	Thread *starlark.Thread // of the run

	src    Source
	node   *Throw                     // that is being thrown
	faces  map[*value.Pool][][]*Die   // of pools that were thrown: which dice make each face
	cards  map[*value.Multiset][]*Die // of hands and kept dice that were thrown
	dealt  map[*Deal][]starlark.Value // hands that were dealt together
	tables map[*dist.Dist]*table
	rolls  int
}

// New returns a thrower in the run of a thread.
func New(thread *starlark.Thread, src Source) *Thrower {
	return &Thrower{
		Thread: thread, src: src, node: &Throw{},
		faces: map[*value.Pool][][]*Die{}, cards: map[*value.Multiset][]*Die{}, tables: map[*dist.Dist]*table{},
	}
}

// mostRolls ends what would go on for longer than anybody waits.
const mostRolls = 1_000_000

// Errors of throws.
var (
	ErrLong       = errors.New("the dice were thrown again and again without an end")
	errImpossible = errors.New("the evidence is impossible: there is no throw in which it holds")
)

// Spend counts a roll of one die.
func (t *Thrower) Spend() error {
	if t.rolls++; t.rolls > mostRolls {
		return ErrLong
	}
	if t.rolls%256 == 0 {
		return runenv.Of(t.Thread).Engine().Err()
	}
	return nil
}

// Once throws a value of dice once, and returns what was thrown. A value that is certain
// is not thrown. The line is that of what has no place of its own.
func (t *Thrower) Once(v starlark.Value, line int) (result starlark.Value, throws []*Throw, err error) {
	t.rolls, t.node, t.dealt = 0, &Throw{Line: line}, nil
	clear(t.faces)
	clear(t.cards)
	root := t.node
	result, err = t.Value(v)
	return result, root.Throws, err
}

// Whole throws something that is no value of dice, such as a plan, and returns what was thrown
// for it.
func (t *Thrower) Whole(throw func() error) ([]*Throw, error) {
	t.rolls, t.node, t.dealt = 0, &Throw{}, nil
	root := t.node
	err := throw()
	return root.Throws, err
}

// Value throws a value of dice: what comes back is a value of the same type that is certain,
// or v itself where it has no dice in it.
func (t *Thrower) Value(v starlark.Value) (starlark.Value, error) {
	if !Throwable(v) || IsCertain(v) {
		return v, nil
	}
	if d, ok := value.DerivationOf(v).(*handOf); ok {
		return t.hand(d)
	}
	from, _ := value.DerivationOf(v).(*Derivation)
	outer := t.node
	t.node = &Throw{What: TextOf(v), File: outer.File, Line: outer.Line, Column: outer.Column}
	if from != nil && from.Line > 0 {
		t.node.File, t.node.Line, t.node.Column = from.File, from.Line, from.Column
	}
	if from != nil {
		t.node.Op = from.Op
	}
	outer.Throws = append(outer.Throws, t.node)
	defer func() { t.node = outer }()
	result, err := t.thrown(from, v)
	if err != nil {
		return nil, err
	}
	t.node.Value = Plain(result)
	if pool, ok := result.(*value.Pool); ok {
		total := 0
		for _, n := range FacesOf(pool) {
			total += n
		}
		t.node.Total = &total
	}
	return result, nil
}

func (t *Thrower) thrown(from *Derivation, v starlark.Value) (starlark.Value, error) {
	if from == nil || from.Throw == nil {
		return t.Draw(v)
	}
	return from.Throw(t)
}

// Within throws something as a throw of its own inside of what is being thrown; throw
// returns its value.
func (t *Thrower) Within(what, op string, throw func() (any, error)) error {
	outer := t.node
	t.node = &Throw{What: what, Op: op, File: outer.File, Line: outer.Line, Column: outer.Column}
	outer.Throws = append(outer.Throws, t.node)
	defer func() { t.node = outer }()
	v, err := throw()
	t.node.Value = v
	return err
}

// Values throws several values, hands of one deal together.
func (t *Thrower) Values(list []starlark.Value) ([]starlark.Value, error) {
	outer := t.dealt
	t.dealt = map[*Deal][]starlark.Value{}
	defer func() { t.dealt = outer }()
	thrown := make([]starlark.Value, len(list))
	for i, v := range list {
		var err error
		if thrown[i], err = t.operand(v); err != nil {
			return nil, err
		}
	}
	return thrown, nil
}

// operand throws what a builtin was given: a value, or the values in a list.
func (t *Thrower) operand(v starlark.Value) (starlark.Value, error) {
	switch list := v.(type) {
	case *starlark.List, starlark.Tuple:
		items, _ := value.Elements(list)
		any := false
		for _, x := range items {
			any = any || Throwable(x) && !IsCertain(x)
		}
		if !any {
			return v, nil
		}
		thrown := make([]starlark.Value, len(items))
		for i, x := range items {
			var err error
			if thrown[i], err = t.Value(x); err != nil {
				return nil, err
			}
		}
		if _, ok := v.(starlark.Tuple); ok {
			return starlark.Tuple(thrown), nil
		}
		return starlark.NewList(thrown), nil
	}
	return t.Value(v)
}

// Throwable reports whether a value has dice in it.
func Throwable(v starlark.Value) bool {
	switch v.(type) {
	case *value.Roll, *value.Pool, *value.Prob, *value.Outcomes, *value.Multiset:
		return true
	}
	return false
}

// IsCertain reports whether there is nothing to throw for a value.
func IsCertain(v starlark.Value) bool {
	switch v := v.(type) {
	case *value.Roll:
		return v.Dist().Len() == 1 && v.Dist().Bound() == 0
	case *value.Prob:
		p := v.Exact()
		return p.Bound == 0 && p.Rat.IsInt()
	case *value.Pool:
		for die := range v.Pool().Kinds() {
			if die.Len() > 1 || die.Bound() > 0 {
				return false
			}
		}
		return v.Pool().Bound() == 0
	case *value.Outcomes:
		_, ok := onlyLabel(v)
		return ok
	}
	return false
}

// onlyLabel returns the position of the one label that can happen.
func onlyLabel(o *value.Outcomes) (at int, ok bool) {
	if o.Bound() > 0 {
		return 0, false
	}
	n := 0
	for i, w := range o.Over().All() {
		if w.Sign() > 0 {
			at = i
			n++
		}
	}
	return at, n == 1
}

// Total throws a roll, a pool for its total, or Outcomes of numbers, and returns the whole
// number; a whole number is itself.
func (t *Thrower) Total(v starlark.Value) (int, error) {
	thrown, err := t.Value(v)
	if err != nil {
		return 0, err
	}
	return t.Number(thrown)
}

// Number is the whole number that a thrown value stands for.
func (t *Thrower) Number(thrown starlark.Value) (int, error) {
	if o, ok := thrown.(*value.Outcomes); ok {
		if at, ok := onlyLabel(o); ok {
			thrown = o.Set().Label(at)
		}
	}
	d, ok, err := value.AsRoll(t.Thread, thrown)
	if err != nil {
		return 0, err
	}
	if !ok || d.Len() != 1 {
		return 0, fmt.Errorf("internal error: %s is no number that was thrown", value.Describe(thrown))
	}
	return d.Min(), nil
}

// Happens throws a chance.
func (t *Thrower) Happens(v starlark.Value) (bool, error) {
	if yes, ok := v.(starlark.Bool); ok {
		return bool(yes), nil
	}
	thrown, err := t.Value(v)
	if err != nil {
		return false, err
	}
	r, _, problem := value.RatOf(thrown)
	if problem != "" {
		return false, errors.New(problem)
	}
	if !r.IsInt() {
		return t.Chance(r), nil
	}
	return r.Sign() > 0, nil
}

// Chance reports whether something happens that has a chance.
func (t *Thrower) Chance(p *big.Rat) bool {
	no := new(big.Int).Sub(p.Denom(), p.Num())
	return t.Pick([]*big.Int{p.Num(), no}, p.Denom()) == 0
}

// Pick decides between weights.
func (t *Thrower) Pick(weights []*big.Int, total *big.Int) int { return t.src.Pick(weights, total) }

// Below decides for a number from 0 to n-1.
func (t *Thrower) Below(n int) int { return int(t.src.Below(uint64(n))) }

// Given throws on condition: try returns [ErrFails] where the condition does not hold, and
// then what was thrown does not count.
func (t *Thrower) Given(try func() error) error {
	node, throws, dice := t.node, len(t.node.Throws), len(t.node.Dice)
	again := func() error {
		node.Throws, node.Dice = node.Throws[:throws], node.Dice[:dice]
		return try()
	}
	if c, ok := t.src.(conditioner); ok {
		outer := t.src
		defer func() { t.src = outer }()
		return c.given(func(src Source) error {
			t.src = src
			return again()
		})
	}
	for {
		err := again()
		if !errors.Is(err, errFails) {
			return err
		}
		if err := t.Spend(); err != nil {
			return fmt.Errorf("%w: the evidence is very unlikely", err)
		}
	}
}

// ErrFails is the error of evidence that does not hold.
func ErrFails() error { return errFails }

// Roll is a roll that is certain.
func Roll(m value.Methods, n int) starlark.Value { return value.NewRoll(m, dist.Constant(n)) }

// Prob is a chance that is certain.
func Prob(m value.Methods, yes bool) starlark.Value {
	return value.NewProb(m, exact.New(exact.Indicator(yes), 0))
}

// Label is Outcomes whose label at a position is certain.
func Label(o *value.Outcomes, at int) (starlark.Value, error) {
	weights := make([]*big.Int, len(o.Set().Labels()))
	for i := range weights {
		weights[i] = new(big.Int)
	}
	weights[at].SetInt64(1)
	over, err := dist.NewOutcomes(context.Background(), o.Set().Positions(), weights, 0)
	if err != nil {
		return nil, err
	}
	return value.NewOutcomes(value.MethodsOf(o), o.Set(), over), nil
}

// Plain is a thrown value as plain data: a number, a label, a list, or whether it happened.
func Plain(v starlark.Value) any {
	switch v := v.(type) {
	case *value.Roll:
		return v.Dist().Min()
	case *value.Prob:
		return v.Exact().Rat.Sign() > 0
	case *value.Pool:
		faces := []any{}
		for die, n := range v.Pool().Blocks() {
			for range n {
				faces = append(faces, die.Min())
			}
		}
		return faces
	case *value.Outcomes:
		if at, ok := onlyLabel(v); ok {
			return Plain(v.Set().Label(at))
		}
	case *value.Multiset:
		faces := []any{}
		v.Dist().Sorted(context.Background(), func(sorted []int, _ dist.Weight) error {
			for _, face := range sorted {
				faces = append(faces, Plain(v.Cards().Named(face)))
			}
			return nil
		})
		return faces
	case *value.Number:
		return v.Exact().Rat.RatString()
	case starlark.Int:
		if n, ok := value.Int(v); ok {
			return n
		}
	case starlark.Bool:
		return bool(v)
	case starlark.String:
		return string(v)
	case starlark.NoneType:
		return nil
	case starlark.Tuple, *starlark.List:
		items, _ := value.Elements(v)
		list := make([]any, len(items))
		for i, x := range items {
			list[i] = Plain(x)
		}
		return list
	}
	return v.String()
}

// Note adds something to what is being thrown.
func (t *Thrower) Note(throw *Throw) { t.node.Throws = append(t.node.Throws, throw) }

// Part throws a value as part of what is being thrown: single dice are shown with it, and
// anything else as a throw of its own. dice are those of which it is made.
func (t *Thrower) Part(v starlark.Value) (thrown starlark.Value, dice []*Die, err error) {
	before := len(t.node.Throws)
	if thrown, err = t.Value(v); err != nil {
		return nil, nil, err
	}
	for _, child := range t.node.Throws[before:] {
		dice = append(dice, leaves(child)...)
	}
	if len(t.node.Throws) == before+1 {
		if child := t.node.Throws[before]; len(child.Throws) == 0 && len(child.Dice) > 0 {
			t.node.Throws = t.node.Throws[:before]
			t.Add(child.Dice)
		}
	}
	return thrown, dice, nil
}

// Add adds dice to what is being thrown, whose places are those among themselves.
func (t *Thrower) Add(dice []*Die) {
	first := len(t.node.Dice)
	for _, d := range dice {
		if d.Exploded > 0 {
			d.Exploded += first
		}
		if d.Rerolled > 0 {
			d.Rerolled += first
		}
	}
	t.node.Dice = append(t.node.Dice, dice...)
}

// Place is the place from 1 of the die that was thrown last.
func (t *Thrower) Place() int { return len(t.node.Dice) }

// leaves are all dice of a throw.
func leaves(t *Throw) []*Die {
	dice := t.Dice
	for _, child := range t.Throws {
		dice = append(dice[:len(dice):len(dice)], leaves(child)...)
	}
	return dice
}

// Mark marks dice as kept or dropped. Those that were rerolled have gone before.
func Mark(dice []*Die, kept bool) {
	for _, d := range dice {
		d.Kept, d.Dropped = kept && !d.Dropped, d.Dropped || !kept
	}
}

// Answer throws what a function returned, as a value like result: a roll, Outcomes or a
// chance.
func (t *Thrower) Answer(result, answer starlark.Value) (starlark.Value, error) {
	thrown, err := t.Value(answer)
	if err != nil {
		return nil, err
	}
	return t.Like(result, thrown)
}

// Like returns what was thrown as a value like result.
func (t *Thrower) Like(result, thrown starlark.Value) (starlark.Value, error) {
	m := value.MethodsOf(result)
	switch result := result.(type) {
	case *value.Roll:
		n, err := t.Number(thrown)
		return Roll(m, n), err
	case *value.Prob:
		yes, err := t.Happens(thrown)
		return Prob(m, yes), err
	case *value.Outcomes:
		label := LabelOf(thrown)
		at, ok := result.Set().Find(label)
		if !ok {
			return nil, fmt.Errorf("internal error: the label %s was thrown, which is none of %s", value.Describe(label), result.Set().ShortList())
		}
		return Label(result, at)
	}
	return thrown, nil
}

// LabelOf is what a thrown value is as a label or as a state: of a roll its number, of
// Outcomes their label.
func LabelOf(thrown starlark.Value) starlark.Value {
	switch x := thrown.(type) {
	case *value.Outcomes:
		if at, ok := onlyLabel(x); ok {
			return x.Set().Label(at)
		}
	case *value.Roll:
		return starlark.MakeInt(x.Dist().Min())
	case *value.Pool:
		sum := 0
		for _, n := range FacesOf(x) {
			sum += n
		}
		return starlark.MakeInt(sum)
	}
	return thrown
}

// Weights decides between parts by weights that are fractions.
type Weights struct {
	list []*big.Rat
}

// Add adds a part.
func (w *Weights) Add(weight *big.Rat) { w.list = append(w.list, weight) }

// Pick returns a part.
func (w *Weights) Pick(t *Thrower) int {
	common := big.NewInt(1)
	for _, p := range w.list {
		gcd := new(big.Int).GCD(nil, nil, common, p.Denom())
		common.Mul(common, new(big.Int).Quo(p.Denom(), gcd))
	}
	weights, total := make([]*big.Int, len(w.list)), new(big.Int)
	for i, p := range w.list {
		n := new(big.Int).Quo(common, p.Denom())
		weights[i] = n.Mul(n, p.Num())
		total.Add(total, weights[i])
	}
	return t.Pick(weights, total)
}

// Joined throws values as the dice of one pool.
func Joined(t *Thrower, m value.Methods, list []starlark.Value) (starlark.Value, error) {
	var faces []int
	var dice [][]*Die
	for _, v := range list {
		thrown, made, err := t.Part(v)
		if err != nil {
			return nil, err
		}
		if pool, ok := thrown.(*value.Pool); ok {
			own := t.DiceOf(pool)
			for i, n := range FacesOf(pool) {
				faces = append(faces, n)
				if own == nil {
					dice = append(dice, nil)
					continue
				}
				dice = append(dice, own[i])
			}
			continue
		}
		n, err := t.Number(thrown)
		if err != nil {
			return nil, err
		}
		faces, dice = append(faces, n), append(dice, made)
	}
	return t.Pool(m, faces, dice)
}
