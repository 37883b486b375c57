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
	if !ok || m.Receiver() == nil || !methods[m.Name()] {
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
		v, err := m.CallInternal(thread, args, kwargs)
		if err != nil {
			return nil, err
		}
		return counted(m.Receiver(), v), nil
	}).BindReceiver(m.Receiver())
}

// GuardAttribute guards a method and charges another attribute, for a host that
// offers getattr.
func (h *Hooks) GuardAttribute(v starlark.Value) (starlark.Value, error) {
	return (&run{hooks: h}).guardMethod(v)
}

// guardMethod guards a method, and charges an attribute that is made when it is
// asked for.
func (r *run) guardMethod(v starlark.Value) (starlark.Value, error) {
	switch v := v.(type) {
	case *starlark.Builtin:
		if v.Receiver() == nil {
			return v, nil
		}
		return r.hooks.GuardMethod(v), r.hooks.spend(2 * collectionSteps)
	case starlark.String:
		n := int64(len(v))
		if err := r.hooks.spend(n/walkedBytes + n*n/(1<<14)); err != nil { // the digits of a number
			return nil, err
		}
		return v, r.charge(n / wordBytes)
	case starlark.Int:
		return r.made(v)
	case *starlark.List, starlark.Tuple:
		return r.fresh(v)
	}
	return v, nil
}

// chargeMethod charges a call of a method. Calls with arguments that do not
// fit are left to the method.
func (h *Hooks) chargeMethod(m *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if err := h.chargeTime(m, args, kwargs); err != nil {
		return err
	}
	r := run{hooks: h}
	if !growing[m.Name()] {
		return nil
	}
	switch m.Name() {
	case "append":
		return r.charge(elementWords)
	case "extend":
		return r.charge(argumentWords(args, elementWords))
	case "update":
		return r.charge(argumentWords(args, entryWords))
	case "format", "join", "replace":
		if s, ok := m.Receiver().(starlark.String); ok {
			return r.chargeTextMethod(m.Name(), string(s), args, kwargs)
		}
	case "split", "rsplit", "splitlines":
		if s, ok := m.Receiver().(starlark.String); ok {
			return r.charge(mul(elementWords, int64(len(s)))) // every letter could become an element
		}
	}
	return r.charge(add(words(m.Receiver()), argumentWords(args, entryWords)))
}

// argumentWords is what it takes to keep the elements of all arguments.
func argumentWords(args starlark.Tuple, element int64) int64 {
	n := int64(0)
	for _, a := range args {
		n = add(n, mul(element, int64(max(0, starlark.Len(a)))))
	}
	return n
}

func (r *run) chargeTextMethod(name, s string, args starlark.Tuple, kwargs []starlark.Tuple) error {
	switch name {
	case "join":
		return r.chargeJoin(s, args)
	case "replace":
		return r.chargeReplace(s, args)
	}
	all := args[:len(args):len(args)]
	for _, kv := range kwargs {
		all = append(all, kv[1])
	}
	return r.chargeFormat(s, strings.Count(s, "{"), all...)
}

// joinSteps is what it takes to join a part to a text.
const joinSteps = 3

// chargeJoin charges s.join(parts).
func (r *run) chargeJoin(s string, args starlark.Tuple) error {
	if len(args) != 1 {
		return nil
	}
	// The parts are looked at twice: here and by join itself.
	if err := r.hooks.spend(mul(joinSteps, int64(max(0, starlark.Len(args[0]))))); err != nil {
		return err
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

// methods are the names of all methods of Starlark's own values: each makes a
// text or list of any size, makes one grow, or looks through one.
var methods = func() map[string]bool {
	names := map[string]bool{}
	for _, v := range []starlark.HasAttrs{starlark.String(""), starlark.Bytes(""), new(starlark.List), new(starlark.Dict), new(starlark.Set)} {
		for _, name := range v.AttrNames() {
			names[name] = true
		}
	}
	return names
}()

// growing are the methods that make a text or list of any size, or make one
// grow.
var growing = map[string]bool{
	"join": true, "replace": true, "format": true,
	"split": true, "rsplit": true, "splitlines": true,
	"upper": true, "lower": true, "title": true, "capitalize": true,
	"append": true, "extend": true, "insert": true, "update": true,
	"items": true, "keys": true, "values": true,
	"union": true, "intersection": true, "difference": true, "symmetric_difference": true,
}
