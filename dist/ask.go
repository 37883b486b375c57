package dist

import (
	"context"
	"fmt"
	"slices"

	"dicescript/dist/upper"
)

// What a rule sees of sorted faces comes out by asking it. It is shown a multiset of each
// class, at first of the one class of a rule that sees nothing, and tells what it has looked
// at; then the classes are those of what it has looked at so far. When all of them have
// been shown and nothing new has been looked at, the rule gives one answer for all of a
// class: it has gone the same way for the one as it would for the other. (The way in which an
// AnyDice program is run on rolls of which only some statistics are known is the same.)

// A Seen is what a rule has looked at.
type Seen struct {
	views []View
	pairs []PlacePair
	known map[string]bool
}

// note reports whether something is looked at for the first time.
func (s *Seen) note(parts ...any) bool {
	key := fmt.Sprint(parts...)
	if s.known[key] {
		return false
	}
	s.known[key] = true
	return true
}

// Place tells that the rule has seen the face at a place of a multiset.
func (s *Seen) Place(set, place int) {
	if s.note("place ", set, " ", place) {
		s.views[set].Places = append(s.views[set].Places, place)
	}
}

// Within tells that the rule has asked whether the face at a place is in a set.
func (s *Seen) Within(set int, p PlaceIn) {
	if s.note("within ", set, " ", p.Place, " ", p.Set) {
		s.views[set].Within = append(s.views[set].Within, p)
	}
}

// Count tells that the rule has asked how many faces are in a set.
func (s *Seen) Count(set int, faces Set) {
	if s.note("count ", set, " ", faces) {
		s.views[set].Counts = append(s.views[set].Counts, faces)
	}
}

// Sum tells that the rule has asked for the sum of all faces.
func (s *Seen) Sum(set int) {
	if s.note("sum ", set) {
		s.views[set].Sum = true
	}
}

// Pair tells that the rule has compared the faces of two places.
func (s *Seen) Pair(p PlacePair) {
	if s.note("pair ", p) {
		s.pairs = append(s.pairs, p)
	}
}

// All tells that the rule has seen everything.
func (s *Seen) All() {
	for i := range s.views {
		s.views[i].All = true
	}
	s.note("all")
}

// When it is worth asking: from how many combinations on, for how many classes of them,
// and how often.
const (
	worthAsking  = 256
	mostAsked    = 1 << 12
	askedOfTheir = 4 // there are at least so many combinations for each class
	mostRounds   = 64
)

// Project returns the classes of multisets for a rule. ask shows it the faces of a
// combination and tells seen all that it looks at; it is called for combinations of few
// classes only, in an order that depends on nothing but the rule. ok is false where classes
// are not worth while: every combination has to be shown.
func Project(ctx context.Context, sets []*Multiset, ask func(faces [][]int, seen *Seen) error) (c *Classes, ok bool, err error) {
	every := int64(1)
	for _, m := range sets {
		every = upper.MulSat(every, m.multisets())
	}
	if every < worthAsking {
		return nil, false, nil
	}
	most := min(mostAsked, every/askedOfTheir)
	seen := &Seen{views: make([]View, len(sets)), known: map[string]bool{}}
	asked := map[string]bool{}
	for range mostRounds {
		known := len(seen.known)
		c, err := ClassesOf(ctx, sets, seen.views, seen.pairs)
		if err != nil {
			return nil, false, err
		}
		if c.Len() > most {
			return nil, false, nil
		}
		err = c.Each(ctx, func(faces [][]int, _ Weight) error {
			key := fmt.Sprint(faces)
			if asked[key] || seen.views[0].All {
				return nil
			}
			asked[key] = true
			return ask(faces, seen)
		})
		if err != nil || seen.views[0].All {
			return nil, false, err
		}
		if len(seen.known) == known {
			return c, true, nil
		}
		slices.SortFunc(seen.pairs, PlacePair.compare)
	}
	return nil, false, nil
}
