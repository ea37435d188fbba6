package convert_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/manifest"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/session"
	"github.com/trajmap/trajmap/internal/golden"
)

// talk makes a session of words: U is a user's text, T a model's, Cx a call, rx
// its result.
func talk(words string) *engine.Input {
	var b strings.Builder
	b.WriteString(`{"role":"meta","source":"made-up","cwd":"/home/dev/project"}` + "\n")
	for i, w := range strings.Fields(words) {
		at := fmt.Sprintf(`"timestamp":"2026-11-30T10:00:%02d.000Z"`, i)
		switch w[0] {
		case 'U':
			fmt.Fprintf(&b, `{"role":"user","content":%q,%s}`+"\n", w, at)
		case 'T':
			fmt.Fprintf(&b, `{"role":"assistant","content":%q,%s}`+"\n", w, at)
		case 'C':
			fmt.Fprintf(&b, `{"role":"assistant","content":null,"tool_calls":[{"id":%q,"name":"bash","args":"{}"}],%s}`+"\n", w[1:], at)
		case 'r':
			fmt.Fprintf(&b, `{"role":"tool","tool_call_id":%q,"content":"what %s gave","ok":true,%s}`+"\n", w[1:], w[1:], at)
		}
	}
	text := b.String()
	return &engine.Input{Name: "talk.jsonl", ReaderAt: strings.NewReader(text), Size: int64(len(text))}
}

// heard is what a session says, in the words that it was made of.
func heard(s *session.Session) string {
	var words []string
	for _, m := range s.Messages {
		for _, text := range m.Texts {
			words = append(words, text.String())
		}
		for _, c := range m.Calls {
			words = append(words, "C"+c.ID)
		}
		for _, c := range m.Calls {
			if c.Result != nil && !c.Result.Synthesized {
				words = append(words, "r"+c.ID)
			}
		}
	}
	return strings.Join(words, " ")
}

// TestRanges carries some turns of a session, or all but its end: never a call
// without its result, or a result without its call.
func TestRanges(t *testing.T) {
	const (
		parallel = "U1 T1 Ca Cb rb ra T2 U2 Cc rc T3 U3 T4"
		steered  = "U1 T1 U2 Ca Cb ra U3 rb T2 U4 T3" // b ends after the user spoke
		open     = "U1 Ca ra T1 U2 Cb Cc rb"          // c is still at work
		asked    = "U1 T1 U2"
		noAnswer = "U1 T1 U2 Ca ra"
	)
	turns := func(from, to int) *session.Range { return &session.Range{From: from, To: to} }
	for _, test := range []struct {
		talk    string
		turns   *session.Range
		cutTail bool
		allow   []string
		want    string // what is carried; of a refusal its reasons, after !
		dropped int    // records that are left out
	}{
		{talk: parallel, turns: turns(1, 1), want: "U1 T1 Ca Cb ra rb T2", dropped: 6},
		{talk: parallel, turns: turns(2, 3), want: "U2 Cc rc T3 U3 T4", dropped: 7},
		{talk: parallel, turns: turns(1, 3), want: "U1 T1 Ca Cb ra rb T2 U2 Cc rc T3 U3 T4"},
		{talk: parallel, turns: turns(3, 3), want: "U3 T4", dropped: 11},
		{talk: parallel, turns: turns(0, 1), want: "!range"},
		{talk: parallel, turns: turns(2, 1), want: "!range"},
		{talk: parallel, turns: turns(3, 4), want: "!range"},
		{talk: parallel, turns: turns(4, 4), want: "!range"},
		{talk: parallel, cutTail: true, want: "U1 T1 Ca Cb ra rb T2 U2 Cc rc T3 U3 T4"},

		// A result goes with its call, whenever it came; the turn has no answer.
		{talk: steered, turns: turns(2, 2), want: "!interrupted_turn"},
		{talk: steered, turns: turns(2, 2), allow: []string{"interrupted_turn"}, want: "U2 Ca Cb ra rb", dropped: 6},
		{talk: steered, turns: turns(3, 4), want: "U3 T2 U4 T3", dropped: 7},
		{talk: steered, turns: turns(2, 3), want: "U2 Ca Cb ra rb U3 T2", dropped: 4},

		{talk: open, want: "!in_flight_call"},
		{talk: open, cutTail: true, want: "U1 Ca ra T1", dropped: 4},
		{talk: open, turns: turns(1, 1), want: "U1 Ca ra T1", dropped: 4}, // the end is not asked for
		{talk: open, turns: turns(2, 2), want: "!in_flight_call"},
		{talk: open, turns: turns(2, 2), allow: []string{"in_flight_call"}, want: "U2 Cb Cc rb", dropped: 4},
		{talk: open, turns: turns(2, 2), cutTail: true, want: "!empty_session"},
		{talk: asked, want: "!unanswered_prompt"},
		{talk: asked, cutTail: true, want: "U1 T1", dropped: 1},
		{talk: noAnswer, want: "!interrupted_turn"},
		{talk: noAnswer, cutTail: true, want: "U1 T1", dropped: 3},
		{talk: "U1 Ca", cutTail: true, want: "!empty_session"},
	} {
		name := fmt.Sprintf("%s %v %t %v", test.talk, test.turns, test.cutTail, test.allow)
		from, to := mappingOf(t, "trajectory"), mappingOf(t, "pi")
		r, err := convert.Convert(context.Background(), from, talk(test.talk), to, convert.Options{Turns: test.turns, CutTail: test.cutTail, Allow: test.allow}, t.TempDir())
		got := ""
		var refusal *convert.Refusal
		var outside *convert.RangeError
		switch {
		case errors.As(err, &outside):
			got = "!range"
		case errors.As(err, &refusal):
			var reasons []string
			for _, f := range refusal.Findings {
				if f.Refused() {
					reasons = append(reasons, f.Code)
				}
			}
			got = "!" + strings.Join(reasons, " ")
		case err != nil:
			t.Errorf("%s: %v", name, err)
		default:
			got = heard(r.Session)
			dropped := 0
			for _, d := range r.Diagnostics() {
				if d.Code == session.TailCut || d.Code == session.RangeCut {
					dropped += d.Count
				}
			}
			if dropped != test.dropped {
				t.Errorf("%s: %d records are said to be left out, want %d", name, dropped, test.dropped)
			}
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
		if r != nil {
			r.Close()
		}
	}
}

// TestCompactionInRange leaves the summary out with its turn, and refuses the
// session for it all the same: what the rest stands on is gone.
func TestCompactionInRange(t *testing.T) {
	from, to := mappingOf(t, "codex"), mappingOf(t, "pi")
	const path = "../../testdata/codex/compaction-0.171/input.jsonl"
	in, done := open(t, path)
	defer done()
	o := convert.Options{Turns: &session.Range{From: 1, To: 1}}
	r, err := convert.Convert(context.Background(), from, in, to, o, t.TempDir())
	var refusal *convert.Refusal
	if !errors.As(err, &refusal) {
		t.Fatalf("got %v", err)
	}
	r.Close()
	o.Allow = []string{"compaction"}
	r, err = convert.Convert(context.Background(), from, in, to, o, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if said := heard(r.Session); !strings.Contains(said, "produced a summary") || !strings.Contains(said, "Second answer.") {
		t.Errorf("the turn is %q", said)
	}
}

// TestCutTail cuts the end off every golden case that has an unfinished one:
// then none of the reasons of an end stands against it, its last turn is
// complete, and the books say how many records went.
func TestCutTail(t *testing.T) {
	tail := []string{"in_flight_call", "interrupted_turn", "unanswered_prompt", "live_session"}
	catalog, err := engine.NewCatalog()
	if err != nil {
		t.Fatal(err)
	}
	to, cut := mappingOf(t, "codex"), 0
	for _, e := range catalog.Entries() {
		cases, err := golden.Find(filepath.Join("../../testdata", e.Name), regexp.MustCompile("."))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			path := filepath.Join(c.Dir, filepath.FromSlash(c.Input))
			in, done := open(t, path)
			others := slices.DeleteFunc(convert.Allowable(), func(code string) bool { return slices.Contains(tail, code) })
			r, err := convert.Convert(context.Background(), mappingOf(t, e.Name), in, to, convert.Options{Cwd: "/home/dev/project", CutTail: true, Allow: others}, t.TempDir())
			_ = done()
			if r == nil {
				continue // it cannot be read
			}
			for _, f := range r.Findings {
				if f.Refused() && f.Verdict != convert.Never {
					t.Errorf("%s: refused for %s", path, f.Code)
				}
			}
			if err == nil {
				turns := r.Session.Turns
				if last := turns[len(turns)-1]; !last.Complete {
					t.Errorf("%s: the last turn is not complete", path)
				}
				gone := 0
				for kind := range normalize.ResultRecord + 1 {
					gone += r.Session.Dropped[session.TailCut][kind]
				}
				i := slices.IndexFunc(r.Diagnostics(), func(d manifest.Diagnostic) bool { return d.Code == session.TailCut })
				if said := i >= 0 && r.Diagnostics()[i].Count == gone; gone > 0 && !said {
					t.Errorf("%s: %d records went, and %+v is said", path, gone, r.Diagnostics())
				}
				if gone > 0 {
					cut++
				}
			}
			r.Close()
		}
	}
	if cut < 10 {
		t.Errorf("only %d sessions had an end to be cut off", cut)
	}
}

// mappingOf is a shipped mapping.
func mappingOf(t *testing.T, name string) *mapping.Mapping {
	t.Helper()
	m, err := engine.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return m.Mapping
}
