// Recipes a piece at a time: what one input defines, the next one knows, and
// the value of an expression is an output.

package lang

import (
	"context"
	"fmt"
	"maps"
	"sync/atomic"

	"dicescript/builtins/meter"
	"dicescript/builtins/slot"
	"dicescript/lang/eval"
	"dicescript/lang/internal/given"
	"dicescript/lang/internal/modules"
	"dicescript/lang/internal/outline"
	"dicescript/lang/internal/prompt"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Session evaluates inputs one after the other. It is for one goroutine at a
// time: a second one gets an [Error] of [KindInput], and changes nothing. Any number of
// sessions of a host can be in use at once. Every input has
// the limits of a run, and a context of its own. [Host.NewSession] makes one.
type Session struct {
	inUse   atomic.Bool // by a goroutine
	host    *Host
	run     *run
	globals starlark.StringDict
	places  map[string]*slot.Value // of what inputs define, by name
	own     map[string]bool        // the globals that the host has not given
	held    holdings
	inputs  int
	shown   []prompt.Shown // of the last input
	loads   []string       // the load statements of all inputs
	unfit   *Error         // an input of the options that no recipe could take
	after   func() error   // what follows on an input while its run stands; nil for nothing
}

// NewSession returns a session in which nothing has been defined. The inputs
// of the options are what param finds; one that no param asks for is no mistake
// here. Options that can't be, such as a value that no recipe could take, see
// [WithInput], fail every Eval.
func (h *Host) NewSession(opts ...RunOption) *Session {
	if err := h.usable(); err != nil {
		return &Session{host: h}
	}
	o := newRunOptions(opts)
	s := &Session{
		host: h, run: newRun(h, o, map[string]*unit{}),
		globals: maps.Clone(h.globals), places: map[string]*slot.Value{}, own: map[string]bool{}, unfit: o.unfit,
	}
	for name, v := range s.globals {
		if v == nil { // of WithNames
			delete(s.globals, name)
		}
	}
	for name, v := range o.values {
		if err := s.set(name, v); err != nil {
			o.refuse(inputError("%s", err))
			s.unfit = o.unfit
		}
	}
	s.run.params = make(map[string]starlark.Value, len(o.order))
	for _, name := range o.order {
		v, ok := given.Simple(o.inputs[name])
		if !ok {
			o.refuse(unsuited(name, o.inputs[name]))
			s.unfit = o.unfit
			break
		}
		s.run.params[name] = v
	}
	s.globals[showName] = starlark.NewBuiltin("show", s.show)
	return s
}

// Eval evaluates an input: statements, expressions, or both. The result holds
// what it has put out, and the value of every expression at its top level, titled
// with the text of the expression; None is left out. In positions the inputs are
// called "input", "input 2" and so on.
//
// As with [Program.Run] there is a result beside an error. The session can be used
// after any error, a deadline and a limit too; what the input had defined before
// it failed stays defined. Only what the session can't hold, see [Limits], is not
// kept: then the error says which names mean what they did before the input.
func (s *Session) Eval(ctx context.Context, src string) (*Result, error) {
	if err := s.enter(); err != nil {
		return &Result{}, err
	}
	defer s.leave()
	return s.evalInput(ctx, src)
}

// enter reserves the session for the goroutine that calls it, until leave.
func (s *Session) enter() error {
	if s.run == nil {
		return s.host.usable()
	}
	if !s.inUse.CompareAndSwap(false, true) {
		return inputError("session: it is in use already; a session is for one goroutine at a time")
	}
	return nil
}

func (s *Session) leave() { s.inUse.Store(false) }

// evalInput evaluates the next input.
func (s *Session) evalInput(ctx context.Context, src string) (*Result, error) {
	s.inputs++
	name := "input"
	if s.inputs > 1 {
		name = fmt.Sprintf("input %d", s.inputs)
	}
	return s.eval(ctx, newUnit(name, []byte(src)))
}

// EvalFile evaluates a file, which may be a literate recipe, as if it had been
// an input: what it defines is known afterwards. The name stands in positions. Of
// an AnyDice program nothing is known afterwards.
func (s *Session) EvalFile(ctx context.Context, name string, src []byte) (*Result, error) {
	if err := s.enter(); err != nil {
		return &Result{}, err
	}
	defer s.leave()
	if isAnyDice(name) {
		return s.evalAnyDice(ctx, name, src)
	}
	return s.eval(ctx, newUnit(name, src))
}

// Set gives a name a value of Go for the inputs that follow, as [WithValue] does for a
// run; the name needs no declaration. A name that a recipe could not say, a value that
// it can't have, and one after which the session would hold too much, are errors and
// change nothing.
func (s *Session) Set(name string, v any) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.leave()
	if err := given.Check(v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	value, err := s.run.giver().Value(v)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return s.set(name, value)
}

func (s *Session) set(name string, v starlark.Value) error {
	if !isUsable(name) {
		return fmt.Errorf("%q is not a name that a recipe can use", name)
	}
	before := s.meanings(map[string]bool{name: true})
	s.mean(name, meaning{v, true})
	s.held.added += (&meter.Held{}).Add(v)
	return s.fit(name, before)
}

// Host is the host that the session belongs to.
func (s *Session) Host() *Host { return s.host }

// Limits returns what every input may use.
func (s *Session) Limits() Limits {
	if s.run == nil {
		return Limits{}
	}
	return s.run.limits
}

// SetLimits changes what every input from now on may use. A zero field is the default;
// a limit below [Unlimited] is an error, and changes nothing.
func (s *Session) SetLimits(l Limits) error {
	if err := checkLimits(l); err != nil {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.leave()
	s.run.limits = l.Filled()
	return nil
}

// eval evaluates an input or a file.
func (s *Session) eval(ctx context.Context, u *unit) (*Result, error) {
	s.shown = nil
	if s.unfit != nil {
		e := *s.unfit
		return &Result{}, &e
	}
	u.main = true
	s.run.begin(ctx)
	defer s.run.end()
	var in input
	err := s.run.protect(func() (err error) { in, err = s.compile(ctx, u); return err })
	if err != nil {
		return s.finish(), err
	}
	s.run.units[u.file] = u
	before := s.meanings(in.binds)
	err = s.execute(u)
	s.note(in.binds)
	if err == nil {
		s.noteLoads(in.loads)
	}
	if !outline.DefinesFunctions(u.code.Tree) {
		delete(s.run.units, u.file) // nothing of it can fail later
	}
	if err == nil && s.after != nil {
		err = s.after()
	}
	result := s.finish()
	if tooMuch := s.hold(u, before); tooMuch != nil {
		return result, tooMuch
	}
	return result, err
}

// finish returns the result of an input.
func (s *Session) finish() *Result {
	s.run.sourceBytes, s.run.loads = sources(s.run.units)
	return s.run.finish()
}

// execute runs an input that has been compiled.
func (s *Session) execute(u *unit) error {
	s.run.unit = u
	err := s.run.protect(func() error {
		return s.run.machine.Execute(u.code.Module(s.predeclared, s.global))
	})
	if err != nil {
		return s.run.failure(err)
	}
	return nil
}

// predeclared is what a name means that the session has not defined.
func (s *Session) predeclared(name string) starlark.Value { return s.globals[name] }

// global is the place of a name that inputs define: the same for all that use it.
func (s *Session) global(name string) *slot.Value {
	at := s.places[name]
	if at == nil {
		at = new(slot.Value)
		*at = eval.Unset()
		s.places[name] = at
	}
	return at
}

// defined reports whether a name is one that inputs have defined.
func (s *Session) defined(name string) bool {
	at := s.places[name]
	return at != nil && s.own[name] && !eval.IsUnset(*at)
}

// note takes over what an input has given its names.
func (s *Session) note(names map[string]bool) {
	for name := range names {
		if at := s.places[name]; at != nil && !eval.IsUnset(*at) {
			s.globals[name] = at.Starlark()
		}
	}
}

// An input is what the session needs to know of one beside its code.
type input struct {
	loads []outline.Load  // its load statements
	binds map[string]bool // the names that it gives a meaning
}

// compile reads and rewrites an input and compiles the modules it loads.
func (s *Session) compile(ctx context.Context, u *unit) (in input, err error) {
	host := *s.host
	host.limits = s.run.limits
	c := &compiler{host: &host, ctx: ctx, dir: ".", units: map[modules.Location]*unit{}}
	u.at = s.host.modules.OfRecipe(u.file)
	for m := range s.run.modules {
		c.adopt(m)
	}
	_, tree, errs := c.parse(u)
	if len(errs) > 0 {
		return in, joined(errs)
	}
	o := outline.Read(tree.File, &u.lines)
	in = input{loads: o.Loads, binds: dicesyntax.Bound(tree.File.Stmts...)}
	u.document(o)
	outline.PointAtNames(tree.File)
	s.run.result.Notes = s.inputNotes(tree)
	u.showExpressions(tree.File)
	if ds := eval.Check(tree); len(ds) > 0 {
		return in, joined(u.diagnostics(KindSyntax, ds))
	}
	if stop := c.look(u); stop != nil {
		return in, joined(stop)
	}
	code, ds := eval.Compile(tree, s.host.evalOptions(s.globals, s.defined))
	if len(ds) > 0 {
		return in, joined(u.diagnostics(KindName, ds))
	}
	u.code = code
	syntax.Walk(tree.File, func(n syntax.Node) bool {
		if e := u.tooLarge(n); e != nil {
			errs = append(errs, e)
		}
		return true
	})
	if len(errs) > 0 {
		return in, joined(errs)
	}
	for _, l := range o.Loads {
		errs = append(errs, c.load(u, l)...)
	}
	for _, m := range u.loads {
		(&Program{units: s.run.units}).collect(m)
	}
	return in, joined(errs)
}

// renamed are the builtins whose names mean something else in the session.
func (s *Session) renamed() map[string]bool {
	own := map[string]bool{}
	for name := range s.host.globals {
		if !s.isBuiltin(name) {
			own[name] = true
		}
	}
	return own
}

// isBuiltin reports whether a name means what the host gave it.
func (s *Session) isBuiltin(name string) bool {
	v, ok := s.host.globals[name].(*starlark.Builtin)
	return ok && s.globals[name] == v
}
