package discover

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Query says which sessions are wanted. The zero value is all, but for those
// that worked for another one.
type Query struct {
	Cwd      string    // that worked in this folder or below it
	Since    time.Time // used since
	Children bool      // also those that worked for another one
	Limit    int       // at most so many; 0: all
	After    string    // the cursor of the page before
}

// ErrCursor is of a cursor that none of these lists has given.
var ErrCursor = errors.New("this is no cursor of a list")

// cursor is the place of a session in the order of a list.
type cursor struct {
	Updated int64  `json:"u"`
	Harness string `json:"h"`
	Key     string `json:"k"`
}

func (c *candidate) cursor() string {
	text, _ := json.Marshal(cursor{c.updated, c.agent.Harness, c.key()})
	return base64.RawURLEncoding.EncodeToString(text)
}

// passed reports whether a candidate stands at the cursor or before it.
func (cur *cursor) passed(c *candidate) bool {
	switch {
	case c.updated != cur.Updated:
		return c.updated > cur.Updated
	case c.agent.Harness != cur.Harness:
		return c.agent.Harness < cur.Harness
	}
	return c.key() <= cur.Key
}

func parseCursor(text string) (*cursor, error) {
	if text == "" {
		return nil, nil
	}
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return nil, ErrCursor
	}
	cur := &cursor{}
	if json.Unmarshal(data, cur) != nil || cur.Harness == "" {
		return nil, ErrCursor
	}
	return cur, nil
}

// Page gives sessions, those that were used last first, and the cursor of the
// page after; "" when there is none. A cursor stays good while sessions come and
// go: the next page has those that were used before the last one of this page,
// whatever has been used since. The error is [ErrCursor], or the context's.
func (l *List) Page(ctx context.Context, q Query) (page []Session, next string, err error) {
	after, err := parseCursor(q.After)
	if err != nil {
		return nil, "", err
	}
	seen := map[string]bool{} // ids
	var last *candidate
	for rest := l.candidates; len(rest) > 0; {
		batch := rest[:min(len(rest), batchSize(q.Limit))]
		rest = rest[len(batch):]
		if !q.Since.IsZero() && batch[0].updated < q.Since.UnixMilli() {
			break
		}
		// Of those before the cursor only the ids matter.
		need := slices.DeleteFunc(slices.Clone(batch), func(c *candidate) bool {
			return c.opened || after != nil && c.id != "" && after.passed(c)
		})
		err := inParallel(ctx, len(need), func(rs readers, i int) error { return l.openOne(ctx, need[i], rs) })
		if err != nil {
			return nil, "", err
		}
		for _, c := range batch {
			switch {
			case c.opened && c.session == nil || seen[c.name()]:
				continue
			case after != nil && after.passed(c):
				seen[c.name()] = true
				continue
			case !q.wants(c):
				continue
			case q.Limit > 0 && len(page) == q.Limit:
				return page, last.cursor(), nil
			}
			seen[c.name()] = true
			page, last = append(page, *c.session), c
		}
	}
	return page, "", nil
}

// batchSize is how many candidates are opened together.
func batchSize(limit int) int {
	const least, most = 16, 1024
	if limit == 0 {
		return most
	}
	return max(least, min(most, limit+1), 2*runtime.GOMAXPROCS(0))
}

func (q *Query) wants(c *candidate) bool {
	return (q.Children || c.session.Parent == "") &&
		(q.Cwd == "" || within(c.session.Cwd, q.Cwd)) &&
		(q.Since.IsZero() || c.updated >= q.Since.UnixMilli())
}

// within reports whether a path is a folder or lies below it.
func within(path, folder string) bool {
	if path == "" {
		return false
	}
	path, folder = filepath.Clean(path), filepath.Clean(folder)
	rest, ok := strings.CutPrefix(path, folder)
	return ok && (rest == "" || rest[0] == filepath.Separator || strings.HasSuffix(folder, string(filepath.Separator)))
}
