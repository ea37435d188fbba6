package agentkv

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/trajmap/trajmap/engine/value"
)

// place is where a frame stands.
type place struct {
	part part
	turn int // or the number of the prompt message or pending call
	step int // of the turn; -1 is the turn itself
}

// part is a part of a session, in the order of frames.
type part uint8

const (
	statePart part = iota
	promptPart
	turnPart
	pendingPart
	noPart
)

// turnShift makes the numbers of turns and of their steps one number. A turn has
// fewer steps: a blob has no room for more ids.
const turnShift = 24

// number is one for all of a place. That of a step does not change when the
// session goes on.
func (p place) number() int64 {
	switch p.part {
	case promptPart:
		return 1 + int64(p.turn)
	case turnPart:
		return int64(p.turn+1)<<turnShift + int64(p.step+1)
	case pendingPart:
		return 1<<50 + int64(p.turn)
	}
	return 0
}

// placeOf is the place with a number.
func placeOf(n int64) place {
	switch {
	case n == 0:
		return place{}
	case n < 1<<turnShift:
		return place{promptPart, int(n - 1), 0}
	case n < 1<<50:
		return place{turnPart, int(n>>turnShift) - 1, int(n&(1<<turnShift-1)) - 1}
	}
	return place{pendingPart, int(n - 1<<50), 0}
}

// after is the place that follows.
func (s *store) after(p place) place {
	switch p.part {
	case turnPart:
		if p.step++; p.step < s.steps[s.turns[p.turn]] {
			return p
		}
		p.turn, p.step = p.turn+1, -1
	case promptPart, pendingPart:
		p.turn++
	default:
		p = place{part: promptPart}
	}
	if p.part == promptPart && p.turn >= len(s.prompts) {
		p = place{turnPart, 0, -1}
	}
	if p.part == turnPart && p.turn >= len(s.turns) {
		p = place{part: pendingPart}
	}
	if p.part == pendingPart && p.turn >= len(s.head.of(s.schema.pending)) {
		p = place{part: noPart}
	}
	return p
}

// print makes the frame of a place.
func (p *printer) print(at place) {
	p.dst = append(p.dst, `{"kind":`...)
	switch at.part {
	case statePart:
		p.state()
	case promptPart:
		p.begin("prompt_message", at)
		p.name("message")
		p.blob(form{json: true}, p.prompts[at.turn])
	case pendingPart:
		it := p.head.of(p.schema.pending)[at.turn]
		p.begin("pending_tool_call", at)
		p.name("call")
		p.json(p.head.raw(it))
	case turnPart:
		if at.step < 0 {
			p.turn(at)
		} else {
			p.step(at)
		}
	}
	p.dst = append(p.dst, '}')
}

// begin prints what every frame has.
func (p *printer) begin(kind string, at place) {
	p.text(kind)
	p.number("seq", at.number())
}

func (p *printer) number(name string, n int64) {
	p.name(name)
	p.dst = strconv.AppendInt(p.dst, n, 10)
}

// json prints a text that should be JSON.
func (p *printer) json(text []byte) {
	var doc value.Doc
	if doc.Parse(text) != nil {
		p.text(string(text))
		return
	}
	p.dst = doc.Root().AppendJSON(p.dst)
}

// state prints the root: the session but for its turns, and what of the store is
// not understood.
func (p *printer) state() {
	p.begin("state", place{})
	if p.root == (id{}) {
		return
	}
	p.members(p.schema.state, p.head.data, "")
	if len(p.unknown) == 0 {
		return
	}
	p.name("unknown")
	p.dst = append(p.dst, '{')
	for _, name := range slices.Sorted(maps.Keys(p.unknown)) {
		p.number(name, int64(p.unknown[name]))
	}
	p.dst = append(p.dst, '}')
}

// open gives a blob of the turns as a message.
func (p *printer) open(i id) message {
	data, err := p.get(i)
	if err != nil {
		p.err = err
		return message{}
	}
	m, _ := parse(data) // check has done it
	return m
}

// turn prints what a turn begins with: the user's message, or the command that
// the user ran.
func (p *printer) turn(at place) {
	m := p.open(p.turns[at.turn])
	f, it := m.member(p.schema.turn, "turn")
	switch {
	case f == nil:
		p.begin("unknown_turn", at)
	case f.message == p.schema.agentTurn:
		p.begin("turn", at)
	default:
		p.begin("shell_turn", at)
	}
	p.number("turn", int64(at.turn))
	if at.turn == len(p.turns)-1 {
		p.name("last")
		p.dst = append(p.dst, "true"...)
	}
	if timings := p.head.of(p.schema.timings); at.turn < len(timings) {
		p.name("timing")
		p.object(p.schema.state.byNumber[p.schema.timings].message, p.head.raw(timings[at.turn]))
	}
	if f == nil {
		return
	}
	p.members(f.message, m.whole(it.number), "")
	if steps := p.schema.stepsOf(m); len(steps) > 0 {
		last := p.open(steps[len(steps)-1])
		if f, _ := last.member(p.schema.step, "message"); f != nil {
			p.name("ends_with")
			p.text(f.name)
		}
	}
}

// step prints what the model did. Of a step that was cut for its length the
// whole is printed, if the store has it.
func (p *printer) step(at place) {
	turn := &p.recent
	if i := p.turns[at.turn]; turn.turn != i {
		turn.turn, turn.steps = i, p.schema.stepsOf(p.open(i))
	}
	if at.step >= len(turn.steps) { // its blob could not be read again: p.err says why
		turn.turn = id{}
		p.begin("unknown_step", at)
		return
	}
	m := p.open(turn.steps[at.step])
	f, it := m.member(p.schema.step, "message")
	if f == nil {
		p.begin("unknown_step", at)
		p.numbers(at)
		return
	}
	call := m.whole(it.number)
	restored := false
	if f.message == p.schema.toolCall {
		if whole := p.whole(call); whole != nil {
			call, restored = whole, true
		}
	}
	p.begin(f.name, at)
	p.numbers(at)
	if f.message != p.schema.toolCall {
		p.members(f.message, call, "")
		return
	}
	if restored {
		p.name("restored")
		p.dst = append(p.dst, "true"...)
	}
	p.call(call)
}

// numbers prints where a step is.
func (p *printer) numbers(at place) {
	p.number("turn", int64(at.turn))
	p.number("step", int64(at.step))
}

// whole is the call that stands for another because that was too long; nil when
// the store does not have it.
func (p *printer) whole(call []byte) []byte {
	m, _ := parse(call)
	f, it := m.member(p.schema.toolCall, "tool")
	if f == nil || f.message != p.schema.truncated {
		return nil
	}
	cut, _ := parse(m.whole(it.number))
	original := ids(cut, p.schema.original)
	if len(original) == 0 {
		return nil
	}
	data, err := p.get(original[0])
	if err != nil {
		return nil
	}
	step, _ := parse(data)
	if f, it = step.member(p.schema.step, "message"); f == nil || f.message != p.schema.toolCall {
		return nil
	}
	return step.whole(it.number)
}

// call prints a tool call with its result: the name of the tool, what the
// descriptors say of it as `call`, and what all calls have.
func (p *printer) call(data []byte) {
	t := p.schema.toolCall
	m, err := parse(data)
	if err != nil {
		return
	}
	if f, it := m.member(t, "tool"); f != nil {
		p.name("tool")
		p.text(strings.TrimSuffix(f.name, "_tool_call"))
		p.name("call")
		p.object(f.message, m.whole(it.number))
	} else if it, ok := unknownTool(t, m); ok {
		p.name("tool")
		p.text("unknown")
		p.number("number", int64(it.number))
		p.name("call")
		p.guess(m, it, 0)
	}
	p.members(t, data, "tool")
}

// unknownTool is the field of a call that can only be a tool which the
// descriptors do not have.
func unknownTool(t *messageType, m message) (item, bool) {
	for _, it := range m.items {
		if t.byNumber[it.number] == nil && it.wire == delimited {
			return it, true
		}
	}
	return item{}, false
}
