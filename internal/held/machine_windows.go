package held

import (
	"syscall"
	"unsafe"
)

// memoryStatus is MEMORYSTATUSEX of the Windows API.
type memoryStatus struct {
	length, load                                                          uint32
	total, free, totalPage, freePage, totalVirtual, freeVirtual, extended uint64
}

// machine returns the bytes of memory of the machine, 0 when it does not tell.
func machine() int64 {
	status := memoryStatus{}
	status.length = uint32(unsafe.Sizeof(status))
	call := syscall.NewLazyDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")
	if call.Find() != nil {
		return 0
	}
	if ok, _, _ := call.Call(uintptr(unsafe.Pointer(&status))); ok == 0 {
		return 0
	}
	return int64(status.total)
}
