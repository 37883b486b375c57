package meter

import (
	"math/bits"
	"unicode/utf8"

	"go.starlark.net/starlark"

	"dicescript/dist/upper"
)

// A Size is what it takes to look at all of a value.
type Size struct {
	// Elements counts the value and all that it holds; a long number or text
	// counts for more than one. To look at an element takes a step.
	Elements int64
	// Cells counts what the engine holds of the value. To look at one takes a step
	// where the value is compared, hashed or written, and where it is handed to a
	// function of ours a unit of work: what else the engine does with it, it charges
	// itself.
	Cells int64
	// Products counts the products of words that comparing, hashing or writing the value
	// takes, as many steps. Where it is handed to a function of ours they are units of work.
	Products int64
	// Bytes is about the length of its text.
	Bytes int64
	// Memory is the bytes that one more value takes, besides the cells, when it is not the
	// length of its text and what most values take.
	Memory int64
}

// Sized is a value that knows its size, without walking over it.
type Sized interface {
	starlark.Value
	Size() Size
}

// Flat is a value that holds no others, and knows the bytes that it takes.
type Flat interface {
	starlark.Value
	Memory() int64
}

// A form is what is done with a value that is measured.
type form uint8

const (
	given   form = iota // handed to a function of ours
	looked              // compared, hashed, or gone through
	written             // written as str does
	encoded             // written as json does
)

// A walk measures a value. It does not recurse, and it spends as it goes: a list
// can hold the same list many times, and be exponentially longer than it looks.
type walk struct {
	m     *Meter
	form  form
	total Size
	spent int64 // of the elements
}

// A level is a collection that is being walked over.
type level struct {
	of   starlark.Indexable
	next int
}

// measure walks over a value, spends a step for every element above the first, and
// refuses what nests too deeply or, where it is written, gets too long.
func (m *Meter) measure(v starlark.Value, f form) (Size, error) {
	if isSmall(v) {
		return intSize(v.(starlark.Int)), nil
	}
	if s, ok := v.(starlark.String); ok && f >= written { // without quotes
		return Size{Elements: 1 + int64(len(s))/bytesPerStep, Bytes: int64(len(s))}, m.allows(TextBytes, int64(len(s)))
	}
	if t, ok := v.(starlark.Tuple); ok && f < written && len(t) <= shortTuple {
		if size, ok := shortSize(t); ok {
			return size, m.Spend(size.Elements - 1)
		}
	}
	w := walk{m: m, form: f}
	var room [4]level // most values nest no deeper
	open := room[:0]
	for {
		inside, err := w.value(v)
		if err != nil {
			return w.total, err
		}
		if inside != nil {
			open = append(open, level{inside, 0})
			if err := Check(Depth, int64(len(open)), m.limits().Depth); err != nil {
				return w.total, err
			}
		}
		for len(open) > 0 && open[len(open)-1].next == open[len(open)-1].of.Len() {
			open = open[:len(open)-1]
		}
		if len(open) == 0 {
			return w.total, w.spend()
		}
		top := &open[len(open)-1]
		v = top.of.Index(top.next)
		top.next++
	}
}

// value notes a value, and returns what it holds.
func (w *walk) value(v starlark.Value) (inside starlark.Indexable, err error) {
	size := Size{Elements: 1, Bytes: 32}
	switch v := v.(type) {
	case starlark.String:
		size = w.textSize(string(v))
	case starlark.Bytes:
		size = w.textSize(string(v))
	case starlark.Int:
		size = intSize(v)
	case *starlark.List, starlark.Tuple:
		inside = v.(starlark.Indexable)
		size.Bytes = 2
	case *starlark.Dict:
		entries := make(starlark.Tuple, 0, 2*v.Len())
		for key, value := range v.Entries() {
			entries = append(entries, key, value)
		}
		inside = entries
	case *starlark.Set:
		elements := make(starlark.Tuple, 0, v.Len())
		for e := range v.Elements() {
			elements = append(elements, e)
		}
		inside = elements
	case Function:
		size.Bytes += int64(len(v.Name()))
	case Sized:
		size = v.Size()
		if w.form != given {
			size.Elements = upper.AddSat(upper.AddSat(size.Elements, size.Cells), size.Products)
			break
		}
		if err := w.m.work(size.Products); err != nil {
			return nil, err
		}
		if w.m.first(v, size) {
			if err := w.m.work(size.Cells); err != nil { // whatever is done with it
				return nil, err
			}
		}
	case starlark.Iterable: // a range or letters: each of them may be looked at
		if w.form == written {
			size.Bytes = 64
			break
		}
		n := LengthOf(v)
		size.Elements, size.Bytes = upper.AddSat(n, 1), upper.MulSat(n, 24)
		if err := w.m.elements(v); err != nil {
			return nil, err
		}
	}
	return inside, w.note(size)
}

// manyCells is from where on it shows that a value is handed over several times.
const manyCells = 1 << 10

// first reports whether a value is handed over for the first time in a call: the
// engine looks once at a die that is given many times.
func (m *Meter) first(v Sized, size Size) bool {
	if m == nil || size.Cells < manyCells {
		return true
	}
	if m.handed[v] {
		return false
	}
	if m.handed == nil {
		m.handed = map[Sized]bool{}
	}
	m.handed[v] = true
	return true
}

// LengthOf is how many elements a value holds, and letters a text. Those that
// Starlark gives one by one are counted.
func LengthOf(v starlark.Value) int64 {
	n := int64(starlark.Len(v))
	if n >= 0 {
		return n
	}
	n = 0
	if letters, ok := v.(starlark.Iterable); ok {
		for range starlark.Elements(letters) {
			n++
		}
	}
	return n
}

// note adds to the size, and spends by the thousand.
func (w *walk) note(s Size) error {
	w.total.Elements = upper.AddSat(w.total.Elements, s.Elements)
	w.total.Bytes = upper.AddSat(w.total.Bytes, s.Bytes+2)
	w.total.Cells = upper.AddSat(w.total.Cells, s.Cells)
	if w.form != given {
		if err := Check(Together, w.total.Cells, mostCells); err != nil {
			return err
		}
	}
	if err := Check(Looks, w.total.Elements, mostLooks); err != nil {
		return err
	}
	if w.form >= written {
		if err := w.m.allows(TextBytes, w.total.Bytes-2); err != nil {
			return err
		}
	}
	if w.total.Elements-w.spent < lookEvery {
		return nil
	}
	return w.spend()
}

func (w *walk) spend() error {
	n := w.total.Elements - w.spent
	w.spent = w.total.Elements
	return w.m.Spend(n - 1)
}

// shortTuple is the length of most tuples that are keys or states.
const shortTuple = 8

// shortSize is that of a tuple of small numbers and texts, which the walk would find
// as well.
func shortSize(t starlark.Tuple) (Size, bool) {
	size := Size{Elements: 1, Bytes: 4}
	for _, v := range t {
		switch v := v.(type) {
		case starlark.String:
			size.Elements += 1 + int64(len(v))/bytesPerStep
			size.Bytes += int64(len(v)) + 2
		case starlark.Int:
			if !isSmall(v) {
				return size, false
			}
			size.Elements++
			size.Bytes += intSize(v).Bytes + 2
		default:
			return size, false
		}
	}
	return size, true
}

// bytesPerStep is how many bytes of a text are dealt with in a step.
const bytesPerStep = 16

// bytesPerLetter is how many are in a step where each letter is looked up among all
// there are.
const bytesPerLetter = 2

// textSize is that of a text among other values: it is written with quotes, and a
// letter can become six.
func (w *walk) textSize(s string) Size {
	size := Size{Elements: 1 + int64(len(s))/bytesPerStep, Bytes: int64(len(s))}
	if w.form < written {
		return size
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			size.Bytes += 3
		case c < ' ' || c == 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&':
			size.Bytes += 5
		}
	}
	return size
}

// intSize is that of a whole number. Its digits take time that grows with the
// square of its length.
func intSize(n starlark.Int) Size {
	if small, ok := n.Int64(); ok {
		return Size{Elements: 1, Bytes: int64(bits.Len64(uint64(max(small, -small))))/3 + 2}
	}
	bits := int64(n.BigInt().BitLen())
	words := bits / 64
	return Size{Elements: 1 + words*words/16, Bytes: bits/3 + 1}
}

// isSmall reports whether v is a whole number of a machine word.
func isSmall(v starlark.Value) bool {
	i, ok := v.(starlark.Int)
	if ok {
		_, ok = i.Int64()
	}
	return ok
}

// SizeOf measures a value that is known to be of moderate size, for nothing.
func SizeOf(v starlark.Value) Size {
	s, _ := (*Meter)(nil).measure(v, written)
	return s
}
