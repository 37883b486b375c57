package rewrite

import (
	"errors"
	"fmt"
	"slices"

	"dicescript/lang/notation"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file is the operators at run time. What is plain (numbers, texts,
// truths, None) they do themselves, as Starlark would; the rest is for the
// hooks of the run.

// Hooks are what the operators of a run call. Compare, Truth and
// Literal are required; the others are for guarded programs.
type Hooks struct {
	// Compare compares two values of which at least one is not plain, op
	// being one of == != < <= > >= in, not in. Its result is a bool or a
	// chance. Starlark's own comparison is [Native].
	Compare func(op syntax.Token, x, y starlark.Value) (starlark.Value, error)

	// Truth refuses a value that is no condition. It is not asked about
	// plain values.
	Truth func(v starlark.Value) error

	// Literal makes the value of a literal.
	Literal func(l *notation.Literal) (starlark.Value, error)

	// Binary is the arithmetic of guarded programs for operands of which at
	// least one is not plain; without it, Starlark's.
	Binary func(op syntax.Token, x, y starlark.Value) (starlark.Value, error)

	// Unary is -x and ~x of guarded programs for an operand that is not plain;
	// without it, Starlark's.
	Unary func(op syntax.Token, x starlark.Value) (starlark.Value, error)

	// Charge is called before that many machine words are written; work
	// that writes nothing is charged like that too.
	Charge func(words int64) error

	// Bits is called before an integer of that many bits is made, if it is
	// longer than a machine word or two.
	Bits func(bits int64) error

	// Spend is called for work of that many steps of the interpreter, some 20
	// nanoseconds each, before it is done.
	Spend func(steps int64) error

	// Text is called before the text of a value is written that is none of
	// Starlark's own.
	Text func(v starlark.Value) error

	// Whole refuses a value of that many words, which is charged piece by piece,
	// if none may be so large.
	Whole func(words int64) error

	// Entries refuses a dict or set of that many entries, if none may be so
	// large.
	Entries func(n int64) error

	// Depth bounds tuples in tuples as keys, and lists in lists as text; 0 is
	// no bound.
	Depth int64

	// Elements refuses a list of that many elements, if none may be so long.
	Elements func(n int64) error

	lists   []int64                     // lengths of the lists that are being comprehended, outermost first
	growths map[starlark.Value]*growth  // of dicts and sets, by what they are
	crowded map[uint32]map[uint32]int64 // how many keys fall into a spot, by the mask and bits of it
}

// Begin forgets what the hooks know of values of another run.
func (h *Hooks) Begin() { h.lists, h.growths, h.crowded = nil, nil, nil }

type run struct {
	hooks    *Hooks
	literals []notation.Literal
	guard    bool
	free     []*half // applications to one operand that are done with
}

// value is the Starlark value of an operator.
func (r *run) value(op operator) starlark.Value {
	switch op.kind {
	case checkTruth:
		return &unaryOperator{op, r.truth}
	case makeLiteral:
		return &unaryOperator{op, r.literal}
	case guardMethod:
		return &unaryOperator{op, r.guardMethod}
	case negate:
		return &unaryOperator{op, func(x starlark.Value) (starlark.Value, error) { return r.negate(op.token, x) }}
	case chargeMade:
		return &unaryOperator{op, r.made}
	case chargeFresh:
		return &unaryOperator{op, r.fresh}
	case chargeKey:
		return &unaryOperator{op, r.key}
	case chargeNewKey:
		return &unaryOperator{op, r.newKey}
	case chargeGrowth:
		return &unaryOperator{op, r.grow}
	case chargeSized:
		return &unaryOperator{op, r.sized}
	case beginList:
		return &unaryOperator{op, r.beginList}
	case countElement:
		return &unaryOperator{op, r.countElement}
	case endList:
		return &unaryOperator{op, r.endList}
	case checkPair:
		return &unaryOperator{op, r.checkPair}
	case collectPairs:
		return &unaryOperator{op, r.collect}
	case chargeSpread:
		return &unaryOperator{op, r.spread}
	}
	apply := r.binary(op)
	switch {
	case op.right != nil:
		return &unaryOperator{op, func(x starlark.Value) (starlark.Value, error) { return apply(x, op.right) }}
	case op.left != nil:
		return &unaryOperator{op, func(y starlark.Value) (starlark.Value, error) { return apply(op.left, y) }}
	}
	return &binaryOperator{op, r, apply}
}

// binary is the function of an operator with two operands.
func (r *run) binary(op operator) func(x, y starlark.Value) (starlark.Value, error) {
	token := op.token
	switch op.kind {
	case compareValues:
		strict := op.strict
		return func(x, y starlark.Value) (starlark.Value, error) { return r.compare(token, strict, x, y) }
	case arithmetic:
		return func(x, y starlark.Value) (starlark.Value, error) { return r.arithmetic(token, x, y) }
	case augment:
		return func(x, y starlark.Value) (starlark.Value, error) { return r.augment(token, x, y) }
	case chargeSecond:
		return r.second
	case chargeFrame:
		return r.frame
	}
	panic("rewrite: unknown operator")
}

// plain reports whether a value is one that Starlark compares as a recipe
// expects, and that is true or false.
func plain(v starlark.Value) bool {
	switch v.(type) {
	case starlark.Int, starlark.String, starlark.Bool, starlark.Float, starlark.NoneType, starlark.Bytes:
		return true
	}
	return false
}

func (r *run) compare(op syntax.Token, strict bool, x, y starlark.Value) (starlark.Value, error) {
	if i, ok := x.(starlark.Int); ok {
		if j, ok := y.(starlark.Int); ok {
			if a, ok := i.Int64(); ok {
				if b, ok := j.Int64(); ok && op != syntax.IN && op != syntax.NOT_IN {
					return starlark.Bool(compareInts(op, a, b)), nil
				}
			}
		}
	}
	if plain(x) && r.guard {
		if err := r.hooks.chargePlain(op, x, y); err != nil {
			return nil, err
		}
	}
	if plain(x) && (plain(y) || holdsPlain(op, x, y)) {
		return Native(op, x, y)
	}
	if err := r.chargeCompare(x, y); err != nil {
		return nil, err
	}
	v, err := r.hooks.Compare(op, x, y)
	if err != nil || !strict {
		return v, err
	}
	return r.truth(v)
}

// holdsPlain reports whether op asks if y contains x and y is a collection of
// Starlark's in which x is found by Starlark's equality. A number may also
// equal a chance that stands in a list; the keys of dicts and sets are found by
// type.
func holdsPlain(op syntax.Token, x, y starlark.Value) bool {
	if op != syntax.IN && op != syntax.NOT_IN {
		return false
	}
	switch y := y.(type) {
	case *starlark.Dict, *starlark.Set:
		return true
	case *starlark.List:
		if !isNumeric(x) {
			return true
		}
		for i := range y.Len() {
			if !plain(y.Index(i)) {
				return false
			}
		}
		return true
	case starlark.Tuple:
		return !isNumeric(x) || !slices.ContainsFunc(y, func(v starlark.Value) bool { return !plain(v) })
	}
	return y.Type() == "range"
}

func isNumeric(v starlark.Value) bool {
	switch v.(type) {
	case starlark.Int, starlark.Float:
		return true
	}
	return false
}

func compareInts(op syntax.Token, a, b int64) bool {
	switch op {
	case syntax.EQL:
		return a == b
	case syntax.NEQ:
		return a != b
	case syntax.LT:
		return a < b
	case syntax.LE:
		return a <= b
	case syntax.GT:
		return a > b
	}
	return a >= b
}

// Native compares as Starlark does.
func Native(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	switch op {
	case syntax.IN:
		return starlark.Binary(op, x, y)
	case syntax.NOT_IN:
		v, err := starlark.Binary(syntax.IN, x, y)
		if err != nil {
			return nil, err
		}
		return !v.Truth(), nil
	}
	ok, err := starlark.Compare(op, x, y)
	if err != nil {
		return nil, err
	}
	return starlark.Bool(ok), nil
}

// truth gives its operand back if it may be a condition.
func (r *run) truth(v starlark.Value) (starlark.Value, error) {
	if plain(v) {
		return v, nil
	}
	if err := r.hooks.Truth(v); err != nil {
		return nil, err
	}
	return v, nil
}

func (r *run) literal(v starlark.Value) (starlark.Value, error) {
	i, err := starlark.AsInt32(v)
	if err != nil || i < 0 || i >= len(r.literals) {
		return nil, errors.New("no such literal")
	}
	return r.hooks.Literal(&r.literals[i])
}

// A unaryOperator is applied by op | x.
type unaryOperator struct {
	operator
	apply func(starlark.Value) (starlark.Value, error)
}

// Binary applies the operator.
func (o *unaryOperator) Binary(_ syntax.Token, x starlark.Value, _ starlark.Side) (starlark.Value, error) {
	return o.apply(x)
}

// A binaryOperator is applied by (op | x) | y.
type binaryOperator struct {
	operator
	run   *run
	apply func(x, y starlark.Value) (starlark.Value, error)
}

// Binary takes the first operand.
func (o *binaryOperator) Binary(_ syntax.Token, x starlark.Value, _ starlark.Side) (starlark.Value, error) {
	var h *half
	if n := len(o.run.free); n > 0 {
		h = o.run.free[n-1]
		o.run.free = o.run.free[:n-1]
	} else {
		h = new(half)
	}
	h.op, h.x = o, x
	return h, nil
}

// A half is an operator that has its first operand. It is used once, and
// then again for another application.
type half struct {
	op *binaryOperator
	x  starlark.Value
}

// Binary takes the second operand and applies the operator.
func (h *half) Binary(_ syntax.Token, y starlark.Value, _ starlark.Side) (starlark.Value, error) {
	op, x := h.op, h.x
	h.op, h.x = nil, nil
	op.run.free = append(op.run.free, h)
	return op.apply(x, y)
}

var (
	_ starlark.HasBinary = (*unaryOperator)(nil)
	_ starlark.HasBinary = (*binaryOperator)(nil)
	_ starlark.HasBinary = (*half)(nil)
)

// The rest of starlark.Value: no recipe ever sees an operator.

func (o operator) String() string      { return o.name() }
func (operator) Type() string          { return "operator" }
func (operator) Freeze()               {}
func (operator) Truth() starlark.Bool  { return true }
func (operator) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: operator") }
func (*half) String() string           { return "operator" }
func (*half) Type() string             { return "operator" }
func (*half) Freeze()                  {}
func (*half) Truth() starlark.Bool     { return true }
func (*half) Hash() (uint32, error)    { return 0, fmt.Errorf("unhashable: operator") }
