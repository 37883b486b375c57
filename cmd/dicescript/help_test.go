package main

import (
	"bytes"
	"strings"
	"testing"
)

// Every command has its help, and the list of commands fits a terminal.
func TestEveryCommandIsExplained(t *testing.T) {
	texts := manual()
	for _, c := range subcommands() {
		if !strings.HasPrefix(texts[c.name], "dicescript "+c.name) {
			t.Errorf("%s: the help begins with %.30q", c.name, texts[c.name])
		}
		delete(texts, c.name)
	}
	for name := range texts {
		t.Errorf("there is help for %s, which is no command", name)
	}
	var out, errs bytes.Buffer
	if code := Main(t.Context(), []string{"help"}, strings.NewReader(""), &out, &errs); code != exitOK || errs.Len() > 0 {
		t.Errorf("help: %d, %s", code, errs.String())
	}
	for _, line := range strings.Split(out.String(), "\n") {
		if len([]rune(line)) > 88 {
			t.Errorf("a long line: %s", line)
		}
	}
}
