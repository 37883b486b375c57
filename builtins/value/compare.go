package value

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"dicescript/builtins/internal/exact"
	"dicescript/builtins/meter"
	"dicescript/builtins/native"
	"dicescript/builtins/runenv"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Comparisons of rolls are chances: roll >= 15 is the chance of at least 15.
// The interpreter asks values about == and < only within one type, so a front
// end calls [Compare] for the comparisons of a recipe.

// A comparer decides comparisons in which it is the left operand. It returns nil
// and no error where it has no opinion.
type comparer interface {
	compareWith(thread *starlark.Thread, op syntax.Token, y starlark.Value) (starlark.Value, error)
}

// Compare returns x op y, where op is one of == != < <= > >= in and not in. The
// result is a bool or a chance. Its work is charged to the run of thread.
func Compare(thread *starlark.Thread, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if op == syntax.IN || op == syntax.NOT_IN {
		if v, err := lookInto(thread, op, x, y); v != nil || err != nil {
			return v, err
		}
		return compareIn(thread, op, x, y)
	}
	if v, err := compareOurs(thread, op, x, y); v != nil || err != nil {
		return v, InFunction(op.String(), err)
	}
	if holdsNumber(x, nested) || holdsNumber(y, nested) {
		ok, err := compareHolders(op, x, y, nested)
		return starlark.Bool(ok), err
	}
	return native.Compare(op, x, y)
}

// compareOurs compares values of which one is ours; it returns nil where
// neither is.
func compareOurs(thread *starlark.Thread, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	switch {
	case IsDice(x):
		return compareRoll(thread, op, x, y)
	case IsDice(y):
		return compareRoll(thread, swapped(op), y, x)
	}
	if c, ok := x.(comparer); ok {
		return c.compareWith(thread, op, y)
	}
	if c, ok := y.(comparer); ok {
		return c.compareWith(thread, swapped(op), x)
	}
	if isNumber(x) || isNumber(y) {
		return compareNumbers(op, x, y)
	}
	return nil, nil
}

// isNumber reports whether v is a chance or a number.
func isNumber(v starlark.Value) bool {
	switch v.(type) {
	case *Prob, *Number:
		return true
	}
	return false
}

// swapped is the comparison that says the same with its operands swapped.
func swapped(op syntax.Token) syntax.Token {
	switch op {
	case syntax.LT:
		return syntax.GT
	case syntax.LE:
		return syntax.GE
	case syntax.GT:
		return syntax.LT
	case syntax.GE:
		return syntax.LE
	}
	return op
}

// compareRoll returns the chance that x, a roll or a pool, compares so with y.
func compareRoll(thread *starlark.Thread, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	switch y.(type) {
	case *Roll, *Pool, starlark.Int, starlark.Float, *Number:
	default:
		return unlikeRoll(op, y)
	}
	d, _, err := AsRoll(thread, x)
	if err != nil {
		return nil, err
	}
	if !IsDice(y) {
		return CompareNumber(methodsOf(x), op, d, y)
	}
	e, _, err := AsRoll(thread, y)
	if err != nil {
		return nil, err
	}
	return CompareRolls(thread, methodsOf(x), op, d, e)
}

// unlikeRoll answers for what no roll is ever equal to.
func unlikeRoll(op syntax.Token, y starlark.Value) (starlark.Value, error) {
	switch y.(type) {
	case *Prob:
		return nil, fmt.Errorf("a roll can't be compared with %s; ask the roll for a chance first, as in roll.p_ge(15) > p", Describe(y))
	case comparer:
		return nil, fmt.Errorf("a roll can't be compared with %s", Describe(y))
	}
	if y == starlark.None && op == syntax.EQL {
		return starlark.False, nil
	}
	if y == starlark.None && op == syntax.NEQ {
		return starlark.True, nil
	}
	return nil, notComparable(op, y)
}

// notComparable says why a roll can't be compared with y, and what to write.
func notComparable(op syntax.Token, y starlark.Value) error {
	equal := op == syntax.EQL || op == syntax.NEQ
	switch y := y.(type) {
	case starlark.String:
		if n, err := strconv.Atoi(strings.TrimSpace(string(y))); err == nil {
			return &Respelled{Message: fmt.Sprintf("%s is text, and a roll shows numbers: write %d without quotes", Describe(y), n)}
		}
	case *starlark.List, starlark.Tuple, *starlark.Set:
		if equal {
			return among(op, native.TypeInWords(y.Type()), "[1, 2]")
		}
	}
	if b, ok := AsBand(y); ok && equal {
		return among(op, "the band "+b.String(), b.String())
	}
	return fmt.Errorf("a roll can't be compared with %s, want a whole number or a roll", Describe(y))
}

// among is the error of a comparison that is written in, or not in.
func among(op syntax.Token, what, example string) error {
	in := "in"
	if op == syntax.NEQ {
		in = "not in"
	}
	return &Respelled{
		Message: fmt.Sprintf("a roll shows one number, and is never equal to %s: the chance of one of several is written roll %s %s", what, in, example),
		Old:     op.String(), New: in,
	}
}

// A Respelled is the error of something that is written in another way: New in the place of
// Old, which stands where the error is. Old is "" where that is not all.
type Respelled struct{ Message, Old, New string }

func (e *Respelled) Error() string { return e.Message }

// CompareRolls compares two independent rolls.
func CompareRolls(thread *starlark.Thread, m Methods, op syntax.Token, d, e *dist.Dist) (starlark.Value, error) {
	var relation dist.Relation
	switch op {
	case syntax.EQL:
		relation = dist.Equal
	case syntax.NEQ:
		relation = dist.Less | dist.Greater
	case syntax.LT:
		relation = dist.Less
	case syntax.LE:
		relation = dist.Less | dist.Equal
	case syntax.GT:
		relation = dist.Greater
	default:
		relation = dist.Greater | dist.Equal
	}
	p, bound, err := dist.Versus(runenv.Of(thread).Engine(), d, relation, e)
	if err != nil {
		return nil, err
	}
	return NewProb(m, exact.New(p, bound)), nil
}

// CompareNumber compares a roll with a whole number or a fraction: a total
// is at least 10.5 when it is at least 11.
func CompareNumber(m Methods, op syntax.Token, d *dist.Dist, y starlark.Value) (starlark.Value, error) {
	if n, ok := Int(y); ok {
		return NewProb(m, exact.New(compareInt(op, d, n), ChanceBound(op, d, n))), nil
	}
	r, bound, problem := RatOf(y)
	if problem != "" {
		return nil, fmt.Errorf("%s", problem)
	}
	low, err := exact.New(r, bound).Floor()
	if err != nil {
		return nil, err
	}
	if whole := r.IsInt() && bound == 0; !low.IsInt64() || !whole {
		return NewProb(m, exact.New(compareBetween(op, d, low), chanceBoundBetween(op, d, low))), nil
	}
	n := int(low.Int64())
	return NewProb(m, exact.New(compareInt(op, d, n), ChanceBound(op, d, n))), nil
}

// compareInt returns the chance that d compares so with n.
func compareInt(op syntax.Token, d *dist.Dist, n int) *big.Rat {
	switch op {
	case syntax.EQL:
		return d.PMF(n)
	case syntax.NEQ:
		return new(big.Rat).Sub(exact.One, d.PMF(n))
	case syntax.LT:
		return d.LessThan(n)
	case syntax.LE:
		return d.AtMost(n)
	case syntax.GT:
		return d.MoreThan(n)
	}
	return d.AtLeast(n)
}

// compareBetween returns the chance that d compares so with a number that lies
// between low and the next whole number, or outside of all that d can be.
func compareBetween(op syntax.Token, d *dist.Dist, low *big.Int) *big.Rat {
	below := new(big.Rat)
	switch {
	case low.IsInt64():
		below = d.AtMost(int(low.Int64()))
	case low.Sign() > 0:
		below = exact.One
	}
	switch op {
	case syntax.EQL:
		return new(big.Rat)
	case syntax.NEQ:
		return exact.One
	case syntax.LT, syntax.LE:
		return below
	}
	return new(big.Rat).Sub(exact.One, below)
}

// compareNumbers compares two of which one is a chance or a number. With a
// float it is the nearest float that is compared.
func compareNumbers(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if f, ok := y.(starlark.Float); ok {
		return compareFloat(op, x, f)
	}
	if f, ok := x.(starlark.Float); ok {
		return compareFloat(swapped(op), y, f)
	}
	a, ok1 := ExactOf(x)
	b, ok2 := ExactOf(y)
	if ok1 && ok2 {
		ok, err := exact.Compare(op, a, b)
		return starlark.Bool(ok), err
	}
	other := x
	if ok1 {
		other = y
	}
	switch op {
	case syntax.EQL:
		return starlark.False, nil
	case syntax.NEQ:
		return starlark.True, nil
	}
	return nil, fmt.Errorf("got %s, want a number to compare with", Describe(other))
}

// compareFloat compares a chance or number with a float. All floats that the
// true value may round to must agree on the answer.
func compareFloat(op syntax.Token, x starlark.Value, f starlark.Float) (starlark.Value, error) {
	a, _ := ExactOf(x)
	answer, err := starlark.Compare(op, starlark.Float(a.Float()), f)
	if err != nil || a.Bound == 0 {
		return starlark.Bool(answer), err
	}
	e := exact.FromFloat(a.Bound)
	for _, end := range []*big.Rat{new(big.Rat).Sub(a.Rat, e), new(big.Rat).Add(a.Rat, e)} {
		near, _ := end.Float64()
		if other, _ := starlark.Compare(op, starlark.Float(near), f); other != answer {
			return nil, exact.ErrUncertain
		}
	}
	return starlark.Bool(answer), nil
}

// compareIn returns x in y or x not in y: of a roll the chance to land in y.
func compareIn(thread *starlark.Thread, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	v, err := isIn(thread, x, y)
	if err != nil {
		if native.IsMeaningless(err) {
			return nil, err // which names the operator
		}
		return nil, InFunction(op.String(), err)
	}
	if op == syntax.IN {
		return v, nil
	}
	if p, ok := v.(*Prob); ok {
		return p.complement(), nil
	}
	return !v.Truth(), nil
}

func isIn(thread *starlark.Thread, x, y starlark.Value) (starlark.Value, error) {
	if IsDice(y) {
		return nil, lookedInto(x, y)
	}
	if IsDice(x) {
		s, problem := SetOf(y)
		if _, number := y.(starlark.Int); number {
			problem = "got " + Describe(y) + ", want a list of whole numbers or a band like at_least(5)"
		}
		if problem != "" {
			return nil, fmt.Errorf("%s", problem)
		}
		d, _, err := AsRoll(thread, x)
		if err != nil {
			return nil, err
		}
		return NewProb(methodsOf(x), ChanceWithin(d, s, y)), nil
	}
	if c, ok := x.(comparer); ok {
		if v, err := c.compareWith(thread, syntax.IN, y); v != nil || err != nil {
			return v, err
		}
	}
	if values, ok := Elements(y); ok && isNumber(x) {
		return isAmong(thread, x, values)
	}
	found, err := meter.Of(thread).Contains(x, y)
	if err != nil || found {
		return starlark.Bool(found), err
	}
	switch x.(type) {
	case starlark.Int, starlark.Float:
		if v, err := isAmong(thread, x, numbersOf(y)); err != nil || v == starlark.True {
			return v, err
		}
		return starlark.False, amongDice(x, y)
	}
	return starlark.False, nil
}

// amongDice is the error of a number that is looked for in a list of dice alone, nil of all
// other lists.
func amongDice(x, y starlark.Value) error {
	list, ok := y.(starlark.Indexable)
	if !ok || list.Len() == 0 {
		return nil
	}
	for i := range list.Len() {
		if !IsDice(list.Index(i)) {
			return nil
		}
	}
	return fmt.Errorf("this list holds rolls, and no roll is a number: the chance that some die of a pool shows a %s is pool.p_any(%[1]s)", Describe(x))
}

// lookedInto is the error of x in y, y being dice.
func lookedInto(x, y starlark.Value) error {
	n, number := x.(starlark.Int)
	p, pool := y.(*Pool)
	switch {
	case IsDice(x):
		return fmt.Errorf("a roll is not a list to look into; roll == roll is the chance that both show the same")
	case number && pool && p.Pool().Size() > 1:
		return fmt.Errorf("a pool is not a list to look into: the chance that some die shows a %[1]s is (%[2]s).p_any(%[1]s), that of a total of %[1]s is %[2]s == %[1]s", Describe(n), p.Written())
	case number:
		return fmt.Errorf("a roll is not a list to look into: the chance of a %[1]s is roll == %[1]s, and %[1]s in roll.support() says whether it can show it", Describe(n))
	}
	return fmt.Errorf("a roll is not a list to look into; write roll == 3 for the chance of a 3, or 3 in roll.support()")
}

// numbersOf are the chances and numbers in a list or tuple.
func numbersOf(y starlark.Value) []starlark.Value {
	var numbers []starlark.Value
	switch y.(type) {
	case *starlark.List, starlark.Tuple:
		for v := range starlark.Elements(y.(starlark.Iterable)) {
			if isNumber(v) {
				numbers = append(numbers, v)
			}
		}
	}
	return numbers
}

// isAmong reports whether a number equals one of the values.
func isAmong(thread *starlark.Thread, x starlark.Value, values []starlark.Value) (starlark.Value, error) {
	for _, v := range values {
		if IsDice(v) {
			continue
		}
		if err := meter.Of(thread).Compared(v, 1); err != nil {
			return nil, err
		}
		same, err := Compare(thread, syntax.EQL, x, v)
		if err != nil {
			return nil, err
		}
		if same == starlark.True {
			return starlark.True, nil
		}
	}
	return starlark.False, nil
}

// Same reports whether two values are the same thing: two rolls the same
// distribution, two pools the same dice. Where a roll stands, a whole number
// stands for a constant and a pool for its total.
func Same(thread *starlark.Thread, x, y starlark.Value) (bool, error) {
	p, ok1 := x.(*Pool)
	q, ok2 := y.(*Pool)
	if ok1 && ok2 {
		return samePool(p, q), nil
	}
	if !IsDice(x) && !IsDice(y) {
		if isNumber(x) || isNumber(y) {
			return sameNumber(x, y)
		}
		if err := meter.Of(thread).Compare(x, y); err != nil {
			return false, err
		}
		return starlark.Equal(x, y)
	}
	d, ok1, err := AsRoll(thread, x)
	if err != nil {
		return false, err
	}
	e, ok2, err := AsRoll(thread, y)
	if !ok1 || !ok2 || err != nil {
		return false, err
	}
	return dist.Same(runenv.Of(thread).Engine(), d, e)
}

// sameNumber compares a chance or number as it is represented, with its error.
func sameNumber(x, y starlark.Value) (bool, error) {
	a, ok1 := ExactOf(x)
	b, ok2 := ExactOf(y)
	if ok1 && ok2 {
		return a.Rat.Cmp(b.Rat) == 0 && a.Bound == b.Bound, nil
	}
	v, err := compareNumbers(syntax.EQL, x, y)
	return v == starlark.True, err
}
