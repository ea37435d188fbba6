package session

// TailCut counts the records after the last complete turn that were dropped.
const TailCut = "tail_cut"

// cutTail drops everything after the last complete turn.
func (s *Session) cutTail() {
	last := -1
	for i, t := range s.Turns {
		if t.Complete {
			last = i
		}
	}
	s.keepTurns(0, last+1)
}

// keepTurns keeps the turns from (0-based) up to, not including, to. A turn
// holds its calls and their results, so that none is parted from the other.
func (s *Session) keepTurns(from, to int) {
	keep := map[*Message]bool{}
	for _, t := range s.Turns[from:to] {
		for _, m := range t.Users {
			keep[m] = true
		}
		for _, m := range t.Steps {
			keep[m] = true
		}
	}
	messages := s.Messages[:0:0]
	s.Calls = s.Calls[:0:0]
	kept := false
	for _, m := range s.Messages {
		if !m.Role.Note() {
			kept = keep[m]
		}
		if !kept {
			continue
		}
		messages = append(messages, m)
		s.Calls = append(s.Calls, m.Calls...)
	}
	s.Messages = messages
	s.Turns = nil
	s.number()
}
