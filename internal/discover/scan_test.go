package discover

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const uuid1, uuid2, uuid3 = "0199a213-81c0-7800-8aa1-bbab2a035a51", "0199a213-81c0-7800-8aa1-bbab2a035a52", "0199a213-81c0-7800-8aa1-bbab2a035a53"

// TestLayouts finds what fits a layout, each path once, and nothing else.
func TestLayouts(t *testing.T) {
	m := agentOf(t, `
store:
  roots: [~/.agent]
  sessions:
    - path: projects/*/{id:uuid}.jsonl
    - path: projects/*/{parent:uuid}/{id}.jsonl
    - path: deep/**/run-*-{id:hex}.jsonl
    - path: "twice/{id}/{id}.jsonl"
    - path: folders/{id}/
    - path: projects/*/*.jsonl
      id: = "other-" + stem("x")
`)
	home := tree(t, strings.NewReplacer("UUID1", uuid1, "UUID2", uuid2).Replace(`
-- .agent/projects/a/UUID1.jsonl --
{"type":"user","text":"one"}
-- .agent/projects/b/UUID2.jsonl --
{"type":"user","text":"two"}
-- .agent/projects/a/UUID1/sub.jsonl --
{"type":"user","text":"three"}
-- .agent/projects/a/UUID1/notes.txt --
no session
-- .agent/projects/a/empty.jsonl --
-- .agent/projects/a/named.jsonl --
{"type":"user","text":"four"}
-- .agent/projects/loose.jsonl --
{"type":"user","text":"not in a project"}
-- .agent/deep/run-1-ab.jsonl --
{"type":"user","text":"five"}
-- .agent/deep/2026/01/run-2-cd.jsonl --
{"type":"user","text":"six"}
-- .agent/deep/2026/01/run-2-xy.jsonl --
{"type":"user","text":"not hex"}
-- .agent/twice/e/e.jsonl --
{"type":"user","text":"seven"}
-- .agent/twice/e/f.jsonl --
{"type":"user","text":"not the same"}
-- .agent/folders/file --
{"type":"user","text":"no folder"}
`))
	l := scan(t, home, m)
	noProblems(t, l)
	want := []string{
		uuid1 + " .agent/projects/a/" + uuid1 + ".jsonl",
		uuid2 + " .agent/projects/b/" + uuid2 + ".jsonl",
		"ab .agent/deep/run-1-ab.jsonl",
		"cd .agent/deep/2026/01/run-2-cd.jsonl",
		"e .agent/twice/e/e.jsonl",
		"other-x .agent/projects/a/named.jsonl",
		"sub .agent/projects/a/" + uuid1 + "/sub.jsonl",
	}
	if diff := cmp.Diff(want, sorted(ids(home, all(t, l)))); diff != "" {
		t.Errorf("sessions (-want +got):\n%s", diff)
	}
}

func sorted(list []string) []string {
	for i := range list {
		for j := i; j > 0 && list[j] < list[j-1]; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
	return list
}

// TestRoots looks at every root, in the alternative that counts.
func TestRoots(t *testing.T) {
	m := agentOf(t, `
store:
  - roots:
      - [$AGENT_HOME, ~/.agent]
      - ~/profiles/*/agent
      - $NOWHERE
      - /nowhere/at/all
    sessions: [{path: "{id}.jsonl"}]
  - roots: [~/single.jsonl, ~/.agent]
    sessions: [{path: ., id: {const: single}}]
`)
	home := tree(t, `
-- .agent/a.jsonl --
{"type":"user","text":"in the home"}
-- moved/b.jsonl --
{"type":"user","text":"moved"}
-- profiles/x/agent/c.jsonl --
{"type":"user","text":"of a profile"}
-- profiles/y/d.jsonl --
{"type":"user","text":"of none"}
-- single.jsonl --
{"type":"user","text":"the root itself"}
`)
	if diff := cmp.Diff([]string{"a .agent/a.jsonl", "c profiles/x/agent/c.jsonl", "single single.jsonl"}, sorted(ids(home, all(t, scan(t, home, m))))); diff != "" {
		t.Errorf("below a home (-want +got):\n%s", diff)
	}
	env := map[string]string{"HOME": home, "AGENT_HOME": filepath.Join(home, "moved")}
	l, err := Scan(t.Context(), mappingsOf(m), Here(func(name string) string { return env[name] }), nil)
	if err != nil {
		t.Fatal(err)
	}
	noProblems(t, l)
	if diff := cmp.Diff([]string{"b moved/b.jsonl", "c profiles/x/agent/c.jsonl", "single single.jsonl"}, sorted(ids(home, all(t, l)))); diff != "" {
		t.Errorf("with variables (-want +got):\n%s", diff)
	}
	if l := scan(t, filepath.Join(home, "nobody"), m); len(all(t, l)) > 0 || len(l.Problems()) > 0 {
		t.Errorf("a home that is not there has %v, %v", all(t, l), l.Problems())
	}
	if p := Here(func(name string) string { return map[string]string{"USERPROFILE": "u"}[name] }); p.Home != "u" {
		t.Errorf("the home is %q", p.Home)
	}
}

// TestLinks follows links, but not in circles.
func TestLinks(t *testing.T) {
	m := agentOf(t, `
store:
  roots: [~/.agent]
  sessions: [{path: "**/{id}.jsonl"}, {path: "*/*.log"}]
`)
	home := tree(t, `
-- .agent/real/a.jsonl --
{"type":"user","text":"one"}
-- elsewhere/b.log --
{"type":"user","text":"two"}
`)
	for link, to := range map[string]string{
		".agent/real/loop": "..", ".agent/link.jsonl": "real/a.jsonl", ".agent/away": "../elsewhere", ".agent/gone.jsonl": "nowhere",
	} {
		if err := os.Symlink(to, filepath.Join(home, filepath.FromSlash(link))); err != nil {
			t.Skip("no links here:", err)
		}
	}
	l := scan(t, home, m)
	noProblems(t, l)
	want := []string{"a .agent/real/a.jsonl", "b .agent/away/b.log", "link .agent/link.jsonl"}
	if diff := cmp.Diff(want, sorted(ids(home, all(t, l)))); diff != "" {
		t.Errorf("sessions (-want +got):\n%s", diff)
	}
}

// TestProblems reports what cannot be read, and lists the rest.
func TestProblems(t *testing.T) {
	m := agentOf(t, `
  - format: sealed
    native: none
    detect: it.sealed == true
    frames: jsonl
    refuse: it is sealed
store:
  roots: [~/.agent]
  sessions: [{path: "{id}.jsonl"}, {path: "locked/{id}.jsonl"}]
`)
	home := tree(t, `
-- .agent/good.jsonl --
{"type":"user","text":"good"}
-- .agent/sealed.jsonl --
{"sealed":true}
-- .agent/torn.jsonl --
{"type":"user","text":"to
-- .agent/noise.jsonl --
no JSON at all
-- .agent/silent.jsonl --
{"type":"start","id":"x"}
-- .agent/locked/x.jsonl --
{"type":"user","text":"locked"}
`)
	locked := filepath.Join(home, ".agent/locked")
	if err := os.Chmod(locked, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(locked, 0o700)
	want := []string{".agent/sealed.jsonl: invalid_input: it is sealed (the format sealed of agent)"}
	sessions := []string{"good .agent/good.jsonl"}
	if _, err := os.ReadDir(locked); err != nil {
		want = append([]string{".agent/locked/x.jsonl: permission denied"}, want...)
	} else {
		sessions = append(sessions, "x .agent/locked/x.jsonl") // this user may read anything
	}
	l := scan(t, home, m)
	if diff := cmp.Diff(sessions, sorted(ids(home, all(t, l)))); diff != "" {
		t.Errorf("sessions (-want +got):\n%s", diff)
	}
	got := []string{}
	for _, p := range l.Problems() {
		text := p.Err.Error()
		if i := strings.LastIndex(text, "permission denied"); i >= 0 {
			text = text[i:]
		}
		rel, _ := filepath.Rel(home, p.Path)
		got = append(got, filepath.ToSlash(rel)+": "+text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// TestFolders takes a folder as a session, and the newest of what is in it.
func TestFolders(t *testing.T) {
	m := agentOf(t, `
  - format: events
    native: none
    frames: {files: "events/*.json"}
    files: {state: state.json}
    session: {cwd: = files.state.cwd}
    kind: type
    rules: {user: {user: text}}
store:
  roots: [~/.agent]
  sessions:
    - path: "{id}/"
      format: events
      files: {state: state.json}
      if: files.state != null
`)
	home := tree(t, `
-- .agent/one/state.json --
{"cwd":"/w"}
-- .agent/one/events/1.json --
{"type":"user","text":"first"}
-- .agent/one/events/2.json --
{"type":"user","text":"second"}
-- .agent/two/events/1.json --
{"type":"user","text":"without a state"}
`)
	at := longAgo.Add(time.Hour)
	touch(t, filepath.Join(home, ".agent/one/events"), at)
	touch(t, filepath.Join(home, ".agent/one"), longAgo)
	l := scan(t, home, m)
	noProblems(t, l)
	got := all(t, l)
	if len(got) != 1 || got[0].ID != "one" || !got[0].Folder || got[0].Title != "first" || got[0].Cwd != "/w" || !got[0].Updated.Equal(at) {
		t.Errorf("sessions: %+v", got)
	}
}
