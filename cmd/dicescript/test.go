package main

import (
	"errors"
	"flag"
	"fmt"
	"strings"

	"dicescript/cmd/dicescript/internal/source"
	"dicescript/cmd/dicescript/internal/suite"
	"dicescript/lang"
	"dicescript/lang/report"
)

// This file is test: the tests that recipes bring along.

type testOptions struct {
	*patience
	update, verbose bool
}

func testFlags() (*flag.FlagSet, *testOptions) {
	f, o := quietFlags(), &testOptions{}
	f.BoolVar(&o.update, "update", false, "write the results in literate recipes anew")
	f.BoolVar(&o.verbose, "v", false, "list the tests that pass, too")
	o.patience = patienceFlags(f, suiteTime)
	return f, o
}

func (t *tool) test(args []string) int {
	f, o := testFlags()
	p := o.patience
	paths, err := parse(f, args)
	if err == nil {
		err = p.check()
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return t.helpOn("test")
	case err != nil:
		return t.misused("%s", err)
	case len(paths) == 0:
		paths = []string{"."}
	}
	return t.within(p, func(t *tool) int { return t.testFiles(paths, o.update, o.verbose) })
}

// testFiles runs the tests of files and folders.
func (t *tool) testFiles(paths []string, update, verbose bool) int {
	files, err := suite.Files(paths)
	if err != nil {
		return t.misused("%s", err)
	}
	s := &suite.Suite{Update: update, Host: t.hostOf, Limit: t.limits.Report, Read: t.readFile}
	r := testReport{tool: t, verbose: verbose}
	for _, file := range files {
		if t.ctx.Err() != nil {
			break
		}
		s.Run(t.ctx, file, r.add)
	}
	return r.finish(paths)
}

// hostOf is the host for the recipes of a folder.
func (t *tool) hostOf(folder string, opts ...lang.Option) (*lang.Host, func(), error) {
	return t.host(&options{}, folder, opts...)
}

// readFile reads a recipe that is a file.
func (t *tool) readFile(file string) ([]byte, error) { return source.Read(file, t.sourceBytes()) }

// A testReport counts outcomes and tells about them.
type testReport struct {
	tool                    *tool
	verbose                 bool
	passed, failed, updated int
}

func (r *testReport) add(o suite.Outcome) {
	t := r.tool
	name := o.Test
	if !strings.HasPrefix(name, o.File) {
		name = strings.TrimSuffix(o.File+" "+o.Test, " ")
	}
	name = report.Visible(name)
	switch {
	case o.Updated:
		r.updated++
		fmt.Fprintf(t.stdout, "new   %s\n", name)
	case o.Err == nil:
		r.passed++
		if r.verbose {
			fmt.Fprintf(t.stdout, "ok    %s\n", name)
		}
	default:
		r.failed++
		fmt.Fprintf(t.stdout, "FAIL  %s\n", name)
		t.explain(o.Err)
		if o.Diff != "" {
			fmt.Fprint(t.stderr, report.Visible(o.Diff))
		}
	}
}

func (r *testReport) finish(paths []string) int {
	t := r.tool
	if r.passed+r.failed+r.updated == 0 {
		return t.misused("there are no tests in %s: want functions test_* in files *_test.star, or results in literate recipes", strings.Join(paths, " "))
	}
	fmt.Fprintf(t.stdout, "%d passed, %d failed", r.passed, r.failed)
	if r.updated > 0 {
		fmt.Fprintf(t.stdout, ", %d written anew", r.updated)
	}
	fmt.Fprintln(t.stdout)
	switch {
	case t.ctx.Err() != nil:
		fmt.Fprintln(t.stderr, "dicescript: stopped before the end")
		return exitFailed
	case r.failed > 0:
		return exitFailed
	}
	return exitOK
}
