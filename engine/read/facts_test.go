package read

import (
	"strings"
	"testing"
)

// TestFacts has one fact of each aggregate, told by a rule that reads it.
func TestFacts(t *testing.T) {
	in := `{"k":"h","v":"","t":"2026-01-01T00:00:03Z","w":"late"}
{"k":"n","v":"one","t":"2026-01-01T00:00:02Z","w":"b","id":"2"}
{"k":"n","v":"two","t":"2026-01-01T00:00:02Z","w":"a","id":"1"}
{"k":"n","v":"two","w":"never","id":"3"}
{"k":"n","v":null}
{"k":"u"}
{"k":"a"}
`
	for _, c := range []struct{ fact, say, want string }{
		{"{first: v}", "str(session.f)", "one"},
		{"{last: v}", "str(session.f)", "two"},
		{"{only: v}", "str(session.f)", ""},
		{"{only: v, if: it.v == \"two\"}", "str(session.f)", "two"},
		{"{most: v}", "str(session.f)", "two"},
		{"{most: w, on: n}", "str(session.f)", "a"},
		{"{earliest: w, on: [n, h]}", "str(session.f)", "a"},
		{"{any: it.v == \"two\"}", "session.f ? \"yes\" : \"no\"", "yes"},
		{"{any: it.v == \"three\"}", "session.f ? \"yes\" : \"no\"", "no"},
		{"{count: it.k == \"n\"}", "str(session.f)", "4"},
		{"{count: it.k == \"zzz\"}", "str(session.f)", "0"},
		{"{map: w, key: v}", "str(session.f[\"two\"])", "never"},
		{"{map: w, key: v, on: h}", "str(session.f[\"two\"])", ""},
	} {
		t.Run(c.fact, func(t *testing.T) {
			m := parse(t, `mapping: v1
harness: made-up
session: {f: `+c.fact+`}
read:
  - format: lines
    native: none
    frames: jsonl
    event: {time: t, record: id}
    kind: k
    ignored: [h, n]
    rules:
      u: {user: {const: hello}}
      a: {assistant: '= "<" + (`+c.say+`) + ">"'}
`)
			if got, want := said(t, m, in, Options{}), "hello <"+c.want+">"; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			// A rule that asks before the last frame gets the same answer.
			early := `{"k":"u"}` + "\n" + `{"k":"a"}` + "\n" + strings.TrimSuffix(in, `{"k":"u"}`+"\n"+`{"k":"a"}`+"\n")
			if got, want := said(t, m, early, Options{}), "hello <"+c.want+">"; got != want {
				t.Errorf("asked early: got %q, want %q", got, want)
			}
		})
	}
}

// TestStages has a fact that reads another, which a later frame settles.
func TestStages(t *testing.T) {
	m := parse(t, `mapping: v1
harness: made-up
session:
  main: {any: it.main == true}
  name: {first: v, if: "session.main ? it.main == true : true"}
read:
  - format: lines
    native: none
    frames: jsonl
    kind: k
    rules:
      u: {user: {const: hello}}
      a: {assistant: = str(session.name)}
`)
	in := `{"k":"u","v":"side"}` + "\n" + `{"k":"a"}` + "\n" + `{"k":"u","v":"main","main":true}` + "\n"
	if got, want := said(t, m, in, Options{}), "hello main hello"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
