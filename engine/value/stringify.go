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
	if v.d == nil {
		return append(dst, "null"...)
	}
	n := v.node()
	switch n.kind {
	case Number:
		return v.appendNumber(dst)
	case String:
		return v.appendQuoted(dst)
	case Array:
		dst = append(dst, '[')
		for i := v.i + 1; i < n.next; i = v.d.nodes[i].next {
			dst = append(Value{v.d, i}.appendJSON(dst, sorted), ',')
		}
		return closed(dst, ']')
	case Object:
		dst = append(dst, '{')
		if sorted || !v.ordered() {
			for _, m := range v.distinct(sorted) {
				dst = m.value.appendMember(dst, sorted)
			}
			return closed(dst, '}')
		}
		for k := v.i + 1; k < n.next; k = v.d.nodes[k].next {
			dst = Value{v.d, k + 1}.appendMember(dst, sorted)
		}
		return closed(dst, '}')
	}
	return append(dst, v.Raw()...)
}

// appendMember appends the member whose value is v, and a comma.
func (v Value) appendMember(dst []byte, sorted bool) []byte {
	dst = Value{v.d, v.i - 1}.appendQuoted(dst)
	dst = append(dst, ':')
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

// appendQuoted appends a string or a member's name.
func (v Value) appendQuoted(dst []byte) []byte {
	n := v.node()
	raw := v.d.src[n.start:n.end]
	if n.flags&flagEscaped == 0 {
		return append(dst, raw...)
	}
	dst = AppendText(append(dst, '"'), raw[1:len(raw)-1])
	return append(dst, '"')
}

// ordered reports whether an object's members can be written as they stand: no
// name twice, none that is an array index.
func (v Value) ordered() bool {
	nodes, end := v.d.nodes, v.node().next
	count, escaped := 0, false
	for k := v.i + 1; k < end; k = nodes[k].next {
		b := Name{v.d, k}.Body()
		if len(b) > 0 && (b[0]-'0' <= 9 || b[0] == '\\') {
			if _, ok := arrayIndex(Name{v.d, k}.String()); ok {
				return false
			}
		}
		escaped = escaped || nodes[k].flags != 0
		count++
	}
	if count > 16 || escaped {
		seen := make(map[string]struct{}, count)
		for k := v.i + 1; k < end; k = nodes[k].next {
			seen[Name{v.d, k}.String()] = struct{}{}
		}
		return len(seen) == count
	}
	for a := v.i + 1; a < end; a = nodes[a].next {
		name := Name{v.d, a}.Body()
		for b := nodes[a].next; b < end; b = nodes[b].next {
			if bytes.Equal(name, Name{v.d, b}.Body()) {
				return false
			}
		}
	}
	return true
}

type member struct {
	name  string
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
		list = append(list, member{k, m})
	}
	if sorted {
		slices.SortFunc(list, func(a, b member) int { return CompareUTF16(a.name, b.name) })
		return list
	}
	slices.SortStableFunc(list, func(a, b member) int {
		i, ok := arrayIndex(a.name)
		j, ok2 := arrayIndex(b.name)
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
	if integer && len(raw) < len("1000000000000000000000") { // 1e+21
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
