package discover

import (
	"context"
	"fmt"
	"strings"
)

// AmbiguousError is of the beginning of an id that several sessions have.
type AmbiguousError struct {
	Prefix   string
	Sessions []Session // newest first
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%d sessions have ids that begin with %q", len(e.Sessions), e.Prefix)
}

// MissingError is of an id that no session has.
type MissingError struct{ ID string }

func (e *MissingError) Error() string {
	return fmt.Sprintf("there is no session whose id is or begins with %q", e.ID)
}

// Find gives the session of an id, or else the only one whose id begins so. The
// error is an *[AmbiguousError], a *[MissingError], or the context's.
func (l *List) Find(ctx context.Context, id string) (Session, error) {
	var fit []*candidate
	for _, c := range l.candidates {
		if c.id == "" || strings.HasPrefix(c.id, id) {
			fit = append(fit, c)
		}
	}
	err := inParallel(ctx, len(fit), func(rs readers, i int) error { return l.openOne(ctx, fit[i], rs) })
	if err != nil {
		return Session{}, err
	}
	var exact, begin []Session
	seen := map[string]bool{}
	for _, c := range fit {
		if c.session == nil || !strings.HasPrefix(c.id, id) || seen[c.name()] {
			continue
		}
		seen[c.name()] = true
		begin = append(begin, *c.session)
		if c.id == id {
			exact = append(exact, *c.session)
		}
	}
	found := begin
	if len(exact) > 0 {
		found = exact
	}
	switch {
	case len(found) == 0:
		return Session{}, &MissingError{id}
	case len(found) > 1:
		return Session{}, &AmbiguousError{id, found}
	}
	return found[0], nil
}

// shortest is the length of the shortest beginning of an id that [List.Short]
// gives: one that will stay the only one for a while.
const shortest = 8

// Short is as much of a session's id as tells it from all others that are known
// of its harness.
func (l *List) Short(s Session) string {
	n := min(shortest, len(s.ID))
	for _, c := range l.candidates {
		if c.id == s.ID || c.agent.Harness != s.Harness {
			continue
		}
		for n < len(s.ID) && n <= len(c.id) && c.id[:n] == s.ID[:n] {
			n++
		}
	}
	return s.ID[:n]
}
