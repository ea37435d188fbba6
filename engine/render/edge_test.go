package render

import (
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/session"
)

// Update is whether golden files are to be rewritten.
func Update() bool { return *update }

// A Case is a conversation that every target writes to its golden files.
type Case struct {
	Name  string
	items []item
}

// Session groups the case's records; a call without a result gets one.
func (c Case) Session(t testing.TB) *session.Session {
	return grouped(t, session.Options{Group: "group-1", Synthesize: true}, c.items...)
}

// Edges are the conversations with what is easily got wrong: every way of
// grouping a reply, statuses, long results, characters, ids, names and numbers.
func Edges() []Case {
	raw := func(i item) item { i.undecoded = true; return i }
	ok, failed := normalize.True, normalize.False
	long := strings.Repeat("0123456789 abcdefghijklmnopqrstuvwxyz\r\n\t\"\\", 1500)[:60_000]
	edge := []item{
		note("You are helpful."),
		// several replies, a parallel batch that is answered in the other order
		user("Row 1: look"), thinks("I should look."), says("Looking."), calls("c1a", `{"path":"a"}`), gives("c1a", "A").is(ok),
		calls("c1b", `{}`), calls("c1c", `{"deep":{"list":[1,[2,{"k":null}]]}}`), gives("c1c", "C").is(failed), gives("c1b", "B"), says("Row 1 is done."),
		// one native message makes one batch of calls whose results stand between
		user("Row 2: one key"), calls("c2a", `{}`).of("m2"), gives("c2a", "A").is(ok).of("m2"), calls("c2b", `{}`).of("m2"), gives("c2b", "B").is(ok).of("m2"), says("Row 2 is done.").of("m2b"),
		user("Row 3: no keys"), calls("c3a", `{}`), gives("c3a", "A").is(ok), calls("c3b", `{}`), gives("c3b", "B").is(ok), says("Row 3 is done."),
		user("Row 4: a text while results are open"), says("Before."), calls("c4a", `{}`), calls("c4b", `{}`), says("Meanwhile."), gives("c4a", "A").is(ok), gives("c4b", "B").is(ok), says("After."),
		user("Row 5: never answered"), calls("c5a", `{}`), says("I did not wait."),
		user("Row 6: two prompts"), user("of which this is the second"), says("Row 6 is done."),
		user("Row 8: interrupted by"), calls("c8a", `{}`), user("another prompt"), gives("c8a", "A").is(ok), says("Row 8 is done."),
		user("Row 9: a call while results are open"), calls("c9a", `{}`), calls("c9b", `{}`), gives("c9a", "A").is(ok), calls("c9c", `{}`), gives("c9b", "B").is(ok), gives("c9c", "C").is(ok), says("Row 9 is done."),
		user("Row 10: two texts"), says("One."), says("Two."),
		user("Row 11: two thoughts"), thinks("First."), says("One."), thinks("Second."), says("Two."),
		watches("The user looks away."),
		// results
		user("Results"), calls("ok", `{}`), calls("failed", `{}`), calls("unknown", `{}`), calls("empty", `{}`), calls("blank", `{}`), calls("long", `{}`),
		gives("ok", "fine").is(ok), gives("failed", "exit status 1").is(failed), gives("unknown", "who knows"), gives("empty", "").is(ok), gives("blank", " \n").is(ok), gives("long", long).is(ok), says("All of them."),
		// characters
		user("NUL \x00, ESC \x1b[31m, CRLF \r\n, tab \t, U+2028 \u2028, U+2029 \u2029, astral 🎉, combining e\u0301, quote \" and \\ and /"),
		raw(says(`half a character: \ud800.`)),
		user("<environment_context>not injected</environment_context>"), says("# A heading\n\n```go\nx := `y`\n```"),
		user("# AGENTS.md instructions: said by the user"), says("-"),
		user("two blocks").of("u1"), user("of one message").of("u1"), says("Both seen."),
		// ids, names and numbers
		user("Ids"), calls("call_x|fc_y", `{}`), calls("call_x_fc_y", `{}`), calls(strings.Repeat("long-", 30), `{}`), calls("ünïcode", `{}`).named("mcp__server.tool/with spaces"), calls("n2", `{}`).named(strings.Repeat("n", 100)),
		gives("call_x|fc_y", "1").is(ok), gives("call_x_fc_y", "2").is(ok), gives(strings.Repeat("long-", 30), "3").is(ok), gives("ünïcode", "4").is(ok), gives("n2", "5").is(ok), says("Odd."),
		user("Numbers"), calls("numbers", `{"big":9007199254740993,"one":1.0,"exp":1e3,"zero":-0,"10":"ten","9":"nine","b":1,"a":2,"b":3}`), gives("numbers", "ok").is(ok), says("Last words."),
	}
	return []Case{
		{"edge", edge},
		{"begins-with-a-reply", []item{says("Hello."), calls("c7a", `{}`), gives("c7a", "A").is(ok), user("Row 7: who began?"), says("I did.")}},
		// results that look like what a harness itself writes down
		{"json-results", []item{
			user("Row 12: JSON"), calls("outcome", `{}`), calls("error", `{}`), calls("denial", `{}`), calls("blocks", `{}`), calls("output", `{}`),
			gives("outcome", `{"query":"ls","result":"a.txt","success":true}`), gives("error", `{"error":"no such table"}`).is(ok), gives("denial", `{"error":"denied"}`).is(failed),
			gives("blocks", `[{"type":"text","text":"x"}]`).is(ok), gives("output", `{"output":"x","metadata":{"exit_code":1}}`), says("All of them."),
		}},
		{"two-words", []item{user("Hi: there"), says("Hello.")}},
	}
}
