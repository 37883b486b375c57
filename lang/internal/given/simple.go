// Bools, numbers and strings, which are copied.

package given

import (
	"encoding/json"
	"math/big"
	"reflect"
	"strconv"

	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// Simple is a bool, a number or a string as a recipe has it.
func Simple(v any) (starlark.Value, bool) {
	switch v := v.(type) {
	case starlark.Value:
		return v, true
	case *big.Int:
		if v != nil {
			return starlark.MakeBigInt(v), true
		}
		return nil, false
	case json.Number:
		return number(v)
	}
	switch r := reflect.ValueOf(v); {
	case !r.IsValid():
		return nil, false
	case r.Kind() == reflect.Bool:
		return starlark.Bool(r.Bool()), true
	case r.Kind() == reflect.String:
		return starlark.String(r.String()), true
	case r.CanInt():
		return starlark.MakeInt64(r.Int()), true
	case r.CanUint():
		return starlark.MakeUint64(r.Uint()), true
	case r.CanFloat():
		return starlark.Float(asWritten(r)), true
	}
	return nil, false
}

// asWritten is a float of either size. A recipe takes a float for the decimal
// that it is written as, so that a float32 of 0.1 is 0.1 and not a little more.
func asWritten(r reflect.Value) float64 {
	text := strconv.FormatFloat(r.Float(), 'g', -1, r.Type().Bits())
	f, _ := strconv.ParseFloat(text, 64)
	return f
}

// mostDigits is how long a whole number may be that a host gives as json: some more
// than the default of IntBits.
const mostDigits = 20_000

func number(n json.Number) (starlark.Value, bool) {
	if i, err := n.Int64(); err == nil {
		return starlark.MakeInt64(i), true
	}
	if i, ok := new(big.Int).SetString(n.String(), 10); ok && len(n) <= mostDigits {
		return starlark.MakeBigInt(i), true
	}
	f, err := n.Float64()
	return starlark.Float(f), err == nil
}

// Plain is a bool, a number or a string of a recipe as Go has it, nil for anything else. A
// quotient of whole numbers is the nearest float.
func Plain(v starlark.Value) any {
	switch v := v.(type) {
	case starlark.Bool:
		return bool(v)
	case starlark.String:
		return string(v)
	case starlark.Float:
		return float64(v)
	case starlark.Int:
		if n, ok := v.Int64(); ok {
			return int(n)
		}
		return v.BigInt()
	case *value.Number:
		if value.IsQuotient(v) {
			return v.Float()
		}
	}
	return nil
}
