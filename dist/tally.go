package dist

import (
	"context"
	"iter"
	"math/big"
	"math/bits"
	"slices"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// A tally is how a look at every combination becomes a distribution: each
// combination adds its weight to the result that it leads to, and the sums are
// the weights of the results.

// A Tally sums weights by key and remembers the order in which the keys first
// appeared. The zero Tally is empty and ready for use. It is not safe for
// concurrent use.
type Tally[K comparable] struct {
	index map[K]int // nil when the keys are few
	keys  []K
	sums  []Weight // a wide sum belongs to the tally and is added to in place
	room  int      // how many keys it may come to have
	word  big.Int  // for adding a word to a wide sum
}

// Add adds w to the weight of k. A key of weight zero is remembered. Cost: one
// look into a map; nothing is allocated for a key that is known and whose
// weight fits a machine word.
func (t *Tally[K]) Add(k K, w Weight) {
	t.AddAt(t.Place(k), w)
}

// Expect says how many keys there may be, so that room for many is made at once.
func (t *Tally[K]) Expect(keys int) { t.room = keys }

// Place returns the place of k among the keys, for [Tally.AddAt]; a new key has
// weight zero.
func (t *Tally[K]) Place(k K) int {
	i, known := t.find(k)
	if !known {
		i = t.place(k)
	}
	return i
}

// find returns the place of a key. A tally of few keys has no index.
func (t *Tally[K]) find(k K) (int, bool) {
	if t.index != nil {
		i, known := t.index[k]
		return i, known
	}
	i := slices.Index(t.keys, k)
	return i, i >= 0
}

// AddAt is [Tally.Add] for the key at a place.
func (t *Tally[K]) AddAt(place int, w Weight) {
	sum := &t.sums[place]
	if sum.wide == nil && w.wide == nil {
		if s, carry := bits.Add(uint(sum.word), uint(w.word), 0); carry == 0 {
			sum.word = nat.Limb(s)
			return
		}
	}
	if sum.wide == nil {
		sum.wide = sum.Int()
		sum.word = 0
	}
	if w.wide != nil {
		sum.wide.Add(sum.wide, w.wide)
		return
	}
	sum.wide.Add(sum.wide, t.word.SetUint64(uint64(w.word)))
}

// place makes room for a new key.
func (t *Tally[K]) place(k K) int {
	i := len(t.keys)
	if i == fewLabels && t.index == nil {
		room := max(2*fewLabels, min(t.room, maxRoom))
		t.index = make(map[K]int, room)
		t.keys = slices.Grow(t.keys, room-i)
		t.sums = slices.Grow(t.sums, room-i)
		for j, other := range t.keys {
			t.index[other] = j
		}
	}
	if t.index != nil {
		t.index[k] = i
	}
	t.keys = append(t.keys, k)
	t.sums = append(t.sums, Weight{})
	return i
}

// maxRoom is for how many keys room is made at once.
const maxRoom = 1 << 7

// Len returns the number of keys.
func (t *Tally[K]) Len() int { return len(t.keys) }

// Weight returns the weight of k so far, zero for a key that never appeared.
func (t *Tally[K]) Weight(k K) Weight {
	i, ok := t.find(k)
	if !ok {
		return Weight{}
	}
	return t.sums[i].copied()
}

// All yields the keys with their weights in order of first appearance.
func (t *Tally[K]) All() iter.Seq2[K, Weight] {
	return func(yield func(K, Weight) bool) {
		for i, k := range t.keys {
			if !yield(k, t.sums[i].copied()) {
				return
			}
		}
	}
}

// Total returns the sum of all weights.
func (t *Tally[K]) Total() Weight {
	var sum Weight
	for _, w := range t.sums {
		sum = sum.Plus(w)
	}
	return sum.copied()
}

// copied returns the weight apart from a sum that may still grow.
func (w Weight) copied() Weight {
	if w.wide == nil {
		return w
	}
	return Weight{wide: new(big.Int).Set(w.wide)}
}

// TallyDist returns the distribution over the integer keys of t. err is the
// bound on the total-variation distance that the rolls behind the tally carry,
// 0 when they are exact: the sum of their [Dist.Bound]. It is an error
// when no key has a positive weight and when err is negative.
func TallyDist(ctx context.Context, t *Tally[int], err float64) (*Dist, error) {
	if err := t.check(err); err != nil {
		return nil, err
	}
	return distFrom(ctx, t, unknownTail(err))
}

// check checks that some weight is not zero and that err is a bound.
func (t *Tally[K]) check(err float64) error {
	if !(err >= 0) {
		return badArg("err", "got %v, want at least 0", err)
	}
	for _, w := range t.sums {
		if !w.IsZero() {
			return nil
		}
	}
	return badArg("weights", "all are zero, want at least one positive weight")
}

// chargeTally charges taking so many sums over into a table.
func chargeTally(ctx context.Context, n, words int) error {
	if err := chargeWeights(ctx, int64(n), int64(words)); err != nil {
		return err
	}
	return ChargeWork(ctx, upper.MulSat(int64(n), int64(words+work.Visit)))
}

// distFrom returns the distribution over the keys of positive weight, of which
// there must be one.
func distFrom(ctx context.Context, t *Tally[int], tail *tail) (*Dist, error) {
	order := make([]int, 0, len(t.keys))
	words := 1
	for i, w := range t.sums {
		if !w.IsZero() {
			order = append(order, i)
			words = max(words, w.words())
		}
	}
	if err := chargeTally(ctx, len(order), words); err != nil {
		return nil, err
	}
	if err := work.SortBy(ctx, order, func(i int) int { return t.keys[i] }); err != nil {
		return nil, err
	}
	list := make([]int, len(order))
	w := nat.NewVec(len(order), words)
	for i, o := range order {
		list[i] = t.keys[o]
		t.sums[o].put(w.At(i))
	}
	return newDist(ctx, axis.Axis{List: list}, w, tail)
}
