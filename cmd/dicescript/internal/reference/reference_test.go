package reference

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.starlark.net/starlark"
)

func text(t *testing.T, write func(*bytes.Buffer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The pages in the repository are what the command prints.
func TestPagesAreFresh(t *testing.T) {
	for _, page := range []struct {
		file, format string
		write        func(io.Writer) error
	}{
		{"builtins/REFERENCE.md", "markdown", Markdown},
		{"docs/llms.txt", "llms", LLMs},
		{"docs/llms-full.txt", "llms-full", LLMsFull},
	} {
		want := text(t, func(b *bytes.Buffer) error { return page.write(b) })
		got, err := os.ReadFile(filepath.Join("..", "..", "..", "..", page.file))
		if err != nil || string(got) != want {
			t.Errorf("%s is stale; write it anew with\n\n\tgo run ./cmd/dicescript doc --format %s > %s\n\n%v", page.file, page.format, page.file, err)
		}
	}
}

// The links of llms.txt lead to files of the repository.
func TestLinksOfLLMs(t *testing.T) {
	page := text(t, func(b *bytes.Buffer) error { return LLMs(b) })
	links := regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(page, -1)
	if len(links) < 50 {
		t.Errorf("there are %d links", len(links))
	}
	for _, l := range links {
		if _, err := os.Stat(filepath.Join("..", "..", "..", "..", l[1])); err != nil {
			t.Error(err)
		}
	}
}

func TestEveryNameIsExplained(t *testing.T) {
	for _, name := range names() {
		var b bytes.Buffer
		if err := (Layout{}).Entry(&b, name); err != nil {
			t.Error(err)
		}
		if strings.Count(b.String(), "\n") < 3 {
			t.Errorf("%s: not much of an explanation: %q", name, b.String())
		}
		for _, line := range strings.Split(b.String(), "\n") {
			if n := len([]rune(line)); n > 100 && !strings.Contains(line, "    ") && !strings.Contains(line, "(") {
				t.Errorf("%s: a line of %d characters", name, n)
			}
		}
	}
}

// Every function of the interpreter has its line.
func TestUniverse(t *testing.T) {
	known := map[string]bool{}
	for _, name := range names() {
		known[name] = true
	}
	for name, v := range starlark.Universe {
		if _, ok := v.(*starlark.Builtin); ok && !known[name] {
			t.Errorf("%s is not explained", name)
		}
	}
}

func TestUnknownNames(t *testing.T) {
	for name, want := range map[string]string{
		"uniformm":       "did you mean uniform?",
		"sorteed":        "did you mean sorted?",
		"fatee.star":     "did you mean fate.star?",
		"xxxxxxxxxxxxxx": "dicescript doc lists everything",
	} {
		var b bytes.Buffer
		if err := (Layout{}).Entry(&b, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q in it", name, err, want)
		}
	}
}

func TestModule(t *testing.T) {
	m, err := ReadModule("house.star", []byte(`"""House rules.

Longer.
"""

LIMIT = 3

def hurt(sides, dice=2d6, *more):
    """Damage.

    Args:
      sides: of the die.
    """
    return d(sides)

def _hidden():
    pass
`))
	if err != nil {
		t.Fatal(err)
	}
	got := text(t, func(b *bytes.Buffer) error { return Layout{}.Module(b, m) })
	want := `house.star

  House rules.

  Longer.

hurt(sides, dice=2d6, *more)

  Damage.

  Args:
    sides: of the die.

Also: LIMIT
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// In a narrow window no line is longer than it has to be.
func TestPagesFit(t *testing.T) {
	const columns = 40
	pages := text(t, func(b *bytes.Buffer) error {
		l := Layout{Columns: columns}
		return errors.Join(l.Index(b), l.Notation(b), l.Entry(b, "explode"), l.Entry(b, "advantage"), l.Entry(b, "fate"))
	})
	for _, line := range strings.Split(pages, "\n") {
		if len([]rune(line)) > columns && strings.Contains(strings.TrimSpace(line), " ") {
			t.Errorf("%d columns: %q", len([]rune(line)), line)
		}
	}
}
