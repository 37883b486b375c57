package main

import (
	"errors"
	"flag"

	"dicescript/cmd/dicescript/internal/lsp"
)

// This file is lsp: the language server.

func (t *tool) lsp(args []string) int {
	f := quietFlags()
	f.Bool("stdio", true, "speak on standard input and output") // as clients say
	rest, err := parse(f, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return t.helpOn("lsp")
	case err != nil:
		return t.misused("%s", err)
	case len(rest) > 0:
		return t.misused("lsp takes no arguments: it is told about files by the editor that starts it")
	}
	return lsp.Serve(t.ctx, release, t.stdin, t.stdout, t.stderr)
}
