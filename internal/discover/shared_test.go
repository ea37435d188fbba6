package discover

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine"
)

// relative is a mapping of an agent whose files have what the other's lack, and
// whose store the same variable moves.
const relative = `# yaml-language-server: $schema=x
mapping: v1
harness: relative
native: {frame: {kind: type, all: {at: str}, kinds: {start: {id: str, cwd: str}, user: {text: str}, extra: {more: str}}}}
read:
  - format: log
    detect: it.type == "extra" || it.type == "start"
    frames: jsonl
    event: {time: at}
    kind: type
    ignored: [start, extra]
    rules: {user: {user: text}}
store: [{roots: [[$AGENT_HOME, ~/.relative]], sessions: [{path: "{id}.jsonl"}]}]
`

// TestSharedFolder wants each session of a folder that two agents share under its
// own, whichever is asked for, and to be told once where both may have made it.
func TestSharedFolder(t *testing.T) {
	one := agentOf(t, `store: [{roots: [[$AGENT_HOME, ~/.agent]], sessions: [{path: "{id}.jsonl"}]}]`)
	two, err := engine.Parse("relative.yaml", []byte(relative))
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	others := func() []*engine.Mapping { asked++; return []*engine.Mapping{one, two} }
	dir := tree(t, `
-- mine.jsonl --
{"type":"start","id":"mine"}
{"type":"reply","text":"Hello","model":"m"}
{"type":"user","text":"Hello"}
-- theirs.jsonl --
{"type":"start"}
{"type":"extra","more":"x"}
{"type":"user","text":"Hello"}
-- both.jsonl --
{"type":"start"}
{"type":"user","text":"Hello"}
-- none.jsonl --
{"type":"user","text":"Hello"}
`)
	shared := Here(func(name string) string { return map[string]string{"AGENT_HOME": dir, "HOME": t.TempDir()}[name] })
	for _, test := range []struct {
		mappings []*engine.Mapping
		want     string
		told     int
	}{
		{[]*engine.Mapping{one, two}, "agent:both agent:mine agent:none relative:none relative:theirs", 1},
		{[]*engine.Mapping{one}, "agent:both agent:mine agent:none", 1},
		{[]*engine.Mapping{two}, "relative:both relative:none relative:theirs", 1},
	} {
		l, err := Scan(t.Context(), test.mappings, shared, others)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range all(t, l) {
			got = append(got, s.Harness+":"+s.ID)
		}
		slices.Sort(got)
		if d := cmp.Diff(test.want, strings.Join(got, " ")); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
		told := 0
		for _, p := range l.Problems() {
			if strings.HasSuffix(p.Path, "both.jsonl") && strings.Contains(fmt.Sprint(p.Err), "agent and relative") {
				told++
			}
		}
		if told != test.told || len(l.Problems()) != told {
			t.Errorf("%s: problems %v", test.want, l.Problems())
		}
	}
	// Nobody has moved a store: nothing is shared.
	asked = 0
	if l, err := Scan(t.Context(), []*engine.Mapping{one}, Below(t.TempDir()), others); err != nil || len(all(t, l)) != 0 || asked != 0 {
		t.Errorf("%v, the others were opened %d times", err, asked)
	}
}
