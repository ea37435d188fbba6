package expr

import (
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/trajmap/trajmap/engine/shape"
	"github.com/trajmap/trajmap/engine/value"
)

// Path compiles a path on `it`: keys joined by dots; a number is an index where
// it meets a list; `@this` is `it` itself. What GJSON knows beyond that goes to
// GJSON, and is not held against shapes.
func (e *Env) Path(path string, static *Static) (*Program, []Issue) {
	if path == "" {
		return nil, []Issue{{Line: 1, Col: 1, Len: 1, Message: "empty path"}}
	}
	if path == "@this" {
		return forValue(path, static.It, func(s *Scope) (value.Value, bool) { return s.It, true }), nil
	}
	keys, plain := splitPath(path)
	if !plain {
		return forValue(path, nil, func(s *Scope) (value.Value, bool) { return s.gjson(path), true }), nil
	}
	var sh *shape.Shape = static.It
	return forValue(path, sh, func(s *Scope) (value.Value, bool) {
		v := s.It
		for _, k := range keys {
			v = v.Get(k)
		}
		return v, true
	}), nil
}

func splitPath(path string) ([]string, bool) {
	return strings.Split(path, "."), !strings.ContainsAny(path, `#|*?\(){}[]@!"'<>=%~`) && utf8.ValidString(path)
}

func (s *Scope) gjson(path string) value.Value {
	if !s.It.Exists() {
		return value.Value{}
	}
	found := gjson.GetBytes(s.It.Raw(), path)
	if !found.Exists() {
		return value.Value{}
	}
	return s.Arena.JSON(func(dst []byte) []byte { return append(dst, found.Raw...) })
}

func forValue(src string, sh *shape.Shape, eval func(*Scope) (value.Value, bool)) *Program {
	return &Program{Source: src, Shape: sh, eval: eval, test: func(s *Scope) (bool, bool) {
		v, ok := eval(s)
		b, _ := v.Bool()
		return b, ok
	}}
}
