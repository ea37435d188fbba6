package expr

import (
	"bytes"
	"unicode/utf8"

	"github.com/trajmap/trajmap/engine/value"
)

// What expressions do to strings is done on the bytes of their literals where
// these are the string itself, which is where they hold no escape; else on a
// decoded copy in the scope's scratch.

// decode is a string's decoded bytes, valid until the next use of the scratch.
func (s *Scope) decode(v value.Value) []byte {
	if !v.Escaped() {
		return v.Body()
	}
	s.buf = value.AppendDecoded(s.buf[:0], v.Body())
	return s.buf
}

// sub is the string of a part of what decode gave for v.
func (s *Scope) sub(v value.Value, part []byte) value.Value {
	if !v.Escaped() {
		return s.Arena.Text(func(dst []byte) []byte { return append(dst, part...) })
	}
	return s.Arena.Text(func(dst []byte) []byte { return value.AppendEncoded(dst, part) })
}

// join joins strings by their literals.
func (s *Scope) join(parts []value.Value, sep value.Value) value.Value {
	return s.Arena.Text(func(dst []byte) []byte {
		for i, v := range parts {
			if i > 0 {
				dst = value.AppendText(dst, sep.Body())
			}
			dst = value.AppendText(dst, v.Body())
		}
		return dst
	})
}

// prefixed reports whether a literal body begins, decoded, with another.
func prefixed(body, prefix []byte) bool {
	for i, c := range prefix {
		switch {
		case i == len(body):
			return false
		case c == '\\' || body[i] == '\\':
			return prefixedDecoded(body[i:], prefix[i:])
		case c != body[i]:
			return false
		}
	}
	return true
}

func prefixedDecoded(body, prefix []byte) bool {
	const longest = 12 // of an escape, for at least one byte
	var a, b [128]byte
	want := value.AppendDecoded(a[:0], prefix)
	have := value.AppendDecoded(b[:0], body[:min(len(body), longest*(len(want)+1))])
	return bytes.HasPrefix(have, want)
}

// startsAny reports whether the string v, left-trimmed, begins with a string of
// the list prefixes.
func startsAny(v, prefixes value.Value) bool {
	rest := v.Body()
	if v.Escaped() {
		rest = skipSpace(rest)
	} else {
		rest = trimmedLeft(rest)
	}
	for p := range prefixes.Items() {
		if p.IsString() && prefixed(rest, p.Body()) {
			return true
		}
	}
	return false
}

// skipSpace passes white space, escaped or not, at the start of a literal body.
func skipSpace(b []byte) []byte {
	for len(b) > 0 {
		if b[0] != '\\' {
			r, n := utf8.DecodeRune(b)
			if !isSpace(r) {
				return b
			}
			b = b[n:]
			continue
		}
		n := 2
		if len(b) >= 6 && b[1] == 'u' {
			n = 6
		}
		var buf [8]byte
		r, _ := utf8.DecodeRune(value.AppendDecoded(buf[:0], b[:min(n, len(b))]))
		if !isSpace(r) {
			return b
		}
		b = b[n:]
	}
	return b
}

func trimmedLeft(b []byte) []byte {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if !isSpace(r) {
			break
		}
		b = b[n:]
	}
	return b
}

func trimmed(b []byte) []byte {
	b = trimmedLeft(b)
	for len(b) > 0 {
		r, n := utf8.DecodeLastRune(b)
		if !isSpace(r) {
			break
		}
		b = b[:len(b)-n]
	}
	return b
}

// tight reports whether a literal body certainly has no white space at its ends.
func tight(b []byte) bool {
	n := len(b)
	if n == 0 || b[0] <= ' ' || b[0] >= utf8.RuneSelf || b[0] == '\\' || b[n-1] <= ' ' || b[n-1] >= utf8.RuneSelf {
		return n == 0
	}
	return bytes.IndexByte(b[max(0, n-6):], '\\') < 0
}

// isSpace reports whether r is white space to JavaScript, which the reference
// is written in.
func isSpace(r rune) bool {
	switch {
	case r < 0x80:
		return r == ' ' || r >= '\t' && r <= '\r'
	case r >= 0x2000 && r <= 0x200a:
		return true
	}
	switch r {
	case 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff:
		return true
	}
	return false
}

// unwrapped is what stands between <tag …> and </tag> when b begins and ends
// with them.
func unwrapped(b []byte, tag string) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(b, []byte("<"+tag))
	if !ok || len(rest) == 0 || rest[0] != '>' && !isSpace(rune(rest[0])) {
		return nil, false
	}
	_, rest, ok = bytes.Cut(rest, []byte(">"))
	if !ok {
		return nil, false
	}
	return bytes.CutSuffix(rest, []byte("</"+tag+">"))
}

// escapeSurrogates writes lone surrogates, which decoding gives three bytes
// that are not UTF-8, as escapes again: inside a JSON string that is the same.
func escapeSurrogates(b []byte) []byte {
	lone := func(b []byte) int {
		for from := 0; ; {
			i := bytes.IndexByte(b[from:], 0xed)
			if i < 0 {
				return -1
			}
			from += i + 1
			if len(b) > from+1 && b[from] >= 0xa0 {
				return from - 1
			}
		}
	}
	at := lone(b)
	if at < 0 {
		return b
	}
	var out []byte
	for ; at >= 0; at = lone(b) {
		out = append(out, b[:at]...)
		out = value.AppendEncoded(out, b[at:at+3])
		b = b[at+3:]
	}
	return append(out, b...)
}
