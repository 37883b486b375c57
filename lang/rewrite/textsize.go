package rewrite

import (
	"go.starlark.net/starlark"
)

// This file charges the text of a value before it is made. A list can hold
// the same list many times, so that its text is exponentially longer than the
// list: the walk over it charges as it goes, and so ends.

// ChargeText charges what str(v) or a format would write.
func (h *Hooks) ChargeText(v starlark.Value) error {
	w := textWalk{charge: h.Charge}
	if h.Charge == nil {
		return nil
	}
	if err := w.value(v, 0); err != nil {
		return err
	}
	return w.flush()
}

// chargeFormat charges a format of n bytes with the given arguments.
func (r *run) chargeFormat(n int64, args ...starlark.Value) error {
	if err := r.charge(n / wordBytes); err != nil {
		return err
	}
	for _, a := range args {
		if err := r.hooks.ChargeText(a); err != nil {
			return err
		}
	}
	return nil
}

// maxTextDepth is far above what anybody writes and far below what a stack
// can take; what is deeper is left to Starlark.
const maxTextDepth = 10_000

type textWalk struct {
	charge func(words int64) error
	bytes  int64
}

func (w *textWalk) flush() error {
	n := w.bytes / wordBytes
	w.bytes = 0
	if n == 0 {
		return nil
	}
	return w.charge(n)
}

// write notes n bytes, and charges them by the thousand.
func (w *textWalk) write(n int) error {
	w.bytes += int64(n) + 2
	if w.bytes < 8192 {
		return nil
	}
	return w.flush()
}

func (w *textWalk) value(v starlark.Value, depth int) error {
	if depth > maxTextDepth {
		return nil
	}
	switch v := v.(type) {
	case starlark.String:
		return w.write(len(v))
	case starlark.Bytes:
		return w.write(len(v))
	case starlark.Int:
		return w.integer(v)
	case *starlark.List:
		return w.sequence(v, depth)
	case starlark.Tuple:
		return w.sequence(v, depth)
	case *starlark.Set:
		return w.sequence(v, depth)
	case *starlark.Dict:
		for _, item := range v.Items() {
			if err := w.sequence(item, depth); err != nil {
				return err
			}
		}
	}
	return w.write(8)
}

// integer notes the digits of a number; writing one takes work that grows
// faster than its length.
func (w *textWalk) integer(v starlark.Int) error {
	if _, ok := v.Int64(); ok {
		return w.write(20)
	}
	bits := int64(v.BigInt().BitLen())
	if err := w.charge(mul(bits/64, bits/64)); err != nil {
		return err
	}
	return w.write(int(bits / 3))
}

func (w *textWalk) sequence(s starlark.Iterable, depth int) error {
	it := s.Iterate()
	defer it.Done()
	var e starlark.Value
	for it.Next(&e) {
		if err := w.value(e, depth+1); err != nil {
			return err
		}
	}
	return w.write(2)
}
