package transcript

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/trajmap/trajmap/engine/value"
	"github.com/trajmap/trajmap/internal/terminal"
)

// line is a text on one line, cut where it is too long for a title.
func line(s string) string {
	const most = 200
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}

// brief are a call's arguments on one line: the members of the object, texts as
// they are.
func (c *Call) brief() string {
	var doc value.Doc
	if doc.Parse([]byte(c.Args)) != nil {
		return line(c.Args)
	}
	var b strings.Builder
	for name, v := range doc.Root().Members() {
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name.String() + ": ")
		if v.IsString() {
			b.WriteString(strings.Join(strings.Fields(v.Str()), " "))
		} else {
			b.Write(v.AppendJSON(nil))
		}
	}
	return b.String()
}

// pretty are a call's arguments with a member a line.
func (c *Call) pretty() string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(c.Args), "", "  ") != nil {
		return c.Args
	}
	return b.String()
}

// outcome is how a call ended, in a word; "" when it is not known.
func (c *Call) outcome() string {
	switch {
	case c.Result == nil:
		return "no result"
	case c.OK == nil:
		return ""
	case *c.OK:
		return "ok"
	}
	return "failed"
}

// details are what is known of the session, each on a line of its own.
func (t *Transcript) details() []string {
	var list []string
	add := func(text string) {
		if text != "" {
			list = append(list, text)
		}
	}
	id := t.Harness
	if t.ID != "" {
		id += ":" + t.ID
	}
	add(id)
	where := t.Cwd
	if t.GitBranch != "" {
		where = strings.TrimSpace(where + " (" + t.GitBranch + ")")
	}
	add(where)
	add(t.Model)
	add(t.span())
	counts := count(t.Total, "turn")
	if len(t.Turns) != t.Total {
		counts = count(len(t.Turns), "turn") + " of " + strconv.Itoa(t.Total)
	}
	if n := t.Calls(); n > 0 {
		counts += ", " + count(n, "call")
	}
	add(counts)
	return list
}

// span is when the session took place.
func (t *Transcript) span() string {
	if t.Began == nil {
		return ""
	}
	began, ended := t.Began.Local(), t.Ended.Local()
	switch {
	case began.Format(minutes) == ended.Format(minutes):
		return began.Format(minutes)
	case began.Format(time.DateOnly) == ended.Format(time.DateOnly):
		return began.Format(minutes) + " – " + ended.Format("15:04")
	}
	return began.Format(minutes) + " – " + ended.Format(minutes)
}

const minutes = "2006-01-02 15:04"

// clock is the time of an item.
func clock(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }

func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}

// heading is a title that is never empty, nor longer than a heading should be.
func (t *Transcript) heading() string {
	const most = 100
	if t.Title != "" {
		return terminal.Cut(t.Title, most)
	}
	return "Session of " + t.Harness
}
