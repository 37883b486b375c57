//go:build !(linux || darwin || freebsd || netbsd || windows)

package isolate

import (
	"context"
	"os"
	"os/exec"
)

// Systems without limits that a process can put on itself.

func enter(ctx context.Context, _ Limits) (context.Context, error) {
	return ctx, ErrNoLimits
}

func killed(*os.ProcessState) bool { return false }

// Nor is there a child that could outlive its parent.

var tieArguments []string

func runTied(cmd *exec.Cmd) error { return cmd.Run() }

func hold(int) error { return nil }

func interrupt(p *os.Process) error { return p.Signal(os.Interrupt) }
