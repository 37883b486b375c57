//go:build unix

package lang_test

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory is the largest memory that a process has had, in bytes.
func peakMemory(s *os.ProcessState) int64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
