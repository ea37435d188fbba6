package session

import "github.com/trajmap/trajmap/engine/value"

// NoUser is what stands for the user of a turn that the model began, at targets
// that have no turn without one.
const NoUser = "[no user message]"

// Preface puts a user message in front of a session that has none there, and
// reports whether it did.
func (s *Session) Preface() bool {
	if len(s.Turns) == 0 || len(s.Turns[0].Users) > 0 {
		return false
	}
	text := s.store.add(value.AppendEncoded(nil, NoUser))
	first := &Message{Role: User, Texts: []Text{text}, Time: s.Turns[0].Steps[0].Time, Asked: -1}
	s.Messages = append([]*Message{first}, s.Messages...)
	s.Turns = nil
	s.Prefaced = true
	s.number()
	s.clock()
	return true
}
