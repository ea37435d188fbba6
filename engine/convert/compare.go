package convert

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/trajmap/trajmap/engine/session"
	"github.com/trajmap/trajmap/engine/value"
)

// said is one thing in a conversation, as every wire carries it.
type said struct {
	who  string // user, assistant, call, result
	id   string
	name string
	text string
}

// flatten lists what a session says. Texts of one speaker that follow each other
// are one: targets differ in where they cut them.
func flatten(s *session.Session) []said {
	var out []said
	text := func(who, text string) {
		if n := len(out); n > 0 && out[n-1].who == who {
			out[n-1].text += "\n\n" + text
			return
		}
		out = append(out, said{who: who, text: text})
	}
	for _, m := range s.Messages {
		switch m.Role {
		case session.User:
			text("user", m.Text())
		case session.Assistant:
			if len(m.Texts) > 0 {
				text("assistant", m.Text())
			}
			for _, c := range m.Calls {
				out = append(out, said{"call", c.ID, c.Name, sorted(c.Args)})
			}
			for _, c := range m.Calls {
				if c.Result != nil {
					out = append(out, said{"result", c.ID, "", c.Result.Content})
				}
			}
		}
	}
	return out
}

// sorted is a JSON text in one form for all that mean the same.
func sorted(json string) string {
	var doc value.Doc
	if doc.Parse([]byte(json)) != nil {
		return json
	}
	return string(doc.Root().AppendSorted(nil))
}

// Compare lists where two sessions say different things: texts of one role
// joined, calls by their wire ids, arguments as JSON values, whole results. It
// tells no content.
func Compare(a, b *session.Session) []string {
	x, y := flatten(a), flatten(b)
	var out []string
	for i := range max(len(x), len(y)) {
		switch {
		case i >= len(x):
			return append(out, fmt.Sprintf("item %d: a %s that was not there", i+1, y[i].who))
		case i >= len(y):
			return append(out, fmt.Sprintf("item %d: the %s is lost", i+1, x[i].who))
		case x[i].who != y[i].who:
			return append(out, fmt.Sprintf("item %d: a %s in place of a %s", i+1, y[i].who, x[i].who))
		case x[i].id != y[i].id || x[i].name != y[i].name:
			out = append(out, fmt.Sprintf("item %d: another %s", i+1, x[i].who))
		case !sameText(x[i].text, y[i].text):
			out = append(out, fmt.Sprintf("item %d: the text of the %s differs (%d and %d bytes)", i+1, x[i].who, len(x[i].text), len(y[i].text)))
		}
	}
	return out
}

// sameText compares texts but for the white space around them.
func sameText(a, b string) bool {
	return a == b || strings.TrimSpace(a) == strings.TrimSpace(b) || bytes.Equal([]byte(squeeze(a)), []byte(squeeze(b)))
}

// squeeze folds the blank lines between joined texts.
func squeeze(s string) string {
	return strings.TrimSpace(strings.ReplaceAll(s, "\n\n", "\n"))
}
