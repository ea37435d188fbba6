package mockllm

import (
	"regexp"

	"github.com/trajmap/trajmap/internal/lab/history"
)

// Script is what the model says. A prompt that holds "[[NAME]]" is answered by
// the steps of that name, one a request: the step is found by counting the
// replies that follow the prompt in the request itself, so that the server keeps
// no state and the same request gets the same reply.
type Script struct {
	Turns   map[string][]Step
	Default Step // what is said to every other prompt
}

// Step is one reply.
type Step struct {
	Reasoning string
	Text      string
	Calls     []Call
	Fail      int // an HTTP status in place of a reply
}

// Call is a tool call in a reply.
type Call struct {
	ID, Name string
	Args     string // a JSON object
}

var marker = regexp.MustCompile(`\[\[([\w.-]+)\]\]`)

// step finds the reply to a conversation.
func (s Script) step(entries []history.Entry) Step {
	for i := len(entries) - 1; i >= 0; i-- {
		if entries[i].Kind != history.User {
			continue
		}
		for _, m := range marker.FindAllStringSubmatch(entries[i].Text, -1) {
			if steps := s.Turns[m[1]]; len(steps) > 0 {
				return steps[min(replies(entries[i+1:]), len(steps)-1)]
			}
		}
	}
	return s.Default
}

// replies counts the model's replies: what it says and calls in one go is one.
func replies(entries []history.Entry) int {
	n, replying := 0, false
	for _, e := range entries {
		model := e.Kind&(history.Assistant|history.Call) != 0
		if model && !replying {
			n++
		}
		replying = model
	}
	return n
}
