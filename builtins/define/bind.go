package define

import (
	"errors"
	"fmt"
	"slices"

	"dicescript/builtins/suggest"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// Arguments are bound to the parameters of the table by position and by name.
// The usual call, by position only, binds without allocating: what was left out
// at the end is simply not there.

// bound returns the arguments in the order of the parameters.
func (def *Builtin) bound(args []starlark.Value, kwargs []starlark.Tuple) ([]starlark.Value, error) {
	n := len(def.Params)
	many := def.variadic()
	if 0 <= many && many < n-1 {
		return def.bindAround(many, args, kwargs)
	}
	if len(args) > n && many < 0 {
		return nil, def.tooMany(len(args))
	}
	if len(kwargs) > 0 {
		return def.bindNamed(args, kwargs)
	}
	if len(args) < n && def.Params[len(args)].required() {
		return nil, def.missing(&def.Params[len(args)])
	}
	return args, nil
}

// slipped is the error of arguments that do not fit, with what was likely meant in place of
// how the builtin is called.
func (def *Builtin) slipped(recv starlark.Value, args starlark.Tuple, err error) error {
	if def.Slip == nil {
		return err
	}
	if recv != nil {
		args = append(starlark.Tuple{recv}, args...)
	}
	if meant := def.Slip(args); meant != "" {
		return errors.New(meant)
	}
	return err
}

// Bind returns a call that nobody makes: what it is given is only read.
func (def *Builtin) Bind(args starlark.Tuple, kwargs []starlark.Tuple) (Call, error) {
	bound, err := def.bound(args, kwargs)
	return Call{def: def, args: bound}, err
}

// variadic returns which parameter takes all further positional arguments, -1
// when none does.
func (def *Builtin) variadic() int {
	return slices.IndexFunc(def.Params, func(p Param) bool { return p.Variadic })
}

// bindAround binds where parameters follow on the variadic one, which is number
// many: they are given by name only. What the variadic one takes is one tuple.
func (def *Builtin) bindAround(many int, args []starlark.Value, kwargs []starlark.Tuple) ([]starlark.Value, error) {
	first := args[:min(many, len(args))]
	bound, err := def.bindNamed(first, kwargs)
	if err != nil {
		return nil, err
	}
	bound[many] = starlark.Tuple(args[len(first):])
	return bound, nil
}

func (def *Builtin) bindNamed(args []starlark.Value, kwargs []starlark.Tuple) ([]starlark.Value, error) {
	bound := make([]starlark.Value, max(len(args), len(def.Params)))
	copy(bound, args)
	for _, kw := range kwargs {
		name := string(kw[0].(starlark.String))
		i := slices.IndexFunc(def.Params, func(p Param) bool { return p.named(name) })
		switch {
		case i < 0:
			return nil, def.unknown(name)
		case def.Params[i].Variadic:
			return nil, ArgError(name, "it takes no name; write the values one after the other: %s", def.usage())
		case bound[i] != nil:
			return nil, ArgError(def.Params[i].Name, "given twice; write it once: %s", def.usage())
		}
		bound[i] = kw[1]
	}
	for i := range def.Params {
		if bound[i] == nil && def.Params[i].required() {
			return nil, def.missing(&def.Params[i])
		}
	}
	if v := def.Params; len(args) < len(v) && v[len(v)-1].Variadic {
		bound = bound[:len(v)-1]
	}
	return bound, nil
}

// splitSelf takes the value that the method twin belongs to out of the
// arguments of the function.
func (def *Builtin) splitSelf(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, starlark.Tuple, []starlark.Tuple, error) {
	if len(args) > 0 {
		return args[0], args[1:], kwargs, nil
	}
	for i, kw := range kwargs {
		if def.Self.named(string(kw[0].(starlark.String))) {
			rest := slices.Delete(slices.Clone(kwargs), i, i+1)
			return kw[1], args, rest, nil
		}
	}
	for _, kw := range kwargs {
		name := string(kw[0].(starlark.String))
		if !slices.ContainsFunc(def.Params, func(p Param) bool { return p.named(name) }) {
			return nil, nil, nil, def.unknown(name) // which was meant for it
		}
	}
	return nil, nil, nil, def.missing(&def.Self)
}

func (p *Param) required() bool { return p.Default == "" && !p.Variadic }

// usage writes the call in an error. A function with a method twin shows the
// function, in which all parameters have a name.
func (def *Builtin) usage() string { return def.signature(!def.Free) }

func (def *Builtin) missing(p *Param) error {
	return ArgError(p.Name, "missing; write %s", def.usage())
}

func (def *Builtin) tooMany(got int) error {
	want := len(def.Params)
	if def.Excess != "" {
		return fmt.Errorf("got %s, want %s", value.Plural(got, "argument"), def.Excess)
	}
	if want == 0 {
		return fmt.Errorf("got %s, want none: write %s", value.Plural(got, "argument"), def.usage())
	}
	return fmt.Errorf("got %s, want at most %d: write %s", value.Plural(got, "argument"), want, def.usage())
}

func (def *Builtin) unknown(name string) error {
	names := make([]string, 0, len(def.Params)+1)
	if def.Free && def.Self.Name != "" {
		names = append(names, def.Self.Name)
	}
	for _, p := range def.Params {
		names = append(names, p.Name)
	}
	if near := suggest.Among(name, names); near != "" {
		return ArgError(name, "no such parameter; did you mean %s?", near)
	}
	return ArgError(name, "no such parameter; write %s", def.usage())
}
