package convert

import (
	"strconv"
	"strings"

	"github.com/trajmap/trajmap/engine/session"
	"github.com/trajmap/trajmap/engine/value"
)

// ArgumentsReencoded is the code of arguments with numbers that the target's
// program, which keeps them as doubles, has otherwise.
const ArgumentsReencoded = "arguments_reencoded"

// reencoded counts the calls whose arguments change at a program that keeps
// numbers as doubles.
func reencoded(s *session.Session) (n int) {
	for _, c := range s.Calls {
		text := c.Args.String()
		if !perhapsLossy(text) {
			continue
		}
		var doc value.Doc
		if doc.Parse([]byte(text)) == nil && lossy(doc.Root()) {
			n++
		}
	}
	return n
}

// perhapsLossy reports whether a JSON text has what could be a number that no
// double holds: many digits in a row, or an exponent.
func perhapsLossy(text string) bool {
	digits := 0
	for i := range len(text) {
		switch c := text[i]; {
		case '0' <= c && c <= '9':
			if digits++; digits == 16 {
				return true
			}
		case digits > 0 && c|0x20 == 'e':
			return true
		default:
			digits = 0
		}
	}
	return false
}

// lossy reports whether a value has a number that no double holds: an integer of
// too many digits, or one out of range.
func lossy(v value.Value) bool {
	switch v.Kind() {
	case value.Number:
		f, ok := v.Float()
		raw := strings.TrimPrefix(string(v.Raw()), "-")
		return !ok || !strings.ContainsAny(raw, ".eE") && strings.TrimPrefix(strconv.FormatFloat(f, 'f', -1, 64), "-") != raw
	case value.Array:
		for item := range v.Items() {
			if lossy(item) {
				return true
			}
		}
	case value.Object:
		for _, item := range v.Members() {
			if lossy(item) {
				return true
			}
		}
	}
	return false
}

// doubled is a JSON text as a program has it that keeps numbers as doubles, in
// one form for all that mean the same.
func doubled(t session.Text) string {
	var doc value.Doc
	if doc.Parse([]byte(sorted(t))) != nil {
		return t.String()
	}
	return string(appendDoubled(nil, doc.Root()))
}

func appendDoubled(dst []byte, v value.Value) []byte {
	switch v.Kind() {
	case value.Number:
		f, ok := v.Float()
		if !ok {
			return append(dst, "null"...) // JavaScript's Infinity
		}
		return value.AppendNumber(dst, f)
	case value.Array:
		dst = append(dst, '[')
		for item := range v.Items() {
			dst = append(appendDoubled(dst, item), ',')
		}
		return append(dst, ']')
	case value.Object:
		dst = append(dst, '{')
		for name, item := range v.Members() {
			dst = append(append(append(dst, '"'), name.Body()...), `":`...)
			dst = append(appendDoubled(dst, item), ',')
		}
		return append(dst, '}')
	}
	return v.AppendJSON(dst)
}
