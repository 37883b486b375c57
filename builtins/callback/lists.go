package callback

import (
	"slices"

	"go.starlark.net/starlark"
)

// A walk through the multisets of several pools shows a callback the same faces
// of one pool again and again, once for every multiset of the others. Each list
// of faces is made once and handed out many times. A callback may change the
// list that it gets; then the next call gets a fresh one.

// faceList returns faces as a list that the callback may keep and change.
func faceList(faces []int) *starlark.List {
	values := make([]starlark.Value, len(faces))
	for i, x := range faces {
		values[i] = starlark.MakeInt(x)
	}
	return starlark.NewList(values)
}

// sharedLists holds the lists of one pool in the order in which the walk comes
// to them, which is the same every time around.
type sharedLists struct {
	lists []sharedList
	at    int
}

type sharedList struct {
	place *int // where the engine keeps the faces
	faces []int
	ints  []starlark.Int
	list  *starlark.List
}

// list returns the list of faces, of which there is at least one.
func (s *sharedLists) list(faces []int) *starlark.List {
	place := &faces[0]
	if n := len(s.lists); n > 0 && s.lists[s.at].place != place {
		if s.at++; s.at == n && s.lists[0].place == place {
			s.at = 0
		}
	}
	if s.at == len(s.lists) {
		s.lists = append(s.lists, sharedList{place: place})
	}
	l := &s.lists[s.at]
	if l.place != place || !slices.Equal(l.faces, faces) {
		l.place = place
		l.make(faces)
	} else if l.changed() {
		l.list = faceList(faces)
	}
	return l.list
}

func (l *sharedList) make(faces []int) {
	l.faces = append(l.faces[:0], faces...)
	l.ints = l.ints[:0]
	for _, x := range faces {
		l.ints = append(l.ints, starlark.MakeInt(x))
	}
	l.list = faceList(faces)
}

// changed reports whether a callback changed the list.
func (l *sharedList) changed() bool {
	if l.list.Len() != len(l.ints) {
		return true
	}
	for i, n := range l.ints {
		if x, ok := l.list.Index(i).(starlark.Int); !ok || x != n {
			return true
		}
	}
	return false
}
