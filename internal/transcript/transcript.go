// Package transcript shows a session as a person reads it: as text on a terminal,
// as Markdown, as a page for a browser that needs nothing else, or as JSON. All of
// them show the same [Transcript], which is made of a session's records.
//
// What a transcript holds was written by strangers. On a terminal it cannot steer
// it, on a page it cannot become markup or a script.
package transcript

import (
	"strings"
	"time"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/normalize"
)

// Transcript is a session by turns. What is not known is empty.
type Transcript struct {
	Harness   string     `json:"harness"`
	ID        string     `json:"id,omitempty"`
	Title     string     `json:"title,omitempty"` // one line
	Cwd       string     `json:"cwd,omitempty"`
	GitBranch string     `json:"git_branch,omitempty"`
	Model     string     `json:"model,omitempty"`
	Began     *time.Time `json:"began,omitempty"`
	Ended     *time.Time `json:"ended,omitempty"`
	Total     int        `json:"total"` // turns, also those that are not shown
	Turns     []*Turn    `json:"turns"`
}

// Turn is what the user asked, and all that was done about it. The first may be
// without a user.
type Turn struct {
	Number int     `json:"number"` // from 1
	Items  []*Item `json:"items"`
}

// Kind says what an item is.
type Kind string

// The kinds of items.
const (
	User      Kind = "user"
	Assistant Kind = "assistant"
	Reasoning Kind = "reasoning"
	ToolCall  Kind = "call"
	Note      Kind = "note" // of the program
)

// Item is one thing that was said or done.
type Item struct {
	Kind Kind      `json:"kind"`
	Time time.Time `json:"time"`
	Text string    `json:"text,omitempty"`
	Call *Call     `json:"call,omitempty"`
}

// Call is a tool call with what it gave.
type Call struct {
	Name   string  `json:"name"`
	Args   string  `json:"args"`             // a JSON object
	Result *string `json:"result,omitempty"` // nil: there is none
	OK     *bool   `json:"ok,omitempty"`     // nil: unknown
}

// Options say what of a session is shown.
type Options struct {
	Reasoning bool
	NoCalls   bool
	From, To  int // turns, from 1; 0 is no bound
}

// New makes a transcript of a session's records.
func New(harness string, s *engine.Session, o Options) *Transcript {
	t := &Transcript{
		Harness: harness, ID: s.Facts["group"], Title: line(s.Facts["title"]),
		Cwd: s.Facts["cwd"], GitBranch: s.Facts["git_branch"], Model: s.Facts["model"],
		Turns: []*Turn{},
	}
	b := builder{Transcript: t, calls: map[string]*Call{}}
	for i := range s.Records {
		b.add(&s.Records[i])
	}
	if t.Title == "" {
		first, _, _ := strings.Cut(strings.TrimSpace(b.prompt), "\n\n")
		t.Title = line(first)
	}
	t.Total = len(t.Turns)
	t.choose(o)
	return t
}

// builder adds records.
type builder struct {
	*Transcript
	calls  map[string]*Call // by id
	asking bool             // the last record was the user's
	prompt string           // the first one
}

func (b *builder) add(r *engine.Record) {
	if r.Type == normalize.MetaRecord {
		b.Cwd, b.GitBranch, b.Model = r.Cwd, r.GitBranch, r.Model
		return
	}
	if b.Began == nil {
		b.Began = &r.Time
	}
	b.Ended = &r.Time
	item := &Item{Time: r.Time, Text: r.Content}
	switch r.Type {
	case normalize.UserRecord:
		item.Kind = User
		if b.prompt == "" {
			b.prompt = r.Content
		}
	case normalize.AssistantRecord:
		item.Kind = Assistant
	case normalize.ReasoningRecord:
		item.Kind = Reasoning
	case normalize.CallRecord:
		item.Kind, item.Call = ToolCall, &Call{Name: r.Name, Args: r.Args}
		b.calls[r.CallID] = item.Call
	case normalize.ResultRecord:
		if c := b.calls[r.CallID]; c != nil {
			c.Result, c.OK = &r.Content, r.OK
		}
		b.asking = false
		return
	default:
		item.Kind = Note
	}
	if asks := r.Type == normalize.UserRecord; asks && !b.asking || len(b.Turns) == 0 {
		b.Turns = append(b.Turns, &Turn{Number: len(b.Turns) + 1})
	}
	b.asking = r.Type == normalize.UserRecord
	turn := b.Turns[len(b.Turns)-1]
	turn.Items = append(turn.Items, item)
}

// choose keeps what is to be shown.
func (t *Transcript) choose(o Options) {
	turns := []*Turn{}
	for _, turn := range t.Turns {
		if turn.Number < o.From || o.To > 0 && turn.Number > o.To {
			continue
		}
		var items []*Item
		for _, item := range turn.Items {
			if item.Kind == Reasoning && !o.Reasoning || item.Kind == ToolCall && o.NoCalls {
				continue
			}
			items = append(items, item)
		}
		turn.Items = items
		turns = append(turns, turn)
	}
	t.Turns = turns
}

// Calls is the number of calls that are shown.
func (t *Transcript) Calls() int {
	n := 0
	for _, turn := range t.Turns {
		for _, item := range turn.Items {
			if item.Kind == ToolCall {
				n++
			}
		}
	}
	return n
}
