package main

import (
	"errors"
	"flag"
	"os"
	"runtime/debug"

	"dicescript/cmd/dicescript/internal/door"
	"dicescript/cmd/dicescript/internal/rpc"
)

// This file is rpc: calls of programs in other languages, one a line.

func rpcFlags() (*flag.FlagSet, *patience) {
	f := quietFlags()
	return f, patienceFlags(f, patientTime)
}

// callGrowth is by how many hundredths the memory of a process that answers calls should
// grow before garbage is collected: most calls leave little behind, and soon.
const callGrowth = 400

func (t *tool) rpc(args []string) int {
	f, p := rpcFlags()
	o, done, code := t.doorOptions("rpc", f, p, args)
	if o == nil {
		return code
	}
	defer done()
	debug.SetGCPercent(callGrowth)
	return rpc.Serve(t.ctx, *o, t.stdin, t.stdout, t.stderr, t.readerGone())
}

// doorOptions reads what rpc and mcp are told: bounds of calls, and the folder of
// modules. The options are nil when there is nothing more to do than to return the code.
func (t *tool) doorOptions(name string, f *flag.FlagSet, p *patience, args []string) (o *door.Options, done func(), code int) {
	rest, err := parse(f, args)
	if err == nil {
		err = p.check()
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return nil, nil, t.helpOn(name)
	case err != nil:
		return nil, nil, t.misused("%s", err)
	case len(rest) > 1:
		return nil, nil, t.misused("want one folder, whose modules recipes load with ./, got %s as well", rest[1])
	}
	o, done = &door.Options{Limits: p.limits, Timeout: p.timeout}, func() {}
	if len(rest) == 1 {
		root, err := os.OpenRoot(rest[0])
		if err != nil {
			return nil, nil, t.misused("%s: there is no such folder", rest[0])
		}
		o.Files, done = root.FS(), func() { root.Close() }
	}
	return o, done, exitOK
}
