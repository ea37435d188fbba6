package expr

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// token is a token of CEL's grammar.
type token struct {
	kind       tokenKind
	start, end int    // bytes in the source
	text       string // of a word or sign; of a string literal what it stands for
	num        any    // of a number: int64, uint64 or float64
}

type tokenKind uint8

const (
	endToken tokenKind = iota
	wordToken
	signToken
	numberToken
	stringToken
	bytesToken
	badToken // an issue has been noted
)

// lexer cuts a source into tokens.
type lexer struct {
	src    string
	at     int
	issues *issues
}

func (l *lexer) next() token {
	l.skip()
	t := token{start: l.at, end: l.at}
	if l.at == len(l.src) {
		return t
	}
	rest := l.src[l.at:]
	switch c := rest[0]; {
	case isLetter(c):
		if n := stringPrefix(rest); n >= 0 {
			return l.string(n)
		}
		n := 1
		for n < len(rest) && (isLetter(rest[n]) || isDigit(rest[n])) {
			n++
		}
		t.kind, t.end = wordToken, l.at+n
	case isDigit(c), c == '.' && len(rest) > 1 && isDigit(rest[1]):
		return l.number()
	case c == '"' || c == '\'':
		return l.string(0)
	default:
		t.kind, t.end = signToken, l.at+1
		for _, two := range [...]string{"&&", "||", "==", "!=", "<=", ">="} {
			if strings.HasPrefix(rest, two) {
				t.end++
			}
		}
		if t.end == l.at+1 && !strings.ContainsRune("!<>+-*/%?:.,()[]{}", rune(c)) {
			_, size := utf8.DecodeRuneInString(rest)
			t.kind, t.end = badToken, l.at+size
			hint := map[byte]string{'=': "equality is ==", '&': "and is &&", '|': "or is ||"}[c]
			l.issues.add(l.at, size, fmt.Sprintf("unexpected %q", rest[:size]), hint)
		}
	}
	t.text = l.src[t.start:t.end]
	l.at = t.end
	return t
}

// skip passes white space and comments.
func (l *lexer) skip() {
	for l.at < len(l.src) {
		switch c := l.src[l.at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			l.at++
		case strings.HasPrefix(l.src[l.at:], "//"):
			if n := strings.IndexByte(l.src[l.at:], '\n'); n >= 0 {
				l.at += n
			} else {
				l.at = len(l.src)
			}
		default:
			return
		}
	}
}

func (l *lexer) number() token {
	t := token{kind: numberToken, start: l.at}
	digits := func(valid func(byte) bool) {
		for l.at < len(l.src) && valid(l.src[l.at]) {
			l.at++
		}
	}
	peek := func(i int) byte {
		if l.at+i < len(l.src) {
			return l.src[l.at+i]
		}
		return 0
	}
	float := false
	if peek(0) == '0' && peek(1) == 'x' && isHex(peek(2)) {
		l.at += 2
		digits(isHex)
	} else {
		digits(isDigit)
		if peek(0) == '.' && isDigit(peek(1)) {
			float = true
			l.at++
			digits(isDigit)
		}
		sign := 1
		if c := peek(1); c == '+' || c == '-' {
			sign = 2
		}
		if c := peek(0); (c == 'e' || c == 'E') && isDigit(peek(sign)) {
			float = true
			l.at += sign
			digits(isDigit)
		}
	}
	t.text = l.src[t.start:l.at]
	var err error
	switch {
	case float:
		t.num, err = strconv.ParseFloat(t.text, 64)
	case peek(0) == 'u' || peek(0) == 'U':
		t.num, err = strconv.ParseUint(t.text, 0, 64)
		l.at++
	default:
		t.num, err = parseInt(t.text)
	}
	t.end = l.at
	if err != nil {
		t.kind = badToken
		l.issues.add(t.start, t.end-t.start, "number out of range", "")
	}
	return t
}

// parseInt reads an integer that may be the absolute value of the smallest one:
// its sign is a token before it.
func parseInt(s string) (any, error) {
	base := 10
	if strings.HasPrefix(s, "0x") {
		s, base = s[2:], 16
	}
	n, err := strconv.ParseUint(s, base, 64)
	if err == nil && n > 1<<63 {
		err = strconv.ErrRange
	}
	if n == 1<<63 {
		return smallest{}, err
	}
	return int64(n), err
}

// smallest is the number 1<<63, which stands only after a minus.
type smallest struct{}

// stringPrefix is the length of what stands before the quote of a string
// literal, such as r or b; -1 when rest is none.
func stringPrefix(rest string) int {
	for i := 0; i < len(rest) && i < 3; i++ {
		switch c := rest[i] | 0x20; {
		case rest[i] == '"' || rest[i] == '\'':
			return i
		case c != 'r' && c != 'b':
			return -1
		}
	}
	return -1
}

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isHex(c byte) bool    { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
