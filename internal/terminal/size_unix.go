//go:build unix && !solaris && !aix

package terminal

import (
	"os"
	"syscall"
	"unsafe"
)

// Size is how many columns and rows a terminal has; 0 for a file that is none.
func Size(f *os.File) (columns, rows int) {
	var size struct{ rows, columns, x, y uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	if errno != 0 {
		return 0, 0
	}
	if size.columns == 0 || size.rows == 0 {
		return standardColumns, standardRows
	}
	return int(size.columns), int(size.rows)
}

// The size of a terminal that does not tell.
const standardColumns, standardRows = 80, 24
