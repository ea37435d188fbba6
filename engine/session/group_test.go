package session

import (
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine/normalize"
)

// build groups "U T Ca ra Nb": a user, a text, a call of id a, its result, a call
// that has none by design. Behind
// a slash stands the key of the native message.
func build(t *testing.T, list string, o Options) *Session {
	t.Helper()
	b := NewBuilder()
	kinds := map[byte]normalize.Type{'U': normalize.UserRecord, 'T': normalize.AssistantRecord, 'R': normalize.ReasoningRecord,
		'C': normalize.CallRecord, 'N': normalize.CallRecord, 'r': normalize.ResultRecord, 'S': normalize.SystemRecord}
	for i, f := range strings.Fields(list) {
		f, key, _ := strings.Cut(f, "/")
		r := &normalize.Record{Type: kinds[f[0]], Time: int64(1e12 + i*1000), Step: []byte(key)}
		switch f[0] {
		case 'C', 'N':
			r.Resultless = f[0] == 'N'
			r.CallID, r.Name, r.Args = []byte(f[1:]), []byte("f"), []byte("{}")
		case 'r':
			r.CallID, r.Content = []byte(f[1:]), []byte(f)
		default:
			r.Content = []byte(f)
		}
		if err := b.Record(r); err != nil {
			t.Fatal(err)
		}
	}
	return b.Build(o)
}

// shape writes messages as in the table of cases.
func shape(s *Session) string {
	var out []string
	for _, m := range s.Messages {
		if m.Role == User {
			out = append(out, strings.Join(strs(m.Texts), "+"))
			continue
		}
		parts := append(strs(m.Reasoning), strs(m.Texts)...)
		for _, c := range m.Calls {
			if c.Result == nil {
				parts = append(parts, c.ID+"?")
			} else {
				parts = append(parts, c.ID)
			}
		}
		out = append(out, "("+strings.Join(parts, " ")+")")
	}
	return strings.Join(out, " ")
}

func TestGrouping(t *testing.T) {
	for _, c := range []struct{ records, want string }{
		{"U R T Ca ra Cb Cc rc rb T", "U (R T a) (b c) (T)"},
		{"U Ca/k ra/k Cb/k rb/k", "U (a b)"},
		{"U T Ca/k ra/k Cb/k rb/k T", "U (T a b) (T)"},
		{"U Ca ra Cb rb", "U (a) (b)"},
		{"U T1 Ca Cb T2 ra rb T3", "U (T1 T2 a b) (T3)"},
		{"U Ca T1", "U (a?) (T1)"},
		{"U1 U2 T", "U1 U2 (T)"},
		{"T Ca ra U T", "(T a) U (T)"},
		{"U Ca U2 ra T", "U (a) U2 (T)"},
		{"U Ca Cb ra Cc rb rc T", "U (a b) (c) (T)"},
		{"U T1 T2", "U (T1 T2)"},
		{"U R1 T1 R2 T2", "U (R1 T1) (R2 T2)"},
		{"U1/k U2/k T", "U1+U2 (T)"},
		{"U1/j U2/k T", "U1 U2 (T)"},
		{"U T1/j T2/k", "U (T1) (T2)"},
		{"U T1/j T2", "U (T1 T2)"},
		{"ra U Ca T", "U (a) (T)"},
		{"U S T Ca S ra T", "U (S) (T a) (S) (T)"},
	} {
		if got := shape(build(t, c.records, Options{})); got != c.want {
			t.Errorf("%s: got %s, want %s", c.records, got, c.want)
		}
	}
}

func TestTurns(t *testing.T) {
	for _, c := range []struct{ records, want string }{
		{"U T", "1u1s+"},
		{"U1 U2 T", "2u1s+"},
		{"T U T", "0u1s+ 1u1s+"},
		{"U Ca ra T U", "1u2s+ 1u0s-"},
		{"U Ca ra", "1u1s-"},
		{"U Ca T", "1u2s-"},
		{"U Na T", "1u2s+"},
		{"U Na Cb T", "1u3s-"},
		{"U Na", "1u1s-"},
	} {
		var got []string
		for _, turn := range build(t, c.records, Options{}).Turns {
			mark := "-"
			if turn.Complete {
				mark = "+"
			}
			got = append(got, string(rune('0'+len(turn.Users)))+"u"+string(rune('0'+len(turn.Steps)))+"s"+mark)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: got %s, want %s", c.records, s, c.want)
		}
	}
}

func TestCuts(t *testing.T) {
	records := "U1 T1 U2 Ca ra T2 U3 Cb"
	if got, want := shape(build(t, records, Options{CutTail: true})), "U1 (T1) U2 (a) (T2)"; got != want {
		t.Errorf("tail: got %s, want %s", got, want)
	}
	if got, want := shape(build(t, records, Options{Turns: &Range{2, 2}})), "U2 (a) (T2)"; got != want {
		t.Errorf("turn 2: got %s, want %s", got, want)
	}
	if got, want := shape(build(t, records, Options{Turns: &Range{2, 99}})), "U2 (a) (T2) U3 (b?)"; got != want {
		t.Errorf("from turn 2: got %s, want %s", got, want)
	}
	if got, want := shape(build(t, records, Options{Synthesize: true})), "U1 (T1) U2 (a) (T2) U3 (b)"; got != want {
		t.Errorf("synthesized: got %s, want %s", got, want)
	}
}

// A call that has no result by design did not fail; what is made up for it says so.
func TestResultless(t *testing.T) {
	if got := shape(build(t, "U Na Cb T", Options{})); got != "U (a) (b?) (T)" {
		t.Errorf("of its own accord: %s", got)
	}
	s := build(t, "U Na Cb T", Options{Synthesize: true})
	for i, want := range []struct {
		text string
		ok   *bool
	}{{NotTold, nil}, {NoResult, new(bool)}} {
		r := s.Calls[i].Result
		if text := strs([]Text{r.Content})[0]; text != want.text || !r.Synthesized || (r.OK == nil) != (want.ok == nil) {
			t.Errorf("call %d has the result %q, %v", i, text, r.OK)
		}
	}
}

func TestWire(t *testing.T) {
	s := build(t, "U Cok ra Cbad.id Cbad|id T", Options{})
	seen := map[string]bool{}
	for _, c := range s.Calls {
		if !isWire(c.ID) || seen[c.ID] {
			t.Errorf("id %q of %q is not fit for a wire", c.ID, c.SourceID)
		}
		seen[c.ID] = true
	}
	if s.Calls[0].ID != "ok" {
		t.Errorf("a good id became %q", s.Calls[0].ID)
	}
	if len(s.Passes) != 1 || s.Passes[0].Code != ToolCallIDRewritten || s.Passes[0].Count != 2 || s.Passes[0].First != 4 {
		t.Errorf("passes: %+v", s.Passes)
	}
}

// Times never run back in the order in which a step is written: its texts, all
// its calls, all its results.
func TestClock(t *testing.T) {
	for _, records := range []string{
		"U Ca Cb rb ra T",
		"U Ca/k ra/k Cb/k rb/k T/l", // the second call was made after the first result
		"U Ca Cb rc ra T Cc rb",
	} {
		s := build(t, records, Options{Synthesize: true})
		var last int64
		for _, m := range s.Messages {
			if m.Time <= last {
				t.Errorf("%s: message %d is not later than what stands before it", records, m.Ordinal)
			}
			last = m.Time
			for _, c := range m.Calls {
				if c.Time < last {
					t.Errorf("%s: call %s at %d, after %d", records, c.ID, c.Time, last)
				}
				last = c.Time
			}
			for i, c := range m.Calls {
				if c.Result.Time < last || i == 0 && c.Result.Time == m.Time {
					t.Errorf("%s: result of %s at %d, after %d", records, c.ID, c.Result.Time, last)
				}
				last = c.Result.Time
			}
			if last != m.End {
				t.Errorf("%s: message %d ends at %d, want %d", records, m.Ordinal, m.End, last)
			}
		}
	}
}

// TestOneTime gives the results of a batch that came in another order one time:
// a target that has one row for all of them reads back as it was written.
func TestOneTime(t *testing.T) {
	calls := build(t, "U Ca Cb rb ra T", Options{}).Messages[1].Calls
	if a, b := calls[0].Result.Time, calls[1].Result.Time; a != b {
		t.Errorf("results at %d and %d", a, b)
	}
}

func strs(texts []Text) []string {
	var out []string
	for _, t := range texts {
		out = append(out, t.String())
	}
	return out
}
