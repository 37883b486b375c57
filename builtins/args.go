package builtins

import (
	"context"
	"fmt"
	"slices"

	"dicescript/builtins/suggest"
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
	bound, err := def.bind(args, kwargs)
	if err != nil {
		return nil, fail(def.name, err)
	}
	if err := chargeNumbers(thread, recv); err != nil {
		return nil, fail(def.name, err)
	}
	if err := chargeNumbers(thread, bound...); err != nil {
		return nil, fail(def.name, err)
	}
	if err := chargeArguments(thread, bound); err != nil {
		return nil, fail(def.name, err)
	}
	v, err := def.run(call{thread, def, recv, bound})
	if err != nil {
		return nil, fail(def.name, err)
	}
	if thread != nil {
		thread.Steps += callSteps(v)
	}
	return v, nil
}

// chargeArguments charges for reading the lists among the arguments: steps of
// the interpreter, which end a recipe only after the call, and for long ones,
// which a few letters can write, work of the engine, which ends it before.
func chargeArguments(thread *starlark.Thread, args []starlark.Value) error {
	const elementSteps, elementWork, long = 8, 256, 10_000
	if thread == nil {
		return nil
	}
	n := 0
	for _, v := range args {
		if v, ok := v.(starlark.Sequence); ok {
			n += v.Len()
		}
	}
	thread.Steps += elementSteps * uint64(n)
	if n < long {
		return nil
	}
	return dist.ChargeWork(EnvOf(thread).context(), elementWork*int64(n))
}

// callSteps is how many steps of the interpreter a call is worth, for its time
// and for what the recipe may keep of it: a value of ours takes some hundred
// bytes at least.
func callSteps(v starlark.Value) uint64 {
	switch v.(type) {
	case starlark.Int, starlark.Float, starlark.String, starlark.Bool, starlark.NoneType:
		return 8
	case *Pool:
		return 150
	}
	return 50
}

// bind returns the arguments in the order of the parameters.
func (def *builtin) bind(args []starlark.Value, kwargs []starlark.Tuple) ([]starlark.Value, error) {
	n := len(def.params)
	variadic := n > 0 && def.params[n-1].Variadic
	if len(args) > n && !variadic {
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
	if want == 0 {
		return fmt.Errorf("got %s, want none: write %s", plural(got, "argument"), def.usage())
	}
	return fmt.Errorf("got %s, want at most %d: write %s", plural(got, "argument"), want, def.usage())
}

func (def *builtin) unknown(name string) error {
	names := make([]string, 0, len(def.params)+1)
	for _, p := range def.params {
		names = append(names, p.Name)
	}
	if near := suggest.Among(name, names); near != "" {
		return argError(name, "no such parameter; did you mean %s?", near)
	}
	return argError(name, "no such parameter; write %s", def.usage())
}

// ctx returns the context of the run, which carries its budget.
func (c call) ctx() context.Context { return c.env().context() }

// env returns what the run lends, nil when there is no run.
func (c call) env() *Env { return EnvOf(c.thread) }

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

// rest returns the arguments of a variadic parameter, which is number i.
func (c call) rest(i int) []starlark.Value {
	if i < len(c.args) {
		return c.args[i:]
	}
	return nil
}

// param returns the name of argument i.
func (c call) param(i int) string {
	return c.def.params[min(i, len(c.def.params)-1)].Name
}

// wrong says what is wrong with argument i.
func (c call) wrong(i int, format string, args ...any) error {
	return argError(c.param(i), format, args...)
}

// want says that argument i is not what is wanted.
func (c call) want(i int, what string) error {
	return argError(c.param(i), "got %s, want %s", describe(c.value(i)), what)
}

// plural writes a count of things: "1 argument", "2 arguments".
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
