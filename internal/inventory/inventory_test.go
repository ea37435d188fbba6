package inventory

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine"
)

const agent = `mapping: v1
harness: agent
title: Agent
read:
  - {format: old, native: none, versions: "<2", frames: jsonl, detect: it.old == true, do: {user: text}}
  - {format: new, native: none, versions: ">=2 <=3.1", frames: jsonl, do: {user: text}}
  - {format: sealed, native: none, detect: it.sealed == true, frames: jsonl, refuse: it is sealed}
`

const store = `store: [{roots: [~/.agent], sessions: [{path: "*.jsonl"}]}]
`

func parse(t *testing.T, text string) []*engine.Mapping {
	t.Helper()
	m, err := engine.Parse("agent.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return []*engine.Mapping{m}
}

func project() fstest.MapFS {
	return fstest.MapFS{
		"testdata/agent/one/input.jsonl": {Data: []byte("{}\n")},
		"testdata/agent/two/input.jsonl": {Data: []byte("{}\n")},
		"docs/evidence/agent.json": {Data: []byte(`{"program":"agent","version":"3.1","date":"2026-11-30",
			"handoff":{"command":"trajmap handoff a:1 --to agent","then":["agent"],"verdict":"proven"},"sessions":[
			{"source":"a","session":"x","load":"proven","continue":"proven"},
			{"source":"b","session":"x","load":"proven","continue":"failed"},
			{"source":"c","session":"x","load":"proven","continue":"untried"}]}`)},
	}
}

func TestOf(t *testing.T) {
	inv, err := Of(parse(t, agent+store), project())
	if err != nil {
		t.Fatal(err)
	}
	h := inv.Harnesses[0]
	if len(h.Mapping) != 64 || len(h.Proven.Evidence) != 64 || len(h.Cases.SHA256) != 64 {
		t.Errorf("hashes %q, %q, %q", h.Mapping, h.Proven.Evidence, h.Cases.SHA256)
	}
	h.Mapping, h.Proven.Evidence, h.Cases.SHA256 = "", "", ""
	want := &Harness{
		Name: "agent", Title: "Agent", Lists: true,
		Reads:  []Format{{Name: "old", Versions: "<2"}, {Name: "new", Versions: ">=2 <=3.1"}, {Name: "sealed", Refused: true}},
		Proven: &Proof{Version: "3.1", Date: "2026-11-30", Sessions: 3, Proven: 1, Loaded: 1, Sources: 1, Handoff: "trajmap handoff a:1 --to agent"},
		Cases:  &Cases{Count: 2},
	}
	if diff := cmp.Diff(want, h); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if inv, err = Of(parse(t, agent), nil); err != nil || inv.Harnesses[0].Lists || inv.Harnesses[0].Cases != nil || inv.Harnesses[0].Proven != nil {
		t.Errorf("without a store or a project: %+v, %v", inv.Harnesses[0], err)
	}
}

// TestDifferences finds every kind of change.
func TestDifferences(t *testing.T) {
	made := func(text string, change func(fstest.MapFS)) *Inventory {
		files := project()
		if change != nil {
			change(files)
		}
		inv, err := Of(parse(t, text), files)
		if err != nil {
			t.Fatal(err)
		}
		return inv
	}
	recorded := made(agent, nil)
	var text bytes.Buffer
	if err := recorded.JSON(&text); err != nil {
		t.Fatal(err)
	}
	again, err := Parse(text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		now  *Inventory
		want []string
	}{
		{"nothing", made(agent, nil), nil},
		{"a comment of the mapping", made("# new\n"+agent, nil), []string{"agent: changed since: the mapping"}},
		{"a store", made(agent+store, nil), []string{"agent: changed since: the mapping"}},
		{"a fixture", made(agent, func(f fstest.MapFS) { f["testdata/agent/one/input.jsonl"].Data = []byte("{ }\n") }), []string{"agent: changed since: the golden cases"}},
		{"a name", made(agent, func(f fstest.MapFS) {
			f["testdata/agent/three/input.jsonl"] = f["testdata/agent/one/input.jsonl"]
			delete(f, "testdata/agent/one/input.jsonl")
		}), []string{"agent: changed since: the golden cases"}},
		{"no fixture", made(agent, func(f fstest.MapFS) {
			delete(f, "testdata/agent/one/input.jsonl")
			delete(f, "testdata/agent/two/input.jsonl")
		}), []string{"agent: changed since: the golden cases"}},
		{"evidence", made(agent, func(f fstest.MapFS) { delete(f, "docs/evidence/agent.json") }), []string{"agent: changed since: the evidence"}},
		{"a harness", &Inventory{}, []string{"agent: is recorded, and no more there"}},
	} {
		if diff := cmp.Diff(test.want, test.now.Differences(again)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	if diff := cmp.Diff([]string{"agent: is not recorded"}, recorded.Differences(&Inventory{})); diff != "" {
		t.Errorf("a new harness (-want +got):\n%s", diff)
	}
}

func TestBroken(t *testing.T) {
	files := project()
	files["docs/evidence/agent.json"].Data = []byte("{")
	if _, err := Of(parse(t, agent), files); err == nil {
		t.Error("broken evidence is no error")
	}
	for _, text := range []string{"", "{", `{"other":1}`} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%q is an inventory", text)
		}
	}
}

// TestRecorded: what is recorded is what there is.
func TestRecorded(t *testing.T) {
	root := "../.."
	files, err := filepath.Glob(root + "/mappings/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d mappings, %v", len(files), err)
	}
	var ms []*engine.Mapping
	for _, file := range files {
		m, err := engine.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		ms = append(ms, m)
	}
	inv, err := Of(ms, os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(root, File))
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range inv.Differences(recorded) {
		t.Errorf("%s (trajmap inventory --update records it)", d)
	}
}
