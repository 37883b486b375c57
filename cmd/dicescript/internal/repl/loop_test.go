package repl

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dicescript/cmd/dicescript/internal/limits"
	"dicescript/cmd/dicescript/internal/source"
	"dicescript/lang"
)

// typist is a terminal on which a script types. A line that begins with ^C is
// an interrupt, one with ^D the end.
type typist struct {
	lines   []string
	pasted  bool
	columns int // 0 is 60
	prompts []string
}

func (t *typist) ReadLine(prompt, _ string) (Line, error) {
	t.prompts = append(t.prompts, prompt)
	if len(t.lines) == 0 {
		return Line{}, io.EOF
	}
	line := t.lines[0]
	t.lines = t.lines[1:]
	switch line {
	case "^C":
		return Line{}, ErrInterrupted
	case "^D":
		return Line{}, io.EOF
	}
	return Line{Text: line, More: t.pasted && len(t.lines) > 0}, nil
}

func (t *typist) Remember(string)           {}
func (t *typist) Size() (columns, rows int) { return cmp.Or(t.columns, 60), 24 }
func (t *typist) Close() error              { return nil }

func newLoop(t *testing.T) (*Loop, *bytes.Buffer) {
	t.Helper()
	out := &bytes.Buffer{}
	loop, err := New(Options{
		NewSession: func() (*lang.Session, error) {
			host, err := lang.New(lang.WithModules("./", os.DirFS(".")))
			if err != nil {
				return nil, err
			}
			return host.NewSession(), nil
		},
		Explain: func(w io.Writer, err error, _ limits.Settings, _ int) { fmt.Fprintln(w, "error:", err) },
		Read:    func(file string) ([]byte, error) { return source.Read(file, -1) },
		Waiting: func(string) func() { return func() {} },
		Out:     out,
		History: &History{},
	})
	if err != nil {
		t.Fatal(err)
	}
	return loop, out
}

// typed is what a session shows after lines have been typed.
func typed(t *testing.T, lines ...string) string {
	t.Helper()
	loop, out := newLoop(t)
	if err := loop.Run(&typist{lines: lines}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func want(t *testing.T, got string, parts ...string) {
	t.Helper()
	rest := got
	for _, p := range parts {
		_, after, ok := strings.Cut(rest, p)
		if !ok {
			t.Fatalf("got\n%s\nwant %q in it, in this order", got, parts)
		}
		rest = after
	}
}

func TestLoopShowsResults(t *testing.T) {
	want(t, typed(t, "2d6", "_ >= 10", "_1.mean()", "_ * 2", "\"text\""),
		"_1 · DieRoll · mean 7.000 · sd 2.42 · 2..12", "█", "_2 · 16.7 % · 1/6", "_3 · 7", "_4 · 14", "_5 · text")
}

func TestLoopBlocks(t *testing.T) {
	want(t, typed(t, "def f(x):", "    return x + 1", "", "f(1)"), "_1 · 2")
	want(t, typed(t, "def f():", "    return 1", "", "def g():", "    return f()", "", "def f():", "    return 2", "", "g()"), "_1 · 2")
	want(t, typed(t, "def f(x):", "    return x + 1", "f(1)"), "_1 · 2")
}

func TestLoopPasted(t *testing.T) {
	loop, out := newLoop(t)
	text := "def f(x):\n    y = x\n\n    return y + 1\n\n\nx = 5\nf(x)\n[1,\n\n2][1]"
	if err := loop.Run(&typist{lines: strings.Split(text, "\n"), pasted: true}); err != nil {
		t.Fatal(err)
	}
	want(t, out.String(), "_1 · 6\n_2 · 2\n")
}

// What was typed before the end is evaluated, and an interrupt drops it.
func TestLoopEnds(t *testing.T) {
	want(t, typed(t, "def f():", "    return 41", "^D", "f() + 1"), "_1 · 42")
	if got := typed(t, "x = [1,", "^C", "3 + 4"); got != "_1 · 7\n" {
		t.Errorf("got %q", got)
	}
	if got := typed(t, ":quit", "1"); got != "" {
		t.Errorf("after :quit: %q", got)
	}
}

func TestLoopErrorsKeepTheSession(t *testing.T) {
	want(t, typed(t, "x = 3", "x +", "", "nope", "fail(\"no\")", "x"), "error: ", "something is missing", "error: ", "undefined: nope", "no", "_1 · 3")
}

func TestLoopCommands(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(text string) {
		if err := os.WriteFile("house.star", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("def bonus():\n    \"\"\"The bonus.\"\"\"\n    return 1\n")
	loop, out := newLoop(t)
	step := func(line string, parts ...string) {
		t.Helper()
		out.Reset()
		loop.leave = false
		if err := loop.Run(&typist{lines: []string{line}}); err != nil {
			t.Fatal(err)
		}
		want(t, out.String(), parts...)
	}
	step(":load house.star")
	step("bonus() + 1", "_1 · 2")
	step("bonus?", "bonus()", "The bonus.")
	step("?bonus", "The bonus.")
	step("_1?", "_1: int")
	step("d?", "d(sides)")
	write("def bonus():\n    return 10\n")
	step(":reload", "reloaded house.star")
	step("bonus() + 1", "_2 · 11")
	step(":save saved.star", "saved")
	if data, _ := os.ReadFile("saved.star"); !strings.HasPrefix(string(data), "# house.star\ndef bonus():\n    return 10\n") || !strings.Contains(string(data), "output(\"bonus() + 1\", bonus() + 1)") {
		t.Errorf("saved %q", data)
	}
	step(":save saved.star", "error: saved.star is there already; :save! saved.star replaces it")
	step(":save! saved.star", "saved")
	step(":load nowhere.star", "error: nowhere.star: there is no such file")
	step(":load", "the name of a file is missing")
	step(":time", "times are shown")
	step("1", "_3 · 1", "took ")
	step(":t", "times are not shown")
	step(":limits", "steps", "work", "cells")
	step(":limits steps 100", "steps: 100")
	step("[x for x in range(1000)]", "error: ")
	step(":limits stepps 1", "did you mean steps?")
	step(":limits steps none", "steps: none")
	step(":re", ":re may be :reload or :reset")
	step(":lood", "did you mean :load?")
	step(":help", "Type an expression", ":load FILE")
	step(":reset", "everything is forgotten")
	step("bonus()", "undefined: bonus")
}

func TestComplete(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	os.WriteFile("house.star", []byte("def bonus():\n    return 1\ndef base():\n    return 2\n"), 0o644)
	os.WriteFile("notes.txt", nil, 0o644)
	os.Mkdir("more", 0o755)
	os.WriteFile(filepath.Join("more", "x.star"), nil, 0o644)
	loop, _ := newLoop(t)
	if err := loop.Run(&typist{lines: []string{
		"attack = 2d6", "armour = 3",
		"result = bucket(2d6, scale().step(\"Miss\").step(\"Mighty hit\"), 6)", "result",
	}}); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		line string
		head string
		want []string
	}{
		{"", "", []string{"    "}},
		{"    ", "    ", []string{"    "}},
		{"att", "", []string{"attack"}},
		{"x = at", "x = ", []string{"at_least", "at_most", "attack"}},
		{"attack.p_a", "attack.", []string{"p_any", "p_at_least"}},
		{"2d6.p_a", "2d6.", []string{"p_any", "p_at_least"}},
		{"(d(6) + 1).quan", "(d(6) + 1).", []string{"quantile"}},
		{"whi", "", []string{"while"}},
		{":re", ":", []string{"reload", "reset"}},
		{":load ", ":load ", []string{"house.star", "more/"}},
		{":load more/", ":load ", []string{"more/x.star"}},
		{":limits w", ":limits ", []string{"work"}},
		{"load(\"./", "load(\"", []string{"./house.star", "./more/"}},
		{"load(\"fat", "load(\"", []string{"fate.star"}},
		{"load(\"./h", "load(\"", []string{"./house.star"}},
		{"load(\"./house.star\", \"b", "load(\"./house.star\", \"", []string{"base", "bonus"}},
		{"result.pmf(\"Mi", "result.pmf(\"", []string{"Mighty hit", "Miss"}},
		{"5 + ", "5 + ", nil},
	} {
		head, words, tail := loop.Complete(test.line+" tail", len([]rune(test.line)))
		if test.want == nil {
			continue // anything may come: no crash is all
		}
		if head != test.head || !slices.Equal(words, test.want) || tail != " tail" {
			t.Errorf("%q: got %q, %q, %q; want %q, %q", test.line, head, words, tail, test.head, test.want)
		}
	}
}

// What the session itself says fits the window.
func TestLoopFits(t *testing.T) {
	for _, columns := range []int{40, 120} {
		loop, out := newLoop(t)
		if err := loop.Run(&typist{columns: columns, lines: []string{":limits", ":help", "notation?", "evaluate?", "advantage?"}}); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(out.String(), "\n") {
			if n := len([]rune(line)); n > columns {
				t.Errorf("%d columns of %d: %q", n, columns, line)
			}
		}
		want(t, out.String(), "steps", "work", "cells", ":quit")
	}
}

// Words with which one leaves other programs work, unless they mean something.
func TestLoopWords(t *testing.T) {
	for _, word := range []string{"exit", "quit", "exit()", ":exit", ":q"} {
		if got := typed(t, word, "1"); got != "" {
			t.Errorf("after %s: %q", word, got)
		}
	}
	for _, word := range []string{"help", "?", ":?", "help()"} {
		want(t, typed(t, word), "Type an expression", ":load FILE")
	}
	want(t, typed(t, "help explode"), "explode(roll")
	want(t, typed(t, "help(explode)"), "explode(roll")
	want(t, typed(t, "4d6kh3?"), "4d6kh3: mean 12.245, 3 to 18", "█")
	want(t, typed(t, "quit = 5", "quit + 1"), "_1 · 6")
	want(t, typed(t, "explode(4d6) >= 3"), "_1 · 100.0 %")
}

// An input of several lines is one entry of the history, and runs when it is
// brought back.
func TestLoopRemembersBlocks(t *testing.T) {
	loop, out := newLoop(t)
	if err := loop.Run(&typist{lines: []string{"def f(x):", "    return x + 1", "", "1 +", "2", "[1,", "^C", "def f(x):↵    return x + 2", "f(1)"}}); err != nil {
		t.Fatal(err)
	}
	got := loop.o.History.added
	if expected := []string{"def f(x):↵    return x + 1", "1 + \\↵2", "[1,", "def f(x):↵    return x + 2", "f(1)"}; !slices.Equal(got, expected) {
		t.Errorf("got %q, want %q", got, expected)
	}
	want(t, out.String(), "_1 · 3", "_2 · 3")
}
