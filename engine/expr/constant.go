package expr

import (
	"fmt"
	"math"
	"strconv"

	"github.com/trajmap/trajmap/engine/shape"
	"github.com/trajmap/trajmap/engine/value"
)

// Const is the program of a literal: a string, an int or int64, a float64 or a
// bool.
func Const(v any) *Program {
	k := constant(v)
	p := &Program{Source: fmt.Sprint(v), Shape: shapeOf(k), IsBool: k.Kind() == value.Bool}
	b, _ := k.Bool()
	p.eval = func(*Scope) (value.Value, bool) { return k, true }
	p.test = func(*Scope) (bool, bool) { return b, true }
	return p
}

// constant is the value of a string, int, int64, float64 or bool; absent for a
// number that JSON does not have.
func constant(v any) value.Value {
	var json []byte
	switch v := v.(type) {
	case string:
		json = append(value.AppendEncoded([]byte{'"'}, v), '"')
	case bool:
		return value.Of(v)
	case int:
		json = strconv.AppendInt(nil, int64(v), 10)
	case int64:
		json = strconv.AppendInt(nil, v, 10)
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return value.Value{}
		}
		json = appendDouble(nil, v)
	default:
		panic(fmt.Sprintf("expr: constant of type %T", v))
	}
	return value.MustParse(string(json))
}

// Alternatives is the program whose value is that of the first of progs that is
// present and not ""; if none is, the last one's value as it is.
func Alternatives(progs []*Program) *Program {
	p := &Program{IsBool: len(progs) > 0}
	for i, q := range progs {
		if i == 0 {
			p.Source, p.Shape = q.Source, q.Shape
		} else {
			p.Shape = shape.Union(p.Shape, q.Shape)
		}
		p.IsBool = p.IsBool && q.IsBool
	}
	p.eval = func(s *Scope) (v value.Value, ok bool) {
		for _, q := range progs {
			if v = q.Eval(s); present(v) {
				break
			}
		}
		return v, true
	}
	p.test = func(s *Scope) (bool, bool) {
		v, _ := p.eval(s)
		b, _ := v.Bool()
		return b, true
	}
	return p
}
