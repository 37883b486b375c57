package builtins

import (
	"context"
	"fmt"
	"slices"

	"dicescript/builtins/meter"
	"dicescript/builtins/runenv"
	"dicescript/builtins/suggest"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Arguments are bound to the parameters of the table by position and by name.
// The usual call, by position only, binds without allocating: what was left out
// at the end is simply not there.

// A call is one use of a builtin.
type call struct {
	thread *starlark.Thread
	def    *builtin
	recv   starlark.Value   // what a method belongs to; nil for other functions
	args   []starlark.Value // by parameter; nil or past the end where left out
}

// invoke binds the arguments, runs the builtin and puts its name before an error.
func (def *builtin) invoke(thread *starlark.Thread, recv starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	bound, err := def.bound(args, kwargs)
	if err != nil {
		return nil, value.InFunction(def.name, err)
	}
	m := meter.Of(thread)
	if err := m.Call(recv, bound); err != nil {
		return nil, value.InFunction(def.name, err)
	}
	v, err := def.run(call{thread, def, recv, bound})
	if err != nil {
		return nil, value.InFunction(def.name, err)
	}
	return v, value.InFunction(def.name, m.Made(v))
}

// bound returns the arguments in the order of the parameters.
func (def *builtin) bound(args []starlark.Value, kwargs []starlark.Tuple) ([]starlark.Value, error) {
	n := len(def.params)
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
	if len(args) < n && def.params[len(args)].required() {
		return nil, def.missing(&def.params[len(args)])
	}
	return args, nil
}

// bind returns a call that nobody makes: what it is given is only read.
func (def *builtin) bind(args starlark.Tuple, kwargs []starlark.Tuple) (call, error) {
	bound, err := def.bound(args, kwargs)
	return call{def: def, args: bound}, err
}

// variadic returns which parameter takes all further positional arguments, -1
// when none does.
func (def *builtin) variadic() int {
	return slices.IndexFunc(def.params, func(p Param) bool { return p.Variadic })
}

// bindAround binds where parameters follow on the variadic one, which is number
// many: they are given by name only. What the variadic one takes is one tuple.
func (def *builtin) bindAround(many int, args []starlark.Value, kwargs []starlark.Tuple) ([]starlark.Value, error) {
	first := args[:min(many, len(args))]
	bound, err := def.bindNamed(first, kwargs)
	if err != nil {
		return nil, err
	}
	bound[many] = starlark.Tuple(args[len(first):])
	return bound, nil
}

func (def *builtin) bindNamed(args []starlark.Value, kwargs []starlark.Tuple) ([]starlark.Value, error) {
	bound := make([]starlark.Value, max(len(args), len(def.params)))
	copy(bound, args)
	for _, kw := range kwargs {
		name := string(kw[0].(starlark.String))
		i := slices.IndexFunc(def.params, func(p Param) bool { return p.named(name) })
		switch {
		case i < 0:
			return nil, def.unknown(name)
		case def.params[i].Variadic:
			return nil, argError(name, "it takes no name; write the values one after the other: %s", def.usage())
		case bound[i] != nil:
			return nil, argError(def.params[i].Name, "given twice; write it once: %s", def.usage())
		}
		bound[i] = kw[1]
	}
	for i := range def.params {
		if bound[i] == nil && def.params[i].required() {
			return nil, def.missing(&def.params[i])
		}
	}
	if v := def.params; len(args) < len(v) && v[len(v)-1].Variadic {
		bound = bound[:len(v)-1]
	}
	return bound, nil
}

// splitSelf takes the value that the method twin belongs to out of the
// arguments of the function.
func (def *builtin) splitSelf(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, starlark.Tuple, []starlark.Tuple, error) {
	if len(args) > 0 {
		return args[0], args[1:], kwargs, nil
	}
	for i, kw := range kwargs {
		if def.self.named(string(kw[0].(starlark.String))) {
			rest := slices.Delete(slices.Clone(kwargs), i, i+1)
			return kw[1], args, rest, nil
		}
	}
	for _, kw := range kwargs {
		name := string(kw[0].(starlark.String))
		if !slices.ContainsFunc(def.params, func(p Param) bool { return p.named(name) }) {
			return nil, nil, nil, def.unknown(name) // which was meant for it
		}
	}
	return nil, nil, nil, def.missing(&def.self)
}

func (p *Param) required() bool { return p.Default == "" && !p.Variadic }

// usage writes the call in an error. A function with a method twin shows the
// function, in which all parameters have a name.
func (def *builtin) usage() string { return def.signature(!def.free) }

func (def *builtin) missing(p *Param) error {
	return argError(p.Name, "missing; write %s", def.usage())
}

func (def *builtin) tooMany(got int) error {
	want := len(def.params)
	if def.excess != "" {
		return fmt.Errorf("got %s, want %s", value.Plural(got, "argument"), def.excess)
	}
	if want == 0 {
		return fmt.Errorf("got %s, want none: write %s", value.Plural(got, "argument"), def.usage())
	}
	return fmt.Errorf("got %s, want at most %d: write %s", value.Plural(got, "argument"), want, def.usage())
}

func (def *builtin) unknown(name string) error {
	names := make([]string, 0, len(def.params)+1)
	if def.free && def.self.Name != "" {
		names = append(names, def.self.Name)
	}
	for _, p := range def.params {
		names = append(names, p.Name)
	}
	if near := suggest.Among(name, names); near != "" {
		return argError(name, "no such parameter; did you mean %s?", near)
	}
	return argError(name, "no such parameter; write %s", def.usage())
}

// ctx returns the context of the run, which carries its budget.
func (c call) ctx() context.Context { return runenv.Of(c.thread).Engine() }

// meter is what the run pays with, nil when there is no run.
func (c call) meter() *meter.Meter { return meter.Of(c.thread) }

// value returns argument i, nil when it was left out.
func (c call) value(i int) starlark.Value {
	if i < len(c.args) {
		return c.args[i]
	}
	return nil
}

// given reports whether argument i is there and not None.
func (c call) given(i int) bool {
	v := c.value(i)
	return v != nil && v != starlark.None
}

// omitted reports whether argument i was left out or is None, which it may be.
func (c call) omitted(i int) bool { return !c.def.params[i].required() && !c.given(i) }

// rest returns the arguments of a variadic parameter, which is number i.
func (c call) rest(i int) []starlark.Value {
	if i >= len(c.args) {
		return nil
	}
	if i < len(c.def.params)-1 {
		return c.args[i].(starlark.Tuple)
	}
	return c.args[i:]
}

// param returns the name of argument i.
func (c call) param(i int) string {
	return c.def.params[min(i, len(c.def.params)-1)].Name
}

// wrong says what is wrong with argument i.
func (c call) wrong(i int, format string, args ...any) error {
	return argError(c.param(i), format, args...)
}

// wrongReceiver says what is wrong with what the method belongs to.
func (c call) wrongReceiver(format string, args ...any) error {
	return argError(c.def.self.Name, format, args...)
}

// usage writes how the builtin is called.
func (c call) usage() string { return c.def.usage() }

// label says what is wrong with argument i, a label. An end of the run that is met
// while it is looked at stays one.
func (c call) label(i int, err error) error {
	switch {
	case err == nil:
		return nil
	case meter.Ends(err):
		return fmt.Errorf("%s: %w", c.param(i), err)
	}
	return c.wrong(i, "%v", err)
}

// want says that argument i is not what is wanted.
func (c call) want(i int, what string) error {
	return argError(c.param(i), "got %s, want %s", value.Describe(c.value(i)), what)
}

// argError says what is wrong with one argument.
func argError(param, format string, args ...any) error {
	return &dist.ArgError{Param: param, Problem: fmt.Sprintf(format, args...)}
}
