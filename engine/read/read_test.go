package read

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/trajectory"
)

const plain = `mapping: v1
harness: made-up
read:
  - format: lines
    native: none
    detect: it.k != null
    frames: jsonl
    kind: k
    ignored: [note, side.*]
    rules:
      u: {user: text}
      a: {assistant: text}
      c: {tool_call: {id: id, name: name, args: args}}
      r: {tool_result: {call: id, content: text}}
      d: {drop: noise_record_dropped}
      i: {ignore: dull}
      n: {user: = text(it.n + 1)}
`

const talk = `{"k":"u","text":"hello"}` + "\n" + `{"k":"a","text":"hi"}` + "\n"

func TestLedger(t *testing.T) {
	in := talk + `{"k":"note"}
{"k":"side.a"}
{"k":"d"}
{"k":"i"}
{"k":"new","text":"SECRET"}
{"k":"new"}
{"text":"no kind"}
{"k":"n","n":"SECRET"}
[1]
torn`
	_, result := read(t, parse(t, plain), input(in), Options{})
	var got []string
	for _, e := range result.Ledger.Entries {
		got = append(got, strings.TrimSpace(strings.Join([]string{e.Kind, e.Bucket, e.Reason}, " ")))
	}
	want := []string{"unmapped", "a mapped", "d dropped noise_record_dropped", "i ignored dull", "n mapped", "new unmapped",
		"note ignored", "side.a ignored", "u mapped"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ledger (-want +got):\n%s", diff)
	}
	var codes []string
	for _, d := range result.Diagnostics {
		codes = append(codes, d.Code)
		if strings.Contains(d.Message, "SECRET") {
			t.Errorf("a diagnostic tells content: %s", d.Message)
		}
	}
	wantCodes := []string{"noise_record_dropped", "unmapped_frame", "unmapped_frame", "non_object_json_line", "invalid_json_line",
		"expression_failed", "timestamps_synthesized"}
	if diff := cmp.Diff(wantCodes, codes); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
	if result.Ledger.Frames != 10 || result.Ledger.Invalid != 2 {
		t.Errorf("%d frames and %d invalid ones, want 10 and 2", result.Ledger.Frames, result.Ledger.Invalid)
	}
}

func TestUnanswered(t *testing.T) {
	call := func(id string) string { return `{"k":"c","id":"` + id + `","name":"f","args":{}}` + "\n" }
	result := func(id string) string { return `{"k":"r","id":"` + id + `","text":"x"}` + "\n" }
	for _, c := range []struct{ name, in, want string }{
		{"answered", talk + call("1") + result("1"), ""},
		{"at the end", talk + call("1"), "in_flight_call"},
		{"one of two parallel calls", talk + call("1") + call("2") + result("2"), "in_flight_call"},
		{"before the last step", talk + call("1") + call("2") + result("2") + call("3") + result("3"), "missing_result"},
		{"before a prompt", talk + call("1") + talk, "missing_result"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, got := read(t, parse(t, plain), input(c.in), Options{})
			codes := ""
			for _, h := range got.Hazards {
				codes += h.Code
			}
			if codes != c.want {
				t.Errorf("hazards %q, want %q", codes, c.want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ name, in, code string }{
		{"nothing", "", trajectory.MissingUserRecords},
		{"no user", `{"k":"a","text":"hi"}`, trajectory.MissingUserRecords},
		{"no assistant", `{"k":"u","text":"hi"}`, trajectory.MissingAssistantRecords},
		{"another program's", `{"z":1}`, trajectory.MissingUserRecords},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, result, err := tryRead(parse(t, plain), input(c.in), Options{})
			var fault *trajectory.Error
			if !errors.As(err, &fault) || fault.Code != c.code {
				t.Errorf("got %v, want %s", err, c.code)
			}
			if result == nil {
				t.Error("the ledger is lost")
			}
		})
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := New(parse(t, plain)).Read(ctx, input(talk), Options{}, func(*normalize.Plan) (normalize.Sink, error) { return &lines{}, nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

// TestReuse reads several sessions with one reader.
func TestReuse(t *testing.T) {
	r := New(parse(t, plain))
	one := func(in *frame.Input) string {
		var out lines
		if _, err := r.Read(context.Background(), in, Options{}, func(*normalize.Plan) (normalize.Sink, error) { return &out, nil }); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	first := one(input(talk))
	one(input(talk + talk + `{"k":"c","id":"1","name":"f"}`))
	if again := one(input(talk)); again != first {
		t.Errorf("the third session differs from the first: %s", cmp.Diff(first, again))
	}
}

// FuzzRead reads rubbish: nothing may panic, whatever it is.
func FuzzRead(f *testing.F) {
	f.Add(talk)
	f.Add(`{"k":"u","text":[{"text":1}]}` + "\n" + `{"k":"r","id":5}`)
	m := parse(&testing.T{}, plain)
	f.Fuzz(func(t *testing.T, in string) {
		for _, trace := range []Trace{nil, silent{}} {
			if _, _, err := tryRead(m, input(in), Options{Trace: trace}); err != nil {
				var fault *trajectory.Error
				if !errors.As(err, &fault) {
					t.Fatalf("%v", err)
				}
			}
		}
	})
}
