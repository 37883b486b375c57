package lang_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"dicescript/lang"
)

// Recipes that would go on for minutes at least, each in another place: in the
// interpreter, in the engine, in callbacks between them, and in one operation on
// something large. Only the deadline ends them.
var sinks = []struct{ where, src string }{
	{"a loop", "while True:\n    pass"},
	{"recursion", "def f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)\nf(60)"},
	{"a comprehension", "[1 for a in range(10000) for b in range(10000) for c in range(10000) if a + b + c < 0]"},
	{"whole numbers", "n = 1\nwhile True:\n    n = n * 3 % (1 << 500)"},
	{"fractions", "x = d(7).mean()\nwhile True:\n    y = x * 3 / 7 + x / 5"},
	{"texts", "while True:\n    s = 'word ' * 200000\n    s = s.upper().replace('W', 'v')"},
	{"lists", "l = list(range(500000))\nwhile True:\n    k = (l + [1])[::-1]"},
	{"sorting", "l = [i * 7919 % 1000003 for i in range(300000)]\nwhile True:\n    sorted(l)"},
	{"dicts of keys that collide", "m = {}\ni = 0\nwhile True:\n    i += 1\n    m[i << 40] = i"},
	{"json", "l = list(range(100000))\nwhile True:\n    json.decode(json.encode(l))"},
	{"a callback", "def f(x):\n    while True:\n        pass\nmap(f, d(6))"},
	{"many callbacks", "map(lambda a, b, c, e: max(a, b, c, e), d(300), d(300), d(300), d(300))"},
	{"the key of a sort", "def f(x):\n    while True:\n        pass\nsorted([1, 2], key=f)"},
	{"a sum", "sum([d(1000 + i) for i in range(400)])"},
	{"a power of dice", "while True:\n    500d100.mean()"},
	{"a comparison", "while True:\n    400d1000 > 400d1001"},
	{"a product", "d(200000) * d(200001)"},
	{"dice that are kept", "while True:\n    keep_highest(60, 200, 30)"},
	{"dice of all sorts that are kept", "while True:\n    pool(*[d(n) for n in range(50, 150)]).highest(50)"},
	{"extremes", "max(*[d(100000 + i) for i in range(200)])"},
	{"explosions", "x = explode(d(20))\nwhile True:\n    x = x + explode(d(20))"},
	{"a mixture", "x = d(100)\nwhile True:\n    x = either(1/3, x, x + 1)"},
	{"a process", "iterate(0, lambda s: s + d(100), 1000000)"},
	{"a process that is absorbed late", "iterate(0, lambda s: min(100000, s + d(6)), None)"},
	{"waiting", "first_time(0, lambda s: s + d(100), lambda s: s > 10000000, 1000000)"},
	{"states of a pool", "20d20.evaluate(lambda s, face, count: s * 31 + face * count, 0)"},
	{"statistics", "x = d(3000000)\nwhile True:\n    x.entropy()\n    x.kurtosis()"},
	{"sets", "while True:\n    300d300.largest_set()"},
	{"a table of chances", "p = d(6) >= 3\nwhile True:\n    prob_table([('row %d' % i, p) for i in range(50000)])"},
	{"outputs", "for i in range(1000):\n    output('x', str([d(1000) >= j for j in range(1000)]))"},
}

// A deadline ends every run, wherever it spends its time, and the time that it
// takes until then is logged. DICESCRIPT_STRICT=1 fails what takes more than a
// tenth of a second, on a machine that has nothing else to do.
func TestDeadlineWhereverTheTimeGoes(t *testing.T) {
	const allowed = 100 * time.Millisecond
	strict, deadline := os.Getenv("DICESCRIPT_STRICT") != "", 30*time.Millisecond
	if strict {
		deadline = 150 * time.Millisecond
	}
	h := newHost(t, lang.WithLimits(lang.Limits{
		Steps: lang.Unlimited, Work: lang.Unlimited, Cells: lang.Unlimited, OutputBytes: lang.Unlimited,
	}))
	worst, where := time.Duration(0), ""
	for _, sink := range sinks {
		ctx, cancel := context.WithTimeout(context.Background(), deadline)
		p, err := h.Compile(ctx, "recipe.star", []byte(sink.src))
		if err == nil {
			_, err = p.Run(ctx)
		}
		end, _ := ctx.Deadline()
		late := time.Since(end)
		cancel()
		e := new(lang.Error)
		if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &e) || e.Kind != lang.KindDeadline {
			t.Errorf("%s: %v", sink.where, err)
		}
		if late > allowed && strict {
			t.Errorf("%s: %s after the deadline", sink.where, late)
		}
		if late > worst {
			worst, where = late, sink.where
		}
	}
	t.Logf("at most %s after the deadline (%s)", worst, where)
}

// patience is a context that is done after so many looks at it.
type patience struct {
	context.Context
	looks int
}

func (p *patience) Err() error {
	if p.looks--; p.looks < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// A deadline that is met while a label, a state or a heading is looked at ends the
// run as a deadline: it is no mistake in the label.
func TestDeadlineWhileALabelIsLookedAt(t *testing.T) {
	h := newHost(t)
	for _, c := range []struct{ of, src string }{
		{"a step of a scale", "scale().step(long)"},
		{"a label that is asked for", "roll.p_in([long])"},
		{"labels that are kept", "roll.keep([long])"},
		{"a card", "deck([long, 'x'])"},
		{"a result", "map(lambda n: long, d(2))"},
		{"a result on a scale", "map(lambda n: long, d(2), scale=scale().step(long).step('x'))"},
		{"classified results", "joint_classify(d(2), d(2), scale().step(long), lambda a, b: long)"},
		{"a state", "iterate(long, lambda s: s, 2)"},
		{"a state of dice", "2d2.evaluate(lambda s, face, n: long, '')"},
		{"a move", "best_play('on', lambda s: {long: 'end'} if s == 'on' else 1)"},
		{"a player", "best_play('on', lambda s: {'a': 'end'} if s == 'on' else 1, player=lambda s: long)"},
		{"a row", "prob_table([(long, 0.5)])"},
		{"a heading", "grid([long], [1], lambda r, c: 1)"},
		{"a list that is lengthened", "l = []; l += list(range(20000))"},
		{"a part of a mixture", "mixture([(1, long)])"},
	} {
		p, err := h.Compile(t.Context(), "recipe.star", []byte("long = 'x' * 4000\nroll = map(lambda n: long, d(2))\nwhile True:\n    "+c.src+"\n"))
		if err != nil {
			t.Fatalf("%s: %v", c.of, err)
		}
		for looks := range 60 {
			_, err := p.Run(&patience{t.Context(), looks})
			if e := new(lang.Error); !errors.As(err, &e) || e.Kind != lang.KindDeadline {
				t.Errorf("%s: after %d looks: %v", c.of, looks, err)
				break
			}
		}
	}
}

// A long list is searched with looks at the context: comparing a float with a whole number
// takes a fraction.
func TestDeadlineWhileAListIsSearched(t *testing.T) {
	h := newHost(t, lang.WithLimits(lang.Limits{Steps: lang.Unlimited}))
	for _, search := range []string{"1e308 in l", "1e308 not in l", "1e308 in tuple(l)", "l.index(1e308)", "l.index(1e308, 5, 900000)", "l.remove(1e308)"} {
		p, err := h.Compile(t.Context(), "recipe.star", []byte("l = list(range(1000000))\nx = "+search))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Run(&patience{t.Context(), 10_000}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", search, err)
		}
	}
}

// A function that calls itself twice, in every builtin that calls one: whoever makes
// the calls, the deadline ends the run. The time allowed is far from what a busy machine
// needs, and farther from that of the calls.
func TestDeadlineInRecursionOfCallbacks(t *testing.T) {
	const deadline, allowed = 50 * time.Millisecond, 30 * time.Second
	calls := []string{
		"map(f, d(3))", "map(lambda a, b: f(a) + f(b), d(3), d(2))", "map(f, d(1000))", "(2d6).map(lambda h: f(h[0]))",
		"map_sorted(lambda h: f(h[0]), 2d6)", "map_sorted(lambda h, g: f(g[0]), 2d6, 2d6)", "grid(range(3), range(3), lambda r, q: f(r))",
		"(3d6).evaluate(lambda s, face, n: f(face), 0)", "(3d6).evaluate(lambda s, face, n: n, 0, finish=f)",
		"evaluate(lambda s, face, n, m: f(face), 0, 2d6, 2d6)", "iterate(0, f, 3)", "iterate(0, f, None)", "first_time(0, f, lambda s: s > 5, 4)",
		"first_time(0, lambda s: s + 1, lambda s: f(s) == 0, 4)", "stationary(0, f)", "count(2d6, f)", "d(6).keep(f)", "(2d6).remove(f)", "d(6).convert(f, 0)", "reroll(d(6), f)",
		"explode(d(6), on=f)", "best_play(3, f)", "best_play(0, lambda s: {'go': s + 1} if s < 3 else s, player=f)",
		"classify(d(6), scale().step('a'), f)", "joint_classify(d(6), d(6), scale().step('a'), lambda a, b: f(a))",
		"map(lambda x: 'ab'[x % 2], d(2)).map(lambda l: f(1))", "sorted([1, 2], key=f)", "max([1, 2], key=f)", "deck([1, 2, 3]).deal(2).evaluate(lambda s, card, n: f(n), 0)",
	}
	shapes := []string{
		"f(a + 1) + f(a + 1)", "f(a + 1) < f(a + 1)", "max(f(a + 1), f(a + 1))", "(f(a + 1), f(a + 1))", "[f(a + 1), f(a + 1)]", "f(f(a + 1))",
		"f(a + 1) == f(a + 1) and f(a + 1)", "not f(a + 1) or f(a + 1)", "[f(a + 1) for _ in range(2)]", "(f(a + 1) if f(a + 1) else f(a + 2))",
		"sum([f(a + i) for i in range(1, 3)])", "str(f(a + 1)) + str(f(a + 1))", "'%s%s' % (f(a + 1), f(a + 1))", "{1: 2}.get(f(a + 1), f(a + 1))", "f(a=f(a=a + 1))",
	}
	h := newHost(t, lang.WithLimits(lang.Limits{Steps: lang.Unlimited, Work: lang.Unlimited}))
	run := func(call, body string) {
		src := "def f(a):\n    " + body + "\nx = " + call + "\n"
		ctx, cancel := context.WithTimeout(context.Background(), deadline)
		defer cancel()
		done := make(chan error, 1)
		go func() {
			p, err := h.Compile(ctx, "recipe.star", []byte(src))
			if err == nil {
				_, err = p.Run(ctx)
			}
			done <- err
		}()
		select {
		case err := <-done:
			e := new(lang.Error)
			if !errors.As(err, &e) || e.Kind != lang.KindDeadline && e.Kind != lang.KindLimit {
				t.Errorf("%s of\n%s\nended with %v", call, body, err)
			}
		case <-time.After(allowed):
			t.Fatalf("%s of\n%s\ngoes on after the deadline", call, body)
		}
	}
	for _, call := range calls {
		run(call, "return 1 if a > 60 else "+shapes[0])
	}
	for _, shape := range shapes {
		run(calls[0], "return 1 if a > 60 else "+shape)
		run(calls[0], "return "+shape)
	}
	for _, body := range []string{
		"for _ in range(2):\n        f(a + 1)\n    return 1", "b = f(a + 1)\n    c = f(a + 1)\n    return b + c",
		"if f(a + 1) == 7 or f(a + 1):\n        return f(a + 2)\n    return 0", "while f(a + 1) == 7 or f(a + 1):\n        f(a + 2)\n    return 0", "b, c = f(a + 1), f(a + 1)\n    return b",
	} {
		run(calls[0], body)
	}
}
