package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"dicescript/cmd/dicescript/internal/suite"
	"dicescript/lang"
	"dicescript/lang/assist"
)

// This file is check: all errors of recipes, and what is likely a mistake.

type checkOptions struct {
	*patience
	explain bool
}

func checkFlags() (*flag.FlagSet, *checkOptions) {
	f, o := quietFlags(), &checkOptions{}
	f.BoolVar(&o.explain, "explain", false, "say of each function whether it is compiled for map and the like, and why not")
	o.patience = patienceFlags(f, patientTime)
	return f, o
}

func (t *tool) check(args []string) int {
	f, o := checkFlags()
	p := o.patience
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
			code = max(code, t.checkFile(file, o.explain))
		}
		return code
	})
}

// checkFile reports on one file, and when asked to on its functions.
func (t *tool) checkFile(file string, explain bool) int {
	name, src, err := t.read(file)
	if err != nil {
		return t.unreadable(file, err)
	}
	host, done, err := t.host(&options{}, folderOf(file), builtinsOf(file)...)
	if err != nil {
		return t.misused("%s", err)
	}
	defer done()
	compiled, err := host.Compile(t.ctx, name, src)
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
	if explain {
		return t.explainFunctions(compiled.Functions())
	}
	return exitOK
}

// explainFunctions says how functions run when a builtin calls them many times.
func (t *tool) explainFunctions(functions []lang.FunctionForm) int {
	var b strings.Builder
	for _, f := range functions {
		form := "is compiled"
		switch {
		case f.Interpreted != "":
			form = "runs in the interpreter: " + f.Interpreted
		case len(f.Gaps) > 0:
			form = "is compiled, but for " + strings.Join(f.Gaps, "; ")
		}
		fmt.Fprintf(&b, "%s: %s %s\n", printable(f.Position.String()), f.Name, printable(form))
	}
	if _, err := io.WriteString(t.stdout, b.String()); err != nil {
		return exitFailed
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
		line, space := excerpt(strings.TrimRight(lines[at.Line-1], "\r"), at.Column, maxExcerpt)
		fmt.Fprintf(t.stderr, "    %s\n    %s^\n", line, space)
	}
}
