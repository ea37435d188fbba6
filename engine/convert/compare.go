package convert

import (
	"bytes"
	"fmt"

	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/session"
	"github.com/trajmap/trajmap/engine/value"
)

// said is one thing in a conversation, as every wire carries it: the texts of
// one speaker, a call or a result.
type said struct {
	who   string // user, assistant, call, result
	texts []session.Text
	call  *session.Call
}

// flatten lists what a session says. Texts of one speaker that follow each other
// are one: targets differ in where they cut them.
func flatten(s *session.Session) []said {
	var out []said
	text := func(who string, texts []session.Text) {
		if n := len(out); n > 0 && out[n-1].who == who {
			out[n-1].texts = append(out[n-1].texts[:len(out[n-1].texts):len(out[n-1].texts)], texts...)
			return
		}
		out = append(out, said{who: who, texts: texts})
	}
	for _, m := range s.Messages {
		switch m.Role {
		case session.User:
			text("user", m.Texts)
		case session.Assistant:
			if len(m.Texts) > 0 {
				text("assistant", m.Texts)
			}
			for _, c := range m.Calls {
				out = append(out, said{who: "call", call: c})
			}
			for _, c := range m.Calls {
				if c.Result != nil {
					out = append(out, said{who: "result", call: c})
				}
			}
		}
	}
	return out
}

// A Difference is a place where two sessions do not say the same. It tells no
// content.
type Difference struct {
	Item   int // among what the first session says, from 1
	Reason string
	More   bool // all is the same, and then the second session goes on
}

func (d Difference) String() string { return fmt.Sprintf("item %d: %s", d.Item, d.Reason) }

// Comparison is what became of a session that was written and read back.
type Comparison struct {
	Differences   []Difference
	StatusAssumed int // results whose outcome was unknown and is not any more
	StatusLost    int // results whose outcome was known and is not any more
}

// Compare holds a session against what it was made of: texts of one role joined,
// calls by their wire ids, arguments as JSON values, whole results. It stops at
// the first item that is missing or too many.
func Compare(from, to *session.Session) *Comparison { return (&comparer{}).compare(from, to) }

// Kept holds a session that was written against what a program shows of it: as
// [Compare], but numbers in arguments are 64-bit floating point, as most programs
// keep them.
func Kept(from, to *session.Session) *Comparison { return (&comparer{doubles: true}).compare(from, to) }

// Written is how what a mapping has written compares with the session: as
// [Compare], unless the bytes themselves hold numbers as 64-bit floating point.
func Written(m *mapping.Mapping) func(from, to *session.Session) *Comparison {
	if w := m.Write; w.Doubles && w.Files[0].Encode != "" {
		return Kept
	}
	return Compare
}

func (c *comparer) compare(from, to *session.Session) *Comparison {
	x, y := flatten(from), flatten(to)
	if c.parted {
		x, y = runs(x), runs(y)
	}
	for i := range max(len(x), len(y)) {
		c.item = i + 1
		switch {
		case i >= len(x):
			c.differ("a %s that was not there", y[i].who)
			c.Differences[len(c.Differences)-1].More = true
			return &c.Comparison
		case i >= len(y):
			c.differ("the %s is lost", x[i].who)
			return &c.Comparison
		case x[i].who != y[i].who:
			c.differ("a %s in place of a %s", y[i].who, x[i].who)
			return &c.Comparison
		}
		c.same(x[i], y[i])
	}
	return &c.Comparison
}

// Parted is [Kept] for a target that does not tell which calls were made at once:
// of calls that follow each other the results come last.
func Parted(from, to *session.Session) *Comparison {
	return (&comparer{doubles: true, parted: true}).compare(from, to)
}

// runs puts the results of calls that follow each other behind them.
func runs(list []said) []said {
	var out, results []said
	for _, s := range list {
		switch s.who {
		case "result":
			results = append(results, s)
			continue
		case "call":
		default:
			out = append(out, results...)
			results = nil
		}
		out = append(out, s)
	}
	return append(out, results...)
}

// Begins reports whether a session says all that another says, and perhaps more
// after it, as far as a program keeps it.
func Begins(s, with *session.Session) bool {
	d := Kept(with, s).Differences
	return len(d) == 0 || len(d) == 1 && d[0].More
}

type comparer struct {
	Comparison
	doubles bool
	parted  bool // results of calls that follow each other come last
	item    int
	a, b    []byte
}

func (c *comparer) differ(format string, args ...any) {
	c.Differences = append(c.Differences, Difference{Item: c.item, Reason: fmt.Sprintf(format, args...)})
}

func (c *comparer) same(x, y said) {
	switch x.who {
	case "call":
		switch {
		case x.call.ID != y.call.ID:
			c.differ("another call id")
		case x.call.Name != y.call.Name:
			c.differ("another tool name")
		case !c.sameArgs(x.call.Args, y.call.Args):
			c.differ("the arguments differ")
		}
	case "result":
		a, b := x.call.Result, y.call.Result
		if x.call.ID != y.call.ID {
			c.differ("a result of another call")
			return
		}
		if !c.equal(a.Content, b.Content) {
			c.differ("the content of the result differs (%d and %d bytes)", a.Bytes, b.Bytes)
		}
		switch {
		case a.OK == nil && b.OK != nil:
			c.StatusAssumed++
		case a.OK != nil && b.OK == nil:
			c.StatusLost++
		case a.OK != nil && *a.OK != *b.OK:
			c.differ("the result has another status")
		}
	default:
		if !c.sameTexts(x.texts, y.texts) {
			c.differ("the text of the %s differs", x.who)
		}
	}
}

func (c *comparer) sameArgs(x, y session.Text) bool {
	if c.equal(x, y) || sorted(x) == sorted(y) {
		return true
	}
	return c.doubles && doubled(x) == doubled(y)
}

func (c *comparer) equal(x, y session.Text) bool {
	if x == y {
		return true // one text, which both hold
	}
	if x.Size() != y.Size() {
		return false
	}
	c.a, c.b = x.Append(c.a[:0]), y.Append(c.b[:0])
	return bytes.Equal(c.a, c.b)
}

// seams are what may stand between texts that were joined, by us or by the
// target's reader.
var seams = [...]string{session.Blank, `\n`, ""}

// sameTexts compares what one speaker said in a row, wherever it is cut.
func (c *comparer) sameTexts(x, y []session.Text) bool {
	if len(x) == 1 && len(y) == 1 {
		return c.equal(x[0], y[0])
	}
	for _, one := range seams {
		c.a = session.Join(c.a[:0], x, one)
		for _, other := range seams {
			if c.b = session.Join(c.b[:0], y, other); bytes.Equal(c.a, c.b) {
				return true
			}
			if len(y) == 1 {
				break
			}
		}
		if len(x) == 1 {
			break
		}
	}
	return false
}

// sorted is a JSON text in one form for all that mean the same.
func sorted(t session.Text) string {
	text := []byte(t.String())
	var doc value.Doc
	if doc.Parse(text) != nil {
		return string(text)
	}
	return string(doc.Root().AppendSorted(nil))
}
