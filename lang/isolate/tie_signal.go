//go:build linux || freebsd

package isolate

import "syscall"

// deathSignal has the system kill a child when the thread ends that has started it.
func deathSignal() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
