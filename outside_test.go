package dicescript_test

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Programs outside of this module need no more of it than these packages, and nothing of
// what it stands on.
var outsiders = []string{"dist", "lang", "lang/report", "lang/throw"}

func TestOutsidePrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"bot": `dead: 84.8 % (1099/1296)
dead: 99.4 % (120160867/120932352)
never heard of it
that is too much
`,
		"sheet": `axe 11/20 13/2
rules.star:4:14: strongest: Bo has no weapon
`,
		"gate": `0 3/10
5 11/20
10 4/5
`,
	} {
		t.Run(name, func(t *testing.T) {
			got := runOutside(t, root, name)
			if !strings.HasPrefix(got, want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			t.Log(got)
		})
	}
}

// runOutside copies a program into a module of its own, which replaces this one by its
// folder, and runs it.
func runOutside(t *testing.T, root, name string) string {
	src := filepath.Join(root, "testdata/outside", name, "main.go")
	module := modulePathOf(t, filepath.Join(root, "go.mod"))
	onlyImports(t, src, module)
	dir := t.TempDir()
	for from, to := range map[string]string{src: "main.go", filepath.Join(root, "go.sum"): "go.sum"} {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, to), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	mod := "module example.org/" + name + "\n\ngo 1.26.0\n\nrequire " + module + " v0.0.0\n\nreplace " + module + " => " + strconv.Quote(root) + "\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// modulePathOf is the first line of go.mod.
func modulePathOf(t *testing.T, file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimPrefix(line, "module ")
}

// onlyImports fails when a program imports more of the module than outsiders need, or
// anything else that is no part of Go.
func onlyImports(t *testing.T, file, module string) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range parsed.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if own, ok := strings.CutPrefix(path, module+"/"); ok && !slices.Contains(outsiders, own) {
			t.Errorf("%s imports %s", file, path)
		} else if first, _, _ := strings.Cut(path, "/"); !ok && strings.Contains(first, ".") {
			t.Errorf("%s imports %s", file, path)
		}
	}
}
