package lang_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"dicescript/dist"
	"dicescript/lang"
)

// Each of these recipes would take a machine's time or memory. Each must be
// refused soon, with the limit that it has met.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name, src, want string
	}{
		{"steps", "while True:\n    pass", "more than 5 000 000 steps"},
		{"outcomes", `output("x", 100000d1000)`, "would need 99 900 001 outcomes; the limit is 5 000 000: use fewer"},
		{"die", `output("x", d(999999999))`, "outcomes; the limit is 5 000 000"},
		{"work", "x = 2000d20\nwhile True:\n    x = x - 1d20", "the limit is"},
		{"text", "s = 'x'\nwhile True:\n    s += s", "bytes "},
		{"repeat", "s = 'x' * 1000000000000", "bytes "},
		{"list", "l = [1]\nwhile True:\n    l += l", "elements for one list"},
		{"extend", "l = [1]\nwhile True:\n    l.extend(l)", "elements for one list"},
		{"getattr", "l = [1]\nwhile True:\n    getattr(l, 'extend')(l)", "elements for one list"},
		{"copies", "l = list(range(100000))\nk = []\nwhile True:\n    k.append(l[:])", "bytes "},
		{"square", "n = 3\nwhile True:\n    n = n * n", "bits for one whole number; the limit is 65 536"},
		{"shift", "n = 1\nwhile True:\n    n = n << 500", "bits for one whole number"},
		{"parse", "int('9' * 1000000)", "bits for one whole number"},
		{"range", "list(range(10000000000))", "list: would need 10 000 000 000 elements"},
		{"listed", "l = list(range(40000000))", "list: "},
		{"sorted", "sorted(range(49999999))", "elements for one list; the limit is 1 048 576"},
		{"spread", "def f(*a):\n    return 0\nf(*range(8000000))", "would need 8 000 000 elements for one list"},
		{"spread to a builtin", "max(*range(8000000))", "would need 8 000 000 elements for one list"},
		{"sum", "while True:\n    sum(range(1000000))", "more than 5 000 000 steps"},
		{"format", "s = '%s' * 100000\nt = 'x' * 100000\ns % tuple([t] * 100000)", "bytes "},
		{"replace", "s = 'x' * 100000\ns.replace('x', s)", "bytes "},
		{"join", "s = 'x' * 100000\ns.join(['y'] * 100000)", "bytes "},
		{"dag", "l = [1, 2, 3]\nfor i in range(60):\n    l = [l, l]\nstr(l)", ""},
		{"dag of texts", "l = ['x' * 100]\nfor i in range(60):\n    l = [l, l]\nprint(l)", ""},
		{"dag compared", "l = [1] * 50\nfor i in range(9):\n    l = [l] * 50\nl == [l, 1]", ""},
		{"nested", "l = []\nfor i in range(100000):\n    l = [l]\nstr(l)", "lists in lists; the limit is 1 000"},
		{"nested json", "json.encode(json.decode('[' * 100000 + ']' * 100000))", "lists in lists; the limit is 1 000"},
		{"long number in json", "json.decode('1' * 100000)", "bits for one whole number"},
		{"depth", "def f(n):\n    return f(n + 1)\nf(0)", "more than 1 000 deep; does a function call itself without end?"},
		{"depth through a builtin", "def f(x):\n    return map(f, d(1))\nf(0)", "more than 1 000 deep"},
		{"outputs", "for i in range(2000):\n    output(i)", "outputs; the limit is 1 000"},
		{"title", "output('x' * 2000, 1)", "bytes for a title; the limit is 1 000"},
		{"output bytes", "s = 'x' * 1000000\nfor i in range(1000):\n    output(s)", "bytes of output"},
		{"print", "while True:\n    print('x' * 1000)", "the recipe prints too much"},
	} {
		t.Run(c.name, func(t *testing.T) {
			host := newHost(t, lang.WithLimits(lang.Limits{Steps: 5_000_000, Work: 50_000_000}))
			p, err := host.Compile(context.Background(), "recipe.star", []byte(c.src))
			if err != nil {
				t.Fatal(err)
			}
			r, err := p.Run(t.Context())
			var limit *dist.LimitError
			e := new(lang.Error)
			if !errors.As(err, &limit) || !errors.As(err, &e) || e.Kind != lang.KindLimit {
				t.Fatalf("got %v", err)
			}
			if !strings.Contains(e.Message, c.want) {
				t.Errorf("got  %s\nwant %s", e.Message, c.want)
			}
			if e.Position.Line == 0 {
				t.Errorf("no position: %v", err)
			}
			if r == nil {
				t.Error("no result beside the error")
			}
		})
	}
}

func TestLimitsCanBeSet(t *testing.T) {
	tight := lang.Limits{Steps: 1000, Outputs: 2, Outcomes: 100, SourceBytes: 200, Loads: 1, Depth: 50}
	h := newHost(t, lang.WithLimits(tight))
	for _, src := range []string{
		"for i in range(10000):\n    pass", "output(1)\noutput(2)\noutput(3)", "output(d(101))",
	} {
		if _, err := run(t, h, src); !isLimit(err) {
			t.Errorf("%q: %v", src, err)
		}
	}
	for _, src := range []string{
		"# " + strings.Repeat("x", 200), "load('coc7.star', 'levels')\nload('brp.star', 'levels')",
	} {
		if _, err := h.Compile(context.Background(), "recipe.star", []byte(src)); !isLimit(err) {
			t.Errorf("%q: %v", src, err)
		}
	}
	free := newHost(t, lang.WithLimits(lang.Limits{Outputs: lang.Unlimited, Depth: lang.Unlimited, Steps: lang.Unlimited}))
	if r, err := run(t, free, "for i in range(2000):\n    output(i)\ndef f(n):\n    return n and f(n - 1)\nf(5000)"); err != nil || len(r.Outputs) != 2000 {
		t.Errorf("without limits: %v", err)
	}
}

func isLimit(err error) bool {
	e := new(lang.Error)
	return errors.As(err, &e) && e.Kind == lang.KindLimit
}

// What a run may do does not depend on what ran before it, or on which
// machine: the same recipe uses the same.
func TestUsageIsTheSameEveryTime(t *testing.T) {
	p, err := newHost(t).Compile(context.Background(), "recipe.star", []byte(`
load("rolemaster.star", "open_ended")
output(100d6)
output(10d10kh3)
output(open_ended(3) + 10)
output(roll("8d6!") >= 30)
`))
	if err != nil {
		t.Fatal(err)
	}
	var first lang.Usage
	for i := range 3 {
		r, err := p.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = r.Usage
		}
		if r.Usage != first {
			t.Errorf("run %d used %+v, the first %+v", i, r.Usage, first)
		}
	}
}

// A sum of very many chances of one roll ends at no limit, and is exact: they are P(3000d6
// <= 5999), and one half is below the middle.
func TestSumOfManyLongChances(t *testing.T) {
	h := newHost(t, lang.WithLimits(lang.Limits{Work: 30_000_000_000}))
	r, err := run(t, h, `
r = 3000d6
chances = [r == k for k in range(3000, 6000)]
output("same", sum(chances) == (r < 6000))
output("backwards", sum(chances[::-1]) == (r < 6000))
output("with others", sum(chances + [1, d(6).mean()]) == (r < 6000) + 9 / 2)
half = 101d6
output("half", sum([half == k for k in range(101, 354)]).fraction)
`)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"True", "True", "True", "1/2"} {
		if got := fmt.Sprint(r.Outputs[i].Data); !strings.HasPrefix(got, "{"+want+" ") {
			t.Errorf("%s: got %s, want %s", r.Outputs[i].Title, got, want)
		}
	}
}

// Without guard values may be of any size, and nothing else is different.
func TestWithoutGuard(t *testing.T) {
	large := "x = int('9' * 30000)\ny = 'a' * (2 << 20)\nz = [0] * (2 << 20)\noutput(len(y) + len(z))\n"
	limits := lang.Limits{Bytes: 1 << 20}
	if _, err := run(t, newHost(t, lang.WithLimits(limits)), large); !isLimit(err) {
		t.Errorf("with guard: %v", err)
	}
	h := newHost(t, lang.WithoutGuard(), lang.WithLimits(limits))
	if _, err := run(t, h, large); err != nil {
		t.Errorf("without guard: %v", err)
	}
	for src, want := range map[string]string{
		"while True:\n    pass": "more than 50 000 000 steps", "x = d(100000000)": "the limit is 5 000 000",
	} {
		if _, err := run(t, h, src); !isLimit(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", src, err)
		}
	}
}

// A function of many parameters pays for the room that each call makes for them.
func TestManyParametersArePaid(t *testing.T) {
	steps := func(count int, f string) int64 {
		params := "x" + strings.Repeat("=0, x", count)
		for i := range count {
			params = strings.Replace(params, "x=", fmt.Sprintf("x%d=", i), 1)
		}
		src := fmt.Sprintf(f, strings.TrimSuffix(params, ", x")) + "\nfor _ in range(1000):\n    f()\n"
		r, err := run(t, newHost(t), src)
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		return r.Usage.Steps
	}
	for _, f := range []string{"def f(%s):\n    'what it does'\n    return 1", "f = lambda %s: 1"} {
		few, many := steps(32, f), steps(33, f)
		if many < few+10_000 {
			t.Errorf("%s: 1000 calls take %d steps with 32 parameters, %d with 33", f, few, many)
		}
	}
}
