//go:build !unix || solaris || aix

package terminal

import "os"

// Width is how many columns a terminal has; 0 for a file that is none.
func Width(f *os.File) int {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return 0
	}
	return standard
}

// standard is the width of a terminal that does not tell.
const standard = 80
