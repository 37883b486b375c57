package isolate

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// Limits are what a child may use. A zero field is the default.
type Limits struct {
	Memory int64         // bytes, besides what the command needs by itself; default 1 GiB
	CPU    time.Duration // processor time, rounded up to seconds; default 10 s
}

// Defaults of Limits.
const (
	DefaultMemory = 1 << 30
	DefaultCPU    = 10 * time.Second
)

// LeastMemory is how little memory a child can work with.
const LeastMemory = 32 << 20

func (l Limits) filled() (Limits, error) {
	if l.Memory == 0 {
		l.Memory = DefaultMemory
	}
	if l.CPU == 0 {
		l.CPU = DefaultCPU
	}
	if l.Memory < LeastMemory {
		return l, fmt.Errorf("memory: got %d bytes, want at least %d", l.Memory, LeastMemory)
	}
	if l.CPU < 0 {
		return l, fmt.Errorf("cpu: got %s, want a time above 0", l.CPU)
	}
	l.CPU = (l.CPU + time.Second - 1).Truncate(time.Second)
	return l, nil
}

// Subcommand is the first argument of a child; its limits and the arguments of
// the command proper follow.
const Subcommand = "isolated"

// A Child is a process to be.
type Child struct {
	Command string   // the path of the command
	Dir     string   // its folder; "" is that of the host
	Env     []string // nil is that of the host
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
}

// Errors of [Run]. A recipe that fails by itself is an *exec.ExitError; so is one
// that was told in time that its processor time is nearly used up, and has shown
// what it had. A child that the context ended has the context's error.
var (
	ErrMemory = errors.New("the recipe needs more memory than it may use")
	ErrCPU    = errors.New("the recipe needs more processor time than it may use")
	// ErrNoLimits is the error of [Enter] where the system has no limits for a process.
	ErrNoLimits = errors.New("this system has no limits for a process")
	// ErrKilled is no fault of the recipe: somebody has killed the child, or the system
	// has, which was short of memory.
	ErrKilled = errors.New("the process of the recipe was killed from outside")
)

// Run runs the command with arguments in a child and waits for it. When the
// context is done, the child is interrupted, and killed if it does not end. A child does
// not outlive the process that runs it, however that ends.
func Run(ctx context.Context, c Child, l Limits, args ...string) error {
	l, err := l.filled()
	if err != nil {
		return err
	}
	head := []string{Subcommand, fmt.Sprintf("-memory=%d", l.Memory), fmt.Sprintf("-cpu=%s", l.CPU)}
	head = append(append(head, tieArguments...), "--")
	cmd := exec.CommandContext(ctx, c.Command, append(head, args...)...)
	cmd.Dir, cmd.Stdin, cmd.Stdout = c.Dir, c.Stdin, c.Stdout
	cmd.Env = c.Env
	stderr := &crashFilter{to: c.Stderr}
	if c.Stderr == nil {
		stderr.to = io.Discard
	}
	cmd.Stderr = stderr
	cmd.Cancel = func() error { return interrupt(cmd.Process) }
	cmd.WaitDelay = 3 * time.Second
	err = runTied(cmd)
	switch {
	case err == nil:
		return nil
	case stderr.memory:
		return ErrMemory
	case ctx.Err() == nil && killed(cmd.ProcessState):
		if cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime() < l.CPU {
			return ErrKilled
		}
		return ErrCPU
	case ctx.Err() != nil:
		return because(ctx, err)
	}
	return err
}

// because is the error of a child that ended when its context was done: errors.Is finds the
// context's error, the cause of that, and what became of the child.
func because(ctx context.Context, err error) error {
	for _, why := range []error{context.Cause(ctx), ctx.Err()} {
		if !errors.Is(err, why) {
			err = fmt.Errorf("%w: %w", why, err)
		}
	}
	return err
}

// Enter holds the process that it is called in to limits, given the arguments
// after [Subcommand]. It returns the arguments that follow, and a context that
// is done when the processor time is nearly used up.
func Enter(ctx context.Context, args []string) (context.Context, []string, error) {
	var l Limits
	tie := 0
	f := flag.NewFlagSet(Subcommand, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Int64Var(&l.Memory, "memory", 0, "")
	f.DurationVar(&l.CPU, "cpu", 0, "")
	f.IntVar(&tie, "tie", 0, "")
	if err := f.Parse(args); err != nil {
		return ctx, nil, err
	}
	if tie > 0 {
		if err := hold(tie); err != nil {
			return ctx, nil, err
		}
	}
	l, err := l.filled()
	if err != nil {
		return ctx, nil, err
	}
	ctx, err = enter(ctx, l)
	return ctx, f.Args(), err
}

// crashFilter passes what a child writes on, but for the report of a crash:
// that the memory was too small is all that there is to tell.
type crashFilter struct {
	to     io.Writer
	memory bool
	line   []byte
}

// signs are how the lines begin in which a process of Go says that it got no memory,
// for its heap, for what it keeps about the heap, or for the stack of a thread. What
// runtime/cgo says is always the last word: that it could not start a thread.
var signs = [][]byte{
	[]byte("runtime: out of memory"),
	[]byte("runtime: cannot allocate memory"),
	[]byte("runtime: cannot map pages"),
	[]byte("runtime: mmap("),
	[]byte("runtime: VirtualAlloc of"),
	[]byte("runtime: failed to create new OS thread"),
	[]byte("runtime/cgo: "),
	[]byte("fatal error: out of memory"),
	[]byte("fatal error: pageAlloc: out of memory"),
	[]byte("fatal error: runtime: out of memory"),
	[]byte("fatal error: runtime: cannot"),
	[]byte("fatal error: failed to"),
	[]byte("failed to create new OS thread"),
	[]byte("errno=12"),
	// The collector uses what the system has not given it (newSpanSPMC): so dies the
	// runtime itself, while a nil pointer of a program is a panic.
	[]byte("SIGSEGV: segmentation violation"),
}

// Write passes whole lines on.
func (f *crashFilter) Write(p []byte) (int, error) {
	f.line = append(f.line, p...)
	for !f.memory {
		i := bytes.IndexByte(f.line, '\n')
		if i < 0 {
			break
		}
		line := f.line[:i+1]
		for _, s := range signs {
			f.memory = f.memory || bytes.HasPrefix(line, s)
		}
		if f.memory {
			break
		}
		if _, err := f.to.Write(line); err != nil {
			return 0, err
		}
		f.line = f.line[i+1:]
	}
	if f.memory {
		f.line = nil
	}
	return len(p), nil
}
