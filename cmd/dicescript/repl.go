package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"dicescript/cmd/dicescript/internal/limits"
	"dicescript/cmd/dicescript/internal/repl"
	"dicescript/lang"
	"dicescript/lang/report"
)

// This file is repl: the interactive session on a terminal, and a plain run of
// standard input where there is none.

func replFlags() (*flag.FlagSet, *patience) {
	f := quietFlags()
	return f, patienceFlags(f, patientTime)
}

func (t *tool) repl(args []string) int {
	f, p := replFlags()
	rest, err := parse(f, args)
	if err == nil {
		err = p.check()
	}
	switch {
	case err != nil:
		return t.misused("%s", err)
	case len(rest) > 0:
		return t.misused("repl takes no arguments, got %s", rest[0])
	case !isTerminal(t.stdin) || !isTerminal(t.stdout):
		_, o := runFlags()
		o.patience = p
		return t.runOnce(o, "-")
	}
	t.limits, t.interactive = p.limits, true
	code, err := t.interact(p)
	if err != nil {
		fmt.Fprintf(t.stderr, "dicescript: %s\n", report.Visible(err.Error()))
	}
	return code
}

func (t *tool) interact(p *patience) (code int, err error) {
	var open func() // what closes the files of the session
	defer func() {
		if open != nil {
			open()
		}
	}()
	history, lines, err := repl.OpenHistory(repl.HistoryPath(os.Getenv))
	if err != nil {
		fmt.Fprintf(t.stderr, "dicescript: the history can't be read: %s\n", err)
	}
	_, color := terminal(t.stdout)
	loop, err := repl.New(repl.Options{
		NewSession: func() (*lang.Session, error) {
			host, done, err := t.host(&options{}, ".")
			if err != nil {
				return nil, err
			}
			if open != nil {
				open()
			}
			open = done
			return host.NewSession(), nil
		},
		Explain: func(w io.Writer, err error, inForce limits.Settings, columns int) {
			(&tool{stderr: w, inForce: inForce, interactive: true, columns: columns}).explain(err)
		},
		Welcome: "dicescript " + release + ". Type an expression such as 4d6kh3; :help tells more, Ctrl-D leaves.",
		Read:    t.readFile,
		Timeout: p.timeout,
		Report:  p.limits.Report,
		Held:    p.limits.Own().Held,
		Waiting: t.waiting,
		Out:     t.stdout,
		Color:   color,
		History: history,
	})
	if err != nil {
		return exitFailed, err
	}
	term, err := repl.Open(loop.Complete, lines)
	if err != nil {
		return exitFailed, err
	}
	defer term.Close() // also when something panics
	defer t.leaving(term, history)()
	if err := loop.Run(term); err != nil {
		return exitFailed, err
	}
	if err := history.Save(); err != nil {
		return exitOK, fmt.Errorf("the history can't be saved: %w", err)
	}
	return exitOK, nil
}
