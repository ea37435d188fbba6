package discover

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine"
)

func mappingsOf(ms ...*engine.Mapping) []*engine.Mapping { return ms }

// only is the one session of a home.
func only(t *testing.T, home string, m *engine.Mapping) Session {
	t.Helper()
	l := scan(t, home, m)
	noProblems(t, l)
	list := all(t, l)
	if len(list) != 1 {
		t.Fatalf("%d sessions: %v", len(list), list)
	}
	s := list[0]
	s.Mapping, s.Path, s.Harness = nil, "", ""
	return s
}

// TestFieldsOfTheSession come from its facts and records when the layout says
// nothing.
func TestFieldsOfTheSession(t *testing.T) {
	m := agentOf(t, `store: [{roots: [~/.agent], sessions: [{path: "*.jsonl"}]}]`)
	for _, test := range []struct {
		name, text string
		want       Session
	}{
		{"all", lines(
			`{"type":"start","id":"s1","cwd":"/work","branch":"main","title":"Named","begun":"2026-03-01T10:00:00Z","at":"2026-03-01T10:00:01Z"}`,
			`{"type":"user","text":"Hello","at":"2026-03-01T10:00:02Z"}`,
			`{"type":"reply","text":"Hi","model":"m-1","at":"2026-03-01T10:00:03Z"}`,
			`{"type":"reply","text":"Hi","model":"m-2","at":"2026-03-01T10:00:04.5Z"}`,
			`{"type":"end"}`),
			Session{ID: "s1", Title: "Named", Cwd: "/work", GitBranch: "main", Model: "m-2",
				Created: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC), Updated: time.Date(2026, 3, 1, 10, 0, 4, 500e6, time.UTC)}},
		{"little", lines(`{"type":"user","text":"\n  Hello,\n\tworld.  "}`),
			Session{ID: "little", Title: "Hello, world.", Updated: longAgo}},
		{"renamed.and.so.on", lines(`{"type":"start","title":"Old"}`, `{"type":"user","text":"x","at":"2026-03-01T10:00:02Z"}`, `{"type":"rename","title":"New"}`, `{"type":"us`),
			Session{ID: "renamed", Title: "New", Created: time.Date(2026, 3, 1, 10, 0, 2, 0, time.UTC), Updated: time.Date(2026, 3, 1, 10, 0, 2, 0, time.UTC)}},
		{"long", lines(`{"type":"user","text":"` + strings.Repeat("word ", 100) + `"}`),
			Session{ID: "long", Title: strings.TrimSpace(strings.Repeat("word ", 40)) + "…", Updated: longAgo}},
	} {
		t.Run(test.name, func(t *testing.T) {
			home := t.TempDir()
			put(t, filepath.Join(home, ".agent", test.name+".jsonl"), test.text)
			if diff := cmp.Diff(test.want, only(t, home, m)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestFieldsOfTheLayout come before those of the session, and a layout's values
// before parts of the path.
func TestFieldsOfTheLayout(t *testing.T) {
	m := agentOf(t, `
store:
  roots: [~/.agent]
  sessions:
    - path: "{project}/{model}/{id}.log.jsonl"
      files:
        note: "{id}.json"
        beside: "{name}.yaml"
        up: "../{folder}.txt"
        index: {path: /index.jsonl, key: id}
      if: files.note.hidden != true
      title: ["= files.index[it.id].title", "= files.note.title"]
      cwd: = files.up
      git_branch: = files.beside.branch
      created_at: = files.beside.created
      updated_at: = files.index[it.id].at
      parent: = session.of
`)
	home := tree(t, `
-- .agent/p/m-3/a.log.jsonl --
{"type":"start","id":"other","cwd":"/other","title":"Other","of":"boss"}
{"type":"user","text":"x","at":"2026-03-01T10:00:02Z"}
-- .agent/p/m-3/a.json --
{"title":"Noted"}
-- .agent/p/m-3/a.yaml --
branch: main
created: 2026-02-01T00:00:00Z
-- .agent/p/m-3.txt --
/the/folder
-- .agent/p/m-3/b.log.jsonl --
{"type":"user","text":"hidden"}
-- .agent/p/m-3/b.json --
{"hidden":true}
-- .agent/index.jsonl --
{"id":"a","title":"Indexed","at":1772359200000}
{"id":"a","title":"","at":1772359201000}
{"id":"z","title":"Z"}
{"id":"a
`)
	want := Session{
		ID: "a", Title: "Noted", Cwd: "/the/folder", GitBranch: "main", Model: "m-3", Parent: "boss",
		Created: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), Updated: time.UnixMilli(1772359201000).UTC(),
	}
	if diff := cmp.Diff(want, only(t, home, m)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestUpdated comes from the layout, the last time in the file, or the file
// itself.
func TestUpdated(t *testing.T) {
	filler := `{"type":"reply","text":"` + strings.Repeat("x", 1000) + `","at":"2026-03-01T10:00:01Z"}`
	many := strings.Repeat(filler+"\n", 100)
	for _, test := range []struct{ name, store, text, want string }{
		{"the last line's", `{path: "*.jsonl"}`, many + `{"type":"user","text":"x","at":"2026-03-01T10:00:09Z"}` + "\n", "2026-03-01T10:00:09Z"},
		{"without a line break", `{path: "*.jsonl"}`, many + `{"type":"user","text":"x","at":"2026-03-01T10:00:09Z"}`, "2026-03-01T10:00:09Z"},
		{"of a line that is torn", `{path: "*.jsonl"}`, many + `{"type":"user","text":"x","at":"2026-03-01T10:00:09Z"}` + "\n" + `{"type":"user","te`, "2026-03-01T10:00:09Z"},
		{"behind a long line without", `{path: "*.jsonl"}`, many + `{"type":"user","text":"` + strings.Repeat("x", 10_000) + `"}` + "\n", "2026-03-01T10:00:01Z"},
		{"behind a line that is too long", `{path: "*.jsonl"}`, many + `{"type":"user","text":"` + strings.Repeat("x", 100_000) + `"}` + "\n", "2026-01-01T00:00:00Z"},
		{"none", `{path: "*.jsonl"}`, said("x"), "2026-01-01T00:00:00Z"},
		{"a fact", `{path: "*.jsonl", updated_at: = session.created_at}`, `{"type":"start","begun":"2026-05-01T00:00:00Z"}` + "\n" + many, "2026-05-01T00:00:00Z"},
		{"a fact that is missing", `{path: "*.jsonl", updated_at: = session.created_at}`, many + said("x"), "2026-03-01T10:00:01Z"},
		{"the file's", `{path: "*.jsonl", updated_at: modified}`, many, "2026-01-01T00:00:00Z"},
		{"of a document", `{path: "*.jsonl", updated_at: = doc.changed}`, `{"id":"x","changed":1772359200000,"items":[{"type":"user","text":"` + strings.Repeat("x", 300_000) + `"}]}`, "2026-03-01T10:00:00Z"},
		{"of a document behind its frames", `{path: "*.jsonl", updated_at: = doc.changed}`, `{"id":"x","items":[{"type":"user","text":"` + strings.Repeat("x", 300_000) + `"}],"changed":1772359200000}`, "2026-01-01T00:00:00Z"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := agentOf(t, "store: [{roots: [~/.agent], sessions: ["+test.store+"]}]")
			home := t.TempDir()
			put(t, filepath.Join(home, ".agent/a.jsonl"), test.text)
			if got := only(t, home, m).Updated.Format(time.RFC3339); got != test.want {
				t.Errorf("updated %s, want %s", got, test.want)
			}
		})
	}
}

// TestSamples reads of long sessions what stands at their ends.
func TestSamples(t *testing.T) {
	m := agentOf(t, `store: [{roots: [~/.agent], sessions: [{path: "*.json*"}]}]`)
	filler := strings.Repeat(`{"type":"reply","text":"`+strings.Repeat("x", 1000)+`","model":"middle"}`+"\n", 1000)
	for _, test := range []struct {
		name, text string
		want       Session
	}{
		{"both ends", `{"type":"start","id":"s","cwd":"/w"}` + "\n" + said("Hello") + filler + `{"type":"reply","text":"x","model":"last"}` + "\n" + `{"type":"rename","title":"Named"}` + "\n",
			Session{ID: "s", Cwd: "/w", Title: "Named", Model: "last"}},
		{"a long start", `{"type":"start","id":"s","cwd":"/w","branch":"` + strings.Repeat("x", 20_000) + `"}` + "\n" + said("Hello") + filler,
			Session{ID: "s", Cwd: "/w", Title: "Hello", Model: "middle"}},
		{"an endless start", `{"type":"start","id":"s","cwd":"/w","branch":"` + strings.Repeat("x", 200_000) + `"}` + "\n" + said("Hello") + filler,
			Session{ID: "s", Cwd: "/w", Model: "middle"}},
		{"a long prompt", `{"type":"user","text":"Hello ` + strings.Repeat("x", 200_000) + `"}` + "\n" + filler,
			Session{ID: "a", Title: "Hello " + strings.Repeat("x", 194) + "…", Model: "middle"}},
		{"a document", `{"id":"d","cwd":"/w","items":[{"type":"user","text":"Hello"},` + strings.Repeat(`{"type":"user","text":"`+strings.Repeat("x", 1000)+`"},`, 1000) + `{}],"more":1}`,
			Session{ID: "d", Cwd: "/w", Title: "Hello"}},
		{"a document with lines", "{\n  \"id\": \"d\",\n  \"cwd\": \"/w\",\n  \"items\": [\n    {\"type\": \"user\", \"text\": \"Hello\"},\n" + strings.Repeat(`{"type":"user","text":"`+strings.Repeat("x", 1000)+"\"},\n", 1000) + "{}]}",
			Session{ID: "d", Cwd: "/w", Title: "Hello"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			home := t.TempDir()
			put(t, filepath.Join(home, ".agent/a.jsonl"), test.text)
			got := only(t, home, m)
			got.Updated = time.Time{}
			if len(got.GitBranch) > 100 {
				got.GitBranch = ""
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
