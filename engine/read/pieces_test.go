package read

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
)

// streamed is a harness that writes down what it streams as it comes.
const streamed = `
mapping: v1
harness: test
read:
  - format: lines
    frames: jsonl
    event: {record: id, time: at}
    kind: type
    ignored: [tick]
    rules:
      user: {user: text, join: prompt}
      assistant: {assistant: text, join: true}
      note: {assistant: text}
      thought: {reasoning: text, join: true}
      call: {tool_call: {id: id, name: name, args: args}, join: true}
      more: {tool_call: {args: args}, join: true}
      result: {tool_result: {call: id, content: text}}
      turn: {if: it.failed == true, hazard: error_turn}
      computed: {assistant: '= "long " + str(it.text)', join: true}
      undo: {hazard: rewind}
    active:
      edits:
        - {on: undo, undo: count}
`

// spoken are the records of an input without their times, one a line.
func spoken(t *testing.T, m *mapping.Mapping, text string, o Options) string {
	t.Helper()
	var b strings.Builder
	sink := sinkFunc(func(r *normalize.Record) error {
		d := r.Decode()
		switch d.Type {
		case normalize.MetaRecord:
		case normalize.CallRecord:
			b.WriteString("call " + d.CallID + " " + d.Name + " " + d.Args + "\n")
		default:
			b.WriteString(d.Role + " " + d.Content + "\n")
		}
		return nil
	})
	_, err := New(m).Read(t.Context(), input(text), o, func(*normalize.Plan) (normalize.Sink, error) { return sink, nil })
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPieces(t *testing.T) {
	long := strings.Repeat("x", 3*longest)
	tests := []struct{ name, input, want string }{
		{"one message", `
			{"type":"user","text":"Hello"}
			{"type":"assistant","text":"Good "}
			{"type":"assistant","text":"mor"}
			{"type":"assistant","text":"ning"}`, "user Hello\nassistant Good morning\n"},
		{"what is ignored or unknown may stand between", `
			{"type":"user","text":"Hello"}
			{"type":"assistant","text":"Good "}
			{"type":"tick"}
			{"type":"odd"}
			no JSON
			{"type":"assistant","text":"morning"}`, "user Hello\nassistant Good morning\n"},
		{"a rule ends it, though it gives nothing", `
			{"type":"user","text":"Try"}
			{"type":"turn","failed":true}
			{"type":"user","text":"Try again"}
			{"type":"assistant","text":"Yes"}`, "user Try\nuser Try again\nassistant Yes\n"},
		{"another event ends it", `
			{"type":"user","text":"Hello"}
			{"type":"assistant","text":"a"}
			{"type":"thought","text":"b"}
			{"type":"thought","text":"c"}
			{"type":"assistant","text":"d"}
			{"type":"note","text":"e"}
			{"type":"assistant","text":"f"}
			{"type":"note","text":"g"}
			{"type":"note","text":"h"}`, "user Hello\nassistant a\nreasoning bc\nassistant d\nassistant e\nassistant f\nassistant g\nassistant h\n"},
		{"another value ends it", `
			{"type":"user","text":"One","prompt":1}
			{"type":"user","text":" and more","prompt":1}
			{"type":"user","text":"Two","prompt":2}
			{"type":"user","text":"Three"}
			{"type":"user","text":" too","prompt":null}
			{"type":"assistant","text":"Yes"}`, "user One and more\nuser Two\nuser Three too\nassistant Yes\n"},
		{"escapes, blanks and what is computed", `
			{"type":"user","text":" \n"}
			{"type":"user","text":"\u00e9\ud83d"}
			{"type":"user","text":"\ude80\""}
			{"type":"assistant","text":"a"}
			{"type":"computed","text":"` + long + `"}
			{"type":"computed","text":"b"}
			{"type":"assistant","text":"c"}`, "user  \né🚀\"\nassistant along " + long + "long bc\n"},
		{"a message of nothing but blanks is none", `
			{"type":"user","text":"Hello"}
			{"type":"assistant","text":" "}
			{"type":"assistant","text":"\n"}
			{"type":"note","text":"Hi"}`, "user Hello\nassistant Hi\n"},
		{"calls", `
			{"type":"user","text":"Hello"}
			{"type":"call","id":"c1","name":"read","args":"{\"path\":"}
			{"type":"more","args":"\"a\""}
			{"type":"tick"}
			{"type":"more","args":"}"}
			{"type":"more","args":null}
			{"type":"more"}
			{"type":"call","id":"c2","name":"read"}
			{"type":"more","args":"{\"path\":\"b\"}"}
			{"type":"call","id":"c3","name":"list"}
			{"type":"result","id":"c1","text":"A"}
			{"type":"more","args":"{\"late\":1}"}`, `user Hello
call c1 read {"path":"a"}
call c2 read {"path":"b"}
call c3 list {}
tool A
call call_6 unknown_tool {"late":1}
`},
	}
	m := parse(t, streamed)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, o := range []Options{{}, {Trace: unheard{}}} {
				if diff := cmp.Diff(test.want, spoken(t, m, test.input, o)); diff != "" {
					t.Errorf("traced: %t (-want +got):\n%s", o.Trace != nil, diff)
				}
			}
		})
	}
}

// unheard is a trace that listens to nothing; with one, all rules run twice.
type unheard struct{}

func (unheard) Rule(At, string, *mapping.Rule)            {}
func (unheard) Step(At, *mapping.Step, bool)              {}
func (unheard) Event(At, *mapping.Step, *normalize.Event) {}
func (unheard) Booked(At, string, string, string)         {}

// The first piece says who a message is and when it was.
func TestPiecesIdentity(t *testing.T) {
	m := parse(t, streamed)
	var got []normalize.Decoded
	sink := sinkFunc(func(r *normalize.Record) error {
		got = append(got, r.Decode())
		return nil
	})
	in := input(`{"type":"user","id":"u","at":1764500000000,"text":"Hello"}
{"type":"assistant","id":"a1","at":1764500001000,"text":"Good "}
{"type":"assistant","id":"a2","at":1764500002000,"text":"morning"}
{"type":"user","id":"u2","at":1764500003000,"text":"Bye"}`)
	_, err := New(m).Read(t.Context(), in, Options{}, func(*normalize.Plan) (normalize.Sink, error) { return sink, nil })
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 4 || got[2].ID != "a1" || got[2].Time.UnixMilli() != 1764500001000 || got[3].ID != "u2" {
		t.Errorf("records: %+v", got)
	}
}

// A prompt in pieces is one prompt to go back.
func TestPiecesUndo(t *testing.T) {
	m := parse(t, streamed)
	const text = `{"type":"user","text":"One"}
{"type":"assistant","text":"1"}
{"type":"user","text":"Two","prompt":1}
{"type":"user","text":" of two","prompt":1}
{"type":"assistant","text":"2"}
{"type":"undo","count":1}
{"type":"user","text":"Three"}`
	got := spoken(t, m, text, Options{View: mapping.ActiveView})
	if want := "user One\nassistant 1\nuser Three\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// However a message was cut, it comes out whole.
func TestPiecesAreTheWhole(t *testing.T) {
	m := parse(t, streamed)
	rapid.Check(t, func(rt *rapid.T) {
		var whole, pieces strings.Builder
		line := func(b *strings.Builder, kind, text string) {
			data, err := json.Marshal(map[string]string{"type": kind, "text": text})
			if err != nil {
				rt.Fatal(err)
			}
			b.Write(append(data, '\n'))
		}
		for n := range rapid.IntRange(1, 6).Draw(rt, "messages") {
			kind := []string{"user", "assistant", "thought"}[n%3]
			text := rapid.StringN(1, 20, -1).Draw(rt, "text")
			line(&whole, kind, text)
			for text != "" {
				cut := rapid.IntRange(1, len(text)).Draw(rt, "cut")
				for cut < len(text) && !utf8.RuneStart(text[cut]) {
					cut++
				}
				line(&pieces, kind, text[:cut])
				if text = text[cut:]; rapid.Bool().Draw(rt, "tick") {
					line(&pieces, "tick", "")
				}
			}
		}
		const end = "{\"type\":\"note\",\"text\":\"end\"}\n{\"type\":\"user\",\"text\":\"end\"}\n"
		want, got := spoken(t, m, whole.String()+end, Options{}), spoken(t, m, pieces.String()+end, Options{})
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatalf("whole and in pieces (-whole +pieces):\n%s", diff)
		}
	})
}
