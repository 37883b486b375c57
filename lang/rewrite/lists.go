package rewrite

import (
	"go.starlark.net/starlark"
)

// This file bounds how long one list gets. A long list is copied when it has
// grown too large for its place, and nothing looks at the context meanwhile.

// sized charges what a list will be comprehended of, an element each.
func (r *run) sized(v starlark.Value) (starlark.Value, error) {
	return v, r.hooks.chargeElements(int64(starlark.Len(v)))
}

// beginList notes that a list is being comprehended. Lists in its elements are
// done with before it is, as calls are.
func (r *run) beginList(v starlark.Value) (starlark.Value, error) {
	r.hooks.lists = append(r.hooks.lists, 0)
	return v, nil
}

func (r *run) countElement(v starlark.Value) (starlark.Value, error) {
	n := &r.hooks.lists[len(r.hooks.lists)-1]
	*n++
	return v, r.hooks.chargeElements(*n)
}

func (r *run) endList(v starlark.Value) (starlark.Value, error) {
	r.hooks.lists = r.hooks.lists[:len(r.hooks.lists)-1]
	return v, nil
}

// chargeElements refuses a list of n elements, if none may be so long.
func (h *Hooks) chargeElements(n int64) error {
	if h.Elements == nil || n <= 0 {
		return nil
	}
	return h.Elements(n)
}
