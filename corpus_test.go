package dicescript_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What fuzzing has found is kept: go test writes an input that fails to
// testdata/fuzz/NAME beside the test, from where every later go test runs it.

// fuzzTest finds the fuzz tests of a file.
var fuzzTest = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)

// Git takes such an input for a part of the repository, whatever test it is of.
func TestFindingsOfFuzzingAreNotIgnored(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	if err := exec.Command("git", "rev-parse", "--git-dir").Run(); err != nil {
		t.Skip("this is no clone")
	}
	n := 0
	for folder, tests := range fuzzTests(t) {
		for _, name := range tests {
			n++
			finding := path.Join(folder, "testdata", "fuzz", name, "582528ddfad69eb5")
			if exec.Command("git", "check-ignore", "-q", "--no-index", finding).Run() == nil {
				t.Errorf("git ignores %s", finding)
			}
		}
	}
	if n < 10 {
		t.Errorf("found only %d fuzz tests", n)
	}
}

// What is kept is run: it stands where a fuzz test looks for it.
func TestFindingsOfFuzzingAreRun(t *testing.T) {
	tests := fuzzTests(t)
	err := filepath.WalkDir(".", func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() && (e.Name() == "node_modules" || file != "." && e.Name()[0] == '.') {
			return orSkip(err)
		}
		folder, rest, ok := strings.Cut(filepath.ToSlash(file), "/testdata/fuzz/")
		if !ok || e.IsDir() {
			return nil
		}
		name := path.Dir(rest)
		if found := strings.Join(tests[folder], " ") + " "; !strings.Contains(found, name+" ") {
			t.Errorf("%s: there is no %s in %s", file, name, folder)
		}
		text, err := os.ReadFile(file)
		if err == nil && !strings.HasPrefix(string(text), "go test fuzz v1\n") {
			t.Errorf("%s is no input of a fuzz test", file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func orSkip(err error) error {
	if err != nil {
		return err
	}
	return fs.SkipDir
}

// fuzzTests are the fuzz tests by their folders.
func fuzzTests(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir(".", func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() && (e.Name() == "node_modules" || file != "." && e.Name()[0] == '.') {
			return orSkip(err)
		}
		if !strings.HasSuffix(file, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(file)
		for _, m := range fuzzTest.FindAllStringSubmatch(string(text), -1) {
			folder := filepath.ToSlash(filepath.Dir(file))
			found[folder] = append(found[folder], m[1])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
