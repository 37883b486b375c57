package repl

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestHistoryPath(t *testing.T) {
	env := func(vars map[string]string) func(string) string {
		return func(name string) string { return vars[name] }
	}
	for _, test := range []struct {
		vars map[string]string
		want string
	}{
		{map[string]string{"XDG_STATE_HOME": "/s", "HOME": "/h"}, "/s/dicescript/history"},
		{map[string]string{"HOME": "/h"}, "/h/.local/state/dicescript/history"},
		{map[string]string{"XDG_STATE_HOME": "relative", "HOME": "/h"}, "/h/.local/state/dicescript/history"},
		{nil, ""},
	} {
		if got := HistoryPath(env(test.vars)); got != test.want {
			t.Errorf("%v: got %q, want %q", test.vars, got, test.want)
		}
	}
}

func open(t *testing.T, path string) (*History, []string) {
	t.Helper()
	h, lines, err := OpenHistory(path)
	if err != nil {
		t.Fatal(err)
	}
	return h, lines
}

func save(t *testing.T, h *History) {
	t.Helper()
	if err := h.Save(); err != nil {
		t.Fatal(err)
	}
}

func TestHistoryOfTwoSessions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "dicescript", "history")
	a, _ := open(t, path)
	b, _ := open(t, path)
	a.Add("3d6")
	a.Add("3d6")
	b.Add("d20")
	b.Add("  ")
	save(t, a)
	save(t, b)
	if _, got := open(t, path); !reflect.DeepEqual(got, []string{"3d6", "d20"}) {
		t.Errorf("got %q", got)
	}
	for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s: mode %o, want %o", name, got, want)
		}
	}
}

func TestHistoryStaysShort(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	h, _ := open(t, path)
	for i := range mostHistory + 1 {
		h.Add(fmt.Sprint(i))
	}
	save(t, h)
	_, got := open(t, path)
	if len(got) != keepHistory || got[len(got)-1] != fmt.Sprint(mostHistory) {
		t.Errorf("got %d lines, the last %q", len(got), got[len(got)-1])
	}
}

// An input of several lines is one entry, and its lines can be had back.
func TestHistoryEntries(t *testing.T) {
	for _, input := range []string{
		"3d6\n", "def f(x):\n    return x + 1\n", "def f(): # don't\n    return 'x'\n", "x = \"\"\"a\nb\"\"\"\n", "x = 'a' + \\\n  'b'\n",
	} {
		entries := entriesOf(input)
		if len(entries) != 1 || strings.Contains(entries[0], "\n") {
			t.Errorf("%q: got the entries %q", input, entries)
		}
		if got := strings.Join(linesOf(entries[0]), "\n") + "\n"; got != input {
			t.Errorf("%q came back as %q", input, got)
		}
	}
	// A person may write the sign.
	for _, line := range []string{"print(\"a↵b\")", "'↵'"} {
		if got := linesOf(line); len(got) != 1 || got[0] != line {
			t.Errorf("%q became %q", line, got)
		}
		if got := entriesOf("if True:\n    " + line + "\n"); len(got) != 2 {
			t.Errorf("got %q", got)
		}
	}
}
