package rewrite

import (
	"strings"

	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file charges steps for what the interpreter does at once, however much
// it is: a step stands for some 20 nanoseconds, or for some 6 bytes that a
// recipe may keep.

// Steps that values take when they are made, for the memory that they need.
const (
	collectionSteps = 8  // a list, a tuple, a function
	elementSteps    = 3  // an element of it
	dictSteps       = 90 // a dict or set has room for eight entries from the start
	entrySteps      = 16 // an entry beyond those
)

// Bytes of text that are dealt with in one step.
const (
	hashedBytes   = 64 // to hash or compare
	searchedBytes = 8  // to look for a text in it
	walkedBytes   = 4  // to look at each letter
)

func (h *Hooks) spend(steps int64) error {
	if steps <= 0 || h.Spend == nil {
		return nil
	}
	return h.Spend(steps)
}

// fresh charges a list, a tuple, a dict or a function that has just been made.
func (r *run) fresh(v starlark.Value) (starlark.Value, error) {
	n := int64(collectionSteps)
	switch v := v.(type) {
	case *starlark.List:
		n += elementSteps * int64(v.Len())
	case starlark.Tuple:
		n += elementSteps * int64(len(v))
	case *starlark.Dict:
		n = dictSteps + entrySteps*max(0, int64(v.Len())-8)
		if err := r.hooks.chargeRehash(v); err != nil {
			return nil, err
		}
	case *starlark.Function:
		n += 2 * collectionSteps
	}
	return v, r.hooks.spend(n)
}

// second charges x, which has just been made, and gives y.
func (r *run) second(x, y starlark.Value) (starlark.Value, error) {
	_, err := r.fresh(x)
	return y, err
}

// frame charges a call, and gives y.
func (r *run) frame(steps, y starlark.Value) (starlark.Value, error) {
	n, err := starlark.AsInt32(steps)
	if err != nil {
		return nil, err
	}
	return y, r.hooks.spend(int64(n))
}

// key charges the hash of a key, or of what may be one.
func (r *run) key(v starlark.Value) (starlark.Value, error) {
	if plainNumber(v) && len(r.hooks.crowded) == 0 {
		return v, nil
	}
	return v, r.hooks.ChargeHash(v)
}

// newKey charges an entry of a dict as well.
func (r *run) newKey(v starlark.Value) (starlark.Value, error) {
	if err := r.hooks.spend(entrySteps); err != nil {
		return nil, err
	}
	return r.key(v)
}

// spread charges the elements that become arguments.
func (r *run) spread(v starlark.Value) (starlark.Value, error) {
	n := int64(max(0, starlark.Len(v)))
	switch v.(type) {
	case *starlark.Dict, *starlark.Set:
		return v, r.hooks.spend(mul(n, 2*entrySteps))
	}
	return v, r.hooks.spend(mul(n, 2*elementSteps))
}

// ChargeHash charges the hash of a key and the comparisons with those that it
// collides with.
func (h *Hooks) ChargeHash(v starlark.Value) error {
	if err := h.chargeHash(v); err != nil {
		return err
	}
	return h.chargeCrowd(v)
}

// chargeHash charges the hash alone. Tuples in tuples are hashed by recursion,
// and one tuple may stand in another many times.
func (h *Hooks) chargeHash(v starlark.Value) error {
	switch v := v.(type) {
	case starlark.String:
		return h.spend(int64(len(v)) / hashedBytes)
	case starlark.Bytes:
		return h.spend(int64(len(v)) / hashedBytes)
	case starlark.Tuple:
		return h.chargeTuple(v)
	case starlark.Int:
		return h.spend(textBytes(v) / wordBytes)
	case starlark.Bool, starlark.Float, starlark.NoneType, *starlark.List, *starlark.Dict:
		return nil
	}
	if h.Text != nil {
		return h.Text(v) // values of a host may hash their text
	}
	return nil
}

func (h *Hooks) chargeTuple(t starlark.Tuple) error {
	type entry struct {
		t     starlark.Tuple
		depth int64
	}
	steps, walked := int64(0), int64(0)
	for stack := []entry{{t, 1}}; len(stack) > 0; {
		e := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if h.Depth > 0 && e.depth > h.Depth {
			return &dist.LimitError{Resource: "tuples in tuples", Need: e.depth, Limit: h.Depth}
		}
		n := int64(0)
		for _, v := range e.t {
			n++
			switch v := v.(type) {
			case starlark.String, starlark.Bytes:
				n += textBytes(v) / hashedBytes
			case starlark.Int:
				n += textBytes(v) / wordBytes
			case starlark.Tuple:
				stack = append(stack, entry{v, e.depth + 1})
			case starlark.Bool, starlark.Float, starlark.NoneType:
			default:
				if err := h.chargeHash(v); err != nil {
					return err
				}
			}
		}
		if walked += n; walked > longKey {
			n *= longKeySteps
		}
		if steps += n; steps >= 1000 {
			if err := h.spend(steps); err != nil {
				return err
			}
			steps = 0
		}
	}
	return h.spend(steps)
}

// chargePlain charges a comparison of x, which is plain, with y, which is plain
// too or a collection in which x is looked for.
func (h *Hooks) chargePlain(op syntax.Token, x, y starlark.Value) error {
	search := op == syntax.IN || op == syntax.NOT_IN
	switch y := y.(type) {
	case starlark.String:
		s, ok := x.(starlark.String)
		switch {
		case !ok:
			return nil
		case search:
			return h.spend(int64(len(y)+len(s)) / searchedBytes)
		}
		return h.spend(int64(min(len(s), len(y))) / hashedBytes)
	case starlark.Bytes:
		return h.spend(int64(len(y)) / searchedBytes)
	case *starlark.List:
		return h.spend(mul(int64(y.Len()), eachEqual(x)))
	case starlark.Tuple:
		return h.spend(mul(int64(len(y)), eachEqual(x)))
	case *starlark.Dict, *starlark.Set:
		return h.ChargeHash(x)
	}
	return nil
}

// eachEqual is what it takes to compare x with a value that may be like it.
func eachEqual(x starlark.Value) int64 { return 1 + textBytes(x)/hashedBytes }

func textBytes(v starlark.Value) int64 {
	switch v := v.(type) {
	case starlark.String:
		return int64(len(v))
	case starlark.Bytes:
		return int64(len(v))
	case starlark.Int:
		if _, small := v.Int64(); !small {
			return int64(v.BigInt().BitLen() / 8)
		}
	}
	return 0
}

// chargeTime charges the steps of a method, besides the memory of its result.
func (h *Hooks) chargeTime(m *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) error {
	steps := int64(collectionSteps)
	switch v := m.Receiver().(type) {
	case starlark.String:
		if !strings.HasSuffix(m.Name(), "with") { // startswith and endswith look at their arguments only
			steps += int64(len(v)) / walkedBytes
		}
	case starlark.Bytes:
		steps += int64(len(v)) / walkedBytes
	case *starlark.List:
		return h.chargeListTime(m.Name(), v, args)
	case *starlark.Dict:
		switch m.Name() {
		case "pop", "popitem", "clear":
			h.removes(v, m.Name() == "clear")
		case "setdefault", "update":
			if err := h.grown(v); err != nil {
				return err
			}
		}
		switch m.Name() {
		case "get", "pop", "setdefault":
			if len(args) > 0 {
				if err := h.ChargeHash(args[0]); err != nil {
					return err
				}
			}
			if m.Name() == "setdefault" {
				steps += entrySteps
			}
		case "popitem":
		case "update":
			return h.chargeUpdate(args, kwargs)
		default:
			steps += int64(v.Len())
		}
	case *starlark.Set:
		switch m.Name() {
		case "discard", "remove", "pop", "clear":
			h.removes(v, m.Name() == "clear")
		case "add":
			if err := h.grown(v); err != nil {
				return err
			}
		}
		switch m.Name() {
		case "add", "discard", "remove":
			steps += entrySteps
			if len(args) > 0 {
				if err := h.ChargeHash(args[0]); err != nil {
					return err
				}
			}
		case "pop":
		default:
			if err := h.chargeRehash(v); err != nil {
				return err
			}
			for _, a := range args {
				steps = add(steps, mul(entrySteps, int64(max(0, starlark.Len(a)))))
				if err := h.chargeKeysOf(a, false); err != nil {
					return err
				}
			}
			steps = add(steps, mul(entrySteps, int64(v.Len())))
		}
	}
	for _, a := range args {
		steps = add(steps, textBytes(a)/hashedBytes)
	}
	return h.spend(steps)
}

func (h *Hooks) chargeListTime(name string, l *starlark.List, args starlark.Tuple) error {
	n := int64(l.Len())
	switch name {
	case "append", "insert":
		if err := h.chargeElements(n + 1); err != nil {
			return err
		}
	case "extend":
		if err := h.chargeElements(add(n, int64(max(0, starlark.Len(first(args)))))); err != nil {
			return err
		}
	}
	switch name {
	case "index", "remove":
		if len(args) == 0 {
			return nil
		}
		if !plain(args[0]) {
			// The comparison with each element is charged as that with the list.
			if err := h.chargeCollections(l, args[0]); err != nil {
				return err
			}
		}
		return h.spend(mul(n, eachEqual(args[0])))
	case "insert", "pop":
		return h.spend(collectionSteps + n/16)
	case "clear":
		return h.spend(collectionSteps + n/4)
	case "extend":
		return h.spend(collectionSteps + int64(max(0, starlark.Len(first(args))))/4)
	}
	return h.spend(elementSteps)
}

// chargeCollections charges the elements of collections that are compared.
func (h *Hooks) chargeCollections(values ...starlark.Value) error {
	w := textWalk{charge: h.spend, depth: h.Depth}
	for _, v := range values {
		if err := w.value(v, 0); err != nil {
			return err
		}
		if err := h.ChargeMembers(v); err != nil {
			return err
		}
	}
	return w.flush()
}

// chargeUpdate charges dict.update, which takes a dict or pairs.
func (h *Hooks) chargeUpdate(args starlark.Tuple, kwargs []starlark.Tuple) error {
	for _, a := range args {
		if err := h.chargeKeysOf(a, true); err != nil {
			return err
		}
	}
	return h.spend(mul(entrySteps, add(int64(len(kwargs)), int64(max(0, starlark.Len(first(args)))))))
}

// chargeKeysOf charges the hashes of the elements of a list, or of what comes
// first in pairs.
func (h *Hooks) chargeKeysOf(v starlark.Value, pairs bool) error {
	elements, ok := v.(starlark.Iterable)
	if !ok || starlark.Len(v) < 0 {
		return nil
	}
	for e := range keysOf(elements, pairs) {
		if plainNumber(e) && len(h.crowded) == 0 {
			continue
		}
		if err := h.ChargeHash(e); err != nil {
			return err
		}
	}
	_, err := h.ChargeKeys(elements, pairs)
	return err
}

// plainNumber reports whether v is a whole number of a machine word.
func plainNumber(v starlark.Value) bool {
	i, ok := v.(starlark.Int)
	if ok {
		_, ok = i.Int64()
	}
	return ok
}

func first(args starlark.Tuple) starlark.Value {
	if len(args) == 0 {
		return starlark.None
	}
	return args[0]
}
