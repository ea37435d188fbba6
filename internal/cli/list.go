package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/internal/discover"
	"github.com/trajmap/trajmap/internal/terminal"
)

// listCmd lists the sessions of the user's stores.
type listCmd struct {
	Harnesses []string `arg:"" optional:"" name:"harness" help:"Names of mappings; all when none is given."`

	Cwd      string `placeholder:"DIR" help:"Only sessions that worked in this folder or below it."`
	Since    since  `placeholder:"WHEN" help:"Only sessions used since: a date, a time, or an age such as 36h, 7d or 2w."`
	Limit    limit  `placeholder:"N|none" help:"At most so many (50)."`
	Cursor   string `placeholder:"TEXT" aliases:"after" help:"Go on after a list, from what it said at its end."`
	Children bool   `help:"Also sessions that worked for another one, such as subagents."`
	Root     string `placeholder:"DIR" help:"Folder that stands for the home in which agents keep their stores."`
	JSON     bool   `help:"Print a JSON object."`
}

// listDefault is how many sessions a list has when nothing is said.
const listDefault = 50

// Help says what the list is for.
func (*listCmd) Help() string {
	return "The second column names a session wherever a command takes one. \n\nFor example: trajmap list --cwd . --since 7d"
}

// since is a time in the past.
type since struct{ time.Time }

// UnmarshalText reads a date, a time in RFC 3339, or an age.
func (s *since) UnmarshalText(text []byte) error {
	t, err := parseSince(string(text), time.Now())
	if err != nil {
		return err
	}
	s.Time = t
	return nil
}

func parseSince(text string, now time.Time) (time.Time, error) {
	for _, form := range []string{time.DateOnly, "2006-01-02T15:04", time.RFC3339} {
		if t, err := time.ParseInLocation(form, text, now.Location()); err == nil {
			return t, nil
		}
	}
	if text != "" {
		days := map[byte]int{'d': 1, 'w': 7}[text[len(text)-1]]
		if n, err := strconv.Atoi(text[:len(text)-1]); days > 0 && err == nil && n >= 0 {
			return now.AddDate(0, 0, -n*days), nil
		}
		if d, err := time.ParseDuration(text); err == nil && d >= 0 {
			return now.Add(-d), nil
		}
	}
	return time.Time{}, errors.New("must be a date such as 2026-11-30, a time such as 2026-11-30T10:00:00Z, or an age such as 36h, 7d or 2w")
}

// Run lists the sessions. What cannot be read is reported, and no failure.
func (c *listCmd) Run(ctx context.Context, w *World) error {
	list, err := c.scan(ctx, w)
	if err != nil {
		return err
	}
	q, err := c.query()
	if err != nil {
		return err
	}
	page, next, err := list.Page(ctx, q)
	if errors.Is(err, discover.ErrCursor) {
		return usagef("give what the list before ended with", "--cursor: %v", err)
	}
	if err != nil {
		return err
	}
	if c.JSON {
		return c.json(w, list, page, next)
	}
	if err := c.table(w, list, page); err != nil {
		return &outputError{err}
	}
	for _, p := range list.Problems() {
		w.say(p.Path + ": " + sentence(p.Err))
	}
	switch {
	case next != "":
		w.say(plural(len(page), "session") + " shown, there are more (--cursor " + next + ", or --limit none)")
	case len(page) == 0:
		w.say("no session found")
	}
	return nil
}

// scan looks through the stores.
func (c *listCmd) scan(ctx context.Context, w *World) (*discover.List, error) {
	catalog, err := w.catalog()
	if err != nil {
		return nil, err
	}
	entries := catalog.Entries()
	if len(c.Harnesses) > 0 {
		entries = nil
		for _, name := range c.Harnesses {
			e, err := catalog.Lookup(name)
			if err != nil {
				return nil, err
			}
			entries = append(entries, e)
		}
	}
	mappings, broken := opened(entries)
	for _, p := range broken {
		if len(c.Harnesses) > 0 {
			return nil, p.Err
		}
		w.say(p.Path + ": does not compile: see trajmap check " + p.Harness)
	}
	places := discover.Here(w.Getenv)
	if c.Root != "" {
		if _, err := os.ReadDir(c.Root); err != nil {
			return nil, err
		}
		places = discover.Below(c.Root)
	}
	var others func() []*engine.Mapping
	if len(c.Harnesses) > 0 {
		others = all(catalog)
	}
	return discover.Scan(ctx, mappings, places, others)
}

// all opens the mappings of a catalog; what does not compile is left out.
func all(c *engine.Catalog) func() []*engine.Mapping {
	return func() []*engine.Mapping {
		mappings, _ := opened(c.Entries())
		return mappings
	}
}

func (c *listCmd) query() (discover.Query, error) {
	q := discover.Query{Since: c.Since.Time, Children: c.Children, After: c.Cursor, Limit: int(c.Limit)}
	switch {
	case c.Limit == 0:
		q.Limit = listDefault
	case c.Limit < 0:
		q.Limit = 0
	}
	if c.Cwd == "" {
		return q, nil
	}
	dir, err := filepath.Abs(c.Cwd)
	if err != nil {
		return q, err
	}
	q.Cwd = []string{dir}
	// Agents note the real path as often as the one that was typed.
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
		q.Cwd = append(q.Cwd, real)
	}
	return q, nil
}

// sessionRow is a session of the list.
type sessionRow struct {
	Ref       string `json:"ref"`
	Harness   string `json:"harness"`
	ID        string `json:"id"`
	Title     string `json:"title"`
	Cwd       string `json:"cwd,omitempty"`
	GitBranch string `json:"git_branch,omitempty"`
	Model     string `json:"model,omitempty"`
	CreatedAt string `json:"created_at,omitempty"`
	UpdatedAt string `json:"updated_at"`
	Parent    string `json:"parent,omitempty"`
	Path      string `json:"path"`
	Member    string `json:"member,omitempty"` // id within the file, when that holds several
}

func (c *listCmd) json(w *World, list *discover.List, page []discover.Session, next string) error {
	type problem struct {
		Harness string `json:"harness"`
		Path    string `json:"path"`
		Error   string `json:"error"`
	}
	out := struct {
		Sessions []sessionRow `json:"sessions"`
		Problems []problem    `json:"problems"`
		Next     string       `json:"next,omitempty"`
	}{[]sessionRow{}, []problem{}, next}
	for _, s := range page {
		r := sessionRow{
			Ref: s.Harness + ":" + s.ID, Harness: s.Harness, ID: s.ID, Title: s.Title, Cwd: s.Cwd, GitBranch: s.GitBranch,
			Model: s.Model, UpdatedAt: s.Updated.Format(time.RFC3339Nano), Parent: s.Parent, Path: s.Path, Member: s.Member,
		}
		if !s.Created.IsZero() {
			r.CreatedAt = s.Created.Format(time.RFC3339Nano)
		}
		out.Sessions = append(out.Sessions, r)
	}
	for _, p := range list.Problems() {
		out.Problems = append(out.Problems, problem{p.Harness, p.Path, sentence(p.Err)})
	}
	e := json.NewEncoder(w.Stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(out); err != nil {
		return &outputError{err}
	}
	return nil
}

// table prints the sessions in columns. On a terminal ids are as short as they
// can be, and lines end where the terminal does.
func (c *listCmd) table(w *World, list *discover.List, page []discover.Session) error {
	if len(page) == 0 {
		return nil
	}
	home := discover.Here(w.Getenv).Home
	rows := [][4]string{{"UPDATED", "SESSION", "FOLDER", "TITLE"}}
	for _, s := range page {
		id := s.ID
		if w.Columns > 0 {
			id = list.Short(s)
		}
		title := s.Title
		if s.Parent != "" {
			title = "↳ " + title
		}
		rows = append(rows, [4]string{
			s.Updated.Local().Format(minutes), terminal.Line(s.Harness + ":" + id), terminal.Line(shortened(s.Cwd, home)), terminal.Line(title),
		})
	}
	var width [4]int
	for _, r := range rows {
		for i, cell := range r {
			width[i] = max(width[i], terminal.Cells(cell))
		}
	}
	if w.Columns > 0 {
		width[2] = min(width[2], max(w.Columns/4, 10))
	}
	out := bufio.NewWriter(w.Stdout)
	for n, r := range rows {
		r[2] = terminal.CutLeft(r[2], width[2])
		line := ""
		for i, cell := range r[:3] {
			line += cell + strings.Repeat(" ", width[i]-terminal.Cells(cell)+2)
		}
		if w.Columns > 0 {
			r[3] = terminal.Cut(r[3], max(w.Columns-terminal.Cells(line), 8))
		}
		if line += r[3]; n == 0 {
			line = w.style().In(terminal.Bold, line)
		}
		fmt.Fprintln(out, strings.TrimRight(line, " "))
	}
	return out.Flush()
}

// shortened is a path with ~ for the home.
func shortened(path, home string) string {
	if rest, ok := strings.CutPrefix(path, home); home != "" && ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		return "~" + rest
	}
	return path
}
