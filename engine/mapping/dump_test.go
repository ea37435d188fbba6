package mapping

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/expr"
	"github.com/trajmap/trajmap/engine/shape"
)

// dump is a mapping as text: what is set, without places and programs. A block
// or rule that stands at several places is written once.
func dump(m *Mapping) string {
	d := dumper{seen: map[any]bool{}}
	d.value("", reflect.ValueOf(m).Elem(), 0)
	return d.b.String()
}

type dumper struct {
	b    strings.Builder
	seen map[any]bool
}

func (d *dumper) line(depth int, format string, args ...any) {
	d.b.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(&d.b, format, args...)
	d.b.WriteByte('\n')
}

func (d *dumper) value(name string, v reflect.Value, depth int) {
	if v.IsZero() || name == "Words" { // which are the source's
		return
	}
	switch x := v.Interface().(type) {
	case Pos, *expr.Program, []*Step, map[string]*Rule, bool:
		if name == "Steps" && depth == 0 || name == "Table" || v.Type() == reflect.TypeFor[Pos]() || v.Type() == reflect.TypeFor[*expr.Program]() {
			return
		}
	case []Segment: // the source says it all
		return
	case map[*expr.Program]Pos:
		return
	case map[string]*Template, map[string][]*OutStep:
		for _, key := range slices.SortedFunc(slices.Values(v.MapKeys()), func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) }) {
			d.value(fmt.Sprintf("%s %s", name, key), v.MapIndex(key), depth)
		}
		return
	case *shape.Shape:
		d.line(depth, "%s: a shape of %s", name, x.Types)
		return
	case *Value:
		if x.Object == nil {
			d.line(depth, "%s: %q", name, x.Source)
			return
		}
	case Versions:
		d.line(depth, "%s: %+v", name, x)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if d.seen[v.Interface()] {
			d.line(depth, "%s: as above", name)
			return
		}
		switch v.Interface().(type) {
		case *Block, *Rule, *Format:
			d.seen[v.Interface()] = true
		}
		d.value(name, v.Elem(), depth)
	case reflect.Struct:
		if name != "" {
			d.line(depth, "%s", name)
			depth++
		}
		for i := range v.NumField() {
			d.value(v.Type().Field(i).Name, v.Field(i), depth)
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() != reflect.Pointer {
			d.line(depth, "%s: %q", name, v.Interface())
			return
		}
		for i := range v.Len() {
			d.value(fmt.Sprintf("%s %d", name, i), v.Index(i), depth)
		}
	case reflect.String:
		d.line(depth, "%s: %q", name, v.Interface())
	default:
		d.line(depth, "%s: %v", name, v.Interface())
	}
}
