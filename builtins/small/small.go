// Package small holds the values that compiled callbacks compute with. A small
// value is two machine words: a whole number is one without an allocation, and
// everything else is a number beside a reference that says what it is. Small
// values are immutable, so they are shared freely.
package small

import (
	"go.starlark.net/starlark"
)

// A Value is one small value. The zero Value is the whole number 0.
type Value struct {
	N int64 // the whole number, or 0 and 1 of a truth value
	R *Ref  // what it is, nil for a whole number
}

// A Ref is what a value refers to that is no whole number.
type Ref struct {
	Kind  Kind
	Text  string         // of a text
	Items []Value        // of a tuple or a list
	Size  int            // how many items there are in it, with those in them
	Other starlark.Value // the value as Starlark has it, if that is known

	// Number tells apart, from 1 on, the tuples that whoever has made this one
	// remembers. It is a hint: others may count theirs too.
	Number int
}

// A Kind says what a value is.
type Kind uint8

const (
	Stuck Kind = iota // no value: the computation does not fit
	Int
	Bool
	None
	Text
	Tuple
	List
	Other // anything else, which is passed on but not looked into
)

var (
	stuck = &Ref{Kind: Stuck}
	truth = &Ref{Kind: Bool}
	none  = &Ref{Kind: None, Other: starlark.None}
)

// Nothing is no value: what is computed with it comes to nothing too.
var Nothing = Value{R: stuck}

// Set makes v the value w. What v refers to is mostly the same as before, and a pointer
// takes longer to write than to read.
func (v *Value) Set(w Value) {
	if v.R != w.R {
		v.R = w.R
	}
	v.N = w.N
}

// NoneValue is None.
var NoneValue = Value{R: none}

// True and False are the truth values.
var (
	True  = Value{N: 1, R: truth}
	False = Value{R: truth}
)

// MakeInt returns a whole number.
func MakeInt(n int64) Value { return Value{N: n} }

// MakeBool returns a truth value.
func MakeBool(b bool) Value {
	if b {
		return True
	}
	return False
}

// MakeText returns a text.
func MakeText(s string) Value { return Value{R: &Ref{Kind: Text, Text: s}} }

// MakeTuple returns a tuple, which holds on to its items, or Nothing when it would
// be larger than small values may be.
func MakeTuple(items []Value) Value { return collection(Tuple, items) }

// MakeList returns a list, which holds on to its items, or Nothing when it would be
// larger than small values may be.
func MakeList(items []Value) Value { return collection(List, items) }

// MaxSize bounds the size of a value. What holds the same tuple many times has its
// size as often, so that whoever goes through a value comes to an end.
const MaxSize = 1 << 13

func collection(kind Kind, items []Value) Value {
	size := len(items)
	for _, v := range items {
		if v.R != nil {
			size += v.R.Size
		}
		if size > MaxSize {
			return Nothing
		}
	}
	if size > MaxSize {
		return Nothing
	}
	return Value{R: &Ref{Kind: kind, Items: items, Size: size}}
}

// MakeOther returns a value that is not looked into.
func MakeOther(v starlark.Value) Value { return Value{R: &Ref{Kind: Other, Other: v}} }

// Kind returns what v is.
func (v Value) Kind() Kind {
	if v.R == nil {
		return Int
	}
	return v.R.Kind
}

// IsStuck reports whether v is no value.
func (v Value) IsStuck() bool { return v.R == stuck }

// most bounds how many items are read out of one list or tuple, with those in it.
const most = MaxSize / 2

// Of returns a Starlark value as a small one. Lists are copied as they are now;
// what is too large or of no small kind is passed on as a whole.
func Of(v starlark.Value) Value {
	room := most
	return of(v, &room)
}

func of(v starlark.Value, room *int) Value {
	switch v := v.(type) {
	case starlark.Int:
		if n, ok := v.Int64(); ok {
			return Value{N: n}
		}
	case starlark.Bool:
		return MakeBool(bool(v))
	case starlark.NoneType:
		return NoneValue
	case starlark.String:
		return Value{R: &Ref{Kind: Text, Text: string(v), Other: v}}
	case starlark.Tuple:
		if items, ok := itemsOf(v, room); ok {
			t := MakeTuple(items)
			t.R.Other = v // of what is within most
			return t
		}
	case *starlark.List:
		// A list may change, so its small copy does not stand for it.
		if items, ok := itemsOf(v, room); ok {
			return MakeList(items)
		}
	}
	return MakeOther(v)
}

// IsRead reports whether a value is one that [Of] looks into.
func (v Value) IsRead() bool { return v.R == nil || v.R.Kind != Other && v.R.Size <= most }

func itemsOf(v starlark.Indexable, room *int) ([]Value, bool) {
	n := v.Len()
	if *room -= n; *room < 0 {
		return nil, false
	}
	items := make([]Value, n)
	for i := range items {
		items[i] = of(v.Index(i), room)
	}
	return items, *room >= 0
}

// Starlark returns v as Starlark has it, a fresh one where it can change.
func (v Value) Starlark() starlark.Value {
	if v.R == nil {
		return starlark.MakeInt64(v.N)
	}
	switch v.R.Kind {
	case Bool:
		return starlark.Bool(v.N != 0)
	case List:
		return starlark.NewList(starlarks(v.R.Items))
	}
	if v.R.Other != nil {
		return v.R.Other
	}
	switch v.R.Kind {
	case Text:
		return starlark.String(v.R.Text)
	case Tuple:
		return starlark.Tuple(starlarks(v.R.Items))
	}
	panic("small: a stuck value has no Starlark value")
}

func starlarks(items []Value) []starlark.Value {
	out := make([]starlark.Value, len(items))
	for i, v := range items {
		out[i] = v.Starlark()
	}
	return out
}

// Equal reports whether two values are equal as Starlark has it; known is false
// when one of them can't be looked into.
func Equal(x, y Value) (equal, known bool) {
	if x.R == y.R {
		if x.R == nil || x.R.Kind == Bool {
			return x.N == y.N, true
		}
		if x.R.Kind == None || x.R.Kind == Text {
			return true, true
		}
	}
	a, b := x.Kind(), y.Kind()
	switch {
	case a == Stuck || b == Stuck || a == Other || b == Other:
		return false, false
	case a != b:
		// Of different kinds, even True and 1, but what is in a collection might
		// be asked too by whoever compares it.
		return false, plain(x) && plain(y)
	case a == Int || a == Bool:
		return x.N == y.N, true
	case a == Text:
		return x.R.Text == y.R.Text, true
	}
	if len(x.R.Items) != len(y.R.Items) {
		return false, plain(x) && plain(y)
	}
	equal = true
	for i := range x.R.Items {
		same, known := Equal(x.R.Items[i], y.R.Items[i])
		if !known {
			return false, false
		}
		equal = equal && same
	}
	return equal, true
}

// plain reports whether a value and all in it are of small kinds.
func plain(v Value) bool {
	if v.R == nil {
		return true
	}
	switch v.R.Kind {
	case Stuck, Other:
		return false
	case Tuple, List:
		for _, item := range v.R.Items {
			if !plain(item) {
				return false
			}
		}
	}
	return true
}

// Order compares two values of one kind that has an order: whole numbers, truth
// values, texts, tuples and lists of such. known is false for all others.
func Order(x, y Value) (order int, known bool) {
	a, b := x.Kind(), y.Kind()
	if a != b {
		return 0, false
	}
	switch a {
	case Int, Bool:
		switch {
		case x.N < y.N:
			return -1, true
		case x.N > y.N:
			return 1, true
		}
		return 0, true
	case Text:
		switch {
		case x.R.Text < y.R.Text:
			return -1, true
		case x.R.Text > y.R.Text:
			return 1, true
		}
		return 0, true
	case Tuple, List:
		if !plain(x) || !plain(y) {
			return 0, false
		}
		for i := range min(len(x.R.Items), len(y.R.Items)) {
			if same, _ := Equal(x.R.Items[i], y.R.Items[i]); !same {
				return Order(x.R.Items[i], y.R.Items[i])
			}
		}
		return len(x.R.Items) - len(y.R.Items), true
	}
	return 0, false
}

// Truth returns whether v counts as true; known is false when it can't be told.
func (v Value) Truth() (yes, known bool) {
	switch v.Kind() {
	case Int, Bool:
		return v.N != 0, true
	case None:
		return false, true
	case Text:
		return v.R.Text != "", true
	case Tuple, List:
		return len(v.R.Items) > 0, true
	}
	return false, false
}

// Solid reports whether v can't change and is known to its last part: it holds
// no list and nothing that is not looked into.
func Solid(v Value) bool {
	switch v.Kind() {
	case Stuck, Other, List:
		return false
	case Tuple:
		for _, item := range v.R.Items {
			if !Solid(item) {
				return false
			}
		}
	}
	return true
}
