package transcript

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/internal/terminal"
)

func at(second int) time.Time { return time.Date(2026, 1, 2, 3, 4, second, 0, time.UTC) }

func yes(b bool) *bool { return &b }

// session is one of every type of record.
func session(records ...engine.Record) *engine.Session {
	return &engine.Session{Records: records, Result: &read.Result{Facts: map[string]string{"group": "s1"}}}
}

var sample = session(
	engine.Record{Type: normalize.MetaRecord, Cwd: "/w", GitBranch: "main", Model: "m-1"},
	engine.Record{Type: normalize.AssistantRecord, Content: "Welcome.", Time: at(0)},
	engine.Record{Type: normalize.UserRecord, Content: "First\nquestion?", Time: at(1)},
	engine.Record{Type: normalize.UserRecord, Content: "And more.", Time: at(2)},
	engine.Record{Type: normalize.ReasoningRecord, Content: "Hm.", Time: at(3)},
	engine.Record{Type: normalize.CallRecord, CallID: "a", Name: "sh", Args: `{"cmd":"ls","n":[1]}`, Time: at(4)},
	engine.Record{Type: normalize.CallRecord, CallID: "b", Name: "read", Args: `{}`, Time: at(5)},
	engine.Record{Type: normalize.ResultRecord, CallID: "b", Content: "gone", OK: yes(false), Time: at(6)},
	engine.Record{Type: normalize.ResultRecord, CallID: "a", Content: "x", OK: yes(true), Time: at(7)},
	engine.Record{Type: normalize.ObservationRecord, Content: "Note.", Time: at(8)},
	engine.Record{Type: normalize.UserRecord, Content: "Second?", Time: at(9)},
	engine.Record{Type: normalize.CallRecord, CallID: "c", Name: "wait", Args: `{}`, Time: at(10)},
)

// outline is the kinds of a transcript's items, turn by turn.
func outline(t *Transcript) string {
	var turns []string
	for _, turn := range t.Turns {
		var kinds []string
		for _, item := range turn.Items {
			word := string(item.Kind)
			if item.Call != nil {
				word += ":" + item.Call.Name + ":" + item.Call.outcome()
			}
			kinds = append(kinds, word)
		}
		turns = append(turns, strings.Join(kinds, " "))
	}
	return strings.Join(turns, " | ")
}

func TestTurns(t *testing.T) {
	for _, test := range []struct {
		o    Options
		want string
	}{
		{Options{Reasoning: true}, "assistant | user user reasoning call:sh:ok call:read:failed note | user call:wait:no result"},
		{Options{}, "assistant | user user call:sh:ok call:read:failed note | user call:wait:no result"},
		{Options{NoCalls: true, From: 2, To: 2}, "user user note"},
		{Options{From: 3}, "user call:wait:no result"},
		{Options{To: 1}, "assistant"},
		{Options{From: 9}, ""},
	} {
		got := New("agent", sample, test.o)
		if diff := cmp.Diff(test.want, outline(got)); diff != "" || got.Total != 3 {
			t.Errorf("%+v, %d turns in all (-want +got):\n%s", test.o, got.Total, diff)
		}
	}
	got := New("agent", sample, Options{})
	if got.Title != "First question?" || got.ID != "s1" || got.Cwd != "/w" || !got.Began.Equal(at(0)) || !got.Ended.Equal(at(10)) {
		t.Errorf("%+v", got)
	}
	if empty := New("agent", session(), Options{}); empty.heading() != "Session of agent" || empty.span() != "" {
		t.Errorf("an empty session: %+v", empty)
	}
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := New("agent", sample, Options{Reasoning: true}).JSON(&b); err != nil {
		t.Fatal(err)
	}
	var got Transcript
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if outline(&got) != outline(New("agent", sample, Options{Reasoning: true})) {
		t.Errorf("comes back as %s", outline(&got))
	}
}

// hostile are texts that mean to be more than that.
var hostile = []string{
	`</title></style></script><script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `" onmouseover="alert(1)`, `' autofocus onfocus='alert(1)`,
	`</pre></details><iframe src="javascript:alert(1)">`, `<!--`, `]]>`, `{{.T}}`, `<svg/onload=alert(1)>`, "\x1b]0;x\x07\x1b[2J", "\u202egnp.exe", "```\n<script>alert(1)</script>\n```",
	"a\x00b", `&lt;script&gt;`, `<base href="//evil">`, `<meta http-equiv=refresh content="0;url=//evil">`,
}

// stuffed is a session that has a text everywhere.
func stuffed(text string) *engine.Session {
	s := session(
		engine.Record{Type: normalize.MetaRecord, Cwd: text, GitBranch: text, Model: text},
		engine.Record{Type: normalize.UserRecord, Content: text, Time: at(1)},
		engine.Record{Type: normalize.AssistantRecord, Content: text, Time: at(2)},
		engine.Record{Type: normalize.ReasoningRecord, Content: text, Time: at(2)},
		engine.Record{Type: normalize.CallRecord, CallID: "a", Name: text, Args: `{"a":` + quote(text) + `}`, Time: at(3)},
		engine.Record{Type: normalize.ResultRecord, CallID: "a", Content: text, Time: at(4)},
		engine.Record{Type: normalize.SystemRecord, Content: text, Time: at(5)},
	)
	s.Facts["group"], s.Facts["title"] = text, text
	return s
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

var tag = regexp.MustCompile(`<[!/a-zA-Z][^>]*`)

// TestHTMLIsSafe: whatever a session holds, a page has the tags of a harmless
// one, and no others.
func TestHTMLIsSafe(t *testing.T) {
	page := func(text string) string {
		var b bytes.Buffer
		if err := New("agent", stuffed(text), Options{Reasoning: true}).HTML(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	want := tag.FindAllString(page("harmless"), -1)
	for _, text := range hostile {
		if strings.Contains(text, "```") {
			continue // makes a block of code, below
		}
		if diff := cmp.Diff(want, tag.FindAllString(page(text), -1)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
	all := page(strings.Join(hostile, "\n"))
	for _, tag := range []string{"<script", "<style", "<title", "<iframe", "<img", "<svg", "<base"} {
		if n := strings.Count(all, tag); n > 1 || n == 1 && !strings.Contains("<script<style<title", tag) {
			t.Errorf("%d times %s", n, tag)
		}
	}
	for _, steers := range []string{"\x1b", "\x07", "\x00", "\u202e"} {
		if strings.Contains(all, steers) {
			t.Errorf("the page has %q", steers)
		}
	}
	for _, needs := range []string{"http://", "https://", " src=", "url(", "@import"} {
		if strings.Contains(page("harmless"), needs) {
			t.Errorf("the page needs something else: %s", needs)
		}
	}
}

// TestTextIsSafe: no text steers a terminal, and every line fits.
func TestTextIsSafe(t *testing.T) {
	for _, text := range append(hostile, strings.Repeat("long ", 100), strings.Repeat("你", 200)) {
		for _, full := range []bool{true, false} {
			var b bytes.Buffer
			if err := New("agent", stuffed(text), Options{Reasoning: true}).Text(&b, Terminal{Width: 60, Full: full}); err != nil {
				t.Fatal(err)
			}
			if terminal.Plain(b.String()) != b.String() {
				t.Errorf("%q steers", text)
			}
			for line := range strings.Lines(b.String()) {
				// A tool's name is not broken.
				if n := terminal.Cells(strings.TrimSuffix(line, "\n")); n > 60 && !strings.HasPrefix(line, "  • ") {
					t.Errorf("%d columns: %q", n, line)
				}
			}
		}
	}
}

// TestMarkdown: what was said cannot leave its quotation or its fence.
func TestMarkdown(t *testing.T) {
	for _, text := range hostile {
		var b bytes.Buffer
		if err := New("agent", stuffed(text), Options{Reasoning: true}).Markdown(&b, true); err != nil {
			t.Fatal(err)
		}
		if terminal.Plain(b.String()) != b.String() {
			t.Errorf("%q steers", text)
		}
		fence := ""
		for line := range strings.Lines(b.String()) {
			run := line[:len(line)-len(strings.TrimLeft(line, "`"))]
			switch {
			case fence != "":
				if strings.TrimRight(line, "\n") == fence {
					fence = ""
				}
			case len(run) >= 3:
				fence = run
			case regexp.MustCompile(`(^|[^\\`+"`"+`])<[a-zA-Z/!]`).MatchString(line) && !strings.HasPrefix(line, "**Call**"):
				t.Errorf("%q has a tag outside of a fence: %s", text, line)
			}
		}
		if fence != "" {
			t.Errorf("%q leaves a fence open", text)
		}
	}
}

func TestSegments(t *testing.T) {
	for _, test := range []struct {
		text string
		want []segment
	}{
		{"a", []segment{{false, "a"}}},
		{"a\n```go\ncode\n```\nb", []segment{{false, "a"}, {true, "code"}, {false, "b"}}},
		{"````\n```\nx\n```\n````", []segment{{true, "```\nx\n```"}}},
		{"```\nopen", []segment{{true, "open"}}},
		{"``\nno fence\n``", []segment{{false, "``\nno fence\n``"}}},
		{"", nil},
	} {
		if diff := cmp.Diff(test.want, segments(test.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.text, diff)
		}
	}
}

// TestFences: code of any kind stands in a fence that it does not close.
func TestFences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		code := rapid.StringOf(rapid.SampledFrom([]rune("`a\n "))).Draw(t, "code")
		text := fenced("", code)
		fence, rest, _ := strings.Cut(text, "\n")
		if strings.Count("\n"+rest, "\n"+fence) != 1 || !strings.HasSuffix(text, "\n"+fence) {
			t.Fatalf("%q is in a fence as %q", code, text)
		}
	})
}
