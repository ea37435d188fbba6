package expr

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/trajmap/trajmap/engine/shape"
	"github.com/trajmap/trajmap/engine/value"
)

// Path compiles a path on `it`: keys joined by dots, `\.` for a dot in a key; a
// number is an index where it meets a list; `@this` is `it` itself. What GJSON
// knows beyond that goes to GJSON, and is not held against shapes. There is a
// program only when there are no issues.
func (e *Env) Path(path string, static *Static) (*Program, []Issue) {
	if path == "@this" {
		p := forValue(path, func(s *Scope) value.Value { return s.It })
		p.Shape = static.It
		return p, nil
	}
	if strings.ContainsAny(path, `#|*?@!{}[]()`) {
		p := forValue(path, func(s *Scope) value.Value { return s.gjson(path) })
		p.Unchecked = true
		return p, nil
	}
	is := &issues{src: path}
	steps := splitPath(path, is)
	sh := static.It
	for i := 0; i < len(steps) && len(is.list) == 0; i++ {
		sh = steps[i].field(sh, path, is)
	}
	if len(is.list) > 0 {
		return nil, is.sorted()
	}
	p := &Program{Source: path, Shape: sh}
	p.runs(pathCode(steps))
	return p, nil
}

// step is one key of a path.
type step struct {
	key       string
	index     int64 // when key is a number, else -1
	at, after int   // bytes in the path
}

func splitPath(path string, is *issues) []step {
	var steps []step
	var key strings.Builder
	start := 0
	end := func(i int) {
		if key.Len() == 0 {
			is.add(i, 1, "empty key in a path", "")
		}
		st := step{key.String(), -1, start, i}
		if n, err := strconv.ParseUint(st.key, 10, 31); err == nil {
			st.index = int64(n)
		}
		steps = append(steps, st)
		key.Reset()
		start = i + 1
	}
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c == '.':
			end(i)
		case c == '\\' && i+1 < len(path):
			i++
			key.WriteByte(path[i])
		default:
			key.WriteByte(c)
		}
	}
	end(len(path))
	return steps
}

// field is the shape that the step leads to.
func (st *step) field(of *shape.Shape, path string, is *issues) *shape.Shape {
	if st.index >= 0 && (of == nil || of.Types&shape.List != 0) {
		return of.Elem()
	}
	s, ok := of.Member(st.key)
	if ok {
		return s
	}
	hint := didYouMean(st.key, of.Names())
	message := fmt.Sprintf("unknown field %q", st.key)
	if len(of.Names()) == 0 {
		before := "it"
		if st.at > 0 {
			before = path[:st.at-1]
		}
		message += ": " + before + " is " + of.Types.String()
	}
	is.add(st.at, st.after-st.at, message, hint)
	is.list[len(is.list)-1].Word = st.key
	return nil
}

func pathCode(steps []step) code {
	keys := make([]string, len(steps))
	plain := true
	for i, st := range steps {
		keys[i] = st.key
		plain = plain && st.index < 0
	}
	if plain {
		return pathOnIt(keys)
	}
	return code{val: func(s *Scope) (value.Value, bool) {
		v := s.It
		for _, st := range steps {
			if st.index >= 0 && v.Kind() == value.Array {
				v = item(v, st.index)
			} else {
				v = v.Get(st.key)
			}
		}
		return v, true
	}}
}

// gjson is what GJSON finds in `it`; absent when it finds nothing.
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
