package evidence

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/normalize"
)

const claims = `mapping: v1
harness: demo
native:
  version: v
  since: {note: "2.0", colour: "2.5", "part/new": "3"}
  until: {old: "1.9"}
  frame:
    kind: type
    all: {v: str, colour: str, time: str}
    kinds:
      user: {text: str}
      note: {text: str}
      old: {text: str}
      part: {p: {kind: type, kinds: {new: {text: str}, plain: {text: str}}}}
read:
  - format: log
    versions: ">=1.0"
    detect: it.type == "user"
    frames: jsonl
    kind: type
    rules:
      user:
        - {if: it.text == "late", versions: ">=2.2", user: text}
        - {if: it.text != "late", user: text}
      note:
        versions: "<4"
        do: {observation: text}
      old: {user: text}
      part: {with: p, kind: type, rules: {"new, plain": {user: text}}}
`

func TestRanges(t *testing.T) {
	m, err := engine.Parse("demo.yaml", []byte(claims))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, input string
		want        []string
	}{
		{"no version", `{"type":"user"}{"type":"note"}{"type":"old"}`, nil},
		{"all in range", `{"type":"user","v":"2.5","colour":"red"}{"type":"note"}`, nil},
		{"format", `{"type":"user","v":"0.9"}`, []string{"16:5 1: format log occurs in version 0.9, which is out of its range"}},
		{"kind, too early", `{"type":"user","v":"1.5"}{"type":"note"}{"type":"note"}`, []string{"5:11 2: kind note occurs in version 1.5, which is out of its range"}},
		{"kind, too late", `{"type":"old","v":"2"}`, []string{"6:11 1: kind old occurs in version 2, which is out of its range"}},
		{"field", `{"type":"user","v":"2.4.9","colour":"red"}`, []string{"5:24 1: field colour occurs in version 2.4.9, which is out of its range"}},
		{"part", `{"type":"part","v":"2.9","p":{"type":"new"}}{"type":"part","p":{"type":"plain"}}`, []string{"5:39 1: kind part/new occurs in version 2.9, which is out of its range"}},
		{"step", `{"type":"user","v":"2.1","text":"late"}{"type":"user","text":"x"}`, []string{"23:11 1: step occurs in version 2.1, which is out of its range"}},
		{"resumed with a newer version", `{"type":"user","v":"1.0"}{"type":"user","v":"2.0"}{"type":"note"}`, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var r Ranges
			r.Reset()
			o := engine.Options{Trace: &r, Normalize: normalize.Options{Partial: true}}
			if _, err := m.ReadAll(context.Background(), engine.Bytes("x", []byte(strings.ReplaceAll(test.input, "}{", "}\n{"))), o); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range r.Departures() {
				got = append(got, fmt.Sprintf("%d:%d %d: %s", d.Pos.Line, d.Pos.Col, d.Count, d))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("departures (-want +got):\n%s", diff)
			}
		})
	}
}
