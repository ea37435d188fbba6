package convert

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
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

// drawing is a session that is being made up, as trajectory-v1 records, a line
// each.
type drawing struct {
	*rapid.T
	out   strings.Builder
	at    time.Time
	calls int
}

// drawSession draws a session: parallel calls, odd ids and names, empty and huge
// results, results that come late or never, unknown outcomes, steering, notes
// between, an assistant that begins.
func drawSession(t *rapid.T) []byte {
	d := &drawing{T: t, at: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	d.line(map[string]any{"role": "meta", "source": "made-up", "cwd": "/home/dev/project"})
	for turn := range rapid.IntRange(1, 4).Draw(t, "turns") {
		least := 1
		if turn == 0 && d.oneIn(12, "begins with the model") {
			least = 0
		}
		for range rapid.IntRange(least, 2).Draw(t, "users") {
			d.line(map[string]any{"role": "user", "content": d.text("user")})
			d.note()
		}
		for range rapid.IntRange(0, 3).Draw(t, "steps") {
			d.step()
		}
		d.line(map[string]any{"role": "assistant", "content": d.text("end")})
	}
	return []byte(d.out.String())
}

// oneIn is true about once in n times; what it shrinks to is false.
func (d *drawing) oneIn(n int, label string) bool {
	return rapid.IntRange(0, n-1).Draw(d.T, label) == n-1
}

func (d *drawing) line(v map[string]any) {
	if v["role"] != "meta" {
		d.at = d.at.Add(time.Duration(rapid.IntRange(0, 2000).Draw(d.T, "ms")) * time.Millisecond)
		v["timestamp"] = d.at.Format("2006-01-02T15:04:05.000Z")
	}
	b, err := json.Marshal(v)
	if err != nil {
		d.Fatal(err)
	}
	// Half a character, which Go has no way to write.
	if d.oneIn(10, "half") {
		b = []byte(strings.Replace(string(b), "HALF", `\ud83d`, 1))
	}
	d.out.Write(append(b, '\n'))
}

// text is a text that no reader takes for nothing.
func (d *drawing) text(label string) string {
	s := drawText(d.T, label)
	if strings.TrimSpace(s) == "" {
		s += "x"
	}
	if d.oneIn(6, "with half") {
		s += "HALF"
	}
	return "T" + s
}

// note is now and then something that no target carries.
func (d *drawing) note() {
	if d.oneIn(8, "note") {
		role := rapid.SampledFrom([]string{"system", "observation"}).Draw(d.T, "role of note")
		d.line(map[string]any{"role": role, "content": d.text("note")})
	}
}

func (d *drawing) step() {
	if rapid.Bool().Draw(d.T, "thinks") {
		d.line(map[string]any{"role": "reasoning", "content": d.text("reasoning")})
	}
	if rapid.Bool().Draw(d.T, "says") {
		d.line(map[string]any{"role": "assistant", "content": d.text("assistant")})
	}
	var ids []string
	for range rapid.IntRange(0, 3).Draw(d.T, "calls") {
		d.calls++
		id := fmt.Sprint(rapid.SampledFrom([]string{"call_", "toolu_01", "a|b", "é ", strings.Repeat("long", 30), "\n\x00../"}).Draw(d.T, "id"), d.calls)
		args := rapid.SampledFrom([]string{`{}`, `{"n":9007199254740993,"f":1.0,"1":2,"a":[null,true]}`, `{"z":"\u0000\ud800","a":{"b":"c"}}`, `{"t":"HALF \u2028"}`, `{"a":1,"a":2}`, `{"":{"":[]}}`, `{"e":1e400,"m":-0.0}`}).Draw(d.T, "args")
		d.line(map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{
			"id": id, "name": rapid.SampledFrom([]string{"Read", "mcp__a.b/c d", "bash", "工具", strings.Repeat("n", 70)}).Draw(d.T, "name"), "args": args,
		}}})
		ids = append(ids, id)
	}
	if len(ids) > 0 && d.oneIn(8, "says after the calls") {
		d.line(map[string]any{"role": "assistant", "content": d.text("after")})
	}
	for _, id := range rapid.Permutation(ids).Draw(d.T, "order") {
		if d.oneIn(10, "steering") {
			d.line(map[string]any{"role": "user", "content": d.text("steering")})
		}
		if d.oneIn(12, "no result") {
			continue
		}
		result := map[string]any{"role": "tool", "tool_call_id": id}
		switch rapid.IntRange(0, 9).Draw(d.T, "kind of result") {
		case 0:
			result["content"] = ""
		case 1:
			result["content"] = strings.Repeat("long line\n", rapid.IntRange(1, 6000).Draw(d.T, "lines"))
		default:
			result["content"] = drawText(d.T, "result")
		}
		if ok := rapid.IntRange(0, 2).Draw(d.T, "ok"); ok > 0 {
			result["ok"] = ok == 1
		}
		d.line(result)
		d.note()
	}
}

// TestProperties carries made-up sessions to every target: what the books do not
// name is there, twice is the same, and from the target to itself all is kept.
func TestProperties(t *testing.T) {
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		if err := flag.Set("rapid.checks", "15"); err != nil { // for every target, files each time
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
				c := &carrier{T: rt, to: to, dir: t.TempDir()}
				data := drawSession(rt)
				input := func() *frame.Input {
					return &frame.Input{Name: "session.jsonl", ReaderAt: strings.NewReader(string(data)), Size: int64(len(data))}
				}
				first, a := c.carry(from, input())
				if first == nil {
					return // the target does not take such a session
				}
				defer first.Close()
				second, b := c.carry(from, input())
				defer second.Close()
				if diff := cmp.Diff(files(t, a), files(t, b)); diff != "" {
					rt.Errorf("twice: %s", diff)
				}
				if diff := cmp.Diff(first.Manifest(), second.Manifest()); diff != "" {
					rt.Errorf("twice, the manifest: %s", diff)
				}
				again, x := c.onward(first, a)
				defer again.Close()
				for kind, l := range again.Loss {
					// Texts of one reply may still become one: not every target tells replies apart.
					if l.Written+l.Joined != l.In || len(l.Dropped) > 0 {
						rt.Errorf("from the target to itself: %s: %+v", kind, *l)
					}
				}
				if d := Written(to)(first.Session, again.Session).Differences; len(d) > 0 {
					rt.Errorf("from the target to itself: %v", d)
				}
				// Once replies that the target does not tell apart are one, nothing changes.
				third, y := c.onward(again, x)
				defer third.Close()
				fourth, z := c.onward(third, y)
				defer fourth.Close()
				if diff := cmp.Diff(files(t, y), files(t, z)); diff != "" {
					rt.Errorf("from the target to itself is no fixed point: %s", diff)
				}
			})
		})
	}
}

// carrier carries sessions to one target.
type carrier struct {
	*rapid.T
	to  *mapping.Mapping
	dir string
}

// carry carries a session, all that can be allowed. The result is nil when the
// target refuses it all the same.
func (c *carrier) carry(from *mapping.Mapping, in *frame.Input) (*Result, string) {
	dir, err := os.MkdirTemp(c.dir, "")
	if err != nil {
		c.Fatal(err)
	}
	r, err := Convert(context.Background(), from, in, c.to, Options{Cwd: "/home/dev/project", Allow: everything}, dir)
	var refusal *Refusal
	if errors.As(err, &refusal) {
		r.Close()
		return nil, ""
	}
	if err != nil {
		c.Fatal(err) // it was read back, compared and booked
	}
	return r, dir
}

// onward carries what was written from the target to itself.
func (c *carrier) onward(r *Result, dir string) (*Result, string) {
	in, done, err := frame.Open(filepath.Join(dir, filepath.FromSlash(r.Export.Files[0].Path)))
	if err != nil {
		c.Fatal(err)
	}
	defer done()
	again, out := c.carry(c.to, in)
	if again == nil {
		c.Fatal("what was written is refused")
	}
	return again, out
}
