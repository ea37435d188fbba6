package read

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
)

// log is a mapping of a log in which a frame may give a new list in the place of
// all before it.
const log = `mapping: v1
harness: made-up
read:
  - format: log
    native: none
    frames: jsonl
    expand: all
    key: id
    upsert: true
    event: {record: id, sequence: = index}
    session:
      parts: {map: id, key: '= list(it.parts).map(p, p.of)'}
    before: {if: it.id == null, ignore: control}
    do:
      - user: text
      - each: parts
        do: {assistant: '= str(it.of) + ":" + str(session.parts["x"])'}
    active:
      edits:
        - {if: it.back != null, cut: back}
        - {if: it.all != null, reset: true}
`

func TestExpand(t *testing.T) {
	m := parse(t, log)
	in := strings.Join([]string{
		`{"all":[{"id":"0","text":"context"},7,{"id":"1","text":"one, listed"}]}`,
		`{"id":"1","text":"one"}`,
		`{"id":"2","text":"two"}`,
		`{"all":[{"id":"1","text":"one, cut"},{"id":"3","text":"three","parts":[{"of":"x"},{"of":"y"}]}]}`,
		`{"id":"3","text":"three again"}`,
		`{"id":"4","text":"four"}`,
		`{"back":"4"}`,
		`{"id":"5","text":"five"}`,
	}, "\n")
	for _, c := range []struct {
		name string
		view mapping.View
		want string
	}{
		{"an item of a list does not replace what was written by itself", mapping.Archive, "context one two three again four five"},
		{"but what is sent is the list", mapping.ActiveView, "one, cut three again five"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := said(t, m, in, Options{View: c.view, Normalize: normalize.Options{Partial: true}}); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// A frame that another version of itself replaced is no lost branch.
func TestReplacedIsNotInactive(t *testing.T) {
	m := parse(t, log)
	_, result := read(t, m, input(`{"id":"1","text":"a"}
{"id":"1","text":"b"}
{"id":"2","text":"c"}
{"all":[{"id":"1","text":"d"}]}`), Options{View: mapping.ActiveView})
	want := []Hazard{{Code: "inactive_branch", Count: 1, Lines: []int{3}}}
	if diff := cmp.Diff(want, result.Hazards); diff != "" {
		t.Errorf("hazards (-want +got):\n%s", diff)
	}
	books := map[string]int{}
	for _, e := range result.Ledger.Entries {
		books[e.Bucket+" "+e.Reason] += e.Count
	}
	if diff := cmp.Diff(map[string]int{"mapped ": 1, "ignored control": 1, "ignored inactive": 1, "ignored replaced": 2}, books); diff != "" {
		t.Errorf("books (-want +got):\n%s", diff)
	}
	if result.Ledger.Frames != 5 {
		t.Errorf("%d frames, want 5", result.Ledger.Frames)
	}
}

// What `event` says is of the frame, within an `each` too; a key that is a list
// is each of its items.
func TestExpandedEvents(t *testing.T) {
	m := parse(t, log)
	for _, in := range []string{
		`{"all":[{"id":"0","text":"zero"},{"id":"1","text":"one","parts":[{"of":"x"},{"of":"y"}]}]}`,
		"\xef\xbb\xbf" + `{"all":[{"id":"0","text":"zero` + "\xff" + `"},{"id":"1","text":"one","parts":[{"of":"x"},{"of":"y"}]}]}`,
	} {
		var got []string
		sink := sinkFunc(func(r *normalize.Record) error {
			d := r.Decode()
			got = append(got, fmt.Sprintf("%s %d", d.Content, r.Seq))
			return nil
		})
		_, err := New(m).Read(context.Background(), input(in), Options{}, func(*normalize.Plan) (normalize.Sink, error) { return sink, nil })
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"one 2", "x:1 2", "y:1 2"}, got[max(0, len(got)-3):]); diff != "" {
			t.Errorf("records (-want +got):\n%s", diff)
		}
	}
}

func TestRefuse(t *testing.T) {
	m := parse(t, `mapping: v1
harness: made-up
read:
  - format: sealed
    native: none
    detect: it.sealed == true
    frames: jsonl
    refuse: version 9 is not read
  - format: open
    native: none
    frames: jsonl
    do: {user: text}
`)
	_, _, err := tryRead(m, input(`{"sealed":true}`), Options{})
	if got, want := fmt.Sprint(err), "invalid_input: version 9 is not read (the format sealed of made-up)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, _, err := tryRead(m, input(`{"text":"Hello."}`), Options{Normalize: normalize.Options{Partial: true}}); err != nil {
		t.Error(err)
	}
}
