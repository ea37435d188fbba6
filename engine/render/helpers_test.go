package render

import (
	"bytes"
	"flag"
	"io"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/session"
	"github.com/trajmap/trajmap/engine/value"
)

var update = flag.Bool("update", false, "rewrite the files that tests compare with")

// item is a record of a conversation, in few words.
type item struct {
	kind      normalize.Type
	text      string // what was said; a result's content; a call's arguments
	call      string // id
	name      string // of a call
	ok        normalize.Tri
	step      string // key of the native message
	time      int64  // 0: a second after the one before
	undecoded bool   // text is in the form of package value already
}

func user(text string) item   { return item{kind: normalize.UserRecord, text: text} }
func says(text string) item   { return item{kind: normalize.AssistantRecord, text: text} }
func thinks(text string) item { return item{kind: normalize.ReasoningRecord, text: text} }
func calls(id, args string) item {
	return item{kind: normalize.CallRecord, call: id, name: "tool", text: args}
}
func gives(id, text string) item { return item{kind: normalize.ResultRecord, call: id, text: text} }
func note(text string) item      { return item{kind: normalize.SystemRecord, text: text} }
func watches(text string) item   { return item{kind: normalize.ObservationRecord, text: text} }

func (i item) of(step string) item      { i.step = step; return i }
func (i item) named(name string) item   { i.name = name; return i }
func (i item) is(ok normalize.Tri) item { i.ok = ok; return i }

// began is when conversations of the tests begin.
const began = 1_767_225_600_000 // 2026-01-01

// conversation groups records into a session.
func conversation(t testing.TB, items ...item) *session.Session {
	t.Helper()
	return grouped(t, session.Options{Group: "group-1"}, items...)
}

func grouped(t testing.TB, o session.Options, items ...item) *session.Session {
	t.Helper()
	b := session.NewBuilder()
	add := func(r *normalize.Record) {
		if err := b.Record(r); err != nil {
			t.Fatal(err)
		}
	}
	add(&normalize.Record{Type: normalize.MetaRecord, Source: []byte("source"), Cwd: []byte("/home/me/project"), GitBranch: []byte("main"), Model: []byte("m-1")})
	at := int64(began)
	for _, i := range items {
		if at += 1000; i.time > 0 {
			at = i.time
		}
		text := value.AppendEncoded(nil, i.text)
		if i.undecoded {
			text = []byte(i.text)
		}
		r := &normalize.Record{Type: i.kind, Time: at, Step: []byte(i.step), OK: i.ok, CallID: value.AppendEncoded(nil, i.call)}
		switch i.kind {
		case normalize.CallRecord:
			r.Name, r.Args = value.AppendEncoded(nil, i.name), text
		default:
			r.Content = text
		}
		if i.kind == normalize.AssistantRecord || i.kind == normalize.CallRecord {
			r.Model = []byte("m-1")
		}
		add(r)
	}
	s := b.Build(o)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// target is a mapping with this under `write`, and what may follow.
func target(t testing.TB, write string) *mapping.Mapping {
	t.Helper()
	m, found := mapping.Parse("target.yaml", []byte(head+strings.TrimLeft(write, "\n")))
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}

// head is the part of a mapping before what is under `write`, which begins in
// line 7.
const head = `mapping: v1
harness: target
read: [{format: f, native: none, frames: jsonl, do: {user: text}}]
write:
  home: ~/.target
  id: = "id-" + it.seed.substring(0, 4)
`

// lines wraps steps, which begin in line 10, into a file.
func lines(steps string) string {
	return "  files:\n    - path: out\n      frames:\n" + indent(steps, 8)
}

// document wraps a template, which begins in line 10, into a file.
func document(template string) string {
	return "  files:\n    - path: out\n      document:\n" + indent(template, 8)
}

// indent sets a text in by as much as its first line lacks.
func indent(text string, by int) string {
	text = strings.Trim(text, "\n")
	own := len(text) - len(strings.TrimLeft(text, " \t"))
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(strings.Repeat(" ", by) + line[min(own, len(line)):] + "\n")
	}
	return b.String()
}

// memory keeps the files of an export.
type memory map[string]*bytes.Buffer

func (m memory) create(path string) (io.WriteCloser, error) {
	m[path] = new(bytes.Buffer)
	return closer{m[path]}, nil
}

type closer struct{ io.Writer }

func (closer) Close() error { return nil }

// written renders a session; the text is that of the file `out`.
func written(t testing.TB, write string, s *session.Session, o Options) string {
	t.Helper()
	files := memory{}
	if _, err := Render(target(t, write), s, o, files.create); err != nil {
		t.Fatal(err)
	}
	return files["out"].String()
}
