package builtins

import (
	"math/big"
	"strconv"
	"strings"

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

func (c call) notInt(i int) error { return argError(c.param(i), "%s", notInt(c.value(i))) }

// notInt says why v is not a whole number that fits.
func notInt(v starlark.Value) string {
	switch v := v.(type) {
	case starlark.Int:
		return "got " + describe(v) + ", want a whole number of at most 18 digits"
	case starlark.Float:
		return "got " + describe(v) + ", want a whole number; int(x) drops the fraction"
	case *Prob, *Number:
		return "got " + describe(v) + ", want a whole number; int(x) drops the fraction, round(x) rounds it"
	case *Roll, *Pool:
		return "got " + describe(v) + ", want a whole number; map(fn, roll) hands each result of a roll to a function"
	}
	return "got " + describe(v) + ", want a whole number"
}

// wholeNumber returns v as an int when it is one that fits.
func wholeNumber(v starlark.Value) (int, bool) {
	n, ok := v.(starlark.Int)
	if !ok {
		return 0, false
	}
	x, ok := n.Int64()
	return int(x), ok
}

// text returns argument i as text.
func (c call) text(i int) (string, error) {
	if s, ok := c.value(i).(starlark.String); ok {
		return string(s), nil
	}
	return "", c.want(i, `text in quotes, like "Hit"`)
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
	values, ok := elements(c.value(i))
	if !ok {
		return nil, c.want(i, "a list")
	}
	return values, nil
}

// elements returns the elements of a list, tuple, set, range or bounded band.
func elements(v starlark.Value) ([]starlark.Value, bool) {
	switch v := v.(type) {
	case *starlark.List:
		values := make([]starlark.Value, v.Len())
		for i := range values {
			values[i] = v.Index(i)
		}
		return values, true
	case starlark.Tuple:
		return v, true
	case *starlark.Dict:
		return nil, false
	case starlark.Iterable:
		values := make([]starlark.Value, 0, max(0, starlark.Len(v)))
		for x := range starlark.Elements(v) {
			values = append(values, x)
		}
		return values, true
	}
	return nil, false
}

// roll returns argument i as a distribution: a roll, a whole number, or the
// total of a pool.
func (c call) roll(i int) (*dist.Dist, error) {
	d, ok, err := rollOf(c.thread, c.value(i))
	if !ok {
		return nil, argError(c.param(i), "%s", notRoll(c.value(i)))
	}
	return d, err
}

// self returns the distribution that a method belongs to.
func (c call) self() (*dist.Dist, error) {
	if r, ok := c.recv.(*Roll); ok {
		return r.dist, nil
	}
	d, ok, err := rollOf(c.thread, c.recv)
	if !ok {
		return nil, argError(c.def.self.Name, "%s", notRoll(c.recv))
	}
	return d, err
}

// rollOf returns v as a distribution, and whether it stands for one.
func rollOf(thread *starlark.Thread, v starlark.Value) (*dist.Dist, bool, error) {
	switch v := v.(type) {
	case *Roll:
		return v.dist, true, nil
	case *Pool:
		d, err := v.total(EnvOf(thread))
		return d, true, err
	case starlark.Int:
		if n, ok := v.Int64(); ok {
			return dist.Constant(int(n)), true, nil
		}
	}
	return nil, false, nil
}

// AsRoll returns the distribution that v stands for: a roll, the total of a
// pool, or a whole number. The work of a total is charged to the run of thread.
// It reports false when v stands for none.
func AsRoll(thread *starlark.Thread, v starlark.Value) (d *dist.Dist, ok bool, err error) {
	return rollOf(thread, v)
}

// notRoll says why v is not a roll.
func notRoll(v starlark.Value) string {
	got := "got " + describe(v) + ", want a roll"
	switch v := v.(type) {
	case starlark.Int:
		return got + " or a whole number of at most 18 digits"
	case starlark.Callable:
		return got + "; to call the function, write " + v.Name() + "(...)"
	case *starlark.List, starlark.Tuple:
		return got + "; pool(a, b) puts dice together, die_faces([...]) makes a die with these faces"
	case starlark.String:
		return got + `; roll("2d6") reads dice from text`
	}
	return got + ` or a whole number`
}

// set returns argument i as a set of outcomes: a whole number, a list of whole
// numbers, or a band.
func (c call) set(i int) (dist.Set, error) {
	s, problem := setOf(c.value(i))
	if problem != "" {
		return s, argError(c.param(i), "%s", problem)
	}
	return s, nil
}

// setOf returns v as a set of outcomes, or what is wrong with it.
func setOf(v starlark.Value) (s dist.Set, problem string) {
	if n, ok := wholeNumber(v); ok {
		return dist.Only(n), ""
	}
	if b, ok := AsBand(v); ok {
		return b.Set(), ""
	}
	if _, number := v.(starlark.Int); number {
		return s, notInt(v)
	}
	values, ok := elements(v)
	if !ok {
		return s, "got " + describe(v) + ", want a whole number, a list of them, or a band like at_least(5)"
	}
	if len(values) == 0 {
		return s, "got an empty list, want at least one whole number"
	}
	xs := make([]int, len(values))
	for i, v := range values {
		if xs[i], ok = wholeNumber(v); !ok {
			return s, "item " + strconv.Itoa(i+1) + " of the list: " + notInt(v)
		}
	}
	return dist.Only(xs...), ""
}

// rat returns argument i as an exact number, with the bound on its error.
func (c call) rat(i int) (*big.Rat, float64, error) {
	r, bound, problem := ratOf(c.value(i))
	if problem != "" {
		return nil, 0, argError(c.param(i), "%s", problem)
	}
	return r, bound, nil
}

// chance returns argument i as an exact chance from 0 to 1.
func (c call) chance(i int) (*big.Rat, float64, error) {
	r, bound, err := c.rat(i)
	if err == nil && !isChance(r) {
		return nil, 0, c.wrong(i, "got %s, want a chance from 0 to 1%s", describe(c.value(i)), percentHint(r))
	}
	return r, bound, err
}

// percentHint helps who writes 30 for 30 percent.
func percentHint(r *big.Rat) string {
	if r.Cmp(one) > 0 && r.Cmp(hundred) <= 0 {
		return "; for a percentage write it in quotes, like \"30%\""
	}
	return ""
}

var (
	one     = big.NewRat(1, 1)
	hundred = big.NewRat(100, 1)
)

func isChance(r *big.Rat) bool { return r.Sign() >= 0 && r.Cmp(one) <= 0 }

// ratOf returns v as an exact number, or what is wrong with it. A float is read
// as the shortest decimal that stands for it: 0.3 is 3/10.
func ratOf(v starlark.Value) (r *big.Rat, bound float64, problem string) {
	switch v := v.(type) {
	case starlark.Int:
		return new(big.Rat).SetInt(v.BigInt()), 0, ""
	case starlark.Float:
		if r, ok := decimal(float64(v)); ok {
			return r, 0, ""
		}
	case *Prob:
		return v.rat, v.bound, ""
	case *Number:
		return v.rat, v.bound, ""
	case starlark.String:
		if r, ok := parseRat(string(v)); ok {
			return r, 0, ""
		}
		return nil, 0, "got " + describe(v) + `, want a number; in quotes it is written like "1/3", "0.25" or "30%"`
	case *Roll, *Pool:
		return nil, 0, "got " + describe(v) + ", want a number; a roll has many results: ask it for its mean() or for a chance"
	}
	return nil, 0, "got " + describe(v) + ", want a number"
}

// decimal returns the shortest decimal that reads as f.
func decimal(f float64) (*big.Rat, bool) {
	return new(big.Rat).SetString(strconv.FormatFloat(f, 'e', -1, 64))
}

// parseRat reads "1/3", "0.25" and "30%".
func parseRat(text string) (*big.Rat, bool) {
	text = strings.TrimSpace(text)
	percent := strings.HasSuffix(text, "%")
	text = strings.TrimSuffix(text, "%")
	if text == "" || len(text) > 400 || strings.ContainsAny(text, "eEpPxX_") {
		return nil, false
	}
	if i := strings.IndexByte(text, '/'); i >= 0 && strings.Trim(text[i+1:], "0123456789") != "" {
		return nil, false
	}
	r, ok := new(big.Rat).SetString(text)
	if ok && percent {
		r.Quo(r, hundred)
	}
	return r, ok
}
