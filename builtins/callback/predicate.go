package callback

import (
	"slices"

	"dicescript/builtins/define"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Faces may be named by what they have in common: where a whole number, a list or
// a band says which faces are meant, a function of one face may say it too. It is
// asked once about every face that can show.

// Faces returns argument i as a set of the faces of what the function belongs
// to: of each die of a pool, of the results of a roll.
func Faces(c define.Call, i int) (dist.Set, error) {
	if p, ok := c.Receiver.(*value.Pool); ok {
		var dice []*dist.Dist
		for die := range p.Pool().Blocks() {
			dice = append(dice, die)
		}
		return FacesOf(c, i, dice...)
	}
	d, err := c.Self()
	if err != nil {
		return dist.Nothing, err
	}
	return FacesOf(c, i, d)
}

// FacesOf returns argument i as a set of faces of dice.
func FacesOf(c define.Call, i int, dice ...*dist.Dist) (dist.Set, error) {
	if _, ok := c.Value(i).(starlark.Callable); !ok {
		return c.Set(i)
	}
	cb, err := New(c, i, 1, "a face")
	if err != nil {
		return dist.Nothing, err
	}
	faces, err := possible(c, i, dice)
	if err != nil {
		return dist.Nothing, err
	}
	if err := cb.pay(int64(len(faces))); err != nil {
		return dist.Nothing, err
	}
	matching := faces[:0]
	for _, face := range faces {
		cb.setInt(0, face)
		r, err := cb.ask()
		if err != nil {
			return dist.Nothing, err
		}
		yes, err := cb.yes(r.Starlark())
		if err != nil {
			return dist.Nothing, err
		}
		if yes {
			matching = append(matching, face)
		}
	}
	return dist.Only(matching...), nil
}

// possible returns the faces that any of the dice can show, ascending.
func possible(c define.Call, i int, dice []*dist.Dist) ([]int, error) {
	var faces []int
	for _, d := range dice {
		if d.Bound() > 0 {
			return nil, c.Wrong(i, "an unlimited roll has no last face to ask a function about; name the faces, as in at_least(5), or give the roll a limit")
		}
		if err := c.Meter().List(int64(d.Len())); err != nil {
			return nil, err
		}
		support, err := d.Support(c.Context())
		if err != nil {
			return nil, err
		}
		faces = append(faces, support...)
	}
	slices.Sort(faces)
	return slices.Compact(faces), nil
}
