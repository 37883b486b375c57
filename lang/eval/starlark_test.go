package eval_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/starlarktest"
)

var testContext = context.Background()

// otherwise are the assertions that a recipe is not held to, and why.
var otherwise = map[string]string{
	"global variable tuple referenced before assignment": "the name of a builtin means the builtin until the file has given it to something else",
}

// reports collects what assert.star says.
type reports struct{ said []string }

func (r *reports) Error(args ...any) {
	text := fmt.Sprint(args...)
	if !strings.Contains(text, "regular expression (") { // the words of errors are other ones here
		r.said = append(r.said, text)
	}
}

// The tests of Starlark itself: every chunk of every file of go.starlark.net/starlark/testdata
// ends as plain Starlark ends it, at the same places, and asserts the same.
//
// Left out are files about values that are no part of recipes (protocol buffers, times), and
// benchmarks.
func TestStarlarkOwnTests(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "go.starlark.net").Output()
	if err != nil {
		t.Skip("go.starlark.net is not at hand: ", err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "starlark/testdata/*.star"))
	if err != nil || len(files) < 15 {
		t.Fatal(files, err)
	}
	chunks := 0
	for _, file := range files {
		switch filepath.Base(file) {
		case "proto.star", "time.star", "benchmark.star":
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		line := 1
		for _, chunk := range strings.Split(string(data), "\n---\n") {
			src := strings.Repeat("\n", line-1) + chunk
			line += strings.Count(chunk, "\n") + 2
			chunks += compareChunk(t, filepath.Base(file), src)
		}
	}
	if chunks < 80 {
		t.Errorf("%d chunks", chunks)
	}
}

// compareChunk executes a chunk in both ways, if it can be executed at all.
func compareChunk(t *testing.T, file, src string) int {
	t.Helper()
	run := func(how func(*starlark.Thread, starlark.StringDict) (outcome, bool)) (outcome, []string, bool) {
		said := &reports{}
		thread := &starlark.Thread{Print: func(*starlark.Thread, string) {}, Load: func(_ *starlark.Thread, module string) (starlark.StringDict, error) {
			if module == "assert.star" {
				return starlarktest.LoadAssertModule()
			}
			return nil, fmt.Errorf("no module %s", module)
		}}
		starlarktest.SetReporter(thread, said)
		o, static := how(thread, starlark.StringDict{"struct": starlark.NewBuiltin("struct", starlarkstruct.Make)})
		return o, said.said, static
	}
	got, gotSaid, static := run(func(thread *starlark.Thread, predeclared starlark.StringDict) (outcome, bool) {
		return byEvaluator(thread, file, src, predeclared)
	})
	want, wantSaid, _ := run(func(thread *starlark.Thread, predeclared starlark.StringDict) (outcome, bool) {
		return byStarlark(thread, file, src, predeclared), false
	})
	if static {
		if want.err == nil {
			t.Errorf("%s: refused: %v", file, got.err)
		}
		return 0
	}
	gotSaid = slices.DeleteFunc(gotSaid, func(text string) bool {
		for part := range otherwise {
			if strings.Contains(text, part) {
				return true
			}
		}
		return false
	})
	if len(gotSaid) > len(wantSaid) {
		t.Errorf("%s: asserted\n%s", file, strings.Join(gotSaid, "\n"))
	}
	if want.err == nil {
		got.globals, want.globals = "", ""
	}
	same(t, file, got, want)
	return 1
}
