package read

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
)

const adopts = `
mapping: v1
harness: test
read:
  - format: lines
    native: none
    frames: jsonl
    adopt_call_ids: true
    session: {first: {first: text}}
    kind: type
    ignored: [note]
    rules:
      user: {user: text}
      calls:
        - {each: list, do: {tool_call: {id: id, name: name, args: {of: = session.first}}}}
        - {if: it.text != null, assistant: text}
      result: {tool_result: {call: call, content: call}}
      gone: {hazard: rewind}
    active:
      edits:
        - {on: gone, hide: id}
`

// TestAdopt gives calls the ids of the results behind them.
func TestAdopt(t *testing.T) {
	m := parse(t, adopts)
	user := `{"type":"user","text":"go"}`
	two := `{"type":"calls","list":[{"name":"a"},{"name":"b"}],"text":"said"}`
	for _, test := range []struct {
		name  string
		lines []string
		want  []string // calls, and results with what they answer
	}{
		{"as many", []string{two, `{"type":"result","call":"x"}`, `{"type":"result","call":"y\n"}`}, []string{"call x a", "call y\n b", "tool x x", "tool y\n y\n"}},
		{"one by one", []string{`{"type":"calls","list":[{"name":"a"}]}`, `{"type":"result","call":"x"}`, `{"type":"calls","list":[{"name":"b"}]}`, `{"type":"result","call":"y"}`}, []string{"call x a", "tool x x", "call y b", "tool y y"}},
		{"what says nothing stands between", []string{two, `{"type":"note"}`, `{"type":"result","call":"x"}`, `{"type":"note"}`, `{"type":"result","call":"y"}`, user, `{"type":"result","call":"z"}`}, []string{"call x a", "call y b", "tool x x", "tool y y"}},
		{"too few", []string{two, `{"type":"result","call":"x"}`, user, `{"type":"result","call":"y"}`}, []string{"call call_2 a", "call call_3 b"}},
		{"too many", []string{two, `{"type":"result","call":"x"}`, `{"type":"result","call":"y"}`, `{"type":"result","call":"z"}`}, []string{"call call_2 a", "call call_3 b"}},
		{"none", []string{two}, []string{"call call_2 a", "call call_3 b"}},
		{"a mixed frame", []string{`{"type":"calls","list":[{"name":"a"},{"name":"b","id":"k"},{"name":"c","id":""}]}`, `{"type":"result","call":"k"}`, `{"type":"result","call":"x"}`, `{"type":"result","call":"y"}`}, []string{"call x a", "call k b", "call y c", "tool k k", "tool x x", "tool y y"}},
		{"results without an id", []string{two, `{"type":"result"}`, `{"type":"result","call":"y"}`}, []string{"call call_2 a", "call y b", "tool y y"}},
		{"a long id", []string{`{"type":"calls","list":[{"name":"a"}]}`, `{"type":"result","call":"` + strings.Repeat("x", 300) + `"}`}, []string{"call " + strings.Repeat("x", 300) + " a", "tool " + strings.Repeat("x", 300) + " " + strings.Repeat("x", 300)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := user + "\n" + strings.Join(test.lines, "\n") + "\n"
			if diff := cmp.Diff(test.want, answered(t, m, text, Options{Normalize: normalize.Options{NoRoles: true}})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// answered are a read's calls and results.
func answered(t *testing.T, m *mapping.Mapping, text string, o Options) (list []string) {
	t.Helper()
	for line := range strings.SplitSeq(spokenBy(t, m, text, o), "\x00") {
		if strings.HasPrefix(line, "call ") || strings.HasPrefix(line, "tool ") {
			list = append(list, line)
		}
	}
	return list
}

func spokenBy(t *testing.T, m *mapping.Mapping, text string, o Options) string {
	t.Helper()
	var b strings.Builder
	sink := sinkFunc(func(r *normalize.Record) error {
		switch d := r.Decode(); d.Type {
		case normalize.CallRecord:
			b.WriteString("call " + d.CallID + " " + d.Name + "\x00")
		case normalize.ResultRecord:
			b.WriteString("tool " + d.CallID + " " + d.Content + "\x00")
		}
		return nil
	})
	if _, err := New(m).Read(t.Context(), input(text), o, func(*normalize.Plan) (normalize.Sink, error) { return sink, nil }); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestAdoptActive takes the results of the frames that are read.
func TestAdoptActive(t *testing.T) {
	m := parse(t, strings.Replace(adopts, "kind: type\n", "kind: type\n    key: id\n", 1))
	text := `{"type":"user","text":"go"}
{"type":"calls","list":[{"name":"a"}]}
{"type":"result","call":"x","id":"1"}
{"type":"result","call":"y","id":"2"}
{"type":"gone","id":"1"}
`
	o := Options{View: mapping.ActiveView, Normalize: normalize.Options{}}
	if diff := cmp.Diff([]string{"call y a", "tool y y"}, answered(t, m, text, o)); diff != "" {
		t.Errorf("active (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"call call_2 a"}, answered(t, m, text, Options{Normalize: normalize.Options{NoRoles: true}})); diff != "" {
		t.Errorf("archive (-want +got):\n%s", diff)
	}
}
