package history

import "github.com/trajmap/trajmap/engine/session"

// FromSession is the history that a program is to send when it goes on with s.
func FromSession(s *session.Session) []Entry {
	var out []Entry
	for _, m := range s.Messages {
		switch {
		case m.Role.Note():
			continue
		case m.Role == session.User:
			out = append(out, Entry{Kind: User, Text: m.Text()})
			continue
		case len(m.Texts) > 0:
			out = append(out, Entry{Kind: Assistant, Text: m.Text()})
		}
		for _, c := range m.Calls {
			out = append(out, Entry{Kind: Call, ID: c.ID, Name: c.Name, Args: c.Args.String()})
		}
		for _, c := range m.Calls {
			if c.Result != nil {
				out = append(out, Entry{Kind: Result, ID: c.ID, Text: c.Result.Content.String(), OK: c.Result.OK})
			}
		}
	}
	return out
}
