package lang_test

import (
	"context"
	"fmt"
	"testing"

	"dicescript/lang"
)

// Inputs of a session that define and use functions, one after the other. Each
// must give the same compiled as interpreted, and what is marked runs compiled:
// interpreted it takes more steps.
var sessionInputs = []struct {
	input    string
	compiled bool
}{
	{"map(lambda a, b: max(a - b, 0), d(20), d(20))", true},
	{"limit = 5\ndef level(a):\n    return 'high' if a > limit else 'low'", false},
	{"d(20).map(level)", true},
	{"limit = 15", false},
	{"d(20).map(level)", true}, // it sees the limit of now
	{"def twice(a):\n    return level(a) + level(21 - a)\nd(20).map(twice)", true},
	{"def level(a):\n    return 'x' if a % limit else 'y'", false},
	{"d(20).map(twice)", true}, // and the level of now
	{"faces = [1, 2, 3]\nd(6).map(lambda x: x in faces)", true},
	{"faces.append(6)\nd(6).map(lambda x: x in faces)", true},
	{"def early(a):\n    return late(a)", false},
	{"d(6).map(early)", false}, // an error
	{"def late(a):\n    return -a", false},
	{"d(6).map(early)", false},
	{"d(20).map(lambda a: min(a, 5))", true},
	{"old = lambda a: min(a, 5)", false},
	{"min = lambda a, b: a * 100 + b", false},
	{"d(20).map(lambda a: min(a, 5))", true},
	{"d(20).map(old)", true},                                                         // it keeps the min that it was made with
	{"made = [lambda x, k = k: x * k for k in range(3)]\nd(20).map(made[2])", false}, // held by no name
	{"d(20).map(made[1])", false},
	{"for k in [1, 2]:\n    last = lambda x: x + k\nd(20).map(last)", false},
	{"k = 10\nd(20).map(last)", false},
	{"load('brp.star', 'level')\nd(100).map(lambda x: level(x, 40))", true},
	{"def fall(n):\n    return fall(n - 1) + 1 if n > 0 else 0\nd(20).map(fall)", true},
	{"def wrong(a):\n    if a > 3:\n        fail('no %d' % a)\n    return a\nd(20).map(wrong)", false},
	{"iterate(20, lambda n: either('1/3', n - 1, n + 1) if n > 0 else 0, 9)", true},
	{"x = 3\nf = lambda a: a + x\nx = 4\nd(20).map(f)", true},
	{"limit = 'a'\nd(20).map(twice)", false}, // an error
}

func TestSessionsCompute(t *testing.T) {
	ctx := context.Background()
	compiled, interpreted := bothHosts(t)
	fast, slow := compiled.NewSession(), interpreted.NewSession()
	text := func(r *lang.Result, err error) string {
		out := fmt.Sprintln(err)
		for _, o := range r.Outputs {
			out += fmt.Sprintln(o.Title)
			switch data := o.Data.(type) {
			case lang.Roll:
				for x, w := range data.Dist.All() {
					out += fmt.Sprint(" ", x, ":", w)
				}
			case lang.Outcomes:
				for _, e := range data.Entries {
					out += fmt.Sprint(" ", e.Label, ":", e.Value)
				}
			case lang.Prob:
				out += data.Value.RatString()
			}
		}
		return out
	}
	for _, c := range sessionInputs {
		a, err := fast.Eval(ctx, c.input)
		got := text(a, err)
		b, err := slow.Eval(ctx, c.input)
		if want := text(b, err); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", c.input, got, want)
		}
		if c.compiled && a.Usage.Steps >= b.Usage.Steps {
			t.Errorf("%s\ntakes %d steps compiled and %d interpreted", c.input, a.Usage.Steps, b.Usage.Steps)
		}
	}
	// A file of the same name is another one, and the functions of the first stay.
	for _, s := range []*lang.Session{fast, slow} {
		for _, src := range []string{"first = lambda a: a + 1", "1 + 1", "other = lambda a: a * 2"} {
			if _, err := s.EvalFile(ctx, "same.star", []byte(src)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, input := range []string{"d(6).map(first)", "d(6).map(other)"} {
		a, err := fast.Eval(ctx, input)
		got := text(a, err)
		b, err := slow.Eval(ctx, input)
		if want := text(b, err); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", input, got, want)
		}
	}
}
