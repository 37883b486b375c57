package lang_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"dicescript/lang"
)

func session(t *testing.T, files fstest.MapFS) *lang.Session {
	t.Helper()
	h, err := lang.New(lang.WithModules("./", files))
	if err != nil {
		t.Fatal(err)
	}
	return h.NewSession()
}

// number evaluates an input whose last output is a number.
func number(t *testing.T, s *lang.Session, input string) string {
	t.Helper()
	r, err := s.Eval(t.Context(), input)
	if err != nil {
		t.Fatalf("%s: %v", input, err)
	}
	if len(r.Outputs) == 0 {
		return ""
	}
	switch d := r.Outputs[len(r.Outputs)-1].Data.(type) {
	case lang.Number:
		return d.Value.RatString()
	case lang.Text:
		return d.Text
	}
	t.Fatalf("%s: not a number", input)
	return ""
}

// Callers of a function see it as it was defined last.
func TestSessionRedefinition(t *testing.T) {
	s := session(t, nil)
	for _, step := range []struct{ input, want string }{
		{"def f():\n    return 1\n", ""},
		{"def g():\n    return f() + n\n", "n"},
		{"n = 10\ndef g():\n    return f() + n\n", ""},
		{"g()", "11"},
		{"def f():\n    return 2\n", ""},
		{"g()", "12"},
		{"n = 20", ""},
		{"g()", "22"},
		{"h = lambda: g() + 1", ""},
		{"def g():\n    return 5\n", ""},
		{"h()", "6"},
		// Two that call each other, defined together and then one of them again.
		{"def even(n):\n    return True if n == 0 else odd(n - 1)\ndef odd(n):\n    return False if n == 0 else even(n - 1)\n", ""},
		{"int(even(7))", "0"},
		{"def odd(n):\n    return True\n", ""},
		{"int(even(7))", "1"},
		// A builtin's name, before and after it is hidden.
		{"def six():\n    return int(max(1, 6))\n", ""},
		{"six()", "6"},
		// Names of one loop.
		{"total = 0\nfor i in range(4):\n    def add():\n        return total + i\n    total = add()\n", ""},
		{"total", "6"},
		{"x = 1\nx += 4\nx", "5"},
		{"[y * x for y in [2]][0]", "10"},
	} {
		if step.want == "n" {
			if _, err := s.Eval(t.Context(), step.input); err == nil || !strings.Contains(err.Error(), "undefined: n") {
				t.Errorf("%s: got %v", step.input, err)
			}
			continue
		}
		if got := number(t, s, step.input); got != step.want {
			t.Errorf("%s: got %s, want %s", step.input, got, step.want)
		}
	}
}

func TestSessionNamesResults(t *testing.T) {
	s := session(t, nil)
	if _, err := s.Eval(t.Context(), "2 + 3\noutput(7)\n\"a\""); err != nil {
		t.Fatal(err)
	}
	shown := s.Prompt().Shown()
	if len(shown) != 2 || shown[0].Output != 0 || shown[1].Output != 2 {
		t.Fatalf("got %+v", shown)
	}
	if err := s.Prompt().Name("_1", shown[0]); err != nil {
		t.Fatal(err)
	}
	if got := number(t, s, "_1 * 2"); got != "10" {
		t.Errorf("got %s", got)
	}
	if s.Prompt().Name("no name", shown[0]) == nil || s.Prompt().TypeOf("_1") != "int" || s.Prompt().TypeOf("_9") != "" {
		t.Error("names and types")
	}
}

func TestSessionFiles(t *testing.T) {
	files := fstest.MapFS{"house.star": {Data: []byte("def bonus():\n    return 1\n")}}
	s := session(t, files)
	if _, err := s.EvalFile(t.Context(), "recipe.md", []byte("Words.\n\n```\nload(\"./house.star\", \"bonus\")\ndef twice():\n    return 2 * bonus()\n```\n")); err != nil {
		t.Fatal(err)
	}
	if got := number(t, s, "twice()"); got != "2" {
		t.Errorf("got %s", got)
	}
	files["house.star"] = &fstest.MapFile{Data: []byte("def bonus():\n    return 10\n")}
	if err := s.Prompt().Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := number(t, s, "twice()"); got != "20" {
		t.Errorf("after a change of the module: got %s, want 20", got)
	}
	_, err := s.EvalFile(t.Context(), "bad.star", []byte("x = 1\nfail(\"no\")\n"))
	if err == nil || !strings.HasPrefix(err.Error(), "bad.star:2:1: ") {
		t.Errorf("got %v", err)
	}
	m, err := s.Host().ModuleDoc(t.Context(), "./house.star")
	if err != nil || len(m.Functions) != 1 || m.Functions[0].Position.String() != "house.star:1:5" || !strings.HasPrefix(m.Source, "def bonus") {
		t.Errorf("got %+v, %v", m, err)
	}
}

func TestSessionLimits(t *testing.T) {
	s := session(t, nil)
	l := s.Limits()
	l.Steps = 1000
	s.SetLimits(l)
	if _, err := s.Eval(t.Context(), "for i in range(100000):\n    pass\n"); err == nil {
		t.Error("no error")
	}
	if got := number(t, s, "1 + 1"); got != "2" {
		t.Errorf("after a limit: got %s", got)
	}
}

// Modifiers of a group are about each of its dice.
func TestRollGroups(t *testing.T) {
	s := session(t, nil)
	for _, same := range []string{
		`same(roll("(1d8 + 1d6)kh1"), max(d(8), d(6)))`,
		`same(roll("(d8 + d6ro1)kh1"), max(d(8), reroll(d(6), 1)))`,
		`same(roll("(2d6 + (1d8))kl2"), pool(d(6), d(6), d(8)).lowest(2))`,
		`same(roll("(d8 + d6)>=5"), (d(8).map(lambda x: int(x >= 5)) + d(6).map(lambda x: int(x >= 5))))`,
		`same(roll("(2d6kh1 + 1)mi3"), max(max(2d6) + 1, constant(3)))`,
		`same(roll("(d8 + d6)"), d(8) + d(6))`,
	} {
		if got := number(t, s, "int("+same+")"); got != "1" {
			t.Errorf("%s is not true", same)
		}
	}
}
