package states

import (
	"testing"

	_ "dicescript/testdata/testseed"

	"pgregory.net/rapid"
)

// Numbers are found as in a map, however large they are and however often all of them
// are let go.
func TestNumberIndexIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, want := NewIndex[int](), Map[int]{}
		if _, ok := x.(*numberIndex); !ok {
			t.Fatalf("numbers are in a %T", x)
		}
		if round := rapid.SampledFrom([]uint32{1, 1<<32 - 1}).Draw(t, "round"); round > 1 {
			x.(*numberIndex).round = round
		}
		number := rapid.OneOf(rapid.IntRange(0, 200), rapid.Int(), rapid.IntRange(mostNumbers-2, mostNumbers+2))
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			s := number.Draw(t, "state")
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0:
				x.Empty()
				want.Empty()
			case 1, 2, 3, 4:
				at := rapid.IntRange(0, 1000).Draw(t, "place")
				if _, there := want.Place(s); !there { // as a machine puts them
					x.Put(s, at)
					want.Put(s, at)
				}
			}
			at, ok := x.Place(s)
			if wantAt, wantOK := want.Place(s); ok != wantOK || ok && at != wantAt {
				t.Fatalf("%d is at %d, %v; want %d, %v", s, at, ok, wantAt, wantOK)
			}
		}
	})
}

// A state that is no number is found too.
func TestOtherStatesAreInAMap(t *testing.T) {
	x := NewIndex[string]()
	x.Put("low", 3)
	if at, ok := x.Place("low"); at != 3 || !ok {
		t.Errorf("low is at %d, %v", at, ok)
	}
	x.Empty()
	if _, ok := x.Place("low"); ok {
		t.Error("low is still there")
	}
}
