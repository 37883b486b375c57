package rewrite

import (
	"strings"

	"go.starlark.net/starlark"
)

// This file guards the methods of Starlark's own values that make a text or
// list of any size: the method that a recipe gets charges for its arguments
// and then does what the original does, under the same name.

// GuardMethod wraps a method of a text, list, dict or set that makes big
// values; any other value it gives back. For a host that offers getattr.
func (h *Hooks) GuardMethod(v starlark.Value) starlark.Value {
	m, ok := v.(*starlark.Builtin)
	if !ok || m.Receiver() == nil || !growing[m.Name()] {
		return v
	}
	switch m.Receiver().(type) {
	case starlark.String, starlark.Bytes, *starlark.List, *starlark.Dict, *starlark.Set:
	default:
		return v
	}
	return starlark.NewBuiltin(m.Name(), func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := h.chargeMethod(m, args, kwargs); err != nil {
			return nil, err
		}
		return m.CallInternal(thread, args, kwargs)
	}).BindReceiver(m.Receiver())
}

func (r *run) guardMethod(v starlark.Value) (starlark.Value, error) {
	return r.hooks.GuardMethod(v), nil
}

// chargeMethod charges a call of a method. Calls with arguments that do not
// fit are left to the method.
func (h *Hooks) chargeMethod(m *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) error {
	r := run{hooks: h}
	switch recv := m.Receiver().(type) {
	case starlark.String:
		return r.chargeTextMethod(m.Name(), recv, args, kwargs)
	case *starlark.List:
		if m.Name() == "insert" {
			return r.charge(add(words(recv), elementWords))
		}
	}
	n := int64(elementWords)
	for _, a := range args {
		n = add(n, mul(elementWords, int64(max(0, starlark.Len(a)))))
	}
	if m.Name() == "append" {
		n = elementWords
	}
	if m.Name() == "union" {
		n = add(n, mul(elementWords, int64(max(0, starlark.Len(m.Receiver())))))
	}
	return r.charge(n)
}

func (r *run) chargeTextMethod(name string, s starlark.String, args starlark.Tuple, kwargs []starlark.Tuple) error {
	switch name {
	case "format":
		return r.chargeFormatMethod(s, args, kwargs)
	case "join":
		return r.chargeJoin(s, args)
	case "replace":
		return r.chargeReplace(string(s), args)
	}
	return r.charge(add(words(s), elementWords)) // split and the like
}

// chargeFormatMethod charges s.format(...): a field may name any argument, so
// every field is charged like the largest.
func (r *run) chargeFormatMethod(s starlark.String, args starlark.Tuple, kwargs []starlark.Tuple) error {
	fields := int64(strings.Count(string(s), "{"))
	largest := int64(0)
	measure := &Hooks{Charge: func(n int64) error { return nil }}
	for _, kv := range kwargs {
		args = append(args[:len(args):len(args)], kv[1])
	}
	for _, a := range args {
		size := int64(0)
		measure.Charge = func(n int64) error {
			size = add(size, n)
			return r.charge(n)
		}
		if err := measure.ChargeText(a); err != nil {
			return err
		}
		largest = max(largest, size)
	}
	return r.charge(add(words(s), mul(fields, largest)))
}

// chargeJoin charges s.join(parts).
func (r *run) chargeJoin(s starlark.String, args starlark.Tuple) error {
	if len(args) != 1 {
		return nil
	}
	parts := starlark.Iterate(args[0])
	if parts == nil {
		return nil
	}
	defer parts.Done()
	bytes := int64(0)
	var p starlark.Value
	for parts.Next(&p) {
		text, _ := p.(starlark.String)
		bytes = add(bytes, int64(len(text)+len(s)))
	}
	return r.charge(bytes / wordBytes)
}

// chargeReplace charges s.replace(old, new, count).
func (r *run) chargeReplace(s string, args starlark.Tuple) error {
	if len(args) < 2 {
		return nil
	}
	old, ok := starlark.AsString(args[0])
	new, ok2 := starlark.AsString(args[1])
	if !ok || !ok2 {
		return nil
	}
	if err := r.charge(int64(len(s)) / wordBytes); err != nil {
		return err
	}
	n := int64(strings.Count(s, old))
	return r.charge(mul(n, int64(len(new))) / wordBytes)
}
