package work

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"testing"
)

func TestSortBy(t *testing.T) {
	keys := make([]int, 5*sortPiece+77)
	order := make([]int, len(keys))
	for i := range keys {
		keys[i], order[i] = i*7919%1_000_003, i
	}
	if err := SortBy(context.Background(), order, func(i int) int { return keys[i] }); err != nil {
		t.Fatal(err)
	}
	if !slices.IsSortedFunc(order, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) }) {
		t.Error("not sorted")
	}
	slices.Sort(order)
	for i, x := range order {
		if i != x {
			t.Fatalf("%d stands in place %d: the sort lost or doubled it", x, i)
		}
	}
}

func TestSortByEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	xs := make([]int, 1_000_000)
	for i := range xs {
		xs[i] = i
	}
	if err := SortBy(ctx, xs, func(x int) int { return -x }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
