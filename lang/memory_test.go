package lang_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"dicescript/lang"
)

// What a run is charged bounds what it holds. Many of everything that a recipe can make are
// kept, and the bytes that the process then holds are compared with those that were charged.

// making are expressions for one value each, not the same for every i.
var making = []string{
	"d(i % 100 + 2)", "die_faces([1, i, 2 * i])", "constant(i)", "uniform(i, i + 5)", "dice_pool(3, i % 50 + 2)", "pool(d(4), d(i % 50 + 2))", "2d6 + i", "coin((i % 7) / 10)",
	"d(6).p_ge(i % 6)", "d(6).mean() + i", "through(i, i + 4)", "at_least(i)", "at_most(i)",
	"deck([1, 2])", "deck([i, i + 1, 'x'])", "deck({'a': i % 9 + 1, 'b': 3})", "deck([(i, 'x'), (2, 'y')])", "deck(range(52))", "deck([1, 2]).deal(1)", "deck([1, 2, 3]).deal(1, 1)", "cards.deal(5)", "cards.deal(0)", "dice_pool(3, 6).keep_dice(high=2)",
	"scale()", "scale().step('a').step('b')", "bucket(d(6), scale().step('lo').step('hi'), 3)", "versus(d(6), d(6))", "map(lambda x: 'ab'[x % 2], d(6))", "map(lambda x: (x, i), d(6))",
	"prob_table([('a', d(6) >= 3), ('b', d(8) >= 3)])", "grid(range(2), range(2), lambda a, b: a + b + i)", "compare([('a', d(6)), ('b', d(8))])",
	"first_time(0, lambda s: s + 1, lambda s: s >= 2, 3)", "iterate(0, lambda s: d(3), 2)", "evaluate(lambda s, x, n: s + n, 0, dice_pool(2, 3))", "mixture([(1, d(6)), (2, i)])", "explode(d(6), 2)",
	"[i]", "(i, i)", "{i: i}", "set([i])", "'%d' % i", "i * 10000000000000", "range(i)", "lambda: i", "'abc'.elems()", "'x'.upper", "d(6).keep", "bytes('%d' % i)", "float(i)", "[i] * 10", "{}", "set()", "1 / (i + 3)",
	"long / (i + 2)", "1 - long / (i + 2)",
}

func TestBytesChargedBoundBytesHeld(t *testing.T) {
	h, err := lang.New(lang.WithLimits(lang.Limits{Steps: lang.Unlimited, Work: lang.Unlimited, Cells: lang.Unlimited, Bytes: lang.Unlimited, SessionBytes: lang.Unlimited}))
	if err != nil {
		t.Fatal(err)
	}
	for _, expr := range making {
		s := h.NewSession()
		if _, err := s.Eval(context.Background(), "cards = deck(range(52))\nlong = dice_pool(300, 97) >= 15000\n"); err != nil {
			t.Fatal(err)
		}
		many := int64(20_000)
		if testing.Short() {
			many = 5_000
		}
		before := heap()
		r, err := s.Eval(context.Background(), fmt.Sprintf("def make():\n    return [%s for i in range(%d)]\nkept = make()\n", expr, many))
		if err != nil {
			t.Errorf("%s: %v", expr, err)
			continue
		}
		held := heap() - before
		charged := r.Usage.Bytes + 8*r.Usage.Cells
		if held > 2*charged {
			t.Errorf("%s: %d bytes held, %d charged for each", expr, held/many, charged/many)
		}
		if testing.Verbose() {
			t.Logf("%s: %d bytes held, %d charged for each", expr, held/many, charged/many)
		}
		runtime.KeepAlive(s)
	}
}

// heap is what the process holds in memory.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
