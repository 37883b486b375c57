package work

import (
	"cmp"
	"slices"
)

// Sorting in pieces, which are then merged, so that a long sort ends when its
// context is done (merge sort: Knuth, TAOCP vol. 3, 5.2.4).

// sortPiece is how many elements are sorted between two looks at the context.
const sortPiece = 1 << 15

// SortBy sorts xs by key, of which no two are equal.
func SortBy(ctx Context, xs []int, key func(int) int) error {
	byKey := func(a, b int) int { return cmp.Compare(key(a), key(b)) }
	for piece := range slices.Chunk(xs, sortPiece) {
		slices.SortFunc(piece, byKey)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	from, to := xs, make([]int, len(xs))
	tick := NewTicker(ctx)
	for width := sortPiece; width < len(xs); width *= 2 {
		for i := 0; i < len(xs); i += 2 * width {
			middle, end := min(i+width, len(xs)), min(i+2*width, len(xs))
			if err := merge(to[i:end], from[i:middle], from[middle:end], byKey, &tick); err != nil {
				return err
			}
		}
		from, to = to, from
	}
	if len(xs) > 0 && &from[0] != &xs[0] {
		copy(xs, from)
	}
	return nil
}

// merge writes the elements of two sorted rows in order.
func merge(to, a, b []int, order func(a, b int) int, tick *Ticker) error {
	for i := range to {
		if err := tick.Tick(4); err != nil {
			return err
		}
		if len(b) == 0 || len(a) > 0 && order(a[0], b[0]) < 0 {
			to[i], a = a[0], a[1:]
		} else {
			to[i], b = b[0], b[1:]
		}
	}
	return nil
}
