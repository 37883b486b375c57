package lint

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"go.starlark.net/syntax"
)

// Steps of a scale that nothing reaches: the early steps catch first, then the
// others in their order, so that a step whose results are all caught by steps
// before it never comes up.

// scales looks at every scale that is written in one chain of .step calls.
func (c *checker) scales() {
	inner := map[syntax.Expr]bool{}
	syntax.Walk(c.file, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok || inner[call] {
			return true
		}
		if steps := c.steps(call, inner); len(steps) > 1 {
			c.reach(steps)
		}
		return true
	})
}

// A step is one call of .step with a band that is written out.
type step struct {
	at      syntax.Position
	label   string
	catches []interval
	known   bool // whether what it catches is written out
	early   bool
}

// steps reads a chain that begins with scale(), first step first; nil when
// the call is none. inner gets the calls further in.
func (c *checker) steps(call *syntax.CallExpr, inner map[syntax.Expr]bool) []step {
	var steps []step
	for {
		dot, ok := call.Fn.(*syntax.DotExpr)
		if !ok {
			id, ok := call.Fn.(*syntax.Ident)
			if !ok || id.Name != "scale" || c.names.binds("scale") {
				return nil
			}
			slices.Reverse(steps)
			return steps
		}
		next, ok := dot.X.(*syntax.CallExpr)
		if !ok || dot.Name.Name != "step" {
			return nil
		}
		steps = append(steps, c.step(call))
		inner[next] = true
		call = next
	}
}

func (c *checker) step(call *syntax.CallExpr) step {
	s := step{known: true}
	s.at, _ = call.Fn.(*syntax.DotExpr).Name.Span()
	for i, arg := range call.Args {
		name := []string{"label", "band", "early"}[min(i, 2)]
		if named, ok := arg.(*syntax.BinaryExpr); ok && named.Op == syntax.EQ {
			name, arg = named.X.(*syntax.Ident).Name, named.Y
		}
		switch name {
		case "label":
			if l, ok := arg.(*syntax.Literal); ok {
				s.label, _ = l.Value.(string)
				s.at = l.TokenPos
			}
		case "early":
			id, ok := arg.(*syntax.Ident)
			s.known = s.known && ok && (id.Name == "True" || id.Name == "False")
			s.early = ok && id.Name == "True"
		case "band":
			catches, ok := c.band(arg)
			s.catches = catches
			s.known = s.known && ok
		}
	}
	return s
}

// reach reports the steps that catch nothing.
func (c *checker) reach(steps []step) {
	for _, s := range steps {
		if !s.known {
			return // it may catch anything, or be early
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int {
		return cmp.Compare(btoi(b.early), btoi(a.early))
	})
	var caught []interval
	for _, s := range steps {
		if len(s.catches) > 0 && covered(s.catches, caught) {
			c.add(s.at, "%q is never reached: earlier steps catch all of its results", s.label)
		}
		caught = append(caught, s.catches...)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// An interval is the whole numbers from lo to hi.
type interval struct{ lo, hi int }

// covered reports whether all numbers of some intervals are in others.
func covered(some, others []interval) bool {
	sorted := slices.SortedFunc(slices.Values(others), func(a, b interval) int { return cmp.Compare(a.lo, b.lo) })
	for _, s := range some {
		if !inside(s, sorted) {
			return false
		}
	}
	return true
}

// inside reports whether the intervals, sorted by their lower ends, hold all
// numbers of s.
func inside(s interval, sorted []interval) bool {
	next := s.lo
	for _, o := range sorted {
		switch {
		case o.lo > next || o.hi < next:
		case o.hi >= s.hi:
			return true
		default:
			next = o.hi + 1
		}
	}
	return false
}

// band reads what a step catches, when it is written out.
func (c *checker) band(x syntax.Expr) ([]interval, bool) {
	if n, ok := integer(x); ok {
		return []interval{{n, n}}, true
	}
	switch x := x.(type) {
	case *syntax.ParenExpr:
		return c.band(x.X)
	case *syntax.ListExpr:
		var all []interval
		for _, y := range x.List {
			n, ok := integer(y)
			if !ok {
				return nil, false
			}
			all = append(all, interval{n, n})
		}
		return all, true
	case *syntax.Ident:
		if l, ok := c.literals[x.Name]; ok && l.Range != nil {
			i := interval{math.MinInt, math.MaxInt}
			if l.Range.Lo != nil {
				i.lo = *l.Range.Lo
			}
			if l.Range.Hi != nil {
				i.hi = *l.Range.Hi
			}
			return []interval{i}, true
		}
		return nil, x.Name == "None"
	case *syntax.CallExpr:
		return c.bandCall(x)
	}
	return nil, false
}

// bandCall reads through(1, 2), at_least(1) and at_most(2).
func (c *checker) bandCall(x *syntax.CallExpr) ([]interval, bool) {
	fn, ok := x.Fn.(*syntax.Ident)
	if !ok || c.names.binds(fn.Name) {
		return nil, false
	}
	var ns []int
	for _, arg := range x.Args {
		n, ok := integer(arg)
		if !ok {
			return nil, false
		}
		ns = append(ns, n)
	}
	switch {
	case fn.Name == "through" && len(ns) == 2:
		return []interval{{ns[0], ns[1]}}, true
	case fn.Name == "at_least" && len(ns) == 1:
		return []interval{{ns[0], math.MaxInt}}, true
	case fn.Name == "at_most" && len(ns) == 1:
		return []interval{{math.MinInt, ns[0]}}, true
	}
	return nil, false
}

func integer(x syntax.Expr) (int, bool) {
	switch x := x.(type) {
	case *syntax.Literal:
		switch v := x.Value.(type) {
		case int64:
			return int(v), true
		case *big.Int:
			return 0, false
		}
	case *syntax.UnaryExpr:
		if x.X == nil {
			return 0, false
		}
		n, ok := integer(x.X)
		return -n, ok && x.Op == syntax.MINUS
	}
	return 0, false
}
