package main

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The README says what is true: its commands are the two that a new machine
// needs, its recipe prints what stands below it.
func TestReadme(t *testing.T) {
	t.Chdir("../..")
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	fences := map[string][]string{}
	for _, m := range regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		fences[m[1]] = append(fences[m[1]], m[2])
	}
	sh := fences["sh"]
	if len(sh) != 4 || sh[1] != "go test ./...\n" || sh[2] != "go install ./cmd/dicescript\n" ||
		sh[3] != "cd web && npm ci && npm run build\n" { // .ci/run runs the last one
		t.Fatalf("the commands are %q", sh)
	}
	args, ok := strings.CutPrefix(strings.TrimSpace(sh[0]), "go run ./cmd/dicescript ")
	if !ok {
		t.Fatalf("the first command is %q", sh[0])
	}
	if got, want := dicescript(t, "", strings.Fields(args)...), read(t, "testdata/rolemaster_open_ended.txt"); got != want {
		t.Errorf("the first command prints\n%s", got)
	}
	if len(fences["python"]) != 1 || len(fences["text"]) != 1 {
		t.Fatal("want one recipe and its result")
	}
	if got := dicescript(t, fences["python"][0], "run", "-"); strings.TrimSpace(got) != strings.TrimSpace(fences["text"][0]) {
		t.Errorf("the recipe prints\n%s", got)
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "go.mod"))
	if want := "[Go](https://go.dev/dl/) " + version[1] + " or later"; !strings.Contains(string(text), want) {
		t.Errorf("the README does not say %q", want)
	}
	for _, m := range regexp.MustCompile("`((?:\\.ci|examples|stdlib|testdata|dist|builtins|lang|cmd)/[^` ]*)`").FindAllStringSubmatch(string(text), -1) {
		if _, err := os.Stat(m[1]); err != nil {
			t.Errorf("the README names %s: %v", m[1], err)
		}
	}
}

// dicescript runs the command and returns what it prints.
func dicescript(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := Main(context.Background(), args, strings.NewReader(stdin), &out, &errs); code != exitOK {
		t.Fatalf("%q: exit code %d: %s", args, code, &errs)
	}
	return out.String()
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
