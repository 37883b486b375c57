package value

import (
	"errors"

	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Faces is a sorted list of faces that tells the engine what a rule looks at (dist.Project):
// the rule gets it in place of a list, reads it as one, and every face that it reads says
// for itself what is asked of it. Whatever runs functions of a recipe needs to know nothing
// about it but to leave the operators, the indexing and the iteration of values that it does not
// know to their methods, and comparisons to [Compare]. A use that a list or a whole number would
// allow and these don't is an error, after which the rule is shown every list.
type Faces struct {
	seen   *dist.Seen
	set    int
	places []int // of the sorted faces
	faces  []int // at all places
	whole  bool  // whether places are all
	known  []int // what a face can be, ascending
}

// A Face is one face of [Faces].
type Face struct {
	from  *Faces
	place int
}

// NewFaces returns the sorted faces of multiset number set, of which each is one of known.
func NewFaces(seen *dist.Seen, set int, faces, known []int) *Faces {
	places := make([]int, len(faces))
	for i := range places {
		places[i] = i
	}
	return &Faces{seen: seen, set: set, places: places, faces: faces, whole: true, known: known}
}

var (
	_ starlark.Sliceable = (*Faces)(nil)
	_ starlark.Sequence  = (*Faces)(nil)
	_ comparer           = (*Faces)(nil)
	_ starlark.HasBinary = Face{}
	_ starlark.HasUnary  = Face{}
	_ comparer           = Face{}
)

// Type tells that everything is seen: who asks for a type takes what it doesn't know for
// unlike all that it does, as a comparison within two lists would.
func (f *Faces) Type() string { f.seen.All(); return "faces" }

func (f *Faces) Freeze()               {}
func (f *Faces) Truth() starlark.Bool  { return len(f.places) > 0 }
func (f *Faces) Hash() (uint32, error) { return 0, errTraced }
func (f *Faces) String() string        { return f.list().String() }
func (f *Faces) Len() int              { return len(f.places) }

func (f *Faces) Index(i int) starlark.Value { return Face{f, f.places[i]} }

func (f *Faces) Slice(start, end, step int) starlark.Value {
	part := &Faces{seen: f.seen, set: f.set, faces: f.faces, known: f.known}
	for i := start; step > 0 && i < end || step < 0 && i > end; i += step {
		part.places = append(part.places, f.places[i])
	}
	return part
}

func (f *Faces) Iterate() starlark.Iterator { return &facesIterator{f, 0} }

type facesIterator struct {
	faces *Faces
	at    int
}

func (it *facesIterator) Next(p *starlark.Value) bool {
	if it.at == it.faces.Len() {
		return false
	}
	*p = it.faces.Index(it.at)
	it.at++
	return true
}

func (it *facesIterator) Done() {}

// list is the faces as they are, all of which are seen then.
func (f *Faces) list() *starlark.List {
	values := make([]starlark.Value, len(f.places))
	for i := range values {
		values[i] = Face{f, f.places[i]}.look()
	}
	return starlark.NewList(values)
}

// Sum returns the sum of the faces.
func (f *Faces) Sum() starlark.Value {
	sum := 0
	for _, p := range f.places {
		sum += f.faces[p]
		if !f.whole {
			f.seen.Place(f.set, p)
		}
	}
	if f.whole {
		f.seen.Sum(f.set)
	}
	return starlark.MakeInt(sum)
}

// holds reports whether a number is among all the faces.
func (f *Faces) holds(n int) bool {
	f.seen.Count(f.set, dist.Only(n))
	for _, x := range f.faces {
		if x == n {
			return true
		}
	}
	return false
}

func (f *Faces) compareWith(thread *starlark.Thread, op syntax.Token, y starlark.Value) (starlark.Value, error) {
	return Compare(thread, op, f.list(), Untraced(y))
}

// errTraced ends a try to use a face as the key of a dict, whose lookup would take it for
// another value than the number.
var errTraced = errors.New("unhashable: a face that is looked at")

func (x Face) number() int { return x.from.faces[x.place] }

// look returns the face, which is seen then.
func (x Face) look() starlark.Value {
	x.from.seen.Place(x.from.set, x.place)
	return starlark.MakeInt(x.number())
}

// Type tells that everything is seen, as that of [Faces] does.
func (x Face) Type() string { x.from.seen.All(); return "face" }

func (x Face) Freeze()               {}
func (x Face) Truth() starlark.Bool  { return x.look().Truth() }
func (x Face) Hash() (uint32, error) { return 0, errTraced }
func (x Face) String() string        { return x.look().String() }

func (x Face) Unary(op syntax.Token) (starlark.Value, error) { return starlark.Unary(op, x.look()) }

func (x Face) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	a, b := x.look(), Untraced(y)
	if side == starlark.Right {
		a, b = b, a
	}
	return starlark.Binary(op, a, b)
}

// compareWith tells what is asked: whether a face is below another, equal to it, or among
// those for which the comparison holds.
func (x Face) compareWith(thread *starlark.Thread, op syntax.Token, y starlark.Value) (starlark.Value, error) {
	other, ok := y.(Face)
	if !ok {
		if _, number := y.(starlark.Int); !number {
			return Compare(thread, op, x.look(), Untraced(y))
		}
		return x.among(func(face starlark.Value) (starlark.Value, error) { return Compare(thread, op, face, y) })
	}
	pair := dist.PlacePair{Set: x.from.set, Place: x.place, Other: other.from.set, OtherPlace: other.place}
	switch op {
	case syntax.EQL, syntax.NEQ:
		pair.Equal = true
	case syntax.GT, syntax.LE: // a <= b says that b is not below a
		pair.Set, pair.Place, pair.Other, pair.OtherPlace = pair.Other, pair.OtherPlace, pair.Set, pair.Place
	}
	x.from.seen.Pair(pair)
	return Compare(thread, op, starlark.MakeInt(x.number()), starlark.MakeInt(other.number()))
}

// among returns what a test says of the face, and tells for which faces it says yes.
func (x Face) among(test func(starlark.Value) (starlark.Value, error)) (starlark.Value, error) {
	var yes []int
	var own starlark.Value
	for _, face := range x.from.known {
		v, err := test(starlark.MakeInt(face))
		if err != nil {
			return nil, err
		}
		if face == x.number() {
			own = v
		}
		if _, plain := v.(starlark.Bool); !plain {
			x.look()
			continue
		}
		if v.Truth() {
			yes = append(yes, face)
		}
	}
	x.from.seen.Within(x.from.set, dist.PlaceIn{Place: x.place, Set: dist.Only(yes...)})
	return own, nil
}

// lookInto is x in y where one of them tells what is looked at, and nil where none does.
func lookInto(thread *starlark.Thread, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if list, ok := y.(*Faces); ok {
		if n, ok := Int(x); ok && list.whole {
			return starlark.Bool(list.holds(n) == (op == syntax.IN)), nil
		}
		return Compare(thread, op, Untraced(x), list.list())
	}
	if face, ok := x.(Face); ok {
		return face.among(func(n starlark.Value) (starlark.Value, error) { return Compare(thread, op, n, y) })
	}
	return nil, nil
}

// Untraced returns a value as it is without the tale of what is looked at; all that is in
// it is seen then.
func Untraced(v starlark.Value) starlark.Value {
	switch v := v.(type) {
	case Face:
		return v.look()
	case *Faces:
		return v.list()
	case starlark.Tuple:
		items := make(starlark.Tuple, len(v))
		for i, x := range v {
			items[i] = Untraced(x)
		}
		return items
	}
	return v
}
