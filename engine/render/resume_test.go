package render

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const resumed = `
  let: {short: '= it.id.substring(0, 2)'}
  prepare:
    step: import
    argv: [target, import, = export + "/" + written.session.path]
    show: [target, show, = session.id, = short]
    env: {TARGET_HOME: = root}
  files: [{name: session, path: = short + "/s.json", document: {a: 1}}]
resume:
  let:
    asked: '= has(options.model) ? ["-m", options.model] : []'
  cwd: = session.cwd
  env: {TARGET_LIMIT: = session.longest, TARGET_NONE: = options.provider}
  home: {TARGET_HOME: = root}
  needs_model: '!has(options.model)'
  argv: [target, {each: = asked, give: = it}, = session.id, 5]
  prompt: [target, -p, = prompt, = root + "/" + written.session.path]
  acp: [target, --acp]
`

func TestCommands(t *testing.T) {
	m, s := target(t, resumed), conversation(t, talk(t)...)
	for _, test := range []struct {
		o    Options
		want *Resume
	}{
		{Options{SessionID: "abc"}, &Resume{
			Cwd: "/home/me/project", Argv: []string{"target", "abc", "5"}, Prompt: []string{"target", "-p", PromptMark, RootMark + "/ab/s.json"}, ACP: []string{"target", "--acp"},
			Env: map[string]string{"TARGET_LIMIT": "6"}, Home: map[string]string{"TARGET_HOME": RootMark}, NeedsModel: true,
		}},
		{Options{SessionID: "abc", Model: "m-2"}, &Resume{
			Cwd: "/home/me/project", Argv: []string{"target", "-m", "m-2", "abc", "5"}, Prompt: []string{"target", "-p", PromptMark, RootMark + "/ab/s.json"}, ACP: []string{"target", "--acp"},
			Env: map[string]string{"TARGET_LIMIT": "6"}, Home: map[string]string{"TARGET_HOME": RootMark},
		}},
	} {
		e, err := Render(m, s, test.o, memory{}.create)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Commands(m, s, e, test.o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		steps, err := Steps(m, s, e, test.o)
		if err != nil {
			t.Fatal(err)
		}
		want := []Step{{
			Step: "import", Argv: []string{"target", "import", ExportMark + "/ab/s.json"}, Show: []string{"target", "show", "abc", "ab"},
			Env: map[string]string{"TARGET_HOME": RootMark},
		}}
		if diff := cmp.Diff(want, steps); diff != "" {
			t.Errorf("steps (-want +got):\n%s", diff)
		}
	}
}

func TestCommandsThatFail(t *testing.T) {
	s := conversation(t, talk(t)...)
	m := target(t, "  files: [{name: a, path: a, document: 1}]\nresume: {argv: [= session.id.substring(99)], cwd: = session.cwd}\n")
	e, err := Render(m, s, Options{}, memory{}.create)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Commands(m, s, e, Options{}); err == nil || err.Error() != "target.yaml:8:17: the expression session.id.substring(99) failed: substring beyond the string" {
		t.Errorf("the error is %v", err)
	}
	m.Resume = nil
	if _, err := Commands(m, s, e, Options{}); err == nil || err.Error() != "target.yaml: the mapping does not say how target resumes" {
		t.Errorf("the error is %v", err)
	}
}

// Who installs a session makes its paths again, of what is known there.
func TestPaths(t *testing.T) {
	m := target(t, `
  let:
    unused: = it.source.substring(0, 3)
    home: = coalesce(place.home, "")
    folder: '= home != "" && it.cwd.startsWith(home) ? "home" + it.cwd.substring(size(home)) : it.cwd.substring(1)'
  files:
    - path: = folder + "/" + it.id
      document: = unused
    - path: '= iso(it.created).substring(0, 10) + "-" + coalesce(it.title, "none")'
      let: {also: = it.seed.substring(1)}
      document: = also
`)
	for _, test := range []struct {
		p    Place
		want []string
	}{
		{Place{ID: "x", Cwd: "/home/me/project", Created: began}, []string{"home/me/project/x", "2026-01-01-none"}},
		{Place{ID: "x", Cwd: "/home/me/project", Created: began, Title: "t", Home: "/home/me"}, []string{"home/project/x", "2026-01-01-t"}},
	} {
		got, err := Paths(m, test.p)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", test.p, diff)
		}
	}
	if _, err := Paths(m, Place{ID: "../../x", Cwd: "/a", Created: began}); err == nil {
		t.Error("an id leads out of the folder")
	}
}
