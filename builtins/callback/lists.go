package callback

import (
	"dicescript/builtins/meter"

	"go.starlark.net/starlark"
)

// faceList returns faces as a list that the callback may keep and change. It is charged
// before it is made.
func faceList(m *meter.Meter, faces []int) (*starlark.List, error) {
	values, err := meter.Slice[starlark.Value](m, len(faces))
	if err != nil {
		return nil, err
	}
	for i, x := range faces {
		values[i] = starlark.MakeInt(x)
	}
	return starlark.NewList(values), nil
}

// A handedList is the list of faces that a callback is given as one argument, call after
// call. A callback that neither keeps nor changes it gets the same list each time, with
// other faces in it.
type handedList struct {
	list  *starlark.List
	faces []int
}

// next is the list for the next call of a callback, with the faces in it.
func (h *handedList) next(cb *Func, faces []int) (*starlark.List, error) {
	if cb.computed == nil || cb.computed.Keeps() {
		return faceList(cb.meter, faces)
	}
	if h.list == nil || len(h.faces) != len(faces) {
		h.faces = append(h.faces[:0], faces...)
		var err error
		h.list, err = faceList(cb.meter, faces)
		return h.list, err
	}
	for i, x := range faces {
		if h.faces[i] == x {
			continue
		}
		h.faces[i] = x
		if err := h.list.SetIndex(i, starlark.MakeInt(x)); err != nil {
			return nil, err
		}
	}
	return h.list, nil
}
