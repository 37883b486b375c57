package main

import (
	"archive/zip"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const (
	newPath = "example.com/tabletop/dicescript"
	version = "v0.1.0"
)

// repository is the root of the module.
const repository = "../.."

// copied is a copy of the files that git knows, and their names.
func copied(t *testing.T) (dir string, files []string) {
	t.Helper()
	all, err := tracked(repository)
	if err != nil {
		t.Skip("this is no clone: ", err)
	}
	dir = t.TempDir()
	for _, name := range all {
		from := filepath.Join(repository, filepath.FromSlash(name))
		info, err := os.Lstat(from)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		text, err := os.ReadFile(from)
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(to), 0o755)
		}
		if err == nil {
			err = os.WriteFile(to, text, info.Mode().Perm())
		}
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, name)
	}
	return dir, files
}

// The copy says its new path wherever it said the one before, every package of it is found
// by the path, and to go back gives what there was.
func TestRepath(t *testing.T) {
	dir, files := copied(t)
	before := map[string]string{}
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		before[name] = string(text)
	}
	old, err := modulePath(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	changed, err := repath(dir, files, newPath, "@tabletop/dicescript")
	if err != nil || changed < 100 {
		t.Fatalf("%d files are changed, %v", changed, err)
	}
	for _, name := range files {
		if !strings.HasSuffix(name, ".go") || strings.Contains(name, "testdata/") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			if path, _ := strconv.Unquote(spec.Path.Value); path == old || strings.HasPrefix(path, old+"/") {
				t.Errorf("%s still imports %s", name, path)
			}
		}
	}
	for _, module := range []string{".", "examples/embed/service"} {
		for line := range strings.Lines(goIn(t, filepath.Join(dir, module), nil, "list", "-e", "-f", "{{.ImportPath}}{{range .Imports}} {{.}}{{end}}", "./...")) {
			for _, path := range strings.Fields(line) {
				if path == old || strings.HasPrefix(path, old+"/") {
					t.Errorf("in %s, %s is still there", module, path)
				}
			}
			if !strings.HasPrefix(line, newPath) {
				t.Errorf("in %s there is %s", module, line)
			}
		}
	}
	goIn(t, dir, nil, "vet", "./dist/upper", "./lang/notation") // what is small is compiled
	for name, want := range map[string]string{
		"README.md":                        "require " + newPath + " v0.0.0",
		"examples/embed/service/go.mod":    "replace " + newPath + " => ../../..",
		"web/dicescript/package.json":      `"name": "@tabletop/dicescript"`,
		"web/dicescript/README.md":         `from "@tabletop/dicescript"`,
		"web/dicescript/scripts/build.mjs": `"` + newPath + `/lang"`,
		"web/page/package.json":            `"@tabletop/dicescript": "`,
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s does not say %s: %v", name, want, err)
		}
	}
	if !strings.Contains(old, ".") {
		return // the first path is one that nobody else may have
	}
	if _, err := repath(dir, files, old, ""); err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if strings.HasPrefix(name, "web/") {
			continue // has another npm name
		}
		if err != nil || string(text) != before[name] {
			t.Errorf("%s is not what it was", name)
		}
	}
}

func TestPathsThatCannotBeFetched(t *testing.T) {
	for _, path := range []string{"", "dicescript", "dice/script", "example.com", "example.com/", "example.com/a b", "example.com//a", "https://example.com/a", "example.com/../a"} {
		if err := checkPath(path); err == nil {
			t.Errorf("%q is taken", path)
		}
	}
	for _, path := range []string{"example.com/dicescript", "git.example.org/~me/dice_script/v2"} {
		if err := checkPath(path); err != nil {
			t.Error(err)
		}
	}
}

// goIn runs the command go in a folder.
func goIn(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off"), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// With its new path the module is fetched like any other: an outside module gets it,
// installs its command, and a third one stands on it through that. A proxy of files serves
// them.
func TestFetched(t *testing.T) {
	if os.Getenv("DICESCRIPT_TESTS") != "all" {
		t.Skip("compiles everything under another path: DICESCRIPT_TESTS=all")
	}
	dir, files := copied(t)
	if _, err := repath(dir, files, newPath, ""); err != nil {
		t.Fatal(err)
	}
	proxy, work := t.TempDir(), t.TempDir()
	serveModule(t, proxy, newPath, dir, files)
	cache := strings.TrimSpace(goIn(t, dir, nil, "env", "GOMODCACHE"))
	env := []string{
		"GOPROXY=file://" + filepath.ToSlash(proxy) + ",file://" + filepath.ToSlash(cache) + "/cache/download",
		"GONOSUMDB=*", "GOSUMDB=off", "GOBIN=" + filepath.Join(work, "bin"), "GOMODCACHE=" + filepath.Join(work, "cache"), "GOFLAGS=-mod=mod -modcacherw",
	}
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(work, name)
		err := os.MkdirAll(filepath.Dir(file), 0o755)
		if err == nil {
			err = os.WriteFile(file, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	// A library that stands on it.
	write("rules/go.mod", "module example.org/rules\n\ngo 1.26.0\n")
	write("rules/rules.go", `// Package rules has the chances of a table.
package rules

import (
	"context"

	"`+newPath+`/lang"
)

// Chance is the chance that an output says.
func Chance(recipe string) (float64, error) {
	host, err := lang.New()
	if err != nil {
		return 0, err
	}
	p, err := host.Compile(context.Background(), "recipe.star", []byte(recipe))
	if err != nil {
		return 0, err
	}
	r, err := p.Run(context.Background())
	if err != nil {
		return 0, err
	}
	return lang.Get[float64](r, "hit")
}
`)
	rules := filepath.Join(work, "rules")
	goIn(t, rules, env, "get", newPath+"/lang@"+version)
	serveModule(t, proxy, "example.org/rules", rules, []string{"go.mod", "go.sum", "rules.go"})
	// A program that knows the library alone.
	write("game/go.mod", "module example.net/game\n\ngo 1.26.0\n")
	write("game/main.go", `package main

import (
	"fmt"

	"example.org/rules"
)

func main() { fmt.Println(rules.Chance("output('hit', 1d20 + 5 >= 16)")) }
`)
	game := filepath.Join(work, "game")
	goIn(t, game, env, "get", "example.org/rules@"+version)
	if out := goIn(t, game, env, "run", "."); strings.TrimSpace(out) != "0.5 <nil>" {
		t.Errorf("the program says %s", out)
	}
	goIn(t, work, env, "install", newPath+"/cmd/dicescript@"+version)
	out, err := exec.Command(filepath.Join(work, "bin", "dicescript"), "eval", "4d6kh3 >= 15").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "5/") && !strings.Contains(string(out), "23.1") {
		t.Errorf("the command says %s, %v", out, err)
	}
}

// serveModule puts a version of a module where a proxy of files has it.
func serveModule(t *testing.T, proxy, path, dir string, files []string) {
	t.Helper()
	at := filepath.Join(proxy, filepath.FromSlash(path), "@v")
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err == nil {
		err = os.MkdirAll(at, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"list": version + "\n", version + ".mod": string(mod),
		version + ".info": fmt.Sprintf(`{"Version": %q, "Time": "2026-01-01T00:00:00Z"}`, version),
	} {
		if err := os.WriteFile(filepath.Join(at, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	archive, err := os.Create(filepath.Join(at, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	z := zip.NewWriter(archive)
	for _, name := range files {
		if ofAnother(dir, name) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		w, err := z.Create(path + "@" + version + "/" + name)
		if err == nil {
			_, err = w.Write(text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

// ofAnother reports whether a file belongs to a module inside of the one in dir.
func ofAnother(dir, name string) bool {
	for folder := filepath.Dir(name); folder != "."; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(dir, folder, "go.mod")); err == nil {
			return true
		}
	}
	return false
}
