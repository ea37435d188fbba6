package history

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

type object = map[string]any

// encoders write a conversation as a program would send it in a dialect: texts
// before calls, calls of one reply together, their results behind them.
var encoders = map[Dialect]func([]Entry) any{
	Anthropic: func(list []Entry) any {
		return object{"messages": messages(list, func(role string, e Entry) object {
			switch e.Kind {
			case Call:
				return object{"type": "tool_use", "id": e.ID, "name": e.Name, "input": json.RawMessage(e.Args)}
			case Result:
				return object{"type": "tool_result", "tool_use_id": e.ID, "content": e.Text}
			}
			return object{"type": "text", "text": e.Text}
		})}
	},
	Chat: func(list []Entry) any {
		var out []object
		for _, e := range list {
			switch e.Kind {
			case User:
				out = append(out, object{"role": "user", "content": e.Text})
			case Assistant:
				out = append(out, object{"role": "assistant", "content": e.Text})
			case Call:
				call := object{"id": e.ID, "type": "function", "function": object{"name": e.Name, "arguments": e.Args}}
				out = append(out, object{"role": "assistant", "content": nil, "tool_calls": []object{call}})
			case Result:
				out = append(out, object{"role": "tool", "tool_call_id": e.ID, "content": e.Text})
			}
		}
		return object{"messages": out}
	},
	Responses: func(list []Entry) any {
		var out []object
		for _, e := range list {
			switch e.Kind {
			case User:
				out = append(out, object{"role": "user", "content": []object{{"type": "input_text", "text": e.Text}}})
			case Assistant:
				out = append(out, object{"type": "message", "role": "assistant", "content": []object{{"type": "output_text", "text": e.Text}}})
			case Call:
				out = append(out, object{"type": "function_call", "call_id": e.ID, "name": e.Name, "arguments": e.Args})
			case Result:
				out = append(out, object{"type": "function_call_output", "call_id": e.ID, "output": e.Text})
			}
		}
		return object{"input": out}
	},
	Gemini: func(list []Entry) any {
		var out []object
		for _, e := range list {
			role, part := "user", object{"text": e.Text}
			switch e.Kind {
			case Assistant:
				role = "model"
			case Call:
				role, part = "model", object{"functionCall": object{"id": e.ID, "name": e.Name, "args": json.RawMessage(e.Args)}}
			case Result:
				part = object{"functionResponse": object{"id": e.ID, "response": object{"output": e.Text}}}
			}
			out = append(out, object{"role": role, "parts": []object{part}})
		}
		return object{"contents": out}
	},
	Gateway: func(list []Entry) any {
		return object{"prompt": messages(list, func(role string, e Entry) object {
			switch e.Kind {
			case Call:
				return object{"type": "tool-call", "toolCallId": e.ID, "toolName": e.Name, "input": json.RawMessage(e.Args)}
			case Result:
				return object{"type": "tool-result", "toolCallId": e.ID, "output": object{"type": "text", "value": e.Text}}
			}
			return object{"type": "text", "text": e.Text}
		})}
	},
}

// messages makes a message of what the same side says in a row.
func messages(list []Entry, block func(role string, e Entry) object) []object {
	var out []object
	for _, e := range list {
		role := "user"
		if e.Kind&(Assistant|Call) != 0 {
			role = "assistant"
		}
		b := block(role, e)
		if n := len(out); n > 0 && out[n-1]["role"] == role {
			out[n-1]["content"] = append(out[n-1]["content"].([]object), b)
			continue
		}
		out = append(out, object{"role": role, "content": []object{b}})
	}
	return out
}

func sent(t interface{ Fatal(...any) }, d Dialect, list []Entry) []Entry {
	body, err := json.Marshal(encoders[d](list))
	if err != nil {
		t.Fatal(err)
	}
	got, err := FromRequest(d, body)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// draw makes a conversation of a few turns, in which calls come in batches.
func draw(t *rapid.T) []Entry {
	text := rapid.StringMatching(`[a-z<>"\\ é🚀]{0,8}[a-z]`)
	var out []Entry
	calls := 0
	for range rapid.IntRange(1, 3).Draw(t, "turns") {
		out = append(out, Entry{Kind: User, Text: text.Draw(t, "prompt")})
		for range rapid.IntRange(0, 2).Draw(t, "steps") {
			out = append(out, Entry{Kind: Assistant, Text: text.Draw(t, "text")})
			var results []Entry
			for range rapid.IntRange(1, 3).Draw(t, "calls") {
				calls++
				id := fmt.Sprintf("call_%d", calls)
				out = append(out, Entry{Kind: Call, ID: id, Name: text.Draw(t, "name"), Args: fmt.Sprintf(`{"n":%d}`, rapid.IntRange(0, 9).Draw(t, "n"))})
				results = append(results, Entry{Kind: Result, ID: id, Text: text.Draw(t, "result")})
			}
			out = append(out, results...)
		}
		out = append(out, Entry{Kind: Assistant, Text: text.Draw(t, "answer")})
	}
	return out
}

// TestDialects holds, for every dialect, that a conversation is found in a
// request, and that nothing else passes for it: a result that is lost, things in
// another order, a changed argument, name, id or text, a call without its result.
func TestDialects(t *testing.T) {
	for d := range requests {
		if encoders[d] == nil {
			t.Fatalf("dialect %d has no encoder", d)
		}
		t.Run(fmt.Sprint(d), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				want := draw(t)
				if err := Compare(want, sent(t, d, want), Rules{}); err != nil {
					t.Fatal(err)
				}
				for what, other := range spoiled(t, want) {
					for _, rules := range []Rules{{}, {Trim: true, Doubles: true, Blank: "(none)"}} {
						if Compare(want, sent(t, d, other), rules) == nil {
							t.Fatalf("%s passes: %v", what, other)
						}
					}
				}
			})
		})
	}
}

// spoiled are conversations with one fault each.
func spoiled(t *rapid.T, want []Entry) map[string][]Entry {
	out := map[string][]Entry{"nothing": nil, "the last one lost": want[:len(want)-1]}
	change := func(what string, kind Kind, f func(*Entry)) {
		at := positions(want, kind)
		if len(at) == 0 {
			return
		}
		list := slices.Clone(want)
		f(&list[rapid.SampledFrom(at).Draw(t, what)])
		out[what] = list
	}
	change("a prompt begun otherwise", User, func(e *Entry) { e.Text = "x" + e.Text })
	change("an answer longer", Assistant, func(e *Entry) { e.Text += "x" })
	change("a changed argument", Call, func(e *Entry) { e.Args = `{"n":10}` })
	change("an argument more", Call, func(e *Entry) { e.Args = strings.Replace(e.Args, "}", `,"m":null}`, 1) })
	change("another name", Call, func(e *Entry) { e.Name += "x" })
	change("another id", Call, func(e *Entry) { e.ID += "x" })
	change("another result", Result, func(e *Entry) { e.Text += "x" })
	change("a result of another call", Result, func(e *Entry) { e.ID += "x" })
	results := positions(want, Result)
	if len(results) > 0 {
		at := rapid.SampledFrom(results).Draw(t, "lost")
		out["a lost result"] = slices.Delete(slices.Clone(want), at, at+1)
		out["a result twice"] = slices.Insert(slices.Clone(want), at, want[at])
	}
	for _, kind := range []Kind{Call, Result} {
		for i, at := range positions(want, kind) {
			if i == 0 || want[at-1].Kind != kind {
				continue
			}
			list := slices.Clone(want)
			list[at-1], list[at] = list[at], list[at-1]
			out[fmt.Sprintf("a %s before its time", kind)] = list
		}
	}
	return out
}

func positions(list []Entry, kind Kind) []int {
	var out []int
	for i, e := range list {
		if e.Kind == kind {
			out = append(out, i)
		}
	}
	return out
}
