package mapping

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// segmentOf is the pattern of one name.
func segmentOf(t *testing.T, pattern string) *Segment {
	t.Helper()
	text := `# yaml-language-server: $schema=x
mapping: v1
harness: x
native: {frame: {kind: type, kinds: {user: {text: str}}}}
read: [{format: log, frames: jsonl, kind: type, rules: {user: {user: text}}}]
store: [{roots: [~/x], sessions: [{path: '` + pattern + `'}]}]
`
	m, found := Parse("x.yaml", []byte(text))
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	p := m.Stores[0].Layouts[0].Paths[0]
	if len(p.Segments) != 1 {
		t.Fatalf("%s has %d segments", pattern, len(p.Segments))
	}
	return &p.Segments[0]
}

func TestSegmentMatch(t *testing.T) {
	const uuid = "0199a213-81c0-7800-8aa1-bbab2a035a53"
	above := []Part{{"id", uuid}, {"project", "p"}}
	for _, test := range []struct {
		pattern, name string
		above         []Part
		want          []Part // nil: does not fit
	}{
		{"a.json", "a.json", nil, []Part{}},
		{"a.json", "aXjson", nil, nil},
		{"a.*", "a.json", nil, []Part{}},
		{"a.*", "a.", nil, []Part{}},
		{"*.jsonl", "x.jsonl.zst", nil, nil},
		{"{id}.jsonl", ".jsonl", nil, nil},
		{"{id:uuid}.jsonl", uuid + ".jsonl", nil, []Part{{"id", uuid}}},
		{"{id:uuid}.jsonl", "agent-" + uuid + ".jsonl", nil, nil},
		{"{id:uuid}.jsonl", uuid[1:] + ".jsonl", nil, nil},
		{"run-{time}-{id:uuid}.x", "run-2026-10-05T12-00-00-" + uuid + ".x", nil, []Part{{"time", "2026-10-05T12-00-00"}, {"id", uuid}}},
		{"{time}_{id}.jsonl", "2026_a_b.jsonl", nil, []Part{{"time", "2026"}, {"id", "a_b"}}},
		{"{id:hex}{n:digits}", "abc12", nil, []Part{{"id", "abc1"}, {"n", "2"}}},
		{"{id}.json", uuid + ".json", above, above},
		{"{id}.json", "other.json", above, nil},
		{"{id}.{kind}.json", uuid + ".messages.json", above, append(above[:2:2], Part{"kind", "messages"})},
		{"(.+)", "xx", nil, nil},
		{"{id}", "new\nline", nil, []Part{{"id", "new\nline"}}},
	} {
		got, ok := segmentOf(t, test.pattern).Match(test.name, test.above)
		if ok != (test.want != nil) {
			t.Errorf("%s fits %s: %v", test.name, test.pattern, ok)
			continue
		}
		if diff := cmp.Diff(append([]Part{}, test.want...), append([]Part{}, got...)); diff != "" {
			t.Errorf("%s, %s (-want +got):\n%s", test.name, test.pattern, diff)
		}
	}
}

// TestMatchKeepsAbove matches two names below one folder: what the first gives
// must not show in the second.
func TestMatchKeepsAbove(t *testing.T) {
	s := segmentOf(t, "{id}.json")
	above := make([]Part, 1, 8)
	above[0] = Part{"project", "p"}
	first, _ := s.Match("a.json", above)
	second, _ := s.Match("b.json", above)
	if first[1].Value != "a" || second[1].Value != "b" {
		t.Errorf("%v, %v", first, second)
	}
}

func TestRootExpand(t *testing.T) {
	env := map[string]string{"A": "/a", "B": "b", "TILDE": "~/c", "EMPTY": "", "STAR": "/s*r"}
	getenv := func(name string) string { return env[name] }
	for _, test := range []struct {
		places []string
		home   string
		want   string // folder, and what is below it behind a blank
	}{
		{[]string{"$A", "~/x"}, "/home/u", "/a"},
		{[]string{"$STAR/x"}, "", "/s*r/x"},
		{[]string{"~/x/a*b/c/*"}, "/home/*", "/home/*/x a*b/c/*"},
		{[]string{"/*/x"}, "", "/ */x"},
		{[]string{"$NONE", "$EMPTY/y", "~/x"}, "/home/u", "/home/u/x"},
		{[]string{"~"}, "/home/u", "/home/u"},
		{[]string{"~/x"}, "", ""},
		{[]string{"$A/$B/z"}, "", "/a/b/z"},
		{[]string{"$A/$NONE", "$B"}, "", "b"},
		{[]string{"$TILDE/*/d"}, "/home/u", "/home/u/c */d"},
		{[]string{"$NONE"}, "/home/u", ""},
		{[]string{"/etc/~"}, "/home/u", "/etc/~"},
	} {
		r := &Root{Places: test.places}
		folder, below := r.Expand(getenv, test.home)
		if got := strings.TrimSpace(folder + " " + below); got != test.want {
			t.Errorf("%q gives %q, want %q", test.places, got, test.want)
		}
	}
	for _, test := range []struct {
		pattern, name string
		want          bool
	}{
		{"a*c", "abbc", true}, {"a*c", "ac", true}, {"a*c", "acd", false}, {"*", "", true}, {"*a*b", "xayb", true}, {"*a*b", "xyb", false},
		{"a", "a", true}, {"[a]*", "a", false}, {"[a]*", "[a]b", true}, {"a*a", "a", false}, {"?*", "x", false}, {`\*`, `\x`, true},
	} {
		if got := MatchStars(test.pattern, test.name); got != test.want {
			t.Errorf("%q fits %q: %t", test.name, test.pattern, got)
		}
	}
	r := &Root{Places: []string{"$A/$B", "$A_1x", "~/.config"}}
	if diff := cmp.Diff([]string{"A", "B", "A_1x"}, r.Variables()); diff != "" {
		t.Errorf("variables (-want +got):\n%s", diff)
	}
}
