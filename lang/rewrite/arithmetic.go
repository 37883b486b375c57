package rewrite

import (
	"errors"
	"math"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file is guarded arithmetic: the size of a result is estimated from the
// operands, charged, and only then made by Starlark's own operation.

// wordBytes is the size in which texts are charged.
const wordBytes = 8

// elementWords is the size of an element of a list, entryWords that of an
// entry of a dict or set.
const (
	elementWords = 2
	entryWords   = 8
)

func (r *run) arithmetic(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if err := r.chargeBinary(op, x, y); err != nil {
		return nil, err
	}
	if r.hooks.Binary != nil && !(plain(x) && plain(y)) {
		return r.hooks.Binary(op, x, y)
	}
	return starlark.Binary(op, x, y)
}

// augment is x op= y.
func (r *run) augment(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	list, isList := x.(*starlark.List)
	elements, isIterable := y.(starlark.Iterable)
	if op == syntax.PLUS && isList && isIterable {
		return list, r.extend(list, elements)
	}
	if dict, isDict := x.(*starlark.Dict); op == syntax.PIPE && isDict {
		if other, isDict := y.(*starlark.Dict); isDict {
			return dict, r.update(dict, other)
		}
	}
	return r.arithmetic(op, x, y)
}

// update is dict |= other.
func (r *run) update(dict, other *starlark.Dict) error {
	update, err := dict.Attr("update")
	if err != nil {
		return err
	}
	if err := r.hooks.chargeMethod(update.(*starlark.Builtin), starlark.Tuple{other}, nil); err != nil {
		return err
	}
	if other.Len() == 0 {
		return applyTo("|=", refill(dict))
	}
	_, err = update.(*starlark.Builtin).CallInternal(nil, starlark.Tuple{other}, nil)
	return applyTo("|=", err)
}

// refill puts an entry of a dict in again, which changes nothing but fails where
// the dict may not be changed.
func refill(d *starlark.Dict) error {
	if d.Len() == 0 {
		return d.Clear()
	}
	var key, value starlark.Value
	for key, value = range d.Entries() {
		break
	}
	return d.SetKey(key, value)
}

// extend is list += elements, with Starlark's messages.
func (r *run) extend(list *starlark.List, elements starlark.Iterable) error {
	if err := mutable(list); err != nil {
		return err
	}
	if err := r.charge(mul(elementWords, int64(max(0, starlark.Len(elements))))); err != nil {
		return err
	}
	if err := r.hooks.chargeElements(add(int64(list.Len()), int64(max(0, starlark.Len(elements))))); err != nil {
		return err
	}
	if starlark.Len(elements) >= 0 {
		return extendAtOnce(list, elements)
	}
	it := elements.Iterate()
	defer it.Done()
	var v starlark.Value
	for n := 0; it.Next(&v); n++ {
		if n%1024 == 1023 {
			if err := r.charge(1024 * elementWords); err != nil {
				return err
			}
		}
		if err := list.Append(v); err != nil {
			return applyTo("+=", err)
		}
	}
	return nil
}

// extendAtOnce grows the list once, as only Starlark itself can.
func extendAtOnce(list *starlark.List, elements starlark.Iterable) error {
	extend, err := list.Attr("extend")
	if err != nil {
		return err
	}
	_, err = extend.(*starlark.Builtin).CallInternal(nil, starlark.Tuple{elements}, nil)
	return err
}

// mutable returns the error of changing a list that may not be changed.
func mutable(l *starlark.List) error {
	if l.Len() == 0 {
		if err := l.Clear(); err != nil {
			return applyTo("+=", err)
		}
		return nil
	}
	if err := l.SetIndex(0, l.Index(0)); err != nil {
		return applyTo("+=", err)
	}
	return nil
}

// applyTo words the error of another change as that of an operator.
func applyTo(op string, err error) error {
	if err == nil {
		return nil
	}
	text := strings.TrimPrefix(err.Error(), "update: ")
	for _, verb := range []string{"clear", "assign to element of", "append to", "insert into"} {
		text = strings.Replace(text, "cannot "+verb+" ", "cannot apply "+op+" to ", 1)
	}
	return errors.New(text)
}

func (r *run) charge(words int64) error {
	if words <= 0 || r.hooks.Charge == nil {
		return nil
	}
	return r.hooks.Charge(words)
}

// chargeBinary charges x op y.
func (r *run) chargeBinary(op syntax.Token, x, y starlark.Value) error {
	if i, ok := x.(starlark.Int); ok {
		if j, ok := y.(starlark.Int); ok {
			return r.chargeInts(op, i, j)
		}
	}
	switch op {
	case syntax.PLUS, syntax.MINUS, syntax.PIPE, syntax.AMP, syntax.CIRCUMFLEX:
		if err := r.hooks.chargeRehash(x, y); err != nil {
			return err
		}
		return r.charge(add(words(x), words(y)))
	case syntax.STAR:
		return r.charge(max(repeated(x, y), repeated(y, x)))
	case syntax.PERCENT:
		if s, ok := x.(starlark.String); ok {
			return r.chargePercent(string(s), y)
		}
	}
	return nil
}

// chargeInts charges an operation of integers. Two machine words are free.
func (r *run) chargeInts(op syntax.Token, x, y starlark.Int) error {
	_, small := x.Int64()
	if small {
		if _, small = y.Int64(); small {
			return nil
		}
	}
	a, b := int64(x.BigInt().BitLen()), int64(y.BigInt().BitLen())
	bits := max(a, b) + 1
	work := bits / 64
	switch op {
	case syntax.STAR:
		bits, work = a+b, mul(a/64+1, b/64+1)
	case syntax.PERCENT, syntax.SLASHSLASH:
		work = mul(a/64+1, b/64+1)
	case syntax.LTLT:
		if n, ok := y.Int64(); ok && n >= 0 && n < 512 { // Starlark refuses more
			bits = a + n
		}
	}
	if r.hooks.Bits != nil && bits > 128 {
		if err := r.hooks.Bits(bits); err != nil {
			return err
		}
	}
	if err := r.hooks.spend(work / 8); err != nil {
		return err
	}
	return r.charge(bits / 64)
}

// words is the size of a copy of a text or collection, and 0 of anything else.
func words(v starlark.Value) int64 {
	switch v := v.(type) {
	case starlark.String:
		return int64(len(v)) / wordBytes
	case starlark.Bytes:
		return int64(len(v)) / wordBytes
	case *starlark.List:
		return elementWords * int64(v.Len())
	case starlark.Tuple:
		return elementWords * int64(len(v))
	case *starlark.Dict:
		return entryWords * int64(v.Len())
	case *starlark.Set:
		return entryWords * int64(v.Len())
	}
	return 0
}

// repeated is the size of v * n, if v can be repeated and n is a count.
func repeated(v, n starlark.Value) int64 {
	i, ok := n.(starlark.Int)
	if !ok || i.Sign() <= 0 {
		return 0
	}
	count, ok := i.Int64()
	if !ok {
		count = math.MaxInt64
	}
	switch v := v.(type) {
	case starlark.String:
		return mul(int64(len(v)), count) / wordBytes
	case starlark.Bytes:
		return mul(int64(len(v)), count) / wordBytes
	}
	return mul(words(v), count)
}

// negate is -x or ~x.
func (r *run) negate(op syntax.Token, x starlark.Value) (starlark.Value, error) {
	if r.hooks.Unary != nil && !plain(x) {
		return r.hooks.Unary(op, x)
	}
	v, err := starlark.Unary(op, x)
	if err != nil {
		return nil, err
	}
	return r.made(v)
}

// made charges a value that has just been made of others no smaller.
func (r *run) made(v starlark.Value) (starlark.Value, error) {
	n := words(v)
	if i, ok := v.(starlark.Int); ok {
		if _, small := i.Int64(); !small {
			n = int64(i.BigInt().BitLen() / 64)
		}
	}
	return v, r.charge(n)
}

// add and mul do not overflow for operands that are not negative.
func add(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func mul(a, b int64) int64 {
	if a != 0 && b > math.MaxInt64/a {
		return math.MaxInt64
	}
	return a * b
}
