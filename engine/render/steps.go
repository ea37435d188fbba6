package render

import (
	"bytes"
	"strconv"

	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/value"
)

func (r *renderer) steps(steps []*mapping.OutStep) error {
	for _, st := range steps {
		if err := r.step(st); err != nil {
			return err
		}
	}
	return nil
}

func (r *renderer) step(st *mapping.OutStep) error {
	it, all := r.scope.It, r.all
	defer func() { r.scope.It, r.all = it, all }()
	r.bind(st.Lets)
	if st.If != nil && !st.If.Prog.Test(&r.scope) {
		return nil
	}
	if st.All != nil {
		r.all = append(r.all[:len(r.all):len(r.all)], st.All...)
	}
	if st.Each == nil {
		return r.run(st)
	}
	return r.each(st.Each, func() error { return r.run(st) })
}

// run does what a step does for one item.
func (r *renderer) run(st *mapping.OutStep) error {
	switch {
	case st.Frame != nil:
		return r.frame(st.Frame)
	case st.Kind == nil:
		return r.steps(st.Do)
	}
	kind := r.text(st.Kind)
	if steps, ok := st.Table[kind]; ok {
		return r.steps(steps)
	}
	if st.Ignored[kind] {
		return nil
	}
	return r.fail(st.Kind.Pos, "nothing is said of the kind "+strconv.Quote(kind))
}

// each runs visit with every item as `it`. The session's messages and turns are
// made one by one: a session may be far larger than what is made of it at once.
func (r *renderer) each(v *mapping.Value, visit func() error) error {
	if r.scope.It == r.view {
		switch v.Source {
		case "messages":
			return stream(r, r.s.Messages, appendMessage, visit)
		case "turns":
			return stream(r, r.s.Turns, appendTurn, visit)
		case "calls":
			return stream(r, r.s.Calls, appendCall, visit)
		}
	}
	it, index := r.scope.It, r.scope.Index
	defer func() { r.scope.It, r.scope.Index = it, index }()
	items := v.Prog.Eval(&r.scope)
	if items.IsNull() {
		return nil
	}
	if items.Kind() != value.Array {
		r.scope.It, r.scope.Index = items, 0
		return visit()
	}
	i := 0
	for item := range items.Items() {
		r.scope.It, r.scope.Index = item, i
		if err := visit(); err != nil {
			return err
		}
		i++
	}
	return nil
}

// stream runs visit on items of the session, whose views live as long as the
// visit.
func stream[T any](r *renderer, items []T, view func([]byte, T) []byte, visit func() error) error {
	it, index, arena := r.scope.It, r.scope.Index, r.scope.Arena
	defer func() { r.scope.It, r.scope.Index, r.scope.Arena = it, index, arena }()
	for i, item := range items {
		if arena == &r.outer {
			r.inner.Reset()
		}
		r.scope.Arena = &r.inner
		r.scope.It = r.inner.JSON(func(dst []byte) []byte { return view(dst, item) })
		r.scope.Index = i
		if err := visit(); err != nil {
			return err
		}
	}
	return nil
}

// frame writes a line.
func (r *renderer) frame(t *mapping.Template) error {
	var line []byte
	var err error
	ok := true
	if t.Object {
		line, err = r.object(r.out, append(r.all[:len(r.all):len(r.all)], t.Members...))
	} else {
		line, ok, err = r.template(r.out, t)
	}
	if err != nil || !ok {
		return err
	}
	begin := len(r.out)
	r.out = append(line, '\n')
	doc := &r.prev[r.count%2]
	if doc.Parse(bytes.Clone(line[begin:])) != nil {
		return r.fail(t.Pos, "the frame came out as no JSON")
	}
	r.count++
	r.scope.Lets[mapping.PrevName] = doc.Root()
	r.scope.Lets[mapping.CountName] = r.number(r.count)
	return nil
}

// number is a small integer that lives until the next one is asked for.
func (r *renderer) number(n int) value.Value {
	if r.counter.Parse(strconv.AppendInt(nil, int64(n), 10)) != nil {
		return value.Value{}
	}
	return r.counter.Root()
}
