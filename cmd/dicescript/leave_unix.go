//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"

	"dicescript/cmd/dicescript/internal/repl"
)

// This file lets go of the terminal when the process is told to end.

// leaving restores the terminal when the process is told to end. Nothing
// typed in the session is lost.
func (t *tool) leaving(term repl.Terminal, history *repl.History) (stop func()) {
	signal.Ignore(syscall.SIGTSTP) // a stopped session would leave the terminal as it is
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	go func() {
		s, ok := <-c
		if !ok {
			return
		}
		term.Close()
		history.Save()
		os.Exit(128 + int(s.(syscall.Signal)))
	}()
	return func() {
		signal.Stop(c)
		close(c)
	}
}
