package session

import "github.com/trajmap/trajmap/engine/normalize"

// cutTail drops everything after the last complete turn.
func (s *Session) cutTail() {
	last := -1
	for i, t := range s.Turns {
		if t.Complete {
			last = i
		}
	}
	s.keepTurns(TailCut, 0, last+1)
}

// keepTurns keeps the turns from (0-based) up to, not including, to. A turn
// holds its calls and their results, so that none is parted from the other; what
// is no part of a turn goes with what stands before it.
func (s *Session) keepTurns(reason string, from, to int) {
	keep := map[*Message]bool{}
	for i, t := range s.Turns {
		for _, m := range t.Users {
			keep[m] = i >= from && i < to
		}
		for _, m := range t.Steps {
			keep[m] = i >= from && i < to
		}
	}
	messages := s.Messages[:0:0]
	s.Calls = s.Calls[:0:0]
	kept := from <= 0
	for _, m := range s.Messages {
		if !m.Role.Note() {
			kept = keep[m]
		}
		if !kept {
			s.dropMessage(reason, m)
			continue
		}
		messages = append(messages, m)
		s.Calls = append(s.Calls, m.Calls...)
	}
	s.Messages = messages
	s.Turns = nil
	s.number()
}

// dropMessage counts the records of a message that is left out.
func (s *Session) dropMessage(reason string, m *Message) {
	s.drop(reason, m.Role.kind(), len(m.Texts))
	s.drop(reason, normalize.ReasoningRecord, len(m.Reasoning))
	s.drop(reason, normalize.CallRecord, len(m.Calls))
	for _, c := range m.Calls {
		if c.Result != nil {
			s.drop(reason, normalize.ResultRecord, 1)
		}
	}
}
