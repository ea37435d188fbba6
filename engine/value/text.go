package value

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// Text in this package is the body of a JSON string literal, without quotes, in
// the one form that JavaScript's JSON.stringify writes: `\" \\ \b \f \n \r \t`
// for those, \u00xx in lower case for other controls, \udxxx for lone
// surrogates, all else raw. It is what is measured, cut, hashed and written.

// AppendText appends the literal body b in that form.
func AppendText(dst, body []byte) []byte {
	for {
		i := textLen(body)
		dst = append(dst, body[:i]...)
		if body = body[i:]; len(body) == 0 {
			return dst
		}
		r, n := unescape(body)
		dst = appendEscaped(dst, r)
		body = body[n:]
	}
}

// IsText reports whether AppendText would change nothing.
func IsText(body []byte) bool { return textLen(body) == len(body) }

// textLen is how much of body AppendText would leave as it is.
func textLen(body []byte) int {
	i := 0
	for {
		n := bytes.IndexByte(body[i:], '\\')
		if n < 0 || i+n+1 >= len(body) {
			return len(body)
		}
		i += n
		switch body[i+1] {
		case '/':
			return i
		case 'u':
			r, size := unescape(body[i:])
			if size != 6 || !isTextEscape(body[i+2:i+6], r) {
				return i
			}
			i += 6
		default:
			i += 2
		}
	}
}

// isTextEscape reports whether JSON.stringify would write r as \u plus hex.
func isTextEscape(hex []byte, r rune) bool {
	for _, c := range hex {
		if c >= 'A' && c <= 'F' {
			return false
		}
	}
	if r < 0x20 {
		return r != '\b' && r != '\f' && r != '\n' && r != '\r' && r != '\t'
	}
	return isSurrogate(r)
}

func isSurrogate(r rune) bool { return r >= 0xd800 && r <= 0xdfff }

// unescape reads the escape at the start of b, a surrogate pair as one.
func unescape(b []byte) (r rune, size int) {
	switch b[1] {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		r, ok := hex4(b[2:])
		if !ok {
			return utf8.RuneError, 2
		}
		if r >= 0xd800 && r <= 0xdbff && len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
			if low, ok := hex4(b[8:]); ok && low >= 0xdc00 && low <= 0xdfff {
				return (r-0xd800)<<10 + low - 0xdc00 + 0x10000, 12
			}
		}
		return r, 6
	}
	return rune(b[1]), 2
}

// AppendDecoded appends what the literal body stands for. A lone surrogate is
// appended in the three bytes that UTF-8 would give it.
func AppendDecoded(dst, body []byte) []byte {
	for {
		i := bytes.IndexByte(body, '\\')
		if i < 0 || i+1 >= len(body) {
			return append(dst, body...)
		}
		dst = append(dst, body[:i]...)
		r, n := unescape(body[i:])
		dst = appendRune(dst, r)
		body = body[i+n:]
	}
}

func appendRune(dst []byte, r rune) []byte {
	if isSurrogate(r) {
		return append(dst, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
	}
	return utf8.AppendRune(dst, r)
}

// decodesTo reports whether the literal body stands for s.
func decodesTo(body []byte, s string) bool {
	var buf [utf8.UTFMax]byte
	for {
		i := bytes.IndexByte(body, '\\')
		if i < 0 || i+1 >= len(body) {
			return string(body) == s
		}
		r, n := unescape(body[i:])
		c := appendRune(buf[:0], r)
		if len(s) < i+len(c) || string(body[:i]) != s[:i] || string(c) != s[i:i+len(c)] {
			return false
		}
		body, s = body[i+n:], s[i+len(c):]
	}
}

const hexDigits = "0123456789abcdef"

func appendEscaped(dst []byte, r rune) []byte {
	switch r {
	case '"':
		return append(dst, '\\', '"')
	case '\\':
		return append(dst, '\\', '\\')
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	if r < 0x20 || isSurrogate(r) {
		return append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
	}
	return utf8.AppendRune(dst, r)
}

// AppendEncoded appends the text of a decoded string: the inverse of
// AppendDecoded. Bytes that are not UTF-8 become U+FFFD.
func AppendEncoded[S ~string | ~[]byte](dst []byte, s S) []byte {
	at := len(dst)
	start := 0
	for i := 0; ; {
		i += plainLen(s[i:])
		if i == len(s) {
			break
		}
		r, size := rune(s[i]), 1
		if r == 0xed {
			if r, size = surrogates(s[i:]); size == 0 {
				i++
				continue
			}
		}
		dst = append(dst, s[start:i]...)
		dst = appendEscaped(dst, r)
		i += size
		start = i
	}
	dst = append(dst, s[start:]...)
	if !utf8.Valid(dst[at:]) {
		dst = append(dst[:at], string([]rune(string(dst[at:])))...)
	}
	return dst
}

// plainLen is how many bytes at the start of s stand for themselves in text;
// 0xed may begin a surrogate.
func plainLen[S ~string | ~[]byte](s S) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(s); i += 8 {
		b := s[i : i+8]
		w := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		ed := w ^ ones*0xed
		if m := special(w) | (ed-ones)&^ed&high; m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for i < len(s) && s[i] >= 0x20 && s[i] != '"' && s[i] != '\\' && s[i] != 0xed {
		i++
	}
	return i
}

// surrogates reads the surrogate at the start of s, a pair as one character.
func surrogates[S ~string | ~[]byte](s S) (r rune, size int) {
	r = surrogate(s)
	if r < 0 {
		return 0, 0
	}
	if r < 0xdc00 && len(s) > 3 {
		if low := surrogate(s[3:]); low >= 0xdc00 {
			return utf16.DecodeRune(r, low), 6
		}
	}
	return r, 3
}

// surrogate is the surrogate that the three bytes at the start of s stand for,
// or -1.
func surrogate[S ~string | ~[]byte](s S) rune {
	if len(s) < 3 || s[0] != 0xed || s[1] < 0xa0 || s[1] > 0xbf || s[2]&0xc0 != 0x80 {
		return -1
	}
	return 0xd000 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f)
}

// CodePoints is the number of code points of a text: an escape, like a lone
// surrogate, counts as one.
func CodePoints(text []byte) int {
	n := runeCount(text)
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return n
		}
		size := textEscapeLen(text[i:])
		n -= size - 1
		text = text[i+size:]
	}
}

// runeCount is the number of characters of valid UTF-8. It counts the bytes that
// do not continue one; the standard library's copies b where it is not ASCII.
func runeCount(b []byte) int {
	const high = 0x8080808080808080
	n := len(b)
	for ; len(b) >= 8; b = b[8:] {
		w := binary.LittleEndian.Uint64(b)
		n -= bits.OnesCount64(w &^ (w << 1) & high)
	}
	for _, c := range b {
		if c&0xc0 == 0x80 {
			n--
		}
	}
	return n
}

// textEscapeLen is the length of an escape in text.
func textEscapeLen(b []byte) int {
	if len(b) >= 6 && b[1] == 'u' {
		return 6
	}
	return min(2, len(b))
}

// Head is the length in bytes of the first n code points of a text.
func Head(text []byte, n int) int {
	i := 0
	for ; n > 0 && i < len(text); n-- {
		if text[i] == '\\' {
			i += textEscapeLen(text[i:])
			continue
		}
		_, size := utf8.DecodeRune(text[i:])
		i += size
	}
	return min(i, len(text))
}
