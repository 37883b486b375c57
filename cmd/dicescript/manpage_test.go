package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The page for man tells about every command, flag and limit.
func TestManPage(t *testing.T) {
	plain := strings.NewReplacer(`\-`, "-", `\(aq`, "'").Replace(dicescript(t, "", "help", "--man"))
	for _, c := range subcommands() {
		if !strings.Contains(plain, ".SS "+strings.TrimSpace(c.name+" "+c.usage)+"\n") {
			t.Errorf("nothing about %s", c.name)
		}
		for _, f := range flagsOf(c) {
			if !strings.Contains(plain, ".B "+f.form+"\n") {
				t.Errorf("nothing about %s of %s", f.form, c.name)
			}
		}
	}
}

// Those who read such pages, groff and mandoc, have nothing to say against it.
func TestManPageIsClean(t *testing.T) {
	file := filepath.Join(t.TempDir(), "dicescript.1")
	if err := os.WriteFile(file, []byte(dicescript(t, "", "help", "--man")), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, check := range [][]string{
		{"groff", "-ww", "-Kutf8", "-man", "-Tutf8", "-z", file},
		{"mandoc", "-Tlint", file},
	} {
		if _, err := exec.LookPath(check[0]); err != nil {
			t.Log("there is no", check[0])
			continue
		}
		if out, err := exec.Command(check[0], check[1:]...).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%q: %v\n%s", check, err, out)
		}
	}
}
