package render

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/session"
)

func TestSteps(t *testing.T) {
	s := conversation(t, talk(t)...)
	s.Title = "Title"
	for _, test := range []struct{ name, steps, want string }{
		{"a line each", `
- frame: {a: 1}
- frame: [2]
- frame: = it.title`, "{\"a\":1}\n[2]\n\"Title\"\n"},
		{"a frame that is absent", `
- frame: = options.model
- if: has(options.model)
  frame: {a: 1}
- frame: {n: = n}`, "{\"n\":0}\n"},
		{"each with a frame", `- {each: turns, frame: {a: = it.text}}`, "{\"a\":\"U1\"}\n{\"a\":\"U2\"}\n"},
		{"if before each", `- {if: it.turn_count > 9, each: turns, frame: {a: = it.text}}`, ""},
		{"it comes back", `
- each: turns
  do:
    - each: users
      frame: {a: = it.text}
    - frame: {end: = it.complete}
- frame: {a: = it.title}`, "{\"a\":\"U1\"}\n{\"end\":true}\n{\"a\":\"U2\"}\n{\"end\":true}\n{\"a\":\"Title\"}\n"},
		{"by kind", `
- each: messages
  kind: role
  ignored: [system, observation]
  rules:
    user: {frame: {u: = it.text}}
    assistant:
      - {each: reasoning, frame: {r: = it}}
      - {each: texts, frame: {t: = it}}
      - {each: calls, frame: {c: = it.id}}`,
			"{\"u\":\"U1\"}\n{\"r\":\"R1\"}\n{\"t\":\"T1\"}\n{\"c\":\"a\"}\n{\"c\":\"b\"}\n{\"t\":\"T2\"}\n{\"u\":\"U2\"}\n{\"t\":\"T3\"}\n"},
		// all
		{"all before a frame's own", `
- all: {a: 1, b: 2}
  frame: {c: 3}`, "{\"a\":1,\"b\":2,\"c\":3}\n"},
		{"a frame's value in the place of all's", `
- all: {a: 1, b: 2}
  frame: {b: 9, c: 3}`, "{\"a\":1,\"b\":9,\"c\":3}\n"},
		{"a frame's absent value wins, too", `
- all: {a: 1, b: 2}
  frame: {a: = options.model, c: 3}`, "{\"b\":2,\"c\":3}\n"},
		{"inner and outer all", `
- all: {a: 1, b: 2, x: 0}
  do:
    - all: {b: 8, c: 9}
      do: {frame: {d: 3, c: 7}}
    - frame: {d: 4}`, "{\"a\":1,\"b\":8,\"x\":0,\"c\":7,\"d\":3}\n{\"a\":1,\"b\":2,\"x\":0,\"d\":4}\n"},
		{"all with the frame's own it", `
- all: {t: = it.text}
  do:
    - each: turns
      do:
        - frame: {a: 1}
        - each: steps
          frame: {b: 2}`, "{\"t\":\"U1\",\"a\":1}\n{\"t\":\"T1\",\"b\":2}\n{\"t\":\"T2\",\"b\":2}\n{\"t\":\"U2\",\"a\":1}\n{\"t\":\"T3\",\"b\":2}\n"},
		// prev and n
		{"a chain", `
- each: messages
  all: {id: = n, parent: = nullable(prev.id)}
  frame: {}`, "{\"id\":0,\"parent\":null}\n{\"id\":1,\"parent\":0}\n{\"id\":2,\"parent\":1}\n{\"id\":3,\"parent\":2}\n{\"id\":4,\"parent\":3}\n"},
		{"names hold on to prev and n", `
- frame: {id: first}
- let: {was: = prev.id, at: = n}
  do:
    - frame: {id: a, was: = was, at: = at}
    - frame: {id: b, was: = was, at: = at}
    - frame: {id: c, was: = was, at: = at, n: = n, prev: = prev.id}`,
			"{\"id\":\"first\"}\n{\"id\":\"a\",\"was\":\"first\",\"at\":1}\n{\"id\":\"b\",\"was\":\"first\",\"at\":1}\n{\"id\":\"c\",\"was\":\"first\",\"at\":1,\"n\":3,\"prev\":\"b\"}\n"},
		{"frames that are absent do not count", `
- {frame: {id: a}}
- {frame: = options.model}
- {frame: {n: = n, prev: = prev.id}}`, "{\"id\":\"a\"}\n{\"n\":1,\"prev\":\"a\"}\n"},
		{"a name below each", `
- each: turns
  do:
    - let: {turn: = it.text + str(index)}
      do:
        - each: steps
          do: {let: {step: = turn + str(index)}, frame: {a: = step}}
        - frame: {a: = turn}`, "{\"a\":\"U100\"}\n{\"a\":\"U101\"}\n{\"a\":\"U10\"}\n{\"a\":\"U210\"}\n{\"a\":\"U21\"}\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, written(t, lines(test.steps), s, Options{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Files know those before them.
func TestWritten(t *testing.T) {
	s := conversation(t, talk(t)...)
	files := memory{}
	e, err := Render(target(t, `
  let: {folder: = "in/" + it.id}
  files:
    - name: frames
      path: = folder + "/a.jsonl"
      frames: {each: messages, frame: {role: = it.role, n: = n}}
    - name: text
      path: = folder + "/b.txt"
      let: {many: = it.turn_count}
      text: = "turns " + str(many)
    - path: = folder + "/c.json"
      rewrite: [of]
      document: {of: = written.frames.path, n: = written.frames.n, bytes: = written.text.bytes, path: = written.text.path}
`), s, Options{SessionID: "me"}, files.create)
	if err != nil {
		t.Fatal(err)
	}
	if got := files["in/me/b.txt"].String(); got != "turns 2" {
		t.Errorf("the text is %q", got)
	}
	want := `{"of":"in/me/a.jsonl","n":5,"bytes":7,"path":"in/me/b.txt"}`
	if diff := cmp.Diff(want, files["in/me/c.json"].String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if e.ID != "me" || len(e.Files) != 3 || e.Files[2].Rewrite[0] != "of" {
		t.Errorf("the export is %+v", e)
	}
	for _, f := range e.Files {
		if f.Size != int64(files[f.Path].Len()) || len(f.SHA256) != 64 {
			t.Errorf("%s: %d bytes, %s", f.Path, f.Size, f.SHA256)
		}
	}
}

// What cannot be written is said with its place in the mapping.
func TestFailures(t *testing.T) {
	failing := errors.New("no space")
	deep := strings.Repeat(`{"a":`, 9_999) + "{}" + strings.Repeat("}", 9_999)
	for _, test := range []struct {
		name, write, want string
		create            Create
	}{
		{"a kind of which nothing is said, in steps", lines("- each: messages\n  kind: text\n  rules:\n    U1: {frame: {}}"), "target.yaml:11:17: nothing is said of the kind \"T1\"", nil},
		{"a kind of which nothing is said, in a form", document("{each: messages, give: {kind: text, rules: {U1: 1}}}"), "target.yaml:10:39: nothing is said of the kind \"T1\"", nil},
		{"an expression that fails", lines("- frame: {a: 1}\n- frame:\n    b: = it.title.substring(900)"), "target.yaml:12:16: the expression it.title.substring(900) failed: substring beyond the string", nil},
		{"a condition that fails", lines("- {if: it.title.substring(900) == \"\", frame: {a: 1}}"), "target.yaml:10:16: the expression it.title.substring(900) == \"\" failed: substring beyond the string", nil},
		{"a name that fails", "  let:\n    x: = it.title.substring(900)\n" + document("= x"), "target.yaml:8:8: the expression it.title.substring(900) failed: substring beyond the string", nil},
		{"a document of nothing", document("= options.model"), "target.yaml:10:9: the document came out empty", nil},
		{"an empty path", "  files: [{path: '= \"\"', document: 1}]\n", "target.yaml:7:18: the path of a file leaves the export", nil},
		{"a path that climbs", "  files: [{path: '= \"../\" + it.id', document: 1}]\n", "target.yaml:7:18: the path of a file leaves the export", nil},
		{"a path from the root", "  files: [{path: = it.cwd, document: 1}]\n", "target.yaml:7:18: the path of a file leaves the export", nil},
		{"one path twice", "  files: [{path: a, document: 1}, {path: '= \"a\"', document: 1}]\n", "target.yaml:7:42: a file before this one has the same path", nil},
		{"a file that cannot be made", document("1"), "no space", func(string) (io.WriteCloser, error) { return nil, failing }},
		{"a file that cannot be written", document("1"), "no space", func(string) (io.WriteCloser, error) { return broken{failing}, nil }},
		{"arguments that are nested too deep", lines("- {each: calls, frame: {id: = it.id, args: = it.args}}"), "target.yaml: a call has arguments that are no JSON, or nested too deep", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := conversation(t, talk(t)...)
			if strings.Contains(test.name, "deep") {
				s = conversation(t, user("U"), calls("a", deep), gives("a", ""), says("T"))
			}
			create := test.create
			if create == nil {
				create = memory{}.create
			}
			_, err := Render(target(t, test.write), s, Options{}, create)
			if err == nil || err.Error() != test.want {
				t.Fatalf("the error is %v, want %s", err, test.want)
			}
			if test.create != nil && !errors.Is(err, failing) {
				t.Errorf("the error %v hides its cause", err)
			}
			var at *Error
			if test.create == nil && !errors.As(err, &at) {
				t.Errorf("the error is a %T", err)
			}
		})
	}
}

type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }
func (b broken) Close() error              { return nil }

func TestReadOnlyTarget(t *testing.T) {
	m := target(t, "  files: []\n")
	m.Write = nil
	if _, err := Render(m, &session.Session{}, Options{}, memory{}.create); err == nil || err.Error() != "target.yaml: sessions of target are only read" {
		t.Errorf("the error is %v", err)
	}
}

// The same session gives the same id and bytes; a salt another id.
func TestSameBytes(t *testing.T) {
	m := target(t, document("{id: = it.id, seed: = it.seed}"))
	render := func(s *session.Session, o Options) (string, string) {
		files := memory{}
		e, err := Render(m, s, o, files.create)
		if err != nil {
			t.Fatal(err)
		}
		return e.ID, files["out"].String()
	}
	id, text := render(conversation(t, talk(t)...), Options{})
	again, same := render(conversation(t, talk(t)...), Options{})
	if id != again || text != same {
		t.Errorf("twice gives %s, %s and %s, %s", id, text, again, same)
	}
	copied, other := render(conversation(t, talk(t)...), Options{Salt: "1"})
	if copied == id && other == text {
		t.Error("a salt changes nothing")
	}
	if given, _ := render(conversation(t, talk(t)...), Options{SessionID: "x"}); given != "x" {
		t.Errorf("the id that was asked for became %s", given)
	}
}
