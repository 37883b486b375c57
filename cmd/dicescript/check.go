package main

import (
	"errors"
	"flag"
	"fmt"
	"strings"

	"dicescript/cmd/dicescript/internal/lint"
	"dicescript/cmd/dicescript/internal/suite"
	"dicescript/lang"
	"dicescript/lang/notation"
)

// This file is check: all errors of recipes, and what is likely a mistake.

func (t *tool) check(args []string) int {
	f := quietFlags()
	rest, err := parse(f, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return t.helpOn("check")
	case err != nil:
		return t.misused("%s", err)
	case len(rest) == 0:
		return t.misused("want files: dicescript check recipe.star")
	}
	code := exitOK
	for _, file := range rest {
		code = max(code, t.checkFile(file))
	}
	return code
}

// checkFile reports on one file.
func (t *tool) checkFile(file string) int {
	name, src, err := t.read(file)
	if err != nil {
		return t.unreadable(file, err)
	}
	host, done, err := t.host(&options{}, folderOf(file), builtinsOf(file)...)
	if err != nil {
		return t.misused("%s", err)
	}
	defer done()
	_, err = host.Compile(t.ctx, name, src)
	if err != nil {
		t.explain(err)
		return exitFailed
	}
	program := src // the code alone
	if doc := notation.Literate(src); doc != nil && !strings.HasSuffix(name, ".star") {
		program = doc.Program
	}
	for _, w := range lint.Check(name, program) {
		t.warn(lang.Position{File: name, Line: w.Line, Column: w.Col}, w.Message, src)
	}
	return exitOK
}

// builtinsOf are those that a file has besides the builtins of recipes.
func builtinsOf(file string) []lang.Option {
	if suite.IsTestFile(file) {
		return []lang.Option{lang.WithBuiltins(suite.Assertions())}
	}
	return nil
}

// warn writes a likely mistake, with its line.
func (t *tool) warn(at lang.Position, message string, src []byte) {
	fmt.Fprintf(t.stderr, "%s: warning: %s\n", printable(at.String()), printable(message))
	lines := strings.Split(string(src), "\n")
	if at.Line <= len(lines) {
		line, space := excerpt(strings.TrimRight(lines[at.Line-1], "\r"), at.Column)
		fmt.Fprintf(t.stderr, "    %s\n    %s^\n", line, space)
	}
}
