package main

import (
	"errors"
	"flag"
	"runtime/debug"

	"dicescript/cmd/dicescript/internal/lsp"
)

// This file is lsp: the language server.

func lspFlags() (*flag.FlagSet, *bool) {
	f := quietFlags()
	return f, f.Bool("stdio", true, "means nothing, as there is no other way: clients say it")
}

func (t *tool) lsp(args []string) int {
	f, _ := lspFlags()
	rest, err := parse(f, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return t.helpOn("lsp")
	case err != nil:
		return t.misused("%s", err)
	case len(rest) > 0:
		return t.misused("lsp takes no arguments: it is told about files by the editor that starts it")
	}
	debug.SetGCPercent(lsp.Growth)
	pool, err := t.workers()
	if err != nil {
		return t.misused("%s", err)
	}
	defer pool.Close()
	return lsp.Serve(t.ctx, release, t.stdin, t.stdout, t.stderr, pool)
}
