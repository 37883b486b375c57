package lang_test

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"dicescript/lang"
)

// allowed are the kinds of errors that a recipe may have. All others are
// mistakes of the language: a recipe can't set a deadline or cancel a run, and
// nothing that it says is an internal error.
var allowed = map[lang.Kind]bool{
	lang.KindSyntax: true, lang.KindName: true, lang.KindRuntime: true, lang.KindLimit: true, lang.KindModule: true,
}

// tiny limits end whatever a fuzzer finds soon.
var tiny = lang.Limits{Steps: 20_000, Work: 10_000_000, Cells: 100_000, Outcomes: 10_000, Bytes: 1 << 20, Depth: 100, PrintBytes: 1000, OutputBytes: 100_000}

// fuzzMost is when what small limits end in a moment has hung, also on a machine that
// fuzzes with all it has.
const fuzzMost = time.Minute

// Whatever a recipe is, it gives the same result every time, soon, or an error
// of an allowed kind at a place that exists.
func FuzzRun(f *testing.F) {
	for _, seed := range []string{
		"output('x', 4d6kh3 >= 15)", "x = 2d6\nfor i in 1..5:\n    output(x.pmf(i))", "def f(a):\n    return a\nmap(f, d6)",
		"load('rolemaster.star', 'open_ended')\noutput(open_ended(2))", "```\nx = 1\n```\n", "param('a', 1)", "x = [1] * 1000000000",
		"d = 3\nd(6)", "roll('4d6!kh3 + 2')", "print('%s' % (1, 2))", "s = 'x'\ns += s", "1..2..3", "a.b.c", "x = 5..",
		"x = 'a'\nfor i in range(99):\n    x = x * 99", "x = explode(d(6), None)\nfor i in 1..99:\n    x = x * x", "def f(n):\n    return f(n)\nf(1)",
	} {
		f.Add(seed)
	}
	files, err := filepath.Glob("../testdata/lang/*.star")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		for _, c := range readChunks(f, file) {
			f.Add(strings.TrimLeft(c.src, "\n"))
		}
	}
	h := newHost(f, lang.WithLimits(tiny), lang.WithBuiltins((&tester{}).silent()))
	f.Fuzz(func(t *testing.T, src string) {
		for _, name := range []string{"r.star", "r.dice"} {
			// The limits end a run soon by themselves.
			hung := time.AfterFunc(fuzzMost, func() { panic("a run does not end: " + strconv.Quote(src)) })
			err := compileAndRun(h, name, src)
			hung.Stop()
			for _, e := range lang.Errors(err) {
				checkError(t, src, e)
			}
			if again := compileAndRun(h, name, src); err != nil && (again == nil || again.Error() != err.Error()) {
				t.Errorf("%q: %v, and then %v", src, err, again)
			}
		}
	})
}

func compileAndRun(h *lang.Host, name, src string) error {
	p, err := h.Compile(context.Background(), name, []byte(src))
	if err == nil {
		_, err = p.Run(context.Background())
	}
	return err
}

func checkError(t *testing.T, src string, e *lang.Error) {
	if !allowed[e.Kind] {
		t.Fatalf("%q: an error of kind %s: %v\n%s", src, e.Kind, e, e.Stack)
	}
	for _, internal := range []string{"·", "starlark", "builtins.", "nil pointer", "runtime error", "<nil>"} {
		if strings.Contains(e.Message, internal) && !strings.Contains(src, internal) {
			t.Errorf("%q: %v", src, e)
		}
	}
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(src), "\n")
	if e.Position.Line == 0 || strings.HasPrefix(e.Position.File, "stdlib/") {
		return
	}
	if e.Position.Line > len(lines)+1 {
		t.Errorf("%q: there is no line %d: %v", src, e.Position.Line, e)
	} else if e.Position.Line <= len(lines) && e.Position.Column > utf8.RuneCountInString(lines[e.Position.Line-1])+1 {
		t.Errorf("%q: there is no column %d: %v", src, e.Position.Column, e)
	}
}

// Whatever is put into a session, one input after the other, each gives a result
// or an error of an allowed kind, and the session can still be used.
func FuzzSession(f *testing.F) {
	for _, seed := range []string{
		"x = 2d6\n\nx.mean()\n\nx", "def f(a):\n    return a\n\nf(1)\n\nf", "x = y\n\ny = 1\n\nx = y",
		"l = [1]\n\nl += l\n\n[a for a in l for b in l]\n\n{a: 1 for a in l}", "load('dnd5e.star', 'd20_roll')\n\nd20_roll()",
		"s = 'x'\n\nwhile True:\n    s += s\n\ns", "1; 'é'; 2d6", "param('a', 1)\n\na", "x = (\n\n1", "·x\n\nd = 3\n\nd(6)",
	} {
		f.Add(seed)
	}
	h := newHost(f, lang.WithLimits(tiny))
	f.Fuzz(func(t *testing.T, src string) {
		hung := time.AfterFunc(fuzzMost, func() { panic("a session does not end: " + strconv.Quote(src)) })
		defer hung.Stop()
		s := h.NewSession()
		for i, input := range strings.Split(src, "\n\n") {
			if i == 20 {
				break
			}
			_, err := s.Eval(context.Background(), input)
			for _, e := range lang.Errors(err) {
				if !allowed[e.Kind] {
					t.Fatalf("%q, input %q: an error of kind %s: %v\n%s", src, input, e.Kind, e, e.Stack)
				}
			}
			s.Complete(input)
			s.Doc(input)
		}
		if _, err := s.Eval(context.Background(), "1 + 1"); err != nil {
			t.Errorf("%q: the session can't be used any more: %v", src, err)
		}
	})
}
