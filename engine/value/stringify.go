package value

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendJSON appends v as JSON.stringify(JSON.parse(source)) prints it: no white
// space, escapes in the form of text, numbers as JavaScript formats them, of
// members with one name the last value at the first one's place, names that are
// array indexes first in ascending order. One thing is kept that JavaScript
// loses: an integer that a double cannot hold keeps its digits.
func (v Value) AppendJSON(dst []byte) []byte { return v.appendJSON(dst, false) }

// AppendSorted is AppendJSON with every object's members sorted by the UTF-16
// code units of their names.
func (v Value) AppendSorted(dst []byte) []byte { return v.appendJSON(dst, true) }

func (v Value) appendJSON(dst []byte, sorted bool) []byte {
	switch v.Kind() {
	case Null:
		return append(dst, "null"...)
	case Bool:
		return append(dst, v.Raw()...)
	case Number:
		return v.appendNumber(dst)
	case String:
		return v.appendQuoted(dst)
	case Array:
		dst = append(dst, '[')
		for i := range v.Items() {
			dst = append(i.appendJSON(dst, sorted), ',')
		}
		return closed(dst, ']')
	}
	dst = append(dst, '{')
	if sorted || !v.ordered() {
		for _, m := range v.distinct(sorted) {
			dst = appendMember(dst, m.name, m.value, sorted)
		}
		return closed(dst, '}')
	}
	for n, m := range v.Members() {
		dst = appendMember(dst, n, m, sorted)
	}
	return closed(dst, '}')
}

func appendMember(dst []byte, n Name, v Value, sorted bool) []byte {
	dst = append(dst, '"')
	dst = AppendText(dst, n.Body())
	dst = append(dst, '"', ':')
	return append(v.appendJSON(dst, sorted), ',')
}

// closed ends a container, over the comma after its last item.
func closed(dst []byte, end byte) []byte {
	if last := len(dst) - 1; dst[last] == ',' {
		dst[last] = end
		return dst
	}
	return append(dst, end)
}

func (v Value) appendQuoted(dst []byte) []byte {
	if !v.Escaped() {
		return append(dst, v.Raw()...)
	}
	dst = append(dst, '"')
	dst = AppendText(dst, v.Body())
	return append(dst, '"')
}

// ordered reports whether an object's members can be written as they stand: no
// name twice, none that is an array index.
func (v Value) ordered() bool {
	count := 0
	for n := range v.Members() {
		b := n.Body()
		if len(b) == 0 || b[0]-'0' <= 9 || b[0] == '\\' {
			if _, ok := arrayIndex(n.String()); ok {
				return false
			}
		}
		count++
	}
	if count > 16 {
		seen := make(map[string]struct{}, count)
		for n := range v.Members() {
			seen[n.String()] = struct{}{}
		}
		return len(seen) == count
	}
	end := v.node().next
	for a := v.i + 1; a < end; a = v.d.nodes[a].next {
		name := Name{v.d, a}
		for b := v.d.nodes[a].next; b < end; b = v.d.nodes[b].next {
			other := Name{v.d, b}
			if len(name.Body()) == len(other.Body()) || v.d.nodes[a].flags|v.d.nodes[b].flags != 0 {
				if name.String() == other.String() {
					return false
				}
			}
		}
	}
	return true
}

type member struct {
	name  Name
	key   string
	value Value
}

// distinct gives an object's members as JavaScript would list them.
func (v Value) distinct(sorted bool) []member {
	var list []member
	at := map[string]int{}
	for n, m := range v.Members() {
		k := n.String()
		if i, ok := at[k]; ok {
			list[i].value = m
			continue
		}
		at[k] = len(list)
		list = append(list, member{n, k, m})
	}
	if sorted {
		slices.SortFunc(list, func(a, b member) int { return CompareUTF16(a.key, b.key) })
		return list
	}
	slices.SortStableFunc(list, func(a, b member) int {
		i, ok := arrayIndex(a.key)
		j, ok2 := arrayIndex(b.key)
		switch {
		case ok && ok2:
			return int(i) - int(j)
		case ok:
			return -1
		case ok2:
			return 1
		}
		return 0
	})
	return list
}

// arrayIndex reports whether JavaScript takes a member name for an index.
func arrayIndex(s string) (uint32, bool) {
	if s == "" || len(s) > 10 || s[0] == '0' && len(s) > 1 || s[0]-'0' > 9 {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 10, 32)
	return uint32(n), err == nil && n < math.MaxUint32
}

// CompareUTF16 orders strings by UTF-16 code units.
func CompareUTF16(a, b string) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] == b[i] {
			continue
		}
		// UTF-8 has the same order but for characters beyond U+FFFF, which begin
		// with a byte over those of U+E000 and on.
		if a[i] < 0xee && b[i] < 0xee {
			return int(a[i]) - int(b[i])
		}
		return slices.Compare(utf16Of(a[i:]), utf16Of(b[i:]))
	}
	return len(a) - len(b)
}

// utf16Of gives the UTF-16 code units of a decoded string.
func utf16Of(s string) (units []uint16) {
	for len(s) > 0 {
		if r := surrogate(s); r >= 0 {
			units = append(units, uint16(r))
			s = s[3:]
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		units = utf16.AppendRune(units, r)
		s = s[size:]
	}
	return units
}

func (v Value) appendNumber(dst []byte) []byte {
	raw := v.Raw()
	integer := v.node().flags&flagFloat == 0
	if integer && len(raw) <= 15 {
		if string(raw) == "-0" {
			raw = raw[1:]
		}
		return append(dst, raw...)
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if integer {
		at := len(dst)
		dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
		exact := err == nil && bytes.Equal(dst[at:], raw)
		dst = dst[:at]
		if !exact {
			return append(dst, raw...)
		}
	}
	if err != nil {
		return append(dst, "null"...) // beyond the range: JavaScript's Infinity
	}
	return AppendNumber(dst, f)
}

// AppendNumber appends a finite number as JavaScript's String(n) prints it.
func AppendNumber(dst []byte, f float64) []byte {
	if f == 0 {
		return append(dst, '0')
	}
	if abs := math.Abs(f); abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	at := len(dst)
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// Go pads the exponent to two digits.
	if n := len(dst); n-at > 3 && dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}
