package compiled

import (
	"slices"

	"dicescript/builtins/small"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Projection: a rule that is shown a sorted list of faces may look at it only in
// fixed places, a[-1] or a[:2], at its length, its sum, or at how many faces are
// among some. Lists that agree in that are one to the rule. What a rule sees is
// read off its text: every use of the parameter must be one of these.

// A sightseer goes through a function and notes how a parameter is looked at.
type sightseer struct {
	c    *compiler
	name string
	view dist.View
	all  bool // it is looked at in another way
}

// maxPlaces is how many places a slice may have to be seen as places.
const maxPlaces = 4

// viewsOf returns for each parameter what the function sees of a list of faces,
// nil for one of which it may see everything.
func viewsOf(c *compiler, params []*syntax.Ident, body []syntax.Stmt) []*dist.View {
	views := make([]*dist.View, len(params))
	for i, id := range params {
		s := &sightseer{c: c, name: id.Name}
		for _, stmt := range body {
			s.visit(stmt)
		}
		if !s.all {
			views[i] = &s.view
		}
	}
	return views
}

func (s *sightseer) visit(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if n == nil || s.all {
			return false
		}
		switch n := n.(type) {
		case *syntax.Ident:
			s.all = s.all || n.Name == s.name
		case *syntax.DotExpr:
			s.visit(n.X) // and not the name after the dot
			return false
		case *syntax.BinaryExpr:
			return !s.membership(n)
		case *syntax.IndexExpr:
			return !s.place(n)
		case *syntax.SliceExpr:
			return !s.places(n)
		case *syntax.CallExpr:
			return !s.call(n)
		}
		return true
	})
}

// is reports whether x is the parameter.
func (s *sightseer) is(x syntax.Expr) bool {
	id, ok := unparen(x).(*syntax.Ident)
	return ok && id.Name == s.name
}

// place notes a[3] or a[-1]. Each of these reports whether it has taken note of
// all that is in an expression.
func (s *sightseer) place(x *syntax.IndexExpr) bool {
	n, ok := literalInt(x.Y)
	if !s.is(x.X) || !ok || n < -1<<20 || n > 1<<20 {
		return false
	}
	s.see(int(n))
	return true
}

func (s *sightseer) see(place int) {
	if !slices.Contains(s.view.Places, place) {
		s.view.Places = append(s.view.Places, place)
	}
}

// places notes a[:2] or a[-2:].
func (s *sightseer) places(x *syntax.SliceExpr) bool {
	if !s.is(x.X) || x.Step != nil {
		return false
	}
	switch {
	case x.Lo == nil && x.Hi != nil:
		if n, ok := literalInt(x.Hi); ok && n >= 0 && n <= maxPlaces {
			for p := range int(n) {
				s.see(p)
			}
			return true
		}
	case x.Lo != nil && x.Hi == nil:
		if n, ok := literalInt(x.Lo); ok && n < 0 && n >= -maxPlaces {
			for p := int(n); p < 0; p++ {
				s.see(p)
			}
			return true
		}
	}
	return false
}

// membership notes 6 in a.
func (s *sightseer) membership(x *syntax.BinaryExpr) bool {
	if x.Op != syntax.IN && x.Op != syntax.NOT_IN || !s.is(x.Y) {
		return false
	}
	n, ok := literalInt(x.X)
	if ok {
		s.count(dist.Only(int(n)))
	}
	return ok
}

func (s *sightseer) count(set dist.Set) {
	if !slices.ContainsFunc(s.view.Counts, func(t dist.Set) bool { return t.String() == set.String() }) {
		s.view.Counts = append(s.view.Counts, set)
	}
}

// call notes len(a), sum(a), max(a), min(a), and how many faces are among some.
func (s *sightseer) call(x *syntax.CallExpr) bool {
	fn, ok := x.Fn.(*syntax.Ident)
	if !ok || len(x.Args) != 1 || !s.c.standard(fn.Name) {
		return false
	}
	if s.is(x.Args[0]) {
		switch fn.Name {
		case "len", "bool": // a pool has so many dice
			return true
		case "sum":
			s.view.Sum = true
			return true
		case "max":
			s.see(-1)
			return true
		case "min":
			s.see(0)
			return true
		}
		return false
	}
	if c, ok := unparen(x.Args[0]).(*syntax.Comprehension); ok && (fn.Name == "len" || fn.Name == "sum") {
		return s.counting(fn.Name, c)
	}
	return false
}

// counting notes len([x for x in a if x >= 5]) and sum([1 for x in a if x == 6]).
func (s *sightseer) counting(fn string, x *syntax.Comprehension) bool {
	if x.Curly || len(x.Clauses) != 2 {
		return false
	}
	each, isFor := x.Clauses[0].(*syntax.ForClause)
	filter, isIf := x.Clauses[1].(*syntax.IfClause)
	if !isFor || !isIf || !s.is(each.X) {
		return false
	}
	face, ok := unparen(each.Vars).(*syntax.Ident)
	if !ok || face.Name == s.name {
		return false
	}
	_, isNumber := literalInt(x.Body)
	body, isIdent := unparen(x.Body).(*syntax.Ident)
	if !isNumber && !(fn == "len" && isIdent && body.Name == face.Name) {
		return false
	}
	set, ok := s.among(filter.Cond, face.Name)
	if ok {
		s.count(set)
	}
	return ok
}

// among returns the set of faces for which a condition on a face holds.
func (s *sightseer) among(cond syntax.Expr, face string) (dist.Set, bool) {
	x, ok := unparen(cond).(*syntax.BinaryExpr)
	if !ok {
		return dist.Set{}, false
	}
	if id, ok := unparen(x.X).(*syntax.Ident); !ok || id.Name != face {
		return dist.Set{}, false
	}
	if x.Op == syntax.IN || x.Op == syntax.NOT_IN {
		set, ok := s.collection(x.Y)
		if x.Op == syntax.NOT_IN {
			set = set.Not()
		}
		return set, ok
	}
	n, ok := literalInt(x.Y)
	if !ok || n < -1<<40 || n > 1<<40 {
		return dist.Set{}, false
	}
	k := int(n)
	switch x.Op {
	case syntax.EQL:
		return dist.Only(k), true
	case syntax.NEQ:
		return dist.Only(k).Not(), true
	case syntax.LT:
		return dist.UpTo(k - 1), true
	case syntax.LE:
		return dist.UpTo(k), true
	case syntax.GT:
		return dist.From(k + 1), true
	case syntax.GE:
		return dist.From(k), true
	}
	return dist.Set{}, false
}

// collection is a written-out range or list of numbers as a set.
func (s *sightseer) collection(x syntax.Expr) (dist.Set, bool) {
	var list []syntax.Expr
	switch x := unparen(x).(type) {
	case *syntax.Ident:
		if m, _ := s.c.meaningOf(x.Name); m != predefined {
			return dist.Set{}, false
		}
		lo, hi, ok := s.c.options.Range(x.Name)
		if !ok {
			return dist.Set{}, false
		}
		switch {
		case lo == nil:
			return dist.UpTo(*hi), true
		case hi == nil:
			return dist.From(*lo), true
		}
		set, err := dist.Through(*lo, *hi)
		return set, err == nil
	case *syntax.ListExpr:
		list = x.List
	case *syntax.TupleExpr:
		list = x.List
	}
	values := numbersOf(list)
	if values == nil {
		return dist.Set{}, false
	}
	numbers := make([]int, len(values))
	for i, v := range values {
		numbers[i] = int(v.N)
	}
	return dist.Only(numbers...), true
}

// literalInt is a written-out whole number.
func literalInt(x syntax.Expr) (int64, bool) {
	values := numbersOf([]syntax.Expr{x})
	if values == nil {
		return 0, false
	}
	return values[0].N, true
}

// Views returns for each parameter what the function sees of a list of faces, nil
// for one of which it may see everything; nil when what it does in a call might be
// noticed by others, so that each has to be made.
func (b *Bound) Views(m *Machine) []*dist.View {
	if !b.plain(m, map[*Bound]bool{}) {
		return nil
	}
	for _, v := range b.fn.views {
		if v != nil {
			return b.fn.views
		}
	}
	return nil
}

// plain reports whether a function, and all that it may call, leaves nothing to
// the interpreter but to fail.
func (b *Bound) plain(m *Machine, seen map[*Bound]bool) bool {
	if seen[b] {
		return true
	}
	seen[b] = true
	for _, gap := range b.fn.except {
		if !gap.Fails {
			return false
		}
	}
	if b.fn.touches || b.fn.extends && b.holdsChanging() {
		return false
	}
	for _, i := range b.fn.called {
		fn, ok := function(b.captured[i])
		if !ok {
			return false
		}
		callee := m.bind(fn, b.binding)
		if callee == nil || !callee.plain(m, seen) {
			return false
		}
	}
	return true
}

// holdsChanging reports whether a function has captured what may be changed.
func (b *Bound) holdsChanging() bool {
	for _, v := range b.captured {
		switch v.Kind() {
		case small.List, small.Tuple:
			return true
		case small.Other:
			switch v.R.Other.(type) {
			case *starlark.Builtin, *starlark.Function:
			default:
				return true
			}
		}
	}
	return false
}
