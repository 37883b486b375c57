package dist

import (
	"sort"
	"strconv"
	"strings"
)

// A Set is an immutable set of integers: those of a list, those of an
// inclusive range that may be open on either side, or all others than those.
type Set struct {
	list         []int // ascending, distinct; when nil the set is a range
	lo, hi       int
	hasLo, hasHi bool
	none         bool // the empty range
	inverted     bool
}

// Everything is the set of all integers; Nothing is the empty set.
var (
	Everything = Set{}
	Nothing    = Set{none: true}
)

// Only returns the set of the given integers.
func Only(xs ...int) Set {
	if len(xs) == 0 {
		return Nothing
	}
	sorted := append([]int(nil), xs...)
	sort.Ints(sorted)
	list := sorted[:1]
	for _, x := range sorted[1:] {
		if x != list[len(list)-1] {
			list = append(list, x)
		}
	}
	return Set{list: list}
}

// Through returns the integers from lo to hi, both included.
func Through(lo, hi int) (Set, error) {
	if lo > hi {
		return Nothing, badArg("hi", "got %d, want at least lo, which is %d", hi, lo)
	}
	return Set{lo: lo, hi: hi, hasLo: true, hasHi: true}, nil
}

// From returns the integers of at least lo.
func From(lo int) Set { return Set{lo: lo, hasLo: true} }

// UpTo returns the integers of at most hi.
func UpTo(hi int) Set { return Set{hi: hi, hasHi: true} }

// Not returns the integers that are not in s.
func (s Set) Not() Set {
	s.inverted = !s.inverted
	return s
}

// Contains reports whether x is in s.
func (s Set) Contains(x int) bool { return s.holds(x) != s.inverted }

func (s Set) holds(x int) bool {
	if s.list != nil {
		i := sort.SearchInts(s.list, x)
		return i < len(s.list) && s.list[i] == x
	}
	return !s.none && (!s.hasLo || x >= s.lo) && (!s.hasHi || x <= s.hi)
}

// BoundedBelow reports whether s has a least element or is empty.
func (s Set) BoundedBelow() bool { return s.bounded(s.hasLo) }

// BoundedAbove reports whether s has a greatest element or is empty.
func (s Set) BoundedAbove() bool { return s.bounded(s.hasHi) }

// bounded answers for one side, given whether the range ends there.
func (s Set) bounded(ends bool) bool {
	finite := s.list != nil || s.none
	if s.inverted {
		return !finite && !ends
	}
	return finite || ends
}

// String writes a range as 5..6, 5.. or ..6 and a list as [2, 4].
func (s Set) String() string {
	text := s.text()
	if s.inverted {
		return "not " + text
	}
	return text
}

func (s Set) text() string {
	if s.list == nil {
		return s.rangeText()
	}
	parts := make([]string, len(s.list))
	for i, x := range s.list {
		parts[i] = strconv.Itoa(x)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func (s Set) rangeText() string {
	if s.none {
		return "[]"
	}
	text := ".."
	if s.hasLo {
		text = strconv.Itoa(s.lo) + text
	}
	if s.hasHi {
		text += strconv.Itoa(s.hi)
	}
	return text
}
