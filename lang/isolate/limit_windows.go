package isolate

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"golang.org/x/sys/windows"
)

// The limits of a job object, in which a child puts itself.

// reserved is the memory that a process of Go takes by itself.
const reserved = 64 << 20

// lookEvery is how often a child looks at its own processor time.
const lookEvery = 50 * time.Millisecond

// enter limits this process. The handle of the job stays open as long as it lives.
func enter(ctx context.Context, l Limits) (context.Context, error) {
	debug.SetMemoryLimit(l.Memory * 3 / 4)
	job, err := newJob(func(info *windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION) {
		info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_PROCESS_MEMORY | windows.JOB_OBJECT_LIMIT_PROCESS_TIME
		info.ProcessMemoryLimit = uintptr(reserved + l.Memory)
		info.BasicLimitInformation.PerProcessUserTimeLimit = int64((l.CPU + 2*time.Second) / 100) // in 100 ns; two seconds to end by itself
	})
	if err != nil {
		return ctx, fmt.Errorf("limiting memory and processor time: %w", err)
	}
	if err := assign(job, uint32(os.Getpid())); err != nil {
		return ctx, fmt.Errorf("limiting memory and processor time: %w", err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		for processorTime() < l.CPU {
			time.Sleep(lookEvery)
		}
		cancel(context.DeadlineExceeded)
	}()
	return ctx, nil
}

// processorTime is what this process has used.
func processorTime() time.Duration {
	var created, ended, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &ended, &kernel, &user); err != nil {
		return 0
	}
	ticks := func(t windows.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) }
	return time.Duration(ticks(kernel)+ticks(user)) * 100
}

// killed reports whether a process may have been ended by the system or by somebody: there
// is no telling from an exit status of 1 how it came by that, but a job that has used its
// time ends with another.
func killed(state *os.ProcessState) bool {
	return state != nil && state.ExitCode() != 0 && state.ExitCode() != 1 && state.ExitCode() != 2
}
