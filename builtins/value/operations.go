package value

import (
	"errors"
	"strings"

	"dicescript/builtins/meter"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A compiled callback computes by itself with numbers, texts and tuples. For dice
// and chances it has no operations of its own: it asks for the same ones that the
// interpreter uses.

// Operations returns the operations on dice and chances in the run of a thread,
// for a compiled callback. They refuse operands of other kinds, which are left to
// the interpreter.
func Operations(thread *starlark.Thread) *DiceOperations { return &DiceOperations{thread} }

// DiceOperations are the operations on dice and chances in one run.
type DiceOperations struct{ thread *starlark.Thread }

var errNoDice = errors.New("neither dice nor a chance")

// Binary is x op y, of which at least one is dice or a chance.
func (o *DiceOperations) Binary(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if !ofDice(x) && !ofDice(y) || ofCollection(x) || ofCollection(y) {
		return nil, errNoDice
	}
	if err := o.meter().Binary(op, x, y); err != nil {
		return nil, err
	}
	return o.made(Binary(o.thread, op, x, y))
}

// Unary is op x of dice or a chance.
func (o *DiceOperations) Unary(op syntax.Token, x starlark.Value) (starlark.Value, error) {
	if !ofDice(x) {
		return nil, errNoDice
	}
	if err := o.meter().Unary(x); err != nil {
		return nil, err
	}
	return o.made(Unary(o.thread, op, x))
}

// Compare is x op y, of which at least one is dice or a chance.
func (o *DiceOperations) Compare(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if !ofDice(x) && !ofDice(y) {
		return nil, errNoDice
	}
	if err := o.meter().Binary(op, x, y); err != nil {
		return nil, err
	}
	return o.made(Compare(o.thread, op, x, y))
}

// Call calls a builtin.
func (o *DiceOperations) Call(fn starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if _, ok := fn.(*starlark.Builtin); !ok {
		return nil, errNoDice
	}
	return starlark.Call(o.thread, fn, args, kwargs)
}

// Attr returns a property or a method of dice or a chance.
func (o *DiceOperations) Attr(v starlark.Value, name string) (starlark.Value, error) {
	if !ofDice(v) || strings.HasPrefix(name, "_") {
		return nil, errNoDice
	}
	return o.meter().Attribute(v, name)
}

// Lasting reports whether a value never changes. Runs that have nothing to do with each
// other share dice too.
func (o *DiceOperations) Lasting(v starlark.Value) bool {
	switch v.(type) {
	case starlark.Int, starlark.Float, *Band:
		return true
	}
	return ofDice(v)
}

func (o *DiceOperations) meter() *meter.Meter { return meter.Of(o.thread) }

// made pays for what an operation has made.
func (o *DiceOperations) made(v starlark.Value, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return v, o.meter().Made(v)
}

// ofDice reports whether v is dice, or a chance or labels that come from dice.
func ofDice(v starlark.Value) bool {
	switch v.(type) {
	case *Roll, *Pool, *Outcomes, *Prob, *Number, *Multiset:
		return true
	}
	return false
}

// ofCollection reports whether v is a list or the like, which an operation would
// leave to Starlark.
func ofCollection(v starlark.Value) bool {
	switch v.(type) {
	case *starlark.List, *starlark.Dict, *starlark.Set, starlark.Tuple, starlark.String, starlark.Bytes:
		return true
	}
	return false
}
