// One run: the thread of the interpreter, what the builtins borrow from it,
// and the accounts of its limits.

package lang

import (
	"context"
	"fmt"
	"runtime/debug"

	"dicescript/builtins/meter"
	"dicescript/builtins/runenv"
	"dicescript/dist/upper"
	"dicescript/lang/internal/given"
	"dicescript/lang/internal/yield"

	"go.starlark.net/starlark"
)

// A run belongs to one goroutine.
type run struct {
	host               *Host
	limits             Limits
	printer            func(ctx context.Context, text string)
	units              map[string]*unit // by file, for errors
	sourceBytes, loads int64            // of the units, see sources
	meter              meter.Meter
	modules            map[*unit]starlark.StringDict // that have been loaded
	params             map[string]starlark.Value
	given              starlark.StringDict // by the host, for this run

	ctx    context.Context // without the budget
	thread *starlark.Thread
	env    *runenv.Env
	result *Result
	stop   *Error                      // why the interpreter was made to stop
	unit   *unit                       // whose top level is running
	live   func(string) starlark.Value // what the globals of a session mean; nil for a program
	values notated                     // of literals and notation

	outputBytes int64
	printed     int64
}

func newRun(h *Host, o runOptions, units map[string]*unit) *run {
	r := &run{
		host: h, limits: o.limitsOf(h), printer: h.print, units: units, given: o.values,
	}
	if o.print != nil {
		r.printer = o.print
	}
	if o.giver != nil {
		o.giver.Halt = r.unfit
	}
	r.meter = *h.costs.NewMeter(r.limits)
	return r
}

// A stage is what the interpreter and the builtins are given by a run.
type stage struct {
	thread starlark.Thread
	env    runenv.Env
}

// begin gives the run a fresh thread and fresh accounts. A session does so for
// every input; what its functions have kept of the run still works.
func (r *run) begin(ctx context.Context) {
	ctx = yield.Context(ctx)
	r.ctx = ctx
	r.result = &Result{}
	r.stop, r.unit = nil, nil
	r.values = notated{}
	r.outputBytes, r.printed = 0, 0
	fresh := &stage{thread: starlark.Thread{Name: "recipe", Print: printText, Load: load, OnMaxSteps: lookAgain}}
	r.thread, r.env = &fresh.thread, &fresh.env
	r.meter.Limits = r.limits
	r.meter.Begin(ctx, r.thread)
	r.env.Context, r.env.Meter, r.env.Host = r.meter.Context(), &r.meter, r
	runenv.Set(r.thread, r.env)
	r.look()
}

// end lets go of what only the run needed: a session keeps its run for the inputs
// that follow.
func (r *run) end() {
	r.ctx, r.thread, r.env, r.result, r.unit, r.values = nil, nil, nil, nil, nil, notated{}
}

// execute runs the top level of a unit and returns its globals.
func (r *run) execute(u *unit) (starlark.StringDict, error) {
	outer := r.unit
	r.unit = u
	defer func() { r.unit = outer }()
	predeclared, err := r.predeclared(u)
	if err != nil {
		return nil, err
	}
	return u.program.Init(r.thread, predeclared)
}

// predeclared are the names that a unit uses without defining them.
func (r *run) predeclared(u *unit) (starlark.StringDict, error) {
	n := len(u.uses) + u.code.Predeclares()
	if n == 0 {
		return nil, nil
	}
	names := make(starlark.StringDict, n)
	for _, name := range u.uses {
		if name == showName {
			names[name] = starlark.NewBuiltin("show", r.shown)
		} else if v := r.meaning(name); v != nil {
			names[name] = v
		} else if u.code.Uses(name) {
			return nil, inputError("the recipe uses %s, to which this run gives no value", name)
		}
	}
	u.code.Predeclare(names, r, &r.meter)
	return names, nil
}

// meaning is what a predeclared name means in the run, nil when it means nothing.
func (r *run) meaning(name string) starlark.Value {
	if v, ok := r.given[name]; ok {
		return v
	}
	return r.host.globals[name]
}

// runOf is the run of a thread.
func runOf(thread *starlark.Thread) *run { return runenv.Of(thread).Host.(*run) }

// load has the run of a thread load a module.
func load(thread *starlark.Thread, name string) (starlark.StringDict, error) {
	return runOf(thread).load(name)
}

// load returns the globals of a module, which runs when it is first loaded.
func (r *run) load(name string) (starlark.StringDict, error) {
	u := r.unit.loads[name]
	if u == nil {
		return nil, moduleError("there is no module %s", name)
	}
	if globals, ok := r.modules[u]; ok {
		return globals, nil
	}
	globals, err := r.execute(u)
	if err != nil {
		return nil, err
	}
	for _, v := range globals {
		if err := r.meter.Look(v); err != nil {
			return nil, err
		}
	}
	globals.Freeze()
	if r.modules == nil {
		r.modules = map[*unit]starlark.StringDict{}
	}
	r.modules[u] = globals
	return globals, nil
}

// lookEvery is how many steps of the interpreter pass between two looks at
// the context and the depth of calls.
const lookEvery = 1000

// lookAgain looks for the run of a thread.
func lookAgain(thread *starlark.Thread) { runOf(thread).look() }

// look stops the interpreter when the run has to end, and otherwise sets the
// step at which it looks again.
func (r *run) look() {
	steps := int64(r.thread.ExecutionSteps())
	depth := int64(r.thread.CallStackDepth())
	r.result.Usage.Depth = max(r.result.Usage.Depth, depth)
	switch {
	case r.ctx.Err() != nil:
		r.halt(stopped(r.ctx.Err()))
	case exceeds(steps, r.limits.Steps):
		r.halt(r.tooManySteps(meter.Check(meter.Steps, steps, r.limits.Steps)))
	case exceeds(depth, r.limits.Depth):
		r.halt(&Error{
			Kind: KindLimit, cause: meter.Check(meter.Calls, depth, r.limits.Depth),
			Message: fmt.Sprintf("functions call each other more than %s deep; does a function call itself without end?", upper.Grouped(r.limits.Depth)),
		})
	}
	next := steps + lookEvery
	if l := r.limits.Steps; l >= 0 && next > l {
		next = l + 1
	}
	r.thread.SetMaxExecutionSteps(uint64(next))
}

// tooManySteps is the error of the limit of steps.
func (r *run) tooManySteps(cause error) *Error {
	return &Error{
		Kind: KindLimit, cause: cause,
		Message: fmt.Sprintf("the recipe takes more than %s steps; does it loop too long? For dice whose order does not matter, map_sorted and evaluate take far fewer than map; texts are cheaper keys of a dict than tuples", upper.Grouped(r.limits.Steps)),
	}
}

// Param is the value that a parameter has in the run.
func (r *run) Param(name string) (starlark.Value, bool) {
	v, ok := r.params[name]
	return v, ok
}

// printText has the run of a thread print.
func printText(thread *starlark.Thread, text string) { runOf(thread).print(text) }

// print hands a printed text to the host.
func (r *run) print(text string) {
	size := int64(len(text)) + 1
	if err := meter.Check(meter.PrintBytes, r.printed+size, r.limits.PrintBytes); err != nil {
		r.halt(&Error{Kind: KindLimit, Message: "the recipe prints too much: it " + err.Error(), cause: err})
		return
	}
	r.printed += size
	r.printer(r.ctx, text)
}

// giver makes values of Go for the run.
func (r *run) giver() *given.Giver {
	g := given.New(ownData)
	g.Halt = r.unfit
	return g
}

// unfit stops the run for a value of the host that no recipe could have.
func (r *run) unfit(err error) { r.halt(inputError("%s", err)) }

// halt makes the interpreter stop at its next step.
func (r *run) halt(why *Error) {
	if r.stop == nil {
		r.stop = why
		r.thread.Cancel(why.Message)
	}
}

// protect runs f and turns a panic into an error.
func (r *run) protect(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(p)
		}
	}()
	return f()
}

// panicked is the error of a panic.
func panicked(p any) *Error {
	e := &Error{Kind: KindInternal, Message: fmt.Sprintf("internal error: %v", p), Stack: debug.Stack()}
	e.cause, _ = p.(error)
	return e
}
