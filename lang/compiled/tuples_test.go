package compiled

import (
	"fmt"
	"testing"

	"dicescript/builtins/small"
)

// What tells tuples apart is in their hash: nearly all of many that are alike but for it
// find a place, and are found there again.
func TestTuplesAreFoundAgain(t *testing.T) {
	const count = 2000
	text := func(i int) small.Value { return small.MakeText(fmt.Sprintf("%08d", i)) }
	for name, items := range map[string]func(table *tupleTable, i int) []small.Value{
		"numbers": func(_ *tupleTable, i int) []small.Value {
			return []small.Value{small.MakeInt(int64(i)), small.MakeInt(7)}
		},
		"large numbers": func(_ *tupleTable, i int) []small.Value {
			return []small.Value{small.MakeInt(int64(i) << 40), small.MakeInt(-int64(i))}
		},
		"texts of one length": func(_ *tupleTable, i int) []small.Value { return []small.Value{text(i), text(0)} },
		"tuples": func(table *tupleTable, i int) []small.Value {
			return []small.Value{
				table.tuple([]small.Value{small.MakeInt(int64(i % 50)), small.MakeInt(int64(i / 50))}),
				table.tuple([]small.Value{small.MakeInt(int64(i / 50)), small.MakeInt(int64(i % 50))}),
			}
		},
		"tuples of texts": func(table *tupleTable, i int) []small.Value {
			return []small.Value{table.tuple([]small.Value{text(i)}), small.MakeBool(i%2 == 0)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			table := &tupleTable{}
			first := make([]small.Value, count)
			for i := range first {
				first[i] = table.tuple(items(table, i))
			}
			again, seen := 0, map[*small.Ref]bool{}
			for i, v := range first {
				if seen[v.R] {
					t.Fatalf("tuple %d is another one too", i)
				}
				seen[v.R] = true
				if table.tuple(items(table, i)) == v {
					again++
				}
			}
			if again < count*99/100 {
				t.Errorf("only %d of %d are found again", again, count)
			}
		})
	}
}

// Texts that can't be told apart by what is looked at have few places, and no more are
// looked through.
func TestTuplesThatCollide(t *testing.T) {
	table := &tupleTable{}
	long := fmt.Sprintf("%0100d", 7)
	for range 1000 {
		v := table.tuple([]small.Value{small.MakeText(long)})
		if v.R.Items[0].R.Text != long {
			t.Fatalf("got %v", v)
		}
	}
	if table.count > mostProbes {
		t.Errorf("%d have found a place", table.count)
	}
}
