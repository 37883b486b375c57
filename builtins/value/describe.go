package value

import (
	"fmt"

	"dicescript/builtins/native"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Errors name a value in the words of a recipe, never by its Go type.

// maxQuoted is how much of a text or a number an error repeats.
const maxQuoted = 40

// Describe names v for an error: a small value by itself, others by what they are.
func Describe(v starlark.Value) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case starlark.String:
		return Shorten(v.String())
	case starlark.Int:
		if v.BigInt().BitLen() > 128 {
			return "a huge number"
		}
		return v.String()
	case starlark.Float, starlark.Bool, starlark.NoneType:
		return v.String()
	case *Roll:
		return "a roll"
	case *Pool:
		return "a dice pool"
	case *Outcomes:
		return "Outcomes"
	case *Band:
		return "the band " + v.String()
	case *Prob:
		return "a chance (" + v.String() + ")"
	case *Number:
		if v.quotient {
			return v.String()
		}
		return "a number with a fraction (" + v.String() + ")"
	case starlark.Callable:
		return "the function " + v.Name()
	}
	return native.TypeInWords(v.Type())
}

// Shorten cuts a text that is too long to repeat in an error.
func Shorten(s string) string {
	runes := []rune(s)
	if len(runes) <= maxQuoted {
		return s
	}
	return string(runes[:maxQuoted-3]) + "..."
}

// ShortList cuts an enumeration in an error.
func ShortList(s string) string {
	const most = 200
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}

// rangeText writes the ends of what is possible: 1..6, 1.. when there is no end.
func rangeText(d *dist.Dist) string {
	low, high := fmt.Sprint(d.Min()), fmt.Sprint(d.Max())
	if d.UnboundedBelow() {
		low = ""
	}
	if d.UnboundedAbove() {
		high = ""
	}
	if low == high && low != "" {
		return low
	}
	return low + ".." + high
}

// Plural writes a count of things: "1 argument", "2 arguments".
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
