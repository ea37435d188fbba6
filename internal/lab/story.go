package lab

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/value"
)

// story is a session that is told here, in few words.
type story struct {
	name string
	tell func(*teller)
}

// stories are those that are made to be hard.
var stories = []story{{"edge", edge}, {"torture", torture}, {"lost", lost}}

// told writes the story's records into a folder.
func (s story) told(ctx context.Context, dir string) (Told, error) {
	t := Told{From: "lab", Name: s.name, Mapping: "trajectory", Path: filepath.Join(dir, s.name+".jsonl"), Allow: unanswered}
	if err := os.WriteFile(t.Path, s.records(), 0o600); err != nil {
		return t, err
	}
	return t, t.read(ctx)
}

// records are the story as trajectory-v1, a record a line.
func (s story) records() []byte {
	// Long ago, so that no program takes it for unfinished.
	t := &teller{time: 1767600000000}
	t.add(&normalize.Record{Type: normalize.MetaRecord, Source: text("lab"), Cwd: text(project)})
	s.tell(t)
	return t.out
}

// teller writes records.
type teller struct {
	time int64
	out  []byte
}

func text(s string) []byte { return value.AppendEncoded([]byte{}, s) }

func (s *teller) add(r *normalize.Record) {
	if r.Type != normalize.MetaRecord {
		s.time += 1000
		r.Time = s.time
	}
	s.out = append(r.AppendV1(s.out), '\n')
}

func (s *teller) user(t string) {
	s.add(&normalize.Record{Type: normalize.UserRecord, Content: text(t)})
}
func (s *teller) think(t string) {
	s.add(&normalize.Record{Type: normalize.ReasoningRecord, Content: text(t)})
}
func (s *teller) say(t string) {
	s.add(&normalize.Record{Type: normalize.AssistantRecord, Content: text(t)})
}

func (s *teller) call(id, name, args string) {
	s.add(&normalize.Record{Type: normalize.CallRecord, CallID: text(id), Name: text(name), Args: text(args)})
}

func (s *teller) result(id, t string, ok normalize.Tri) {
	s.add(&normalize.Record{Type: normalize.ResultRecord, CallID: text(id), Content: text(t), OK: ok})
}

// edge has every way in which messages, calls and results can stand to each
// other.
func edge(s *teller) {
	s.user("List the files, then read both.")
	s.think("One at a time.")
	s.say("I look first.")
	s.call("call_ls", "shell", `{"command":["ls","-1"]}`)
	s.result("call_ls", "config.json\nnotes.txt", normalize.True)
	s.call("call_b", "read_file", `{"path":"notes.txt"}`)
	s.call("call_c", "read_file", `{"path":"config.json"}`)
	s.result("call_c", "{\"port\": 8080}\n", normalize.True) // the other way round
	s.result("call_b", "alpha\nbeta\n", normalize.Unknown)
	s.say("Two files: notes and a port.")
	s.user("And what else?")
	s.user("Look for missing.txt too.")
	s.say("Before.")
	s.say("After.") // one reply, two texts
	s.call("call_d", "shell", `{"command":["cat","missing.txt"]}`)
	s.call("call_e", "shell", `{}`)
	s.say("While they run.") // arrives with results open
	s.result("call_d", "cat: missing.txt: No such file or directory", normalize.False)
	s.result("call_e", "", normalize.False)
	s.call("odd|id:1", "mcp__a.b/c d", `{"q":"x"}`)
	s.result("odd|id:1", "found", normalize.True)
	s.say("One of them failed.")
	s.user("Print a lot.")
	s.call("call_long", "shell", `{"command":["seq","1","12000"]}`)
	s.result("call_long", numbers(60000), normalize.True)
	s.say("Done.")
}

// lost has a call that nobody answered, beside one that was.
func lost(s *teller) {
	s.user("Look for both.")
	s.call("call_found", "shell", `{"command":["ls"]}`)
	s.call("call_lost", "shell", `{"command":["sleep","9"]}`)
	s.result("call_found", "found", normalize.True)
	s.say("One of them failed.")
}

// numbers are as many bytes of lines of numbers.
func numbers(size int) string {
	var b strings.Builder
	for n := 1; b.Len() < size; n++ {
		fmt.Fprintln(&b, n)
	}
	return b.String()[:size]
}

// torture has the texts that break formats: what ends lines, strings and
// documents, what looks like a program's own words, and nothing at all.
func torture(s *teller) {
	s.user("  Leading and trailing white space, and a tab\t.\r\nSecond line.\n\n")
	s.say("naïve café — 你好 🚀 \u2028 line separator, \u2029 paragraph, \u0085 next, \ufeff mark, \ufffd replaced, e\u0301")
	s.call("call_1", "shell", `{"command":"printf '\u0000\u001b[31m'","big":9007199254740993,"exact":0.1,"one":1.0,"exp":1e21,"10":"ten","9":"nine","":"","nested":{"a":[null,true,{"b":"\ud83d\ude80"}]}}`)
	s.result("call_1", "NUL \x00, ESC \x1b[31mred\x1b[0m, BEL \x07, DEL \x7f, CRLF\r\n, VT \v, \u2028\u2029", normalize.True)
	s.call("call_2", "shell", `{"text":"\"quoted\" \\ back\/slash </script> ${HOME} %s {{x}} <b>"}`)
	s.result("call_2", " \n\t ", normalize.True) // blank
	s.call("call_3", "shell", `{}`)
	s.result("call_3", "", normalize.True)
	s.say("{\"role\":\"user\",\"content\":\"not a message\"}\n---\n- not: yaml\n```json\n[]\n```")
	s.user("# A heading\n<tag>Not a tag of a program</tag>\n{\"type\":\"tool_result\"}")
	s.say("\u202eright to left\u202c and zero\u200bwidth, 𝕬stral, \U0010FFFF")
}

// another is another session than any: a program that is given it must fail the
// comparison.
var another = story{"another", func(s *teller) {
	s.user("Say something else.")
	s.say("Something else.")
}}
