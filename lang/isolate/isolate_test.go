package isolate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// temporary is a folder for the time of the tests.
var temporary string

// The test binary is its own child.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "parent" { // of a child that waits
		fmt.Println(Run(context.Background(), Child{Command: os.Args[0], Stdout: os.Stdout}, Limits{}, "pid"))
		return
	}
	if len(os.Args) > 1 && os.Args[1] == Subcommand {
		ctx, args, err := Enter(context.Background(), os.Args[2:])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		os.Exit(child(ctx, args))
	}
	var err error
	if temporary, err = os.MkdirTemp("", "isolate"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	code := m.Run()
	os.RemoveAll(temporary)
	os.Exit(code)
}

var sink [][]byte

func child(ctx context.Context, args []string) int {
	switch args[0] {
	case "echo":
		fmt.Println(strings.Join(args[1:], " "))
		fmt.Fprintln(os.Stderr, "a note")
	case "fail":
		return 1
	case "fill":
		for range 10_000 {
			sink = append(sink, bytes.Repeat([]byte{1}, 1<<20))
		}
	case "spin":
		for ctx.Err() == nil {
		}
		fmt.Println("so far:", context.Cause(ctx))
		return 1
	case "spin deaf":
		for i := 0; ; i++ {
		}
	case "wait":
		time.Sleep(time.Minute)
	case "pid":
		fmt.Println(os.Getpid())
		time.Sleep(time.Minute)
	}
	return 0
}

func run(t *testing.T, ctx context.Context, l Limits, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errs bytes.Buffer
	err = Run(ctx, Child{Command: os.Args[0], Stdout: &out, Stderr: &errs}, l, args...)
	return out.String(), errs.String(), err
}

func TestChild(t *testing.T) {
	out, errs, err := run(t, t.Context(), Limits{}, "echo", "--", "-x")
	if out != "-- -x\n" || errs != "a note\n" || err != nil {
		t.Errorf("got %q, %q, %v", out, errs, err)
	}
	_, _, err = run(t, t.Context(), Limits{}, "fail")
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("got %v, want exit code 1", err)
	}
}

// raceDetector is set when the race detector is on, which needs more memory than
// a child may have.
var raceDetector bool

func TestMemoryIsHeld(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector fills the memory by itself")
	}
	_, errs, err := run(t, t.Context(), Limits{Memory: 128 << 20}, "fill")
	if !errors.Is(err, ErrMemory) || errs != "" {
		t.Errorf("got %v, and %q", err, errs)
	}
}

// Which allocation is the one too many is a matter of chance: every way in which a
// process of Go says that it got no memory is told as the same, and the report that
// follows is kept back.
func TestSignsOfNoMemory(t *testing.T) {
	for _, line := range []string{
		"runtime: out of memory: cannot allocate 4194304-byte block (7438336 in use)",
		"runtime: mmap(0xc000400000, 4194304) returned 0x0, 12",
		"runtime: failed to create new OS thread (have 5 already; errno=11)",
		"runtime/cgo: pthread_create failed: Resource temporarily unavailable",
		"runtime/cgo: out of memory in thread_start",
		"fatal error: out of memory",
		"fatal error: out of memory (stackalloc)",
		"fatal error: out of memory allocating heap arena metadata",
		"fatal error: pageAlloc: out of memory",
		"fatal error: runtime: out of memory",
		"fatal error: runtime: cannot allocate memory",
		"fatal error: runtime: cannot map pages in arena address space",
		"fatal error: failed to reserve page summary memory",
		"SIGSEGV: segmentation violation",
	} {
		var passed bytes.Buffer
		f := &crashFilter{to: &passed}
		for _, part := range []string{"a note\n", line[:5], line[5:], "\nSIGABRT: abort\n", "goroutine 1 [running]:\n"} {
			if n, err := f.Write([]byte(part)); n != len(part) || err != nil {
				t.Fatalf("%d, %v", n, err)
			}
		}
		if !f.memory || passed.String() != "a note\n" {
			t.Errorf("%s: memory is %v, and it passes %q", line, f.memory, &passed)
		}
	}
	for _, line := range []string{"panic: no\n", "fatal error: all goroutines are asleep - deadlock!\n", "it is out of memory\n", "[signal SIGSEGV: segmentation violation code=0x1]\n"} {
		var passed bytes.Buffer
		f := &crashFilter{to: &passed}
		f.Write([]byte(line))
		if f.memory || passed.String() != line {
			t.Errorf("%q: memory is %v, and it passes %q", line, f.memory, &passed)
		}
	}
}

func TestCPUIsHeld(t *testing.T) {
	out, _, err := run(t, t.Context(), Limits{CPU: time.Second}, "spin")
	if exit := (*exec.ExitError)(nil); out != "so far: context deadline exceeded\n" || !errors.As(err, &exit) {
		t.Errorf("got %q, %v", out, err)
	}
}

func TestCPUOfTheDeaf(t *testing.T) {
	if os.Getenv("DICESCRIPT_TESTS") != "all" {
		t.Skip("takes three seconds of processor time: DICESCRIPT_TESTS=all")
	}
	if _, _, err := run(t, t.Context(), Limits{CPU: time.Second}, "spin deaf"); !errors.Is(err, ErrCPU) {
		t.Errorf("got %v", err)
	}
}

func TestContextEndsTheChild(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, _, err := run(t, ctx, Limits{}, "wait"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestLimitsAreChecked(t *testing.T) {
	for _, l := range []Limits{{Memory: 1}, {CPU: -1}} {
		if _, _, err := run(t, t.Context(), l, "echo"); err == nil {
			t.Errorf("%+v: no error", l)
		}
	}
}

// The cause of a context is found in the error of a child that it ended.
func TestCauseOfTheContext(t *testing.T) {
	closed := errors.New("the table was closed")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(100*time.Millisecond, func() { cancel(closed) })
	if _, _, err := run(t, ctx, Limits{}, "wait"); !errors.Is(err, context.Canceled) || !errors.Is(err, closed) {
		t.Errorf("got %v", err)
	}
}
