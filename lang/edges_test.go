package lang_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dicescript/builtins"
	"dicescript/lang"

	"go.starlark.net/starlark"
)

// Every function and method is called with arguments at the edges of what there
// can be: the call may be refused, and nothing else. Which arguments meet is
// chosen by counting, so that each test run makes the same calls.

// edges are expressions for values at the edge: N is how large.
var edges = []string{
	"None", "True", "-1", "0", "3", "1 << 40", "(1 << 500) * (1 << 500)", "1.5", `float("nan")`,
	`""`, `"a"`, `"a" * N`, `"é" * (N // 2)`, `"%s{}" * (N // 8)`, `"{" + "a" * 40000 + "}"`, `"x" * 4096`,
	"[]", "list(range(N))", "['x' * 1000] * (N // 16)", "[[1] * 100] * (N // 64)", "[(i, i) for i in range(N // 16)]",
	"()", "tuple(range(N))", "deep(9)", "deep(40)", "wide(6)",
	"{}", "{i: i for i in range(N // 16)}", "{'key %d' % i: i for i in range(1000)}", "set(range(N // 16))", "set([1])",
	"range(N)", "range(1 << 40)", "('é' * N).elems()", "b'abc' * (N // 4)",
	"lambda *a, **k: a[0] if a else 1", "lambda x: x", "lambda x, y: x", "lambda f: 'label %s' % f", "len", "[].append",
	"d(6)", "d(N)", "2d6", "dice_pool(1000000000000, 1)", "dice_pool(3000, 300)", "pool(*[d(i + 2) for i in range(200)])", "explode(d(6), None)", "50d6",
	"d(6).p_ge(3)", "d(6).mean()", "d(7).mean() * 3 / 7", "coin(1/3)", "5..6", "5..", "through(1, 1 << 40)",
	"versus(2d6, 3d6)", "map(lambda x: 'label %d' % x, d(2000))", "map(lambda x: 'x' * 4000 + str(x), d(50))",
	"scale()", "ladder(1000)", "prob_table([('x' * 4000 + str(i), 0.5) for i in range(500)])", "compare([('x%d' % i, d(N)) for i in range(50)])",
	"grid(range(30), range(30), lambda r, c: r + c)", "deck([1, 2, 3])", "deck({i: 4 for i in range(13)}).deal(5)",
	"dice_pool(40, 20).keep_dice(high=7)", "best_play(3, lambda n: {'on': n - 1} if n else 1)",
}

// makers are functions for edges.
const makers = `
def deep(n):
    t = (1, 2)
    for _ in range(n):
        t = (t, t)
    return t
def wide(n):
    t = (1,) * 1000
    for _ in range(n):
        t = (t,) * 1000
    return t
def ladder(n):
    s = scale()
    for i in range(n):
        s = s.step("step %d" % i, i)
    return s
`

// callables are the expressions of all functions, and the edge that each method
// belongs to, by its place among the edges.
func callables(t *testing.T) (functions []string) {
	for name, v := range starlark.Universe {
		if _, ok := v.(starlark.Callable); ok {
			functions = append(functions, name)
		}
	}
	receivers := map[string]string{
		"DieRoll": "d(N)", "DicePool": "pool(d(4), d(6), d(8))", "Outcomes": "versus(2d6, 3d6)", "Scale": "ladder(100)", "Prob": "d(6).p_ge(3)",
		"Number": "d(6).mean()", "ProbTable": "prob_table([('x', 0.5)])", "Grid": "grid([1], [1], lambda r, c: 1)", "Comparison": "compare([('x', d(6))])",
		"IntBand": "(5..6)", "Deck": "deck([1, 2, 3])", "Hand": "deck({i: 4 for i in range(13)}).deal(5)",
		"KeptDice": "dice_pool(40, 20).keep_dice(high=7)", "Plan": "best_play(3, lambda n: {'on': n - 1} if n else 1)",
	}
	for _, e := range builtins.Table() {
		switch {
		case e.Receiver == "":
			functions = append(functions, e.Name)
		case receivers[e.Receiver] == "":
			t.Errorf("no value of type %s to call .%s of", e.Receiver, e.Name)
		default:
			functions = append(functions, receivers[e.Receiver]+"."+e.Name)
		}
	}
	for source, v := range map[string]starlark.HasAttrs{
		`("aé" * (N // 3))`: starlark.String(""), `(b"abc" * (N // 4))`: starlark.Bytes(""),
		"list(range(N))": new(starlark.List), "{i: i for i in range(N // 16)}": new(starlark.Dict), "set(range(N // 16))": new(starlark.Set),
	} {
		for _, name := range v.AttrNames() {
			functions = append(functions, source+"."+name)
		}
	}
	for _, name := range []string{"encode", "encode_indent", "indent", "decode"} {
		functions = append(functions, "json."+name)
	}
	functions = append(functions, "math.pow", "math.log", "math.ceil", "(lambda x, y: x + y)", "(lambda x, y: x * y)", "(lambda x, y: x % y)", "(lambda x, y: x in y)",
		"(lambda x, y: x == y)", "(lambda x, y: x < y)", "(lambda x, y: x | y)", "(lambda x, y: {x: 1}[y])", "(lambda x: x[1:])", "(lambda x, y: x - y)", "(lambda x: -x)",
		"(lambda x, y: {x: y})", "(lambda x, *y: output('t', x))", "(lambda x: [y for y in x])", "(lambda x: ('%s' % x).join('ab'))")
	slices.Sort(functions)
	return slices.Compact(functions)
}

func TestCallsAtTheEdges(t *testing.T) {
	size, pairs := 1<<10, 1
	if os.Getenv("DICESCRIPT_TESTS") == "all" {
		pairs = 2
	}
	limits := lang.Limits{Steps: 1_000_000, Work: 20_000_000, Cells: 1 << 20, Bytes: 16 << 20}
	full := os.Getenv("DICESCRIPT_EDGES") // how many pairs of arguments for each function, with the largest values
	if full != "" {
		pairs, _ = strconv.Atoi(full)
		size, limits = 1<<19, lang.Limits{}
	}
	h := newHost(t, lang.WithLimits(limits))
	only := os.Getenv("DICESCRIPT_ONLY")
	counter := 0
	next := func() string { counter = (counter + 37) % len(edges); return edges[counter] }
	for _, f := range callables(t) {
		if !strings.Contains(f, only) {
			continue
		}
		calls := []string{f + "()", f + "(" + next() + ")", f + "(" + strings.Repeat("1, ", 300) + ")"}
		for range pairs {
			calls = append(calls, f+"("+next()+", "+next()+")", f+"("+next()+")")
		}
		counter++ // so that the next function meets others
		for _, call := range calls {
			src := fmt.Sprintf("N = %d\n%s\nx = %s\nstr(x)\n", size, makers, call)
			edge(t, h, src, call, full != "")
		}
	}
}

// edge runs a call. In the full form it has a second and 600 MB.
func edge(t *testing.T, h *lang.Host, src, call string, strict bool) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	if !strict {
		cancel()
		ctx, cancel = context.WithTimeout(context.Background(), time.Minute)
	}
	defer cancel()
	peak := watchMemory(strict)
	p, err := h.Compile(ctx, "edge.star", []byte(src))
	if err == nil {
		_, err = p.Run(ctx)
	}
	deadline, _ := ctx.Deadline()
	late, memory := time.Since(deadline), peak()
	e := new(lang.Error)
	if err != nil && (!errors.As(err, &e) || e.Kind == lang.KindInternal || len(err.Error()) > 4096) {
		t.Errorf("%s: %.2000v\n%s", call, err, e.Stack)
	}
	if strict && (late > 100*time.Millisecond || memory > 600<<20) {
		t.Errorf("%s: %s after the deadline, %d MB", call, late, memory>>20)
	}
}

// watchMemory looks at the memory of the process now and then, and returns the
// most that it was.
func watchMemory(strict bool) (most func() uint64) {
	if !strict {
		return func() uint64 { return 0 }
	}
	runtime.GC()
	var peak atomic.Uint64
	done := make(chan bool)
	go func() {
		var m runtime.MemStats
		for {
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
				runtime.ReadMemStats(&m)
				peak.Store(max(peak.Load(), m.HeapInuse))
			}
		}
	}()
	return func() uint64 { close(done); return peak.Load() }
}
