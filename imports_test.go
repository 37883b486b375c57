// Package dicescript_test holds what concerns the module as a whole.
package dicescript_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// A floor may import the standard library, its own packages and those listed
// here; imports only flow down. Tests may import what they like.
var floors = []struct {
	folder string
	may    []string
}{
	{"dist", nil},
	{"stdlib", nil},
	{"builtins", []string{"dicescript/dist", "go.starlark.net"}},
	{"builtins/slot", []string{"dicescript/dist", "go.starlark.net"}},
	{"builtins/native", []string{"go.starlark.net"}},
	{"builtins/value", []string{"dicescript/builtins/internal", "dicescript/builtins/meter", "dicescript/builtins/native", "dicescript/builtins/runenv", "dicescript/builtins/suggest", "dicescript/dist", "go.starlark.net"}},
	{"builtins/throwing", []string{"dicescript/builtins/value", "dicescript/builtins/internal", "dicescript/builtins/meter", "dicescript/builtins/runenv", "dicescript/dist", "go.starlark.net"}},
	{"builtins/define", []string{"dicescript/builtins/value", "dicescript/builtins/throwing", "dicescript/builtins/internal", "dicescript/builtins/meter", "dicescript/builtins/runenv", "dicescript/builtins/suggest", "dicescript/dist", "go.starlark.net"}},
	{"builtins/callback", []string{"dicescript/builtins/define", "dicescript/builtins/throwing", "dicescript/builtins/value", "dicescript/builtins/slot", "dicescript/builtins/internal", "dicescript/builtins/meter", "dicescript/builtins/runenv", "dicescript/dist", "go.starlark.net"}},
	{"lang", []string{"dicescript/builtins", "dicescript/stdlib", "dicescript/dist", "go.starlark.net"}},
	{"lang/notation", []string{"dicescript/dist/upper"}},
	{"lang/syntax", []string{"dicescript/lang/notation", "go.starlark.net"}},
	{"lang/eval", []string{"dicescript/builtins", "dicescript/dist", "dicescript/lang/notation", "dicescript/lang/syntax", "go.starlark.net"}},
	{"lang/internal/dice", []string{"dicescript/builtins", "dicescript/dist", "dicescript/lang/notation", "go.starlark.net"}},
	{"lang/internal/advice", []string{"dicescript/lang/notation", "dicescript/lang/syntax", "go.starlark.net"}},
	{"lang/internal/given", []string{"dicescript/builtins", "dicescript/dist", "go.starlark.net"}},
	{"lang/internal/modules", []string{"dicescript/builtins/suggest"}},
	{"lang/internal/outline", []string{"dicescript/builtins/meter", "dicescript/lang/syntax", "go.starlark.net"}},
	{"lang/internal/prompt", []string{"go.starlark.net"}},
	{"lang/internal/readings", []string{"dicescript/lang/notation", "dicescript/lang/syntax", "go.starlark.net"}},
	{"lang/internal/wording", []string{"dicescript/builtins"}},
	{"lang/internal/yield", nil},
	{"lang/anydice", []string{"dicescript/builtins/meter", "dicescript/dist"}},
	{"lang/report", []string{"dicescript/builtins", "dicescript/lang", "dicescript/dist", "go.starlark.net", "github.com/mattn/go-runewidth", "github.com/yuin/goldmark"}},
	{"lang/isolate", []string{"dicescript/lang", "golang.org/x/sys"}},
	{"lang/assist", []string{"dicescript/builtins", "dicescript/lang", "go.starlark.net"}},
	{"lang/format", []string{"dicescript/lang", "go.starlark.net", "github.com/bazelbuild/buildtools"}},
	{"examples", []string{everything, "go.starlark.net"}}, // programs that embed it
	{"web", []string{everything, "go.starlark.net"}},      // the engine of browsers
	{"internal/repath", nil},
	{"internal/packpage", nil},
	{"internal/held", []string{"dicescript/dist", "golang.org/x/sys"}},
	{"cmd", []string{everything, "go.starlark.net", "github.com/sourcegraph/jsonrpc2", "github.com/google/jsonschema-go", "github.com/modelcontextprotocol/go-sdk", "github.com/peterh/liner", "golang.org/x/sys", "golang.org/x/term", "github.com/mattn/go-runewidth"}},
}

func TestImportsFlowDown(t *testing.T) {
	seen := map[string]bool{}
	eachImport(t, func(file, imported string) {
		own, may, ok := floorOf(path.Dir(file))
		if !ok {
			t.Errorf("%s stands on no floor", file)
			return
		}
		seen[own] = true
		if !allowed(imported, append([]string{module() + "/" + own}, may...)) {
			t.Errorf("%s imports %s", file, imported)
		}
	})
	if !seen["dist"] || !seen["builtins/callback"] || !seen["lang"] {
		t.Errorf("saw only the floors %v", seen)
	}
}

// What computes reads neither the environment nor the clock, and it reaches
// neither files nor the network.
func TestEngineReachesNothingOutside(t *testing.T) {
	eachImport(t, func(file, imported string) {
		if own, _, _ := floorOf(path.Dir(file)); !inside(own, "dist") && !inside(own, "builtins") {
			return
		}
		for _, outside := range []string{"os", "net", "time", "syscall", "plugin", "unsafe", "C"} {
			if inside(imported, outside) {
				t.Errorf("%s imports %s", file, imported)
			}
		}
	})
}

// eachImport visits the imports of every Go file that is not a test.
func eachImport(t *testing.T, visit func(file, imported string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(file string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			if name := e.Name(); file != "." && (name == "testdata" || name[0] == '.' || name[0] == '_') {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(file, "go.mod")); err == nil && file != "." {
				return fs.SkipDir // a module of its own, whose needs are not those of this one
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			visit(filepath.ToSlash(file), imported)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// floorOf returns the floor of a folder, the narrowest one that holds it.
func floorOf(folder string) (own string, may []string, ok bool) {
	for _, f := range floors {
		if inside(folder, f.folder) && len(f.folder) > len(own) {
			own, may, ok = f.folder, f.may, true
		}
	}
	return own, may, ok
}

func allowed(imported string, may []string) bool {
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") && !inside(imported, module()) {
		return true // the standard library
	}
	for _, m := range may {
		if m == everything {
			m = module()
		}
		if inside(imported, m) {
			return true
		}
	}
	return false
}

// everything stands for all of this module.
const everything = "."

// module is the path of this module.
var module = sync.OnceValue(func() string {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		panic(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimPrefix(first, "module ")
})

// inside reports whether a path is that of a folder or below it.
func inside(p, folder string) bool { return p == folder || strings.HasPrefix(p, folder+"/") }
