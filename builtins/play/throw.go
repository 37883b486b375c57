package play

import (
	"fmt"
	"math/big"
	"slices"

	"dicescript/builtins/define"
	"dicescript/builtins/throwing"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A real throw of a play: it is told once, with chance deciding what is thrown and the best
// plan what is chosen. Where evidence does not hold it is told anew from the beginning.

// A Told is how a play went.
type Told struct {
	Value  starlark.Value // that the function returned, thrown; None for nothing
	Earned *big.Rat       // on the way
}

// Throw tells the play once. Where it chooses, plan is the best plan.
func (r *Rule) Throw(t *throwing.Thrower, plan *Plan) (*Told, error) {
	w := r.world
	w.call.Thread = t.Thread
	var told *Told
	tell := func() (err error) {
		defer r.Player.Close()
		told, err = w.tell(t, r.Fn, r.Args, plan)
		return err
	}
	if w.fails >= 0 {
		err := t.Given(tell)
		return told, err
	}
	err := tell()
	return told, err
}

// Holds tells the play once, and reports whether all evidence holds.
func (r *Rule) Holds(t *throwing.Thrower) (bool, error) {
	defer r.Player.Close()
	r.world.call.Thread = t.Thread
	_, err := r.world.tell(t, r.Fn, r.Args, nil)
	if err == throwing.ErrFails() {
		return false, nil
	}
	return err == nil, err
}

// tell tells the play once; evidence that does not hold is [throwing.ErrFails].
func (w *world) tell(t *throwing.Thrower, fn starlark.Callable, args []starlark.Value, plan *Plan) (*Told, error) {
	w.from, w.answer = -1, nil
	if err := w.player.Begin(fn, args); err != nil {
		return nil, err
	}
	told := &Told{Earned: new(big.Rat)}
	for {
		paused, err := w.run()
		if err != nil {
			return nil, err
		}
		if !paused {
			told.Value = w.player.Value()
			if _, ok := told.Value.(*value.Prob); !ok || !w.earns && !w.chooses { // a chance pays what it is
				told.Value, err = t.Value(told.Value)
			}
			return told, err
		}
		if err := t.Spend(); err != nil {
			return nil, err
		}
		if err := w.respond(t, told, plan); err != nil {
			if err == throwing.ErrFails() {
				return nil, err
			}
			return nil, w.fail(err)
		}
	}
}

// respond answers the word that the player waits for.
func (w *world) respond(t *throwing.Thrower, told *Told, plan *Plan) error {
	name, n := w.player.Word()
	word := w.word(name)
	x, err := w.operand(word, n)
	if err != nil {
		return err
	}
	switch word {
	case Throw:
		v, err := w.throw(t, x)
		if err != nil {
			return err
		}
		w.player.Answer(v)
		return nil
	case Given:
		holds, err := t.Happens(x)
		if err != nil {
			return err
		}
		if !holds {
			return throwing.ErrFails()
		}
		w.player.Answer(starlark.None)
		return nil
	case Earn:
		if err := told.earn(t, x); err != nil {
			return err
		}
		w.player.Answer(starlark.None)
		return nil
	case Draw:
		list, ok := x.(*starlark.List)
		if !ok || list.Len() == 0 {
			return define.ArgError("list", "got %s, want a list with something in it", value.Describe(x))
		}
		of := list.Len()
		v, err := w.draw(t.Below(of))
		if err != nil {
			return err
		}
		t.Note(&throwing.Throw{What: "draw", Line: w.player.Line(), Value: throwing.Plain(v), Dice: []*throwing.Die{{Sides: of, Face: value.LabelText(v)}}})
		w.player.Answer(v)
		return nil
	}
	return w.decide(t, x, plan)
}

// throw answers throw(x).
func (w *world) throw(t *throwing.Thrower, x starlark.Value) (starlark.Value, error) {
	switch x.(type) {
	case starlark.Int, starlark.Bool:
		return x, nil
	}
	if err := throwable(x); err != nil {
		return nil, err
	}
	thrown, err := t.Value(x)
	if err != nil {
		return nil, err
	}
	switch thrown := thrown.(type) {
	case *value.Pool:
		faces := throwing.FacesOf(thrown)
		slices.Sort(faces)
		return starlark.NewList(facesTuple(faces)), nil
	case *value.Prob:
		return starlark.Bool(thrown.Exact().Rat.Sign() > 0), nil
	case *value.Multiset:
		var cards []starlark.Value
		err := thrown.Dist().Sorted(w.call.Context(), func(sorted []int, _ dist.Weight) error {
			for _, card := range sorted {
				cards = append(cards, thrown.Cards().Named(card))
			}
			return nil
		})
		return starlark.NewList(cards), err
	}
	return throwing.LabelOf(thrown), nil
}

// earn adds what earn(x) earns.
func (told *Told) earn(t *throwing.Thrower, x starlark.Value) error {
	thrown, err := t.Value(x)
	if err != nil {
		return err
	}
	if _, ok := thrown.(*value.Pool); ok {
		thrown = throwing.LabelOf(thrown)
	}
	if roll, ok := thrown.(*value.Roll); ok {
		thrown = starlark.MakeInt(roll.Dist().Min())
	}
	n, _, problem := value.RatOf(thrown)
	if problem != "" {
		return define.ArgError("n", "%s", problem)
	}
	told.Earned.Add(told.Earned, n)
	return nil
}

// decide makes the decision that the plan makes in this state.
func (w *world) decide(t *throwing.Thrower, x starlark.Value, plan *Plan) error {
	options, err := optionsOf(x)
	if err != nil {
		return err
	}
	k := 0
	if len(options) > 1 {
		if plan == nil {
			return fmt.Errorf("internal error: a choice without a plan")
		}
		i, ok := w.states[string(w.player.Key())]
		if !ok {
			return fmt.Errorf("internal error: the play has come to a state that was not found before")
		}
		k = plan.policy.Way(i)
	}
	choice := &throwing.Choice{Chosen: throwing.Plain(options[k])}
	for _, o := range options {
		choice.Options = append(choice.Options, throwing.Plain(o))
	}
	if who, ok := starlark.AsString(orNone(w.player.Argument(1, "who"))); ok {
		choice.Who = who
	}
	t.Note(&throwing.Throw{What: "choose", Line: w.player.Line(), Choice: choice, Value: choice.Chosen})
	w.player.Answer(options[k])
	return nil
}

func orNone(v starlark.Value) starlark.Value {
	if v == nil {
		return starlark.None
	}
	return v
}

// Result is how the play went as a value like result: what the function returned, or, where
// something is earned, all of it together.
func (r *Rule) Result(t *throwing.Thrower, told *Told, result starlark.Value) (starlark.Value, error) {
	if !r.world.earns && !r.world.chooses {
		return t.Like(result, told.Value)
	}
	pays, err := told.Pays()
	if err != nil {
		return nil, err
	}
	if _, ok := result.(*value.Outcomes); ok {
		return t.Like(result, starlark.String(pays.RatString()))
	}
	if !pays.IsInt() || !pays.Num().IsInt64() {
		return nil, fmt.Errorf("internal error: a play has paid %s, want a whole number", pays.RatString())
	}
	return t.Like(result, starlark.MakeInt64(pays.Num().Int64()))
}

// Pays is what was earned, and returned at the end.
func (told *Told) Pays() (*big.Rat, error) {
	pays := new(big.Rat).Set(told.Earned)
	switch v := told.Value.(type) {
	case starlark.NoneType:
		return pays, nil
	case starlark.Bool:
		if v {
			pays.Add(pays, big.NewRat(1, 1))
		}
		return pays, nil
	case *value.Roll, *value.Pool:
		n, _ := value.Int(throwing.LabelOf(v))
		return pays.Add(pays, new(big.Rat).SetInt64(int64(n))), nil
	}
	n, _, problem := value.RatOf(told.Value)
	if problem != "" {
		return nil, fmt.Errorf("%s", problem)
	}
	return pays.Add(pays, n), nil
}
