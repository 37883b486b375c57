// What a host's own code does wrong: a panic of a builtin, or in a value of its own, is an
// error at the place of the recipe that got there.

package lang

import (
	"dicescript/builtins/meter"
	"dicescript/lang/internal/given"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// recovered makes an error of a panic; it is deferred.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = panicked(p)
	}
}

// recovering turns a panic of b, or a missing result, into an error at the place
// of the call.
func recovering(b *starlark.Builtin) *starlark.Builtin {
	return starlark.NewBuiltin(b.Name(), func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (v starlark.Value, err error) {
		defer recovered(&err)
		v, err = b.CallInternal(thread, args, kwargs)
		if v == nil && err == nil {
			err = &Error{Kind: KindInternal, Message: b.Name() + ": it returned neither a value nor an error"}
		}
		return v, err
	})
}

// Attribute is x.name. The methods of a host's own values are its code too.
func (r *run) Attribute(x starlark.Value, name string) (v starlark.Value, err error) {
	if !foreign(x) {
		return r.meter.Attribute(x, name)
	}
	defer recovered(&err)
	v, err = r.meter.Attribute(x, name)
	if b, ok := v.(*starlark.Builtin); ok {
		v = recovering(b)
	}
	return v, err
}

// foreign reports whether a value may be one of a host's own types.
func foreign(x starlark.Value) bool {
	switch x.(type) {
	case starlark.String, *starlark.List, *starlark.Dict, *starlark.Set, starlark.Tuple, starlark.Bytes, *starlarkstruct.Module,
		meter.Sized, meter.Holder, *given.Record, *given.Dict, *given.List:
		return false
	}
	return true
}
