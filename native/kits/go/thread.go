package ffibench

import (
	"runtime"
	"syscall"
	"unsafe"
)

const (
	sigBlock = 0 // SIG_BLOCK of Linux
	setBytes = 8 // of the kernel's sigset_t
)

// The loop stays on the thread that the harness has pinned, which is also that of the library's thread-local state.
// The signal by which Go's scheduler interrupts a loop that takes long does not come to it: a system call of the
// library would fail with EINTR, the call would have to be made again, and its calls would not be those of C.
func init() {
	runtime.LockOSThread()
	set := uint64(1) << (uint(syscall.SIGURG) - 1)
	_, _, errno := syscall.RawSyscall6(
		syscall.SYS_RT_SIGPROCMASK, sigBlock, uintptr(unsafe.Pointer(&set)), 0, setBytes, 0, 0)
	if errno != 0 {
		Fail("ffibench worker: rt_sigprocmask: %v", errno)
	}
}
