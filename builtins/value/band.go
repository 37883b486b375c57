package value

import (
	"fmt"
	"math"
	"strconv"

	"dicescript/builtins/meter"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A band is an inclusive range of whole numbers that may be open at either end.
// A band with two ends can be walked through, one that is open can't; that is
// why there are two Go types for it.

// A Band is the IntBand of recipes.
type Band struct {
	lo, hi       int
	hasLo, hasHi bool
}

// A walkable is a band with two ends.
type walkable struct{ *Band }

// maxWalk is how many numbers a band may hold to be walked through. Functions
// like sorted take a whole band without counting steps.
const maxWalk = 1 << 20

var (
	_ starlark.Container  = (*Band)(nil)
	_ starlark.Comparable = (*Band)(nil)
	_ starlark.Sequence   = walkable{}
)

// Through returns the band from lo to hi, both included.
func Through(lo, hi int) (starlark.Value, error) {
	if lo > hi {
		return nil, &dist.ArgError{Param: "hi", Problem: fmt.Sprintf("got %d, want at least lo, which is %d", hi, lo)}
	}
	b := &Band{lo: lo, hi: hi, hasLo: true, hasHi: true}
	if uint64(hi)-uint64(lo) < maxWalk {
		return walkable{b}, nil
	}
	return b, nil
}

// Range returns the band lo..hi of a recipe, nil being an open end. Its ends are whole
// numbers. It costs what a small value does.
func Range(thread *starlark.Thread, lo, hi starlark.Value) (starlark.Value, error) {
	var ends [2]int
	for i, v := range []starlark.Value{lo, hi} {
		if v == nil {
			continue
		}
		n, ok := Int(v)
		if !ok {
			return nil, fmt.Errorf("%s: the %s end: %s", dots, [...]string{"low", "high"}[i], NotInt(v))
		}
		ends[i] = n
	}
	var band starlark.Value
	switch {
	case hi == nil:
		band = AtLeast(ends[0])
	case lo == nil:
		band = AtMost(ends[1])
	case ends[0] > ends[1]:
		return nil, fmt.Errorf("%s: the low end of a range comes first, got %d..%d", dots, ends[0], ends[1])
	default:
		band, _ = Through(ends[0], ends[1])
	}
	return band, meter.Of(thread).Made(band)
}

// dots is what errors of a computed range begin with, as others do with the function.
const dots = ".."

// AtLeast returns the band of lo and everything above.
func AtLeast(lo int) starlark.Value { return &Band{lo: lo, hi: math.MaxInt, hasLo: true} }

// AtMost returns the band of hi and everything below.
func AtMost(hi int) starlark.Value { return &Band{lo: math.MinInt, hi: hi, hasHi: true} }

// AsBand returns v as a band if it is one.
func AsBand(v starlark.Value) (*Band, bool) {
	switch v := v.(type) {
	case walkable:
		return v.Band, true
	case *Band:
		return v, true
	}
	return nil, false
}

// Low returns the lowest number, and whether there is one.
func (b *Band) Low() (int, bool) { return b.lo, b.hasLo }

// High returns the highest number, and whether there is one.
func (b *Band) High() (int, bool) { return b.hi, b.hasHi }

// Contains reports whether n is in the band.
func (b *Band) Contains(n int) bool { return b.lo <= n && n <= b.hi }

// Set returns the band as a set of outcomes.
func (b *Band) Set() dist.Set {
	switch {
	case !b.hasLo:
		return dist.UpTo(b.hi)
	case !b.hasHi:
		return dist.From(b.lo)
	}
	return dist.Must(dist.Through(b.lo, b.hi))
}

// String writes the band as a recipe does: 5..6, 5.., ..6.
func (b *Band) String() string {
	text := ".."
	if b.hasLo {
		text = strconv.Itoa(b.lo) + text
	}
	if b.hasHi {
		text += strconv.Itoa(b.hi)
	}
	return text
}

func (b *Band) Type() string          { return "IntBand" }
func (b *Band) Freeze()               {}
func (b *Band) Truth() starlark.Bool  { return true }
func (b *Band) Hash() (uint32, error) { return starlark.String(b.String()).Hash() }

// Has answers the operator in.
func (b *Band) Has(v starlark.Value) (bool, error) {
	switch v := v.(type) {
	case starlark.Int:
		n, ok := v.Int64()
		if !ok {
			return v.Sign() > 0 && !b.hasHi || v.Sign() < 0 && !b.hasLo, nil
		}
		return b.Contains(int(n)), nil
	case starlark.Float, *Number, *Prob:
		r, _, problem := RatOf(v)
		if problem == "" && r.IsInt() {
			return b.Has(starlark.MakeBigInt(r.Num()))
		}
		return false, nil
	}
	return false, fmt.Errorf("in: got %s, want a whole number left of %s", Describe(v), b)
}

// CompareSameType reports whether two bands have the same ends.
func (b *Band) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	other, ok := AsBand(y)
	return structurally(op, ok && *b == *other, b)
}

func (w walkable) CompareSameType(op syntax.Token, y starlark.Value, depth int) (bool, error) {
	return w.Band.CompareSameType(op, y, depth)
}

// Len returns how many numbers the band holds.
func (w walkable) Len() int { return w.hi - w.lo + 1 }

// Iterate walks the band upwards.
func (w walkable) Iterate() starlark.Iterator { return &bandIterator{next: w.lo, left: w.Len()} }

type bandIterator struct{ next, left int }

func (it *bandIterator) Next(p *starlark.Value) bool {
	if it.left == 0 {
		return false
	}
	*p = starlark.MakeInt(it.next)
	it.next++
	it.left--
	return true
}

func (it *bandIterator) Done() {}
