package lang_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"dicescript/lang"

	"go.starlark.net/starlark"
)

// The language is tested in the language. A file of testdata/lang holds chunks
// divided by lines ---; each is a recipe of its own.
//
//	eq(d(6).p_ge(5), "1/3")     # what is wrong with eq and holds is noted, and the chunk goes on
//	output("hit", x)            #=> hit: 3/10
//	d(0)                        ### 1 "sides: got 0"
//
// The k-th #=> of a chunk describes its k-th output. A line with ### must fail
// with a message that the regular expression is found in, at that column if
// one is given. A chunk may have several when it does not compile. Without any
// it must run to its end.

type chunk struct {
	src     string // with empty lines before it, so that lines are those of the file
	line    int
	errors  []expectedError
	outputs []expectedOutput
}

type expectedError struct {
	line, column int // column 0 is any
	pattern      *regexp.Regexp
}

type expectedOutput struct {
	line int
	text string
}

var (
	failing = regexp.MustCompile(`### *([0-9]+)? *("(?:[^"\\]|\\.)*"|` + "`[^`]*`)" + `$`)
	showing = regexp.MustCompile(`#=> *(.*\S)`)
)

func readChunks(t testing.TB, file string) []chunk {
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var chunks []chunk
	var lines []string
	c := chunk{line: 1}
	end := func(next int) {
		c.src = strings.Repeat("\n", c.line-1) + strings.Join(lines, "\n") + "\n"
		chunks = append(chunks, c)
		c, lines = chunk{line: next}, nil
	}
	for i, line := range strings.Split(string(src), "\n") {
		n := i + 1
		if line == "---" {
			end(n + 1)
			continue
		}
		lines = append(lines, line)
		if m := failing.FindStringSubmatch(line); m != nil {
			text, err := strconv.Unquote(m[2])
			if err != nil {
				t.Fatalf("%s:%d: %v", file, n, err)
			}
			column, _ := strconv.Atoi(m[1])
			c.errors = append(c.errors, expectedError{n, column, regexp.MustCompile(text)})
		} else if strings.Contains(line, "###") {
			t.Fatalf("%s:%d: want ### \"regexp\" at the end of the line", file, n)
		}
		if m := showing.FindStringSubmatch(line); m != nil {
			c.outputs = append(c.outputs, expectedOutput{n, m[1]})
		}
	}
	end(0)
	return chunks
}

// A tester is what the assertions of a file report to.
type tester struct {
	t     testing.TB
	mu    sync.Mutex
	count int
}

// at is the place of the recipe that calls a builtin.
func at(thread *starlark.Thread) string {
	return thread.CallFrame(1).Pos.String()
}

func (r *tester) builtins() starlark.StringDict {
	dict := starlark.StringDict{}
	for name, f := range map[string]func(thread *starlark.Thread, got, want starlark.Value) error{
		"eq":    equalValues,
		"ne":    func(thread *starlark.Thread, x, y starlark.Value) error { return opposite(equalValues(thread, x, y)) },
		"shows": showsAs,
	} {
		dict[name] = starlark.NewBuiltin(name, func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var got, want starlark.Value
			if err := starlark.UnpackArgs(b.Name(), args, kwargs, "got", &got, "want", &want); err != nil {
				return nil, err
			}
			r.mu.Lock()
			r.count++
			r.mu.Unlock()
			if err := f(thread, got, want); err != nil {
				r.t.Errorf("%s: %s: %v", at(thread), b.Name(), err)
			}
			return starlark.None, nil
		})
	}
	return dict
}

func TestLanguage(t *testing.T) {
	files, err := filepath.Glob("../testdata/lang/*.star")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".star"), func(t *testing.T) {
			chunks := readChunks(t, file)
			cases := 0
			r := &tester{t: t}
			h := newHost(t, lang.WithBuiltins(r.builtins()), lang.WithModules("./", os.DirFS("../testdata/lang/modules")))
			for _, c := range chunks {
				checkChunk(t, h, filepath.Base(file), c)
				cases += len(c.errors) + len(c.outputs)
			}
			cases += r.count
			t.Logf("%d chunks, %d cases", len(chunks), cases)
		})
	}
}

func checkChunk(t *testing.T, h *lang.Host, name string, c chunk) {
	ctx := context.Background()
	program, err := h.Compile(ctx, name, []byte(c.src))
	var result *lang.Result
	if err == nil {
		result, err = program.Run(ctx)
	}
	wanted := map[int]bool{} // by index
	for _, e := range lang.Errors(err) {
		if i := expected(c.errors, e); i >= 0 {
			wanted[i] = true
		} else {
			t.Errorf("%v\n%s", e, caret(e))
		}
	}
	for i, w := range c.errors {
		if !wanted[i] {
			t.Errorf("%s:%d: no error matches %q", name, w.line, w.pattern)
		}
	}
	if result == nil || len(c.outputs) == 0 {
		return
	}
	if len(result.Outputs) != len(c.outputs) {
		t.Errorf("%s:%d: %d outputs, want %d", name, c.line, len(result.Outputs), len(c.outputs))
		return
	}
	for i, w := range c.outputs {
		if got := outputText(result.Outputs[i]); got != w.text {
			t.Errorf("%s:%d: output\n got %s\nwant %s", name, w.line, got, w.text)
		}
	}
}

func expected(wants []expectedError, e *lang.Error) int {
	for i, w := range wants {
		if w.line == e.Position.Line && (w.column == 0 || w.column == e.Position.Column) && w.pattern.MatchString(e.Message) {
			return i
		}
	}
	return -1
}

func caret(e *lang.Error) string {
	return fmt.Sprintf("\t%s\n\t%s^", e.Source, strings.Repeat(" ", max(0, e.Position.Column-1)))
}

// silent are the assertions without their checks.
func (r *tester) silent() starlark.StringDict {
	dict := r.builtins()
	for name := range dict {
		dict[name] = starlark.NewBuiltin(name, func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
			return starlark.None, nil
		})
	}
	return dict
}
