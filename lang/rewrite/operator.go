package rewrite

import (
	"fmt"
	"strings"

	"dicescript/builtins/meter"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file names the internal operators and puts them into the tree.

// internal is what every internal name begins with: no name of a recipe can.
const internal = "·"

// Internal reports whether a name is one that this package made. Such names
// turn up among the globals of a module; no one is shown them.
func Internal(name string) bool { return strings.HasPrefix(name, internal) }

type operatorKind uint8

const (
	compareValues operatorKind = iota + 1 // token; strict: the result must be a truth
	checkTruth                            // gives its operand back, unless it is a chance
	makeLiteral                           // of the literal with this number

	// What is paid for:

	arithmetic   // token
	augment      // token; += extends a list in place, |= a dict
	negate       // token, - or ~
	attribute    // name
	appendTo     // x.append(y)
	pay          // gives its operand back, which is charged for by a name
	setElement   // gives its operand as that to which an entry is assigned
	collectPairs // makes a dict of a list of pairs
)

// An operator is what an internal name stands for.
type operator struct {
	kind        operatorKind
	token       syntax.Token
	strict      bool
	name        string         // of an attribute or a charge
	left, right starlark.Value // an operand that is written out, or nil

	small bool // whether right is n, and small numbers need nothing but that
	n     int64

	charge func(*meter.Meter, starlark.Value) error // of pay
}

// id is unique among the operators of a program.
func (o *operator) id() string {
	switch o.kind {
	case compareValues:
		strict := ""
		if o.strict {
			strict = "?"
		}
		return internal + constantName(o.left) + o.token.String() + strict + constantName(o.right)
	case checkTruth:
		return internal + "truth"
	case makeLiteral:
		return internal + "literal"
	case arithmetic:
		return internal + constantName(o.left) + "calc " + o.token.String() + constantName(o.right)
	case augment:
		return internal + "calc " + o.token.String() + "=" + constantName(o.right)
	case negate:
		return internal + "sign " + o.token.String()
	case attribute:
		return internal + "attribute " + o.name
	case appendTo:
		return internal + "append"
	case pay:
		return internal + "pay " + o.name
	case setElement:
		return internal + "target"
	case collectPairs:
		return internal + "pairs"
	}
	panic("rewrite: unknown operator")
}

func constantName(v starlark.Value) string {
	if v == nil {
		return ""
	}
	return " " + v.Type() + " " + v.String() + " "
}

// A program has operators of its own for written-out operands; beyond this
// many, and for operands longer than this, the general ones serve.
const (
	maxConstants    = 1000
	maxConstantText = 100
)

// apply makes the application of an operator to one or two operands: x with
// an operator for a written-out operand, (op | x) | y otherwise.
func (r *rewriter) apply(op operator, pos syntax.Position, operands ...syntax.Expr) syntax.Expr {
	id := &syntax.Ident{NamePos: syntax.Start(operands[0]), Name: r.operatorName(op)}
	var e syntax.Expr = id
	for _, x := range operands {
		e = &syntax.BinaryExpr{X: e, OpPos: pos, Op: syntax.PIPE, Y: x}
	}
	return e
}

// operatorName notes that the program needs an operator and returns the name
// by which the program calls it here.
func (r *rewriter) operatorName(op operator) string {
	key := operatorKey{op.kind, op.token, op.strict, op.name, op.left, op.right}
	names := r.operators[key]
	if names.predeclared == "" {
		names.predeclared = r.newOperator(op)
	}
	used := names.predeclared
	if r.repeats() && !r.options.Session {
		if names.global == "" {
			names.global = internal + names.predeclared
			r.globals[names.global] = names.predeclared
		}
		used = names.global
	}
	r.operators[key] = names
	return used
}

// operatorNames are those by which a program calls an operator: a global variable where
// that is done again and again, since it is faster to read than a predeclared name.
type operatorNames struct{ predeclared, global string }

// repeats reports whether what is being rewritten may run more than once.
func (r *rewriter) repeats() bool { return r.nesting > 1 || r.repeated > 0 }

// newOperator notes that the program needs an operator and returns its predeclared name.
func (r *rewriter) newOperator(op operator) string {
	name := op.id()
	if _, known := r.code.byName[name]; !known {
		kept := op
		kept.charge = meter.Charges[op.name]
		kept.n, kept.small = smallInt(op.right)
		kept.small = kept.small && op.token != syntax.IN && op.token != syntax.NOT_IN
		r.code.byName[name] = &kept
	}
	return name
}

// An operatorKey is what makes an operator another than the rest. Long whole numbers
// that are equal may make several, for which there is one operator all the same.
type operatorKey struct {
	kind        operatorKind
	token       syntax.Token
	strict      bool
	name        string
	left, right starlark.Value
}

// literal makes the expression for a dice or range literal.
func (r *rewriter) literal(id *syntax.Ident, index int) syntax.Expr {
	number := &syntax.Literal{Token: syntax.INT, TokenPos: id.NamePos, Raw: fmt.Sprint(index), Value: int64(index)}
	return r.apply(operator{kind: makeLiteral}, id.NamePos, number)
}
