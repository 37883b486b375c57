package meter

import (
	"math"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// What an operator makes is paid for before it is made. Where one works on whole
// dicts or sets, it is done here, piece by piece.

// Binary pays for x op y. It returns the result where it has made it itself, and
// otherwise nil: then Starlark or the values make it.
func (m *Meter) Binary(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	switch x := x.(type) {
	case starlark.Int:
		if j, ok := y.(starlark.Int); ok {
			return nil, m.integers(op, x, j)
		}
	case starlark.String:
		if op == syntax.PERCENT {
			return nil, m.percent(string(x), y)
		}
	case *starlark.Dict:
		if y, ok := y.(*starlark.Dict); ok && op == syntax.PIPE {
			v, err := m.Collect(x)
			if err != nil {
				return nil, err
			}
			return v, m.update(v.(*starlark.Dict), y)
		}
	case *starlark.Set:
		if y, ok := y.(*starlark.Set); ok {
			t, err := m.combined(op, x, starlark.Tuple{y})
			if err != nil {
				return nil, err
			}
			return t, nil
		}
	}
	switch op {
	case syntax.PLUS:
		if x.Type() == y.Type() && starlark.Len(x) >= 0 {
			return nil, m.long(x, int64(starlark.Len(x)+starlark.Len(y)))
		}
	case syntax.STAR:
		if err := m.repeated(x, y); err != nil {
			return nil, err
		}
		return nil, m.repeated(y, x)
	}
	return nil, m.operands(x, y)
}

// operands pays for an operation on values of ours: on numbers here, and on dice
// by the engine.
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

// Unary pays for -x and ~x.
func (m *Meter) Unary(x starlark.Value) error {
	if i, ok := x.(starlark.Int); ok {
		return m.integers(syntax.MINUS, starlark.MakeInt(0), i)
	}
	return m.operands(x)
}

// integers pays for an operation on whole numbers. Two machine words are free.
func (m *Meter) integers(op syntax.Token, x, y starlark.Int) error {
	if isSmall(x) && isSmall(y) && op != syntax.LTLT {
		return nil
	}
	a, b := int64(x.BigInt().BitLen()), int64(y.BigInt().BitLen())
	bits := max(a, b) + 1
	work := bits / 64
	switch op {
	case syntax.STAR:
		bits, work = a+b, (a/64+1)*(b/64+1)
	case syntax.PERCENT, syntax.SLASHSLASH:
		work = (a/64 + 1) * (b/64 + 1)
	case syntax.LTLT:
		if n, ok := y.Int64(); ok && n >= 0 && n < 512 { // Starlark refuses more
			bits = a + n
		}
	}
	if err := m.Spend(work / 8); err != nil {
		return err
	}
	return m.integer(bits)
}

// repeated pays for v * n, if v can be repeated and n is a count.
func (m *Meter) repeated(v, n starlark.Value) error {
	i, ok := n.(starlark.Int)
	if !ok || i.Sign() <= 0 || starlark.Len(v) < 0 {
		return m.operands(v)
	}
	count, ok := i.Int64()
	if !ok {
		count = math.MaxInt64
	}
	return m.long(v, mul(int64(starlark.Len(v)), count))
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

// Contains reports whether x is in y, and pays for looking it up.
func (m *Meter) Contains(x, y starlark.Value) (bool, error) {
	var err error
	switch y := y.(type) {
	case *starlark.List, starlark.Tuple:
		list := y.(starlark.Indexable)
		at, err := m.find(x, list, 0, list.Len())
		return at >= 0, err
	case *starlark.Dict, *starlark.Set:
		err = m.Key(x)
	case starlark.String, starlark.Bytes:
		err = m.Spend(int64(starlark.Len(y)) / bytesPerStep)
	default:
		err = m.operands(x, y)
	}
	if err != nil {
		return false, err
	}
	v, err := starlark.Binary(syntax.IN, x, y)
	return v == starlark.True, err
}
