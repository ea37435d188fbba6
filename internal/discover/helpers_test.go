package discover

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/trajmap/trajmap/engine"
)

// agentMapping is a mapping of an agent whose sessions are lines or documents,
// up to its stores.
const agentMapping = `# yaml-language-server: $schema=x
mapping: v1
harness: agent
native:
  frame:
    kind: type
    all: {at: str}
    kinds:
      start: {id: str, cwd: str, branch: str, title: str, of: str, begun: str}
      user: {text: str}
      reply: {text: str, model: str}
      rename: {title: str}
      end: {}
read:
  - format: log
    detect: it.type == "start"
    frames: jsonl
    event: {time: at, model: model}
    session:
      group: {first: id, on: start}
      cwd: {first: cwd, on: start}
      git_branch: {first: branch, on: start}
      title: {last: title, on: [start, rename]}
      created_at: {first: begun, on: start}
      of: {first: of, on: start}
    kind: type
    ignored: [start, rename, end]
    rules: {user: {user: text}, reply: {assistant: text}}
  - format: document
    detect: doc.id != null
    frames: {json: items}
    native: {doc: {id: str, changed: num, cwd: str, items: [any]}, frame: {type: str, text: str}}
    session: {group: = doc.id, cwd: = doc.cwd}
    kind: type
    rules: {user: {user: text}}
`

// agentOf is the mapping with some stores.
func agentOf(t testing.TB, stores string) *engine.Mapping {
	t.Helper()
	m, err := engine.Parse("agent.yaml", []byte(agentMapping+stores))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// tree writes the files of an archive below a new folder, all changed last at
// the same time.
func tree(t testing.TB, archive string) string {
	t.Helper()
	dir := t.TempDir()
	grow(t, dir, archive)
	return dir
}

var longAgo = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func grow(t testing.TB, dir, archive string) {
	t.Helper()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		put(t, filepath.Join(dir, filepath.FromSlash(f.Name)), string(f.Data))
	}
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	touch(t, path, longAgo)
}

func touch(t testing.TB, path string, at time.Time) {
	t.Helper()
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

// scan looks through the stores below a home.
func scan(t testing.TB, home string, ms ...*engine.Mapping) *List {
	t.Helper()
	l, err := Scan(t.Context(), ms, Below(home), nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// all are all sessions of a list.
func all(t testing.TB, l *List) []Session {
	t.Helper()
	page, next, err := l.Page(t.Context(), Query{Children: true})
	if err != nil || next != "" {
		t.Fatalf("%v, next %q", err, next)
	}
	return page
}

// ids are the ids of sessions with their paths below a home.
func ids(home string, sessions []Session) []string {
	list := []string{}
	for _, s := range sessions {
		path, err := filepath.Rel(home, s.Path)
		if err != nil {
			path = s.Path
		}
		list = append(list, s.ID+" "+filepath.ToSlash(path))
	}
	return list
}

// said is a session in which the user said something.
func said(text string) string {
	return fmt.Sprintf("{\"type\":\"start\"}\n{\"type\":\"user\",\"text\":%q}\n", text)
}

// noProblems wants all to have been read.
func noProblems(t *testing.T, l *List) {
	t.Helper()
	for _, p := range l.Problems() {
		t.Errorf("problem with %s: %v", p.Path, p.Err)
	}
}

func lines(list ...string) string { return strings.Join(list, "\n") + "\n" }
