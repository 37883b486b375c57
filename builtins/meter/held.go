package meter

import (
	"reflect"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"dicescript/dist/upper"
)

// Held counts the bytes that values hold in memory, each once however often it is
// met: what a session is charged for as long as something reaches it. It is about
// what the process holds; the size of a value by itself is that of [Sized].
type Held struct {
	// Code is the memory that the code of a function takes, which is asked for once
	// for all functions that were made of the same text at the same time. It is
	// nil where code is not counted.
	Code func(fn Function) int64

	seen  map[place]struct{}
	open  []starlark.Value
	bytes int64
}

// A Holder is a value of ours that holds more than its [Size] tells.
type Holder interface {
	starlark.Value
	// Held is what it takes by itself, and the values that it holds.
	Held() (bytes int64, inside []starlark.Value)
}

// Add counts v with all that it holds, and returns the bytes of what had not been
// counted before.
func (h *Held) Add(v starlark.Value) int64 {
	before := h.bytes
	h.open = append(h.open, v)
	for len(h.open) > 0 {
		last := len(h.open) - 1
		v := h.open[last]
		h.open[last] = nil
		h.open = h.open[:last]
		h.bytes = upper.AddSat(h.bytes, h.one(v))
	}
	return h.bytes - before
}

// Total is the bytes of all that has been counted.
func (h *Held) Total() int64 { return h.bytes }

// A place is where something is in memory. Of a text or tuple that is part of another
// only the length tells it apart.
type place struct {
	at  uintptr
	len int
}

// first reports whether something is met for the first time.
func (h *Held) first(thing any, length int) bool {
	p := place{reflect.ValueOf(thing).Pointer(), length}
	if _, again := h.seen[p]; again {
		return false
	}
	if h.seen == nil {
		h.seen = map[place]struct{}{}
	}
	h.seen[p] = struct{}{}
	return true
}

// lengthenedBytes is a place in a list, which mostly has room for more than there is
// in it.
const lengthenedBytes = elementBytes * 5 / 4

// shortText is how long a text is that is counted wherever it stands.
const shortText = 64

// one counts a value without what it holds, which it opens.
func (h *Held) one(v starlark.Value) int64 {
	switch v := v.(type) {
	case nil, starlark.Bool, starlark.NoneType:
		return 0
	case starlark.Float:
		return 8
	case starlark.Int:
		return heldInt(v)
	case starlark.String:
		return h.text(v, len(v))
	case starlark.Bytes:
		return h.text(v, len(v))
	case starlark.Tuple:
		return h.tuple(v)
	case *starlark.List:
		if !h.first(v, 0) {
			return 0
		}
		for i := range v.Len() {
			h.open = append(h.open, v.Index(i))
		}
		return headBytes + lengthenedBytes*int64(v.Len())
	case *starlark.Dict:
		if !h.first(v, 0) {
			return 0
		}
		for key, value := range v.Entries() {
			h.open = append(h.open, key, value)
		}
		return heldTable(v.Len())
	case *starlark.Set:
		if !h.first(v, 0) {
			return 0
		}
		for e := range v.Elements() {
			h.open = append(h.open, e)
		}
		return heldTable(v.Len())
	case Function:
		return h.function(v)
	case *starlark.Builtin:
		if h.first(v, 0) {
			h.open = append(h.open, v.Receiver())
			return closureBytes
		}
		return 0
	case *method:
		if h.first(v, 0) {
			h.open = append(h.open, v.Builtin)
			return closureBytes
		}
		return 0
	}
	return h.own(v)
}

func heldInt(n starlark.Int) int64 {
	if small, ok := n.Int64(); ok {
		if small == int64(int32(small)) {
			return 0
		}
		return headBytes
	}
	return headBytes + int64(n.BigInt().BitLen())/8
}

func heldTable(entries int) int64 {
	return dictBytes + entryBytes*max(0, int64(entries)-8)
}

func (h *Held) text(s starlark.Value, length int) int64 {
	if length > shortText && !h.first(s, length) {
		return 0
	}
	return elementBytes + int64(length)
}

func (h *Held) tuple(t starlark.Tuple) int64 {
	if len(t) == 0 || !h.first(t, len(t)) {
		return 0
	}
	h.open = append(h.open, t...)
	return headBytes/2 + elementBytes*int64(len(t))
}

// function counts a function with the values of its parameters, what it captures,
// and the globals of its file.
func (h *Held) function(fn Function) int64 {
	if !h.first(fn, 0) {
		return 0
	}
	captured := fn.Captured()
	h.open = append(h.open, captured...)
	bytes := closureBytes + elementBytes*int64(len(captured)+fn.NumParams())
	if !h.first(fn.Home(), 0) {
		return bytes
	}
	if h.Code != nil {
		bytes += h.Code(fn)
	}
	globals := fn.Globals()
	for _, v := range globals {
		h.open = append(h.open, v)
	}
	return bytes + elementBytes*int64(len(globals))
}

// A Function is a function of a recipe.
type Function interface {
	starlark.Callable
	Defined() syntax.Position
	NumParams() int // with *args and **kwargs
	NumKwonlyParams() int
	HasVarargs() bool
	HasKwargs() bool
	Param(i int) (name string, at syntax.Position)
	ParamDefault(i int) starlark.Value // nil where there is none

	Captured() []starlark.Value   // the values that the function holds itself
	Globals() starlark.StringDict // of the file that it belongs to
	Home() any                    // a pointer that the functions of one file in one run share
}

// own counts a value of ours or of a host.
func (h *Held) own(v starlark.Value) int64 {
	bytes := int64(headBytes)
	sized, isSized := v.(Sized)
	holder, isHolder := v.(Holder)
	if (isSized || isHolder) && !h.first(v, 0) { // a pointer, as all of ours are
		return 0
	}
	if isSized {
		bytes = valueBytes
		if cells := sized.Size().Cells; cells > 0 {
			bytes = upper.AddSat(4*valueBytes, upper.MulSat(8, cells))
		}
	}
	if isHolder {
		more, inside := holder.Held()
		bytes = upper.AddSat(bytes, more)
		h.open = append(h.open, inside...)
	}
	return bytes
}
