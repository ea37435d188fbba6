package render

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

// peak is a file that forgets what it is given, and looks at the memory in use.
type peak struct {
	most, size uint64
	writes     int
}

func (p *peak) Write(b []byte) (int, error) {
	p.size += uint64(len(b))
	if p.writes++; p.writes%16 == 0 {
		p.most = max(p.most, inUse())
	}
	return len(b), nil
}

func (*peak) Close() error { return nil }

func inUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// What is made of a session at once does not grow with the session.
func TestStreaming(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes 100,000 messages")
	}
	const messages = 100_000
	text := strings.Repeat("all work and no play ", 20)
	items := make([]item, 0, 2*messages)
	for i := range messages / 2 {
		id := fmt.Sprintf("c%d", i)
		items = append(items, user("U "+text), says("T"), calls(id, `{"x":"y"}`), gives(id, text))
	}
	s := conversation(t, items...)
	items = nil
	if len(s.Messages) != messages {
		t.Fatalf("%d messages", len(s.Messages))
	}
	for _, test := range []struct{ name, files string }{
		{"messages", lines(`
- each: messages
  kind: role
  ignored: [system, observation]
  all: {id: '= uuid5(session.id, n)', parent: = nullable(prev.id), time: = iso(it.time)}
  rules:
    user: {frame: {content: [{each: texts, give: {text: = it}}]}}
    assistant:
      - frame: {content: [{each: texts, give: {text: = it}}, {each: calls, give: {id: = it.id, input: = it.args}}]}
      - {each: calls, frame: {id: = it.id, content: = it.result.content}}`)},
		{"turns", lines(`
- each: turns
  do:
    - let: {turn: '= uuid5(session.id, index)'}
      do:
        - {each: users, frame: {turn: = turn, text: = it.text}}
        - each: steps
          do:
            - {each: texts, frame: {turn: = turn, text: = it}}
            - {each: calls, frame: {turn: = turn, id: = it.id, content: = it.result.content}}`)},
		{"a document", document(`
id: = session.id
turns:
  - each: turns
    give:
      text: = it.text
      steps: [{each: steps, give: {texts: [{each: texts, give: = it}], calls: [{each: calls, give: {id: = it.id, content: = it.result.content}}]}}]
n: 1`)},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, out := target(t, test.files), new(peak)
			before := inUse()
			if _, err := Render(m, s, Options{}, func(string) (io.WriteCloser, error) { return out, nil }); err != nil {
				t.Fatal(err)
			}
			const most = 8 << 20
			if out.size < 40<<20 || out.most == 0 {
				t.Fatalf("%d bytes were written", out.size)
			}
			if out.most > before+most {
				t.Errorf("%d KiB more memory in use than before, at most %d are allowed", (out.most-before)>>10, most>>10)
			}
		})
	}
}

func BenchmarkRender(b *testing.B) {
	text := strings.Repeat("all work and no play ", 20)
	var items []item
	for range 1000 {
		items = append(items, user("U "+text), says("T"))
	}
	s := conversation(b, items...)
	m := target(b, lines(`- {each: messages, frame: {id: '= uuid5(session.id, n)', parent: = nullable(prev.id), time: = iso(it.time), content: [{each: texts, give: {text: = it}}]}}`))
	out := new(peak)
	b.ReportAllocs()
	for b.Loop() {
		out.size, out.writes = 0, 0
		if _, err := Render(m, s, Options{}, func(string) (io.WriteCloser, error) { return out, nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(out.size))
}
