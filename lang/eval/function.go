package eval

import (
	"fmt"
	"hash/fnv"
	"sync"
	"sync/atomic"

	"dicescript/builtins/slot"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A definition is a def or a lambda of a file, or the file's top level. It is compiled
// when it is first called. It is immutable and may be shared.
type definition struct {
	file     *File
	name     string
	pos      syntax.Position
	resolved *resolve.Function
	toplevel bool

	params   []string // without the stars, in the order of their variables
	ordinary int      // parameters that are neither *args nor **kwargs
	keywords int      // of these the last so many are given by name only
	varargs  bool
	kwargs   bool
	doc      string

	once, onceStepped sync.Once
	looked            sync.Once
	seen              *effects
	compiled, stepped atomic.Pointer[code]
}

// A code is what a definition is compiled to.
type code struct {
	body   []stmt
	slots  int
	unset  []int // variables that may be used before they have a value
	cells  []int // variables that functions inside use
	levels int   // of Go's stack that a call takes at most, without those that it makes
	at     place // of the definition
	parts  []int // of a top level: where its statements begin, and where the last one ends

	alive [][]int32 // of code that is played: the variables that are read from each place on; nil where it is too long
}

// code is what the definition is compiled to.
func (d *definition) code() *code {
	if c := d.compiled.Load(); c != nil {
		return c
	}
	d.once.Do(func() { d.compiled.Store(compile(d, false)) })
	return d.compiled.Load()
}

// steps is what the definition is compiled to where it is played.
func (d *definition) steps() (*code, error) {
	c := d.stepped.Load()
	if c == nil {
		d.onceStepped.Do(func() { d.stepped.Store(compile(d, true)) })
		c = d.stepped.Load()
	}
	if c.alive == nil {
		return nil, fmt.Errorf("%s is too long to be played, with %d statements and %d variables: make several functions of it", d.name, len(c.body), c.slots)
	}
	return c, nil
}

// define makes the definition of a resolved function.
func (f *File) define(r *resolve.Function) *definition {
	d := &definition{
		file: f, name: r.Name, pos: r.Pos, resolved: r,
		keywords: r.NumKwonlyParams, varargs: r.HasVarargs, kwargs: r.HasKwargs,
	}
	n := len(r.Params)
	if r.NumKwonlyParams > 0 && !r.HasVarargs {
		n-- // the * alone
	}
	for _, b := range r.Locals[:n] {
		d.params = append(d.params, b.First.Name)
	}
	if d.ordinary = n; d.varargs {
		d.ordinary--
	}
	if d.kwargs {
		d.ordinary--
	}
	d.doc = docOf(r.Body)
	return d
}

func docOf(body []syntax.Stmt) string {
	if len(body) == 0 {
		return ""
	}
	if s, ok := body[0].(*syntax.ExprStmt); ok {
		if l, ok := s.X.(*syntax.Literal); ok && l.Token == syntax.STRING {
			return l.Value.(string)
		}
	}
	return ""
}

// A Function is a function of a recipe: a definition with what it has captured.
type Function struct {
	def      *definition
	module   *Module
	defaults []starlark.Value // of the last ordinary parameters; nil for one that must be given
	free     []*cell
	frozen   bool
}

// Name is that of the def, or lambda.
func (f *Function) Name() string { return f.def.name }

// Doc is the text that describes the function.
func (f *Function) Doc() string { return f.def.doc }

// Defined is where the function stands.
func (f *Function) Defined() syntax.Position { return f.def.pos }

// Position is none: a function that a builtin of Starlark's calls is on the thread twice,
// as what that has called and as the frame inside of it, which knows where it is.
func (f *Function) Position() syntax.Position { return syntax.MakePosition(&nowhere, 0, 0) }

var nowhere = "<builtin>" // as Starlark has it

// NumParams is how many parameters the function has, *args and **kwargs among them.
func (f *Function) NumParams() int { return len(f.def.params) }

// NumKwonlyParams is how many of them are given by name only.
func (f *Function) NumKwonlyParams() int { return f.def.keywords }

// HasVarargs reports whether there is a parameter *args.
func (f *Function) HasVarargs() bool { return f.def.varargs }

// HasKwargs reports whether there is a parameter **kwargs.
func (f *Function) HasKwargs() bool { return f.def.kwargs }

// Param returns the name of a parameter and where it stands.
func (f *Function) Param(i int) (string, syntax.Position) {
	return f.def.params[i], f.def.resolved.Locals[i].First.NamePos
}

// ParamDefault returns the default of a parameter, nil where it has none.
func (f *Function) ParamDefault(i int) starlark.Value {
	i -= f.def.ordinary - len(f.defaults)
	if i < 0 || i >= len(f.defaults) {
		return nil
	}
	return f.defaults[i]
}

// NumFreeVars is how many variables of functions around it the function uses.
func (f *Function) NumFreeVars() int { return len(f.free) }

// Module is what the function was defined in.
func (f *Function) Module() *Module { return f.module }

// Home is the module, for whoever knows no modules.
func (f *Function) Home() any { return f.module }

// Globals are those of the module as they are.
func (f *Function) Globals() starlark.StringDict { return f.module.Globals() }

// Captured are the values that the function holds: defaults and variables of functions
// around it.
func (f *Function) Captured() []starlark.Value {
	var values []starlark.Value
	for _, v := range f.defaults {
		if v != nil {
			values = append(values, v)
		}
	}
	for _, c := range f.free {
		if _, none := c.value.V.(unset); !none {
			values = append(values, c.value.Starlark())
		}
	}
	return values
}

// CallInternal calls the function; starlark.Call has pushed it.
func (f *Function) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	m := machineOf(thread)
	if m == nil {
		return nil, errNoRun
	}
	v := m.Call(f, args, kwargs)
	if isFailed(v) {
		return nil, m.takeError()
	}
	return v.Starlark(), nil
}

func (f *Function) String() string       { return "<function " + f.def.name + ">" }
func (f *Function) Type() string         { return "function" }
func (f *Function) Truth() starlark.Bool { return true }

// Freeze makes what the function has captured immutable.
func (f *Function) Freeze() {
	if f.frozen { // also one that it has captured itself
		return
	}
	f.frozen = true
	for _, v := range f.defaults {
		if v != nil {
			v.Freeze()
		}
	}
	for _, c := range f.free {
		if c.value.V != nil {
			c.value.V.Freeze()
		}
	}
}

// Hash is that of the name, as Starlark has it.
func (f *Function) Hash() (uint32, error) {
	h := fnv.New32a()
	h.Write([]byte(f.def.name))
	return h.Sum32(), nil
}

var (
	_ starlark.Callable = (*Function)(nil)
	_ starlark.Callable = (*frame)(nil)
	_ slot.Value
)
