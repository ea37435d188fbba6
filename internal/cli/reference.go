package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/internal/discover"
	"github.com/trajmap/trajmap/internal/terminal"
)

// latest stands for the session that was used last.
const latest = "latest"

// reference names a session of the user's stores, as HARNESS:ID, by the beginning
// of an id, or as latest or latest:HARNESS. A file of that name comes first.
type reference struct {
	text  string
	entry *engine.Entry // nil: of any harness
	id    string        // or its beginning; "" is the one that was used last
	bare  bool          // nothing but an id: it may be the name of a file as well
}

// reference reads an argument as a reference; nil when it is a path. The error is
// an *[engine.UnknownMappingError].
func parseReference(c *engine.Catalog, arg string) (*reference, error) {
	if _, err := os.Lstat(arg); err == nil || arg == "-" || arg == "" {
		return nil, nil
	}
	before, after, colon := strings.Cut(arg, ":")
	switch {
	case arg == latest:
		return &reference{text: arg}, nil
	case before == latest:
		e, err := c.Lookup(after)
		if err != nil {
			return nil, err
		}
		return &reference{text: arg, entry: e}, nil
	case colon:
		e, err := c.Lookup(before)
		if err != nil || after == "" {
			return nil, nil
		}
		if after == latest {
			after = ""
		}
		return &reference{text: arg, entry: e, id: after}, nil
	case isID(arg):
		return &reference{text: arg, id: arg, bare: true}, nil
	}
	return nil, nil
}

// isID reports whether a word may be the beginning of an id. Short words and
// those with a dot are names of files.
func isID(s string) bool {
	const least = 4
	for _, c := range []byte(s) {
		if c != '-' && c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return len(s) >= least
}

// target is the session of a reference.
func (w *World) target(ctx context.Context, c *engine.Catalog, r *reference) (target, error) {
	entries := c.Entries()
	if r.entry != nil {
		entries = []*engine.Entry{r.entry}
	}
	mappings, broken := opened(entries)
	if r.entry != nil && len(broken) > 0 {
		return target{}, broken[0].Err
	}
	var others func() []*engine.Mapping
	if r.entry != nil {
		others = all(c)
	}
	list, err := discover.Scan(ctx, mappings, discover.Here(w.Getenv), others)
	if err != nil {
		return target{}, err
	}
	var s discover.Session
	if r.id == "" {
		page, _, err := list.Page(ctx, discover.Query{Limit: 1})
		if err != nil {
			return target{}, err
		}
		if len(page) == 0 {
			return target{}, &placed{r.text, errors.New("there is no session (trajmap list shows where they are)")}
		}
		s = page[0]
	} else if s, err = list.Find(ctx, r.id); err != nil {
		var ambiguous *discover.AmbiguousError
		if errors.As(err, &ambiguous) {
			err = r.which(ambiguous)
		}
		return target{}, err
	}
	return target{path: s.Path, folder: s.Folder, session: s.Member, m: s.Mapping, listed: &s}, nil
}

// which asks for more of a reference that fits several sessions.
func (r *reference) which(e *discover.AmbiguousError) error {
	var b strings.Builder
	for i, s := range e.Sessions {
		if i == maxCandidates {
			fmt.Fprintf(&b, "\n  and %s more", group(len(e.Sessions)-i))
			break
		}
		fmt.Fprintf(&b, "\n  %s:%s  %s  %s", s.Harness, s.ID, s.Updated.Local().Format(minutes), terminal.Cut(terminal.Line(s.Title), 60))
	}
	return usagef("", "%s: %s (give more of it)%s", r.text, e, b.String())
}

// maxCandidates is how many sessions are shown for a reference that fits several.
const maxCandidates = 10

// minutes is how the time of a session is printed.
const minutes = "2006-01-02 15:04"

// opened are the mappings that compile, and the problem with each that does not.
func opened(entries []*engine.Entry) (mappings []*engine.Mapping, broken []discover.Problem) {
	for _, e := range entries {
		m, err := e.Open()
		if err != nil {
			broken = append(broken, discover.Problem{Harness: e.Name, Path: e.File, Err: err})
			continue
		}
		mappings = append(mappings, m)
	}
	return mappings, broken
}

// given are the inputs of a command: files and folders as they are, references
// as the sessions that they name.
func (w *World) given(ctx context.Context, args []string) ([]target, error) {
	var list []target
	var catalog *engine.Catalog
	for n, arg := range args {
		t := target{path: arg}
		if catalog == nil {
			var err error
			if catalog, err = w.catalog(); err != nil {
				return nil, err
			}
		}
		r, err := parseReference(catalog, arg)
		if err != nil {
			return nil, err
		}
		if r != nil {
			t, err = w.target(ctx, catalog, r)
			var missing *discover.MissingError
			switch {
			case errors.As(err, &missing) && r.bare:
				t = target{path: arg} // which is not there either
			case errors.As(err, &missing):
				t = target{path: arg, err: fmt.Errorf("%w (trajmap list %s shows those there are)", err, r.entry.Name)}
			case err != nil:
				return nil, err
			}
		}
		t.root = n
		list = append(list, t)
	}
	return list, nil
}

// one is the only input of a command.
func (w *World) one(ctx context.Context, arg string) (target, error) {
	given, err := w.given(ctx, []string{arg})
	if err != nil {
		return target{}, err
	}
	t := given[0]
	if t.err != nil {
		return t, &placed{t.path, t.err}
	}
	t.folder = t.folder || isFolder(t.path)
	return t, nil
}

// inputs are the mapping and the inputs of a command that takes both. A session
// in the place of the mapping says itself which one is meant.
func (w *World) inputs(ctx context.Context, command, mapping string, args []string) (*picker, []target, error) {
	catalog, err := w.catalog()
	if err != nil {
		return nil, nil, err
	}
	if mapping != auto && !engine.IsFile(mapping) {
		r, err := parseReference(catalog, mapping)
		if err != nil {
			return nil, nil, err
		}
		if _, unknown := catalog.Lookup(mapping); r != nil && !r.bare && unknown != nil {
			mapping, args = auto, append([]string{mapping}, args...)
		}
	}
	if len(args) == 0 {
		return nil, nil, usagef("trajmap "+command+" --help lists what there is", `expected "<input>"`)
	}
	pick, err := w.picker(mapping)
	if err != nil {
		return nil, nil, err
	}
	list, err := w.given(ctx, args)
	return pick, list, err
}
