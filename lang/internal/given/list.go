// Slices as recipes see them.

package given

import (
	"errors"
	"fmt"
	"reflect"

	"go.starlark.net/starlark"
)

// A List is a slice of the host.
type List struct {
	giver *Giver
	of    reflect.Value
}

var (
	_ starlark.Sequence  = (*List)(nil)
	_ starlark.Container = (*List)(nil)
	_ starlark.Sliceable = (*List)(nil)
)

func (l *List) String() string        { return fmt.Sprintf("<a list of %d from the host>", l.of.Len()) }
func (l *List) Type() string          { return "read_only_list" }
func (l *List) Freeze()               {}
func (l *List) Truth() starlark.Bool  { return l.of.Len() > 0 }
func (l *List) Hash() (uint32, error) { return 0, errors.New("unhashable: read_only_list") }
func (l *List) Len() int              { return l.of.Len() }

// Index returns an element.
func (l *List) Index(i int) starlark.Value {
	return l.giver.must(l.of.Index(i))
}

// Has reports whether an element equals v.
func (l *List) Has(v starlark.Value) (bool, error) {
	for i := range l.of.Len() {
		if same, err := starlark.Equal(l.Index(i), v); same || err != nil {
			return same, err
		}
	}
	return false, nil
}

// Slice returns some of the elements, as a list of the recipe when they are not in a row.
func (l *List) Slice(start, end, step int) starlark.Value {
	if step == 1 && (l.of.Kind() == reflect.Slice || l.of.CanAddr()) {
		return &List{l.giver, l.of.Slice(start, end)}
	}
	var some []starlark.Value
	for i := start; step > 0 && i < end || step < 0 && i > end; i += step {
		some = append(some, l.Index(i))
	}
	return starlark.NewList(some)
}

// Iterate goes through the elements.
func (l *List) Iterate() starlark.Iterator { return &iterator{at: l.Index, n: l.of.Len()} }

// A iterator goes through what has places.
type iterator struct {
	at   func(int) starlark.Value
	next int
	n    int
}

func (it *iterator) Next(p *starlark.Value) bool {
	if it.next == it.n {
		return false
	}
	*p = it.at(it.next)
	it.next++
	return true
}

func (it *iterator) Done() {}
