package meter

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"dicescript/builtins/suggest"
	"dicescript/dist"
	"dicescript/dist/upper"

	"go.starlark.net/starlark"
)

// A call is one use of a function or method of Starlark's.
type call struct {
	thread *starlark.Thread
	fn     starlark.Callable // Starlark's own
	recv   starlark.Value    // what a method belongs to, or nil
	args   starlark.Tuple
	kwargs []starlark.Tuple
}

// native has Starlark do it.
func (c *call) native() (starlark.Value, error) {
	return c.fn.CallInternal(c.thread, c.args, c.kwargs)
}

// values are the arguments, by position and by name.
func (c *call) values() iter.Seq[starlark.Value] {
	return func(yield func(starlark.Value) bool) {
		for _, v := range c.args {
			if !yield(v) {
				return
			}
		}
		for _, kw := range c.kwargs {
			if !yield(kw[1]) {
				return
			}
		}
	}
}

// Function returns fn, a function that every recipe finds under a name, so that
// it is paid for.
func (t *Table) Function(name string, fn starlark.Callable) starlark.Callable {
	if t.of(name).free {
		return fn
	}
	return starlark.NewBuiltin(fn.Name(), func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return Of(thread).Native(thread, name, fn, args, kwargs)
	})
}

// Native calls a function of Starlark's, or one of ours that stands for it, and
// pays for it.
func (m *Meter) Native(thread *starlark.Thread, name string, fn starlark.Callable, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	c := call{thread: thread, fn: fn, args: args, kwargs: kwargs}
	if m == nil {
		return c.native()
	}
	return m.pay(m.table.of(name), &c)
}

// pay pays for a call and makes it: for what it looks at before, for what it has
// made after.
func (m *Meter) pay(k *cost, c *call) (v starlark.Value, err error) {
	if k.free {
		return c.native()
	}
	if err := m.before(k, c); err != nil {
		return nil, named(k.name, err)
	}
	held := 0
	if k.grows {
		held = starlark.Len(c.recv)
	}
	if k.run != nil {
		v, err = k.run(m, c)
		return v, named(k.name, err)
	}
	if v, err = c.native(); err != nil {
		return nil, err
	}
	if k.grows {
		err = m.grown(c.recv, held)
	}
	if err == nil {
		err = m.Made(v)
	}
	if list, ok := v.(*starlark.List); ok && k.fresh && list.Len() > 0 && err == nil {
		row, _ := list.Index(0).(starlark.Tuple)
		err = m.Make(int64(list.Len()) * (headBytes + elementBytes*int64(len(row))))
	}
	return v, named(k.name, err)
}

// named puts the name of a function before an error, if it has none.
func named(name string, err error) error {
	if err == nil || strings.HasPrefix(err.Error(), name+": ") {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// before pays for what a function looks at.
func (m *Meter) before(k *cost, c *call) error {
	err := m.Spend(CallSteps)
	if c.recv != nil && k.look < arguments && err == nil {
		err = m.look(k.look, c.recv)
	}
	for v := range c.values() {
		if k.look == nothing || err != nil {
			break
		}
		err = m.look(k.look, v)
	}
	if k.before != nil && err == nil {
		err = k.before(m, c)
	}
	if k.look == arguments && err == nil {
		byKey(c)
	}
	return err
}

func (m *Meter) look(l look, v starlark.Value) error {
	if l != moved {
		return m.Key(v)
	}
	if err := m.elements(v); err != nil {
		return err
	}
	return m.Spend(LengthOf(v) / movedElements)
}

// Look pays for a look at a value with all that it holds.
func (m *Meter) Look(v starlark.Value) error {
	_, err := m.measure(v, looked)
	return err
}

// Call pays for a call of a function or method of ours before it is made. recv is
// nil for a function.
func (m *Meter) Call(recv starlark.Value, args []starlark.Value) error {
	if m == nil {
		return nil
	}
	clear(m.handed)
	err := m.Spend(ownSteps)
	if recv != nil && err == nil {
		_, err = m.measure(recv, given)
	}
	for _, v := range args {
		if v != nil && err == nil {
			_, err = m.measure(v, given)
		}
	}
	return err
}

// Attribute returns the attribute of a value, as x.name does. A method of
// Starlark's pays for itself when it is called.
func (m *Meter) Attribute(x starlark.Value, name string) (starlark.Value, error) {
	v, err := attributeOf(x, name)
	if err != nil || m == nil {
		return v, err
	}
	return m.attribute(x, v)
}

// attribute pays for an attribute that x has given.
func (m *Meter) attribute(x, v starlark.Value) (starlark.Value, error) {
	b, ok := v.(*starlark.Builtin)
	if !ok {
		if err := m.Call(nil, []starlark.Value{x}); err != nil {
			return nil, err
		}
		return v, m.Made(v)
	}
	if b.Receiver() == nil {
		return v, nil
	}
	return m.method(b), m.Make(2 * closureBytes)
}

// method is a method that pays for itself. One of ours does so anyway.
func (m *Meter) method(b *starlark.Builtin) starlark.Callable {
	if k := m.table.costs[b.Receiver().Type()+"."+b.Name()]; k != nil {
		return &method{b, m, k}
	}
	return b
}

// attribute is getattr(x, name) or hasattr(x, name), which makes the attribute to
// see whether there is one.
func attribute(m *Meter, c *call) (starlark.Value, error) {
	if err := m.Call(nil, c.args); err != nil {
		return nil, err
	}
	v, err := c.native()
	if err != nil || c.fn.Name() == "hasattr" {
		return v, err
	}
	return m.attribute(c.args[0], v)
}

// A method is one of a value of Starlark's that pays for itself.
type method struct {
	*starlark.Builtin
	m    *Meter
	cost *cost
}

// CallInternal pays for the call and makes it.
func (f *method) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return f.m.pay(f.cost, &call{thread: thread, fn: f.Builtin, recv: f.Receiver(), args: args, kwargs: kwargs})
}

// A NoAttribute is the error of x.name where x has none of that name.
type NoAttribute struct {
	Type, Name string
	Near       string // the name that is probably meant, or ""

	missing string // what a value of the host says
}

func (e *NoAttribute) Error() string {
	message := e.missing
	if message == "" {
		message = e.Type + " has no ." + e.Name
	}
	if e.Near != "" {
		message += "; did you mean ." + e.Near + "?"
	}
	return message
}

// attributeOf is x.name.
func attributeOf(x starlark.Value, name string) (starlark.Value, error) {
	of, ok := x.(starlark.HasAttrs)
	if !ok {
		return nil, &NoAttribute{Type: x.Type(), Name: name}
	}
	v, err := of.Attr(name)
	unknown, isUnknown := err.(starlark.NoSuchAttrError)
	if v != nil || err != nil && !isUnknown {
		return v, err
	}
	return nil, &NoAttribute{
		Type: x.Type(), Name: name, Near: suggest.Among(name, of.AttrNames()),
		missing: strings.TrimSuffix(string(unknown), " field or method"),
	}
}

// Compared pays for so many comparisons of a value with others like it.
func (m *Meter) Compared(v starlark.Value, times int64) error {
	size, err := m.measure(v, looked)
	if err != nil {
		return err
	}
	each := 2 * size.Elements
	if _, ours := v.(Sized); ours {
		each += CallSteps
	}
	return m.Spend(upper.MulSat(each, times))
}

// Calls pays for so many calls of a function of the recipe, besides the steps in
// it.
func (m *Meter) Calls(n int64) error { return m.Spend(upper.MulSat(n, CallSteps)) }

// Moved pays for a list of so many elements that is given to a function.
func (m *Meter) Moved(n int) error { return m.Spend(int64(n) / movedElements) }

// Keep pays for so many labels, states or rows that a builtin keeps.
func (m *Meter) Keep(n int64) error {
	if err := m.Spend(n); err != nil {
		return err
	}
	return m.Make(upper.MulSat(n, keptBytes))
}

// Parts pays for so many parts of a mixture, of which each has an exact weight.
func (m *Meter) Parts(n int64) error { return m.Keep(upper.MulSat(n, 4)) }

// Faces pays for a die of so many faces, which the engine makes without a context.
func Faces(ctx context.Context, n int) error { return dist.ChargeTable(ctx, int64(max(0, n)), 1) }

// List pays for a list of so many numbers before it is made.
func (m *Meter) List(n int64) error {
	if err := m.fits(Elements, n); err != nil {
		return err
	}
	return m.Spend(n)
}

// Fraction pays for bringing a fraction of so many bits into lowest terms, which
// takes time that grows with the square of its length, and refuses a longer one.
func (m *Meter) Fraction(bits int64) error {
	if err := Check(NumberBits, bits, MaxNumberBits); err != nil {
		return err
	}
	return m.Spend(1 + bits/64 + FractionProducts(bits))
}

// FractionProducts is what comparing or writing a fraction of so many bits takes, besides
// going through it.
func FractionProducts(bits int64) int64 {
	words := bits / 64
	return words * words / 4
}
