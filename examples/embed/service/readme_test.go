package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func readText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// fence is the text between lines of three backticks with a label.
func fence(t *testing.T, text, label string, which int) string {
	t.Helper()
	all := regexp.MustCompile("(?ms)^```"+label+"\n(.*?)^```$").FindAllStringSubmatch(text, -1)
	if len(all) <= which {
		t.Fatalf("README.md has %d of %s", len(all), label)
	}
	return all[which][1]
}

// What README.md shows works: its request, its file of tiers, its flags.
func TestReadme(t *testing.T) {
	readme := readText(t, "README.md")
	tiers := filepath.Join(t.TempDir(), "tiers.json")
	if err := os.WriteFile(tiers, []byte(fence(t, readme, "json", 0)), 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err := readClients(tiers, false); err != nil || len(c.Tiers) != 2 || len(c.Keys) != 1 {
		t.Errorf("the tiers are %+v, %v", c, err)
	}

	_, request, _ := strings.Cut(fence(t, readme, "sh", 1), "-d '")
	request, _, _ = strings.Cut(request, "'\n")
	if r := newInstance(t, nil).ask(t, request); r.status != http.StatusOK || r.Outputs[0].Exact != "13/20" {
		t.Errorf("the request is answered with status %d: %s", r.status, r.body)
	}

	for _, m := range regexp.MustCompile("`-([a-z-]+)`").FindAllStringSubmatch(readme, -1) {
		if _, err := readFlags([]string{"-" + m[1]}, io.Discard); err != nil && strings.Contains(err.Error(), "not defined") {
			t.Errorf("there is no flag -%s", m[1])
		}
	}
}

// The image is built with the Go that the module needs, and starts with flags that
// there are.
func TestDockerfile(t *testing.T) {
	text := readText(t, "Dockerfile")
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(readText(t, "go.mod"))[1]
	if !strings.Contains(text, "\nFROM golang:"+version+" AS build\n") {
		t.Errorf("it is not built with Go %s", version)
	}
	for _, m := range regexp.MustCompile(`(?m)^CMD (\[.*\])$|HEALTHCHECK.* CMD (\[.*\])$`).FindAllStringSubmatch(text, -1) {
		var args []string
		if err := json.Unmarshal([]byte(m[1]+m[2]), &args); err != nil {
			t.Fatal(err)
		}
		if len(args) > 0 && args[0] == "/service" {
			args = args[1:]
		}
		if _, err := readFlags(args, io.Discard); err != nil {
			t.Errorf("%q: %v", args, err)
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^COPY ([^-].*) \S+$`).FindAllStringSubmatch(text, -1) {
		for _, file := range strings.Fields(m[1]) {
			if _, err := os.Stat(filepath.Join("../../..", file)); err != nil {
				t.Error(err)
			}
		}
	}
}
