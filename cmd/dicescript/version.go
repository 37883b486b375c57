package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// This file tells which dicescript this is.

const release = "0.1.0"

func (t *tool) version(args []string) int {
	if len(args) > 0 {
		return t.misused("version takes no arguments")
	}
	fmt.Fprintf(t.stdout, "dicescript %s%s %s\n", release, revision(), runtime.Version())
	return exitOK
}

// revision is the commit that the command was built from, when it is known.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return " (" + s.Value[:12] + ")"
		}
	}
	return ""
}
