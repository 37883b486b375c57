package isolate

import "syscall"

// rlimit is a limit of the system, whose numbers have a sign here.
func rlimit(soft, hard int64) *syscall.Rlimit { return &syscall.Rlimit{Cur: soft, Max: hard} }
