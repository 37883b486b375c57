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
	"dicescript/lang/eval"
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
	machine            *eval.Machine
	modules            map[*unit]starlark.StringDict // that have been loaded
	params             map[string]starlark.Value
	given              starlark.StringDict // by the host, for this run

	ctx    context.Context // without the budget
	thread *starlark.Thread
	env    *runenv.Env
	result *Result
	stop   *Error  // why the interpreter was made to stop
	unit   *unit   // whose top level is running
	values notated // of literals and notation

	counted []bool       // of each output, whether its title counts the outputs
	thrown  bool         // whether values remember how they were made
	keeps   []shownValue // of outputs, in a run that is thrown

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
	r.thrown = o.thrown
	if o.giver != nil {
		o.giver.Halt = r.unfit
	}
	r.meter = *h.costs.NewMeter(r.limits)
	r.machine = eval.NewMachine(r)
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
	r.values, r.counted = notated{}, r.counted[:0]
	r.outputBytes, r.printed = 0, 0
	fresh := &stage{thread: starlark.Thread{Name: "recipe", Print: printText, Load: load, OnMaxSteps: lookAgain}}
	r.thread, r.env = &fresh.thread, &fresh.env
	r.meter.Limits = r.limits
	r.meter.Begin(ctx, r.thread)
	r.env.Context, r.env.Meter, r.env.Host = r.meter.Context(), &r.meter, r
	r.env.Thrown, r.keeps = r.thrown, nil
	runenv.Set(r.thread, r.env)
	r.machine.Begin(r.thread, &r.meter, r.limits.Depth)
	r.look()
}

// end lets go of what only the run needed: a session keeps its run for the inputs
// that follow.
func (r *run) end() {
	r.ctx, r.thread, r.env, r.result, r.unit, r.keeps, r.values = nil, nil, nil, nil, nil, nil, notated{}
}

// execute runs the top level of a unit and returns it with its globals.
func (r *run) execute(u *unit) (*eval.Module, error) {
	outer := r.unit
	r.unit = u
	defer func() { r.unit = outer }()
	if u.main {
		r.env.File = u.file
	}
	if err := r.lacks(u); err != nil {
		return nil, err
	}
	module := u.code.Module(r.predeclared, nil)
	return module, r.machine.Execute(module)
}

// lacks is the error of a unit that uses a name to which this run gives no value.
func (r *run) lacks(u *unit) error {
	for _, name := range u.code.Needs() {
		if u.code.Uses(name) && r.predeclared(name) == nil {
			return inputError("the recipe uses %s, to which this run gives no value", name)
		}
	}
	return nil
}

// predeclared is what a name means that a unit uses without defining it.
func (r *run) predeclared(name string) starlark.Value {
	if name == showName {
		return starlark.NewBuiltin("show", r.shown)
	}
	return r.meaning(name)
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
	return runOf(thread).Load(name)
}

// Load returns the globals of a module, which runs when it is first loaded.
func (r *run) Load(name string) (starlark.StringDict, error) {
	u := r.unit.loads[name]
	if u == nil {
		return nil, moduleError("there is no module %s", name)
	}
	if globals, ok := r.modules[u]; ok {
		return globals, nil
	}
	module, err := r.execute(u)
	if err != nil {
		return nil, err
	}
	globals := module.Globals()
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

// Look looks whether the run may go on, and after how many steps to look again.
func (r *run) Look() (steps int64, err error) {
	r.look()
	if r.stop != nil {
		return 0, r.stop
	}
	steps = lookEvery
	if l := r.limits.Steps; l >= 0 {
		steps = min(steps, l-int64(r.thread.ExecutionSteps())+1)
	}
	return steps, nil
}

// TooDeep is the error of calls that nest too deeply.
func (r *run) TooDeep(depth int64) error {
	return &Error{
		Kind: KindLimit, cause: meter.Check(meter.Calls, depth+1, depth),
		Message: fmt.Sprintf("functions call each other more than %s deep; does a function call itself without end?", upper.Grouped(depth)),
	}
}

// look stops the interpreter when the run has to end, and otherwise sets the
// step at which it looks again.
func (r *run) look() {
	steps := int64(r.thread.ExecutionSteps())
	switch {
	case r.ctx.Err() != nil:
		r.halt(stopped(r.ctx))
	case exceeds(steps, r.limits.Steps):
		r.halt(r.tooManySteps(meter.Check(meter.Steps, steps, r.limits.Steps)))
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
func printText(thread *starlark.Thread, text string) {
	r := runOf(thread)
	if r.env.Playing > 0 {
		r.halt(NewError(KindRuntime, "print: it has no place in a play, which goes all ways at once: return what is to be seen", nil))
		return
	}
	r.print(text)
}

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
		r.machine.Halt()
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
