package normalize

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/trajmap/trajmap/engine/trajectory"
)

// run takes a session through both passes.
func run(o Options, c Context, events []Event, canonical bool) ([]string, []trajectory.Diagnostic, error) {
	return runWith(NewPlanner(o), c, events, canonical)
}

func runWith(p *Planner, c Context, events []Event, canonical bool) ([]string, []trajectory.Diagnostic, error) {
	for i := range events {
		p.Add(&events[i])
	}
	pl, err := p.Finish(c)
	if err != nil {
		return nil, nil, err
	}
	sink := new(collect)
	if canonical {
		if sink.canonical, err = pl.Canonical(); err != nil {
			return nil, nil, err
		}
	}
	e := pl.Emit(sink)
	for i := range events {
		if err := e.Add(&events[i]); err != nil {
			return nil, nil, err
		}
	}
	diags, err := e.Close()
	return sink.lines, diags, err
}

var testContext = Context{Source: "test"}

func TestCallsAreNamedAsDefined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "b", "a__2", "a__3", "a__2__2", "b__2", "call_2", "call_3"}), 1, 60).Draw(t, "ids")
		var c calls
		var got []string
		for i, id := range ids {
			c.add([]byte(id), i+1)
		}
		for _, call := range c.list {
			got = append(got, string(c.ids.get(call.id)))
		}
		if diff := cmp.Diff(naiveNames(ids), got); diff != "" {
			t.Fatalf("names of %q (-want +got):\n%s", ids, diff)
		}
	})
}

// TestResultsArePaired: a result answers the first call with its id that has no
// result, wherever that stands.
func TestResultsArePaired(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := drawEvents(t)
		partial := rapid.Bool().Draw(t, "partial")
		p := NewPlanner(Options{Partial: partial})
		var sources []string // of calls, by event; "" for the others
		for i := range events {
			p.Add(&events[i])
			id := ""
			if e := events[i]; e.Kind == ToolCall {
				if id = string(e.CallID); id == "" {
					id = fmt.Sprint("call_", i+1)
				}
			}
			sources = append(sources, id)
		}
		if _, err := p.Finish(testContext); err != nil && partial {
			t.Fatal(err)
		}
		answered := map[int]bool{}
		for i, e := range events {
			if e.Kind != ToolResult {
				continue
			}
			id := string(e.CallID)
			want, wantID := orphan, ""
			for j, source := range sources {
				if source == "" || source != id {
					continue
				}
				want = duplicate
				if !answered[j] {
					answered[j] = true
					want, wantID = kept, string(p.calls.ids.get(p.calls.list[p.entries[j].ref].id))
					break
				}
			}
			if want == orphan && partial && id != "" {
				want, wantID = kept, id
			}
			got := p.entries[i]
			if got.fate != want || want == kept && string(p.calls.ids.get(got.ref)) != wantID {
				t.Fatalf("result %d for %q: fate %d %q, want %d %q", i, id, got.fate, p.calls.ids.get(got.ref), want, wantID)
			}
		}
	})
}

func TestBlankAndNoise(t *testing.T) {
	tests := []struct {
		kind Kind
		text string
		want fate
	}{
		{User, "hi", kept},
		{User, "", dropped},
		{User, ` \t\n\u000b\f\r`, dropped},
		{Assistant, "\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff", dropped},
		{Reasoning, "\u200b", kept}, // no white space to JavaScript
		{Reasoning, "\u0085", kept}, // likewise
		{Reasoning, `\u001c`, kept},
		{Observation, ` \\`, kept},
		{Observation, `  `, dropped},
		{System, "be good", dropped},
		{User, "<command-name>/clear</command-name>", noisy},
		{User, ` \n<local-command-stdout>`, noisy},
		{User, "<local-command-stderr>x", noisy},
		{User, "<local-command-caveat>x", noisy},
		{User, "<command-message>x", noisy},
		{User, "<task-notification id='1'>", noisy},
		{User, "<task-notify>", kept},
		{User, "see <command-name>", kept},
		{Assistant, "<command-name>", kept},
		{Observation, "<command-name>", kept},
	}
	for _, test := range tests {
		p := NewPlanner(Options{})
		p.Add(&Event{Kind: test.kind, Text: []byte(test.text)})
		if got := p.entries[0].fate; got != test.want {
			t.Errorf("kind %d, text %q: fate %d, want %d", test.kind, test.text, got, test.want)
		}
	}
}

func TestTimes(t *testing.T) {
	at := func(s string) int64 {
		d, err := time.Parse(time.RFC3339, "2026-01-01T"+s+"Z")
		if err != nil {
			t.Fatal(err)
		}
		return d.UnixMilli()
	}
	const none = noTime
	tests := []struct {
		name    string
		context Context
		times   []int64
		want    string
		code    string
		count   int
	}{
		{name: "all there", times: []int64{at("00:00:09.5"), at("00:00:01")}, want: "00:00:09.500 00:00:01.000"},
		{name: "none", times: []int64{none, none, none}, want: "00:00:00.000 00:00:15.000 00:00:30.000", code: trajectory.TimestampsSynthesized, count: 3},
		{name: "none but a start", context: Context{HasCreatedAt: true, CreatedAt: at("12:00:00")}, times: []int64{none, none}, want: "12:00:00.000 12:00:15.000", code: trajectory.TimestampsSynthesized, count: 2},
		{name: "none but a duration", context: Context{Duration: 1000}, times: []int64{none, none, none, none}, want: "00:00:00.000 00:00:00.333 00:00:00.666 00:00:01.000", code: trajectory.TimestampsSynthesized, count: 4},
		{name: "before the first", times: []int64{none, none, at("00:01:00")}, want: "00:00:58.000 00:00:59.000 00:01:00.000", code: trajectory.TimestampsInterpolated, count: 2},
		{name: "after the last", times: []int64{at("00:01:00"), none, none}, want: "00:01:00.000 00:01:01.000 00:01:02.000", code: trajectory.TimestampsInterpolated, count: 2},
		{name: "between", times: []int64{at("00:00:00"), none, none, at("00:00:10"), none, at("00:00:04")}, want: "00:00:00.000 00:00:03.333 00:00:06.666 00:00:10.000 00:00:07.000 00:00:04.000", code: trajectory.TimestampsInterpolated, count: 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var events []Event
			for i, ms := range test.times {
				events = append(events,
					Event{Kind: Assistant, Text: []byte("x"), HasTime: ms != none, Time: ms},
					// What is dropped takes no part.
					Event{Kind: User, Text: []byte(" "), HasTime: i%2 == 0, Time: 5})
			}
			test.context.Source = "test"
			lines, diags, err := run(Options{NoRoles: true}, test.context, events, false)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, line := range lines[1:] {
				_, after, _ := strings.Cut(line, `"timestamp":"2026-01-01T`)
				got = append(got, strings.TrimSuffix(after, `Z"}`))
			}
			if s := strings.Join(got, " "); s != test.want {
				t.Errorf("times %s, want %s", s, test.want)
			}
			var code string
			var count int
			if len(diags) > 0 {
				code, count = diags[0].Code, diags[0].Count
			}
			if code != test.code || count != test.count {
				t.Errorf("diagnostic %q of %d, want %q of %d", code, count, test.code, test.count)
			}
		})
	}
}

// TestTimesOutOfRange: what no timestamp can say is no time.
func TestTimesOutOfRange(t *testing.T) {
	events := []Event{
		{Kind: User, Text: []byte("a")},
		{Kind: User, Text: []byte("b"), HasTime: true, Time: minTime},
		{Kind: User, Text: []byte("c"), HasTime: true, Time: maxTime},
		{Kind: Assistant, Text: []byte("d")},
		{Kind: Assistant, Text: []byte("e"), HasTime: true, Time: maxTime + 1},
		{Kind: Assistant, Text: []byte("f"), HasTime: true, Time: -1 << 63},
	}
	lines, diags, err := run(Options{}, testContext, events, false)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"0000-01-01T00:00:00.000Z", "0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"} {
		if !strings.Contains(lines[i+1], want) {
			t.Errorf("record %d is %s, want the time %s", i+1, lines[i+1], want)
		}
	}
	if len(diags) != 1 || diags[0].Count != 4 {
		t.Errorf("diagnostics %+v, want one of 4 records", diags)
	}
	for _, created := range []int64{minTime - 1, maxTime + 1, maxTime - 1} {
		c := Context{Source: "test", HasCreatedAt: true, CreatedAt: created, Duration: 1 << 62}
		if lines, _, err = run(Options{}, c, say(nil), false); err != nil {
			t.Fatal(err)
		}
		if last := lines[len(lines)-1]; !strings.Contains(last, "9999-12-31T23:59:59.999Z") {
			t.Errorf("created at %d: last record is %s", created, last)
		}
	}
}

func TestAppendTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms := rapid.OneOf(
			rapid.Int64Range(minTime, maxTime), rapid.Int64Range(-1e12, 4e12), rapid.SampledFrom([]int64{minTime, maxTime, 0, -1}),
		).Draw(t, "ms")
		want := time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
		if got := string(AppendTime(nil, ms)); got != want {
			t.Fatalf("%d is %s, want %s", ms, got, want)
		}
	})
}

func TestModel(t *testing.T) {
	tests := []struct {
		context string
		models  []string
		want    string
	}{
		{"", nil, ""},
		{"", []string{"b", "a", "b", ""}, "b"},
		{"", []string{"b", "a", "b", "a", "c"}, "a"},
		{"", []string{"\ue000", "😀"}, "😀"}, // by UTF-16, where the latter begins with D83D
		{"given", []string{"a", "a"}, "given"},
	}
	for _, test := range tests {
		events := say(nil)
		for _, m := range test.models {
			// An event counts even when nothing comes of it.
			events = append(events, Event{Kind: Assistant, Text: []byte(" "), Model: []byte(m)})
		}
		lines, _, err := run(Options{}, Context{Source: "test", Model: []byte(test.context)}, events, false)
		if err != nil {
			t.Fatal(err)
		}
		want := `{"role":"meta","source":"test"}`
		if test.want != "" {
			want = `{"role":"meta","source":"test","model":"` + test.want + `"}`
		}
		if lines[0] != want {
			t.Errorf("models %q: %s, want %s", test.models, lines[0], want)
		}
	}
}

func TestErrors(t *testing.T) {
	user, assistant := say(nil)[:1], say(nil)[1:]
	call := []Event{{Kind: ToolCall, CallID: []byte("c")}}
	tests := []struct {
		name    string
		o       Options
		c       Context
		events  []Event
		rows    bool
		want    string
		records int
	}{
		{name: "nothing", want: trajectory.MissingUserRecords},
		{name: "no user", events: assistant, want: trajectory.MissingUserRecords},
		{name: "no assistant", events: user, want: trajectory.MissingAssistantRecords},
		{name: "a call is an assistant's", events: slices.Concat(user, call), records: 3},
		{name: "fragment of nothing", o: Options{Partial: true}, records: 1},
		{name: "continuation", o: Options{BaseOffset: 1}, events: user, records: 1},
		{name: "active view", o: Options{NoRoles: true}, events: user, records: 2},
		{name: "no source", c: Context{}, events: say(nil), want: trajectory.InvalidTranscript},

		{name: "no group", events: say(nil), rows: true, records: 3},
		{name: "no group, in records", c: Context{Source: "test", GroupAmbiguous: true, GroupRequired: true}, events: say(nil), records: 3},
		{name: "several groups", c: Context{Source: "test", Group: []byte("g"), GroupAmbiguous: true}, events: say(nil), rows: true, want: trajectory.SourceGroupRequired},
		{name: "several groups, one given", o: Options{Group: "g"}, c: Context{Source: "test", GroupAmbiguous: true}, events: say(nil), rows: true, records: 3},
		{name: "group needed", c: Context{Source: "test", GroupRequired: true}, events: say(nil), rows: true, want: trajectory.SourceGroupRequired},
		{name: "group needed and there", c: Context{Source: "test", GroupRequired: true, Group: []byte("g")}, events: say(nil), rows: true, records: 3},
		{name: "group needed and given", o: Options{Group: "g"}, c: Context{Source: "test", GroupRequired: true}, events: say(nil), rows: true, records: 3},
		{name: "groups agree", o: Options{Group: `a"b`}, c: Context{Source: "test", Group: []byte(`a\"b`)}, events: say(nil), rows: true, records: 3},
		{name: "groups differ", o: Options{Group: "h"}, c: Context{Source: "test", Group: []byte("g")}, events: say(nil), rows: true, want: trajectory.SourceGroupConflict},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.c.Source == "" && test.want != trajectory.InvalidTranscript {
				test.c.Source = "test"
			}
			lines, _, err := run(test.o, test.c, test.events, test.rows)
			code := ""
			if e := (*trajectory.Error)(nil); errors.As(err, &e) {
				code = e.Code
			} else if err != nil {
				t.Fatal(err)
			}
			if code != test.want || len(lines) != test.records {
				t.Errorf("error %v and %d records, want %q and %d", err, len(lines), test.want, test.records)
			}
		})
	}
}

func TestOptionsValidate(t *testing.T) {
	for _, o := range []Options{{}, {MaxArgs: 2, MaxResult: 1}, {MaxArgs: Unbounded, MaxResult: Unbounded}, {BaseOffset: 1 << 40}} {
		if err := o.Validate(); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
	for _, o := range []Options{{MaxArgs: 1}, {MaxArgs: -2}, {MaxResult: -2}, {BaseOffset: -1}} {
		var e *trajectory.Error
		if err := o.Validate(); !errors.As(err, &e) || e.Code != trajectory.InvalidInput {
			t.Errorf("%+v: error %v, want %s", o, err, trajectory.InvalidInput)
		}
	}
}
