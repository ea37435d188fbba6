//go:build !unix || solaris || aix

package terminal

import "os"

// Size is how many columns and rows a terminal has; 0 for a file that is none.
func Size(f *os.File) (columns, rows int) {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return 0, 0
	}
	return standardColumns, standardRows
}

// The size of a terminal that does not tell.
const standardColumns, standardRows = 80, 24
