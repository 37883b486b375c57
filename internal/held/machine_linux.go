package held

import (
	"bytes"
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// machine returns the bytes of memory that this process can have: those of the machine,
// or of the group of processes that it belongs to. It is 0 when nobody tells.
func machine() int64 {
	var info syscall.Sysinfo_t
	if err := syscall.Sysinfo(&info); err != nil {
		return 0
	}
	n := int64(uint64(info.Totalram) * uint64(info.Unit))
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		n = min(n, bound(file))
	}
	return n
}

// bound is the number in a file, or one that bounds nothing.
func bound(file string) int64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return math.MaxInt64
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(bytes.TrimRight(text, "\x00"))), 10, 64)
	if err != nil || n <= 0 {
		return math.MaxInt64 // "max"
	}
	return n
}
