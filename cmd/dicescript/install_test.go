package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// These tests do what the README says, with the Go of this machine and no network:
// the modules that are needed were downloaded to build this test.

// goCommand runs the command go in a folder, without a network.
func goCommand(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-buildvcs=false", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// TestInstall installs the command as the README does.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("links the command")
	}
	repo, bin := "../..", t.TempDir()
	t.Setenv("GOBIN", bin)
	goCommand(t, repo, "install", "./cmd/dicescript")
	out, err := exec.Command(filepath.Join(bin, "dicescript"), "--version").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "dicescript "+release+", ") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestEmbeddingAClone builds and runs a module that uses a clone as the README
// says, with the program that it shows.
func TestEmbeddingAClone(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	readme := read(t, "../../README.md")
	fence := func(label string) string {
		m := regexp.MustCompile("(?ms)^```" + label + "\n(.*?)^```$").FindStringSubmatch(readme)
		if m == nil {
			t.Fatalf("the README has no %s", label)
		}
		return m[1]
	}
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	lines := fence("mod")
	if strings.Count(lines, "\n") != 2 {
		t.Errorf("these are not two lines:\n%s", lines)
	}
	// The clone that stands beside the module in the README is this one, where it is:
	// what go test has built of it serves here too.
	if strings.Count(lines, "=> ../dicescript\n") != 1 {
		t.Fatalf("the clone is not beside the module:\n%s", lines)
	}
	lines = strings.Replace(lines, "=> ../dicescript\n", "=> "+strconv.Quote(filepath.ToSlash(repo))+"\n", 1)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module game\n\ngo 1.26.0\n\n" + lines,
		"go.sum": read(t, "../../go.sum"), // go mod tidy asks the network otherwise
		"main.go": `package main

import (
	"context"
	"fmt"
	"math/big"

	"dicescript/lang"
)

func main() {
	ctx := context.Background()
	source := []byte("bonus = param('bonus', 5)\noutput('hit', 1d20 + bonus >= 15)\n")
` + indent(fence("go")) + `	fmt.Println(hit, err)
}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	goCommand(t, dir, "get", "dicescript/lang")
	if got := goCommand(t, dir, "run", "."); got != "13/20 <nil>\n" {
		t.Errorf("it prints %s", got)
	}
	// What an embedder has to trust: few modules, none of them for a terminal.
	for _, heavy := range []string{"liner", "testscript", "prometheus"} {
		if strings.Contains(read(t, filepath.Join(dir, "go.mod")), heavy) {
			t.Errorf("go.mod of the embedding module needs %s", heavy)
		}
	}
}

func indent(text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		b.WriteString("\t" + l)
	}
	return b.String()
}
