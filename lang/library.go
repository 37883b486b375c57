// Starlark's own functions as recipes get them: those that go through a whole
// collection at once, or can make a large value of a small one, first charge
// the run for it.

package lang

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"dicescript/builtins"
	"dicescript/lang/rewrite"

	"go.starlark.net/lib/json"
	starlarkmath "go.starlark.net/lib/math"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// addUniverse adds the functions to the globals of a host. Builtins that
// extend one of Starlark's functions are charged as the original.
func (h *Host) addUniverse() {
	for name, charge := range charges {
		v, ok := h.globals[name]
		if !ok {
			v = starlark.Universe[name]
		}
		if f, ok := v.(starlark.Callable); ok {
			h.globals[name] = charged(f, charge)
		}
	}
	if !h.globals.Has("math") {
		h.globals["math"] = starlarkmath.Module
	}
	h.globals["json"] = chargedJSON()
	h.globals["getattr"] = guardedAttribute("getattr")
	h.globals["hasattr"] = guardedAttribute("hasattr")
}

// A charge is made before a function is called.
type charge func(r *run, args starlark.Tuple, kwargs []starlark.Tuple) error

// charges lists the functions that need one.
var charges = map[string]charge{
	// They go through all elements; some copy them first.
	"same": comparing,
	"all":  visits, "any": visits, "max": copied, "min": copied, "sum": adding,
	// They collect all elements.
	"bytes": elements, "dict": pairedEntries, "enumerate": pairs, "list": elements,
	"reversed": elements, "set": entries, "sorted": sorting, "tuple": elements,
	"zip": pairs,
	// They write the text of a value, however deep it is.
	"fail": printing, "print": printing, "repr": text, "str": text,
	"hash": text,
	// They make a value from a number or a text.
	"int": digits, "range": length,
}

// charged is f with a charge before it.
func charged(f starlark.Callable, c charge) *starlark.Builtin {
	return starlark.NewBuiltin(f.Name(), func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if r := runOf(thread); r != nil {
			if err := c(r, args, kwargs); err != nil {
				return nil, fmt.Errorf("%s: %w", f.Name(), err)
			}
		}
		return f.CallInternal(thread, args, kwargs)
	})
}

// size is the number of elements of all arguments together.
func size(args starlark.Tuple, kwargs []starlark.Tuple) int64 {
	n := int64(0)
	count := func(v starlark.Value) {
		if s, ok := v.(starlark.Sequence); ok {
			n = min(n, math.MaxInt64/64) + int64(s.Len())
		}
	}
	for _, a := range args {
		count(a)
	}
	for _, kw := range kwargs {
		count(kw[1])
	}
	return n
}

// visits charges a step for each element.
func visits(r *run, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if err := r.spend(size(args, kwargs)); err != nil {
		return err
	}
	if err := r.compared(slices.Values(args)); err != nil {
		return err
	}
	for _, a := range args {
		if list, ok := a.(starlark.Iterable); ok {
			if err := r.compared(starlark.Elements(list)); err != nil {
				return err
			}
		}
	}
	return nil
}

// copied refuses more elements than one list may have, for a function that
// copies them for a moment before it looks at them.
func copied(r *run, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if err := r.passing(size(args, kwargs), 16); err != nil {
		return err
	}
	return visits(r, args, kwargs)
}

// compared charges the elements of collections among values that will be
// compared.
func (r *run) compared(values iter.Seq[starlark.Value]) error {
	for v := range values {
		if isLeaf(v) {
			continue
		}
		if err := r.chargeComparison(v); err != nil {
			return err
		}
	}
	return nil
}

// comparing charges a comparison of the arguments.
func comparing(r *run, args starlark.Tuple, _ []starlark.Tuple) error {
	return r.compared(slices.Values(args))
}

// adding charges for the additions of a sum, each of which may be one of rolls.
func adding(r *run, args starlark.Tuple, kwargs []starlark.Tuple) error {
	const each = 8
	n := size(args, kwargs)
	if err := r.passing(n, 16); err != nil {
		return err
	}
	return r.spend(min(n, math.MaxInt64/each) * each)
}

// elements charges a step and some words for each element: its place in a list,
// and the letter that it may be.
func elements(r *run, args starlark.Tuple, kwargs []starlark.Tuple) error {
	for _, a := range args {
		if s, ok := starlark.AsString(a); ok {
			if err := r.spend(int64(len(s)) / 4); err != nil {
				return err
			}
		}
	}
	each := int64(16)
	if slices.ContainsFunc(args, rewrite.IsLetters) {
		each = 32 // a text for each
	}
	n := size(args, kwargs)
	if err := r.elements(n); err != nil {
		return err
	}
	return r.collect(n, each)
}

// pairs charges a tuple for each element.
func pairs(r *run, args starlark.Tuple, kwargs []starlark.Tuple) error {
	return r.collect(size(args, kwargs), 96)
}

// entries charges the entries of a set, and the hashes of their keys.
func entries(r *run, args starlark.Tuple, kwargs []starlark.Tuple) error {
	return r.chargeEntries(args, kwargs, false)
}

// pairedEntries charges those of a dict, which is made of pairs.
func pairedEntries(r *run, args starlark.Tuple, kwargs []starlark.Tuple) error {
	return r.chargeEntries(args, kwargs, true)
}

func (r *run) chargeEntries(args starlark.Tuple, kwargs []starlark.Tuple, pairs bool) error {
	if err := r.spend(dictSteps); err != nil {
		return err
	}
	n := size(args, kwargs)
	if err := r.elements(n); err != nil {
		return err
	}
	if err := r.spend(n); err != nil {
		return err
	}
	for _, a := range args {
		list, ok := a.(starlark.Iterable)
		if _, text := a.(starlark.Bytes); !ok || text {
			continue
		}
		for e := range starlark.Elements(list) {
			switch v := e.(type) {
			case starlark.Int:
				continue
			case *starlark.List: // a pair for dict
				if v.Len() > 0 {
					e = v.Index(0)
				}
			}
			if err := r.hooks.ChargeHash(e); err != nil {
				return err
			}
		}
		different, err := r.hooks.ChargeKeys(list, pairs)
		if err != nil {
			return err
		}
		if err := r.allocate(different, entryBytes); err != nil {
			return err
		}
	}
	return nil
}

// collect charges n elements of so many bytes.
func (r *run) collect(n, bytes int64) error {
	if err := r.spend(n + 8); err != nil {
		return err
	}
	return r.allocate(n, bytes)
}

// dictSteps is what an empty dict is worth, which has room for some entries.
const dictSteps = 90

// sorting charges for the comparisons of a sort.
func sorting(r *run, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if err := elements(r, args, kwargs); err != nil || len(args) == 0 {
		return err
	}
	n := int64(max(0, starlark.Len(args[0])))
	if n < 2 {
		return nil
	}
	if list, ok := args[0].(starlark.Iterable); ok {
		if err := r.compared(starlark.Elements(list)); err != nil {
			return err
		}
	}
	return r.spend(n * int64(math.Ilogb(float64(n))))
}

// text charges for the text of each argument.
func text(r *run, args starlark.Tuple, kwargs []starlark.Tuple) error {
	for _, a := range args {
		if err := r.chargeText(a); err != nil {
			return err
		}
	}
	return nil
}

// printing charges for texts with a separator between them.
func printing(r *run, args starlark.Tuple, kwargs []starlark.Tuple) error {
	for _, kw := range kwargs {
		if s, ok := starlark.AsString(kw[1]); ok {
			if err := r.allocate(int64(len(args))+1, int64(len(s))+1); err != nil {
				return err
			}
		}
	}
	return text(r, args, kwargs)
}

// chargeText charges for the text of a value before it is written. A list may
// hold the same list many times, so that the text is far longer than the list.
func (r *run) chargeText(v starlark.Value) error {
	if err := r.checkDepth(v); err != nil {
		return err
	}
	return r.hooks.ChargeText(v)
}

// digits charges for a number that is read from a text.
func digits(r *run, args starlark.Tuple, kwargs []starlark.Tuple) error {
	const bitsPerDigit = 5.2 // of base 36, the most there is
	given := slices.Clone(args)
	for _, kw := range kwargs {
		given = append(given, kw[1]) // int(x="12")
	}
	for _, v := range given {
		if s, ok := starlark.AsString(v); ok {
			if err := r.bits(int64(float64(len(s)) * bitsPerDigit)); err != nil {
				return err
			}
		}
	}
	return nil
}

// length refuses a range that nothing could go through to its end.
func length(r *run, args starlark.Tuple, _ []starlark.Tuple) error {
	bounds := make([]int64, 0, 3)
	for _, a := range args {
		n, ok := a.(starlark.Int)
		if !ok {
			return nil
		}
		x, ok := n.Int64()
		if !ok {
			return nil
		}
		bounds = append(bounds, x)
	}
	n := rangeLength(bounds)
	if exceeds(n, r.limits.Steps) {
		return limitError("elements", n, r.limits.Steps)
	}
	return nil
}

// rangeLength is about how many elements a range has.
func rangeLength(bounds []int64) int64 {
	start, stop, step := int64(0), int64(0), int64(1)
	switch len(bounds) {
	case 1:
		stop = bounds[0]
	case 2:
		start, stop = bounds[0], bounds[1]
	case 3:
		start, stop, step = bounds[0], bounds[1], bounds[2]
	default:
		return 0
	}
	if step == 0 {
		return 0
	}
	n := (float64(stop) - float64(start)) / float64(step)
	return int64(min(max(0, n), 1<<62))
}

// checkDepth refuses a value that nests more deeply than calls may: what
// Starlark does with such a value, it does by recursion. The walk itself
// spends steps and is no recursion.
func (r *run) checkDepth(v starlark.Value) error {
	type entry struct {
		v     starlark.Value
		depth int64
	}
	seen := map[starlark.Value]int64{} // lists and dicts, by how deep they have been looked at
	stack := []entry{{v, 0}}
	visited := int64(0)
	for len(stack) > 0 {
		e := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if exceeds(e.depth, r.limits.Depth) {
			return limitError("lists in lists", e.depth, r.limits.Depth)
		}
		inner := parts(e.v)
		if len(inner) == 0 {
			continue
		}
		if isReference(e.v) {
			if d, ok := seen[e.v]; ok && d >= e.depth {
				continue
			}
			seen[e.v] = e.depth
		}
		visited += int64(len(inner))
		if visited >= lookEvery {
			if err := r.spend(visited); err != nil {
				return err
			}
			visited = 0
		}
		for _, x := range inner {
			if !isLeaf(x) {
				stack = append(stack, entry{x, e.depth + 1})
			}
		}
	}
	return r.spend(visited)
}

func isLeaf(v starlark.Value) bool {
	switch v.(type) {
	case *starlark.List, starlark.Tuple, *starlark.Dict, *starlark.Set:
		return false
	}
	return true
}

// isReference reports whether v can be the key of a map that compares it by
// its identity.
func isReference(v starlark.Value) bool {
	_, isTuple := v.(starlark.Tuple)
	return !isTuple
}

// parts are the values that a collection holds.
func parts(v starlark.Value) []starlark.Value {
	switch v := v.(type) {
	case *starlark.List:
		out := make([]starlark.Value, v.Len())
		for i := range out {
			out[i] = v.Index(i)
		}
		return out
	case starlark.Tuple:
		return v
	case *starlark.Dict:
		var out []starlark.Value
		for _, item := range v.Items() {
			out = append(out, item...)
		}
		return out
	case *starlark.Set:
		return nil // its elements are hashable: see Tuple
	}
	return nil
}

// chargedJSON is the module json with limits.
func chargedJSON() starlark.Value {
	members := starlark.StringDict{}
	for name, c := range map[string]charge{
		"encode": encoding, "encode_indent": indenting, "indent": indenting, "decode": jsonDepth,
	} {
		members[name] = charged(json.Module.Members[name].(starlark.Callable), c)
	}
	return &starlarkstruct.Module{Name: "json", Members: members}
}

// encoding charges for the json of a value.
func encoding(r *run, args starlark.Tuple, _ []starlark.Tuple) error {
	for _, a := range args {
		if err := r.checkDepth(a); err != nil {
			return err
		}
		if err := r.hooks.ChargeJSON(a); err != nil {
			return err
		}
	}
	return nil
}

// indenting charges for the lines of a text of json: each may have the prefix
// and, for every level of it, the indentation.
func indenting(r *run, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if err := encoding(r, args, nil); err != nil || len(args) == 0 {
		return err
	}
	lines, depth := int64(0), int64(0)
	if s, ok := starlark.AsString(args[0]); ok {
		level := int64(0)
		for i := range len(s) {
			switch s[i] {
			case '[', '{':
				lines, level = lines+1, level+1
				depth = max(depth, level)
			case ']', '}':
				lines, level = lines+1, level-1
			case ',':
				lines++
			}
		}
	} else {
		var err error
		if lines, depth, err = r.extent(args[0]); err != nil {
			return err
		}
	}
	width := int64(8)
	for _, a := range args[1:] {
		s, _ := starlark.AsString(a)
		width += depth * int64(len(s))
	}
	for _, kw := range kwargs {
		s, _ := starlark.AsString(kw[1])
		width += depth * int64(len(s))
	}
	return r.allocate(2*lines+2, width)
}

// extent is how many elements a value has, with those inside, and how deep it
// is at most.
func (r *run) extent(v starlark.Value) (elements, depth int64, err error) {
	type entry struct {
		v     starlark.Value
		depth int64
	}
	for stack := []entry{{v, 1}}; len(stack) > 0; {
		e := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		depth = max(depth, e.depth)
		inner := parts(e.v)
		elements += int64(len(inner)) + 1
		if err := r.spend(int64(len(inner)) + 1); err != nil {
			return 0, 0, err
		}
		for _, x := range inner {
			if !isLeaf(x) {
				stack = append(stack, entry{x, e.depth + 1})
			}
		}
	}
	return elements, depth, nil
}

// jsonDepth charges for reading a text of json, and refuses one that nests too
// deeply or has too long a number.
func jsonDepth(r *run, args starlark.Tuple, _ []starlark.Tuple) error {
	if len(args) == 0 {
		return nil
	}
	s, ok := starlark.AsString(args[0])
	if !ok {
		return nil
	}
	// A letter may be text, half a number in a list, or half an empty dict.
	if err := r.allocate(int64(len(s)), 24); err != nil {
		return err
	}
	if err := r.allocate(int64(strings.Count(s, "{")), 600); err != nil {
		return err
	}
	keys := strings.Count(s, ":")
	if err := r.allocate(int64(keys), entryBytes); err != nil {
		return err
	}
	if err := r.hooks.ChargeNewKeys(keys, jsonKeys(s)); err != nil {
		return err
	}
	depth, number := int64(0), int64(0)
	for i := range len(s) {
		switch c := s[i]; {
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		}
		if exceeds(depth, r.limits.Depth) {
			return limitError("lists in lists", depth, r.limits.Depth)
		}
		if c := s[i]; '0' <= c && c <= '9' {
			number++
		} else {
			number = 0
		}
		if err := r.bits(number * 10 / 3); err != nil {
			return err
		}
	}
	return r.spend(int64(len(s)))
}

// guardedAttribute is getattr, which is guarded and charged like a dot, or
// hasattr, which makes the attribute to see whether there is one.
func guardedAttribute(name string) *starlark.Builtin {
	get := starlark.Universe[name].(*starlark.Builtin)
	return starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		r := runOf(thread)
		if r == nil {
			return get.CallInternal(thread, args, kwargs)
		}
		if len(args) > 0 {
			if err := builtins.ChargeAttribute(thread, args[0]); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		v, err := get.CallInternal(thread, args, kwargs)
		if err != nil {
			return nil, err
		}
		return r.hooks.GuardAttribute(v)
	})
}
