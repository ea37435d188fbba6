package discover

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Query says which sessions are wanted. The zero value is all, but for those
// that worked for another one.
type Query struct {
	Cwd      []string  // that worked in one of these folders or below it; nil: anywhere
	Since    time.Time // used since
	Children bool      // also those that worked for another one
	Limit    int       // at most so many; 0: all
	After    string    // the cursor of the page before
}

// ErrCursor is of a cursor that none of these lists has given.
var ErrCursor = errors.New("this is no cursor of a list")

// cursor is the place of a session in the order of a list: when it was used last,
// and what tells it apart from others of that time: its harness and id.
type cursor struct {
	updated int64
	tie     string
}

func (c *candidate) cursor() cursor { return cursor{c.updated, c.tie} }

// after reports whether a place comes later in the list.
func (cur cursor) after(other cursor) bool {
	if cur.updated != other.updated {
		return cur.updated < other.updated
	}
	return cur.tie > other.tie
}

func (cur cursor) String() string {
	return strconv.FormatInt(cur.updated, 36) + "-" + url.PathEscape(cur.tie)
}

func parseCursor(text string) (cur cursor, err error) {
	updated, tie, _ := strings.Cut(text, "-")
	if cur.updated, err = strconv.ParseInt(updated, 36, 64); err != nil {
		return cur, ErrCursor
	}
	if cur.tie, err = url.PathUnescape(tie); err != nil || !strings.Contains(tie, ":") {
		return cur, ErrCursor
	}
	return cur, nil
}

// Page gives sessions, those that were used last first, and the cursor of the
// page after; "" when there is none. A cursor stays good while sessions come and
// go: the next page has those that were used before the last one of this page,
// whatever has been used since. The error is [ErrCursor], or the context's.
func (l *List) Page(ctx context.Context, q Query) (page []Session, next string, err error) {
	var after cursor
	if q.After != "" {
		if after, err = parseCursor(q.After); err != nil {
			return nil, "", err
		}
	}
	passed := func(c *candidate) bool { return q.After != "" && !c.cursor().after(after) }
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
			return c.opened || c.id != "" && passed(c)
		})
		err := inParallel(ctx, len(need), func(rs readers, i int) error { return l.openOne(ctx, need[i], rs) })
		if err != nil {
			return nil, "", err
		}
		for _, c := range batch {
			switch {
			case c.opened && c.session == nil || seen[c.name()]:
				continue
			case passed(c):
				seen[c.name()] = true
				continue
			case !q.wants(c):
				continue
			case q.Limit > 0 && len(page) == q.Limit:
				return page, last.cursor().String(), nil
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
		(q.Cwd == nil || slices.ContainsFunc(q.Cwd, func(dir string) bool { return within(c.session.Cwd, dir) })) &&
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
