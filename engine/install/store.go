package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// makeStore has a handler write the store of a part to a path, and sees that it
// holds the session.
func (x *Export) makeStore(ctx context.Context, p part, to string) error {
	if err := x.store(ctx, p, to); err != nil {
		return err
	}
	return x.stored(ctx, p, to)
}

// store has a handler write the store of a part to a path.
func (x *Export) store(ctx context.Context, p part, to string) error {
	if err := before("store"); err != nil {
		return err
	}
	in, done, err := open(x.at(p.step.File))
	if err != nil {
		return err
	}
	defer done()
	err = p.by.Store(ctx, in, x.placeIn(to))
	switch {
	case errors.Is(err, handler.ErrPresent):
		return &ConflictError{to, x.Manifest.Target.SessionID}
	case err != nil:
		return fmt.Errorf("%s: %w", to, err)
	}
	return nil
}

// stored sees that a store holds the session.
func (x *Export) stored(ctx context.Context, p part, to string) error {
	if err := before("check"); err != nil {
		return err
	}
	r, err := x.relate(ctx, p, to)
	if err == nil && r != equal {
		err = fmt.Errorf("reading and writing of this harness do not agree: the store that was written does not read back as the session")
	}
	return err
}

// addTo adds the session to a store of many, or takes it away again.
func (x *Export) addTo(ctx context.Context, t *transaction, p part, to string) error {
	if err := t.mkdirAll(filepath.Dir(to)); err != nil {
		return err
	}
	if err := x.store(ctx, p, to); err != nil {
		return err
	}
	err := x.stored(ctx, p, to)
	if err == nil {
		return nil
	}
	in, done, openErr := open(x.at(p.step.File))
	if openErr != nil {
		return errors.Join(err, openErr)
	}
	defer done()
	if removeErr := p.by.Remove(context.WithoutCancel(ctx), in, x.placeIn(to)); removeErr != nil {
		err = errors.Join(err, fmt.Errorf("and it could not be taken away again: %w", removeErr))
	}
	return err
}

func (x *Export) placeIn(path string) handler.Place {
	cwd := x.Manifest.Session.Cwd
	if x.Mapping.Write.RealCwd {
		cwd = real(cwd)
	}
	return handler.Place{Path: path, ID: x.Manifest.Target.SessionID, Cwd: cwd}
}

// real is a path without links; as it is when it cannot be resolved.
func real(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// at is a file of the export.
func (x *Export) at(path string) string { return filepath.Join(x.Dir, filepath.FromSlash(path)) }

// find asks a store of many what it has under the session's id.
func (x *Export) find(ctx context.Context, p part, path string) (handler.Found, error) {
	in, done, err := open(x.at(p.step.File))
	if err != nil {
		return handler.Nothing, err
	}
	defer done()
	found, err := p.by.Find(ctx, in, x.placeIn(path))
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return found, err
}

// relate holds a store that is there against the session that would be in it.
func (x *Export) relate(ctx context.Context, p part, path string) (relation, error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return missing, nil
	} else if err != nil {
		return different, err
	}
	least := different
	if p.by.Shared {
		switch found, err := x.find(ctx, p, path); {
		case err != nil:
			return different, err
		case found == handler.Nothing:
			return missing, nil
		case found == handler.Begun:
			least = longer // whatever has become of it since
		}
	}
	there, err := x.load(ctx, path, x.Manifest.Target.SessionID)
	var fault *trajectory.Error
	switch {
	case errors.As(err, &fault):
		return least, nil
	case err != nil:
		return different, err
	}
	defer there.Close()
	ours, err := x.load(ctx, x.at(p.step.File), "")
	if err != nil {
		return different, err
	}
	defer ours.Close()
	switch {
	case !convert.Begins(there.Session, ours.Session):
		return least, nil
	case convert.Begins(ours.Session, there.Session):
		return equal, nil
	}
	return longer, nil
}
