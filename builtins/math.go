package builtins

import (
	"fmt"
	"maps"
	"math/big"

	"dicescript/builtins/internal/exact"
	"dicescript/builtins/value"

	starlarkjson "go.starlark.net/lib/json"
	starlarkmath "go.starlark.net/lib/math"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// The modules math and json are Starlark's own. The functions of math take a
// chance or a number as its nearest float, and json writes it as one.

func modules() starlark.StringDict {
	return starlark.StringDict{"math": mathModule(), "json": starlarkjson.Module}
}

func mathModule() *starlarkstruct.Module {
	members := maps.Clone(starlarkmath.Module.Members)
	for name, v := range members {
		if f, ok := v.(*starlark.Builtin); ok {
			members[name] = starlark.NewBuiltin("math."+name, withFloats(f))
		}
	}
	return &starlarkstruct.Module{Name: "math", Members: members}
}

// withFloats hands chances and numbers to f as floats. Rounding to whole
// numbers is done on the exact value.
func withFloats(f *starlark.Builtin) func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	return func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		floats := args
		for i, v := range args {
			switch v := v.(type) {
			case *value.Prob, *value.Number:
				if whole := wholeRule(f.Name()); whole != nil && len(args) == 1 {
					x, _ := value.ExactOf(v)
					n, err := whole(x)
					if err != nil {
						return nil, value.InFunction(b.Name(), err)
					}
					return bigResult(n, nil)
				}
				x, err := finiteFloat(v)
				if err != nil {
					return nil, value.InFunction(b.Name(), err)
				}
				if &floats[0] == &args[0] {
					floats = append(starlark.Tuple(nil), args...)
				}
				floats[i] = x
			case *value.Roll, *value.Pool:
				return nil, value.InFunction(b.Name(), errNoSingleValue(v))
			}
		}
		v, err := f.CallInternal(thread, floats, kwargs)
		if err != nil {
			return nil, fmt.Errorf("math.%w", err)
		}
		return v, nil
	}
}

// wholeRule returns the exact form of a function that rounds to a whole number.
func wholeRule(name string) func(exact.Number) (*big.Int, error) {
	switch name {
	case "floor":
		return exact.Number.Floor
	case "ceil":
		return exact.Number.Ceil
	}
	return nil
}
