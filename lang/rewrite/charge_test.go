package rewrite

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"dicescript/builtins/meter"
	"dicescript/dist"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/starlark"
)

// limited are hooks with a meter of tight limits, for a thread.
func limited(l meter.Limits) (*table, *starlark.Thread) {
	h, thread := testHooks(), &starlark.Thread{}
	h.meter = meter.NewTable().NewMeter(l)
	h.meter.Begin(context.Background(), thread)
	return h, thread
}

// tight limits are those of hundred thousand elements, and numbers of 10 000 bits.
var tight = meter.Limits{Bytes: 800_000, Steps: 3_000_000, IntBits: 10_000, TextBytes: 100_000}

// TestWhatGrowsIsStopped runs recipes that grow without bound.
func TestWhatGrowsIsStopped(t *testing.T) {
	for name, body := range map[string]string{
		"text":            "s += s",
		"text plus":       "s = s + s",
		"text times":      "s = s * 2",
		"times text":      "s = 2 * s",
		"times huge":      "s = s * 1000000000",
		"percent":         "s = '%s%s' % (s, s)",
		"percent named":   "s = '%(a)s%(a)s' % {'a': s}",
		"augmented times": "s *= 2",
		"format":          "s = '{0}{0}'.format(s)",
		"format named":    "s = '{a}{a}'.format(a = s)",
		"join":            "s = s.join([s, s, s])",
		"replace":         "s = s.replace('x', 'xx')",
		"method value":    "f = s.replace\n  s = f('x', 'xx')",
		"list":            "l += l",
		"list plus":       "l = l + l",
		"list times":      "l *= 2",
		"list extend":     "l.extend(l)",
		"list element":    "m[0] += m[0]",
		"tuple":           "u += u",
		"square":          "n *= n",
		"square plus":     "n = n * n",
		"shift":           "n <<= 500",
		"text of a list":  "l = [l, l]\n  x = '%s' % [l]",
		"compare lists":   "l = [l, l, l, l]\n  x = l == [[[[1]]]]",
		"keep slices":     "keep.append(big[:])",
		"keep upper":      "keep.append(text.upper())",
		"keep sums":       "keep.append(big + [])",
		"keep numbers":    "keep.append(number - 1)",
		"keep signs":      "keep.append(-number)",
		"keep sets":       "keep.append(many | set())",
		"append":          "l.append(1)\n  l.append(2)\n  l.append(3)\n  l.append(4)\n  l.append(5)\n  l.append(6)",
		"split":           "keep.append(text.split('y'))",
		"items":           "keep.append(table.items())",
	} {
		t.Run(name, func(t *testing.T) {
			src := "def run():\n  s, l, n, u, m, keep = 'x', [1], 3, (1,), [[1]], []\n" +
				"  big, text = [0] * 1000, 'xy' * 1000\n  many, number = set(range(1000)), int('9' * 1000)\n" +
				"  table = dict([(i, i) for i in range(1000)])\n" +
				"  i = 0\n  while i < 20000:\n    i += 1\n    " + strings.ReplaceAll(body, "\n  ", "\n    ") + "\nrun()\n"
			h, thread := limited(tight.Filled())
			_, _, err := executeOn(thread, src, Options{}, h)
			if limit := (*dist.LimitError)(nil); !errors.As(err, &limit) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestSmallArithmeticIsFree checks that small arithmetic is free.
func TestSmallArithmeticIsFree(t *testing.T) {
	src := "def f():\n  n = 0\n  for i in range(10000):\n    n = n + i * 2 % 7\n    n -= i\n  return n\nprint(f())"
	h, thread := limited(meter.Limits{Bytes: 0, Steps: meter.Unlimited})
	if _, _, err := executeOn(thread, src, Options{}, h); err != nil {
		t.Error(err)
	}
}

// TestSession runs pieces one after another, as a prompt does.
func TestSession(t *testing.T) {
	globals := starlark.StringDict{"count": starlark.String("builtin")}
	thread := &starlark.Thread{}
	var out []string
	thread.Print = func(_ *starlark.Thread, msg string) { out = append(out, msg) }
	thread.Load = func(*starlark.Thread, string) (starlark.StringDict, error) {
		return starlark.StringDict{"x": starlark.MakeInt(7)}, nil
	}
	for _, src := range []string{
		"def f(a): return a < 3, d8", "print(f(2), count)", "count = 3", "print(count, d6 > 2)", "load('m', 'x')", "print(x, f(5))", "l = [1]\nl[0] += x", "print(l)",
	} {
		tree, ds := dicesyntax.Parse("prompt", []byte(src))
		if ds != nil {
			t.Fatal(src, ds)
		}
		code, ds := Rewrite(tree, Options{Session: true, Predeclared: globals})
		if ds != nil {
			t.Fatal(src, ds)
		}
		code.Predeclare(globals, testHooks(), nil)
		if err := starlark.ExecREPLChunk(code.File, thread, globals); err != nil {
			t.Fatal(src, err, code.Diagnose(err))
		}
	}
	want := `[(True, d8) builtin 3 P(d6 > 2) 7 (False, d8) [8]]`
	if fmt.Sprint(out) != want {
		t.Errorf("got %v, want %s", out, want)
	}
}
