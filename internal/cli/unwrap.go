package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/snapshot"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// opening is a target's session, open, with the mapping to read it with. The
// mapping is nil when none recognises what a folder held.
type opening struct {
	in    *engine.Input
	m     *engine.Mapping
	snap  *snapshot.Opened // that it comes from; nil when it does not
	bare  bool             // of a snapshot, the mapping is not known: its records stand in for the session
	close func() error
}

// open opens a target's session; of a snapshot, what is in it.
func (p *picker) open(ctx context.Context, t *target) (*opening, error) {
	o := &opening{}
	path, folder := t.path, t.folder
	if isSnapshotFolder(path) {
		path, folder = filepath.Join(path, snapshot.Document), false
	}
	var err error
	if folder {
		o.in, o.close = engine.Folder(path), nothing
	} else if o.in, o.close, err = engine.OpenInput(path); err != nil {
		return nil, err
	}
	if !folder && snapshot.Is(o.in) {
		err = p.unwrap(ctx, o, t, path)
	} else if t.found {
		o.m, err = p.recognise(ctx, o.in)
	} else {
		o.m, err = p.mapping(ctx, o.in, *t)
	}
	if err != nil {
		return nil, errors.Join(err, o.close())
	}
	return o, nil
}

// load reads the session as it is carried over.
func (o *opening) load(ctx context.Context, co convert.Options) (*convert.Source, error) {
	if o.bare {
		return o.snap.Load(co)
	}
	return convert.Load(ctx, o.m.Mapping, o.in, co)
}

func nothing() error { return nil }

// unwrap opens the session in a snapshot.
func (p *picker) unwrap(ctx context.Context, o *opening, t *target, path string) error {
	dir := ""
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		dir = filepath.Dir(path)
	}
	s, err := snapshot.Open(o.in, dir)
	if err != nil {
		return err
	}
	document := o.close
	o.snap, t.snap = s, s
	o.close = func() error { return errors.Join(s.Close(), document()) }
	if p.named != nil && p.named.Harness == s.Source.Harness {
		o.m = p.named
	} else if p.named == nil {
		e, err := p.catalog.Lookup(s.Mapping.Name)
		var unknown *engine.UnknownMappingError
		if err != nil && !errors.As(err, &unknown) {
			return err
		}
		if err == nil {
			if o.m, err = e.Open(); err != nil {
				return err
			}
		}
	}
	if o.m == nil {
		return p.records(o, t)
	}
	if o.m.SHA256 != s.Mapping.SHA256 {
		p.say(t.path + ": the mapping of " + o.m.Harness + " has changed since the snapshot was taken; it is read with the one of today")
	}
	file := &target{path: strings.TrimSuffix(s.Path(), string(filepath.Separator)), folder: strings.HasSuffix(s.Path(), string(filepath.Separator))}
	in, done, err := file.open()
	if err != nil {
		return err
	}
	o.in, o.close = in, joined(done, o.close)
	return nil
}

// recordsMapping reads trajectory-v1 records.
const recordsMapping = "trajectory"

// records opens the records of a snapshot, which was asked for, or whose mapping
// is not known.
func (p *picker) records(o *opening, t *target) error {
	switch {
	case p.named == nil:
		e, err := p.catalog.Lookup(recordsMapping)
		if err != nil {
			return err
		}
		if o.m, err = e.Open(); err != nil {
			return err
		}
		o.bare = true
		p.say(t.path + ": there is no mapping named " + o.snap.Mapping.Name + "; the records are those that it made when the snapshot was taken")
	case p.named.Harness == recordsMapping:
		o.m = p.named
	default:
		return trajectory.Errorf(trajectory.InvalidInput, "the snapshot is of a session of %s, not of %s (%s reads its records)",
			o.snap.Source.Harness, p.named.Harness, recordsMapping)
	}
	file, err := os.CreateTemp("", "trajmap-*")
	if err != nil {
		return err
	}
	remove := func() error { return os.Remove(file.Name()) }
	err = errors.Join(o.snap.WriteRecords(file, t.active), file.Close())
	if err == nil {
		var done func() error
		if o.in, done, err = engine.OpenInput(file.Name()); err == nil {
			o.close = joined(done, joined(remove, o.close))
			return nil
		}
	}
	return errors.Join(err, remove())
}

// joined closes one thing and then another.
func joined(first, then func() error) func() error {
	return func() error { return errors.Join(first(), then()) }
}

// isSnapshotFolder reports whether a path is a folder that a snapshot is in.
func isSnapshotFolder(path string) bool { return path != "-" && snapshot.IsFolder(path) }
