package lang_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"dicescript/lang"
)

func titles(r *lang.Result) string {
	var out []string
	for _, o := range r.Outputs {
		out = append(out, o.Title+":"+o.Kind())
	}
	return strings.Join(out, " ")
}

func TestSession(t *testing.T) {
	s := newHost(t).NewSession(lang.WithInput("bonus", 3))
	for _, c := range []struct{ in, want string }{
		{"x = 4d6kh3", ""},
		{"x", "x:DieRoll"},
		{"x >= 15", "x >= 15:Prob"},
		{"y = x + 1; y.mean()", "y.mean():Number"},
		{"output('a', y); None", "a:DieRoll"},
		{"[1, 2]", "[1, 2]:Text"},
		{"def f(n):\n    return x >= n\n", ""},
		{"f(10)", "f(10):Prob"},
		{"x = 2d6", ""},
		{"d = 5", ""},
		{"d", "d:Number"},
		{"load('rolemaster.star', 'open_ended')", ""},
		{"open_ended(0).max()", "open_ended(0).max():Number"},
		{"param('bonus', 1)", "param('bonus', 1):Number"},
		{"max(  1,\n 2)", "max( 1, 2):Number"},
		{"'text'", "'text':Text"},
		{"", ""},
	} {
		r, err := s.Eval(context.Background(), c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
		}
		if got := titles(r); got != c.want {
			t.Errorf("%s: got %q, want %q", c.in, got, c.want)
		}
	}
	_, err := s.Eval(context.Background(), "z = 1\nnothing")
	if err == nil || !strings.Contains(err.Error(), "input 18:2:1: undefined: nothing") {
		t.Errorf("a name error: %v", err)
	}
	_, err = s.Eval(context.Background(), "f('a')")
	e := new(lang.Error)
	if !errors.As(err, &e) || e.Position.File != "input 7" || e.Source == "" || len(e.Frames) != 2 {
		t.Errorf("an error in an earlier input: %v, %q, %v", err, e.Source, e.Frames)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Eval(ctx, "1"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if r, err := s.Eval(context.Background(), "f(10)"); err != nil || titles(r) != "f(10):Prob" {
		t.Errorf("after a cancelled input: %v, %v", r, err)
	}
}

func TestComplete(t *testing.T) {
	s := newHost(t).NewSession()
	if _, err := s.Eval(context.Background(), "attack = 2d6 + 1\nattic = 1"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line  string
		want  string
		start int
	}{
		{"output(att", "attack attic", 7},
		{"explo", "explode", 0},
		{"attack.p_g", "p_ge p_gt", 7},
		{"nothing.x", "", 8},
	} {
		words, start := s.Complete(c.line)
		if got := strings.Join(words, " "); got != c.want || start != c.start {
			t.Errorf("%q: got %q from %d, want %q from %d", c.line, got, start, c.want, c.start)
		}
	}
	if words, _ := s.Complete(""); slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "·") }) {
		t.Errorf("internal names in %v", words)
	}
}

func TestDoc(t *testing.T) {
	h := newHost(t)
	s := h.NewSession()
	if _, err := s.Eval(context.Background(), "load('rolemaster.star', 'beats')\ndef f(a, b=1):\n    \"\"\"Does f.\n\n    And more.\n    \"\"\"\n    return a\nroll1 = d(6)"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, signature, text string }{
		{"f", "f(a, b=1)", "Does f.\n\nAnd more."},
		{"beats", "beats(target, bonus=0, cap=8)", "The chance that"},
		{"d", "d(sides)", ""},
		{"roll1.pmf", ".pmf(x)", ""},
	} {
		docs := s.Doc(c.name)
		if len(docs) != 1 || docs[0].Signature != c.signature || !strings.HasPrefix(docs[0].Text, c.text) {
			t.Errorf("%s: %+v", c.name, docs)
		}
	}
	if docs := s.Doc("nothing"); len(docs) != 0 {
		t.Errorf("nothing: %v", docs)
	}
	m, err := h.ModuleDoc(context.Background(), "rolemaster.star")
	if err != nil || !strings.HasPrefix(m.Text, "Rolemaster") || len(m.Functions) != 4 || m.Functions[0].Name != "open_ended" {
		t.Errorf("%+v, %v", m, err)
	}
	if !slices.Contains(h.Modules(), "rolemaster.star") {
		t.Errorf("modules: %v", h.Modules())
	}
}

// A session refuses the functions that a recipe may not have.
func TestSessionFunctionOfManyNames(t *testing.T) {
	s := newHost(t).NewSession()
	var names strings.Builder
	for i := range 300 {
		fmt.Fprintf(&names, "a%d, ", i)
	}
	for _, src := range []string{"def f(" + names.String() + "):\n    return 1\n", "f = lambda " + strings.TrimSuffix(names.String(), ", ") + ": 1"} {
		_, err := s.Eval(context.Background(), src)
		var e *lang.Error
		if !errors.As(err, &e) || e.Kind != lang.KindSyntax || !strings.Contains(e.Message, "more than 250 parameters") || e.Position.Line != 1 {
			t.Errorf("%.20s: got %v", src, err)
		}
	}
}

// What an input without functions was made of is not kept.
func TestSessionForgetsInputs(t *testing.T) {
	if os.Getenv("DICESCRIPT_TESTS") != "all" {
		t.Skip("measures the memory of the process: DICESCRIPT_TESTS=all")
	}
	s := newHost(t).NewSession()
	live := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := live()
	for range 5 {
		if _, err := s.Eval(context.Background(), strings.Repeat("None;", 20_000)); err != nil {
			t.Fatal(err)
		}
	}
	if after := live(); after > before+15<<20 {
		t.Errorf("%d MB, and %d MB after five inputs", before>>20, after>>20)
	}
	runtime.KeepAlive(s)
}
