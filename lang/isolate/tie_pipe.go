//go:build darwin || netbsd

package isolate

import "syscall"

// deathSignal is nothing where the system has no such signal: the pipe says it.
func deathSignal() *syscall.SysProcAttr { return nil }
