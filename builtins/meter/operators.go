package meter

import (
	"math"

	"dicescript/builtins/native"
	"dicescript/dist/upper"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// What an operator looks at is paid for before, and what it has made after. What
// can be longer than both operands together is refused before it is made.

// Binary pays for what x op y looks at.
func (m *Meter) Binary(op syntax.Token, x, y starlark.Value) error {
	if i, ok := x.(starlark.Int); ok {
		if j, ok := y.(starlark.Int); ok {
			return m.integers(op, i, j)
		}
	}
	switch op {
	case syntax.PERCENT:
		if s, ok := x.(starlark.String); ok {
			return m.percent(string(s), y)
		}
	case syntax.STAR:
		if err := m.repeated(x, y); err != nil {
			return err
		}
		if err := m.repeated(y, x); err != nil {
			return err
		}
	}
	if isTable(x, false) && isTable(y, false) {
		return m.joined(x, y)
	}
	return m.operands(x, y)
}

// operands pays for a look at values of ours: what is done with numbers takes as
// long as they are, and what is done with dice the engine charges.
func (m *Meter) operands(values ...starlark.Value) error {
	for _, v := range values {
		if _, ok := v.(Sized); ok {
			if err := m.Call(v, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// Unary pays for what -x and ~x look at.
func (m *Meter) Unary(x starlark.Value) error { return m.operands(x) }

// integers pays for the words of whole numbers that an operator looks at. Two
// machine words are free.
func (m *Meter) integers(op syntax.Token, x, y starlark.Int) error {
	if isSmall(x) && isSmall(y) {
		return nil
	}
	a, b := int64(x.BigInt().BitLen()/64)+1, int64(y.BigInt().BitLen()/64)+1
	switch op {
	case syntax.STAR, syntax.PERCENT, syntax.SLASHSLASH:
		return m.Spend(a * b / 8)
	}
	return m.Spend(max(a, b) / 8)
}

// repeated refuses v * n that would be too long.
func (m *Meter) repeated(v, n starlark.Value) error {
	i, ok := n.(starlark.Int)
	length := starlark.Len(v)
	if !ok || i.Sign() <= 0 || length <= 0 {
		return nil
	}
	count, ok := i.Int64()
	if !ok {
		count = math.MaxInt64
	}
	switch v.(type) {
	case starlark.String, starlark.Bytes:
		return m.allows(TextBytes, upper.MulSat(int64(length), count))
	}
	return m.allows(Elements, upper.MulSat(int64(length), count))
}

// Compare pays for a comparison of two values.
func (m *Meter) Compare(x, y starlark.Value) error {
	if m == nil {
		return nil
	}
	if s, ok := x.(starlark.String); ok {
		t, _ := y.(starlark.String)
		return m.Spend(int64(min(len(s), len(t))) / bytesPerStep)
	}
	if err := m.Look(x); err != nil {
		return err
	}
	return m.Look(y)
}

// Contains reports whether x is in y. It pays for a look at a list; a dict looks
// the key up.
func (m *Meter) Contains(x, y starlark.Value) (bool, error) {
	err := m.Key(x)
	switch y := y.(type) {
	case *starlark.List:
		return m.isAmong(x, y, err)
	case starlark.Tuple:
		return m.isAmong(x, y, err)
	case starlark.String, starlark.Bytes:
		if err == nil {
			err = m.Look(y)
		}
	default:
		if err == nil {
			err = m.operands(x, y)
		}
	}
	if err != nil {
		return false, err
	}
	switch y.(type) {
	case *starlark.Dict, *starlark.Set:
		x = KeyOf(x)
	}
	v, err := native.Binary(syntax.IN, x, y)
	return v == starlark.True, err
}
