package render

import (
	"slices"
	"testing"

	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/session"
	"github.com/trajmap/trajmap/engine/shape"
	"github.com/trajmap/trajmap/engine/value"
)

// seen are the views that a conversation gives, by name.
func seen(t *testing.T, r *renderer, s *session.Session, o Options, p Place) map[string][]value.Value {
	t.Helper()
	all := map[string][]value.Value{}
	add := func(name string, text []byte) {
		v := new(value.Doc)
		if err := v.Parse(text); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = append(all[name], v.Root())
		if result := v.Root().Get("result"); result.Exists() {
			all["result"] = append(all["result"], result)
		}
	}
	add("session", r.appendSession(nil, s, "id-1", s.Seed))
	for _, m := range s.Messages {
		add("message", r.appendMessage(nil, m))
	}
	for _, turn := range s.Turns {
		add("turn", r.appendTurn(nil, turn))
		for _, m := range batches(turn) {
			add("message", r.appendMessage(nil, m))
		}
	}
	for _, c := range s.Calls {
		add("call", r.appendCall(nil, c))
	}
	add("options", appendOptions(nil, o, nil))
	add("place", appendPlace(nil, p))
	r.wrote(&File{Name: "file", Path: "p", Size: 3})
	r.knows()
	written := r.scope.Lets[mapping.WrittenName].Get("file")
	add("written", written.Raw())
	return all
}

// wanting is a renderer for a mapping that asks for every member of every view.
func wanting(t *testing.T, s *session.Session) *renderer {
	m := target(t, "  files: []\n")
	for _, v := range mapping.OutViews() {
		for _, member := range v.Members {
			m.Write.Words[member.Name] = true
		}
	}
	return newRenderer(m, s, Options{})
}

// What the engine makes and what the checker knows are the same: every member
// that is made is declared, with its type; every member that is declared is made,
// always unless it may be absent.
func TestViewsAreAsDeclared(t *testing.T) {
	full := conversation(t,
		note("be good"), user("U1"), thinks("R1"), says("T1"), calls("a", `{"x":1}`), calls("b", `{}`), watches("o"),
		gives("b", "second").is(normalize.True), gives("a", "first").is(normalize.False), says("T2"), user("U2"), calls("c", `{}`), gives("c", ""),
	)
	bare := conversation(t, calls("a", `{}`), says(""))
	bare.Group, bare.Title, bare.GitBranch, bare.Model = "", "", "", ""
	for _, m := range bare.Messages {
		m.Model = ""
	}
	everything := seen(t, wanting(t, full), full, Options{Model: "m", Provider: "p", KeepReasoning: true}, Place{Home: "/h", Temp: "/t"})
	least := seen(t, wanting(t, bare), bare, Options{}, Place{})
	declared := map[string]bool{}
	for _, v := range mapping.OutViews() {
		declared[v.Name] = true
		s := mapping.OutShape(v.Name)
		for _, made := range slices.Concat(everything[v.Name], least[v.Name]) {
			s.Check(made, func(path string, p shape.Problem) { t.Errorf("%s.%s: %v in %s", v.Name, path, p, made.Raw()) })
		}
		for _, member := range v.Members {
			has := func(made value.Value) bool { return made.Get(member.Name).Exists() }
			for _, made := range slices.Concat(everything[v.Name], least[v.Name]) {
				role := made.Get("role").Str()
				if !member.Optional && (member.Of == "" || member.Of == role) && !has(made) {
					t.Errorf("%s.%s is missing in %s", v.Name, member.Name, made.Raw())
				}
				if member.Of != "" && role != member.Of && has(made) {
					t.Errorf("%s.%s is of a %s, and is in %s", v.Name, member.Name, member.Of, made.Raw())
				}
			}
			if !slices.ContainsFunc(everything[v.Name], has) {
				t.Errorf("%s.%s is declared and never made", v.Name, member.Name)
			}
			if member.Optional && slices.ContainsFunc(least[v.Name], has) {
				t.Errorf("%s.%s is said to be absent where there is nothing to say, and is in %s", v.Name, member.Name, least[v.Name][0].Raw())
			}
		}
	}
	for name := range everything {
		if !declared[name] {
			t.Errorf("the view %s is made and not declared", name)
		}
	}
}

// Every part that is declared goes through its items, with the views that are
// declared; no other name does.
func TestPartsAreAsDeclared(t *testing.T) {
	s := conversation(t, user("U"), says("T1"), calls("a", `{}`), gives("a", "x"), says("T2"))
	for _, v := range mapping.OutViews() {
		for _, p := range v.Parts {
			write := "- {each: " + p.Name + ", frame: {a: 1}}"
			switch v.Name {
			case "message":
				write = "- {each: messages, do: {each: " + p.Name + ", frame: {a: 1}}}"
			case "turn":
				write = "- {each: turns, do: {each: " + p.Name + ", frame: {a: 1}}}"
			}
			if written(t, lines(write), s, Options{}) == "" {
				t.Errorf("each: %s gives nothing where it is a %s", p.Name, v.Name)
			}
		}
	}
}
