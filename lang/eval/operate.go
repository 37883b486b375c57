package eval

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"dicescript/builtins/meter"
	"dicescript/builtins/native"
	"dicescript/builtins/slot"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// What operators do with values that are not two short whole numbers: what they look at
// is paid for before, and what they make after. Plain values are Starlark's; what an
// operator means for others the run knows.

// isPlain reports whether a value is one that Starlark compares as a recipe expects, and
// that is true or false.
func isPlain(v slot.Value) bool {
	switch v.V.(type) {
	case nil, starlark.Int, starlark.String, starlark.Bool, starlark.Float, starlark.NoneType, starlark.Bytes:
		return true
	}
	return false
}

// typeOf is the name of the type of a value.
func typeOf(v slot.Value) string { return v.Starlark().Type() }

// binary is x op y for arithmetic.
func (m *Machine) binary(op syntax.Token, x, y slot.Value) (slot.Value, error) {
	if x.V == nil && y.V == nil {
		if n, ok := intArithmetic(op, x.N, y.N); ok {
			return slot.Int(n), nil
		}
	}
	a, b := x.Starlark(), y.Starlark()
	if err := m.meter.Binary(op, a, b); err != nil {
		return failed, err
	}
	var v starlark.Value
	var err error
	if isPlain(x) && isPlain(y) && op != syntax.PERCENT && op != syntax.SLASH {
		v, err = native.Binary(op, a, b)
	} else {
		v, err = m.hooks.Binary(op, a, b)
	}
	if err != nil {
		return failed, err
	}
	return slot.Of(v), m.meter.Made(v)
}

// operate is x op y at a place, of which one may have failed.
func (fr *frame) operate(op syntax.Token, x, y slot.Value, at place) slot.Value {
	if isFailed(x) {
		return x
	}
	if isFailed(y) {
		return y
	}
	fr.at = at
	v, err := fr.m.binary(op, x, y)
	if err != nil {
		return fr.fail(at, err)
	}
	return v
}

// augment is x op= y, which changes a list or dict in place.
func (fr *frame) augment(op syntax.Token, x, y slot.Value, at place) slot.Value {
	var err error
	switch to := x.V.(type) {
	case *starlark.List:
		if values, ok := y.V.(starlark.Iterable); ok && op == syntax.PLUS {
			if err = fr.m.ownedByPlay(to); err != nil {
				return fr.fail(at, err)
			}
			if err = fr.m.meter.Extend(to, values); err != nil {
				return fr.fail(at, err)
			}
			return x
		}
	case *starlark.Dict:
		if other, ok := y.V.(*starlark.Dict); ok && op == syntax.PIPE {
			if err = fr.m.ownedByPlay(to); err != nil {
				return fr.fail(at, err)
			}
			if err = fr.m.meter.Join(to, other); err != nil {
				return fr.fail(at, err)
			}
			return x
		}
	}
	return fr.operate(op, x, y, at)
}

// negate is -x, +x or ~x.
func (fr *frame) negate(op syntax.Token, x slot.Value, at place) slot.Value {
	if isFailed(x) {
		return x
	}
	fr.at = at
	v := x.Starlark()
	if err := fr.m.meter.Unary(v); err != nil {
		return fr.fail(at, err)
	}
	var err error
	if isPlain(x) {
		v, err = native.Unary(op, v)
	} else {
		v, err = fr.m.hooks.Unary(op, v)
	}
	if err == nil {
		err = fr.m.meter.Made(v)
	}
	if err != nil {
		return fr.fail(at, err)
	}
	return slot.Of(v)
}

// compare is x op y: a truth value, or a chance.
func (fr *frame) compare(op syntax.Token, x, y slot.Value, at place) slot.Value {
	if x.V == nil && y.V == nil {
		return slot.Bool(compareInts(op, x.N, y.N))
	}
	if isFailed(x) {
		return x
	}
	if isFailed(y) {
		return y
	}
	fr.at = at
	v, err := fr.m.compare(op, x, y)
	if err != nil {
		return fr.fail(at, err)
	}
	return slot.Value{V: v}
}

func (m *Machine) compare(op syntax.Token, x, y slot.Value) (starlark.Value, error) {
	if _, none := y.V.(starlark.NoneType); none && (op == syntax.EQL || op == syntax.NEQ) {
		_, same := x.V.(starlark.NoneType)
		return starlark.Bool(same == (op == syntax.EQL)), nil
	}
	if _, none := x.V.(starlark.NoneType); none && (op == syntax.EQL || op == syntax.NEQ) {
		return starlark.Bool(op == syntax.NEQ), nil
	}
	a, b := x.Starlark(), y.Starlark()
	if err := m.meter.Compare(a, b); err != nil {
		return nil, err
	}
	if isPlain(x) && isPlain(y) {
		return native.Compare(op, a, b)
	}
	return m.hooks.Compare(op, a, b)
}

// contains is x in y. A number may also equal a chance that stands in a list; the keys of
// dicts and sets are found by type.
func (fr *frame) contains(op syntax.Token, x, y slot.Value, at place) slot.Value {
	if isFailed(x) {
		return x
	}
	if isFailed(y) {
		return y
	}
	direct := isPlain(x)
	switch of := y.V.(type) {
	case *starlark.Dict, *starlark.Set, starlark.String, starlark.Bytes:
	case *starlark.List, starlark.Tuple:
		direct = direct && !isNumeric(x)
	case nil:
		direct = false
	default:
		direct = direct && of.Type() == "range"
	}
	var v starlark.Value
	var err error
	if direct {
		var found bool
		found, err = fr.m.meter.Contains(x.Starlark(), y.V)
		v = starlark.Bool(found == (op == syntax.IN))
	} else {
		v, err = fr.m.hooks.Compare(op, x.Starlark(), y.Starlark())
	}
	if err != nil {
		return fr.fail(at, err)
	}
	return slot.Value{V: v}
}

func isNumeric(v slot.Value) bool {
	switch v.V.(type) {
	case nil, starlark.Int, starlark.Float:
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

// truth is whether v counts as true; what is no condition is refused.
func (fr *frame) truth(v slot.Value, at place) verdict {
	switch x := v.V.(type) {
	case nil:
		return verdictOf(v.N != 0)
	case starlark.Bool:
		return verdictOf(bool(x))
	case starlark.String:
		return verdictOf(x != "")
	case starlark.NoneType:
		return no
	case failure:
		return wrong
	case starlark.Int, starlark.Float, starlark.Bytes:
		return verdictOf(bool(x.Truth()))
	}
	if err := fr.m.hooks.Truth(v.V); err != nil {
		fr.fail(at, err)
		return wrong
	}
	return verdictOf(bool(v.V.Truth()))
}

// intArithmetic is a op b where both and the result are machine words.
func intArithmetic(op syntax.Token, a, b int64) (int64, bool) {
	switch op {
	case syntax.PLUS:
		sum := a + b
		return sum, (sum > a) == (b > 0)
	case syntax.MINUS:
		diff := a - b
		return diff, (diff < a) == (b > 0)
	case syntax.STAR:
		hi, lo := bits.Mul64(magnitude(a), magnitude(b))
		return a * b, hi == 0 && lo < 1<<63
	case syntax.SLASHSLASH:
		if b != 0 && (a != math.MinInt64 || b != -1) {
			q := a / b
			if a%b != 0 && (a < 0) != (b < 0) {
				q--
			}
			return q, true
		}
	case syntax.PERCENT:
		if b != 0 && (a != math.MinInt64 || b != -1) {
			r := a % b
			if r != 0 && (r < 0) != (b < 0) {
				r += b
			}
			return r, true
		}
	case syntax.AMP:
		return a & b, true
	case syntax.PIPE:
		return a | b, true
	case syntax.CIRCUMFLEX:
		return a ^ b, true
	case syntax.GTGT:
		if b >= 0 && b < 63 {
			return a >> b, true
		}
	case syntax.LTLT:
		if b >= 0 && b < 62 && magnitude(a) < 1<<(62-b) {
			return a << b, true
		}
	}
	return 0, false
}

// magnitude is the absolute value of n.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// setElement is x[key] = value.
func (m *Machine) setElement(x, key, v slot.Value) error {
	if err := m.ownedByPlay(x.V); err != nil {
		return err
	}
	switch to := x.V.(type) {
	case *starlark.Dict:
		return m.meter.SetKey(to, key.Starlark(), v.Starlark())
	case starlark.HasSetKey:
		return to.SetKey(key.Starlark(), v.Starlark())
	case starlark.HasSetIndex:
		i, err := place32(to, key)
		if err != nil {
			return err
		}
		return to.SetIndex(i, v.Starlark())
	}
	return fmt.Errorf("the elements of %s can't be changed", native.TypeInWords(typeOf(x)))
}

// place32 is the place in x that a key is, counted from 0.
func place32(x starlark.Indexable, key slot.Value) (int, error) {
	n := x.Len()
	if key.V != nil {
		if _, isInt := key.V.(starlark.Int); !isInt {
			return 0, fmt.Errorf("the place in %s is a whole number, got %s%s", native.TypeInWords(x.Type()), native.TypeInWords(key.V.Type()), wholeMeant(key.V))
		}
	}
	i := key.N
	if key.V != nil || i != int64(int32(i)) {
		return 0, fmt.Errorf("%s index: %s out of range", x.Type(), key.Starlark())
	}
	if i < 0 {
		i += int64(n)
	}
	switch {
	case 0 <= i && i < int64(n):
		return int(i), nil
	case n == 0:
		return 0, fmt.Errorf("there is no element %d: this is an empty %s", key.N, x.Type())
	}
	return 0, fmt.Errorf("there is no element %d: the last one is %d, counted from 0", key.N, n-1)
}

// wholeMeant is what is said where a number has a fraction that may not have one.
func wholeMeant(v starlark.Value) string {
	if v.Type() == "Number" {
		return ": // divides without a remainder"
	}
	return ""
}

// indexOf is x[key].
func (fr *frame) indexOf(x, key slot.Value, at place) slot.Value {
	if list, ok := x.V.(*starlark.List); ok && key.V == nil {
		i, n := key.N, int64(list.Len())
		if i < 0 {
			i += n
		}
		if 0 <= i && i < n {
			return slot.Of(list.Index(int(i)))
		}
	}
	if isFailed(x) {
		return x
	}
	if isFailed(key) {
		return key
	}
	if key.V != nil {
		if err := fr.m.meter.Key(key.V); err != nil {
			return fr.fail(at, err)
		}
	}
	v, err := element(x, key)
	if err != nil {
		return fr.fail(at, err)
	}
	return slot.Of(v)
}

func element(x, key slot.Value) (starlark.Value, error) {
	switch of := x.V.(type) {
	case starlark.Mapping:
		k := meter.KeyOf(key.Starlark())
		v, found, err := of.Get(k)
		if err != nil {
			return nil, err
		}
		if !found {
			if t := of.Type(); t != "dict" && t != "read_only_dict" {
				return nil, fmt.Errorf("key %v not in %s", k, t)
			}
			return nil, fmt.Errorf("there is no key %v in this dict", k)
		}
		return v, nil
	case starlark.Indexable:
		i, err := place32(of, key)
		if err != nil {
			return nil, err
		}
		return of.Index(i), nil
	}
	return nil, fmt.Errorf("%s has no elements: [...] is for lists, texts and dicts", native.TypeInWords(typeOf(x)))
}

// attributeOf is x.name.
func (fr *frame) attributeOf(x slot.Value, name string, at place) slot.Value {
	fr.at = at
	v, err := fr.m.hooks.Attribute(x.Starlark(), name)
	if err != nil {
		return fr.fail(at, err)
	}
	return slot.Of(v)
}

func setField(x slot.Value, name string, v slot.Value) error {
	to, ok := x.V.(starlark.HasSetField)
	if !ok {
		return fmt.Errorf("the .%s of %s can't be changed", name, native.TypeInWords(typeOf(x)))
	}
	return to.SetField(name, v.Starlark())
}

// notIterable is the error of a loop over a value without elements.
func notIterable(v slot.Value) error {
	switch t := typeOf(v); t {
	case "IntBand":
		return errors.New("a range that is open at one end, or very long, can't be gone through; write both ends, as in 1..10")
	case "DieRoll", "DicePool":
		return errors.New(native.TypeInWords(t) + " has no elements to go through; map(fn, roll) looks at each result")
	case "int":
		return errors.New("a whole number has no elements to go through; for n in 1..10 counts")
	default:
		return errors.New(native.TypeInWords(t) + " has no elements to go through")
	}
}

// notCallable is the error of a call of what is no function.
func notCallable(v slot.Value, method bool, name string) error {
	if method {
		return errors.New("." + name + " is a value: write it without parentheses")
	}
	return errors.New("this is not a function, it is " + native.TypeInWords(typeOf(v)))
}
