package rewrite

import (
	"go.starlark.net/starlark"
)

// This file watches dicts and sets that grow entry by entry. From time to time
// the keys that have come since are looked at: how many there are, and whether
// they collide.

const (
	leastGrown = 16   // entries, or removals, between two looks at least
	mostGrown  = 1024 // and at most
	grownShare = 8    // between them, the part of the entries that it is
	manyGrown  = 1024 // dicts that are watched at once
	skipSteps  = 16   // entries that are passed in a step
	emptySteps = 4    // places that are cleared in a step
)

// A growth is what is known of a dict or set that has grown.
type growth struct {
	crowd   *crowd
	seen    int // entries
	removed int // entries since
}

// grow charges what has been put into a dict or set, before more is.
func (r *run) grow(v starlark.Value) (starlark.Value, error) { return v, r.hooks.grown(v) }

func (h *Hooks) grown(v starlark.Value) error {
	n := entries(v)
	if n < usualKeys {
		return nil
	}
	g := h.growths[v]
	if g == nil {
		if len(h.growths) >= manyGrown || h.growths == nil {
			h.growths = map[starlark.Value]*growth{}
		}
		g = &growth{}
		h.growths[v] = g
	}
	if n-g.seen+g.removed < min(max(n/grownShare, leastGrown), mostGrown) {
		return nil
	}
	if err := h.chargeEntries(int64(n)); err != nil {
		return err
	}
	return h.lookAt(v.(starlark.Iterable), g, n)
}

// lookAt looks at the entries that have come since the last look, or at all of
// them when some have gone or when the places have become too few.
func (h *Hooks) lookAt(v starlark.Iterable, g *growth, n int) error {
	if g.crowd == nil || g.removed > 0 || n > 2*keysPerPlace*len(g.crowd.places) {
		*g = growth{crowd: h.newCrowd(n)}
		if err := h.spend(int64(len(g.crowd.places)) / emptySteps); err != nil {
			return err
		}
	}
	steps, i := int64(g.seen)/skipSteps, 0
	for key := range starlark.Elements(v) {
		if i++; i > g.seen {
			steps++
			if hash, err := key.Hash(); err == nil {
				steps += g.crowd.add(key, hash)
			}
		}
		if steps >= 1000 {
			if err := h.spend(steps); err != nil {
				return err
			}
			steps = 0
		}
	}
	g.seen = n
	return h.spend(steps)
}

func (h *Hooks) chargeEntries(n int64) error {
	if h.Entries == nil {
		return nil
	}
	return h.Entries(n)
}

// removes notes that a method takes an entry out of a dict or set, or all.
func (h *Hooks) removes(v starlark.Value, all bool) {
	switch g := h.growths[v]; {
	case g == nil:
	case all:
		delete(h.growths, v)
	default:
		g.removed++
	}
}

// entries is how many entries a dict or set has, and 0 for anything else.
func entries(v starlark.Value) int {
	switch v := v.(type) {
	case *starlark.Dict:
		return v.Len()
	case *starlark.Set:
		return v.Len()
	}
	return 0
}

// checkPair refuses a pair of a comprehension as soon as the dict would.
func (r *run) checkPair(v starlark.Value) (starlark.Value, error) {
	_, err := v.(starlark.Tuple)[0].Hash()
	return v, err
}

// collect makes a dict of the pairs of a comprehension.
func (r *run) collect(v starlark.Value) (starlark.Value, error) {
	pairs := v.(*starlark.List)
	different, err := r.hooks.ChargeKeys(pairs, true)
	if err != nil {
		return nil, err
	}
	if err := r.hooks.spend(dictSteps + entrySteps*max(0, different-8)); err != nil {
		return nil, err
	}
	dict := starlark.NewDict(int(different))
	for i := range pairs.Len() {
		if i%mostGrown == 0 {
			if err := r.hooks.spend(mostGrown); err != nil {
				return nil, err
			}
		}
		pair := pairs.Index(i).(starlark.Tuple)
		if err := dict.SetKey(pair[0], pair[1]); err != nil {
			return nil, err
		}
	}
	return dict, nil
}
