package rewrite

import (
	"iter"
	"math/bits"

	"go.starlark.net/starlark"
)

// This file charges keys that collide. Starlark's dicts look through all keys
// that fall into one place, and which place that is a recipe can work out. Where
// many keys are put in at once, and where a dict that has grown too small is
// built anew, nothing looks at the context meanwhile: so the collisions are found
// and charged before.

const (
	keysPerPlace  = 8  // about as many keys as Starlark has for a place
	usualKeys     = 24 // in one place, if keys do not collide on purpose
	walkedPerStep = 8  // keys in one place that are looked at in a step
	equalSteps    = 16 // to compare a key with another of the same hash, more than once
	passedPerStep = 16 // keys in one place that are passed in a step when a key is looked up
	lookedSteps   = 2  // to compare a key that is looked up with one of the same hash
	crowdedPlaces = 1 << 10
	comparedKeys  = 32 // of the same hash, to tell a key from one that is there already
)

// A crowd counts the keys of a dict or set by the places that they fall into.
type crowd struct {
	places []uint32
	same   map[uint32]*namesakes // keys in crowded places, by their hash
}

// namesakes are different keys of the same hash.
type namesakes struct {
	some  []starlark.Value
	count int64
}

// newCrowd is for up to n keys.
func newCrowd(n int) *crowd {
	return &crowd{places: make([]uint32, 1<<bits.Len(uint(n/keysPerPlace))), same: map[uint32]*namesakes{}}
}

// add notes a key, and returns the steps that its collisions take. One that
// can't be hashed is left to whoever puts it in. A key that is there already, as
// far as that is looked at, takes none.
func (c *crowd) add(key starlark.Value) int64 {
	hash, err := key.Hash()
	if err != nil {
		return 0
	}
	place := &c.places[hash&uint32(len(c.places)-1)]
	if *place < usualKeys {
		*place++
		return 0
	}
	s := c.same[hash]
	if s == nil {
		s = &namesakes{}
		c.same[hash] = s
	}
	if s.has(key) {
		return 1
	}
	*place++
	s.count++
	return int64(*place/walkedPerStep) + equalSteps*s.count
}

// has reports whether the key is among those that are remembered, and remembers
// some.
func (s *namesakes) has(key starlark.Value) bool {
	for _, other := range s.some {
		if equal, err := starlark.Equal(key, other); err == nil && equal {
			return true
		}
	}
	if len(s.some) < comparedKeys {
		s.some = append(s.some, key)
	}
	return false
}

// chargeCollisions charges n keys that are put into a new dict or set together,
// and returns how many entries there will be.
func (h *Hooks) chargeCollisions(n int, keys iter.Seq[starlark.Value]) (entries int64, err error) {
	if n <= usualKeys {
		return int64(n), nil
	}
	c := newCrowd(n)
	hashes := map[uint32]struct{}{}
	for k := range keys {
		if hash, err := k.Hash(); err == nil {
			hashes[hash] = struct{}{}
		}
		if err := h.spend(1 + h.noted(c, k)); err != nil {
			return 0, err
		}
	}
	// Keys of the same hash have been paid for as collisions.
	entries = int64(len(hashes))
	return entries, h.chargeEntries(entries)
}

// ChargeNewKeys charges about n keys that are put into new dicts together.
func (h *Hooks) ChargeNewKeys(n int, keys iter.Seq[starlark.Value]) error {
	_, err := h.chargeCollisions(n, keys)
	return err
}

// noted adds a key to a crowd, and remembers where it is crowded, for those who
// look there.
func (h *Hooks) noted(c *crowd, key starlark.Value) (steps int64) {
	steps = c.add(key)
	if steps <= 1 {
		return steps
	}
	if h.crowded == nil {
		h.crowded = make([]int64, crowdedPlaces)
	}
	hash, _ := key.Hash()
	at := &h.crowded[hash%crowdedPlaces]
	*at = max(*at, int64(c.places[hash&uint32(len(c.places)-1)])/passedPerStep+lookedSteps*c.same[hash].count)
	return steps
}

// lookup is the steps of looking for a key, if keys are crowded where it may be.
func (h *Hooks) lookup(key starlark.Value) int64 {
	if h.crowded == nil {
		return 0
	}
	hash, err := key.Hash()
	if err != nil {
		return 0
	}
	return h.crowded[hash%crowdedPlaces]
}

// chargeRehash charges the collisions of the keys of a dict or set that is
// copied.
func (h *Hooks) chargeRehash(values ...starlark.Value) error {
	for _, v := range values {
		switch v := v.(type) {
		case *starlark.Set:
			if _, err := h.chargeCollisions(v.Len(), starlark.Elements(v)); err != nil {
				return err
			}
		case *starlark.Dict:
			if _, err := h.chargeCollisions(v.Len(), starlark.Elements(v)); err != nil {
				return err
			}
		}
	}
	return nil
}

// ChargeKeys charges the collisions of the elements of v as keys, for pairs those
// of what comes first, and returns how many different ones there are.
func (h *Hooks) ChargeKeys(v starlark.Iterable, pairs bool) (entries int64, err error) {
	if _, isDict := v.(*starlark.Dict); isDict {
		pairs = false
	}
	return h.chargeCollisions(starlark.Len(v), func(yield func(starlark.Value) bool) {
		for e := range starlark.Elements(v) {
			if pair, ok := e.(starlark.Indexable); ok && pairs && pair.Len() > 0 {
				e = pair.Index(0)
			}
			if !yield(e) {
				return
			}
		}
	})
}
