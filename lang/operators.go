// What the operators of a recipe mean in a run: the hooks of package eval.

package lang

import (
	"dicescript/builtins"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Compare is x op y for a comparison.
func (r *run) Compare(op syntax.Token, x, y starlark.Value) (v starlark.Value, err error) {
	defer recovered(&err)
	v, err = value.Compare(r.thread, op, x, y)
	if r.isThrown() {
		v = r.operated(v, op, x, y, func(x, y starlark.Value) (starlark.Value, error) { return value.Compare(r.thread, op, x, y) })
	}
	return v, err
}

// Truth refuses what is no condition.
func (r *run) Truth(v starlark.Value) error {
	_, err := value.Truth(r.thread, v)
	return err
}

// Range is lo..hi, an end of which is nil where the range is open.
func (r *run) Range(lo, hi starlark.Value) (starlark.Value, error) {
	return value.Range(r.thread, lo, hi)
}

// Binary is x op y for arithmetic.
func (r *run) Binary(op syntax.Token, x, y starlark.Value) (v starlark.Value, err error) {
	defer recovered(&err)
	v, err = builtins.Binary(r.thread, op, x, y)
	if r.isThrown() {
		v = r.operated(v, op, x, y, func(x, y starlark.Value) (starlark.Value, error) { return builtins.Binary(r.thread, op, x, y) })
	}
	return v, err
}

// Unary is -x or ~x.
func (r *run) Unary(op syntax.Token, x starlark.Value) (v starlark.Value, err error) {
	defer recovered(&err)
	v, err = value.Unary(r.thread, op, x)
	if r.isThrown() {
		v = r.negated(v, op, x)
	}
	return v, err
}
