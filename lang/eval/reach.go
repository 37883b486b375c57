package eval

import (
	"maps"
	"math/bits"
	"slices"

	"dicescript/builtins/slot"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// What the inputs of a recipe reach is read off its text: of each statement of the top
// level, on which inputs its effect can depend, and whether what it did for some values of
// those can stand for doing it again. A statement depends on the inputs that it asks for,
// and through each global that it mentions on those of all statements that assign that
// global; the functions in a statement are part of it. Lists, dicts and sets are shared by
// the globals that hold them, so what one statement may change counts for all globals that
// it can come to.

// Inputs is a set of the inputs that differ from run to run, by their numbers.
type Inputs uint64

// MostInputs is how many inputs such a set can tell apart.
const MostInputs = 64

// Has reports whether the set has an input.
func (in Inputs) Has(i int) bool { return in>>i&1 != 0 }

// Len is how many inputs the set has.
func (in Inputs) Len() int { return bits.OnesCount64(uint64(in)) }

// A Part is a statement of the top level.
type Part struct {
	Inputs Inputs // on which it can depend
	Again  bool   // it is executed in every run, whatever the inputs

	binds  []int // globals that it may assign
	shared bool  // those may hold what another statement changes
	guards []guard
}

// A guard is a global that was taken to hold nothing that can be changed.
type guard struct {
	at    int  // in binds
	inert bool // and that calls nothing
}

// A Reach says what the inputs reach in the top level of a file.
type Reach struct {
	parts []partEffects
	names []nameEffects // by global
}

type partEffects struct {
	effects
	asks  Inputs
	binds map[int]bool
	reads map[int]bool
	loads bool // functions of modules, which may change what they are given
}

type nameEffects struct {
	binders []int // statements
}

// Reach reads the top level. input is the number of the input that a call of param asks
// for, negative for one that is the same in all runs.
func (f *File) Reach(input func(*syntax.CallExpr) int) *Reach {
	r := &Reach{names: make([]nameEffects, len(f.globals))}
	for i, s := range f.toplevel.resolved.Body {
		p := f.partEffects(s, input)
		for g := range p.binds {
			r.names[g].binders = append(r.names[g].binders, i)
		}
		r.parts = append(r.parts, p)
	}
	return r
}

// partEffects reads one statement.
func (f *File) partEffects(s syntax.Stmt, input func(*syntax.CallExpr) int) partEffects {
	p := partEffects{
		effects: effects{globals: map[int]bool{}, called: map[*resolve.Binding]bool{}, used: map[*resolve.Binding]bool{}},
		binds:   map[int]bool{}, reads: map[int]bool{},
	}
	assigned := map[*syntax.Ident]bool{}
	bind := func(id *syntax.Ident) {
		assigned[id] = true
		if b, ok := id.Binding.(*resolve.Binding); ok && b.Scope == resolve.Global {
			p.binds[b.Index] = true
		}
	}
	syntax.Walk(s, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignStmt:
			p.assigns(n)
			dicesyntax.EachTarget(n.LHS, bind)
			if n.Op != syntax.EQ {
				dicesyntax.EachTarget(n.LHS, func(id *syntax.Ident) { delete(assigned, id) })
			}
		case *syntax.ForStmt:
			dicesyntax.EachTarget(n.Vars, bind)
		case *syntax.LoadStmt:
			p.loads = true
			for _, id := range n.To {
				bind(id)
			}
		case *syntax.DefStmt:
			bind(n.Name)
		case *syntax.CallExpr:
			switch fn := n.Fn.(type) {
			case *syntax.Ident:
				if fn.Name == "param" && f.isStandard(fn) {
					if i := input(n); i >= 0 {
						p.asks |= 1 << i
					}
				}
			case *syntax.DotExpr:
			default:
				p.changes = true // it calls what may be a method
			}
		case *syntax.DotExpr:
			p.changes = p.changes || changesReceiver(n.Name.Name)
		case *syntax.Ident:
			p.mentions(f, n, assigned[n])
		}
		return true
	})
	switch s.(type) {
	case *syntax.IfStmt, *syntax.ForStmt, *syntax.WhileStmt:
		for g := range p.binds {
			p.reads[g] = true // it may leave what was there
		}
	}
	return p
}

// mentions notes a name of a statement.
func (p *partEffects) mentions(f *File, id *syntax.Ident, assigned bool) {
	b, ok := id.Binding.(*resolve.Binding)
	if !ok {
		return
	}
	switch b.Scope {
	case resolve.Global:
		if !assigned {
			p.reads[b.Index] = true
		}
	case resolve.Predeclared:
		if f.literals[id.Name] == nil && !Internal(id.Name) && !f.options.Standard(id.Name) {
			p.strange = true // only the host knows what it does
		}
	case resolve.Universal:
		if id.Name == "getattr" {
			p.changes = true // it may get a method
		}
	}
}

// closure is all globals that a statement can come to from those that it reads, and whether
// it, or a function that it comes to, may change a list, a dict or a set. From a global that
// is inert nothing else is come to.
func (r *Reach) closure(p *partEffects, inert []bool) (closed map[int]bool, changes bool) {
	changes = p.changes || p.extends
	closed = map[int]bool{}
	var visit func(g int)
	visit = func(g int) {
		if closed[g] || inert[g] {
			return
		}
		closed[g] = true
		for _, i := range r.names[g].binders {
			q := &r.parts[i]
			changes = changes || q.changes || q.extends || q.loads
			for h := range q.reads {
				visit(h)
			}
			for h := range q.binds {
				visit(h)
			}
		}
	}
	for g := range p.reads {
		visit(g)
	}
	return closed, changes
}

// Parts says of each statement on what it depends. after is a module of the file whose top
// level has been executed, which tells what is likely to hold nothing that can be changed;
// it may be nil. A part that then assigns something else [Module.Breaks] that.
func (r *Reach) Parts(after *Module) []Part {
	depends := make([]Inputs, len(r.names)) // of the globals
	again := make([]bool, len(r.names))
	parts := make([]Part, len(r.parts))
	for i := range r.parts {
		p := &r.parts[i]
		parts[i] = Part{Inputs: p.asks, Again: p.strange, binds: slices.Sorted(maps.Keys(p.binds))}
	}
	r.spread(parts, depends, again)
	fixed := make([]bool, len(r.names)) // globals that hold what nothing can change
	inert := make([]bool, len(r.names)) // and that calls nothing
	if after != nil {
		for g := range r.names {
			v := *after.globals[g]
			fixed[g] = !again[g] && isUnchanging(v, after)
			inert[g] = fixed[g] && isInert(v)
		}
	}
	touched := make([]bool, len(r.names)) // globals that hold what a statement may change
	for i := range r.parts {
		closed, changes := r.closure(&r.parts[i], inert)
		if !changes {
			continue
		}
		for g := range closed {
			touched[g] = true
			again[g] = again[g] || !fixed[g]
		}
	}
	r.spread(parts, depends, again)
	for i := range parts {
		for at, g := range parts[i].binds {
			parts[i].shared = parts[i].shared || touched[g] || inert[g]
			if fixed[g] {
				parts[i].guards = append(parts[i].guards, guard{at, inert[g]})
			}
		}
	}
	return parts
}

// spread carries dependence from statements to the globals that they assign, and on to
// the statements that mention those.
func (r *Reach) spread(parts []Part, depends []Inputs, again []bool) {
	for changed := true; changed; {
		changed = false
		for i := range parts {
			p := &parts[i]
			before := *p
			for g := range r.parts[i].reads {
				p.Inputs |= depends[g]
				p.Again = p.Again || again[g]
			}
			for _, g := range p.binds {
				p.Again = p.Again || again[g]
				if depends[g]|p.Inputs != depends[g] || p.Again && !again[g] {
					depends[g] |= p.Inputs
					again[g] = again[g] || p.Again
					changed = true
				}
			}
			changed = changed || p.Inputs != before.Inputs || p.Again != before.Again
		}
	}
}

// isFixed reports whether nothing can change a value, nor what it does: a number, a roll,
// a function of a module.
func isFixed(v slot.Value, of *Module) bool {
	switch x := v.V.(type) {
	case nil:
		return true
	case *Function:
		return x.frozen && x.module != of
	case *starlark.Builtin:
		return x.Receiver() == nil
	case starlark.Tuple:
		for _, y := range x {
			if !isFixed(slot.Of(y), of) {
				return false
			}
		}
		return true
	}
	return isLasting(v.V)
}

// isUnchanging reports whether nothing can change a value, a function of the file itself
// among them, which is made anew in each run.
func isUnchanging(v slot.Value, of *Module) bool {
	f, ok := v.V.(*Function)
	if !ok {
		return isFixed(v, of)
	}
	for _, d := range f.defaults {
		if d != nil && !isFixed(slot.Of(d), of) {
			return false
		}
	}
	return len(f.free) == 0
}

// isInert reports whether a value, which nothing can change, holds nothing that can be
// called.
func isInert(v slot.Value) bool {
	switch x := v.V.(type) {
	case starlark.Callable:
		return false
	case starlark.Tuple:
		for _, y := range x {
			if !isInert(slot.Of(y)) {
				return false
			}
		}
	}
	return true
}

// isKept reports whether a value can stand for what a later run would make. Lists, dicts
// and sets are frozen for that: nothing that a part may come to changes them.
func isKept(v slot.Value, of *Module) bool {
	switch x := v.V.(type) {
	case *starlark.List:
		for i := range x.Len() {
			if !isKept(slot.Of(x.Index(i)), of) {
				return false
			}
		}
		x.Freeze()
		return true
	case *starlark.Dict:
		for _, item := range x.Items() {
			if !isKept(slot.Of(item[0]), of) || !isKept(slot.Of(item[1]), of) {
				return false
			}
		}
		x.Freeze()
		return true
	case *starlark.Set:
		x.Freeze() // its elements are keys
		return true
	case starlark.Tuple:
		for _, y := range x {
			if !isKept(slot.Of(y), of) {
				return false
			}
		}
		return true
	}
	return isFixed(v, of)
}

// Values returns the values of the globals that a part may have assigned.
func (m *Module) Values(p *Part) []slot.Value {
	values := make([]slot.Value, len(p.binds))
	for i, g := range p.binds {
		values[i] = *m.globals[g]
	}
	return values
}

// Breaks reports whether the part has assigned what can be changed where that was not to be
// expected: the run must be made again by itself.
func (m *Module) Breaks(p *Part) bool {
	for _, g := range p.guards {
		if v := *m.globals[p.binds[g.at]]; !isUnchanging(v, m) || g.inert && !isInert(v) {
			return true
		}
	}
	return false
}

// Keeps reports whether values that a part has assigned can stand for those of another run
// with the same inputs. Lists, dicts and sets among them are frozen.
func (m *Module) Keeps(p *Part, values []slot.Value) bool {
	if p.Again {
		return false
	}
	for _, v := range values {
		if keeps := isFixed(v, m) || !p.shared && isKept(v, m); !keeps {
			return false
		}
	}
	return true
}

// Assign gives the globals of a part the values that another run has had for them.
func (m *Module) Assign(p *Part, values []slot.Value) {
	for i, g := range p.binds {
		*m.globals[g] = values[i]
	}
}

// ExecuteParts runs the top level of a module; skip is asked before each statement
// whether its effect has been had otherwise, and once more at the end, with the number of
// statements.
func (m *Machine) ExecuteParts(mod *Module, skip func(part int) bool) error {
	fr := m.enter(&Function{def: mod.file.toplevel, module: mod})
	fr.skip = skip
	v := m.run(fr)
	if isFailed(v) {
		return m.takeError()
	}
	return nil
}

// runParts executes the body of the top level statement by statement, and returns where
// to go on.
func (fr *frame) runParts() int {
	body, parts := fr.code.body, fr.code.parts
	skip := fr.skip
	for i, start := range parts[:len(parts)-1] {
		if skip(i) {
			continue
		}
		pc, end := start, parts[i+1]
		for pc >= 0 && pc != end {
			pc = body[pc](fr)
		}
		if pc < 0 {
			return pc
		}
	}
	skip(len(parts) - 1)
	return parts[len(parts)-1]
}
