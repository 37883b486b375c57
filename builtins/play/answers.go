package play

import (
	"fmt"
	"math/big"
	"slices"

	"dicescript/builtins/define"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// What a throw may show: each value with its weight.

// An answer to a word.
type answer struct {
	value  starlark.Value
	weight dist.Weight
	faces  bool // the value is a tuple of what is handed out as a list
}

// handed is an answer as the function gets it: faces and cards are a list of its own.
func (a *answer) handed() starlark.Value {
	if !a.faces {
		return a.value
	}
	return starlark.NewList(slices.Clone(a.value.(starlark.Tuple)))
}

// shown is an answer as errors show it.
func (a *answer) shown() fmt.Stringer {
	if !a.faces {
		return a.value
	}
	return faces{a.value}
}

// faces are shown as a list.
type faces struct{ of starlark.Value }

func (f faces) String() string { return starlark.NewList(f.of.(starlark.Tuple)).String() }

// answers are all answers to a word.
type answers struct {
	list  []answer
	bound float64
}

func (a *answers) add(v starlark.Value, w dist.Weight) {
	a.list = append(a.list, answer{value: v, weight: w})
}

func (a *answers) addFaces(v starlark.Tuple, w dist.Weight) {
	a.list = append(a.list, answer{v, w, true})
}

// addInt adds an answer that is never thrown where n is 0.
func (a *answers) addInt(v starlark.Value, n *big.Int) error {
	w, err := dist.NewWeight(n)
	if err == nil && n.Sign() > 0 {
		a.add(v, w)
	}
	return err
}

// one is the weight of answers that are equally likely.
var one, _ = dist.NewWeight(big.NewInt(1))

// thrown returns what a throw of x may show.
func thrown(c define.Call, x starlark.Value) (*answers, error) {
	a := &answers{}
	room := func(n int) error { return c.Meter().Keep(int64(n)) }
	switch x := x.(type) {
	case *value.Roll:
		d := x.Dist()
		a.bound = d.Bound()
		if err := room(d.Len()); err != nil {
			return nil, err
		}
		for face, w := range d.All() {
			if err := a.addInt(starlark.MakeInt(face), w); err != nil {
				return nil, err
			}
		}
	case *value.Pool:
		a.bound = x.Pool().Bound()
		if err := c.Meter().Calls(x.Pool().Multisets()); err != nil {
			return nil, err
		}
		err := dist.Sorted(c.Context(), []*dist.Pool{x.Pool()}, func(faces [][]int, w dist.Weight) error {
			a.addFaces(facesTuple(faces[0]), w)
			return room(1 + len(faces[0]))
		})
		if err != nil {
			return nil, err
		}
	case *value.Outcomes:
		a.bound = x.Bound()
		labels := x.Set().Labels()
		if err := room(len(labels)); err != nil {
			return nil, err
		}
		for at, w := range x.Over().All() {
			if err := a.addInt(labels[at], w); err != nil {
				return nil, err
			}
		}
	case *value.Prob:
		p := x.Exact().Rat
		a.bound = x.Bound()
		if err := a.addInt(starlark.True, p.Num()); err != nil {
			return nil, err
		}
		if err := a.addInt(starlark.False, new(big.Int).Sub(p.Denom(), p.Num())); err != nil {
			return nil, err
		}
	case *value.Multiset:
		a.bound = x.Dist().Bound()
		err := x.Dist().Sorted(c.Context(), func(cards []int, w dist.Weight) error {
			named := make(starlark.Tuple, len(cards))
			for i, card := range cards {
				named[i] = x.Cards().Named(card)
			}
			a.addFaces(named, w)
			return room(1 + len(cards))
		})
		if err != nil {
			return nil, err
		}
	default:
		return nil, notThrown(x)
	}
	return a, nil
}

// facesTuple holds the faces of a pool until they are handed out as a list.
func facesTuple(faces []int) starlark.Tuple {
	values := make(starlark.Tuple, len(faces))
	for i, x := range faces {
		values[i] = starlark.MakeInt(x)
	}
	return values
}

// throwable refuses what cannot be thrown.
func throwable(x starlark.Value) error {
	switch x.(type) {
	case *value.Roll, *value.Pool, *value.Outcomes, *value.Prob, *value.Multiset:
		return nil
	}
	return notThrown(x)
}

// notThrown says what to write in place of a throw of x.
func notThrown(x starlark.Value) error {
	switch x.(type) {
	case *starlark.List:
		return fmt.Errorf("got a list, want a roll, a pool, a hand, Outcomes or a chance: throw(die_faces(list)) throws one element, each equally likely, and draw(list) takes it out as well")
	case starlark.String:
		return fmt.Errorf(`got text, want a roll, a pool, a hand, Outcomes or a chance: notation in text is read by roll("...")`)
	case starlark.NoneType:
		return fmt.Errorf("got None, want a roll, a pool, a hand, Outcomes or a chance; does a function lack its return?")
	}
	return fmt.Errorf("got %s, want a roll, a pool, a hand, Outcomes or a chance", value.Describe(x))
}
