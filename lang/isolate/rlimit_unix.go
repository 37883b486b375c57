//go:build linux || darwin || netbsd

package isolate

import "syscall"

// rlimit is a limit of the system.
func rlimit(soft, hard int64) *syscall.Rlimit {
	return &syscall.Rlimit{Cur: uint64(soft), Max: uint64(hard)}
}
