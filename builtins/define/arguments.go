package define

import (
	"math/big"

	"dicescript/builtins/internal/exact"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Conversions turn Starlark values into what the engine works with, and say in
// the words of a recipe what they got when they can't.

// Int returns argument i as a whole number.
func (c Call) Int(i int) (int, error) {
	if n, ok := c.Value(i).(starlark.Int); ok {
		if x, ok := n.Int64(); ok {
			return int(x), nil
		}
	}
	return 0, c.notInt(i)
}

// IntOr returns argument i as a whole number, or what it is when left out.
func (c Call) IntOr(i, otherwise int) (int, error) {
	if c.Value(i) == nil {
		return otherwise, nil
	}
	return c.Int(i)
}

// AtLeast returns argument i as a whole number of at least low, or what it is
// when left out.
func (c Call) AtLeast(i, low, otherwise int) (int, error) {
	n, err := c.IntOr(i, otherwise)
	if err == nil && n < low {
		return 0, c.Wrong(i, "got %d, want at least %d", n, low)
	}
	return n, err
}

func (c Call) notInt(i int) error { return ArgError(c.Param(i), "%s", value.NotInt(c.Value(i))) }

// Text returns argument i as text.
func (c Call) Text(i int) (string, error) {
	if s, ok := c.Value(i).(starlark.String); ok {
		return string(s), nil
	}
	return "", c.Want(i, `text in quotes, like "Hit"`)
}

// TextOr returns argument i as text, or what it is when left out.
func (c Call) TextOr(i int, otherwise string) (string, error) {
	if c.Value(i) == nil {
		return otherwise, nil
	}
	if err := c.Meter().Name(c.Value(i)); err != nil {
		return "", c.Label(i, err)
	}
	return c.Text(i)
}

// Function returns argument i as something to call.
func (c Call) Function(i int) (starlark.Callable, error) {
	if f, ok := c.Value(i).(starlark.Callable); ok {
		return f, nil
	}
	return nil, c.Want(i, "a function")
}

// List returns the elements of argument i, a list or another finite sequence.
func (c Call) List(i int) ([]starlark.Value, error) {
	values, ok := value.Elements(c.Value(i))
	if !ok {
		return nil, c.Want(i, "a list")
	}
	return values, nil
}

// Roll returns argument i as a distribution: a roll, a whole number, or the
// total of a pool.
func (c Call) Roll(i int) (*dist.Dist, error) {
	d, ok, err := value.AsRoll(c.Thread, c.Value(i))
	if !ok {
		return nil, ArgError(c.Param(i), "%s", value.NotRoll(c.Value(i)))
	}
	return d, err
}

// Dice returns argument i as what can be thrown: a roll or the total of a pool. A whole
// number is no die.
func (c Call) Dice(i int) (*dist.Dist, error) {
	if problem := value.NotDice(c.Value(i)); problem != "" {
		return nil, c.Wrong(i, "%s", problem)
	}
	return c.Roll(i)
}

// Self returns the distribution that a method belongs to.
func (c Call) Self() (*dist.Dist, error) {
	switch v := c.Receiver.(type) {
	case *value.Roll:
		return v.Dist(), nil
	case *value.Outcomes:
		return v.Numbers(c.Context())
	}
	d, ok, err := value.AsRoll(c.Thread, c.Receiver)
	if !ok {
		return nil, c.WrongReceiver("%s", value.NotRoll(c.Receiver))
	}
	return d, err
}

// Set returns argument i as a set of outcomes: a whole number, a list of whole
// numbers, or a band.
func (c Call) Set(i int) (dist.Set, error) {
	s, problem := value.SetOf(c.Value(i))
	if problem != "" {
		return s, ArgError(c.Param(i), "%s", problem)
	}
	return s, nil
}

// Rat returns argument i as an exact number, with the bound on its error.
func (c Call) Rat(i int) (*big.Rat, float64, error) {
	r, bound, problem := value.RatOf(c.Value(i))
	if problem != "" {
		return nil, 0, ArgError(c.Param(i), "%s", problem)
	}
	return r, bound, nil
}

// Chance returns argument i as an exact chance from 0 to 1.
func (c Call) Chance(i int) (*big.Rat, float64, error) {
	r, bound, err := c.Rat(i)
	if err == nil && !exact.IsChance(r) {
		return nil, 0, c.Wrong(i, "got %s, want a chance from 0 to 1%s", value.Describe(c.Value(i)), value.PercentHint(r))
	}
	return r, bound, err
}

// Limit returns argument i, a number of times that may be None for unlimited.
func (c Call) Limit(i, low, otherwise int) (int, error) {
	if c.Value(i) == starlark.None {
		return dist.Unlimited, nil
	}
	n, err := c.IntOr(i, otherwise)
	if err == nil && n < low {
		return 0, c.Wrong(i, "got %d, want at least %d, or None for no limit", n, low)
	}
	return n, err
}
