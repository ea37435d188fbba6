package read

import "testing"

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
