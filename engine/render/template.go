package render

import (
	"strconv"

	"github.com/trajmap/trajmap/engine/expr"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/value"
)

// string evaluates a template to a text.
func (r *renderer) string(t *mapping.Template) (string, error) {
	b, ok, err := r.template(nil, t)
	if err != nil || !ok {
		return "", err
	}
	var doc value.Doc
	if doc.Parse(b) != nil {
		return "", nil
	}
	if root := doc.Root(); root.IsString() {
		return root.Str(), nil
	}
	return string(b), nil
}

// document evaluates a template to a JSON value.
func (r *renderer) document(dst []byte, t *mapping.Template) ([]byte, error) {
	b, ok, err := r.template(dst, t)
	if err == nil && !ok {
		err = r.fail(t.Pos, "the document came out empty")
	}
	return b, err
}

// template appends what a template gives; false when it is left out.
func (r *renderer) template(dst []byte, t *mapping.Template) ([]byte, bool, error) {
	switch {
	case t.Raw != nil:
		return append(dst, t.Raw...), true, nil
	case t.Value != nil:
		v := t.Value.Prog.Eval(&r.scope)
		switch {
		case v == expr.Written:
			return append(dst, "null"...), true, nil
		case v.IsNull():
			return dst, false, nil
		}
		return v.AppendOwn(dst), true, nil
	case t.Form != nil:
		return r.member(dst, t.Form)
	case t.List:
		dst, err := r.list(append(dst, '['), t.Items)
		return append(dst, ']'), true, err
	}
	dst, err := r.object(dst, t.Members)
	return dst, true, err
}

// object appends an object; of members with one name the last value stands at
// the first one's place.
func (r *renderer) object(dst []byte, list []*mapping.TemplateMember) ([]byte, error) {
	dst = append(dst, '{')
	first := true
	for i, m := range list {
		if before(list[:i], m.Name) {
			continue
		}
		for _, later := range list[i+1:] {
			if later.Name == m.Name {
				m = later
			}
		}
		at := len(dst)
		if !first {
			dst = append(dst, ',')
		}
		dst = append(quoted(dst, m.Name), ':')
		out, ok, err := r.template(dst, m.Template)
		if err != nil {
			return dst, err
		}
		if !ok {
			dst = out[:at]
			continue
		}
		dst, first = out, false
	}
	return append(dst, '}'), nil
}

func before(list []*mapping.TemplateMember, name string) bool {
	for _, m := range list {
		if m.Name == name {
			return true
		}
	}
	return false
}

// list appends the items of a list, those of forms in their place.
func (r *renderer) list(dst []byte, items []*mapping.Template) ([]byte, error) {
	l := lister{r: r, dst: dst}
	for _, t := range items {
		if err := l.item(t); err != nil {
			return l.dst, err
		}
	}
	return l.dst, nil
}

// lister appends items to a list. Of a document, what has been made is written
// behind an item: nothing around a list that has items is taken back any more.
type lister struct {
	r    *renderer
	dst  []byte
	some bool // there is an item
}

// item appends an item as it is written, which is a form's items when it is one.
func (l *lister) item(t *mapping.Template) error {
	if t.Form != nil {
		_, err := l.r.form(t.Form, l.given)
		return err
	}
	at := len(l.dst)
	if l.some {
		l.dst = append(l.dst, ',')
	}
	out, ok, err := l.r.template(l.dst, t)
	if err != nil {
		return err
	}
	if !ok {
		l.dst = out[:at]
		return nil
	}
	l.dst, l.some = out, true
	return l.spill()
}

// spill writes what has been made of a document, when it is enough.
func (l *lister) spill() error {
	if !l.r.spills || len(l.dst) < enough {
		return nil
	}
	l.r.out = l.dst
	err := l.r.flush()
	l.dst = l.r.out
	return err
}

// given appends what a form gives: all items, if it is a list.
func (l *lister) given(t *mapping.Template) error {
	if !t.List {
		return l.item(t)
	}
	for _, one := range t.Items {
		if err := l.item(one); err != nil {
			return err
		}
	}
	return nil
}

// member appends a form as the value of a member: absent when it gives nothing,
// a list when it repeats.
func (r *renderer) member(dst []byte, f *mapping.Form) ([]byte, bool, error) {
	if f.Each != nil {
		l := lister{r: r, dst: append(dst, '[')}
		held, err := r.form(f, l.given)
		return append(l.dst, ']'), held, err
	}
	given := false
	_, err := r.form(f, func(t *mapping.Template) error {
		var err error
		dst, given, err = r.template(dst, t)
		return err
	})
	return dst, given, err
}

// form runs give for each template that a form gives. held is false when its
// condition was not.
func (r *renderer) form(f *mapping.Form, give func(*mapping.Template) error) (held bool, err error) {
	it := r.scope.It
	defer func() { r.scope.It = it }()
	r.bind(f.Lets)
	if f.If != nil && !f.If.Prog.Test(&r.scope) {
		return false, nil
	}
	one := func() error {
		if f.Give != nil {
			return give(f.Give)
		}
		kind := r.text(f.Kind)
		if t := f.Rules[kind]; t != nil {
			return give(t)
		}
		if f.Ignored[kind] {
			return nil
		}
		return r.fail(f.Kind.Pos, "nothing is said of the kind "+strconv.Quote(kind))
	}
	if f.Each == nil {
		return true, one()
	}
	return true, r.each(f.Each, one)
}
