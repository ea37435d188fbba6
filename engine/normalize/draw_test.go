package normalize

import (
	"fmt"
	"slices"
	"strconv"

	"pgregory.net/rapid"

	"github.com/trajmap/trajmap/engine/value"
)

// hard are the code points that measuring and cutting can go wrong on. Of
// surrogates only the first half of pairs is there: two halves would be a pair.
var hard = []rune{'a', 'b', ' ', '"', '\\', 'u', '/', '\n', '\t', '\b', 0, 0x1b, 'é', '漢', '…', 0x2028, '😀', 0x10ffff, 0xd83d, 0xdbff, 0xfffd}

// drawString draws a string of n code points: a short pattern again and again, between
// other ends.
func drawString(t *rapid.T, n int) []rune {
	var pattern []rune
	switch rapid.IntRange(0, 2).Draw(t, "sort") {
	case 0:
		pattern = []rune("plain words ")
	case 1:
		pattern = []rune{rapid.SampledFrom(hard).Draw(t, "one")}
	default:
		pattern = rapid.SliceOfN(rapid.SampledFrom(hard), 1, 9).Draw(t, "pattern")
	}
	ends := rapid.SliceOfN(rapid.SampledFrom(hard), 4, 4).Draw(t, "ends")
	s := make([]rune, n)
	for i := range s {
		s[i] = pattern[i%len(pattern)]
		if i < 2 {
			s[i] = ends[i]
		} else if i >= n-2 {
			s[i] = ends[n-i+1]
		}
	}
	return s
}

// drawLength draws lengths around what the contract's rules turn on.
func drawLength(t *rapid.T) int {
	return rapid.OneOf(
		rapid.IntRange(0, 60),
		rapid.IntRange(26, 36),
		rapid.IntRange(1_900, 2_100),
		rapid.IntRange(1_990, 2_040),
		rapid.IntRange(0, 9_000),
		rapid.IntRange(0, 60_000),
	).Draw(t, "length")
}

// drawArguments draws an object in which strings are often equally long.
func drawArguments(t *rapid.T) *tree {
	lengths := make([]int, rapid.IntRange(1, 3).Draw(t, "lengths"))
	for i := range lengths {
		lengths[i] = drawLength(t)
	}
	return drawObject(t, lengths, 3)
}

func drawObject(t *rapid.T, lengths []int, depth int) *tree {
	o := &tree{raw: "{"}
	for i := range rapid.IntRange(0, 4).Draw(t, "members") {
		name := append(drawString(t, rapid.IntRange(0, 5).Draw(t, "name")), []rune("k"+strconv.Itoa(i))...)
		o.names = append(o.names, name)
		o.items = append(o.items, drawTree(t, lengths, depth-1))
	}
	return o
}

func drawTree(t *rapid.T, lengths []int, depth int) *tree {
	switch k := rapid.IntRange(0, 9).Draw(t, "kind"); {
	case k < 6:
		return &tree{str: drawString(t, rapid.SampledFrom(lengths).Draw(t, "length"))}
	case k == 6 && depth > 0:
		return drawObject(t, lengths, depth)
	case k == 7 && depth > 0:
		list := &tree{raw: "["}
		for range rapid.IntRange(0, 4).Draw(t, "items") {
			list.items = append(list.items, drawTree(t, lengths, depth-1))
		}
		return list
	}
	return &tree{raw: rapid.SampledFrom([]string{"1", "-2.5", "true", "null", "[]", "{}", `""`}).Draw(t, "scalar")}
}

var drawBound = rapid.OneOf(
	rapid.IntRange(2, 80),
	rapid.IntRange(2, 5_000),
	rapid.IntRange(1_900, 2_200),
	rapid.IntRange(2, 40_000),
	rapid.Just(Unbounded),
)

// drawEvents draws a session in which ids collide, results come early, late,
// twice and for nothing, and times are missing.
func drawEvents(t *rapid.T) []Event {
	id := rapid.SampledFrom([]string{"", "a", "b", "a__2", "a__3", "b__2", "a__2__2", "call_2", "call_5", `q\"`})
	words := rapid.SampledFrom([]string{"", " ", `\n\t\u000b`, "\u00a0\ufeff", "hi", ` <command-name>x`, `\n<task-notification id=1>`, "<command", "ok 😀"})
	events := make([]Event, rapid.IntRange(0, 24).Draw(t, "events"))
	for i := range events {
		e := &events[i]
		*e = Event{
			Kind:      Kind(rapid.IntRange(int(User), int(ToolResult)).Draw(t, "kind")),
			Text:      []byte(words.Draw(t, "text")),
			HasTime:   rapid.IntRange(0, 2).Draw(t, "timed") == 0,
			Line:      i,
			Component: rapid.IntRange(0, 1).Draw(t, "component") * i,
			Model:     []byte(rapid.SampledFrom([]string{"", "m", "n"}).Draw(t, "model")),
		}
		if e.HasTime {
			e.Time = rapid.Int64Range(-1e12, 4e12).Draw(t, "time")
		}
		if e.Kind == ToolCall || e.Kind == ToolResult {
			e.CallID = []byte(id.Draw(t, "id"))
		}
		switch e.Kind {
		case ToolCall:
			e.Name = []byte(words.Draw(t, "name"))
			if rapid.Bool().Draw(t, "object") {
				e.Args, e.IsJSON = []byte(`{"x":"\n"}`), true
			} else {
				e.Args = []byte(rapid.SampledFrom([]string{"", "{}", ` {"a": 1} `, "[1]", "no\n json"}).Draw(t, "args"))
			}
		case ToolResult:
			e.Text = textOf(drawString(t, rapid.IntRange(0, 40).Draw(t, "size")))
			e.OK = Tri(rapid.IntRange(int(Unknown), int(False)).Draw(t, "ok"))
		}
		switch rapid.IntRange(0, 3).Draw(t, "identity") {
		case 0:
			e.Record = fmt.Appendf(nil, "r%d", i)
		case 1:
			e.OffsetUnit, e.Offset = Byte, int64(i*100)
		case 2:
			e.OffsetUnit, e.Offset = Ordinal, int64(i)
		}
		e.HasSeq = rapid.Bool().Draw(t, "sequenced")
		e.Seq = int64(i)
	}
	return events
}

// say gives a session what every session needs.
func say(events []Event) []Event {
	return slices.Concat([]Event{
		{Kind: User, Text: []byte("hi")},
		{Kind: Assistant, Text: []byte("yes")},
	}, events)
}

// collect is a sink that keeps lines.
type collect struct {
	canonical *Canonical
	lines     []string
}

func (c *collect) Record(r *Record) error {
	if c.canonical != nil {
		c.lines = append(c.lines, string(c.canonical.Append(nil, r)))
	} else {
		c.lines = append(c.lines, string(r.AppendV1(nil)))
	}
	return nil
}

func parses(b []byte) bool { return new(value.Doc).Parse(b) == nil }
