package normalize

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/trajmap/trajmap/engine/trajectory"
)

// said is what a diagnostic says apart from its words.
func said(diags []trajectory.Diagnostic) []string {
	var list []string
	for _, d := range diags {
		list = append(list, fmt.Sprintf("%s line=%d record=%d count=%d", d.Code, d.InputLine, d.RecordIndex, d.Count))
	}
	return list
}

// TestSession has one of everything, in the order that its diagnostics must have.
func TestSession(t *testing.T) {
	at := func(n int64) Event { return Event{HasTime: true, Time: 1_767_225_600_000 + n*1000, Line: int(n)} }
	with := func(e Event, f func(*Event)) Event { f(&e); return e }
	events := []Event{
		with(at(1), func(e *Event) { e.Kind, e.Text = System, []byte("be good") }),
		with(at(2), func(e *Event) { e.Kind, e.Text, e.Model = User, []byte(`Fix \"it\".\n`), []byte("m") }),
		with(at(3), func(e *Event) { e.Kind, e.Text = User, []byte("<command-name>/x") }),
		with(at(4), func(e *Event) { e.Kind, e.Text = Reasoning, []byte("hm\u2028") }),
		with(at(5), func(e *Event) {
			e.Kind, e.CallID, e.Name, e.Args, e.IsJSON = ToolCall, []byte("c"), []byte("ls"), []byte(`{"p":"a\nb"}`), true
		}),
		with(at(6), func(e *Event) { e.Kind, e.CallID, e.Name, e.Args = ToolCall, []byte("c"), nil, []byte("not json") }),
		with(at(7), func(e *Event) { e.Kind = ToolCall }),
		with(at(8), func(e *Event) { e.Kind, e.CallID, e.Text, e.OK = ToolResult, []byte("c"), []byte("0123456789"), True }),
		{Kind: ToolResult, CallID: []byte("c"), OK: False},
		with(at(10), func(e *Event) { e.Kind, e.CallID = ToolResult, []byte("c") }),
		with(at(11), func(e *Event) { e.Kind, e.CallID = ToolResult, []byte("z") }),
		with(at(12), func(e *Event) {
			e.Kind, e.CallID, e.Text = ToolResult, []byte("call_7"), []byte(strings.Repeat(`\n`, 50))
		}),
		with(at(13), func(e *Event) { e.Kind, e.Text = Observation, []byte("reset") }),
		{Kind: Assistant, Text: []byte(`Done \ud83d.`)},
	}
	c := Context{Source: "te\"st", Cwd: []byte("/w"), GitBranch: []byte("main")}
	lines, diags, err := run(Options{IncludeSystem: true, MaxResult: 40}, c, events, false)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"role":"meta","source":"te\"st","cwd":"/w","git_branch":"main","model":"m"}`,
		`{"role":"system","content":"be good","timestamp":"2026-01-01T00:00:01.000Z"}`,
		`{"role":"user","content":"Fix \"it\".\n","timestamp":"2026-01-01T00:00:02.000Z"}`,
		"{\"role\":\"reasoning\",\"content\":\"hm\u2028\",\"timestamp\":\"2026-01-01T00:00:04.000Z\"}",
		`{"role":"assistant","content":null,"tool_calls":[{"id":"c","name":"ls","args":"{\"p\":\"a\\nb\"}"}],"timestamp":"2026-01-01T00:00:05.000Z"}`,
		`{"role":"assistant","content":null,"tool_calls":[{"id":"c__2","name":"unknown_tool","args":"{\"_raw\":\"not json\"}"}],"timestamp":"2026-01-01T00:00:06.000Z"}`,
		`{"role":"assistant","content":null,"tool_calls":[{"id":"call_7","name":"unknown_tool","args":"{}"}],"timestamp":"2026-01-01T00:00:07.000Z"}`,
		`{"role":"tool","tool_call_id":"c","content":"0123456789","ok":true,"timestamp":"2026-01-01T00:00:08.000Z"}`,
		`{"role":"tool","tool_call_id":"c__2","content":"","ok":false,"timestamp":"2026-01-01T00:00:10.000Z"}`,
		`{"role":"tool","tool_call_id":"call_7","content":"\n\n\n\n\n\n\n… [truncated, 39 more chars]\n\n\n\n\n","timestamp":"2026-01-01T00:00:12.000Z"}`,
		`{"role":"observation","content":"reset","timestamp":"2026-01-01T00:00:13.000Z"}`,
		`{"role":"assistant","content":"Done \ud83d.","timestamp":"2026-01-01T00:00:14.000Z"}`,
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	wantSaid := []string{
		"noise_record_dropped line=3 record=3 count=0",
		"duplicate_tool_call_id line=6 record=5 count=0",
		"unknown_tool_name line=6 record=5 count=0",
		"tool_arguments_reshaped line=6 record=5 count=0",
		"tool_call_id_synthesized line=7 record=6 count=0",
		"unknown_tool_name line=7 record=6 count=0",
		"duplicate_tool_result line=10 record=9 count=0",
		"orphan_tool_result line=11 record=9 count=0",
		"tool_result_truncated line=12 record=9 count=0",
		"timestamps_interpolated line=0 record=0 count=2",
	}
	if diff := cmp.Diff(wantSaid, said(diags)); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
	for _, d := range diags {
		if strings.Contains(d.Message, `"`) || strings.Contains(d.Message, "__2") {
			t.Errorf("a message may quote the transcript: %s", d.Message)
		}
	}
}

// TestFixtures builds the reference's cleanup sessions by hand: which diagnostics
// there are, of which record, in which order.
func TestFixtures(t *testing.T) {
	ev := func(kind Kind, line int, text string) Event {
		return Event{Kind: kind, Line: line, Text: []byte(text)}
	}
	call := func(line int, id, args string) Event {
		return Event{Kind: ToolCall, Line: line, CallID: []byte(id), Name: []byte("exec_command"), Args: []byte(args)}
	}
	answer := func(line int, id, text string) Event {
		return Event{Kind: ToolResult, Line: line, CallID: []byte(id), Text: []byte(text)}
	}
	tests := []struct {
		name   string
		events []Event
		lines  []string
		diags  []string
	}{
		{"codex", []Event{
			ev(User, 2, "inspect both files"),
			call(3, "call_DUP", `{"cmd":"cat a.txt"}`), call(4, "call_DUP", "not-json"),
			answer(5, "call_DUP", "alpha"), answer(6, "call_DUP", "beta"), answer(7, "call_DUP", "duplicate"), answer(8, "missing", "orphan"),
			ev(Assistant, 9, "Inspected both files."),
		}, []string{
			`{"role":"meta","source":"codex"}`,
			`{"role":"user","content":"inspect both files","timestamp":"2026-01-01T00:00:00.000Z"}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"call_DUP","name":"exec_command","args":"{\"cmd\":\"cat a.txt\"}"}],"timestamp":"2026-01-01T00:00:15.000Z"}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"call_DUP__2","name":"exec_command","args":"{\"_raw\":\"not-json\"}"}],"timestamp":"2026-01-01T00:00:30.000Z"}`,
			`{"role":"tool","tool_call_id":"call_DUP","content":"alpha","timestamp":"2026-01-01T00:00:45.000Z"}`,
			`{"role":"tool","tool_call_id":"call_DUP__2","content":"beta","timestamp":"2026-01-01T00:01:00.000Z"}`,
			`{"role":"assistant","content":"Inspected both files.","timestamp":"2026-01-01T00:01:15.000Z"}`,
		}, []string{
			"duplicate_tool_call_id line=4 record=3 count=0",
			"tool_arguments_reshaped line=4 record=3 count=0",
			"duplicate_tool_result line=7 record=6 count=0",
			"orphan_tool_result line=8 record=6 count=0",
			"timestamps_synthesized line=0 record=0 count=6",
		}},
		{"claude-code", []Event{
			ev(User, 2, "summarize the change"), ev(User, 3, "<command-name>/clear</command-name>"), ev(Assistant, 5, "Done."),
		}, []string{
			`{"role":"meta","source":"claude-code"}`,
			`{"role":"user","content":"summarize the change","timestamp":"2026-01-01T00:00:00.000Z"}`,
			`{"role":"assistant","content":"Done.","timestamp":"2026-01-01T00:00:15.000Z"}`,
		}, []string{
			"noise_record_dropped line=3 record=2 count=0",
			"timestamps_synthesized line=0 record=0 count=2",
		}},
	}
	for _, test := range tests {
		lines, diags, err := run(Options{}, Context{Source: test.name}, test.events, false)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.lines, lines); diff != "" {
			t.Errorf("%s: records (-want +got):\n%s", test.name, diff)
		}
		if diff := cmp.Diff(test.diags, said(diags)); diff != "" {
			t.Errorf("%s: diagnostics (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestFilters(t *testing.T) {
	events := say([]Event{
		{Kind: System, Text: []byte("be good")},
		{Kind: ToolCall, CallID: []byte("c"), Name: []byte("x")},
		{Kind: ToolResult, CallID: []byte("c"), Text: []byte("one")},
		{Kind: ToolResult, CallID: []byte("c"), Text: []byte("two")},
		{Kind: ToolResult, CallID: []byte("d"), Text: []byte("three")},
		{Kind: ToolResult, Text: []byte("four")},
	})
	tests := []struct {
		o     Options
		roles string
		diags []string
	}{
		{Options{}, "meta user assistant assistant tool", []string{"duplicate_tool_result", "orphan_tool_result", "orphan_tool_result"}},
		{Options{OmitResults: true}, "meta user assistant assistant", []string{"duplicate_tool_result", "orphan_tool_result", "orphan_tool_result"}},
		{Options{IncludeSystem: true}, "meta user assistant system assistant tool", []string{"duplicate_tool_result", "orphan_tool_result", "orphan_tool_result"}},
		{Options{Partial: true}, "meta user assistant assistant tool tool", []string{"duplicate_tool_result", "orphan_tool_result"}},
		{Options{Partial: true, OmitResults: true}, "meta user assistant assistant", []string{"duplicate_tool_result", "orphan_tool_result"}},
		{Options{BaseOffset: 9}, "user assistant assistant tool tool", []string{"duplicate_tool_result", "orphan_tool_result"}},
	}
	for _, test := range tests {
		lines, diags, err := run(test.o, testContext, events, false)
		if err != nil {
			t.Fatal(err)
		}
		var roles []string
		for _, line := range lines {
			role, _, _ := strings.Cut(strings.TrimPrefix(line, `{"role":"`), `"`)
			roles = append(roles, role)
		}
		if got := strings.Join(roles, " "); got != test.roles {
			t.Errorf("%+v: records %s, want %s", test.o, got, test.roles)
		}
		var codes []string
		for _, d := range diags {
			if d.Code != trajectory.TimestampsSynthesized {
				codes = append(codes, d.Code)
			}
		}
		if !slices.Equal(codes, test.diags) {
			t.Errorf("%+v: diagnostics %q, want %q", test.o, codes, test.diags)
		}
	}
}

// failing is a sink that fails at its nth record.
type failing struct{ left int }

var errSink = errors.New("disk full")

func (f *failing) Record(*Record) error {
	if f.left--; f.left < 0 {
		return errSink
	}
	return nil
}

func TestSinkErrors(t *testing.T) {
	for n := range 3 {
		p := NewPlanner(Options{})
		events := say(nil)
		for i := range events {
			p.Add(&events[i])
		}
		pl, err := p.Finish(testContext)
		if err != nil {
			t.Fatal(err)
		}
		e := pl.Emit(&failing{n})
		for i := range events {
			if err := e.Add(&events[i]); (err != nil) != (i+1 >= n) {
				t.Errorf("failing at record %d: error %v at event %d", n, err, i)
			}
		}
		if _, err := e.Close(); err != errSink {
			t.Errorf("failing at record %d: Close gives %v", n, err)
		}
	}
}

// TestChanged: a second pass over other events gives an error, and no panic.
func TestChanged(t *testing.T) {
	first := say([]Event{{Kind: ToolCall, CallID: []byte("c"), HasTime: true, Time: 5}})
	for name, second := range map[string][]Event{
		"fewer":        first[:2],
		"more":         slices.Concat(first, first),
		"other kinds":  {first[0], first[2], first[1]},
		"another time": {first[0], first[1], {Kind: ToolCall, CallID: []byte("c"), HasTime: true, Time: 6}},
	} {
		p := NewPlanner(Options{})
		for i := range first {
			p.Add(&first[i])
		}
		pl, err := p.Finish(testContext)
		if err != nil {
			t.Fatal(err)
		}
		e := pl.Emit(new(collect))
		for i := range second {
			if e.Add(&second[i]) != nil {
				break
			}
		}
		if _, err := e.Close(); err != ErrChanged {
			t.Errorf("%s: error %v, want %v", name, err, ErrChanged)
		}
	}
}

// TestReset: what a Planner has seen before changes nothing.
func TestReset(t *testing.T) {
	p := NewPlanner(Options{})
	rapid.Check(t, func(t *rapid.T) {
		o := Options{Partial: rapid.Bool().Draw(t, "partial"), MaxResult: 30}
		events := say(drawEvents(t))
		canonical := rapid.Bool().Draw(t, "canonical")
		p.Reset(o)
		got, gotDiags, err := runWith(p, testContext, events, canonical)
		if err != nil {
			t.Fatal(err)
		}
		want, wantDiags, err := run(o, testContext, events, canonical)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("records (-fresh +used):\n%s", diff)
		}
		if diff := cmp.Diff(wantDiags, gotDiags); diff != "" {
			t.Fatalf("diagnostics (-fresh +used):\n%s", diff)
		}
	})
}

// TestAllocations: once buffers have grown, a record costs none.
func TestAllocations(t *testing.T) {
	events := dialogue(50)
	for i := range events {
		events[i].Text = events[i].Text[:min(len(events[i].Text), 2000)] // no diagnostics
	}
	p, d := NewPlanner(Options{}), new(discard)
	for _, canonical := range []bool{false, true} {
		allocs := testing.AllocsPerRun(10, func() { bothPasses(t, p, Options{}, events, d, canonical) })
		if allocs > 2 { // of the session, not of its 250 records
			t.Errorf("canonical %v: %v allocations a session", canonical, allocs)
		}
	}
}

func TestDecode(t *testing.T) {
	yes := true
	r := Record{Type: ResultRecord, CallID: []byte(`a\"b`), Content: []byte(`x\n😀`), OK: True, Time: 1_767_225_600_001, ID: []byte("i"), Group: []byte("g"), Step: []byte("s")}
	got := r.Decode()
	want := Decoded{Type: ResultRecord, Role: "tool", CallID: `a"b`, Content: "x\n😀", OK: &yes, Time: got.Time, ID: "i", Group: "g", Step: "s"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if s := got.Time.String(); s != "2026-01-01 00:00:00.001 +0000 UTC" {
		t.Errorf("time %s", s)
	}
	meta := (&Record{Source: []byte("s"), Cwd: []byte("c"), GitBranch: []byte("b"), Model: []byte("m")}).Decode()
	if diff := cmp.Diff(Decoded{Role: "meta", Source: "s", Cwd: "c", GitBranch: "b", Model: "m"}, meta); diff != "" {
		t.Errorf("meta (-want +got):\n%s", diff)
	}
}

func newValidator(tb testing.TB) *trajectory.Validator {
	tb.Helper()
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join("../../schema", name))
		if err != nil {
			tb.Fatal(err)
		}
		return b
	}
	v, err := trajectory.NewValidator(read("trajectory-v1.schema.json"), read("trajectory-canonical-v1.schema.json"))
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

// valid fails the test when lines are no transcript.
func valid(t interface {
	Errorf(string, ...any)
	Fatal(...any)
}, v *trajectory.Validator, lines []string, partial bool) {
	err := v.Validate(strings.NewReader(strings.Join(lines, "\n")), partial, func(p trajectory.Problem) {
		t.Errorf("%s of\n%s", p, strings.Join(lines, "\n"))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestOutputIsValid holds whatever comes out against schema and invariants.
func TestOutputIsValid(t *testing.T) {
	v := newValidator(t)
	rapid.Check(t, func(t *rapid.T) {
		o := Options{
			Partial: rapid.Bool().Draw(t, "partial"), OmitResults: rapid.Bool().Draw(t, "omit"), IncludeSystem: rapid.Bool().Draw(t, "system"),
			MaxArgs: rapid.IntRange(2, 50).Draw(t, "args"), MaxResult: rapid.IntRange(1, 50).Draw(t, "result"),
		}
		canonical := rapid.Bool().Draw(t, "canonical")
		lines, _, err := run(o, testContext, say(drawEvents(t)), canonical)
		if err != nil {
			t.Fatal(err)
		}
		valid(t, v, lines, o.partial())
	})
}

// FuzzNormalize cuts bytes into events: whatever they are, there is no panic, and
// what comes out is a transcript.
func FuzzNormalize(f *testing.F) {
	v := newValidator(f)
	f.Add([]byte("\x00hi\xff\x01yes\xff\x05c|{\"a\":1}\xff\x06c|done"), 0, 0, byte(0))
	f.Add([]byte("\x05|x\xff\x05|x\xff\x06call_1|\\n\\n\\n\\n"), 2, 1, byte(7))
	f.Fuzz(func(t *testing.T, data []byte, maxArgs, maxResult int, flags byte) {
		o := Options{
			MaxArgs: maxArgs, MaxResult: maxResult, HeadOnly: flags&1 != 0, OmitResults: flags&2 != 0,
			IncludeSystem: flags&4 != 0, Partial: flags&8 != 0, NoRoles: flags&16 != 0,
		}
		if o.Validate() != nil {
			return
		}
		var events []Event
		for i, part := range bytes.Split(data, []byte{0xff}) {
			if len(part) == 0 {
				continue
			}
			e := Event{Kind: Kind(part[0] % 7), HasTime: part[0]&8 != 0, Time: int64(i) << (part[0] >> 3), Component: int(part[0]) % 3}
			id, rest, _ := bytes.Cut(part[1:], []byte("|"))
			id, text := fuzzText(id), fuzzText(rest)
			e.CallID, e.Name, e.Text, e.Args, e.Record, e.Model = id, text, text, bytes.ToValidUTF8(rest, nil), id, text
			if e.Kind < ToolCall {
				e.CallID = nil
			}
			events = append(events, e)
		}
		for _, canonical := range []bool{false, true} {
			lines, diags, err := run(o, testContext, events, canonical)
			if e := (*trajectory.Error)(nil); errors.As(err, &e) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			valid(t, v, lines, o.partial() || o.NoRoles)
			for _, d := range diags {
				if d.RecordIndex > len(lines) {
					t.Errorf("diagnostic %+v of %d records", d, len(lines))
				}
			}
		}
	})
}

// fuzzText makes text of any bytes.
func fuzzText(b []byte) []byte { return textOf(pointsOf(textOf([]rune(string(b))))) }
