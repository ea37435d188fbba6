package normalize

import (
	"maps"
	"testing"
)

func TestUnanswered(t *testing.T) {
	call := func(id string) Event { return Event{Kind: ToolCall, CallID: []byte(id)} }
	answer := func(id string) Event { return Event{Kind: ToolResult, CallID: []byte(id)} }
	user, prose := say(nil)[0], say(nil)[1]
	tests := []struct {
		name   string
		events []Event
		want   map[int]bool
	}{
		{"none", []Event{user, call("a"), answer("a")}, nil},
		{"an early one", []Event{user, call("a"), call("b"), answer("b"), prose}, map[int]bool{1: false}},
		{"the last step", []Event{user, call("a"), call("b"), answer("a")}, map[int]bool{2: true}},
		{"both", []Event{user, call("a"), user, prose, call("b")}, map[int]bool{1: false, 4: true}},
		{"the user spoke meanwhile", []Event{user, call("a"), call("b"), answer("b"), user, user}, map[int]bool{1: true}},
		{"the model came to that", []Event{user, call("a"), user, prose}, map[int]bool{1: false}},
		{"none by design", []Event{user, {Kind: ToolCall, CallID: []byte("a"), Resultless: true}, call("b"), prose, call("c")}, map[int]bool{2: true, 4: true}},
		{"repeated ids", []Event{user, call("a"), call("a"), answer("a"), user, call("")}, map[int]bool{2: false, 5: true}},
		{"dropped at the end", []Event{user, call("a"), {Kind: User, Text: []byte(" ")}}, map[int]bool{1: true}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := NewPlanner(Options{NoRoles: true})
			for i := range test.events {
				p.Add(&test.events[i])
			}
			pl, err := p.Finish(testContext)
			if err != nil {
				t.Fatal(err)
			}
			if got := pl.Unanswered(); !maps.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}
