package discover

import (
	"cmp"
	"context"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/engine/value"
)

// List is what there was when the stores were looked through. It is for one
// goroutine.
type List struct {
	candidates []*candidate // newest first
	problems   problems
}

// agent is a mapping while its stores are looked through.
type agent struct {
	*engine.Mapping
	files *files
}

// problems are safe for concurrent use.
type problems struct {
	mu   sync.Mutex
	list []Problem
}

func (ps *problems) add(p Problem) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	ps.list = append(ps.list, p)
}

// Problems is what could not be read so far, by path.
func (l *List) Problems() []Problem {
	l.problems.mu.Lock()
	defer l.problems.mu.Unlock()
	list := slices.Clone(l.problems.list)
	slices.SortStableFunc(list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Harness, b.Harness))
	})
	return list
}

// Scan looks through the stores of some mappings. The others may keep sessions in
// the same folders, which are then not among them; nil when all were asked for.
// The error is the context's.
func Scan(ctx context.Context, asked []*engine.Mapping, places Places, others func() []*engine.Mapping) (*List, error) {
	l := &List{}
	mappings := slices.Concat(asked, neighbours(asked, others, places))
	var mu sync.Mutex
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, m := range mappings {
		if len(m.Stores) == 0 {
			continue
		}
		g.Go(func() error {
			found, err := l.walk(gctx, &agent{m, &files{known: map[string]*file{}}}, places)
			mu.Lock()
			defer mu.Unlock()
			l.candidates = append(l.candidates, found...)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	if err := l.settle(ctx, asked); err != nil {
		return nil, err
	}
	if err := l.date(ctx); err != nil {
		return nil, err
	}
	slices.SortFunc(l.candidates, newer)
	l.once()
	return l, nil
}

// newer orders candidates, newest first.
func newer(a, b *candidate) int {
	switch x, y := a.cursor(), b.cursor(); {
	case x.after(y):
		return 1
	case y.after(x):
		return -1
	}
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.key, b.key))
}

// walk finds the candidates of one mapping.
func (l *List) walk(ctx context.Context, a *agent, places Places) ([]*candidate, error) {
	var found []*candidate
	w := &walk{
		ctx: ctx, listed: map[string][]fs.DirEntry{}, claimed: map[string]bool{},
		problem: func(path string, err error) { l.problems.add(Problem{a.Harness, path, err}) },
	}
	rank := 0
	for _, store := range a.Stores {
		var roots []string
		for _, r := range store.Roots {
			for _, root := range w.roots(r, places) {
				if !slices.Contains(roots, root) {
					roots = append(roots, root)
				}
			}
		}
		for _, layout := range store.Layouts {
			for _, p := range layout.Paths {
				rank++
				for number, root := range roots {
					w.find(root, p, func(h hit) {
						below := filepath.ToSlash(strings.TrimPrefix(h.path, root))
						c := &candidate{
							agent: a, layout: layout, pattern: p, rank: rank, root: root, path: h.path,
							key: strconv.Itoa(number) + below, parts: h.parts,
							size: h.info.Size(), changed: modified(h.path, h.info),
						}
						found = append(found, l.rows(c)...)
					})
				}
			}
		}
	}
	return found, ctx.Err()
}

// rows are the sessions of a candidate that is a database of several; else it is
// the only one.
func (l *List) rows(c *candidate) []*candidate {
	formats := slices.DeleteFunc(slices.Clone(c.formats()), func(f *mapping.Format) bool {
		return f.Frames.SQLite == nil && f.Frames.Handler == ""
	})
	if len(formats) == 0 || c.folder() || strings.HasPrefix(filepath.Ext(c.path), ".json") {
		return []*candidate{c}
	}
	in, done, err := engine.OpenInput(c.path)
	if err != nil {
		l.problems.add(Problem{c.agent.Harness, c.path, err})
		return nil
	}
	defer done()
	sessions, several, err := read.Sessions(c.agent.Mapping.Mapping, formats, in, frame.Options{})
	if err != nil {
		l.problems.add(Problem{c.agent.Harness, c.path, err})
		return nil
	}
	if !several {
		return []*candidate{c}
	}
	var list []*candidate
	for _, s := range sessions {
		one := *c
		one.member = s.ID
		var doc value.Doc
		if doc.Parse(s.Row) == nil {
			one.row = doc.Root()
		}
		list = append(list, &one)
	}
	return list
}

// date finds out when each candidate was used last, and drops what plainly is no
// session.
func (l *List) date(ctx context.Context) error {
	keep := make([]bool, len(l.candidates))
	err := inParallel(ctx, len(l.candidates), func(rs readers, i int) error {
		c := l.candidates[i]
		if keep[i] = c.first(); !keep[i] || c.dated() {
			return nil
		}
		err := l.openOne(ctx, c, rs)
		keep[i] = c.session != nil
		return err
	})
	kept := l.candidates[:0]
	for i, c := range l.candidates {
		if keep[i] {
			kept = append(kept, c)
		}
	}
	clear(l.candidates[len(kept):])
	l.candidates = kept
	return err
}

// openOne opens a candidate; what cannot be read becomes a problem.
func (l *List) openOne(ctx context.Context, c *candidate, rs readers) error {
	err := c.open(ctx, rs)
	if err != nil && ctx.Err() == nil {
		l.problems.add(Problem{c.agent.Harness, c.path, err})
		return nil
	}
	return err
}

// once keeps one of the candidates that have the same id: the one of the first
// layout, of these the newest. Those whose ids are not known yet stay.
func (l *List) once() {
	best := map[string]*candidate{}
	for _, c := range l.candidates {
		if b := best[c.name()]; c.id != "" && (b == nil || c.rank < b.rank) {
			best[c.name()] = c
		}
	}
	l.candidates = slices.DeleteFunc(l.candidates, func(c *candidate) bool { return c.id != "" && best[c.name()] != c })
}

// inParallel runs work for 0 to n-1, several at a time. The first error ends it.
func inParallel(ctx context.Context, n int, work func(rs readers, i int) error) error {
	const chunk = 16
	g, ctx := errgroup.WithContext(ctx)
	var mu sync.Mutex
	next := 0
	for range min(runtime.GOMAXPROCS(0), n) {
		g.Go(func() error {
			rs := readers{}
			for {
				mu.Lock()
				from := next
				next += chunk
				mu.Unlock()
				for i := from; i < min(from+chunk, n); i++ {
					if err := ctx.Err(); err != nil {
						return err
					}
					if err := work(rs, i); err != nil {
						return err
					}
				}
				if from+chunk >= n {
					return nil
				}
			}
		})
	}
	return g.Wait()
}

// stem is a file's name up to its first dot.
func stem(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	return name
}
