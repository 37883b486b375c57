package rewrite

import (
	"math"
	"strings"

	"dicescript/dist"

	"go.starlark.net/starlark"
)

// This file charges the text of a value before it is made. A list can hold
// the same list many times, so that its text is exponentially longer than the
// list: the walk over it charges as it goes, and so ends.

// ChargeText charges what str(v) or a format would write.
func (h *Hooks) ChargeText(v starlark.Value) error { return h.chargeWritten(v, false, h.Charge) }

// ChargeJSON charges what json.encode would write. It writes every sequence
// element by element, also those whose text is short.
func (h *Hooks) ChargeJSON(v starlark.Value) error { return h.chargeWritten(v, true, h.Charge) }

func (h *Hooks) chargeWritten(v starlark.Value, json bool, charge func(words int64) error) error {
	if charge == nil {
		return nil
	}
	w := textWalk{charge: charge, whole: h.Whole, spend: h.spend, other: h.Text, depth: h.Depth, json: json}
	if err := w.value(v, 0); err != nil {
		return err
	}
	return w.flush()
}

// textWords charges what str(v) would write, and returns it.
func (r *run) textWords(v starlark.Value) (int64, error) {
	size := int64(0)
	err := r.hooks.chargeWritten(v, false, func(n int64) error {
		size = add(size, n)
		return r.charge(n)
	})
	return size, err
}

// chargeFormat charges a format in which each of fields may name any of the
// arguments: all are charged like the largest.
func (r *run) chargeFormat(format string, fields int, args ...starlark.Value) error {
	largest := int64(0)
	for _, a := range args {
		size, err := r.textWords(a)
		if err != nil {
			return err
		}
		largest = max(largest, size)
	}
	return r.charge(add(int64(len(format))/wordBytes, mul(int64(fields), largest)))
}

// chargePercent charges format % y.
func (r *run) chargePercent(format string, y starlark.Value) error {
	if _, named := y.(*starlark.Dict); named {
		return r.chargeFormat(format, strings.Count(format, "%("), y)
	}
	return r.chargeFormat(format, 0, y)
}

// maxTextDepth, where the hooks set no bound, is far above what anybody writes
// and far below what a stack can take; what is deeper is left to Starlark.
const maxTextDepth = 10_000

// writtenSteps is what it takes to write a value, besides its letters, and
// jsonSteps what it takes as json.
const (
	writtenSteps = 3
	jsonSteps    = 12
)

// jsonBytes is charged for every value in json besides its letters: to write it
// takes long, and nothing looks at the context meanwhile.
const jsonBytes = 24

type textWalk struct {
	charge func(words int64) error // piece by piece
	whole  func(words int64) error // as far as it goes; nil: any length will do
	spend  func(steps int64) error // nil: all of it is charged
	other  func(starlark.Value) error
	depth  int64
	json   bool  // every sequence is written, and < > & may be escaped
	bytes  int64 // since the last charge
	values int64
	words  int64 // in all
}

func (w *textWalk) flush() error {
	n := w.bytes / wordBytes
	w.bytes = 0
	if n == 0 {
		return nil
	}
	w.words = add(w.words, n)
	if w.whole != nil {
		if err := w.whole(w.words); err != nil {
			return err
		}
	}
	if w.spend != nil {
		each := int64(writtenSteps)
		if w.json {
			each = jsonSteps
		}
		if err := w.spend(add(n, mul(each, w.values))); err != nil {
			return err
		}
		w.values = 0
	}
	return w.charge(n)
}

// write notes n bytes, and charges them by the thousand.
func (w *textWalk) write(n int) error {
	if w.json {
		w.bytes += jsonBytes
	}
	w.bytes += int64(n) + 2
	w.values++
	if w.bytes < 8192 {
		return nil
	}
	return w.flush()
}

func (w *textWalk) value(v starlark.Value, depth int) error {
	switch {
	case w.depth > 0 && int64(depth) > w.depth:
		return &dist.LimitError{Resource: "lists in lists", Need: int64(depth), Limit: w.depth}
	case depth > maxTextDepth:
		return nil
	}
	switch v := v.(type) {
	case starlark.String:
		return w.write(w.quoted(string(v)))
	case starlark.Bytes:
		return w.write(w.quoted(string(v)))
	case starlark.Int:
		return w.integer(v)
	case *starlark.List:
		for i := range v.Len() {
			if err := w.value(v.Index(i), depth+1); err != nil {
				return err
			}
		}
	case starlark.Tuple:
		for _, e := range v {
			if err := w.value(e, depth+1); err != nil {
				return err
			}
		}
	case *starlark.Set:
		return w.sequence(v, depth)
	case *starlark.Dict:
		for _, item := range v.Items() {
			if err := w.sequence(item, depth); err != nil {
				return err
			}
		}
	case starlark.Bool, starlark.Float, starlark.NoneType, *starlark.Function, *starlark.Builtin:
	default:
		if s, ok := v.(starlark.Sequence); ok && w.json {
			w.values = add(w.values, int64(s.Len()))
			return w.write(int(min(mul(sequenceBytes, int64(s.Len())), math.MaxInt/2)))
		}
		if w.other != nil {
			if err := w.other(v); err != nil {
				return err
			}
		}
	}
	return w.write(8)
}

// sequenceBytes is what an element of a range or of the letters of a text may
// take in json.
const sequenceBytes = 48

// quoted is the length of a text when it is quoted, at most: one letter can
// become six.
func (w *textWalk) quoted(s string) int {
	n := len(s)
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c == 0x7f:
			n += 5
		case c >= 0x80:
			n += 2
		case c == '"' || c == '\\':
			n++
		case w.json && (c == '<' || c == '>' || c == '&'):
			n += 5
		}
	}
	return n
}

// integer notes the digits of a number; writing one takes work that grows
// faster than its length.
func (w *textWalk) integer(v starlark.Int) error {
	if _, ok := v.Int64(); ok {
		return w.write(20)
	}
	bits := int64(v.BigInt().BitLen())
	if w.spend != nil {
		if err := w.spend(mul(bits/64, bits/64) / 16); err != nil {
			return err
		}
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

// chargeCompare charges a comparison of two collections. It looks at all of
// the second, since Starlark may.
func (r *run) chargeCompare(x, y starlark.Value) error {
	if !r.guard || plain(x) || plain(y) || starlark.Len(x) < 0 || starlark.Len(y) < 0 {
		return nil
	}
	return r.hooks.chargeCollections(y)
}
