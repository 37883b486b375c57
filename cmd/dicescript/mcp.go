package main

import (
	"flag"
	"io"
	"runtime/debug"

	"dicescript/cmd/dicescript/internal/mcp"
)

// This file is mcp: tools of assistants.

func mcpFlags() (*flag.FlagSet, *patience) {
	f := quietFlags()
	return f, patienceFlags(f, patientTime)
}

func (t *tool) mcp(args []string) int {
	f, p := mcpFlags()
	o, done, code := t.doorOptions("mcp", f, p, args)
	if o == nil {
		return code
	}
	defer done()
	debug.SetGCPercent(callGrowth)
	return mcp.Serve(t.ctx, release, *o, io.NopCloser(t.stdin), unclosed{t.stdout}, t.stderr)
}

// unclosed is standard output for a connection, which closes what it writes to.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }
