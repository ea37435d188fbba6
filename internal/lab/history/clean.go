package history

import "strings"

// injected are the tags of what programs put before, between and behind what
// was said.
var injected = []string{"system-reminder", "environment_context", "current_datetime", "user_info"}

// wrappers are the tags that programs put around what was said.
var wrappers = []string{"user_query", "user_input"}

// cleaner takes away what a program added to a conversation. What the session
// says itself is no addition, whatever it looks like.
type cleaner struct{ said, given map[string]bool }

func newCleaner(want []Entry, trim bool) cleaner {
	c := cleaner{map[string]bool{}, map[string]bool{}}
	for _, e := range want {
		switch e.Kind {
		case User:
			c.said[e.Text] = true
			if trim {
				c.said[strings.TrimSpace(e.Text)] = true
			}
		case Result:
			c.given[e.Text] = true
		}
	}
	return c
}

// clean gives the entries without additions.
func (c cleaner) clean(entries []Entry) []Entry {
	var out []Entry
	for _, e := range entries {
		switch e.Kind {
		case User:
			// What is left blank was all the program's; what came blank is the user's.
			clean := c.user(e.Text)
			if clean == "" && e.Text != "" {
				continue
			}
			e.Text = clean
		case Result:
			e.Text = c.result(e.Text)
		}
		out = append(out, e)
	}
	return out
}

// user is a user's text without blocks in front of it, and a wrapper around it.
func (c cleaner) user(text string) string {
	for again := true; again; {
		again = false
		for _, tag := range injected {
			if c.said[text] {
				return text
			}
			if after, ok := leading(text, tag); ok {
				text, again = after, true
			}
		}
	}
	for _, tag := range wrappers {
		if inner, ok := unwrap(text, tag); ok {
			return inner
		}
	}
	return text
}

// result is a result without the reminder behind it.
func (c cleaner) result(text string) string {
	at := strings.Index(text, "\n\n<system-reminder>")
	if at < 0 || c.given[text] || !strings.HasSuffix(strings.TrimRight(text, "\n"), "</system-reminder>") {
		return text
	}
	return text[:at]
}

// leading cuts a block off the front of a text, with the blank that follows.
func leading(text, tag string) (string, bool) {
	rest, ok := opened(text, tag)
	if !ok {
		return text, false
	}
	_, rest, ok = strings.Cut(rest, "</"+tag+">")
	if !ok {
		return text, false
	}
	return strings.TrimLeft(rest, " \r\n"), true
}

// opened is what follows the opening tag that a text begins with.
func opened(text, tag string) (string, bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \r\n"), "<"+tag)
	if !ok || rest == "" || rest[0] != '>' && rest[0] != ' ' {
		return text, false
	}
	_, rest, ok = strings.Cut(rest, ">")
	return rest, ok
}

// unwrap takes a text out of the tags around it, each of which may have a line
// to itself.
func unwrap(text, tag string) (string, bool) {
	rest, ok := opened(text, tag)
	if !ok {
		return text, false
	}
	rest, ok = strings.CutSuffix(strings.TrimRight(rest, " \r\n"), "</"+tag+">")
	if !ok {
		return text, false
	}
	return strings.TrimSuffix(strings.TrimPrefix(rest, "\n"), "\n"), true
}
