package discover

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// closed makes a JSON text of the beginning of one: what is not whole at its end
// is left out, but for a string, which is cut, and what is open is closed.
func closed(text []byte) []byte {
	var open []byte // the brackets that close what is open
	good := 0       // text[:good] and open are a JSON text
	key := false    // a string here is a member's name
scan:
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case ' ', '\t', '\r', '\n', ':':
			i++
		case ',':
			key = len(open) > 0 && open[len(open)-1] == '}'
			i++
		case '{', '[':
			key = c == '{'
			open = append(open, c+2) // the closing one of ASCII
			i++
			good = i
		case '}', ']':
			if len(open) == 0 {
				break scan
			}
			open, key = open[:len(open)-1], false
			i++
			good = i
		case '"':
			end, whole := stringEnd(text, i)
			if !whole {
				if key {
					break scan
				}
				return closing(append(slices.Clip(text[:end]), '"'), open)
			}
			i = end
			if key {
				key = false
			} else {
				good = i
			}
		default: // a number or a word
			n := bytes.IndexAny(text[i:], ",]} \t\r\n")
			if n < 0 {
				break scan
			}
			i += n
			good = i
		}
	}
	return closing(slices.Clip(text[:good]), open)
}

func closing(text, open []byte) []byte {
	slices.Reverse(open)
	return append(text, open...)
}

// stringEnd is where the string ends that begins at i, or where it can be cut
// when its end is not there.
func stringEnd(text []byte, i int) (end int, whole bool) {
	for i++; i < len(text); {
		switch text[i] {
		case '"':
			return i + 1, true
		case '\\':
			size := 2
			if i+1 < len(text) && text[i+1] == 'u' {
				size = 6
			}
			if i+size > len(text) {
				return i, false
			}
			i += size
		default:
			if !utf8.FullRune(text[i:]) {
				return i, false
			}
			_, size := utf8.DecodeRune(text[i:])
			i += size
		}
	}
	return i, false
}
