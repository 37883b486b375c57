package eval

import (
	"dicescript/builtins/value"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// What a function may do besides computing its value is read off its text, with what it
// has captured when it is asked. A function that is pure can be called more or less often
// than its author wrote, and the lists that it is given are its caller's again afterwards.

// effects are what the text of a definition may do, with the functions inside of it.
type effects struct {
	inner   bool // it makes functions
	changes bool // it may change a list, a dict or a set
	extends bool // it has += or |=, which change a list or a dict
	strange bool // it calls what has no name that can be looked up, or shows something
	speaks  bool // it has a builtin that does more than to compute its value

	globals map[int]bool // that it uses
	called  map[*resolve.Binding]bool
	used    map[*resolve.Binding]bool // captured names that are used but not called
}

// effects of the definition.
func (d *definition) effects() *effects {
	d.looked.Do(func() { d.seen = effectsOf(d) })
	return d.seen
}

func effectsOf(d *definition) *effects {
	e := &effects{globals: map[int]bool{}, called: map[*resolve.Binding]bool{}, used: map[*resolve.Binding]bool{}}
	called := map[*syntax.Ident]bool{}
	visit := func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt, *syntax.LambdaExpr:
			e.inner = true
		case *syntax.AssignStmt:
			e.assigns(n)
		case *syntax.DotExpr:
			syntax.Walk(n.X, func(n syntax.Node) bool { return e.visit(d.file, n, called) })
			return false
		}
		return e.visit(d.file, n, called)
	}
	for _, s := range d.resolved.Body {
		syntax.Walk(s, visit)
	}
	return e
}

// assigns notes what an assignment changes.
func (e *effects) assigns(s *syntax.AssignStmt) {
	e.extends = e.extends || s.Op == syntax.PLUS_EQ || s.Op == syntax.PIPE_EQ
	syntax.Walk(s.LHS, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.IndexExpr, *syntax.DotExpr:
			e.changes = true
		}
		return true
	})
}

// visit notes calls and names.
func (e *effects) visit(f *File, n syntax.Node, called map[*syntax.Ident]bool) bool {
	switch n := n.(type) {
	case *syntax.AssignStmt:
		e.assigns(n)
	case *syntax.DefStmt, *syntax.LambdaExpr:
		e.inner = true
	case *syntax.CallExpr:
		switch fn := n.Fn.(type) {
		case *syntax.Ident:
			called[fn] = true
		case *syntax.DotExpr:
			e.changes = e.changes || changesReceiver(fn.Name.Name)
		default:
			e.strange = true
		}
	case *syntax.DotExpr:
		syntax.Walk(n.X, func(n syntax.Node) bool { return e.visit(f, n, called) })
		return false
	case *syntax.Ident:
		e.name(f, n, called[n])
	}
	return true
}

// name notes the use of a name.
func (e *effects) name(f *File, id *syntax.Ident, called bool) {
	b, ok := id.Binding.(*resolve.Binding)
	if !ok {
		return // of an argument
	}
	switch b.Scope {
	case resolve.Predeclared:
		if f.literals[id.Name] != nil {
			return
		}
		switch id.Name {
		case "output", "param", "print", "play", "evidence":
			e.speaks = true
		}
		e.speaks = e.speaks || isWord(id.Name)
		e.speaks = e.speaks || !f.options.Standard(id.Name)
		return
	case resolve.Global:
		e.globals[b.Index] = true
	case resolve.Free:
	default:
		e.strange = e.strange || called
		return
	}
	if called {
		e.called[b] = true
	} else {
		e.used[b] = true
	}
}

// changesReceiver reports whether a method of this name changes a list, a dict or a set.
func changesReceiver(name string) bool {
	switch name {
	case "add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "setdefault", "update":
		return true
	}
	return false
}

// captured is what a name of the function means that it has captured.
func (f *Function) captured(b *resolve.Binding) starlark.Value {
	if b.Scope == resolve.Global {
		return f.module.globals[b.Index].Starlark()
	}
	if b.Index < len(f.free) {
		return f.free[b.Index].value.Starlark()
	}
	return starlark.None
}

// isPure reports whether the function, and all that it may call, does nothing but to
// compute its value, or to fail.
func (f *Function) isPure(seen map[*Function]bool) bool {
	if seen[f] {
		return true
	}
	seen[f] = true
	e := f.def.effects()
	if e.inner || e.changes || e.strange || e.speaks || e.extends && f.holdsChanging() {
		return false
	}
	for b := range e.used {
		if _, ok := f.captured(b).(starlark.Callable); ok {
			return false
		}
	}
	for b := range e.called {
		switch fn := f.captured(b).(type) {
		case *Function:
			if !fn.isPure(seen) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// holdsChanging reports whether the function has captured what += or |= could change.
func (f *Function) holdsChanging() bool {
	for b := range f.def.effects().used {
		switch v := f.captured(b).(type) {
		case starlark.Tuple:
			return true // of lists, perhaps
		default:
			if !isLasting(v) {
				return true
			}
		}
	}
	return false
}

// keeps reports whether the function may keep or change a list that it is given.
func (f *Function) keeps() bool {
	seen := map[*Function]bool{}
	if !f.isPure(seen) {
		return true
	}
	for called := range seen {
		if called.def.effects().extends {
			return true
		}
	}
	return false
}

// isLasting reports whether a value never changes, so that two goroutines may use it.
func isLasting(v starlark.Value) bool {
	switch v.(type) {
	case starlark.Int, starlark.Float, starlark.String, starlark.Bytes, starlark.Bool, starlark.NoneType, nothing, unset:
		return true
	}
	return value.IsLasting(v)
}
