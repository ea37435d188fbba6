package normalize

import (
	"bytes"
	"unicode/utf8"
)

// noise begins what a harness writes as if its user had typed it.
var noise = [][]byte{
	[]byte("<local-command-caveat>"),
	[]byte("<command-name>"),
	[]byte("<command-message>"),
	[]byte("<local-command-stdout>"),
	[]byte("<local-command-stderr>"),
	[]byte("<task-notification"),
}

// isNoise reports whether trimmed user text is a harness's own.
func isNoise(trimmed []byte) bool {
	if len(trimmed) == 0 || trimmed[0] != '<' {
		return false
	}
	for _, prefix := range noise {
		if bytes.HasPrefix(trimmed, prefix) {
			return true
		}
	}
	return false
}

// trimLeft cuts the white space at the start of a text, as String.trimStart of
// JavaScript defines it. Most texts begin with a letter.
func trimLeft(text []byte) []byte {
	for len(text) > 0 {
		n := spaceLen(text)
		if n == 0 {
			break
		}
		text = text[n:]
	}
	return text
}

// spaceLen is the length of the white space character that text begins with, 0
// when it begins with none.
func spaceLen(text []byte) int {
	switch c := text[0]; {
	case c == ' ':
		return 1
	case c == '\\':
		if len(text) > 1 {
			switch text[1] {
			case 't', 'n', 'f', 'r':
				return 2
			}
		}
		if bytes.HasPrefix(text, []byte(`\u000b`)) {
			return 6
		}
	case c >= utf8.RuneSelf:
		r, size := utf8.DecodeRune(text)
		switch {
		case r == 0xa0, r == 0x1680, r >= 0x2000 && r <= 0x200a, r == 0x2028, r == 0x2029,
			r == 0x202f, r == 0x205f, r == 0x3000, r == 0xfeff:
			return size
		}
	}
	return 0
}
