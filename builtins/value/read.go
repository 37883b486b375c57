package value

import (
	"fmt"
	"math/big"
	"strconv"

	"dicescript/builtins/internal/exact"
	"dicescript/builtins/meter"
	"dicescript/builtins/runenv"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Values of a recipe are read as what the engine works with: whole numbers, rolls,
// sets of outcomes, exact numbers. Where one can't be read so, the error says in
// the words of a recipe what it is instead.

// NotInt says why v is not a whole number that fits.
func NotInt(v starlark.Value) string {
	switch v := v.(type) {
	case starlark.Int:
		return "got " + Describe(v) + ", want a whole number from -2^63 to 2^63-1"
	case starlark.Float:
		return "got " + Describe(v) + ", want a whole number; int(x) drops the fraction"
	case *Prob, *Number:
		if IsQuotient(v) {
			return "got " + Describe(v) + ", want a whole number" + WholeQuotient
		}
		return "got " + Describe(v) + ", want a whole number; int(x) drops the fraction, round(x) rounds it"
	case *Roll, *Pool:
		return "got " + Describe(v) + ", want a whole number; map(fn, roll) hands each result of a roll to a function"
	}
	return "got " + Describe(v) + ", want a whole number"
}

// Int returns v as an int when it is one that fits.
func Int(v starlark.Value) (int, bool) {
	n, ok := v.(starlark.Int)
	if !ok {
		return 0, false
	}
	x, ok := n.Int64()
	return int(x), ok
}

// Elements returns the elements of a list, tuple, set, range or bounded band.
func Elements(v starlark.Value) ([]starlark.Value, bool) {
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
		values := make([]starlark.Value, 0, meter.LengthOf(v))
		for x := range starlark.Elements(v) {
			values = append(values, x)
		}
		return values, true
	}
	return nil, false
}

// AsRoll returns the distribution that v stands for: a roll, the total of a
// pool, or a whole number. The work of a total is charged to the run of thread.
// It reports false when v stands for none.
func AsRoll(thread *starlark.Thread, v starlark.Value) (d *dist.Dist, ok bool, err error) {
	switch v := v.(type) {
	case *Roll:
		return v.dist, true, nil
	case *Pool:
		d, err := v.total(runenv.Of(thread))
		return d, true, err
	case starlark.Int:
		if n, ok := v.Int64(); ok {
			return dist.Constant(int(n)), true, nil
		}
	}
	return nil, false, nil
}

// NotDice says why v can't be thrown, though it stands for a constant in arithmetic: a whole
// number is no die. It is "" for everything else.
func NotDice(v starlark.Value) string {
	n, ok := v.(starlark.Int)
	if !ok {
		return ""
	}
	text := Describe(n)
	if sides, small := Int(n); small && sides > 1 && sides <= maxNamedSides {
		return fmt.Sprintf("%s is a number, not a die: a die of %s sides is d%s", text, text, text)
	}
	return text + " is a number, not a die, as d6 is"
}

// maxNamedSides is how many sides a number may have had in mind.
const maxNamedSides = 1000

// FairSides is how many sides v has when it is one fair die, 1 up to their number, and 0
// otherwise.
func FairSides(v starlark.Value) int {
	r, ok := v.(*Roll)
	if !ok || !isFair(r.dist) {
		return 0
	}
	return r.dist.Max()
}

// NotRoll says why v is not a roll.
func NotRoll(v starlark.Value) string {
	got := "got " + Describe(v) + ", want a roll"
	switch v := v.(type) {
	case starlark.Int:
		return got + " or a whole number from -2^63 to 2^63-1"
	case starlark.Callable:
		return got + "; to call the function, write " + v.Name() + "(...)"
	case *starlark.List, starlark.Tuple:
		return got + "; pool(a, b) puts dice together, die_faces([...]) makes a die with these faces"
	case starlark.String:
		return got + `; roll("2d6") reads dice from text`
	}
	return got + ` or a whole number`
}

// SetOf returns v as a set of outcomes, or what is wrong with it.
func SetOf(v starlark.Value) (s dist.Set, problem string) {
	if n, ok := Int(v); ok {
		return dist.Only(n), ""
	}
	if b, ok := AsBand(v); ok {
		return b.Set(), ""
	}
	if _, number := v.(starlark.Int); number {
		return s, NotInt(v)
	}
	values, ok := Elements(v)
	if !ok {
		return s, "got " + Describe(v) + ", want a whole number, a list of them, or a band like at_least(5)"
	}
	if len(values) == 0 {
		return s, "got an empty list, want at least one whole number"
	}
	xs := make([]int, len(values))
	for i, v := range values {
		if xs[i], ok = Int(v); !ok {
			return s, "item " + strconv.Itoa(i+1) + " of the list: " + NotInt(v)
		}
	}
	return dist.Only(xs...), ""
}

// RatOf returns v as an exact number, or what is wrong with it. A float is read
// as the shortest decimal that stands for it: 0.3 is 3/10.
func RatOf(v starlark.Value) (r *big.Rat, bound float64, problem string) {
	switch v := v.(type) {
	case starlark.Int:
		return new(big.Rat).SetInt(v.BigInt()), 0, ""
	case starlark.Float:
		if r, ok := exact.Decimal(float64(v)); ok {
			return r, 0, ""
		}
	case *Prob:
		return v.exact.Rat, v.exact.Bound, ""
	case *Number:
		return v.exact.Rat, v.exact.Bound, ""
	case starlark.String:
		if r, ok := exact.ParseRat(string(v)); ok {
			return r, 0, ""
		}
		return nil, 0, "got " + Describe(v) + `, want a number; in quotes it is written like "1/3", "0.25" or "30%"`
	case *Roll, *Pool:
		return nil, 0, "got " + Describe(v) + ", want a number; a roll has many results: ask it for its mean() or for a chance"
	}
	return nil, 0, "got " + Describe(v) + ", want a number"
}

// PercentHint helps who writes 30 for 30 percent.
func PercentHint(r *big.Rat) string {
	if r.Cmp(exact.One) > 0 && r.Cmp(exact.Hundred) <= 0 {
		return "; for a percentage write it in quotes, like \"30%\""
	}
	return ""
}

// ExactOf returns a chance, number or whole number as an exact one.
func ExactOf(v starlark.Value) (exact.Number, bool) {
	switch v := v.(type) {
	case *Prob:
		return v.exact, true
	case *Number:
		return v.exact, true
	case starlark.Int:
		return exact.Number{Rat: new(big.Rat).SetInt(v.BigInt())}, true
	}
	return exact.Number{}, false
}
