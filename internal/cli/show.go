package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/internal/transcript"
)

// showCmd shows one session to a person.
type showCmd struct {
	Input string `arg:"" help:"A session: HARNESS:ID, the beginning of an id, latest or latest:HARNESS, a native file or folder, or - for standard input."`

	Format    string    `enum:"text,md,html,json" default:"text" placeholder:"FORM" help:"text, md (Markdown), html (a page that needs nothing else) or json."`
	Tools     string    `enum:"full,short,none" default:"short" placeholder:"HOW" help:"Calls of tools: full, short or none."`
	Reasoning bool      `help:"Also what the model thought."`
	Turns     turnRange `placeholder:"A-B" help:"Only these turns, from 1: 5-12, 5, 5- or -12."`
	View      string    `enum:"archive,active" default:"archive" placeholder:"VIEW" help:"archive or active, as for apply."`
	From      string    `default:"auto" placeholder:"HARNESS" help:"Name or file of the mapping of a file; auto recognises it."`
	Session   string    `placeholder:"ID" aliases:"thread" help:"Which session of a file that holds several."`
	Out       string    `short:"o" name:"output" placeholder:"FILE" help:"Write to a file, which appears only when all is done."`
}

// Help says how it is shown.
func (*showCmd) Help() string {
	return "On a terminal, what is longer than the screen goes through $PAGER, else less. " +
		"\n\nFor example: trajmap show latest; trajmap show latest --format html -o session.html"
}

// turnRange are turns of a session; 0 is no bound.
type turnRange struct{ from, to int }

// UnmarshalText reads A-B, A, A- or -B.
func (r *turnRange) UnmarshalText(text []byte) error {
	from, to, dash := strings.Cut(string(text), "-")
	if !dash {
		to = from
	}
	for _, bound := range []struct {
		text string
		to   *int
	}{{from, &r.from}, {to, &r.to}} {
		if bound.text == "" {
			continue
		}
		n, err := strconv.Atoi(bound.text)
		if err != nil || n < 1 {
			return errTurns
		}
		*bound.to = n
	}
	if r.from == 0 && r.to == 0 || r.to > 0 && r.to < r.from {
		return errTurns
	}
	return nil
}

var errTurns = errors.New("must be turns such as 5-12, 5, 5- or -12")

// Run shows the session. On a terminal a long one goes through the pager.
func (c *showCmd) Run(ctx context.Context, w *World) (err error) {
	t, err := c.transcript(ctx, w)
	if err != nil {
		return err
	}
	if c.Format == "text" && c.Out == "" && w.Columns > 0 {
		return w.page(func(out io.Writer) error { return c.write(w, t, out) })
	}
	out, err := create(w, c.Out)
	if err != nil {
		return err
	}
	defer out.close(&err)
	return c.write(w, t, out)
}

// transcript reads the session.
func (c *showCmd) transcript(ctx context.Context, w *World) (*transcript.Transcript, error) {
	pick, err := w.picker(c.From)
	if err != nil {
		return nil, err
	}
	t, err := w.one(ctx, c.Input)
	if err != nil {
		return nil, err
	}
	t.active = c.View == "active"
	from, err := pick.open(ctx, &t)
	if err != nil {
		return nil, &placed{t.path, err}
	}
	defer from.close()
	in, m := from.in, from.m
	o := engine.Options{
		Session:   cmp.Or(t.session, c.Session),
		Normalize: normalize.Options{MaxArgs: normalize.Unbounded, MaxResult: normalize.Unbounded, NoRoles: true, OmitResults: c.Tools == "none"},
	}
	if c.View == "active" {
		o.View = engine.Active
	}
	s, err := m.ReadAll(ctx, in, o)
	if err != nil {
		return nil, &placed{t.path, err}
	}
	shown := transcript.New(m.Harness, s, transcript.Options{
		Reasoning: c.Reasoning, NoCalls: c.Tools == "none", From: c.Turns.from, To: c.Turns.to,
	})
	if t.listed != nil { // its store may know more of it than it does itself
		shown.ID, shown.Title = t.listed.ID, cmp.Or(t.listed.Title, shown.Title)
	}
	return shown, nil
}

// lineWidth is how long lines are where there is no terminal to say.
const lineWidth = 80

func (c *showCmd) write(w *World, t *transcript.Transcript, out io.Writer) error {
	var err error
	switch c.Format {
	case "md":
		err = t.Markdown(out, c.Tools == "full")
	case "html":
		err = t.HTML(out)
	case "json":
		err = t.JSON(out)
	default:
		o := transcript.Terminal{Width: lineWidth, Full: c.Tools == "full"}
		if n, err := strconv.Atoi(w.Getenv("COLUMNS")); err == nil && n > 0 {
			o.Width = n
		}
		if w.Columns > 0 && c.Out == "" {
			o.Width, o.Style = w.Columns, w.style()
		}
		err = t.Text(out, o)
	}
	if err != nil {
		return &outputError{err}
	}
	return nil
}
