package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"

	"dicescript/lang"
	"dicescript/lang/format"
	"dicescript/lang/report"
)

// This file is fmt: recipes in the usual style.

// formatting are the flags of fmt.
type formatting struct {
	*patience
	write, list bool
}

func fmtFlags() (*flag.FlagSet, *formatting) {
	f, o := quietFlags(), &formatting{}
	f.BoolVar(&o.write, "w", false, "write the files, each whole or not at all")
	f.BoolVar(&o.list, "check", false, "list the files that would change; the exit status is 1 when there are some")
	o.patience = patienceFlags(f, patientTime)
	return f, o
}

func (t *tool) fmt(args []string) int {
	f, how := fmtFlags()
	rest, err := parse(f, args)
	if err == nil {
		err = how.patience.check()
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return t.helpOn("fmt")
	case err != nil:
		return t.misused("%s", err)
	case len(rest) == 0:
		return t.misused("want files: dicescript fmt recipe.star")
	case how.write && how.list:
		return t.misused("want -w or --check, not both")
	}
	return t.within(how.patience, func(t *tool) int {
		code := exitOK
		for _, file := range rest {
			code = max(code, t.formatFile(file, how))
		}
		return code
	})
}

// formatFile formats one file, and prints it, writes it or says that it would change.
func (t *tool) formatFile(file string, how *formatting) int {
	if how.write && standardInput(file) {
		return t.misused("-w: standard input can't be written; without -w it is printed")
	}
	name, src, err := t.read(file)
	if err != nil {
		return t.unreadable(file, err)
	}
	if int64(len(src)) == t.sourceBytes() {
		return t.unreadable(file, errors.New("the recipe is too long to be read whole, and stays as it is; --limit source-bytes raises the limit"))
	}
	out, err := format.Source(t.ctx, name, src)
	switch {
	case errors.Is(err, format.ErrAnyDice):
		return t.unreadable(file, err)
	case err != nil:
		t.explain(t.plainly(err))
		return exitFailed
	}
	changed := !bytes.Equal(src, out)
	switch {
	case how.list && changed:
		fmt.Fprintln(t.stdout, report.Visible(name))
		return exitFailed
	case how.list, how.write && !changed:
		return exitOK
	case how.write:
		err = t.writeFile(file, func(w io.Writer) error { return all(w, out) })
	default:
		err = all(t.stdout, out)
	}
	if err != nil {
		fmt.Fprintf(t.stderr, "dicescript: %s\n", report.Visible(err.Error()))
		return exitFailed
	}
	return exitOK
}

// plainly is an error of the time that is up in words for it.
func (t *tool) plainly(err error) error {
	if t.ctx.Err() != nil {
		return &lang.Error{Kind: lang.KindDeadline, Message: "the time is used up before the recipe is formatted; --timeout gives it more"}
	}
	return err
}

func all(w io.Writer, text []byte) error {
	_, err := w.Write(text)
	return err
}
