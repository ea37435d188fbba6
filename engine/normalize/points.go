package normalize

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// Texts are measured in code points, an escape being one, eight bytes at a time
// where that can be: a bound makes every byte of a long result pass here.
const (
	ones = 0x0101010101010101
	high = 0x8080808080808080
)

// inner marks the bytes of a word that begin no code point, with a 1 each.
func inner(w uint64) uint64 { return w >> 7 &^ (w >> 6) & ones }

// points is the number of code points of a text.
func points(text []byte) int {
	n := runes(text)
	for {
		at := bytes.IndexByte(text, '\\')
		if at < 0 {
			return n
		}
		text = text[at:]
		for len(text) > 0 && text[0] == '\\' {
			size := escapeLen(text)
			n -= size - 1
			text = text[size:]
		}
	}
}

// runes is the number of code points of UTF-8, escapes not being looked at.
func runes(b []byte) int {
	n := len(b)
	for len(b) >= 8 {
		// Each byte of sum counts one byte in eight, and must not overflow.
		var sum uint64
		left := min(len(b)/8, 255)
		for ; left >= 4; left -= 4 {
			sum += inner(binary.LittleEndian.Uint64(b)) +
				inner(binary.LittleEndian.Uint64(b[8:])) +
				inner(binary.LittleEndian.Uint64(b[16:])) +
				inner(binary.LittleEndian.Uint64(b[24:]))
			b = b[32:]
		}
		for ; left > 0; left-- {
			sum += inner(binary.LittleEndian.Uint64(b))
			b = b[8:]
		}
		const even = 0x00ff00ff00ff00ff
		sum = sum&even + sum>>8&even
		n -= int(sum * 0x0001000100010001 >> 48)
	}
	return n - rest(b)
}

// rest is the number of bytes that begin no code point.
func rest(b []byte) int {
	n := 0
	for _, c := range b {
		if !utf8.RuneStart(c) {
			n++
		}
	}
	return n
}

// prefix measures the first n code points of a text: their bytes, and the code
// points that they take once printed as JSON, where an escape is several.
func prefix(text []byte, n int) (size, printed int) {
	for n >= 8 && size+8 <= len(text) {
		w := binary.LittleEndian.Uint64(text[size:])
		slash := w ^ ones*'\\'
		// The lowest mark is exact; without one, 8 bytes are plain.
		plain := bits.TrailingZeros64((slash-ones)&^slash&high) >> 3
		count := plain - bits.OnesCount64(inner(w)&(1<<(8*plain)-1))
		size += plain
		printed += count
		n -= count
		if plain < 8 {
			e := escapeLen(text[size:])
			size += e
			printed += e
			n--
		}
	}
	for size < len(text) && !utf8.RuneStart(text[size]) {
		size++ // of a code point that its first byte has been counted for
	}
	for ; n > 0 && size < len(text); n-- {
		s, p := pointLen(text[size:])
		size += s
		printed += p
	}
	return size, printed
}

// pointLen is the length of the code point that a text begins with: in bytes, and
// in code points once it is printed as JSON.
func pointLen(text []byte) (size, printed int) {
	switch {
	case text[0] == '\\':
		n := escapeLen(text)
		return n, n
	case text[0] < utf8.RuneSelf:
		return 1, 1
	}
	_, n := utf8.DecodeRune(text)
	return n, 1
}

// escapeLen is the length of the escape that a text begins with.
func escapeLen(text []byte) int {
	if len(text) > 1 && text[1] == 'u' {
		return min(6, len(text))
	}
	return min(2, len(text))
}
