//go:build darwin || freebsd || netbsd || openbsd

package held

import "golang.org/x/sys/unix"

// machine returns the bytes of memory of the machine, 0 when it does not tell.
func machine() int64 {
	for _, name := range []string{"hw.memsize", "hw.physmem64", "hw.physmem"} {
		if n, err := unix.SysctlUint64(name); err == nil {
			return int64(n)
		}
	}
	return 0
}
