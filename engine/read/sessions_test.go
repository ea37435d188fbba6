package read

import (
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/expr"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/value"
)

const headMapping = `
mapping: v1
harness: head
native: {frame: {kind: type, kinds: {user: {text: str, n: num}, end: {n: num}}}}
read:
  - format: log
    frames: jsonl
    kind: type
    ignored: [end]
    session:
      count: {count: it.n > 0, on: user}
      end: {last: n, on: end}
      words: {map: text, key: n, on: user}
    rules:
      user: {user: text}
    join:
      on: end
      session: n
      find: ["*.jsonl"]
      missing: never
`

// TestHead reads no more than the frames that are wanted, and looks for no other
// session.
func TestHead(t *testing.T) {
	m := parse(t, headMapping)
	text := `{"type":"end","n":7}
{"type":"user","text":"a","n":1}
{"type":"user","text":"b","n":2}
`
	for _, test := range []struct {
		head    int
		want    string
		count   string
		hazards int
	}{
		{1, "", "0", 0}, {2, "a", "1", 0}, {3, "a b", "2", 0}, {100, "a b", "2", 0}, {0, "a b", "2", 1},
	} {
		o := Options{Head: test.head, Normalize: normalize.Options{Partial: true}}
		if got := said(t, m, text, o); got != test.want {
			t.Errorf("head %d: %q, want %q", test.head, got, test.want)
		}
		_, result := read(t, m, input(text), o)
		if len(result.Hazards) != test.hazards {
			t.Errorf("head %d: hazards %v", test.head, result.Hazards)
		}
		if got := factOf(result, "count"); string(got.Raw()) != test.count {
			t.Errorf("head %d: %s frames counted", test.head, got.Raw())
		}
	}
}

func factOf(r *Result, name string) value.Value {
	for i, f := range r.Format.Session {
		if f.Name == name {
			return r.Session.Fact(i)
		}
	}
	return value.Value{}
}

// TestSessionFacts keeps a read's facts beyond the next read of its reader.
func TestSessionFacts(t *testing.T) {
	m := parse(t, headMapping)
	r := New(m)
	start := func(*normalize.Plan) (normalize.Sink, error) { return &lines{}, nil }
	var kept []expr.Facts
	for _, text := range []string{`{"type":"user","text":"a","n":1}`, `{"type":"user","text":"b","n":1}`} {
		result, err := r.Read(t.Context(), input(text), Options{Normalize: normalize.Options{Partial: true}}, start)
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, result.Session)
	}
	for i, want := range []string{"a", "b"} {
		if got := kept[i].MapFact(2, "1").Str(); got != want {
			t.Errorf("read %d has the word %q, want %q", i, got, want)
		}
	}
}

// several is a handler whose inputs hold the sessions that their text names.
func several(in *frame.Input, _ handler.Options) (frame.Stream, func() error, error) {
	text := make([]byte, in.Size)
	if _, err := in.ReadAt(text, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	switch string(text) {
	case "other":
		return nil, nil, handler.Foreign("it is something else")
	case "broken":
		return nil, nil, errors.New("it is broken")
	case "late":
		return brokenStream{}, func() error { return nil }, nil
	case "one":
		return frame.Lines(input("{}"), frame.Options{}), func() error { return nil }, nil
	}
	return &severalStore{frame.Lines(input("{}"), frame.Options{}), string(text)}, func() error { return nil }, nil
}

// brokenStream is a stream that fails at its first frame.
type brokenStream struct{ frame.Stream }

func (brokenStream) Next() (frame.Frame, error) {
	return frame.Frame{}, errors.New("it was broken all along")
}

type severalStore struct {
	frame.Stream
	text string
}

func (s *severalStore) Session() string { return s.text[:1] }

func (s *severalStore) Sessions() ([]handler.Session, error) {
	if s.text == "unlisted" {
		return nil, errors.New("they cannot be listed")
	}
	var list []handler.Session
	for _, c := range s.text {
		list = append(list, handler.Session{ID: string(c), Row: []byte(`{}`)})
	}
	return list, nil
}

func init() { handler.Register("several", several) }

func TestSessions(t *testing.T) {
	m := parse(t, `
mapping: v1
harness: several
read:
  - {format: lines, native: none, frames: jsonl, do: {user: text}}
  - {format: store, native: none, frames: {handler: several}, do: {user: text}}
  - {format: again, native: none, frames: {handler: several}, do: {user: text}}
`)
	for _, test := range []struct {
		text string
		ids  []string
		ok   bool
		err  string
	}{
		{"ba", []string{"b", "a"}, true, ""},
		{"", nil, true, ""},
		{"one", nil, false, ""},
		{"other", nil, false, ""},
		{"broken", nil, false, "it is broken\nit is broken"},
		{"unlisted", nil, false, "they cannot be listed\nthey cannot be listed"},
	} {
		list, ok, err := Sessions(m, m.Formats, input(test.text), frame.Options{})
		var ids []string
		for _, s := range list {
			ids = append(ids, s.ID)
		}
		if diff := cmp.Diff(test.ids, ids); diff != "" || ok != test.ok {
			t.Errorf("%q: ok %v, ids (-want +got):\n%s", test.text, ok, diff)
		}
		if said := ""; err != nil || test.err != "" {
			if err != nil {
				said = err.Error()
			}
			if said != test.err {
				t.Errorf("%q: error %q, want %q", test.text, said, test.err)
			}
		}
	}
	if list, ok, err := Sessions(m, m.Formats[:1], input("ba"), frame.Options{}); len(list) > 0 || ok || err != nil {
		t.Errorf("lines hold the sessions %v, %v, %v", list, ok, err)
	}
}
