package frame

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// validLen is how much of b is valid UTF-8.
func validLen(b []byte) int {
	if utf8.Valid(b) {
		return len(b)
	}
	n := 0
	for n < len(b) {
		if b[n] < utf8.RuneSelf {
			n++
			continue
		}
		r, size := utf8.DecodeRune(b[n:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	return n
}

// Valid is the text of a file as frames have it: without a byte order mark, and
// what is not UTF-8 repaired, in a copy.
func Valid(b []byte) []byte {
	b = bytes.TrimPrefix(b, []byte(byteOrderMark))
	n := validLen(b)
	if n == len(b) {
		return b
	}
	return appendValid(slices.Clone(b[:n]), b[n:])
}

// appendValid appends b, each part that is not UTF-8 as one U+FFFD. Parts are
// cut as the WHATWG's decoder cuts them, which is what JavaScript reads files
// with: a sequence that breaks off is one part as far as it was possible.
func appendValid(dst, b []byte) []byte {
	for len(b) > 0 {
		n := validLen(b)
		dst = append(dst, b[:n]...)
		b = b[n:]
		if len(b) > 0 {
			dst = append(dst, "\uFFFD"...)
			b = b[brokenLen(b):]
		}
	}
	return dst
}

// brokenLen is the length of the part of an invalid sequence, at the start of
// b, that could have become a valid one.
func brokenLen(b []byte) int {
	size, low, high := 1, byte(0x80), byte(0xbf)
	switch c := b[0]; {
	case c >= 0xc2 && c <= 0xdf:
		size = 2
	case c >= 0xe0 && c <= 0xef:
		size = 3
		if c == 0xe0 {
			low = 0xa0
		} else if c == 0xed {
			high = 0x9f
		}
	case c >= 0xf0 && c <= 0xf4:
		size = 4
		if c == 0xf0 {
			low = 0x90
		} else if c == 0xf4 {
			high = 0x8f
		}
	}
	n := 1
	for n < size && n < len(b) && b[n] >= low && b[n] <= high {
		n++
		low, high = 0x80, 0xbf
	}
	return n
}
