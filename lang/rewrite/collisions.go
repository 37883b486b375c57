package rewrite

import (
	"math/bits"

	"go.starlark.net/starlark"
)

// This file charges keys that collide. Starlark's dicts look through all keys
// that fall into one place, and which place that is a recipe can work out. Where
// many keys are put in at once nothing looks at the context meanwhile, so what
// the collisions take is found and charged before.

const (
	keysPerPlace  = 8  // about as many keys as Starlark has for a place
	usualKeys     = 24 // in one place, if keys do not collide on purpose
	walkedPerStep = 8  // keys in one place that are looked at in a step
	equalSteps    = 3  // to compare a key with another of the same hash
)

// ChargeCollisions charges n keys that are put into a new dict or set together.
// Those that can't be hashed are left to whoever puts them in.
func (h *Hooks) ChargeCollisions(n int, keys func(yield func(starlark.Value) bool)) error {
	if n <= usualKeys {
		return nil
	}
	places := make([]uint32, 1<<bits.Len(uint(n/keysPerPlace)))
	same := map[uint32]int64{} // hashes in crowded places
	var err error
	for k := range keys {
		hash, unhashable := k.Hash()
		if unhashable != nil {
			continue
		}
		place := &places[hash&uint32(len(places)-1)]
		*place++
		if *place <= usualKeys {
			continue
		}
		same[hash]++
		if err = h.spend(int64(*place/walkedPerStep) + equalSteps*same[hash]); err != nil {
			break
		}
	}
	return err
}

// chargeRehash charges the collisions of the keys of a dict or set that is
// copied.
func (h *Hooks) chargeRehash(values ...starlark.Value) error {
	for _, v := range values {
		switch v := v.(type) {
		case *starlark.Set:
			if err := h.ChargeCollisions(v.Len(), starlark.Elements(v)); err != nil {
				return err
			}
		case *starlark.Dict:
			if err := h.ChargeCollisions(v.Len(), starlark.Elements(v)); err != nil {
				return err
			}
		}
	}
	return nil
}

// ChargeKeys charges the collisions of the elements of v as keys: for pairs those
// of what comes first.
func (h *Hooks) ChargeKeys(v starlark.Iterable, pairs bool) error {
	if _, isDict := v.(*starlark.Dict); isDict {
		pairs = false
	}
	return h.ChargeCollisions(starlark.Len(v), func(yield func(starlark.Value) bool) {
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
