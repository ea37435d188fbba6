package normalize

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// discard makes rows and forgets them.
type discard struct {
	canonical *Canonical
	buf       []byte
	size      int
}

func (d *discard) Record(r *Record) error {
	if d.canonical != nil {
		d.buf = d.canonical.Append(d.buf[:0], r)
	} else {
		d.buf = r.AppendV1(d.buf[:0])
	}
	d.size += len(d.buf)
	return nil
}

// bothPasses runs a session through a planner that others have used before.
func bothPasses(tb testing.TB, p *Planner, o Options, events []Event, d *discard, canonical bool) {
	p.Reset(o)
	for i := range events {
		p.Add(&events[i])
	}
	pl, err := p.Finish(Context{Source: "test"})
	if err != nil {
		tb.Fatal(err)
	}
	d.canonical = nil
	if canonical {
		if d.canonical, err = pl.Canonical(); err != nil {
			tb.Fatal(err)
		}
	}
	e := pl.Emit(d)
	for i := range events {
		if err := e.Add(&events[i]); err != nil {
			tb.Fatal(err)
		}
	}
	if _, err := e.Close(); err != nil {
		tb.Fatal(err)
	}
}

func benchmark(b *testing.B, o Options, events []Event, canonical bool) {
	size := 0
	for i := range events {
		size += len(events[i].Text) + len(events[i].Args)
	}
	p, d := NewPlanner(o), new(discard)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		bothPasses(b, p, o, events, d, canonical)
	}
}

// dialogue is a session of n turns of the sizes that sessions have.
func dialogue(n int) []Event {
	line := []byte(`drwxr-xr-x 3 ada ada 4096 \u001b[1;34mengine\u001b[0m\n`)
	var events []Event
	for i := range n {
		id := fmt.Appendf(nil, "toolu_%06d", i)
		at := int64(1_767_225_600_000 + i*4000)
		record := fmt.Appendf(nil, "8d5f7a3c-0000-4000-8000-%012d", i)
		events = append(events,
			Event{Kind: User, Text: []byte("Please look at the retry test, it fails now and then."), HasTime: true, Time: at, Record: record},
			Event{Kind: Reasoning, Text: bytes.Repeat([]byte("The test waits for a timer. "), 20), HasTime: true, Time: at + 1000, Record: record},
			Event{Kind: ToolCall, CallID: id, Name: []byte("Bash"), Args: []byte(`{"command":"ls -l engine","description":"List the files"}`), IsJSON: true, HasTime: true, Time: at + 2000, Record: record, Component: 1},
			Event{Kind: ToolResult, CallID: id, Text: bytes.Repeat(line, 1+i%200), OK: True, HasTime: true, Time: at + 3000, Record: record},
			Event{Kind: Assistant, Text: []byte(`It is the timer.\n\nI made it fake.`), HasTime: true, Time: at + 3500, Record: record},
		)
	}
	return events
}

func BenchmarkDialogueV1(b *testing.B)        { benchmark(b, Options{}, dialogue(400), false) }
func BenchmarkDialogueCanonical(b *testing.B) { benchmark(b, Options{}, dialogue(400), true) }
func BenchmarkUnboundedV1(b *testing.B) {
	benchmark(b, Options{MaxArgs: Unbounded, MaxResult: Unbounded}, dialogue(400), false)
}
func BenchmarkUnboundedCanonical(b *testing.B) {
	benchmark(b, Options{MaxArgs: Unbounded, MaxResult: Unbounded}, dialogue(400), true)
}

// manyLeaves is a call with n strings of 2,100 code points.
func manyLeaves(n int) []Event {
	leaf := `"` + strings.Repeat(`0123456789\nabcdé`, 130) + `"`
	args := `{"edits":[` + strings.TrimSuffix(strings.Repeat(leaf+",", n), ",") + `]}`
	return []Event{
		{Kind: User, Text: []byte("edit them all")},
		{Kind: ToolCall, CallID: []byte("c"), Name: []byte("edit"), Args: []byte(args), IsJSON: true},
	}
}

func BenchmarkManyLeaves(b *testing.B) {
	for _, n := range []int{500, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchmark(b, Options{}, manyLeaves(n), false) })
	}
}

// oneID is n calls with one id, and n results for it.
func oneID(n int) []Event {
	events := []Event{{Kind: User, Text: []byte("go on")}}
	for range n {
		events = append(events, Event{Kind: ToolCall, CallID: []byte("call_0"), Name: []byte("x")})
	}
	for range n {
		events = append(events, Event{Kind: ToolResult, CallID: []byte("call_0"), Text: []byte("done")})
	}
	return events
}

func BenchmarkOneID(b *testing.B) {
	for _, n := range []int{8_000, 80_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchmark(b, Options{}, oneID(n), false) })
	}
}

// longResult is a result of n bytes, of the text that is given again and again.
func longResult(text string, n int) []Event {
	return []Event{
		{Kind: User, Text: []byte("print it")},
		{Kind: ToolCall, CallID: []byte("c"), Name: []byte("cat")},
		{Kind: ToolResult, CallID: []byte("c"), Text: bytes.Repeat([]byte(text), n/len(text))},
	}
}

func BenchmarkLongResult(b *testing.B) {
	for name, text := range map[string]string{
		"ascii":       "all the same words again, ",
		"lines":       `a line of forty characters, or about\n`,
		"backslashes": `\\`,
		"astral":      "𝒳",
	} {
		b.Run(name, func(b *testing.B) { benchmark(b, Options{}, longResult(text, 50_000_000), false) })
	}
}

func BenchmarkLongResultUnbounded(b *testing.B) {
	benchmark(b, Options{MaxResult: Unbounded}, longResult("all the same words again, ", 50_000_000), false)
}

// BenchmarkCopy is the floor: the bytes of an unbounded session, moved once.
func BenchmarkCopy(b *testing.B) {
	events := longResult("all the same words again, ", 50_000_000)
	text := events[2].Text
	buf := make([]byte, len(text))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		copy(buf, text)
	}
}
