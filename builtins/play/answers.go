package play

import (
	"fmt"
	"math/big"

	"dicescript/builtins/define"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// What a throw may show: each value with its weight.

// An answer to a word.
type answer struct {
	value  starlark.Value
	weight *big.Int
}

// answers are all answers to a word.
type answers struct {
	list  []answer
	total *big.Int
	bound float64
}

func (a *answers) add(v starlark.Value, w *big.Int) {
	a.list = append(a.list, answer{v, w})
	a.total.Add(a.total, w)
}

// thrown returns what a throw of x may show.
func thrown(c define.Call, x starlark.Value) (*answers, error) {
	a := &answers{total: new(big.Int)}
	room := func(n int) error { return c.Meter().Keep(int64(n)) }
	switch x := x.(type) {
	case *value.Roll:
		d := x.Dist()
		a.bound = d.Bound()
		if err := room(d.Len()); err != nil {
			return nil, err
		}
		for face, w := range d.All() {
			a.add(starlark.MakeInt(face), new(big.Int).Set(w))
		}
	case *value.Pool:
		a.bound = x.Pool().Bound()
		if err := c.Meter().Calls(x.Pool().Multisets()); err != nil {
			return nil, err
		}
		err := dist.Sorted(c.Context(), []*dist.Pool{x.Pool()}, func(faces [][]int, w dist.Weight) error {
			a.add(facesTuple(faces[0]), new(big.Int).Set(w.Int()))
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
			if w.Sign() > 0 {
				a.add(labels[at], new(big.Int).Set(w))
			}
		}
	case *value.Prob:
		p := x.Exact().Rat
		a.bound = x.Bound()
		if p.Sign() > 0 {
			a.add(starlark.True, new(big.Int).Set(p.Num()))
		}
		if no := new(big.Int).Sub(p.Denom(), p.Num()); no.Sign() > 0 {
			a.add(starlark.False, no)
		}
	case *value.Multiset:
		a.bound = x.Dist().Bound()
		err := x.Dist().Sorted(c.Context(), func(cards []int, w dist.Weight) error {
			named := make(starlark.Tuple, len(cards))
			for i, card := range cards {
				named[i] = x.Cards().Named(card)
			}
			a.add(named, new(big.Int).Set(w.Int()))
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

// handed is an answer as the function gets it: faces and cards are a list of its own.
func handed(operand, v starlark.Value) starlark.Value {
	switch operand.(type) {
	case *value.Pool, *value.Multiset:
		return starlark.NewList(append([]starlark.Value(nil), v.(starlark.Tuple)...))
	}
	return v
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
