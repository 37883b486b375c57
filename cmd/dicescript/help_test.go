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
		if texts[c.name] == "" {
			t.Errorf("%s: there is nothing to say about it", c.name)
		}
		for _, f := range flagsOf(c) {
			if f.about == "" {
				t.Errorf("%s: %s is not explained", c.name, f.form)
			}
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
