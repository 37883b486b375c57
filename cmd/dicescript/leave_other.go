//go:build !unix

package main

import "dicescript/cmd/dicescript/internal/repl"

// This file is for systems without the signals of unix.

func (t *tool) leaving(repl.Terminal, *repl.History) (stop func()) { return func() {} }
