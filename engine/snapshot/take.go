package snapshot

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/engine/session"
	"github.com/trajmap/trajmap/engine/trajectory"
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

// copies copies the session's native files and gives the path of the copy.
func (t *Taken) copies(ctx context.Context, m *mapping.Mapping, in *frame.Input, o Options) (string, error) {
	ro := archiveOptions(o)
	native, err := examine(ctx, m, in, ro)
	if err != nil {
		return "", err
	}
	g := &gatherer{m: m, in: in, o: ro, id: cmp.Or(native.result.Chosen, native.result.Facts["group"])}
	if g.parts, err = read.Parts(ctx, m, in, ro); err != nil {
		return "", err
	}
	for _, path := range native.result.Full {
		if !slices.ContainsFunc(g.parts, func(p read.Part) bool { return p.Path == path }) {
			g.parts = append(g.parts, read.Part{Path: path, Role: read.Attached})
		}
	}
	if len(g.parts) == 0 {
		g.parts = []read.Part{{Path: unnamed, Pack: read.IsDatabase(in)}}
		g.place = place{below: []string{unnamed}, sure: true}
	} else {
		g.place = locate(m, absolute(g.parts[0].Path), absoluteFolder(g.parts[0].Folder))
	}
	for n := 0; ; n++ {
		for !g.holds() && g.place.up() {
		}
		g.dir = filepath.Join(t.dir, Raw)
		if err := errors.Join(os.RemoveAll(g.dir), os.Mkdir(g.dir, 0o700)); err != nil {
			return "", err
		}
		if err := g.gather(ctx); err != nil {
			return "", err
		}
		path := filepath.Join(g.dir, filepath.FromSlash(g.place.path()))
		if g.place.depth > 0 {
			path += string(filepath.Separator)
		}
		if g.place.sure {
			return path, t.settle(g)
		}
		// How much of the path a mapping looks at shows when it reads the copy.
		same, err := native.same(ctx, m, path, ro)
		if err != nil {
			return "", err
		}
		if same || n == mostFolders || !g.place.up() {
			return path, t.settle(g)
		}
	}
}

// mostFolders is how many folders above a session's files a mapping may look at
// the names of.
const mostFolders = 6

func (t *Taken) settle(g *gatherer) error {
	t.Raw, t.Attachments = g.raw, g.attachments
	t.Source.Locator.Path = g.place.path()
	return nil
}

// holds reports whether all files are below the home.
func (g *gatherer) holds() bool {
	return !slices.ContainsFunc(g.parts, func(p read.Part) bool {
		if p.Path == unnamed {
			return false
		}
		_, ok := g.place.name(absolute(p.Path))
		return !ok
	})
}

func archiveOptions(o Options) read.Options {
	return read.Options{Session: o.Session, Limits: o.Limits, Normalize: normalize.Options{
		MaxArgs: normalize.Unbounded, MaxResult: normalize.Unbounded, NoRoles: true,
	}}
}

// examined is what reading a session's own files gave, as a hash.
type examined struct {
	result *read.Result
	sum    string
}

func examine(ctx context.Context, m *mapping.Mapping, in *frame.Input, o read.Options) (*examined, error) {
	h := &hashing{}
	result, err := read.New(m).Read(ctx, in, o, h.start)
	if err = pardon(result, err); err != nil {
		return nil, err
	}
	return &examined{result, h.sum(result)}, nil
}

// same reports whether a copy reads as the session's own files do.
func (e *examined) same(ctx context.Context, m *mapping.Mapping, path string, o read.Options) (bool, error) {
	in, done, err := open(path)
	if err != nil {
		return false, err
	}
	defer done()
	copied, err := examine(ctx, m, in, o)
	var fault *trajectory.Error
	if errors.As(err, &fault) {
		return false, nil
	}
	return err == nil && copied.sum == e.sum, err
}

// pardon lets pass that nothing was said in a session whose every frame is known.
func pardon(result *read.Result, err error) error {
	var fault *trajectory.Error
	if result == nil || !errors.As(err, &fault) || fault.Code != trajectory.InvalidInput || result.Ledger.Frames == 0 {
		return err
	}
	for _, e := range result.Ledger.Entries {
		if e.Bucket == read.Unmapped {
			return err
		}
	}
	return nil
}

// hashing hashes records as they come.
type hashing struct {
	canonical *normalize.Canonical
	buf       []byte
	total     [sha256.Size]byte
}

func (h *hashing) start(p *normalize.Plan) (normalize.Sink, error) {
	h.canonical, _ = p.Canonical()
	return h, nil
}

func (h *hashing) Record(r *normalize.Record) error {
	h.buf = append(h.buf[:0], h.total[:]...)
	if h.canonical != nil {
		h.buf = h.canonical.Append(h.buf, r)
	} else {
		h.buf = r.AppendSorted(h.buf)
	}
	h.total = sha256.Sum256(append(h.buf, r.Step...))
	return nil
}

func (h *hashing) sum(result *read.Result) string {
	var names []string
	for name, fact := range result.Facts {
		names = append(names, name+"\x00"+fact)
	}
	slices.Sort(names)
	return hex.EncodeToString(h.total[:]) + strings.Join(names, "\x01")
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

// describe takes what the read tells of the session.
func (t *Taken) describe(m *mapping.Mapping, result *read.Result) {
	s := &t.Source
	s.Harness = m.Harness
	s.Group = result.Facts["group"]
	s.SessionID = cmp.Or(result.Chosen, s.Group, stem(t.Raw.Name))
	s.Title, s.Cwd, s.GitBranch = result.Facts["title"], result.Facts["cwd"], result.Facts["git_branch"]
	s.NativeVersion = result.Facts["version"]
	s.UpdatedAt = timeText(t.archive.last)
	created := t.archive.first
	for i, f := range result.Format.Session {
		if f.Name == "created_at" {
			if ms, ok := read.Millis(result.Session.Fact(i)); ok {
				created = ms
			}
		}
	}
	s.CreatedAt = timeText(created)
	t.Diagnostics = []Diagnostic{}
	for _, d := range result.Diagnostics {
		t.Diagnostics = append(t.Diagnostics, Diagnostic{d.Code, d.InputLine, d.RecordIndex, d.Count})
	}
	t.Ledger = accounts(result)
}

func accounts(result *read.Result) map[string]Account {
	all := map[string]Account{}
	for _, e := range result.Ledger.Entries {
		a := all[e.Kind]
		if a.Dropped == nil {
			a.Dropped = map[string]int{}
		}
		a.Frames += e.Count
		switch e.Bucket {
		case read.Mapped:
			a.Mapped += e.Count
		case read.Unmapped:
			a.Unmapped += e.Count
		default:
			a.Dropped[cmp.Or(e.Reason, e.Bucket)] += e.Count
		}
		all[e.Kind] = a
	}
	return all
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

func timeText(ms int64) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
}

// stem is the name of a file up to its first dot.
func stem(name string) string {
	name, _, _ = strings.Cut(path.Base(name), ".")
	return name
}
