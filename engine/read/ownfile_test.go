package read

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
)

// journals is a harness that keeps a session in two files: all that happened,
// and what the model is sent.
const journals = `
mapping: v1
harness: test
read:
  - format: context
    file: context.jsonl
    view: active
    detect: has(it.role)
    frames: jsonl
    files: {summary: summary.json}
    session: {cwd: = files.summary.cwd}
    kind: role
    rules: {user: {user: text}, assistant: {assistant: text}}
  - format: journal
    file: journal.jsonl
    view: archive
    detect: has(it.event)
    frames: jsonl
    files: {summary: summary.json}
    session: {cwd: = files.summary.cwd}
    kind: event
    ignored: [cut]
    rules:
      said: {user: text}
      gave: {assistant: text}
    active:
      edits: [{on: cut, reset: true}]
`

const (
	contextFile = `{"role":"user","text":"summary"}
{"role":"user","text":"two"}
{"role":"assistant","text":"2"}`
	journalFile = `{"event":"said","text":"one"}
{"event":"gave","text":"1"}
{"event":"cut"}
{"event":"said","text":"two"}
{"event":"gave","text":"2"}`
)

// contents are the texts of a read, and the name of the file that was read.
func contents(t *testing.T, m *mapping.Mapping, in *frame.Input, o Options) (texts, from string) {
	t.Helper()
	out, result := read(t, m, in, o)
	for line := range strings.Lines(out) {
		if _, text, found := strings.Cut(line, `"content":"`); found {
			text, _, _ = strings.Cut(text, `"`)
			texts += text + " "
		}
	}
	return strings.TrimSpace(texts), filepath.Base(result.Path)
}

func TestOwnFile(t *testing.T) {
	dir := store(t, map[string]string{
		"both/context.jsonl":    contextFile,
		"both/journal.jsonl":    journalFile,
		"both/summary.json":     `{"cwd":"/work"}`,
		"journal/journal.jsonl": journalFile,
		"context/context.jsonl": contextFile,
		"empty/context.jsonl":   "",
		"empty/journal.jsonl":   journalFile,
		"other/talk.jsonl":      contextFile,
		"other/journal.jsonl":   journalFile,
	})
	const all, sent, cut = "one 1 two 2", "summary two 2", "two 2"
	m := parse(t, journals)
	for _, c := range []struct {
		input         string
		view          mapping.View
		alone         bool
		texts, reader string
	}{
		{"both/", mapping.Archive, false, all, "journal.jsonl"},
		{"both/", mapping.AnyView, false, all, "journal.jsonl"},
		{"both/", mapping.ActiveView, false, sent, "context.jsonl"},
		{"both/journal.jsonl", mapping.Archive, false, all, "journal.jsonl"},
		{"both/journal.jsonl", mapping.ActiveView, false, sent, "context.jsonl"},
		{"both/context.jsonl", mapping.Archive, false, all, "journal.jsonl"},
		{"both/context.jsonl", mapping.ActiveView, false, sent, "context.jsonl"},
		{"both/summary.json", mapping.ActiveView, false, sent, "context.jsonl"},
		// the input itself
		{"both/journal.jsonl", mapping.ActiveView, true, cut, "journal.jsonl"},
		{"both/context.jsonl", mapping.Archive, true, sent, "context.jsonl"},
		{"both/", mapping.ActiveView, true, sent, "context.jsonl"},
		// one of the files is not there, or holds nothing
		{"journal/", mapping.ActiveView, false, cut, "journal.jsonl"},
		{"journal/journal.jsonl", mapping.ActiveView, false, cut, "journal.jsonl"},
		{"context/", mapping.Archive, false, sent, "context.jsonl"},
		{"context/context.jsonl", mapping.Archive, false, sent, "context.jsonl"},
		{"empty/", mapping.ActiveView, false, cut, "journal.jsonl"},
		// under another name a file is all there is
		{"other/talk.jsonl", mapping.Archive, false, sent, "talk.jsonl"},
	} {
		in := &frame.Input{Name: filepath.Join(dir, c.input) + string(os.PathSeparator), ReaderAt: strings.NewReader("")}
		if !strings.HasSuffix(c.input, "/") {
			in = file(t, dir, c.input)
		}
		texts, from := contents(t, m, in, Options{View: c.view, Alone: c.alone})
		if texts != c.texts || from != c.reader {
			t.Errorf("%s, view %d, alone %t: %q from %s, want %q from %s", c.input, c.view, c.alone, texts, from, c.texts, c.reader)
		}
		if len(Recognise([]*mapping.Mapping{m}, in, frame.Options{})) == 0 {
			t.Errorf("%s is not recognised", c.input)
		}
	}
	if _, result := read(t, m, file(t, dir, "both/journal.jsonl"), Options{View: mapping.ActiveView}); result.Facts["cwd"] != "/work" {
		t.Errorf("beside the file that is read: %v", result.Facts)
	}
	if text, _ := contents(t, m, input(journalFile), Options{View: mapping.ActiveView}); text != cut {
		t.Errorf("standard input: %q", text)
	}
	nothing := &frame.Input{Name: filepath.Join(dir, "nothing") + string(os.PathSeparator), ReaderAt: strings.NewReader("")}
	if len(Recognise([]*mapping.Mapping{m}, nothing, frame.Options{})) != 0 {
		t.Error("a folder without the files is recognised")
	}
}

// A folder is none of the sessions that consist of one file.
func TestFolderIsNoFile(t *testing.T) {
	m := parse(t, `
mapping: v1
harness: test
read:
  - {format: lines, frames: jsonl, do: {user: text}}
  - {format: document, frames: {json: items}, do: {user: text}}
`)
	in := &frame.Input{Name: t.TempDir() + string(os.PathSeparator), ReaderAt: strings.NewReader("")}
	if len(Recognise([]*mapping.Mapping{m}, in, frame.Options{})) != 0 {
		t.Error("a folder is recognised")
	}
	if _, _, err := tryRead(m, in, Options{}); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("error %v", err)
	}
}

func TestFramesOfAFolder(t *testing.T) {
	m := parse(t, `
mapping: v1
harness: test
read:
  - format: folder
    detect: has(it.kind)
    frames: {files: "events/event-*.json"}
    files: {state: state.json}
    session:
      group: = stem(file)
      cwd: = files.state.cwd
      last: {last: '= int(file.split("event-")[1].split("-")[0])'}
      events: {count: it.kind != ""}
    kind: kind
    rules:
      user: [{if: index == 0 && session.events <= session.last, hazard: lineage_missing}, {user: '= str(it.text) + "@" + stem(file)'}]
      assistant: {assistant: text}
`)
	dir := store(t, map[string]string{
		"c1/events/event-99999-a.json":  `{"kind":"user","text":"one"}`,
		"c1/events/event-100000-b.json": `{"kind":"assistant","text":"1"}`,
		"c1/events/notes.txt":           "no",
		"c1/state.json":                 `{"cwd":"/work"}`,
	})
	folder := &frame.Input{Name: filepath.Join(dir, "c1") + string(os.PathSeparator), ReaderAt: strings.NewReader("")}
	for name, in := range map[string]*frame.Input{
		"the folder": folder,
		"a frame":    file(t, dir, "c1/events/event-100000-b.json"),
		"the state":  file(t, dir, "c1/state.json"),
	} {
		text, _ := contents(t, m, in, Options{})
		if want := "one@event-99999-a 1"; text != want {
			t.Errorf("%s: %q, want %q", name, text, want)
		}
		_, result := read(t, m, in, Options{})
		if result.Facts["group"] != "c1" || result.Facts["cwd"] != "/work" {
			t.Errorf("%s: facts %v", name, result.Facts)
		}
		if len(result.Hazards) != 1 || result.Hazards[0].Code != "lineage_missing" {
			t.Errorf("%s: hazards %v", name, result.Hazards)
		}
		if len(Recognise([]*mapping.Mapping{m}, in, frame.Options{})) == 0 {
			t.Errorf("%s is not recognised", name)
		}
	}
	for name, in := range map[string]*frame.Input{
		"a file beside": file(t, dir, "c1/events/notes.txt"),
		"a pipe":        input(`{"kind":"user"}`),
	} {
		if len(Recognise([]*mapping.Mapping{m}, in, frame.Options{})) != 0 {
			t.Errorf("%s is recognised", name)
		}
	}
}

// A file of a session may stand deeper in its folder; its namesakes elsewhere are
// sessions of their own.
func TestOwnFileBelow(t *testing.T) {
	m := parse(t, strings.Replace(journals, "file: journal.jsonl\n    view: archive", "file: parts/main/journal.jsonl", 1))
	dir := store(t, map[string]string{
		"parts/main/journal.jsonl": journalFile,
		"parts/side/journal.jsonl": `{"event":"said","text":"side"}` + "\n" + `{"event":"gave","text":"3"}`,
	})
	for _, c := range []struct{ in, want string }{
		{"", "one 1 two 2"},
		{"parts/main/journal.jsonl", "one 1 two 2"},
		{"parts/side/journal.jsonl", "side 3"},
	} {
		for _, view := range []mapping.View{mapping.Archive, mapping.ActiveView} {
			want := c.want
			if view == mapping.ActiveView {
				want = strings.TrimPrefix(want, "one 1 ")
			}
			in := &frame.Input{Name: dir + string(filepath.Separator)}
			if c.in != "" {
				in = file(t, dir, c.in)
			}
			if got, _ := contents(t, m, in, Options{View: view}); got != want {
				t.Errorf("%q: got %q, want %q", c.in, got, want)
			}
		}
	}
}
