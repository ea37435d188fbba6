package frame

import (
	"cmp"
	"strings"
)

// compareNames orders names as a person counts them: digits compare as the
// number that they are, so that 9 stands before 10.
func compareNames(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		n, m := digits(x), digits(y)
		if n == 0 || m == 0 {
			n, m = 1, 1
			if c := cmp.Compare(x[0], y[0]); c != 0 {
				return c
			}
		} else if c := compareNumbers(x[:n], y[:m]); c != 0 {
			return c
		}
		x, y = x[n:], y[m:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(a, b))
}

// compareNumbers orders decimal numbers of any length.
func compareNumbers(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// digits is how many digits a text begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n]-'0' <= 9 {
		n++
	}
	return n
}
