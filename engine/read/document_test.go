package read

import (
	"strings"
	"testing"
)

// The contract's code for what is no object speaks of lines.
func TestNoObjectsInADocument(t *testing.T) {
	m := parse(t, `
mapping: v1
harness: test
read:
  - {format: document, frames: {json: items}, kind: k, rules: {u: {user: text}, a: {assistant: text}}}
`)
	_, result := read(t, m, input(`{"items":[null,{"k":"u","text":"1"},7,"x",[],{"k":"a","text":"2"}]}`), Options{})
	for _, d := range result.Diagnostics {
		if d.Code == "non_object_json_line" {
			t.Errorf("diagnostic %+v", d)
		}
	}
	if result.Ledger.Invalid != 4 || result.Ledger.Frames != 2 {
		t.Errorf("%d frames, %d invalid, want 2 and 4", result.Ledger.Frames, result.Ledger.Invalid)
	}
}

// TestDriftOfTheDocument wants what stands around the frames known as well.
func TestDriftOfTheDocument(t *testing.T) {
	m := parse(t, `
mapping: v1
harness: test
native:
  doc: {items: [any], name: str!, info: {version: num, _: any}}
  frame: {k: str!, text: str}
read:
  - {format: document, frames: {json: items}, kind: k, rules: {u: {user: text}, a: {assistant: text}}}
`)
	const frames = `"items":[{"k":"u","text":"1"},{"k":"a","text":"2"}]`
	for _, test := range []struct{ text, want string }{
		{`{"name":"n","info":{"version":1,"more":2},` + frames + `}`, ""},
		{`{"info":{"version":"1"},"extra":[1],` + frames + `}`,
			"doc.info.version: str where num; doc.extra: new key; doc.name: missing; "},
		{`{"name":"n",` + strings.Replace(frames, `"2"`, `2,"more":1`, 1) + `}`,
			"text: num where str; more: new key; "},
	} {
		got := ""
		_, result := read(t, m, input(test.text), Options{Drift: true})
		for _, k := range result.Ledger.Keys {
			got += k.Path + ": " + k.Problem + "; "
			if k.Count != 1 {
				t.Errorf("%s: counted %d times", k.Path, k.Count)
			}
		}
		if got != test.want {
			t.Errorf("%s\n gives %s\n want  %s", test.text, got, test.want)
		}
		if _, result := read(t, m, input(test.text), Options{}); len(result.Ledger.Keys) > 0 {
			t.Error("keys were looked at unasked")
		}
	}
}
