// A compiled recipe, and what a host may choose about each run of it.

package lang

import (
	"context"
	"fmt"
	"slices"

	"dicescript/builtins/suggest"
	"dicescript/lang/anydice"
	"dicescript/lang/internal/given"

	"go.starlark.net/starlark"
)

// A Program is a compiled recipe with its modules. It is immutable: it may be
// run many times and from any number of goroutines. [Host.Compile] makes one.
type Program struct {
	host  *Host
	main  *unit
	units map[string]*unit // by file

	sourceBytes, loads int64 // see sources

	foreign *anydice.Program // of an AnyDice program, else nil
}

// newProgram is the program of a recipe and all that it loads.
func newProgram(h *Host, main *unit) *Program {
	p := &Program{host: h, main: main, units: map[string]*unit{}}
	p.collect(main)
	p.sourceBytes, p.loads = sources(p.units)
	return p
}

// collect notes a unit and all that it loads by their files.
func (p *Program) collect(u *unit) {
	p.units[u.file] = u
	for _, m := range u.loads {
		if p.units[m.file] != m {
			p.collect(m)
		}
	}
}

// Params returns the inputs of the recipe, in the order of its text.
func (p *Program) Params() []Param {
	params := slices.Clone(p.main.params)
	for i := range params {
		params[i].Choices = slices.Clone(params[i].Choices)
	}
	return params
}

// settle gives every parameter its value: what the host has set, or the
// default.
func (p *Program) settle(o runOptions) (map[string]starlark.Value, []ParamValue, error) {
	for _, name := range o.order {
		if !slices.ContainsFunc(p.main.params, func(q Param) bool { return q.Name == name }) {
			return nil, nil, p.noInput(name)
		}
	}
	if len(p.main.params) == 0 {
		return nil, nil, nil
	}
	values := make(map[string]starlark.Value, len(p.main.params))
	var shown []ParamValue
	for _, q := range p.main.params {
		v := q.def.Default
		if from, ok := o.inputs[q.Name]; ok {
			var err error
			if v, err = q.accept(from); err != nil {
				return nil, nil, err
			}
		}
		values[q.Name] = v
		shown = append(shown, ParamValue{
			Name: q.Name, Value: given.Plain(v), Help: q.Help, Line: q.Position.Line,
			Type: q.Type, Default: q.Default, Min: q.Min, Max: q.Max, Choices: slices.Clone(q.Choices),
		})
	}
	return values, shown, nil
}

func (p *Program) noInput(name string) *Error {
	var names []string
	for _, q := range p.main.params {
		names = append(names, q.Name)
	}
	message := fmt.Sprintf("the recipe has no input %q", name)
	if len(names) == 0 {
		return inputError("%s; it has none: inputs are made with param(\"bonus\", 5)", message)
	}
	return inputError("%s%s", message, suggest.DidYouMean(suggest.Among(name, names)))
}

// Run runs the recipe. The result is never nil: that of a failed run holds the
// outputs recorded before the failure. The error is an *[Error], which says in
// Kind what to do about it: see [KindInput], [KindLimit], [KindDeadline] and the
// others.
//
// The context bounds the time of the run, and stops it when it is cancelled.
func (p *Program) Run(ctx context.Context, opts ...RunOption) (*Result, error) {
	r, result, err := p.begin(ctx, newRunOptions(opts))
	if err != nil {
		return result, err
	}
	if p.foreign != nil {
		err := r.protect(func() error { return r.runAnyDice(p) })
		return r.finish(), err
	}
	if err := r.protect(func() error { _, err := r.execute(p.main); return err }); err != nil {
		return r.finish(), r.failure(err)
	}
	return r.finish(), nil
}

// begin makes a run of the program, or the result and the error of one that can't begin.
func (p *Program) begin(ctx context.Context, o runOptions) (*run, *Result, error) {
	if err := p.host.usable(); err != nil {
		return nil, &Result{}, err
	}
	if o.unfit != nil {
		return nil, &Result{}, o.unfit
	}
	values, shown, err := p.settle(o)
	if err == nil {
		err = p.host.declared(o.values)
	}
	if err != nil {
		return nil, &Result{}, err
	}
	r := newRun(p.host, o, p.units)
	r.begin(ctx)
	r.result.Params = shown
	r.result.Notes = texts(p.main.notes)
	r.params = values
	r.sourceBytes, r.loads = p.sourceBytes, p.loads
	return r, nil, nil
}
