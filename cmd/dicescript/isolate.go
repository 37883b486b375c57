package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"dicescript/lang/isolate"
	"dicescript/lang/report"
)

// This file is run --isolate: the recipe runs in a child process to which the
// operating system gives only so much memory and time.

// isolated runs this command again in a child, with the flags of the run but
// for those about the child itself.
func (t *tool) isolated(o *options, args []string) int {
	limits := isolate.Limits{CPU: o.cpu}
	if o.memory != "" {
		n, err := bytesOf(o.memory)
		if err != nil {
			return t.misused("--memory: %s", err)
		}
		limits.Memory = n
	}
	command, err := self()
	if err != nil {
		return t.misused("--isolate: %s", err)
	}
	ctx, cancel := context.WithCancel(t.ctx)
	if o.timeout > 0 {
		// The child keeps the time by itself; this is for one that can't.
		ctx, cancel = context.WithTimeout(t.ctx, o.timeout+2*grace)
	}
	defer cancel()
	child := isolate.Child{Command: command, Stdin: t.stdin, Stdout: t.stdout, Stderr: t.stderr}
	err = isolate.Run(ctx, child, limits, append([]string{"run"}, args...)...)
	exit := (*exec.ExitError)(nil)
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		return exit.ExitCode()
	}
	fmt.Fprintf(t.stderr, "dicescript: %s\n", report.Visible(err.Error()))
	return exitFailed
}

// self is the path of this command.
func self() (string, error) {
	if path, err := exec.LookPath(os.Args[0]); err == nil {
		return path, nil
	}
	return os.Executable()
}

// inChild is the command in a child: it limits itself, and then does what it
// was asked to do.
func (t *tool) inChild(args []string) int {
	ctx, rest, err := isolate.Enter(t.ctx, args)
	isWorker := len(rest) == 1 && rest[0] == workerCommand
	if err != nil && !(isWorker && errors.Is(err, isolate.ErrNoLimits)) { // a process of its own is something
		return t.misused("--isolate: %s", err)
	}
	if isWorker {
		return t.work(ctx)
	}
	if len(rest) == 0 || rest[0] != "run" {
		return t.misused("only run can be isolated")
	}
	t.ctx, t.child = ctx, true
	code := t.runFile(rest[1:])
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		fmt.Fprintf(t.stderr, "dicescript: %s\n", isolate.ErrCPU)
	}
	return code
}

// bytesOf reads 512M, 2G or a number of bytes.
func bytesOf(text string) (int64, error) {
	number, unit := strings.ToUpper(text), int64(1)
	for suffix, n := range map[string]int64{"K": 1 << 10, "M": 1 << 20, "G": 1 << 30} {
		if rest, ok := strings.CutSuffix(strings.TrimSuffix(number, "B"), suffix); ok {
			number, unit = rest, n
			break
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 1 || n > (1<<50)/unit {
		return 0, fmt.Errorf("got %q, want a size such as 512M or 2G", text)
	}
	return n * unit, nil
}
