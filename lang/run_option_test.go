package lang_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"dicescript/builtins/meter"
	"dicescript/lang"
)

func compiled(t testing.TB, h *lang.Host, src string) *lang.Program {
	t.Helper()
	p, err := h.Compile(context.Background(), "recipe.star", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func isInput(err error) bool {
	var e *lang.Error
	return errors.As(err, &e) && e.Kind == lang.KindInput
}

// One program serves several tiers.
func TestRunLimits(t *testing.T) {
	p := compiled(t, newHost(t, lang.WithLimits(lang.Limits{Steps: 1000, Outputs: 3})), "for i in range(9000):\n    pass\noutput(1)\noutput(2)")
	for _, c := range []struct {
		limits lang.Limits
		fails  bool
	}{
		{lang.Limits{}, true}, {lang.Limits{Steps: 10_000}, false}, {lang.Limits{Steps: lang.Unlimited}, false},
		{lang.Limits{Steps: 10_000, Outputs: 1}, true}, {lang.Limits{Outputs: 10}, true}, {lang.Limits{Steps: 10_000, Work: 1}, false},
	} {
		r, err := p.Run(t.Context(), lang.WithRunLimits(c.limits))
		if isLimit(err) != c.fails || r == nil {
			t.Errorf("%+v: %v", c.limits, err)
		}
	}
	if _, err := p.Run(t.Context(), lang.WithRunLimits(lang.Limits{Work: -7})); !isInput(err) || !strings.Contains(err.Error(), "Work: got -7") {
		t.Errorf("a limit that is none: %v", err)
	}
}

// A session has limits of its own from its first input, and refuses what a host does.
func TestSessionRunOptions(t *testing.T) {
	var printed []string
	s := newHost(t).NewSession(
		lang.WithRunLimits(lang.Limits{Steps: 1000, SourceBytes: 100, Loads: 1}),
		lang.WithRunPrint(func(_ context.Context, text string) { printed = append(printed, text) }),
	)
	for _, src := range []string{
		"for i in range(100000):\n    pass", strings.Repeat("#", 101), "load('coc7.star', 'levels')\nload('brp.star', 'levels')",
	} {
		if _, err := s.Eval(t.Context(), src); !isLimit(err) {
			t.Errorf("%.20s: %v", src, err)
		}
	}
	evaluated(t, s, "print('here')")
	if fmt.Sprint(printed) != "[here]" {
		t.Errorf("printed %v", printed)
	}
	if err := s.SetLimits(lang.Limits{Cells: -2}); err == nil || s.Limits().Steps != 1000 {
		t.Errorf("got %v, and %+v", err, s.Limits())
	}
	if err := s.SetLimits(lang.Limits{Cells: 10}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Eval(t.Context(), "d(20)"); !isLimit(err) {
		t.Errorf("after SetLimits: %v", err)
	}
	bad := newHost(t).NewSession(lang.WithRunPrint(nil))
	if _, err := bad.Eval(t.Context(), "1"); !isInput(err) {
		t.Errorf("print nil: %v", err)
	}
}

// Runs at once print each to its own.
func TestRunPrint(t *testing.T) {
	p := compiled(t, newHost(t), "n = param('n', 0)\nfor i in range(20):\n    print(n)")
	texts := make([]strings.Builder, 8)
	done := make(chan error)
	for i := range texts {
		go func() {
			_, err := p.Run(context.Background(), lang.WithInput("n", i), lang.WithRunPrint(func(_ context.Context, text string) { texts[i].WriteString(text) }))
			done <- err
		}()
	}
	for range texts {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	for i := range texts {
		if got, want := texts[i].String(), strings.Repeat(fmt.Sprint(i), 20); got != want {
			t.Errorf("run %d printed %s", i, got)
		}
	}
	if _, err := p.Run(t.Context(), lang.WithRunPrint(nil)); !isInput(err) {
		t.Errorf("nil: %v", err)
	}
}

// A run uses as much of each limit as would just do.
func TestUsageOfEveryLimit(t *testing.T) {
	r := mustRun(t, newHost(t), `load("rolemaster.star", "open_ended")
x = 100d6
l = []
for i in range(700):
    l.append(i)
d = {}
d["a name of 18 bytes"] = 1
for i in range(50):
    d[i] = i
n = (1 << 200) + 1
print("12345")
text = "x" * 5000
def deep(n):
    return 0 if n == 0 else deep(n - 1)
for i in range(50):
    deep(60)
output("a title", x.mean())
`)
	u := r.Usage
	for _, c := range []struct {
		name     string
		got      int64
		min, max int64
	}{
		{"steps", u.Steps, 3000, 100_000}, {"work", u.Work, 100, 1_000_000}, {"cells", u.Cells, 501, 50_000},
		{"outcomes", u.Outcomes, 6, 501}, {"bytes", u.Bytes, 5000, 200_000}, {"text bytes", u.TextBytes, 5000, 5000},
		{"elements", u.Elements, 700, 700}, {"entries", u.Entries, 51, 51}, {"name bytes", u.NameBytes, 18, 40},
		{"int bits", u.IntBits, 200, 256}, {"depth", u.Depth, 2, 62}, {"outputs", u.Outputs, 1, 1},
		{"output bytes", u.OutputBytes, 7, 200}, {"title bytes", u.TitleBytes, 7, 7}, {"print bytes", u.PrintBytes, 6, 6},
		{"source bytes", u.SourceBytes, 300, 20_000}, {"loads", u.Loads, 1, 3},
	} {
		if c.got < c.min || c.got > c.max {
			t.Errorf("%s: %d, want from %d to %d", c.name, c.got, c.min, c.max)
		}
	}
	names := map[string]int64{}
	for name, n := range u.Counts() {
		names[name] = n
	}
	for _, b := range meterBounds() {
		if _, ok := names[b]; !ok && b != "session-bytes" {
			t.Errorf("%s is not counted", b)
		}
		delete(names, b)
	}
	if len(names) > 0 {
		t.Errorf("no limits: %v", names)
	}
}

// meterBounds are the names of all limits.
func meterBounds() (names []string) {
	for _, b := range meter.Bounds() {
		names = append(names, string(b.Resource))
	}
	return names
}
