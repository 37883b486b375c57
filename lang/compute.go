// Callbacks without the interpreter: which functions of a recipe have been
// compiled, and how a run calls them.

package lang

import (
	"errors"
	"fmt"
	"math"

	"dicescript/builtins/small"
	"dicescript/builtins/value"
	"dicescript/lang/compiled"
	"dicescript/lang/notation"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/starlark"
)

// compiledFile compiles the functions of a file, whose tree has not been rewritten.
// live are the names that earlier inputs of a session have given a meaning, nil for a
// file that is no input.
func (h *Host) compiledFile(tree *dicesyntax.Tree, live map[string]bool) *compiled.File {
	if h.interpreted {
		return nil
	}
	literals := map[string]*notation.Literal{}
	for i := range tree.Literals {
		literals[tree.Literals[i].Ident] = &tree.Literals[i]
	}
	return compiled.Compile(tree.File, compiled.Options{
		Standard: h.computes,
		Live:     live,
		Range: func(name string) (lo, hi *int, ok bool) {
			if l := literals[name]; l != nil && l.Range != nil {
				return l.Range.Lo, l.Range.Hi, true
			}
			return nil, nil, false
		},
		Dice: func(name string) (any, bool) {
			l := literals[name]
			return l, l != nil && l.Range == nil
		},
	})
}

// computes reports whether a predeclared name is what the reference says, and a
// call of it has no effect but its value.
func (h *Host) computes(name string) bool {
	switch name {
	case "output", "param", "print", "fail":
		return false
	}
	return !h.own[name] && (h.globals.Has(name) || starlark.Universe.Has(name))
}

// Compute returns a function of the recipe or of a module that runs without the
// interpreter, nil when there is none.
func (r *run) Compute(thread *starlark.Thread, fn *starlark.Function) small.Computation {
	r.noteProgram(thread)
	if f := r.compiledForm(fn); f == nil || f.Declined() != "" {
		return nil
	}
	m := compiled.NewMachine(r.compiledForm, &operations{value.Operations(thread), r})
	if l := r.limits.Depth; l >= 0 {
		m.SetDepth(int(min(l, math.MaxInt32)) - thread.CallStackDepth())
	}
	if r.live != nil {
		m.SetLive(r.live, func(name string) starlark.Value { return r.host.globals[name] })
	}
	m.SetFinished(r.finished)
	return m.Computation(fn)
}

// finished returns the globals of the file of a function, if it is a module that has run
// to its end.
func (r *run) finished(fn *starlark.Function) starlark.StringDict {
	u := r.units[fn.Position().Filename()]
	if u == nil || u.program != fn.Module().Program() {
		return nil
	}
	return r.modules[u]
}

// noteProgram remembers that what runs is a part of the input that is being
// evaluated. The interpreter makes a program of every statement of an input, and
// the name of a file may be given twice.
func (r *run) noteProgram(thread *starlark.Thread) {
	if r.live == nil || r.unit == nil || r.unit.compiled == nil || thread.CallStackDepth() == 0 {
		return
	}
	if fn, ok := thread.DebugFrame(thread.CallStackDepth() - 1).Callable().(*starlark.Function); ok {
		r.unit.adopt(fn)
	}
}

// adopt notes that a function is one of the input.
func (u *unit) adopt(fn *starlark.Function) {
	if fn.Position().Filename() != u.file {
		return
	}
	if u.programs == nil {
		u.programs = map[*starlark.Program]bool{}
	}
	u.programs[fn.Module().Program()] = true
}

// operations are those on dice that compiled functions ask for.
type operations struct {
	*value.DiceOperations
	run *run
}

// Dice returns the value of a dice literal.
func (o *operations) Dice(literal any) (starlark.Value, error) {
	return o.run.Literal(literal.(*notation.Literal))
}

// Beside returns the operations for another goroutine, which only has the literals that
// the run has made so far.
func (o *operations) Beside(thread *starlark.Thread) compiled.Host {
	return &operationsBeside{operations{value.Operations(thread), o.run}}
}

// operationsBeside are operations beside a run that waits for them.
type operationsBeside struct{ operations }

var errNotMade = errors.New("the run has not made it yet")

// Dice returns the value of a dice literal that the run has made before.
func (o *operationsBeside) Dice(literal any) (starlark.Value, error) {
	if v, ok := o.run.values.of(literal.(*notation.Literal).Text); ok {
		return v, nil
	}
	return nil, errNotMade
}

// compiledForm is the compiled form of a function, of whichever file.
func (r *run) compiledForm(fn *starlark.Function) *compiled.Function {
	u := r.units[fn.Position().Filename()]
	if u == nil || u.compiled == nil {
		return nil
	}
	if p := fn.Module().Program(); u.program != p && !u.programs[p] {
		return nil
	}
	return u.compiled.At(fn)
}

// A FunctionForm says how a function of a recipe is run when a builtin calls it.
type FunctionForm struct {
	Name     string // "lambda" for one without a name
	Position Position
	// Interpreted says why the interpreter makes every call, as in "line 5: it
	// makes a dict"; it is "" for a function that is compiled.
	Interpreted string
	// Gaps are the parts of a compiled function that are left to the interpreter:
	// it makes the calls that come to one. Calls that end in a failure are not
	// told.
	Gaps []string
}

// Functions says of each function of the recipe, in the order of its text, whether
// it is compiled for the builtins that call it many times, such as map. Calls that
// the recipe makes itself, and those of functions that are not compiled, are made
// by the interpreter; results are the same.
func (p *Program) Functions() []FunctionForm {
	if p.main.compiled == nil {
		return nil
	}
	var forms []FunctionForm
	for _, f := range p.main.compiled.Functions() {
		form := FunctionForm{
			Name: f.Name, Interpreted: f.Declined(),
			Position: Position{p.main.file, int(f.Pos.Line), int(f.Pos.Col)},
		}
		for _, gap := range f.Gaps() {
			if !gap.Fails {
				form.Gaps = append(form.Gaps, fmt.Sprintf("line %d: %s", gap.Pos.Line, gap.Reason))
			}
		}
		forms = append(forms, form)
	}
	return forms
}
