//go:build unix && !solaris && !aix

package terminal

import (
	"os"
	"syscall"
	"unsafe"
)

// Width is how many columns a terminal has; 0 for a file that is none.
func Width(f *os.File) int {
	var size struct{ rows, columns, x, y uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	if errno != 0 {
		return 0
	}
	if size.columns == 0 {
		return standard
	}
	return int(size.columns)
}

// standard is the width of a terminal that does not tell.
const standard = 80
