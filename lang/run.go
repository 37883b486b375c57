// One run: the thread of the interpreter, what the builtins borrow from it,
// and the accounts of its limits.

package lang

import (
	"context"
	"fmt"
	"maps"
	"math"
	"runtime/debug"

	"dicescript/builtins"
	"dicescript/dist"
	"dicescript/lang/rewrite"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A run belongs to one goroutine.
type run struct {
	host    *Host
	limits  Limits
	units   map[string]*unit // by file, for errors
	hooks   *rewrite.Hooks
	modules map[*unit]starlark.StringDict // that have been loaded
	params  map[string]starlark.Value

	ctx    context.Context // without the budget
	budget *dist.Budget
	thread *starlark.Thread
	env    *builtins.Env
	result *Result
	stop   *Error                    // why the interpreter was made to stop
	unit   *unit                     // whose top level is running
	values map[string]starlark.Value // of literals and notation, by their text

	allocated   int64 // bytes
	outputBytes int64
	printed     int64
}

// runKey is where a thread has its run.
const runKey = "dicescript.run"

func runOf(thread *starlark.Thread) *run {
	r, _ := thread.Local(runKey).(*run)
	return r
}

func newRun(h *Host, units map[string]*unit) *run {
	r := &run{
		host: h, limits: h.limits, units: units,
		modules: map[*unit]starlark.StringDict{},
		params:  map[string]starlark.Value{},
	}
	r.hooks = &rewrite.Hooks{
		Compare: r.compare,
		Truth:   func(v starlark.Value) error { _, err := builtins.Truth(r.thread, v); return err },
		Literal: r.literal,
		Binary: func(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
			if err := r.spend(operationSteps); err != nil {
				return nil, err
			}
			return builtins.Binary(r.thread, op, x, y)
		},
		Unary: func(op syntax.Token, x starlark.Value) (starlark.Value, error) {
			if err := r.spend(operationSteps); err != nil {
				return nil, err
			}
			return builtins.Unary(r.thread, op, x)
		},
		Charge:   func(words int64) error { return r.allocate(words, 8) },
		Bits:     r.bits,
		Spend:    r.spend,
		Text:     func(v starlark.Value) error { return builtins.ChargeText(r.thread, v) },
		Whole:    r.whole,
		Elements: r.elements,
		Entries:  r.entries,
		Depth:    max(0, h.limits.Depth),
	}
	return r
}

// begin gives the run a fresh thread and fresh accounts. A session does so for
// every input; what its functions have kept of the run still works.
func (r *run) begin(ctx context.Context) {
	r.ctx = ctx
	r.budget = dist.NewBudget(r.limits.engine())
	r.result = &Result{}
	r.stop, r.unit = nil, nil
	r.values = map[string]starlark.Value{}
	r.allocated, r.outputBytes, r.printed = 0, 0, 0
	r.hooks.Begin()
	r.thread = &starlark.Thread{
		Name:       "recipe",
		Print:      r.print,
		Load:       r.load,
		OnMaxSteps: func(*starlark.Thread) { r.look() },
	}
	r.thread.SetLocal(runKey, r)
	r.env = &builtins.Env{
		Context:  dist.WithBudget(ctx, r.budget),
		Output:   r.output,
		Param:    func(name string) (starlark.Value, bool) { v, ok := r.params[name]; return v, ok },
		Notation: r.notation,
	}
	builtins.SetEnv(r.thread, r.env)
	r.look()
}

// execute runs the top level of a unit and returns its globals.
func (r *run) execute(u *unit) (starlark.StringDict, error) {
	outer := r.unit
	r.unit = u
	defer func() { r.unit = outer }()
	predeclared := maps.Clone(r.host.globals)
	u.code.Predeclare(predeclared, r.hooks)
	return u.program.Init(r.thread, predeclared)
}

// load returns the globals of a module, which runs when it is first loaded.
func (r *run) load(_ *starlark.Thread, name string) (starlark.StringDict, error) {
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
		if err := r.checkDepth(v); err != nil {
			return nil, err
		}
	}
	globals.Freeze()
	r.modules[u] = globals
	return globals, nil
}

// lookEvery is how many steps of the interpreter pass between two looks at
// the context and the depth of calls.
const lookEvery = 1000

// look stops the interpreter when the run has to end, and otherwise sets the
// step at which it looks again.
func (r *run) look() {
	steps := int64(r.thread.ExecutionSteps())
	depth := int64(r.thread.CallStackDepth())
	switch {
	case r.ctx.Err() != nil:
		r.halt(stopped(r.ctx.Err()))
	case exceeds(steps, r.limits.Steps):
		r.halt(r.tooManySteps(steps))
	case exceeds(depth, r.limits.Depth):
		r.halt(&Error{
			Kind: KindLimit, cause: limitError("nested calls", depth, r.limits.Depth),
			Message: fmt.Sprintf("functions call each other more than %s deep; does a function call itself without end?", grouped(r.limits.Depth)),
		})
	}
	next := steps + lookEvery
	if l := r.limits.Steps; l >= 0 && next > l {
		next = l + 1
	}
	r.thread.SetMaxExecutionSteps(uint64(next))
}

func (r *run) tooManySteps(need int64) *Error {
	return &Error{
		Kind: KindLimit, cause: limitError("steps", need, r.limits.Steps),
		Message: fmt.Sprintf("the recipe takes more than %s steps; does it loop too long?", grouped(r.limits.Steps)),
	}
}

// operationSteps is what an operation on rolls or chances is worth in steps, for
// its time and for the result, which the recipe may keep.
const operationSteps = 50

// spend charges n steps for work that a builtin does at once.
func (r *run) spend(n int64) error {
	steps := int64(r.thread.ExecutionSteps())
	if l := r.limits.Steps; l >= 0 && n > l-steps {
		return r.tooManySteps(steps + n)
	}
	r.thread.Steps += uint64(n)
	return r.ctx.Err()
}

// allocate charges n things of so many bytes, which are for one value.
func (r *run) allocate(n, bytes int64) error {
	limit := r.limits.Alloc
	if limit < 0 {
		return nil
	}
	size := int64(math.MaxInt64)
	if n < size/bytes {
		size = n * bytes
	}
	if err := r.whole(size / 8); err != nil {
		return err
	}
	if need := r.allocated + size; need > limit {
		return limitError("bytes of texts, lists and large numbers", need, limit)
	}
	r.allocated += size
	if size >= muchAtOnce {
		return r.ctx.Err()
	}
	return nil
}

// muchAtOnce is how many bytes take so long to write that the context is looked
// at before.
const muchAtOnce = 1 << 16

// passing refuses n things of so many bytes that are needed for a moment only,
// when they are more than one value may have.
func (r *run) passing(n, bytes int64) error {
	return r.oneValue(n, bytes, "elements to look at together")
}

// whole refuses a value of more words than one may have.
func (r *run) whole(words int64) error {
	return r.oneValue(min(words, math.MaxInt64/8)*8, 1, "bytes for one text, list or number")
}

// elements refuses a list of more elements than one may have.
func (r *run) elements(n int64) error {
	const elementBytes = 16
	return r.oneValue(n, elementBytes, "elements for one list")
}

// entryBytes is what an entry of a dict or set takes, with the room that it keeps.
const entryBytes = 128

// entries refuses a dict or set of more entries than one may have.
func (r *run) entries(n int64) error { return r.oneValue(n, entryBytes, "entries for one dict or set") }

// oneValue refuses n parts of so many bytes when they are more than one value may
// have.
func (r *run) oneValue(n, bytes int64, parts string) error {
	if limit := r.limits.Alloc / largestShare / bytes; r.limits.Alloc >= 0 && n > limit {
		return limitError(parts, n, limit)
	}
	return nil
}

// largestShare is the part of the bytes that one value may take, since growing
// a value takes a multiple of its size.
const largestShare = 16

// bits refuses an integer that is too long.
func (r *run) bits(n int64) error {
	if exceeds(n, r.limits.IntBits) {
		return limitError("bits for one whole number", n, r.limits.IntBits)
	}
	return nil
}

// print hands a printed text to the host.
func (r *run) print(_ *starlark.Thread, text string) {
	size := int64(len(text)) + 1
	if need := r.printed + size; exceeds(need, r.limits.PrintBytes) {
		err := limitError("bytes of printed text", need, r.limits.PrintBytes)
		r.halt(&Error{Kind: KindLimit, Message: "the recipe prints too much: it " + err.Error(), cause: err})
		return
	}
	r.printed += size
	r.host.print(r.ctx, text)
}

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

// finish returns the result with what the run has used.
func (r *run) finish() *Result {
	used := r.budget.Used()
	r.result.Usage = Usage{
		Steps:   int64(r.thread.ExecutionSteps()),
		Work:    used.Work,
		Cells:   used.Cells,
		Outputs: int64(len(r.result.Outputs)),
	}
	return r.result
}
