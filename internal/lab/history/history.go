// Package history holds what a model was sent against what a session says.
//
// A history is the conversation alone: what the user and the model said, the
// calls, and what they gave, in order. It is made of a request in any of five
// dialects, or of a session; [Compare] tells whether the one is the other. What
// a program adds of its own (prompts, reminders, the state of its surroundings)
// is no part of it.
package history

import "strings"

// Kind is what an entry is.
type Kind uint8

// The kinds of entries.
const (
	User Kind = 1 << iota
	Assistant
	Call
	Result

	All = User | Assistant | Call | Result
)

func (k Kind) String() string {
	switch k {
	case User:
		return "user"
	case Assistant:
		return "assistant"
	case Call:
		return "call"
	case Result:
		return "result"
	}
	return "entries"
}

// Entry is one thing that was said, called or given.
type Entry struct {
	Kind Kind
	Text string // what was said or given
	ID   string // of a call, and of its result
	Name string // of a call
	Args string // of a call: a JSON object
	OK   *bool  // of a result; nil when it is not known, or not told
}

// Only gives the entries of some kinds.
func Only(entries []Entry, kinds Kind) []Entry {
	var out []Entry
	for _, e := range entries {
		if e.Kind&kinds != 0 {
			out = append(out, e)
		}
	}
	return out
}

// Gathered gives the entries as [Runs], and calls without names: what a program
// shows does not always tell by what name a tool was called.
func Gathered(entries []Entry) []Entry {
	out := Runs(entries)
	for i := range out {
		out[i].Name = ""
	}
	return out
}

// Runs gives the entries with the results of neighbouring calls behind the calls:
// what a program shows does not tell which calls were made at once. Texts of
// nothing do not part them.
func Runs(entries []Entry) []Entry {
	var out, results []Entry
	for _, e := range entries {
		switch {
		case e.Kind == Call:
			out = append(out, e)
		case e.Kind == Result:
			results = append(results, e)
		case e.Text != "":
			out = append(append(out, results...), e)
			results = nil
		}
	}
	return append(out, results...)
}

// join makes one entry of neighbours in which the same side speaks: where the
// one text ends and the next begins is each program's own choice. Texts of
// nothing are none.
func join(entries []Entry, trim bool) []Entry {
	var out []Entry
	for _, e := range entries {
		if e.Kind&(User|Assistant) == 0 {
			out = append(out, e)
			continue
		}
		if trim {
			e.Text = strings.TrimSpace(e.Text)
		}
		if e.Text == "" {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Kind == e.Kind {
			out[n-1].Text += "\n\n" + e.Text
			continue
		}
		out = append(out, e)
	}
	return out
}
