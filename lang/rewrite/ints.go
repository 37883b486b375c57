package rewrite

import (
	"math/big"
	mathbits "math/bits"

	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/syntax"
)

// This file finds the names that only ever stand for whole numbers, wherever in
// the file they are bound, and how long those can get: counters, sums of such,
// remainders, the numbers of a range. Arithmetic and comparisons of those are left
// to Starlark.
//
// At first every name is taken for a number of no bits. What is assigned to a name
// makes it longer, or none, until nothing changes any more. What grows by its own
// length, as in n = n * n, ends as long as can be; but adding bounded numbers takes
// as many steps as there are.

// Bits are the length that a whole number can have at most.
type bits int

const (
	shortBits bits = 256     // so few that nothing needs to be looked at
	longBits  bits = 1 << 20 // any number
	notInt    bits = 1 << 21 // any value
	countBits bits = 50      // of how often anything can happen in a run
	wordBits  bits = 64
)

// A binding is one place where a name gets a value.
type binding struct {
	name  string
	adds  bool        // what is added to the name
	value syntax.Expr // nil: a value of so many bits
	bits  bits
}

// ints are what is known of the names and expressions of a file.
type ints struct {
	r        *rewriter
	bindings []binding
	names    map[string]bits
	known    map[syntax.Expr]bits // of those that are made of others
	visitor  func(syntax.Node)    // that is visit
}

// findInts looks through a file that has not been rewritten.
func (r *rewriter) findInts(f *syntax.File) {
	const passes, patient = 30, 4 // only a recipe that is written to need more does
	t := &ints{r: r, names: map[string]bits{}, known: map[syntax.Expr]bits{}}
	t.visitor = t.visit
	r.ints = t
	t.visit(f)
	for pass, changed := 0, true; changed; pass++ {
		changed = false
		clear(t.known)
		for _, b := range t.bindings {
			n := t.given(b)
			if pass > patient && n > t.names[b.name] {
				n = max(n, longBits)
			}
			if pass > passes {
				n = notInt
			}
			if n > t.names[b.name] {
				t.names[b.name], changed = n, true
			}
		}
	}
}

// given is what a binding gives its name.
func (t *ints) given(b binding) bits {
	switch {
	case t.r.options.Session || t.r.builtin(b.name): // may be something else elsewhere
		return notInt
	case b.value == nil:
		return b.bits
	case b.adds && t.bits(b.value) < longBits:
		return t.bits(b.value) + countBits
	}
	return t.bits(b.value)
}

// visit notes what a node and those below it bind.
func (t *ints) visit(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.AssignStmt:
		t.assigned(n)
	case *syntax.ForStmt:
		t.elements(n.Vars, n.X)
	case *syntax.ForClause:
		t.elements(n.Vars, n.X)
	case *syntax.LoadStmt:
		for _, id := range n.To {
			t.bind(id, binding{bits: notInt})
		}
	case *syntax.DefStmt:
		t.bind(n.Name, binding{bits: notInt})
		t.params(n.Params)
	case *syntax.LambdaExpr:
		t.params(n.Params)
	}
	dicesyntax.Each(n, t.visitor)
}

// params notes the parameters of a function, which can be anything.
func (t *ints) params(params []syntax.Expr) {
	for _, p := range params {
		switch p := p.(type) {
		case *syntax.BinaryExpr:
			t.bind(p.X, binding{bits: notInt})
		case *syntax.UnaryExpr:
			t.bind(p.X, binding{bits: notInt})
		default:
			t.bind(p, binding{bits: notInt})
		}
	}
}

// assigned notes x = y, x op= y, and x = x + y, which is x += y.
func (t *ints) assigned(s *syntax.AssignStmt) {
	name, isName := unparen(s.LHS).(*syntax.Ident)
	if !isName {
		t.bind(s.LHS, binding{value: s.RHS})
		return
	}
	b := binding{value: s.RHS}
	if op := s.Op - syntax.PLUS_EQ + syntax.PLUS; s.Op != syntax.EQ {
		b.adds = op == syntax.PLUS || op == syntax.MINUS
		if !b.adds {
			b.value = &syntax.BinaryExpr{X: name, Op: op, Y: s.RHS}
		}
	} else if sum, ok := unparen(s.RHS).(*syntax.BinaryExpr); ok && (sum.Op == syntax.PLUS || sum.Op == syntax.MINUS) {
		if id, ok := sum.X.(*syntax.Ident); ok && id.Name == name.Name {
			b = binding{adds: true, value: sum.Y}
		}
	}
	t.bind(name, b)
}

// elements notes what a loop over x binds.
func (t *ints) elements(vars, x syntax.Expr) {
	b := binding{bits: notInt}
	call, ok := unparen(x).(*syntax.CallExpr)
	if ok && t.calls(call, "enumerate") {
		if pair, ok := unparen(vars).(*syntax.TupleExpr); ok && len(pair.List) == 2 {
			t.bind(pair.List[0], binding{bits: wordBits})
			vars = pair.List[1]
		}
	} else if ok && t.calls(call, "range") || t.isRange(x) {
		b.bits = wordBits
	}
	t.bind(vars, b)
}

// isRange reports whether x is a range that is written out, as 1..6 is.
func (t *ints) isRange(x syntax.Expr) bool {
	id, ok := unparen(x).(*syntax.Ident)
	if !ok {
		return false
	}
	i, ok := t.r.literals[id.Name]
	return ok && t.r.code.Literals[i].Range != nil
}

// calls reports whether x calls Starlark's function of that name. What a name means
// in a session may change.
func (t *ints) calls(x *syntax.CallExpr, name string) bool {
	id, ok := x.Fn.(*syntax.Ident)
	return ok && id.Name == name && !t.r.bound[name] && !t.r.options.Own[name] && !t.r.options.Session
}

// bind notes a binding of a target.
func (t *ints) bind(to syntax.Expr, b binding) {
	var list []syntax.Expr
	switch to := unparen(to).(type) {
	case *syntax.Ident:
		b.name = to.Name
		t.bindings = append(t.bindings, b)
		return
	case *syntax.TupleExpr:
		list = to.List
	case *syntax.ListExpr:
		list = to.List
	}
	values, _ := b.value.(*syntax.TupleExpr)
	for i, x := range list {
		if values != nil && len(values.List) == len(list) {
			t.bind(x, binding{value: values.List[i]})
		} else {
			t.bind(x, binding{bits: notInt})
		}
	}
}

// isInt reports whether an expression that has not been rewritten can only be a
// whole number.
func (t *ints) isInt(x syntax.Expr) bool { return t.bits(x) < notInt }

// bits is how long the value of an expression can get.
func (t *ints) bits(x syntax.Expr) bits {
	switch x.(type) {
	case *syntax.BinaryExpr, *syntax.UnaryExpr, *syntax.CondExpr, *syntax.ParenExpr:
	default:
		return rounded(t.bitsOf(x))
	}
	b, ok := t.known[x]
	if !ok {
		b = rounded(t.bitsOf(x))
		t.known[x] = b
	}
	return b
}

// rounded takes what may get long for as long as can be.
func rounded(b bits) bits {
	if b > shortBits && b < notInt {
		return longBits
	}
	return b
}

func (t *ints) bitsOf(x syntax.Expr) bits {
	switch x := x.(type) {
	case *syntax.Literal:
		switch n := x.Value.(type) {
		case int64:
			return bits(mathbits.Len64(uint64(max(n, -n))))
		case *big.Int:
			return bits(n.BitLen())
		}
	case *syntax.ParenExpr:
		return t.bits(x.X)
	case *syntax.Ident:
		if t.r.bound[x.Name] {
			return t.names[x.Name]
		}
	case *syntax.UnaryExpr:
		if x.Op == syntax.MINUS || x.Op == syntax.TILDE || x.Op == syntax.PLUS {
			return t.bits(x.X) + 1
		}
	case *syntax.CondExpr:
		return max(t.bits(x.True), t.bits(x.False))
	case *syntax.CallExpr:
		if t.calls(x, "len") || t.calls(x, "ord") {
			return wordBits
		}
	case *syntax.BinaryExpr:
		return binaryBits(x.Op, t.bits(x.X), t.bits(x.Y))
	}
	return notInt
}

func binaryBits(op syntax.Token, a, b bits) bits {
	if a >= notInt || b >= notInt {
		return notInt
	}
	switch op {
	case syntax.PLUS, syntax.MINUS, syntax.PIPE, syntax.AMP, syntax.CIRCUMFLEX:
		return min(max(a, b)+1, longBits)
	case syntax.STAR:
		return min(a+b, longBits)
	case syntax.SLASHSLASH, syntax.GTGT:
		return a
	case syntax.PERCENT:
		return b
	case syntax.LTLT:
		return longBits
	}
	return notInt
}
