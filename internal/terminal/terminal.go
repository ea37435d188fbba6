// Package terminal puts text on a terminal: how wide the terminal is and how wide
// characters are, where lines are broken, and how text that others wrote is kept
// from steering it.
package terminal

import (
	"strings"
	"unicode"
)

// Cells is how many columns a text takes.
func Cells(s string) int {
	n := 0
	for _, r := range s {
		n += cells(r)
	}
	return n
}

// cells is how many columns a character takes. What combines with the one before
// it takes none.
func cells(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	for _, w := range wide {
		if r < w.first {
			return 1
		}
		if r <= w.last {
			return 2
		}
	}
	return 1
}

// wide are the characters that take two columns, in order: those of East Asia
// and pictures.
var wide = []struct{ first, last rune }{
	{0x1100, 0x115f}, {0x231a, 0x231b}, {0x23e9, 0x23ec}, {0x2614, 0x2615}, {0x2648, 0x2653}, {0x26a1, 0x26a1},
	{0x2705, 0x2705}, {0x270a, 0x270b}, {0x2728, 0x2728}, {0x274c, 0x274c}, {0x274e, 0x274e}, {0x2753, 0x2757},
	{0x2795, 0x2797}, {0x2b1b, 0x2b1c}, {0x2b50, 0x2b50}, {0x2b55, 0x2b55}, {0x2e80, 0x303e}, {0x3041, 0xa4cf},
	{0xa960, 0xa97f}, {0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6},
	{0x16fe0, 0x18aff}, {0x1b000, 0x1b2ff}, {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f18e},
	{0x1f191, 0x1f19a}, {0x1f200, 0x1f320}, {0x1f32d, 0x1f335}, {0x1f337, 0x1f37c}, {0x1f37e, 0x1f393},
	{0x1f3a0, 0x1f3ca}, {0x1f3cf, 0x1f3d3}, {0x1f3e0, 0x1f3f0}, {0x1f3f4, 0x1f3f4}, {0x1f3f8, 0x1f43e},
	{0x1f440, 0x1f440}, {0x1f442, 0x1f4fc}, {0x1f4ff, 0x1f53d}, {0x1f54b, 0x1f567}, {0x1f595, 0x1f596},
	{0x1f5a4, 0x1f5a4}, {0x1f5fb, 0x1f64f}, {0x1f680, 0x1f6c5}, {0x1f6cc, 0x1f6cc}, {0x1f6d0, 0x1f6d2},
	{0x1f6d5, 0x1f6d7}, {0x1f6dc, 0x1f6df}, {0x1f6eb, 0x1f6ec}, {0x1f6f4, 0x1f6fc}, {0x1f7e0, 0x1f7eb},
	{0x1f90c, 0x1f93a}, {0x1f93c, 0x1f945}, {0x1f947, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd},
}

// Cut is the beginning of a text that fits; what is left out shows as an
// ellipsis.
func Cut(s string, width int) string {
	if Cells(s) <= width {
		return s
	}
	n := 0
	for i, r := range s {
		if n += cells(r); n > width-1 {
			return s[:i] + "…"
		}
	}
	return s
}

// CutLeft is the end of a text that fits, after an ellipsis.
func CutLeft(s string, width int) string {
	over := Cells(s) - width + 1
	if over <= 1 {
		return s
	}
	for i, r := range s {
		if over <= 0 {
			return "…" + s[i:]
		}
		over -= cells(r)
	}
	return "…"
}

// Plain makes a text harmless that others wrote: what would steer the terminal or
// turn the direction of writing shows as a symbol. Tabs and line breaks stay.
func Plain(s string) string {
	if !strings.ContainsFunc(s, steers) && !strings.Contains(s, "\r\n") {
		return s
	}
	var b strings.Builder
	for _, r := range strings.ReplaceAll(s, "\r\n", "\n") {
		switch {
		case !steers(r):
			b.WriteRune(r)
		case r < 0x20:
			b.WriteRune(0x2400 + r) // the symbol for it
		case r == 0x7f:
			b.WriteRune(0x2421)
		default:
			b.WriteRune(unicode.ReplacementChar)
		}
	}
	return b.String()
}

func steers(r rune) bool {
	return r != '\n' && r != '\t' && unicode.IsControl(r) ||
		r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f
}

// Line is a plain text on one line.
func Line(s string) string {
	return Plain(strings.Join(strings.Fields(s), " "))
}

// Wrap breaks a text into lines that fit, at blanks where there are any. The
// line breaks and the indentation that it has stay; tabs become blanks.
func Wrap(s string, width int) []string {
	var out []string
	for line := range strings.SplitSeq(s, "\n") {
		out = append(out, wrapLine(expand(line), max(width, 8))...)
	}
	return out
}

func expand(line string) string {
	const stop = 4
	for {
		before, after, found := strings.Cut(line, "\t")
		if !found {
			return line
		}
		line = before + strings.Repeat(" ", stop-Cells(before)%stop) + after
	}
}

func wrapLine(line string, width int) (out []string) {
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	if len(indent) > width/2 {
		indent = ""
	}
	for Cells(line) > width {
		at, blank, n := 0, -1, 0
		for i, r := range line {
			if r == ' ' && i > len(indent) {
				blank = i
			}
			if n += cells(r); n > width {
				at = i
				break
			}
		}
		rest := ""
		if blank > 0 {
			line, rest = line[:blank], strings.TrimLeft(line[blank:], " ")
		} else {
			line, rest = line[:at], line[at:]
		}
		out = append(out, strings.TrimRight(line, " "))
		if rest == "" {
			return out
		}
		line = indent + rest
	}
	return append(out, strings.TrimRight(line, " "))
}
