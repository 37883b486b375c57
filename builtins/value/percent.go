package value

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dicescript/builtins/internal/exact"

	"go.starlark.net/starlark"
)

// Text with places, as in "%s: %d": Starlark fills them, and knows neither exact numbers
// nor how many digits are wanted. What it does not know is written before.

var errTooFewValues = errors.New("the text has more % places than there are values")

// A place in a text with places.
type place struct {
	before string // up to it
	name   string // of %(name)s
	named  bool
	digits int // of %.2f, -1 for none
	verb   byte
}

// formatted returns a text with places and what is put into them so that Starlark can do
// it.
func formatted(format string, y starlark.Value) (string, starlark.Value, error) {
	places, rest := placesOf(format)
	values, ok := valuesFor(places, y)
	if !ok {
		if slices.ContainsFunc(places, func(p place) bool { return p.digits >= 0 }) {
			return "", nil, errTooFewValues // Starlark would not know the place
		}
		return format, y, nil // an error
	}
	var text strings.Builder
	changed := false
	filled := append(starlark.Tuple(nil), values...)
	for i, p := range places {
		verb := p.verb
		v, err := p.shown(values[i])
		if err != nil {
			return "", nil, err
		}
		if p.digits >= 0 {
			verb = 's'
		}
		changed = changed || p.digits >= 0 || v != nil
		if v != nil {
			filled[i] = v
		}
		text.WriteString(p.before + "%" + string(verb))
	}
	if !changed {
		return format, y, nil
	}
	return text.String() + rest, filled, nil
}

// placesOf returns the places of a text, and what is behind the last. A place that is
// written wrong is in the rest.
func placesOf(format string) (places []place, rest string) {
	from := 0
	for at := 0; at+1 < len(format); {
		switch {
		case format[at] != '%':
			at++
			continue
		case format[at+1] == '%':
			at += 2
			continue
		}
		p := place{before: format[from:at], digits: -1}
		end := at + 1
		if format[end] == '(' {
			n := strings.IndexByte(format[end:], ')')
			if n < 0 {
				break
			}
			p.name, p.named = format[end+1:end+n], true
			end += n + 1
		}
		if n := digitsAt(format[end:]); n > 0 {
			p.digits, _ = strconv.Atoi(format[end+1 : end+n])
			end += n
		}
		if end == len(format) {
			break
		}
		p.verb = format[end]
		places = append(places, p)
		at, from = end+1, end+1
	}
	return places, format[from:]
}

// digitsAt is the length of the .2 of %.2f that a text begins with, 0 where it has none.
func digitsAt(s string) int {
	n := 1
	for n < len(s) && n <= 2 && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	if n > 1 && n < len(s) && s[0] == '.' && (s[n] == 'f' || s[n] == 'F') {
		return n
	}
	return 0
}

// valuesFor returns what is put into the places, and further what is too much; ok is false
// where values are missing.
func valuesFor(places []place, y starlark.Value) (values starlark.Tuple, ok bool) {
	given, several := y.(starlark.Tuple)
	if !several {
		given = starlark.Tuple{y}
	}
	of, _ := y.(starlark.Mapping)
	taken := 0
	for _, p := range places {
		if p.named {
			if of == nil {
				return nil, false
			}
			v, found, _ := of.Get(starlark.String(p.name))
			if !found {
				return nil, false
			}
			values = append(values, v)
			continue
		}
		if taken == len(given) {
			return nil, false
		}
		values = append(values, given[taken])
		taken++
	}
	if of == nil {
		values = append(values, given[taken:]...)
	}
	return values, true
}

// shown is what Starlark is given in place of v, nil for v itself.
func (p place) shown(v starlark.Value) (starlark.Value, error) {
	switch {
	case p.digits >= 0:
		if _, text := v.(starlark.String); !text {
			if r, _, problem := RatOf(v); problem == "" {
				return starlark.String(exact.Fixed(r, p.digits)), nil
			}
		}
		return nil, fmt.Errorf("%%.%d%c shows a plain number: got %s, want a number", p.digits, p.verb, Describe(v))
	case strings.IndexByte("eEfFgG", p.verb) >= 0 && isNumber(v):
		return FloatOf(v), nil
	case strings.IndexByte("dioxX", p.verb) >= 0 && IsQuotient(v):
		return starlark.MakeBigInt(exact.Truncate(v.(*Number).exact.Rat)), nil
	}
	return nil, nil
}
