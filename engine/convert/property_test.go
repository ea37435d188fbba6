package convert

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
)

// drawText is a text of any kind that a transcript may hold.
func drawText(t *rapid.T, label string) string {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{"\x00", "\x1b[31m", "\r\n", "\u2028", "\u2029", "\ufeff", "é", "\U0001F389", "<", "\"", "\\", "\\ud800", "\t", " ", "\n\n", "</x>", "{}", "[1]", "$HOME", "'"}),
		rapid.StringMatching(`[a-zA-Z0-9 .,]{0,12}`),
		rapid.String(),
	)
	return strings.Join(rapid.SliceOfN(piece, 1, 6).Draw(t, label), "")
}

// drawSession draws a session as trajectory-v1 records, a line each.
func drawSession(t *rapid.T) []byte {
	var out strings.Builder
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	line := func(v map[string]any) {
		if v["role"] != "meta" {
			at = at.Add(time.Duration(rapid.IntRange(0, 2000).Draw(t, "ms")) * time.Millisecond)
			v["timestamp"] = at.Format("2006-01-02T15:04:05.000Z")
		}
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		// Half a character, which Go has no way to write.
		if rapid.IntRange(0, 9).Draw(t, "half") == 0 {
			b = []byte(strings.Replace(string(b), "HALF", `\ud83d`, 1))
		}
		out.Write(append(b, '\n'))
	}
	text := func(label string) string {
		s := drawText(t, label)
		if strings.TrimSpace(s) == "" {
			s += "x"
		}
		if rapid.IntRange(0, 5).Draw(t, "with half") == 0 {
			s += "HALF"
		}
		return "T" + s
	}
	line(map[string]any{"role": "meta", "source": "made-up", "cwd": "/home/dev/project"})
	calls := 0
	for range rapid.IntRange(1, 4).Draw(t, "turns") {
		for range rapid.IntRange(1, 2).Draw(t, "users") {
			line(map[string]any{"role": "user", "content": text("user")})
		}
		for range rapid.IntRange(0, 3).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "thinks") {
				line(map[string]any{"role": "reasoning", "content": text("reasoning")})
			}
			if rapid.Bool().Draw(t, "says") {
				line(map[string]any{"role": "assistant", "content": text("assistant")})
			}
			var ids []string
			for range rapid.IntRange(0, 3).Draw(t, "calls") {
				calls++
				id := fmt.Sprint(rapid.SampledFrom([]string{"call_", "toolu_01", "a|b", "é ", strings.Repeat("long", 30)}).Draw(t, "id"), calls)
				args := rapid.SampledFrom([]string{`{}`, `{"n":9007199254740993,"f":1.0,"1":2,"a":[null,true]}`, `{"z":"\u0000\ud800","a":{"b":"c"}}`, `{"t":"HALF \u2028"}`}).Draw(t, "args")
				line(map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{
					"id": id, "name": rapid.SampledFrom([]string{"Read", "mcp__a.b/c d", "bash"}).Draw(t, "name"), "args": args,
				}}})
				ids = append(ids, id)
			}
			for _, id := range rapid.Permutation(ids).Draw(t, "order") {
				result := map[string]any{"role": "tool", "tool_call_id": id}
				switch rapid.IntRange(0, 9).Draw(t, "kind of result") {
				case 0:
					result["content"] = ""
				case 1:
					result["content"] = strings.Repeat("long line\n", rapid.IntRange(1, 6000).Draw(t, "lines"))
				default:
					result["content"] = drawText(t, "result")
				}
				if ok := rapid.IntRange(0, 2).Draw(t, "ok"); ok > 0 {
					result["ok"] = ok == 1
				}
				line(result)
			}
		}
		line(map[string]any{"role": "assistant", "content": text("end")})
	}
	return []byte(out.String())
}

// TestProperties carries made-up sessions to every target: what the books do not
// name is there, twice is the same, and from the target to itself all is kept.
func TestProperties(t *testing.T) {
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		if err := flag.Set("rapid.checks", "15"); err != nil { // seven targets, files each time
			t.Fatal(err)
		}
	}
	var from *mapping.Mapping
	var targets []*mapping.Mapping
	for _, m := range mappingsIn(t, "../../mappings") {
		if m.Harness == "trajectory" {
			from = m
		}
		if m.Write != nil {
			targets = append(targets, m)
		}
	}
	if from == nil || len(targets) == 0 {
		t.Fatal("mappings are missing")
	}
	for _, to := range targets {
		t.Run(to.Harness, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				carry := func(m *mapping.Mapping, in *frame.Input) (*Result, string) {
					dir, err := os.MkdirTemp(t.TempDir(), "")
					if err != nil {
						t.Fatal(err)
					}
					r, err := Convert(context.Background(), m, in, to, Options{Cwd: "/home/dev/project"}, dir)
					if err != nil {
						rt.Fatal(err) // it was read back, compared and booked
					}
					return r, dir
				}
				data := drawSession(rt)
				input := func() *frame.Input {
					return &frame.Input{Name: "session.jsonl", ReaderAt: strings.NewReader(string(data)), Size: int64(len(data))}
				}
				first, a := carry(from, input())
				defer first.Close()
				second, b := carry(from, input())
				defer second.Close()
				if diff := cmp.Diff(files(t, a), files(t, b)); diff != "" {
					rt.Errorf("twice: %s", diff)
				}
				in, done, err := frame.Open(a + "/" + first.Export.Files[0].Path)
				if err != nil {
					t.Fatal(err)
				}
				defer done()
				again, _ := carry(to, in)
				defer again.Close()
				for kind, l := range again.Loss {
					// Texts of one reply may still become one: not every target tells replies apart.
					if l.Written+l.Joined != l.In || len(l.Dropped) > 0 {
						rt.Errorf("from the target to itself: %s: %+v", kind, *l)
					}
				}
			})
		})
	}
}
