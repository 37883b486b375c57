// Calling a function of a recipe from Go.

package lang

import (
	"context"
	"errors"
	"slices"

	"dicescript/builtins/native"
	"dicescript/builtins/suggest"
	"dicescript/lang/eval"
	"dicescript/lang/internal/given"

	"go.starlark.net/starlark"
)

// A Named is an argument of [Program.Call] by the name of its parameter.
type Named struct {
	Name  string
	Value any
}

// Call runs the recipe and then calls a function that it defines, with values of Go as
// [WithValue] takes them; a [Named] goes to the parameter of its name, and a
// [RunOption] is one of the run. What the function returns is the output that has its
// name, unless that is None; outputs that it records itself come before, and those of the
// recipe's own top level are left out. [Get] gives the value as a value of Go.
//
// The limits are those of one run for both, and its cost is that of both. As with
// [Program.Run] there is a result beside an error; a function that does not exist,
// arguments that do not suit its parameters, and one that no recipe could take, are an
// [Error] of [KindInput].
func (p *Program) Call(ctx context.Context, fn string, args ...any) (*Result, error) {
	opts, rest, err := sortOut(args)
	if err != nil {
		return &Result{}, err
	}
	if p.foreign != nil {
		return &Result{}, inputError("the functions of an AnyDice program can't be called from outside")
	}
	r, result, err := p.begin(ctx, newRunOptions(opts))
	if err != nil {
		return result, err
	}
	err = r.protect(func() error {
		module, err := r.execute(p.main)
		if err != nil {
			return err
		}
		globals := module.Globals()
		f, err := p.function(globals, fn)
		if err != nil {
			return err
		}
		r.result.Outputs, r.outputBytes = nil, 0
		positional, named, err := rest.values(r.giver())
		if err != nil {
			return err
		}
		v, err := starlark.Call(r.thread, f, positional, named)
		if misfit := r.misfit(err); misfit != nil {
			return misfit
		}
		if err != nil || v == starlark.None {
			return err
		}
		return r.show(fn, v)
	})
	if err != nil {
		return r.finish(), r.failure(err)
	}
	return r.finish(), nil
}

// arguments are the arguments of a call, in their order.
type arguments []any

// sortOut takes out what is an option of the run, and refuses arguments that can't be.
func sortOut(args []any) (opts []RunOption, rest arguments, err error) {
	for i, arg := range args {
		v := arg
		switch arg := arg.(type) {
		case RunOption:
			opts = append(opts, arg)
			continue
		case Named:
			v = arg.Value
		}
		if err := given.Check(v); err != nil {
			return nil, nil, inputError("argument %d: %s", i+1, err)
		}
		rest = append(rest, arg)
	}
	return opts, rest, nil
}

// values are the arguments as the recipe gets them.
func (a arguments) values(g *given.Giver) (positional starlark.Tuple, named []starlark.Tuple, err error) {
	for i, arg := range a {
		n, isNamed := arg.(Named)
		if isNamed {
			arg = n.Value
		}
		v, err := g.Value(arg)
		if err != nil {
			return nil, nil, inputError("argument %d: %s", i+1, err)
		}
		if isNamed {
			named = append(named, starlark.Tuple{starlark.String(n.Name), v})
		} else {
			positional = append(positional, v)
		}
	}
	return positional, named, nil
}

// misfit is the error of arguments that the called function has no parameters for, nil
// for any other: it arises in the call of the host, before the function has begun.
func (r *run) misfit(err error) *Error {
	trace := innermost(err)
	var misfit eval.Misfit
	if trace == nil || len(trace.CallStack) != 1 || !errors.As(trace, &misfit) {
		return nil
	}
	return inputError("%s", misfit)
}

// function is the function of the recipe that has a name.
func (p *Program) function(globals starlark.StringDict, name string) (starlark.Callable, error) {
	f, ok := globals[name].(starlark.Callable)
	if ok {
		return f, nil
	}
	if v := globals[name]; v != nil {
		return nil, inputError("%s is no function of the recipe, it is %s", name, native.TypeInWords(v.Type()))
	}
	var names []string
	for name, v := range globals {
		if _, ok := v.(*eval.Function); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return nil, inputError("the recipe has no function %q%s", name, suggest.DidYouMean(suggest.Among(name, names)))
}
