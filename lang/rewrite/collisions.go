package rewrite

import (
	"iter"
	"math"
	"math/bits"

	"go.starlark.net/starlark"
)

// This file charges keys that collide. Starlark's dicts look through all keys
// that fall into one place, and which place that is a recipe can work out. Where
// many keys are put in at once, and where a dict that has grown too small is
// built anew, nothing looks at the context meanwhile: so the collisions are found
// and charged before. Whoever uses a key that is known to collide is charged too,
// in whatever dict or set it is.

const (
	keysPerPlace  = 8  // about as many keys as Starlark has for a place
	usualKeys     = 24 // in one place, if keys do not collide on purpose
	fewNamesakes  = 4  // of one hash, which are not worth noting
	walkedPerStep = 8  // keys in one place that are looked at in a step
	equalPerStep  = 2  // numbers of one hash that are compared in a step
	newSteps      = 16 // to compare a new key with one of its hash, again whenever the dict grows
	longKey       = 64 // steps for the hash of a key beyond which each counts more
	longKeySteps  = 8  // times as much: it is compared with each key of its hash

	otherCost = 200 // to compare two rolls or pools, in comparisons of two numbers
)

// A crowd counts the keys of a dict or set by the places that they fall into.
type crowd struct {
	places []uint32
	same   map[uint32]*namesakes // keys in crowded places, by their hash
	hooks  *Hooks
}

// namesakes are different keys of the same hash.
type namesakes []starlark.Value

// A spot is where keys fall whose hashes have the same last bits: a place of
// dicts of one size, or one hash.
type spot struct{ mask, bits uint32 }

const allBits = math.MaxUint32

// newCrowd is for up to n keys.
func (h *Hooks) newCrowd(n int) *crowd {
	return &crowd{places: make([]uint32, 1<<bits.Len(uint(n/keysPerPlace))), same: map[uint32]*namesakes{}, hooks: h}
}

// add notes a key, and returns the steps that its collisions take. A key that is
// there already takes no more than to find it.
func (c *crowd) add(key starlark.Value, hash uint32) int64 {
	mask := uint32(len(c.places) - 1)
	place := &c.places[hash&mask]
	if *place < usualKeys {
		*place++
		return 0
	}
	s := c.same[hash]
	if s == nil {
		s = &namesakes{}
		c.same[hash] = s
	}
	compared, there := s.find(key)
	cost := mul(int64(compared), equalCost(key))
	if there {
		return 1 + cost
	}
	*s = append(*s, key)
	*place++
	c.hooks.note(spot{mask, hash & mask}, int64(*place))
	if len(*s) > fewNamesakes {
		c.hooks.note(spot{allBits, hash}, int64(len(*s)+usualKeys))
	}
	return int64(*place/walkedPerStep) + 1 + mul(cost, newSteps)
}

// find tells whether the key is there, and how many it has been compared with.
func (s *namesakes) find(key starlark.Value) (compared int, there bool) {
	for i, other := range *s {
		if equal, err := starlark.Equal(key, other); err == nil && equal {
			return i + 1, true
		}
	}
	return len(*s), false
}

// equalCost is what it takes to compare a key with one that is like it, in
// comparisons of two numbers.
func equalCost(key starlark.Value) int64 {
	switch key := key.(type) {
	case starlark.Tuple:
		n := int64(2)
		for _, v := range key {
			n = add(n, equalCost(v))
		}
		return n
	case starlark.Int, starlark.Float, starlark.Bool, starlark.NoneType, starlark.String, starlark.Bytes:
		return 1 + textBytes(key)/16
	}
	return otherCost
}

// note remembers how many keys of a dict or set fall into one spot.
func (h *Hooks) note(at spot, keys int64) {
	if h.crowded == nil {
		h.crowded = map[uint32]map[uint32]int64{}
	}
	if h.crowded[at.mask] == nil {
		h.crowded[at.mask] = map[uint32]int64{}
	}
	h.crowded[at.mask][at.bits] = max(h.crowded[at.mask][at.bits], keys)
}

// chargeCrowd charges a key for those among which it is looked for. They may be
// in another dict than the one that is meant.
func (h *Hooks) chargeCrowd(key starlark.Value) error {
	if len(h.crowded) == 0 {
		return nil
	}
	hash, err := key.Hash()
	if err != nil {
		return nil // to be told by whoever looks for it
	}
	walked := int64(0)
	for mask, places := range h.crowded {
		if mask != allBits {
			walked = max(walked, places[hash&mask])
		}
	}
	compared := h.crowded[allBits][hash]
	if compared > 0 {
		compared = mul(compared, equalCost(key))
	}
	return h.spend(int64(len(h.crowded)) + walked/walkedPerStep + compared/equalPerStep)
}

// chargeCollisions charges n keys that are put into a new dict or set together,
// and returns how many entries there will be. A key that can't be hashed is left to
// whoever puts it in.
func (h *Hooks) chargeCollisions(n int, keys iter.Seq[starlark.Value]) (entries int64, err error) {
	if n <= usualKeys {
		return int64(n), nil
	}
	c := h.newCrowd(n)
	hashes := map[uint32]struct{}{}
	for k := range keys {
		hash, err := k.Hash()
		if err != nil {
			continue
		}
		hashes[hash] = struct{}{}
		if err := h.spend(1 + c.add(k, hash)); err != nil {
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

// ChargeMembers charges the keys of a dict or set that are looked for in
// another; of any other value nothing.
func (h *Hooks) ChargeMembers(v starlark.Value) error {
	if len(h.crowded) == 0 || entries(v) == 0 {
		return nil
	}
	for key := range starlark.Elements(v.(starlark.Iterable)) {
		if err := h.chargeCrowd(key); err != nil {
			return err
		}
	}
	return nil
}

// chargeRehash charges the collisions of the keys of a dict or set that is
// copied.
func (h *Hooks) chargeRehash(values ...starlark.Value) error {
	for _, v := range values {
		if n := entries(v); n > 0 {
			if _, err := h.chargeCollisions(n, starlark.Elements(v.(starlark.Iterable))); err != nil {
				return err
			}
		}
	}
	return nil
}

// ChargeKeys charges the collisions of the elements of v as keys, for pairs those
// of what comes first, and returns how many different ones there are.
func (h *Hooks) ChargeKeys(v starlark.Iterable, pairs bool) (entries int64, err error) {
	return h.chargeCollisions(starlark.Len(v), keysOf(v, pairs))
}

// keysOf are the elements of v, and for pairs what comes first in each.
func keysOf(v starlark.Iterable, pairs bool) iter.Seq[starlark.Value] {
	if _, isDict := v.(*starlark.Dict); isDict || !pairs {
		return starlark.Elements(v)
	}
	return func(yield func(starlark.Value) bool) {
		for e := range starlark.Elements(v) {
			if pair, ok := e.(starlark.Iterable); ok {
				for e = range starlark.Elements(pair) {
					break
				}
			}
			if !yield(e) {
				return
			}
		}
	}
}
