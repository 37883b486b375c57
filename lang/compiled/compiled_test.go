package compiled_test

import (
	"testing"

	"go.starlark.net/starlark"
)

// Functions of the kinds that rules are written in, each with arguments for which
// it must run compiled.
var computing = []struct {
	name, src string
	args      []starlark.Tuple
}{
	{"conditions", `
def f(a, b):
    if a <= 5 and b > a:
        return "critical"
    if a <= 50 and b > 30:
        return "success"
    return "failure"
`, []starlark.Tuple{ints(1, 2), ints(20, 40), ints(20, 10), ints(99, 1)}},
	{"lambda", `f = lambda a, b: max(a - b, 0)`, []starlark.Tuple{ints(3, 5), ints(5, 3)}},
	{"arithmetic", `
def f(a, b):
    c = a * b - a // 3 + b % 4
    c += -a
    return [c & 7, c | 8, c ^ 5, ~c, c << 2, c >> 1, abs(c)][b % 7]
`, []starlark.Tuple{ints(3, 5), ints(-5, 3), ints(1000, -77)}},
	{"loops", `
def f(n, k):
    total = 0
    for i in range(n):
        if i == k:
            continue
        if i > 9:
            break
        total += i
    while total > 100:
        total -= 7
    for i in 1..4:
        total += i
    return total
`, []starlark.Tuple{ints(5, 2), ints(40, 3), ints(0, 0)}},
	{"returns within a loop", `
def f(n, k):
    for i in range(n):
        for j in range(i):
            if i * j == k:
                return (i, j)
    return None
`, []starlark.Tuple{ints(9, 12), ints(3, 100)}},
	{"tuples", `
def f(good, bad):
    state = (good, bad)
    a, b = state
    if a == 2:
        return "stable"
    return (a + 1, b) if max(state, (1, 1)) == state else (a, b + 1, "x")
`, []starlark.Tuple{ints(2, 1), ints(1, 0), ints(0, 3)}},
	{"texts", `
def f(a, b):
    name = "%d-%s" % (a, b) if a > b else str(a) + "!"
    return name.upper().replace("1", "one") if name.startswith("9") else name[-1:] + name[0] + ", ".join([name, "x"])
`, []starlark.Tuple{ints(3, 5), ints(8, 3)}},
	{"comprehensions", `
def f(a, b):
    sizes = sorted([len([x for x in [a, b, 3, 3] if x == face]) for face in range(1, 7)])
    return (sizes[-1], sizes[-2], sum([x * y for x in [1, a] for y in [b, 2] if x != y]))
`, []starlark.Tuple{ints(3, 5), ints(3, 3), ints(1, 1)}},
	{"membership", `
def f(a, b):
    if a in [2, 3, 12] or b in (7, 11):
        return 1
    if a in 5..6 or b not in 3.. or a in ..0:
        return 2
    return 3 if a in [b, b + 1] else "x" in "xyz"
`, []starlark.Tuple{ints(2, 0), ints(1, 11), ints(6, 4), ints(4, 4), ints(4, 9), ints(4, 1)}},
	{"captured", `
limits = [10, 20, 30]
names = {1: "one", 2: "two"}
def make(k):
    return lambda a, b: limits[k] + a if names.get(b, "?") != names[1] else limits.index(20)
f = make(1)
`, []starlark.Tuple{ints(1, 1), ints(4, 2), ints(5, 3)}},
	{"dicts", `
def f(a, b):
    if a == 0:
        return {"stop": b, (a, b): [a], b: {"in": a}}
    moves = {"one": a, "two": [b, a], b: "b"}
    return (moves["two"], moves.get("three", 3), len(moves), b in moves, "b" in moves, moves.get(a, {}))
`, []starlark.Tuple{ints(0, 1), ints(1, 2), ints(3, 3)}},
	{"calls", `
def g(x, least = 0, most = None):
    if type(x) != "int":
        fail("no number: %r" % x)
    if most != None and x > most:
        return most
    return max(x, least)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
def f(a, b):
    return g(a, most = 5) * 100 + g(b, 3) + fib(a)
`, []starlark.Tuple{ints(1, 1), ints(9, 7), ints(10, 3)}},
	{"texts of a kind", `
def f(a, b):
    s = (type(a), type("x"), type(None), type((1,)), type([]), type(True))
    return s + (bool(a), any([a, b]), all([a, b]), int("12"), len("abc"), tuple(reversed([a, b])))
`, []starlark.Tuple{ints(1, 0), ints(0, 0)}},
	{"enumerate and zip", `
def f(a, b):
    n = 0
    for i, x in enumerate([a, b, 5]):
        n += i * x
    for x, y in zip([1, 2, 3], [a, b]):
        n = n * 3 + x * y
    return n
`, []starlark.Tuple{ints(3, 2)}},
	{"slices", `
def f(a, b):
    list = [a, b, 1, 2, 3, 4]
    return (tuple(list[1:]), tuple(list[:-2]), tuple(list[::2]), tuple(list[::-1]), tuple(list[4:1:-2]), "abcdef"[1:4], (1, 2, 3)[:2])
`, []starlark.Tuple{ints(3, 2)}},
	{"dice", `
six = d(6)
def f(a, b):
    if a > b:
        return six + a
    return coin("%d/6" % a) * b + sum([six, b])
`, []starlark.Tuple{ints(3, 2), ints(2, 3)}},
	{"chances", `
mine = dice_pool(3, 6)
def f(a, b):
    return mine.p_ge(a) if a < b else mine >= b
`, []starlark.Tuple{ints(3, 2), ints(8, 13)}},
}

func TestComputes(t *testing.T) {
	for _, test := range computing {
		t.Run(test.name, func(t *testing.T) {
			r := mustRecipe(t, test.src)
			fn := r.function("f")
			if why := r.file.At(fn).Declined(); why != "" {
				t.Fatalf("it is not compiled: %s", why)
			}
			m := r.machine()
			b := m.Bind(fn)
			for _, args := range test.args {
				if !r.agree(t, fn, m, b, args) {
					t.Errorf("f%v is left to the interpreter", args)
				}
			}
		})
	}
}

// What does not fit is left to the interpreter, for that call alone.
func TestLeaves(t *testing.T) {
	for _, test := range []struct {
		name, src string
		left      starlark.Tuple
		runs      starlark.Tuple
	}{
		{"overflow", `f = lambda a, b: a * 4611686018427387904 + b`, ints(2, 1), ints(1, 1)},
		{"overflow of a sum", `f = lambda a, b: 9223372036854775807 + a * b`, ints(1, 1), ints(1, 0)},
		{"division", `f = lambda a, b: a // b`, ints(1, 0), ints(1, 2)},
		{"least by minus one", `f = lambda a, b: (-9223372036854775807 - a) // b`, ints(1, -1), ints(0, -1)},
		{"fraction", `f = lambda a, b: a if a > b else a / b`, ints(1, 2), ints(3, 2)},
		{"failure", `
def f(a, b):
    if a == b:
        fail("equal")
    return a
`, ints(1, 1), ints(1, 2)},
		{"unset", `
def f(a, b):
    if a > b:
        c = 1
    return c
`, ints(1, 2), ints(3, 2)},
		{"beyond the end", `f = lambda a, b: [1, 2, 3][a]`, ints(3, 0), ints(-3, 0)},
		{"changes", `
seen = []
def f(a, b):
    if a == b:
        seen.append(a)
    return a
`, ints(1, 1), ints(1, 2)},
		{"kinds", `f = lambda a, b: a < ("x" if b else 1)`, ints(1, 1), ints(1, 0)},
		{"a tuple that doubles", `
def f(a, b):
    t = ()
    for i in range(a):
        t = (t, t)
    return b
`, ints(90, 1), ints(5, 1)},
		{"a list that doubles", `
def f(a, b):
    t = [b]
    for i in range(a):
        t = [t, t]
    return b if t != [t] else a
`, ints(90, 1), ints(5, 1)},
		{"deep", `
def f(a, b):
    return b if a == 0 else f(a - 1, b)
`, ints(500, 1), ints(5, 1)},
		{"long", `
def f(a, b):
    n = 0
    for i in range(a):
        n += i
    return n
`, ints(10000000, 1), ints(5, 1)},
		{"a chance is no condition", `
six = d(6)
f = lambda a, b: 1 if a == b or six > 3 else 0
`, ints(1, 2), ints(1, 1)},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := mustRecipe(t, test.src)
			fn := r.function("f")
			m := r.machine()
			b := m.Bind(fn)
			if b == nil {
				t.Fatalf("it is not compiled: %s", r.file.At(fn).Declined())
			}
			if r.agree(t, fn, m, b, test.left) {
				t.Errorf("f%v runs compiled", test.left)
			}
			if !r.agree(t, fn, m, b, test.runs) {
				t.Errorf("f%v is left to the interpreter", test.runs)
			}
		})
	}
}

// A function that makes functions, or can't do without the interpreter in any
// call, is not compiled at all.
func TestDeclines(t *testing.T) {
	for _, test := range []struct{ src, why string }{
		{"def f(a):\n    def g():\n        return a\n    return g()", "line 2: it makes a function"},
		{"f = lambda *a: 1", "line 1: it gathers arguments with *"},
		{"f = lambda a: sorted([a], key = lambda x: -x)", "line 1: it makes a function"},
		{"f = lambda a: {x: 2 for x in [a]}[a]", "line 1: it makes a dict or a set"},
		{"def f(a):\n    print(a)\n    return 1", "line 2: print is left to the interpreter"},
	} {
		r := mustRecipe(t, test.src)
		if got := r.file.At(r.function("f")).Declined(); got != test.why {
			t.Errorf("%s\ngot  %q\nwant %q", test.src, got, test.why)
		}
	}
}
