package callback

import (
	"dicescript/builtins/define"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// How many arguments a function takes is compared with what it will get before it is
// called.

// A signature is a function that can say what parameters it has: one of the recipe, or one
// that a host has made with Starlark.
type signature interface {
	starlark.Callable
	NumParams() int
	NumKwonlyParams() int
	HasVarargs() bool
	HasKwargs() bool
	Param(i int) (string, syntax.Position)
	ParamDefault(i int) starlark.Value
}

// checkArity compares the parameters of f with the n arguments that it will get.
func checkArity(f signature, param string, n int, meaning string) error {
	least, most := arity(f)
	if n >= least && (n <= most || f.HasVarargs()) {
		return requiredByName(f, param, most)
	}
	takes := value.Plural(most, "argument")
	if n < least {
		takes = value.Plural(least, "argument")
	}
	if most == 0 {
		takes = "no arguments"
	}
	return define.ArgError(param, "%s takes %s, but it is given %d: %s", NameOf(f), takes, n, meaning)
}

// arity returns how many positional arguments f needs, and how many it can
// take besides a *args.
func arity(f signature) (least, most int) {
	most = f.NumParams() - f.NumKwonlyParams()
	if f.HasVarargs() {
		most--
	}
	if f.HasKwargs() {
		most--
	}
	for i := range most {
		if f.ParamDefault(i) == nil {
			least++
		}
	}
	return least, most
}

// requiredByName refuses a parameter that can only be given by name.
func requiredByName(f signature, param string, most int) error {
	for i := most; i < most+f.NumKwonlyParams(); i++ {
		if f.ParamDefault(i) == nil {
			name, _ := f.Param(i)
			return define.ArgError(param, "%s needs its parameter %s by name, but it is given values without names", NameOf(f), name)
		}
	}
	return nil
}

// NameOf names a function in an error.
func NameOf(f starlark.Callable) string {
	if f.Name() == "lambda" {
		return "the lambda"
	}
	return f.Name()
}
