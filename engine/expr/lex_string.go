package expr

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// string reads a string or bytes literal with a prefix of n letters.
func (l *lexer) string(n int) token {
	t := token{kind: stringToken, start: l.at}
	prefix := strings.ToLower(l.src[l.at : l.at+n])
	raw := strings.Contains(prefix, "r")
	if strings.Contains(prefix, "b") {
		t.kind = bytesToken
	}
	l.at += n
	quote := l.src[l.at : l.at+1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(l.src[l.at:], long) {
		quote = long
	}
	l.at += len(quote)
	b := strings.Builder{}
	for {
		rest := l.src[l.at:]
		switch {
		case strings.HasPrefix(rest, quote):
			l.at += len(quote)
			t.end, t.text = l.at, b.String()
			return t
		case rest == "" || len(quote) == 1 && (rest[0] == '\n' || rest[0] == '\r'):
			l.issues.add(t.start, len(quote), "this string has no end", "")
			t.kind, t.end = badToken, l.at
			return t
		case rest[0] == '\\' && !raw:
			size, ok := unescape(&b, rest, t.kind == bytesToken)
			if !ok {
				l.issues.add(l.at, size, "invalid escape", "in a raw string, r\"…\", a backslash is itself")
			}
			l.at += size
		default:
			b.WriteByte(rest[0])
			l.at++
		}
	}
}

// unescape writes what the escape at the start of s stands for.
func unescape(b *strings.Builder, s string, bytes bool) (size int, ok bool) {
	if len(s) < 2 {
		return len(s), false
	}
	if i := strings.IndexByte(`abfnrtv\?"'`+"`", s[1]); i >= 0 {
		b.WriteByte("\a\b\f\n\r\t\v\\?\"'`"[i])
		return 2, true
	}
	at, digits, base := 2, 0, 16
	switch s[1] {
	case 'x', 'X':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	case '0', '1', '2', '3':
		at, digits, base = 1, 3, 8
	}
	if digits == 0 || len(s) < at+digits || bytes && (s[1] == 'u' || s[1] == 'U') {
		return 2, false
	}
	n, err := strconv.ParseUint(s[at:at+digits], base, 32)
	switch {
	case err != nil:
		return 2, false
	case bytes:
		b.WriteByte(byte(n))
	case !utf8.ValidRune(rune(n)):
		return at + digits, false
	default:
		b.WriteRune(rune(n))
	}
	return at + digits, true
}
