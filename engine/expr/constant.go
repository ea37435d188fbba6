package expr

import (
	"fmt"
	"strconv"

	"github.com/trajmap/trajmap/engine/shape"
	"github.com/trajmap/trajmap/engine/value"
)

// Const is the program of a literal: a string, an int or int64, a float64 or a
// bool.
func Const(v any) *Program {
	p := &Program{Source: fmt.Sprint(v), Shape: &shape.Shape{Types: shape.Num}}
	var json []byte
	switch v := v.(type) {
	case string:
		p.Shape = &shape.Shape{Types: shape.Str}
		json = append(value.AppendEncoded([]byte{'"'}, v), '"')
	case bool:
		p.Shape, p.IsBool = &shape.Shape{Types: shape.Bool}, true
		json = strconv.AppendBool(nil, v)
	case int:
		json = strconv.AppendInt(nil, int64(v), 10)
	case int64:
		json = strconv.AppendInt(nil, v, 10)
	case float64:
		json = appendDouble(nil, v)
	default:
		panic(fmt.Sprintf("expr: constant of type %T", v))
	}
	k := value.MustParse(string(json))
	b, _ := k.Bool()
	p.eval = func(*Scope) (value.Value, bool) { return k, true }
	p.test = func(*Scope) (bool, bool) { return b, true }
	return p
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
