package builtins

import (
	"math/big"

	"dicescript/builtins/internal/exact"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Conversions turn Starlark values into what the engine works with, and say in
// the words of a recipe what they got when they can't.

// int returns argument i as a whole number.
func (c call) int(i int) (int, error) {
	if n, ok := c.value(i).(starlark.Int); ok {
		if x, ok := n.Int64(); ok {
			return int(x), nil
		}
	}
	return 0, c.notInt(i)
}

// intOr returns argument i as a whole number, or what it is when left out.
func (c call) intOr(i, otherwise int) (int, error) {
	if c.value(i) == nil {
		return otherwise, nil
	}
	return c.int(i)
}

// atLeast returns argument i as a whole number of at least low, or what it is
// when left out.
func (c call) atLeast(i, low, otherwise int) (int, error) {
	n, err := c.intOr(i, otherwise)
	if err == nil && n < low {
		return 0, c.wrong(i, "got %d, want at least %d", n, low)
	}
	return n, err
}

func (c call) notInt(i int) error { return argError(c.param(i), "%s", value.NotInt(c.value(i))) }

// text returns argument i as text.
func (c call) text(i int) (string, error) {
	if s, ok := c.value(i).(starlark.String); ok {
		return string(s), nil
	}
	return "", c.want(i, `text in quotes, like "Hit"`)
}

// textOr returns argument i as text, or what it is when left out.
func (c call) textOr(i int, otherwise string) (string, error) {
	if c.value(i) == nil {
		return otherwise, nil
	}
	if err := c.meter().Name(c.value(i)); err != nil {
		return "", c.label(i, err)
	}
	return c.text(i)
}

// function returns argument i as something to call.
func (c call) function(i int) (starlark.Callable, error) {
	if f, ok := c.value(i).(starlark.Callable); ok {
		return f, nil
	}
	return nil, c.want(i, "a function")
}

// list returns the elements of argument i, a list or another finite sequence.
func (c call) list(i int) ([]starlark.Value, error) {
	values, ok := value.Elements(c.value(i))
	if !ok {
		return nil, c.want(i, "a list")
	}
	return values, nil
}

// roll returns argument i as a distribution: a roll, a whole number, or the
// total of a pool.
func (c call) roll(i int) (*dist.Dist, error) {
	d, ok, err := value.AsRoll(c.thread, c.value(i))
	if !ok {
		return nil, argError(c.param(i), "%s", value.NotRoll(c.value(i)))
	}
	return d, err
}

// self returns the distribution that a method belongs to.
func (c call) self() (*dist.Dist, error) {
	switch v := c.recv.(type) {
	case *value.Roll:
		return v.Dist(), nil
	case *value.Outcomes:
		return v.Numbers(c.ctx())
	}
	d, ok, err := value.AsRoll(c.thread, c.recv)
	if !ok {
		return nil, c.wrongReceiver("%s", value.NotRoll(c.recv))
	}
	return d, err
}

// set returns argument i as a set of outcomes: a whole number, a list of whole
// numbers, or a band.
func (c call) set(i int) (dist.Set, error) {
	s, problem := value.SetOf(c.value(i))
	if problem != "" {
		return s, argError(c.param(i), "%s", problem)
	}
	return s, nil
}

// rat returns argument i as an exact number, with the bound on its error.
func (c call) rat(i int) (*big.Rat, float64, error) {
	r, bound, problem := value.RatOf(c.value(i))
	if problem != "" {
		return nil, 0, argError(c.param(i), "%s", problem)
	}
	return r, bound, nil
}

// chance returns argument i as an exact chance from 0 to 1.
func (c call) chance(i int) (*big.Rat, float64, error) {
	r, bound, err := c.rat(i)
	if err == nil && !exact.IsChance(r) {
		return nil, 0, c.wrong(i, "got %s, want a chance from 0 to 1%s", value.Describe(c.value(i)), value.PercentHint(r))
	}
	return r, bound, err
}

// limit returns argument i, a number of times that may be None for unlimited.
func (c call) limit(i, low, otherwise int) (int, error) {
	if c.value(i) == starlark.None {
		return dist.Unlimited, nil
	}
	n, err := c.intOr(i, otherwise)
	if err == nil && n < low {
		return 0, c.wrong(i, "got %d, want at least %d, or None for no limit", n, low)
	}
	return n, err
}
