package value

import (
	"encoding/binary"
	"math/bits"
)

// Stop is why [ScanLiteral] went no further.
type Stop uint8

// The reasons.
const (
	Closed    Stop = iota // at the closing quote, which has been passed
	Torn                  // src ends; more of it could go on from here
	BadEscape             // before an escape that is none
	Control               // before a control character
)

func (s Stop) String() string {
	return [...]string{"closed string", "unterminated string", "invalid escape", "control character in a string"}[s]
}

// simple marks what may follow a backslash alone.
var simple = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

// ScanLiteral passes the inside of a JSON string literal from src[i] on, and its
// closing quote. It gives where it stopped, and flagEscaped if it passed an
// escape. Torn text can be scanned on from next, when more of it is known.
func ScanLiteral(src []byte, i int) (next int, flags uint8, stop Stop) {
	for {
		// Sixteen bytes at a time: a transcript is mostly long strings.
		for i+16 <= len(src) {
			b := src[i : i+16 : i+16]
			if m := special(binary.LittleEndian.Uint64(b)); m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				goto met
			}
			if m := special(binary.LittleEndian.Uint64(b[8:])); m != 0 {
				i += 8 + bits.TrailingZeros64(m)>>3
				goto met
			}
			i += 16
		}
		for i < len(src) && src[i] >= 0x20 && src[i] != '"' && src[i] != '\\' {
			i++
		}
		if i >= len(src) {
			return i, flags, Torn
		}
	met:
		if src[i] == '"' {
			return i + 1, flags, Closed
		}
		if src[i] != '\\' {
			return i, flags, Control
		}
		flags = flagEscaped
		if i+1 < len(src) && simple[src[i+1]] {
			i += 2
			if i < len(src) && src[i] == '\\' {
				goto met
			}
			continue
		}
		switch n := unicodeEscape(src[i:]); n {
		case 6:
			i += 6
		case 0:
			return i, flags, BadEscape
		default:
			return i, flags, Torn
		}
	}
}

// special marks the bytes of w that end a run of plain characters: quotes,
// backslashes and control characters. The lowest mark is exact; marks above it
// may be false.
func special(w uint64) uint64 {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	// Bit 1 flipped, a quote stands directly above the control characters.
	low := (w ^ ones*2) - ones*0x21
	slash := (w ^ ones*'\\') - ones
	return (low | slash) &^ w & high
}

// unicodeEscape is 6 when b begins with \u and four hexadecimal digits, 0 when
// it does not, and the length of b when that is too short to tell.
func unicodeEscape(b []byte) int {
	for i := 1; i < 6; i++ {
		if i >= len(b) {
			return i
		}
		if c := b[i]; i == 1 && c != 'u' || i > 1 && c-'0' > 9 && c|0x20-'a' > 5 {
			return 0
		}
	}
	return 6
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range b[:4] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
