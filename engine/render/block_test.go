package render

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBlocks writes by steps of a name, of which each place has its own `it`, and
// looks at single values.
func TestBlocks(t *testing.T) {
	s := conversation(t, user("U1"), says("T1"), calls("a", `{"x":{"y":[1,2]}}`), gives("a", "r1"), says("T2"))
	write := `
  blocks:
    said: {let: {mark: = it.role}, if: has(it.text), frame: {by: = mark, text: = it.text}}
    deep: [{use: said}, {each: calls, do: [{use: result}]}]
    result: {with: result, do: [{frame: {gave: = it.content}}]}
  files:
    - path: out
      frames:
        - each: messages
          kind: role
          ignored: [system, observation]
          rules:
            user: {let: {mark: {const: outer}}, do: [{use: said}, {frame: {mark: = mark}}]}
            assistant: {use: deep}
        - each: calls
          do:
            - {with: args.x, do: [{frame: {y: = it.y}}]}
            - {with: args.none, do: [{frame: {never: 1}}]}
            - {with: args.x.y, do: [{frame: {whole: = it}}]}
        - {frame: {last: = it.title}}
`
	files := memory{}
	if _, err := Render(target(t, write), s, Options{}, files.create); err != nil {
		t.Fatal(err)
	}
	want := `{"by":"user","text":"U1"}
{"mark":"outer"}
{"by":"assistant","text":"T1"}
{"gave":"r1"}
{"by":"assistant","text":"T2"}
{"y":[1,2]}
{"whole":[1,2]}
{"last":"U1"}
`
	if diff := cmp.Diff(want, files["out"].String()); diff != "" {
		t.Error(diff)
	}
}

// TestNotedHazards counts what steps note, before the files and in them.
func TestNotedHazards(t *testing.T) {
	s := conversation(t, user("U1"), says(strings.Repeat("long ", 50)), calls("a", `{}`), gives("a", "r1"), says("T2"))
	write := `
  before:
    - {if: it.wordiest > 200, hazard: target_will_truncate}
    - {if: it.size > 1000000, hazard: image}
    - {each: calls, do: [{hazard: my_own, verdict: never}]}
  files:
    - path: out
      frames:
        - each: messages
          do:
            - {hazard: target_will_truncate}
            - {frame: {text: = it.text}}
`
	e, err := Render(target(t, write), s, Options{}, memory{}.create)
	if err != nil {
		t.Fatal(err)
	}
	want := []Hazard{{"target_will_truncate", "", 1 + 3}, {"my_own", "never", 1}}
	if diff := cmp.Diff(want, e.Hazards); diff != "" {
		t.Error(diff)
	}
}
