package snapshot

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/engine/session"
)

// Options say what is taken.
type Options struct {
	Session string // of an input that holds several; "" is the one used last
	// FullResults: in the active context, results of which the session has a part
	// are whole.
	FullResults bool
	Limits      frame.Options
}

// Taken is a snapshot that has been made and not yet written. Its parts are in a
// temporary folder until it is closed.
type Taken struct {
	Snapshot
	dir             string
	archive         *archive
	active          *part
	canonicalConfig []byte
}

// Close forgets what was taken.
func (t *Taken) Close() error {
	var errs []error
	if t.archive != nil {
		for _, p := range []*part{t.archive.records, t.archive.rows, t.archive.steps, t.archive.models, t.active} {
			if p != nil {
				errs = append(errs, p.file.Close())
			}
		}
	}
	return errors.Join(append(errs, os.RemoveAll(t.dir))...)
}

// Size is how many bytes the native files have.
func (t *Taken) Size() int64 {
	n := t.Raw.Bytes
	for _, f := range t.Attachments {
		n += f.Bytes
	}
	return n
}

// Take makes a snapshot of a session. No hazard is an error: what there is, is
// kept and told. The error is of what cannot be read, or is no session.
func Take(ctx context.Context, m *mapping.Mapping, in *frame.Input, o Options) (*Taken, error) {
	dir, err := os.MkdirTemp("", "trajmap-*")
	if err != nil {
		return nil, err
	}
	t := &Taken{dir: dir}
	if err := t.take(ctx, m, in, o); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

func (t *Taken) take(ctx context.Context, m *mapping.Mapping, in *frame.Input, o Options) error {
	t.Mapping = Mapping{Name: m.Harness, SHA256: m.SHA256}
	path, err := t.copies(ctx, m, in, o)
	if err != nil {
		return err
	}
	copied, done, err := open(path)
	if err != nil {
		return err
	}
	defer done()
	if err := t.readArchive(ctx, m, copied, o); err != nil {
		return err
	}
	return t.readActive(ctx, m, copied, o)
}

func archiveOptions(o Options) read.Options {
	return read.Options{Session: o.Session, Limits: o.Limits, Normalize: normalize.Options{
		MaxArgs: normalize.Unbounded, MaxResult: normalize.Unbounded, NoRoles: true,
	}}
}

// open opens a session's files, of which a folder has a separator at its end.
func open(path string) (*frame.Input, func() error, error) {
	if os.IsPathSeparator(path[len(path)-1]) {
		return &frame.Input{Name: path, ReaderAt: strings.NewReader("")}, func() error { return nil }, nil
	}
	return frame.Open(path)
}

// readArchive makes the records of everything that was written.
func (t *Taken) readArchive(ctx context.Context, m *mapping.Mapping, in *frame.Input, o Options) error {
	var err error
	if t.archive, err = newArchive(t.dir); err != nil {
		return err
	}
	ro := archiveOptions(o)
	a := t.archive
	result, err := read.New(m).Read(ctx, in, ro, func(p *normalize.Plan) (normalize.Sink, error) {
		a.canonical, _ = p.Canonical() // a session that has no identity has no rows
		return a, nil
	})
	if err = pardon(result, err); err != nil {
		return err
	}
	t.canonicalConfig = ro.Normalize.AppendConfig(nil)
	t.describe(m, result)
	return errors.Join(a.records.end(), a.rows.end(), a.steps.end(), a.models.end())
}

// readActive makes the list of the active context, and says what speaks against
// going on with it elsewhere.
func (t *Taken) readActive(ctx context.Context, m *mapping.Mapping, in *frame.Input, o Options) error {
	p, err := newPart(t.dir, "active")
	if err != nil {
		return err
	}
	t.active = p
	b := session.NewBuilder()
	ro := archiveOptions(o)
	ro.View, ro.FullResults = mapping.ActiveView, o.FullResults
	sink := &active{part: p, a: t.archive, next: b}
	result, err := read.New(m).Read(ctx, in, ro, func(*normalize.Plan) (normalize.Sink, error) { return sink, nil })
	if err = pardon(result, err); err != nil {
		b.Discard()
		return err
	}
	s := b.Build(session.Options{Group: result.Facts["group"], Title: result.Facts["title"]})
	findings := convert.Judge(result, s)
	t.Portability = Portability{Portable: !slices.ContainsFunc(findings, convert.Finding.Refused), Hazards: []Hazard{}}
	secrets := 0
	for _, f := range t.Files() {
		secrets += f.Secrets
	}
	for _, f := range findings {
		h := Hazard{Code: f.Code, Verdict: f.Verdict, Count: f.Count}
		if len(f.Lines) > 0 {
			h.Line = f.Lines[0]
		}
		if h.Code == secretCode {
			h.Count += secrets
			secrets = 0
		}
		t.Portability.Hazards = append(t.Portability.Hazards, h)
	}
	if secrets > 0 {
		t.Portability.Hazards = append(t.Portability.Hazards, Hazard{Code: secretCode, Verdict: convert.Drop, Count: secrets})
	}
	return errors.Join(p.end(), s.Err(), s.Close())
}

const secretCode = "secret"
