package main

import (
	"errors"
	"flag"
	"fmt"
	"strings"

	"dicescript/cmd/dicescript/internal/suite"
	"dicescript/lang"
	"dicescript/lang/assist"
	"dicescript/lang/report"
)

// This file is check: all errors of recipes, and what is likely a mistake.

func checkFlags() (*flag.FlagSet, *patience) {
	f := quietFlags()
	return f, patienceFlags(f, patientTime)
}

func (t *tool) check(args []string) int {
	f, p := checkFlags()
	rest, err := parse(f, args)
	if err == nil {
		err = p.check()
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return t.helpOn("check")
	case err != nil:
		return t.misused("%s", err)
	case len(rest) == 0:
		return t.misused("want files: dicescript check recipe.star")
	}
	return t.within(p, func(t *tool) int {
		code := exitOK
		for _, file := range rest {
			code = max(code, t.checkFile(file))
		}
		return code
	})
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
	warnings := assist.New(host).Analyze(t.ctx, name, src).Diagnostics(t.ctx)
	for i, w := range warnings {
		if i == maxExplained {
			fmt.Fprintf(t.stderr, "... and %d warnings more\n", len(warnings)-i)
			break
		}
		t.warn(w.Range.Start, w.Message, src)
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
	fmt.Fprintf(t.stderr, "%s: warning: %s\n", report.Visible(at.String()), report.Visible(message))
	lines := strings.Split(string(src), "\n")
	if at.Line <= len(lines) {
		line, space := excerpt(strings.TrimRight(lines[at.Line-1], "\r"), at.Column, maxExcerpt)
		fmt.Fprintf(t.stderr, "    %s\n    %s^\n", line, space)
	}
}
