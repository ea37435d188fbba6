package expr

import (
	"bytes"
	"math"

	"github.com/trajmap/trajmap/engine/value"
)

// equal reports whether two JSON values are equal: numbers by value, strings
// decoded, objects whatever the order of their members, which are the last ones
// of a name. Values of different types are unequal.
func (s *Scope) equal(a, b value.Value) bool {
	kind := a.Kind()
	if kind != b.Kind() {
		return false
	}
	switch kind {
	case value.Null:
		return true
	case value.Bool:
		x, _ := a.Bool()
		y, _ := b.Bool()
		return x == y
	case value.Number:
		c, ok := compareNumbers(a, b)
		return ok && c == 0
	case value.String:
		return equalStrings(a, b)
	case value.Array:
		return s.equalLists(a, b)
	}
	return s.equalObjects(a, b)
}

// equalStrings compares decoded strings.
func equalStrings(a, b value.Value) bool {
	x, y := a.Body(), b.Body()
	switch {
	case !a.Escaped() && !b.Escaped():
		return bytes.Equal(x, y)
	case a.Escaped() && b.Escaped() && bytes.Equal(x, y):
		return true
	}
	const most = 6 // bytes of a literal for one decoded byte
	if len(x) > most*len(y) || len(y) > most*len(x) {
		return false
	}
	var bufX, bufY [256]byte
	if a.Escaped() {
		x = value.AppendDecoded(bufX[:0], x)
	}
	if b.Escaped() {
		y = value.AppendDecoded(bufY[:0], y)
	}
	return bytes.Equal(x, y)
}

func (s *Scope) equalLists(a, b value.Value) bool {
	base := s.pushList(a)
	defer s.pop(base)
	i := base
	end := len(s.stack)
	for y := range b.Items() {
		if i == end || !s.equal(s.stack[i], y) {
			return false
		}
		i++
	}
	return i == end
}

func (s *Scope) equalObjects(a, b value.Value) bool {
	x, y := members(a), members(b)
	if len(x) != len(y) {
		return false
	}
	for name, v := range x {
		w, ok := y[name]
		if !ok || !s.equal(v, w) {
			return false
		}
	}
	return true
}

// members are an object's members; of those with one name the last.
func members(v value.Value) map[string]value.Value {
	m := map[string]value.Value{}
	for name, item := range v.Members() {
		m[name.String()] = item
	}
	return m
}

// number is a JSON number as CEL has it: an integer when it is written as one
// and fits 64 bits, else a double.
type number struct {
	isInt bool
	n     int64
	f     float64
}

func numberOf(v value.Value) (number, bool) {
	if n, ok := v.Int(); ok {
		return number{isInt: true, n: n}, true
	}
	f, ok := v.Float()
	if !ok && v.Kind() == value.Number { // beyond what a double holds
		f, ok = math.Inf(1), true
		if v.Raw()[0] == '-' {
			f = -f
		}
	}
	return number{f: f}, ok
}

// compareNumbers gives -1, 0 or 1; ok is false when one is no number.
func compareNumbers(a, b value.Value) (int, bool) {
	x, ok := numberOf(a)
	if !ok {
		return 0, false
	}
	y, ok := numberOf(b)
	if !ok {
		return 0, false
	}
	return x.compare(y), true
}

func (x number) compare(y number) int {
	switch {
	case x.isInt && y.isInt:
		return order(x.n, y.n)
	case x.isInt:
		return -compareMixed(y.f, x.n)
	case y.isInt:
		return compareMixed(x.f, y.n)
	}
	return order(x.f, y.f)
}

// compareMixed is CEL's: the integer is rounded to a double, unless the double
// is beyond the integers.
func compareMixed(f float64, n int64) int {
	switch {
	case f < math.MinInt64:
		return -1
	case f > math.MaxInt64:
		return 1
	}
	return order(f, float64(n))
}

func order[T int64 | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
