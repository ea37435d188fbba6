package render

import (
	"bytes"
	"slices"
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
		r.all = append(slices.Clip(r.all), st.All...)
	}
	if st.With != nil {
		v := st.With.Prog.Eval(&r.scope)
		if v.IsNull() {
			return nil
		}
		r.scope.It = v
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
	case st.Hazard != "":
		r.note(st)
		return r.failure
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

// each runs visit with every item as `it`. The parts of a session are made one
// by one: a session may be far larger than what is made of it at once.
func (r *renderer) each(v *mapping.Value, visit func() error) error {
	it := r.scope.It
	switch {
	case it == r.view:
		switch v.Source {
		case "messages":
			return r.messages(r.s.Messages, visit)
		case "turns":
			return stream(r, r.s.Turns, &r.turn, r.appendTurn, visit)
		case "calls":
			return stream(r, r.s.Calls, nil, r.appendCall, visit)
		}
	case r.turn.of != nil && it == r.turn.view:
		switch v.Source {
		case "users":
			return r.messages(r.turn.of.Users, visit)
		case "steps":
			return r.messages(r.turn.of.Steps, visit)
		case "batches":
			return r.messages(batches(r.turn.of), visit)
		}
	case r.message.of != nil && it == r.message.view && v.Source == "calls":
		return stream(r, r.message.of.Calls, nil, r.appendCall, visit)
	}
	index := r.scope.Index
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

// stream runs visit on parts of the session, whose views live as long as the
// visit.
func stream[T any](r *renderer, items []T, at *owner[T], view func([]byte, T) []byte, visit func() error) error {
	it, index, arena := r.scope.It, r.scope.Index, r.scope.Arena
	var outer owner[T]
	if at != nil {
		outer = *at
	}
	r.depth++
	defer func() {
		r.depth--
		r.scope.It, r.scope.Index, r.scope.Arena = it, index, arena
		if at != nil {
			*at = outer
		}
	}()
	if r.depth == len(r.arenas) {
		r.arenas = append(r.arenas, new(value.Arena))
	}
	own := r.arenas[r.depth]
	for i, item := range items {
		own.Reset()
		r.scope.Arena = own
		r.scope.It = own.JSON(func(dst []byte) []byte { return view(dst, item) })
		r.scope.Index = i
		if !r.scope.It.Exists() {
			return &Error{File: r.m.File, Reason: "a call has arguments that are no JSON, or nested too deep"}
		}
		if at != nil {
			*at = owner[T]{r.scope.It, item}
		}
		if err := visit(); err != nil {
			return err
		}
	}
	return nil
}

// frame writes a line.
func (r *renderer) frame(t *mapping.Template) error {
	if r.failure != nil {
		return r.failure
	}
	var line []byte
	var err error
	ok := true
	if t.Object {
		line, err = r.object(r.out, append(slices.Clip(r.all), t.Members...))
	} else {
		line, ok, err = r.template(r.out, t)
	}
	if err != nil || !ok {
		return err
	}
	begin := len(r.out)
	r.out = append(line, '\n')
	if r.m.Write.Words["prev"] {
		doc := new(value.Doc) // a name may hold on to it
		if doc.Parse(bytes.Clone(line[begin:])) != nil {
			return r.fail(t.Pos, "the frame came out as no JSON")
		}
		r.scope.Lets[mapping.PrevName] = doc.Root()
	}
	r.count++
	if r.m.Write.Words["n"] {
		r.scope.Lets[mapping.CountName] = number(r.count)
	}
	if len(r.out) >= enough {
		return r.flush()
	}
	return nil
}

// number is an integer as a value.
func number(n int) value.Value {
	doc := new(value.Doc) // as above
	if doc.Parse(strconv.AppendInt(nil, int64(n), 10)) != nil {
		return value.Value{}
	}
	return doc.Root()
}
