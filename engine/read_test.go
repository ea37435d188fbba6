package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine/trajectory"
)

const demo = `mapping: v1
harness: demo
native: {frame: {kind: type, kinds: {user: {text: str}, assistant: {text: str}}}}
read:
  - format: log
    detect: it.type == "user"
    frames: jsonl
    kind: type
    rules: {user: {user: text}, assistant: {assistant: text}}
`

const two = `{"type":"user","text":"Hello."}
{"type":"assistant","text":"Hello!"}
`

func parse(t *testing.T, text string) *Mapping {
	t.Helper()
	m, err := Parse("demo.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestReadStops(t *testing.T) {
	m := parse(t, demo)
	seen := 0
	for rec, err := range m.Read(context.Background(), Bytes("x", []byte(two)), Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		seen++
		if rec.Role == "user" {
			break
		}
	}
	if seen != 2 {
		t.Errorf("%d records before the break, want 2", seen)
	}
}

func TestReadError(t *testing.T) {
	m := parse(t, demo)
	var last error
	for rec, err := range m.Read(context.Background(), Bytes("x", []byte(`{"type":"user","text":"Hello."}`)), Options{}) {
		if last != nil {
			t.Errorf("%v follows an error", rec)
		}
		last = err
	}
	var fault *trajectory.Error
	if !errors.As(last, &fault) || fault.Code != trajectory.MissingAssistantRecords {
		t.Errorf("the read ends in %v", last)
	}
	s, err := m.ReadAll(context.Background(), Bytes("x", []byte(`{"type":"user","text":"Hello."}`)), Options{})
	if !errors.As(err, &fault) || s == nil || len(s.Ledger.Entries) != 1 {
		t.Errorf("read whole: %+v, %v", s, err)
	}
}

func TestReadCancelled(t *testing.T) {
	m := parse(t, demo)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.ReadAll(ctx, Bytes("x", []byte(two)), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a read that is cancelled ends in %v", err)
	}
}

// TestReadConcurrently shares a mapping between reads; the race detector watches.
func TestReadConcurrently(t *testing.T) {
	m := parse(t, demo)
	for range 4 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			for range 50 {
				s, err := m.ReadAll(context.Background(), Bytes("x", []byte(two)), Options{})
				if err != nil || len(s.Records) != 3 {
					t.Fatalf("%+v, %v", s, err)
				}
			}
		})
	}
}

func TestDetect(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "demo.yaml", demo)
	c := catalog(t, dir)
	m, err := c.Detect(context.Background(), Bytes("x", []byte(two)))
	if err != nil || m == nil || m.Harness != "demo" {
		t.Errorf("found %v, %v", m, err)
	}
	for _, foreign := range []string{"", "what is this?", `{"kind":"user"}`, "[]"} {
		if m, err := c.Detect(context.Background(), Bytes("x", []byte(foreign))); m != nil || err != nil {
			t.Errorf("%q is recognised as %v, %v", foreign, m, err)
		}
	}
	write(t, dir, "a-faulty.yaml", "mapping: v1\n")
	if _, err := catalog(t, dir).Detect(context.Background(), Bytes("x", []byte(two))); err == nil {
		t.Error("a mapping that does not compile is passed over in silence")
	}
}

// TestDetectBest prefers the mapping that knows more of the input to the one
// whose name comes first, also where the input is a document, and far beyond
// what is looked at.
func TestDetectBest(t *testing.T) {
	const more = `mapping: v1
harness: more
native: {frame: {kind: type, kinds: {user: {text: str}, assistant: {text: str}, note: {text: str}}}}
read:
  - format: log
    detect: it.type == "user"
    frames: jsonl
    kind: type
    ignored: [note]
    rules: {user: {user: text}, assistant: {assistant: text}}
  - format: document
    detect: it.type == "user"
    frames: {json: [items]}
    kind: type
    ignored: [note]
    rules: {user: {user: text}, assistant: {assistant: text}}
`
	const less = `mapping: v1
harness: less
native: {frame: {kind: type, kinds: {user: {text: str}, assistant: {text: str}}}}
read:
  - format: log
    detect: it.type == "user"
    frames: jsonl
    kind: type
    rules: {user: {user: text}, assistant: {assistant: text}}
  - format: document
    detect: it.type == "user"
    frames: {json: [items]}
    kind: type
    rules: {user: {user: text}, assistant: {assistant: text}}
`
	dir := t.TempDir()
	write(t, dir, "less.yaml", less)
	write(t, dir, "more.yaml", more)
	c := catalog(t, dir)
	filler := strings.Repeat("0123456789", headSize/10+1)
	long := two + `{"type":"note","text":"` + filler[:headSize/2] + "\"}\n" + `{"type":"assistant","text":"` + filler + "\"}\n"
	document := `{"items":[{"type":"user","text":"Hello."},{"type":"note","text":"` + filler + `"},{"type":"assistant","text":"Hello!"}]}`
	for name, input := range map[string]string{"lines": long, "document": document} {
		m, err := c.Detect(context.Background(), Bytes(name, []byte(input)))
		if err != nil || m == nil || m.Harness != "more" {
			t.Errorf("%s: found %v, %v", name, m, err)
		}
	}
	m, err := c.Detect(context.Background(), Bytes("x", []byte(two)))
	if err != nil || m == nil || m.Harness != "less" {
		t.Errorf("both know all: found %v, %v", m, err)
	}
}

func TestFolder(t *testing.T) {
	const events = `mapping: v1
harness: events
native: {frame: {kind: type, kinds: {user: {text: str}, assistant: {text: str}}}}
read:
  - format: folder
    detect: it.type == "user"
    frames: {files: "events/*.json"}
    kind: type
    rules: {user: {user: text}, assistant: {assistant: text}}
`
	m := parse(t, events)
	dir := t.TempDir()
	if m.Recognises(Folder(dir)) {
		t.Error("an empty folder is recognised")
	}
	write(t, filepath.Join(dir, "events"), "1.json", `{"type":"user","text":"Hello."}`)
	write(t, filepath.Join(dir, "events"), "2.json", `{"type":"assistant","text":"Hello!"}`)
	for _, path := range []string{dir, dir + string(os.PathSeparator)} {
		if !m.Recognises(Folder(path)) {
			t.Errorf("%s is not recognised", path)
		}
	}
	s, err := m.ReadAll(context.Background(), Folder(dir), Options{})
	if err != nil || len(s.Records) != 3 {
		t.Errorf("%+v, %v", s, err)
	}
	if !m.ReadsFolders() || parse(t, demo).ReadsFolders() {
		t.Error("which mappings read folders")
	}
}
