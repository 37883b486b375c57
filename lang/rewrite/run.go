package rewrite

import (
	"errors"
	"fmt"

	"dicescript/builtins/meter"
	"dicescript/builtins/native"
	"dicescript/lang/notation"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file is the operators at run time. What is plain (numbers, texts,
// truths, None) they do themselves, as Starlark would; the rest is for the
// hooks of the run. What there is to pay for is for its meter.

// Hooks are what the operators of a run call.
type Hooks interface {
	// Compare compares two values of which at least one is not plain, op
	// being one of == != < <= > >= in, not in. Its result is a bool or a
	// chance.
	Compare(op syntax.Token, x, y starlark.Value) (starlark.Value, error)

	// Truth refuses a value that is no condition. It is not asked about
	// plain values.
	Truth(v starlark.Value) error

	// Literal makes the value of a literal.
	Literal(l *notation.Literal) (starlark.Value, error)

	// Binary and Unary are arithmetic with operands of which at least one is not
	// plain.
	Binary(op syntax.Token, x, y starlark.Value) (starlark.Value, error)
	Unary(op syntax.Token, x starlark.Value) (starlark.Value, error)

	// Attribute is x.name.
	Attribute(x starlark.Value, name string) (starlark.Value, error)

	// Call is fn(arg).
	Call(fn, arg starlark.Value) (starlark.Value, error)
}

type run struct {
	hooks    Hooks
	meter    *meter.Meter // nil counts nothing
	literals []notation.Literal
	free     []*half   // applications to one operand that are done with
	targets  []*target // the same of dicts
}

// An application is an operator in a run.
type application struct {
	*operator
	run *run
}

// value is the Starlark value of an application.
func (a *application) value() starlark.Value {
	switch {
	case a.kind.single() || a.left != nil:
		return (*unaryOperator)(a)
	case a.right != nil:
		return (*rightOperator)(a)
	}
	return (*binaryOperator)(a)
}

// single reports whether an operator has one operand.
func (k operatorKind) single() bool {
	switch k {
	case checkTruth, makeLiteral, negate, attribute, pay, setElement, collectPairs:
		return true
	}
	return false
}

// single applies an operator with one operand, or with one that is not written out.
func (r *run) single(op *operator, x starlark.Value) (starlark.Value, error) {
	switch op.kind {
	case checkTruth:
		return r.truth(x)
	case makeLiteral:
		return r.literal(x)
	case negate:
		return r.negate(op.token, x)
	case attribute:
		return r.hooks.Attribute(x, op.name)
	case pay:
		return x, op.charge(r.meter, x)
	case setElement:
		return r.target(x)
	case collectPairs:
		return r.meter.Collect(x)
	}
	return r.apply(op, op.left, x)
}

// apply applies an operator with two operands.
func (r *run) apply(op *operator, x, y starlark.Value) (starlark.Value, error) {
	switch op.kind {
	case compareValues:
		return r.compare(op.token, op.strict, x, y)
	case arithmetic:
		return r.arithmetic(op.token, x, y)
	case augment:
		return r.augment(op.token, x, y)
	case appendTo:
		return r.append(x, y)
	}
	panic("rewrite: unknown operator")
}

// smallInt is v as a whole number of 32 bits.
func smallInt(v starlark.Value) (int64, bool) {
	i, ok := v.(starlark.Int)
	if !ok {
		return 0, false
	}
	n, ok := i.Int64()
	return n, ok && n == int64(int32(n))
}

// smallResult is a op b for whole numbers of 32 bits, if it is one that needs no
// more than a machine word.
func smallResult(op syntax.Token, a, b int64) (starlark.Value, bool) {
	switch op {
	case syntax.PLUS:
		return starlark.MakeInt64(a + b), true
	case syntax.MINUS:
		return starlark.MakeInt64(a - b), true
	case syntax.STAR:
		return starlark.MakeInt64(a * b), true
	case syntax.SLASHSLASH, syntax.PERCENT:
		if b == 0 {
			return nil, false
		}
		quotient, rest := a/b, a%b
		if rest != 0 && (rest < 0) != (b < 0) {
			quotient, rest = quotient-1, rest+b
		}
		if op == syntax.PERCENT {
			return starlark.MakeInt64(rest), true
		}
		return starlark.MakeInt64(quotient), true
	}
	return nil, false
}

func (r *run) arithmetic(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if a, ok := smallInt(x); ok {
		if b, ok := smallInt(y); ok {
			if v, ok := smallResult(op, a, b); ok {
				return v, nil
			}
		}
	}
	if err := r.meter.Binary(op, x, y); err != nil {
		return nil, err
	}
	if !(plain(x) && plain(y)) {
		return r.made(r.hooks.Binary(op, x, y))
	}
	return r.made(native.Binary(op, x, y))
}

// made pays for what an operator has made.
func (r *run) made(v starlark.Value, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return v, r.meter.Made(v)
}

// augment is x op= y, which changes a list or dict in place.
func (r *run) augment(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	switch x := x.(type) {
	case *starlark.List:
		if values, ok := y.(starlark.Iterable); ok && op == syntax.PLUS {
			return x, r.meter.Extend(x, values)
		}
	case *starlark.Dict:
		if other, ok := y.(*starlark.Dict); ok && op == syntax.PIPE {
			return x, r.meter.Join(x, other)
		}
	}
	return r.arithmetic(op, x, y)
}

// A method is x.append, of an x that is no list.
type method struct{ starlark.Value }

// receiver is x of x.append(y), which is looked at before y is.
func (r *run) receiver(x starlark.Value) (starlark.Value, error) {
	if _, ok := x.(*starlark.List); ok {
		return x, nil
	}
	fn, err := r.hooks.Attribute(x, "append")
	return method{fn}, err
}

// append is x.append(y) for what receiver has made of x.
func (r *run) append(x, y starlark.Value) (starlark.Value, error) {
	list, ok := x.(*starlark.List)
	if !ok {
		return r.hooks.Call(x.(method).Value, y)
	}
	if err := r.meter.Append(list); err != nil {
		return nil, err
	}
	if list.Append(y) == nil {
		return starlark.None, nil
	}
	fn, err := list.Attr("append") // says what is wrong, with its frame
	if err != nil {
		return nil, err
	}
	return r.hooks.Call(fn, y)
}

// negate is -x or ~x.
func (r *run) negate(op syntax.Token, x starlark.Value) (starlark.Value, error) {
	if err := r.meter.Unary(x); err != nil {
		return nil, err
	}
	if !plain(x) {
		return r.made(r.hooks.Unary(op, x))
	}
	return r.made(native.Unary(op, x))
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
	if a, ok := smallInt(x); ok && op != syntax.IN && op != syntax.NOT_IN {
		if b, ok := smallInt(y); ok {
			return starlark.Bool(compareInts(op, a, b)), nil
		}
	}
	if op == syntax.IN || op == syntax.NOT_IN {
		return r.contains(op, strict, x, y)
	}
	if err := r.meter.Compare(x, y); err != nil {
		return nil, err
	}
	if plain(x) && plain(y) {
		return native.Compare(op, x, y)
	}
	return r.asked(op, strict, x, y)
}

// asked has the hooks compare.
func (r *run) asked(op syntax.Token, strict bool, x, y starlark.Value) (starlark.Value, error) {
	v, err := r.hooks.Compare(op, x, y)
	if err != nil || !strict {
		return v, err
	}
	return r.truth(v)
}

// contains is x in y. A number may also equal a chance that stands in a list; the
// keys of dicts and sets are found by type.
func (r *run) contains(op syntax.Token, strict bool, x, y starlark.Value) (starlark.Value, error) {
	direct := plain(x)
	switch y.(type) {
	case *starlark.Dict, *starlark.Set, starlark.String, starlark.Bytes:
	case *starlark.List, starlark.Tuple:
		direct = direct && !isNumeric(x)
	default:
		direct = direct && y.Type() == "range"
	}
	if !direct {
		return r.asked(op, strict, x, y)
	}
	found, err := r.meter.Contains(x, y)
	return starlark.Bool(found == (op == syntax.IN)), err
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
type unaryOperator application

// Binary applies the operator.
func (o *unaryOperator) Binary(_ syntax.Token, x starlark.Value, _ starlark.Side) (starlark.Value, error) {
	return o.run.single(o.operator, x)
}

// A rightOperator is one whose right operand is written out, applied by op | x. With
// a small number it is the most common of all, and worth a way of its own.
type rightOperator application

// Binary applies the operator.
func (o *rightOperator) Binary(_ syntax.Token, x starlark.Value, _ starlark.Side) (starlark.Value, error) {
	if a, ok := smallInt(x); ok && o.small {
		if o.kind == compareValues {
			return starlark.Bool(compareInts(o.token, a, o.n)), nil
		}
		if v, ok := smallResult(o.token, a, o.n); ok {
			return v, nil
		}
	}
	return o.run.apply(o.operator, x, o.right)
}

// A binaryOperator is applied by (op | x) | y.
type binaryOperator application

// Binary takes the first operand.
func (o *binaryOperator) Binary(_ syntax.Token, x starlark.Value, _ starlark.Side) (starlark.Value, error) {
	if o.kind == appendTo {
		var err error
		if x, err = o.run.receiver(x); err != nil {
			return nil, err
		}
	}
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
	starlark.NoneType // which nobody asks
	op                *binaryOperator
	x                 starlark.Value
}

// Binary takes the second operand and applies the operator.
func (h *half) Binary(_ syntax.Token, y starlark.Value, _ starlark.Side) (starlark.Value, error) {
	op, x := h.op, h.x
	h.op, h.x = nil, nil
	op.run.free = append(op.run.free, h)
	return op.run.apply(op.operator, x, y)
}

// A target is a dict that an entry is assigned to, which pays for it. It is used
// once, and then again for another.
type target struct {
	starlark.NoneType // which nobody asks
	run               *run
	dict              *starlark.Dict
}

// target is x as what is assigned to in x[key] = value.
func (r *run) target(x starlark.Value) (starlark.Value, error) {
	d, ok := x.(*starlark.Dict)
	if !ok || r.meter == nil {
		return settable(x)
	}
	var t *target
	if n := len(r.targets); n > 0 {
		t = r.targets[n-1]
		r.targets = r.targets[:n-1]
	} else {
		t = &target{run: r}
	}
	t.dict = d
	return t, nil
}

// settable gives its operand back if its elements may be assigned to.
func settable(x starlark.Value) (starlark.Value, error) {
	switch x.(type) {
	case *starlark.Dict, *starlark.List, starlark.HasSetIndex, starlark.HasSetKey:
		return x, nil
	}
	return nil, fmt.Errorf("the elements of %s can't be changed", native.TypeInWords(x.Type()))
}

// Get is that of the dict.
func (t *target) Get(key starlark.Value) (starlark.Value, bool, error) { return t.dict.Get(key) }

// SetKey assigns the entry.
func (t *target) SetKey(key, value starlark.Value) error {
	d := t.dict
	t.dict = nil
	t.run.targets = append(t.run.targets, t)
	return t.run.meter.SetKey(d, key, value)
}

var (
	_ starlark.HasBinary = (*unaryOperator)(nil)
	_ starlark.HasBinary = (*rightOperator)(nil)
	_ starlark.HasBinary = (*binaryOperator)(nil)
	_ starlark.HasBinary = (*half)(nil)
	_ starlark.HasSetKey = (*target)(nil)
)

// The rest of starlark.Value.

func (o *operator) String() string      { return o.id() }
func (*operator) Type() string          { return "operator" }
func (*operator) Freeze()               {}
func (*operator) Truth() starlark.Bool  { return true }
func (*operator) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: operator") }
