package value

import (
	"errors"
	"fmt"
	"math/big"

	"dicescript/builtins/internal/exact"
	"dicescript/builtins/native"
	"dicescript/builtins/runenv"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Operators. The interpreter applies them by itself without saying for which
// run; a front end that wants the work charged to the run calls [Binary] and
// [Unary] instead.

// Binary applies an operator, charging its work to the run of thread.
func Binary(thread *starlark.Thread, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if format, ok := x.(starlark.String); ok && op == syntax.PERCENT {
		format, y, err := formatted(string(format), y)
		if err != nil {
			return nil, err
		}
		return native.Binary(op, starlark.String(format), y)
	}
	if isOurs(x) || isOurs(y) {
		if v, err := binary(runenv.Of(thread), op, x, y); v != nil || err != nil {
			return v, err
		}
	}
	return native.Binary(op, x, y)
}

// Unary applies -x, +x or ~p, charging its work to the run of thread.
func Unary(thread *starlark.Thread, op syntax.Token, x starlark.Value) (starlark.Value, error) {
	if isOurs(x) {
		if v, err := unary(runenv.Of(thread), op, x); v != nil || err != nil {
			return v, err
		}
	}
	return native.Unary(op, x)
}

// isOurs reports whether the operators of v are defined here.
func isOurs(v starlark.Value) bool {
	switch v.(type) {
	case *Roll, *Pool, *Prob, *Number, *Outcomes:
		return true
	}
	return false
}

// binarySide applies an operator whose receiver stands on one side.
func binarySide(op syntax.Token, x, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if side == starlark.Right {
		x, y = y, x
	}
	return binary(nil, op, x, y)
}

func (r *Roll) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	return binarySide(op, r, y, side)
}

func (p *Pool) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	return binarySide(op, p, y, side)
}

func (p *Prob) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	return binarySide(op, p, y, side)
}

func (n *Number) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	return binarySide(op, n, y, side)
}

func (o *Outcomes) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	return binarySide(op, o, y, side)
}

func isOutcomes(v starlark.Value) bool {
	_, ok := v.(*Outcomes)
	return ok
}

func (r *Roll) Unary(op syntax.Token) (starlark.Value, error)   { return unary(nil, op, r) }
func (p *Pool) Unary(op syntax.Token) (starlark.Value, error)   { return unary(nil, op, p) }
func (p *Prob) Unary(op syntax.Token) (starlark.Value, error)   { return unary(nil, op, p) }
func (n *Number) Unary(op syntax.Token) (starlark.Value, error) { return unary(nil, op, n) }

// binary applies an operator to operands of which at least one is ours. It
// returns nil and no error where the other operand may know better.
func binary(env *runenv.Env, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if IsDice(x) || IsDice(y) {
		return binaryRolls(env, op, x, y)
	}
	if isOutcomes(x) || isOutcomes(y) {
		return binaryOutcomes(env, op, x, y)
	}
	return binaryNumbers(env, op, x, y)
}

// IsDice reports whether v is a roll or a pool.
func IsDice(v starlark.Value) bool {
	switch v.(type) {
	case *Roll, *Pool:
		return true
	}
	return false
}

// binaryRolls applies an operator to rolls, pools and whole numbers.
func binaryRolls(env *runenv.Env, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	switch op {
	case syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.SLASHSLASH, syntax.PERCENT:
	case syntax.SLASH:
		return nil, fmt.Errorf("/: a roll is divided by //, which rounds down, as in roll // 2")
	default:
		return nil, nil
	}
	if !addable(x) || !addable(y) {
		return nil, mixed(op, x, y)
	}
	if op == syntax.PLUS {
		if joined, err := join(x, y); joined != nil || err != nil {
			return joined, InFunction(op.String(), err)
		}
	}
	v, err := rollArithmetic(env, op, x, y)
	return v, InFunction(op.String(), err)
}

// addable reports whether v takes part in the arithmetic of rolls.
func addable(v starlark.Value) bool {
	_, number := v.(starlark.Int)
	return number || IsDice(v)
}

var errJoinText = errors.New("+: only text can be joined with text; str(x) makes a text of any value")

// mixed is the error of an operator between a roll and something else; nil for
// values that may bring their own meaning.
func mixed(op syntax.Token, x, y starlark.Value) error {
	other := x
	if addable(x) {
		other = y
	}
	if _, text := other.(starlark.String); text && op == syntax.PLUS {
		return errJoinText
	}
	if IsQuotient(other) {
		return fmt.Errorf("%s: a roll holds whole numbers and can't be combined with %s%s", op, Describe(other), WholeQuotient)
	}
	switch other.(type) {
	case starlark.Float, *Number:
		return fmt.Errorf("%s: a roll holds whole numbers and can't be combined with %s; int(x) drops a fraction, roll.mean() is a number", op, Describe(other))
	case *Prob:
		return fmt.Errorf("%s: a roll can't be combined with %s; coin(p) makes a roll of a chance", op, Describe(other))
	case starlark.String, starlark.Bool, starlark.NoneType, *starlark.List, starlark.Tuple, *starlark.Dict, starlark.Callable:
		return fmt.Errorf("%s: a roll can't be combined with %s, want a roll or a whole number", op, Describe(other))
	}
	return nil
}

func rollArithmetic(env *runenv.Env, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	a, err := operand(env, x)
	if err != nil {
		return nil, err
	}
	if n, ok := Int(y); ok && op == syntax.PLUS {
		d, err := a.Shift(env.Engine(), n)
		if err != nil {
			return nil, err
		}
		return NewRoll(methodsOf(x, y), d), nil
	}
	b, err := operand(env, y)
	if err != nil {
		return nil, err
	}
	if (op == syntax.SLASHSLASH || op == syntax.PERCENT) && b.Len() == 1 && b.Min() == 0 && b.Bound() == 0 {
		return nil, fmt.Errorf("%s: division by zero", op)
	}
	ctx := env.Engine()
	var d *dist.Dist
	switch op {
	case syntax.PLUS:
		d, err = a.Add(ctx, b)
	case syntax.MINUS:
		d, err = a.Sub(ctx, b)
	case syntax.STAR:
		d, err = a.Mul(ctx, b)
	case syntax.SLASHSLASH:
		d, err = a.FloorDiv(ctx, b)
	default:
		d, err = a.Mod(ctx, b)
	}
	if err != nil {
		return nil, err
	}
	return NewRoll(methodsOf(x, y), d), nil
}

// operand returns what an addable value stands for.
func operand(env *runenv.Env, v starlark.Value) (*dist.Dist, error) {
	switch v := v.(type) {
	case *Roll:
		return v.dist, nil
	case *Pool:
		return v.total(env)
	}
	n, ok := Int(v)
	if !ok {
		return nil, fmt.Errorf("%s", NotInt(v))
	}
	return dist.Constant(n), nil
}

// join puts the dice of two pools, or of a pool and a roll, together. It
// returns nil when neither is a pool or one is a number.
func join(x, y starlark.Value) (starlark.Value, error) {
	_, left := x.(*Pool)
	_, right := y.(*Pool)
	if !left && !right {
		return nil, nil
	}
	a, err := AsPool(x)
	if a == nil || err != nil {
		return nil, err
	}
	b, err := AsPool(y)
	if b == nil || err != nil {
		return nil, err
	}
	p, err := a.Join(b)
	if err != nil {
		return nil, err
	}
	return NewPool(methodsOf(x, y), p), nil
}

// AsPool returns the dice of a pool or the one die of a roll, nil for a number.
func AsPool(v starlark.Value) (*dist.Pool, error) {
	switch v := v.(type) {
	case *Roll:
		return dist.NewPool(v.dist)
	case *Pool:
		return v.dice, nil
	}
	return nil, nil
}

// binaryNumbers applies an operator to chances, numbers, whole numbers and floats.
func binaryNumbers(env *runenv.Env, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	switch op {
	case syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.SLASH, syntax.SLASHSLASH, syntax.PERCENT:
	case syntax.AMP, syntax.PIPE:
		return joinChances(env, op, x, y)
	default:
		return nil, nil
	}
	if f, ok := y.(starlark.Float); ok {
		return native.Binary(op, FloatOf(x), f)
	}
	if f, ok := x.(starlark.Float); ok {
		return native.Binary(op, f, FloatOf(y))
	}
	a, ok1 := ExactOf(x)
	b, ok2 := ExactOf(y)
	if !ok1 || !ok2 {
		return nil, notNumbers(op, x, y)
	}
	if err := env.Pays().Fraction(a.Bits() + b.Bits()); err != nil {
		return nil, InFunction(op.String(), err)
	}
	var (
		z   exact.Number
		err error
	)
	switch op {
	case syntax.SLASHSLASH, syntax.PERCENT:
		z, err = exact.Divide(op, a, b)
	default:
		z, err = exact.Arithmetic(op, a, b)
	}
	switch {
	case err != nil:
		return nil, InFunction(op.String(), err)
	case ofQuotients(x, y):
		v, err := newQuotient(methodsOf(x, y), z)
		return v, InFunction(op.String(), err)
	case op == syntax.SLASHSLASH || op == syntax.PERCENT:
		return NewNumber(methodsOf(x, y), z), nil
	}
	if IsProbability(x) && IsProbability(y) && exact.IsChance(z.Rat) {
		return NewProb(methodsOf(x, y), exact.New(z.Rat, min(1, z.Bound))), nil
	}
	return NewNumber(methodsOf(x, y), z), nil
}

// joinChances returns the chance that both (&) or either (|) of two independent
// events happen: P(A and B) = P(A) P(B), P(A or B) = 1 - (1 - P(A)) (1 - P(B)).
// It returns nil for what is no chance.
func joinChances(env *runenv.Env, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	p, ok1 := x.(*Prob)
	q, ok2 := y.(*Prob)
	if !ok1 || !ok2 {
		return nil, nil
	}
	if op == syntax.AMP {
		return binaryNumbers(env, syntax.STAR, p, q)
	}
	neither, err := binaryNumbers(env, syntax.STAR, p.complement(), q.complement())
	if err != nil {
		return nil, err
	}
	return neither.(*Prob).complement(), nil
}

// IsProbability reports whether v counts as a probability: a chance, 0 or 1.
func IsProbability(v starlark.Value) bool {
	switch v := v.(type) {
	case *Prob:
		return true
	case starlark.Int:
		n, ok := v.Int64()
		return ok && (n == 0 || n == 1)
	}
	return false
}

func notNumbers(op syntax.Token, x, y starlark.Value) error {
	other := x
	if _, ok := ExactOf(x); ok {
		other = y
	}
	switch other.(type) {
	case starlark.String, starlark.Bool, starlark.NoneType, *starlark.List, starlark.Tuple, *starlark.Dict, starlark.Callable:
		if _, text := other.(starlark.String); text && op == syntax.PLUS {
			return errJoinText
		}
		if n := starlark.Len(other); n >= 0 && op == syntax.STAR && (IsQuotient(x) || IsQuotient(y)) {
			return fmt.Errorf("*: %s is repeated a whole number of times%s", Describe(other), WholeQuotient)
		}
		return fmt.Errorf("%s: got %s, want a number", op, Describe(other))
	}
	return nil
}

// unary applies -x and +x, and ~p to a chance.
func unary(env *runenv.Env, op syntax.Token, x starlark.Value) (starlark.Value, error) {
	switch op {
	case syntax.PLUS:
		return x, nil
	case syntax.MINUS:
	case syntax.TILDE:
		if p, ok := x.(*Prob); ok {
			return p.complement(), nil
		}
		return nil, nil
	default:
		return nil, nil
	}
	if a, ok := ExactOf(x); ok {
		if n, ok := x.(*Number); ok && a.Bound == 0 {
			return Like(n, exact.New(new(big.Rat).Neg(a.Rat), 0)), nil
		}
		return binaryNumbers(env, syntax.MINUS, starlark.MakeInt(0), NewNumber(methodsOf(x), a))
	}
	d, err := operand(env, x)
	if err != nil {
		return nil, err
	}
	d, err = d.Neg(env.Engine())
	if err != nil {
		return nil, InFunction("-", err)
	}
	return NewRoll(methodsOf(x), d), nil
}
