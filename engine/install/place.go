package install

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/trajmap/trajmap/engine/manifest"
)

// tempPrefix begins the names of what is not a session yet. No program takes a
// name that begins so for one of its own.
const tempPrefix = ".trajmap-"

// before is called before each step that changes something; tests let it fail.
var before = func(step string) error { return nil }

// transaction remembers what was made, to take it away again.
type transaction struct{ made []string }

// rollback removes what was made, the last first. What a folder has got
// meanwhile keeps it.
func (t *transaction) rollback(err error) error {
	for _, path := range slices.Backward(t.made) {
		remove := os.Remove
		if strings.HasPrefix(filepath.Base(path), tempPrefix) {
			remove = os.RemoveAll
		}
		removeErr := remove(path)
		if removeErr != nil && !errors.Is(removeErr, fs.ErrNotExist) && !errors.Is(removeErr, syscall.ENOTEMPTY) && !errors.Is(removeErr, syscall.EEXIST) {
			err = errors.Join(err, fmt.Errorf("and this could not be taken away again: %w", removeErr))
		}
	}
	return err
}

// place puts bundles of the session below the root.
func (x *Export) place(ctx context.Context, on Machine, w *where, list []bundle) error {
	t := &transaction{}
	for _, b := range list {
		var err error
		switch {
		case b.single():
			err = x.placeFile(t, on, w, b)
		case b.shared():
			err = x.addTo(ctx, t, b.parts[0], on.below(b.path))
		default:
			err = x.placeFolder(ctx, t, on, w, b)
		}
		if err != nil {
			return t.rollback(err)
		}
	}
	return nil
}

// placeFile puts a file below the root, which gets its name last.
func (x *Export) placeFile(t *transaction, on Machine, w *where, b bundle) error {
	final := on.below(b.path)
	if err := t.mkdirAll(filepath.Dir(final)); err != nil {
		return err
	}
	temp := filepath.Join(filepath.Dir(final), tempName())
	t.made = append(t.made, temp)
	if err := x.write(*b.parts[0].file, temp, on.Root, w.files); err != nil {
		return err
	}
	if err := before("name"); err != nil {
		return err
	}
	if err := name(temp, final); err != nil {
		return x.taken(err, final)
	}
	// From here on it is there, whatever fails.
	t.made = append(t.made, final)
	_ = before("clean")
	_ = os.Remove(temp)
	_ = before("last")
	_ = syncDir(filepath.Dir(final))
	return nil
}

// placeFolder puts a folder below the root, which gets its name when all in it
// is there.
func (x *Export) placeFolder(ctx context.Context, t *transaction, on Machine, w *where, b bundle) error {
	final := on.below(b.path)
	if err := t.mkdirAll(filepath.Dir(final)); err != nil {
		return err
	}
	temp, err := t.tempFolder(filepath.Dir(final))
	if err != nil {
		return err
	}
	var made []string
	for _, p := range b.parts {
		rel := filepath.FromSlash(strings.TrimPrefix(p.path, b.path+"/"))
		path := filepath.Join(temp, rel)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if p.step != nil {
			if err = x.makeStore(ctx, p, path); err == nil {
				err = syncFile(path)
			}
		} else {
			err = x.write(*p.file, path, on.Root, w.files)
		}
		if err != nil {
			return err
		}
		made = append(made, filepath.Join(final, rel))
	}
	if err := syncDir(temp); err != nil {
		return err
	}
	if err := before("name"); err != nil {
		return err
	}
	// A folder that holds something is not replaced by renaming.
	if err := os.Rename(temp, final); err != nil {
		return x.taken(err, final)
	}
	t.made = append(append(t.made, final), made...)
	_ = before("last")
	_ = syncDir(filepath.Dir(final))
	return nil
}

// syncFile makes what a file holds last.
func syncFile(path string) error {
	if err := before("sync"); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// tempFolder makes a folder that nobody looks into.
func (t *transaction) tempFolder(in string) (string, error) {
	temp := filepath.Join(in, tempName())
	if err := before("folder"); err != nil {
		return "", err
	}
	t.made = append(t.made, temp)
	return temp, os.Mkdir(temp, 0o700)
}

// taken tells that something has come to be where the session was to be.
func (x *Export) taken(err error, path string) error {
	if errors.Is(err, fs.ErrExist) || errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, syscall.ENOTDIR) {
		return &ConflictError{path, x.Manifest.Target.SessionID}
	}
	return err
}

func tempName() string { return tempPrefix + rand.Text()[:12] + ".tmp" }

// mkdirAll makes a folder and those above it that are missing, for the user
// alone.
func (t *transaction) mkdirAll(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil
	case err == nil:
		return &fs.PathError{Op: "mkdir", Path: path, Err: syscall.ENOTDIR}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if parent := filepath.Dir(path); parent != path {
		if err := t.mkdirAll(parent); err != nil {
			return err
		}
	}
	if err := before("folder"); err != nil {
		return err
	}
	switch err := os.Mkdir(path, 0o700); {
	case errors.Is(err, fs.ErrExist): // it has come meanwhile, and is not ours
		return nil
	case err != nil:
		return err
	}
	t.made = append(t.made, path)
	return syncDir(filepath.Dir(path))
}

// write writes a file of the export to a path, to the disk.
func (x *Export) write(f manifest.File, path, root string, paths []string) error {
	if err := before("create"); err != nil {
		return err
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	in, err := x.content(f, root, paths)
	if err == nil {
		_, err = io.Copy(&faulty{out}, in)
		err = errors.Join(err, in.Close())
	}
	if err == nil {
		err = before("sync")
	}
	if err == nil {
		err = out.Sync()
	}
	return errors.Join(err, out.Close())
}

// faulty is a file whose writes tests let fail.
type faulty struct{ f *os.File }

func (w *faulty) Write(b []byte) (int, error) {
	if err := before("write"); err != nil {
		n, _ := w.f.Write(b[:len(b)/2])
		return n, err
	}
	return w.f.Write(b)
}

// name gives a file a second name, unless something has it.
func name(temp, final string) error {
	err := os.Link(temp, final)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// Some file systems have no second names. An empty file keeps the place.
	f, err := os.OpenFile(final, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err = f.Close(); err == nil {
		err = os.Rename(temp, final)
	}
	if err != nil {
		_ = os.Remove(final)
	}
	return err
}

// settleStores makes the stores of an export where it lies.
func (x *Export) settleStores(ctx context.Context, on Machine, w *where) error {
	t := &transaction{}
	for _, p := range w.parts {
		if p.step == nil {
			continue
		}
		if err := x.settleStore(ctx, t, p, on.below(p.path)); err != nil {
			return t.rollback(err)
		}
	}
	return nil
}

func (x *Export) settleStore(ctx context.Context, t *transaction, p part, final string) error {
	switch r, err := x.relate(ctx, p, final); {
	case err != nil:
		return err
	case r == different:
		return &ConflictError{final, x.Manifest.Target.SessionID}
	case r != missing:
		return nil // it was made before
	case p.by.Shared:
		return x.addTo(ctx, t, p, final)
	}
	if err := t.mkdirAll(filepath.Dir(final)); err != nil {
		return err
	}
	temp, err := t.tempFolder(filepath.Dir(final))
	if err != nil {
		return err
	}
	path := filepath.Join(temp, filepath.Base(final))
	if err := x.makeStore(ctx, p, path); err != nil {
		return err
	}
	if err := syncFile(path); err != nil {
		return err
	}
	if err := name(path, final); err != nil {
		return x.taken(err, final)
	}
	t.made = append(t.made, final)
	return os.RemoveAll(temp)
}

// settle makes a file of an export ready where it lies, at its path on this
// machine.
func (x *Export) settle(f manifest.File, path, root string, paths []string) error {
	if f.Install == nil { // it stays where it is
		root = x.Dir
	}
	from, to := x.at(f.Path), filepath.Join(root, path)
	if from != to {
		if _, err := os.Lstat(to); err == nil {
			return nil // it was here before
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		if err := name(from, to); err != nil {
			return x.taken(err, to)
		}
		if err := os.Remove(from); err != nil {
			return err
		}
		_ = os.Remove(filepath.Dir(from)) // when it is empty now
	}
	if len(f.Rewrites()) == 0 {
		_, err := os.Stat(to)
		return err
	}
	data, err := os.ReadFile(to)
	if err != nil {
		return err
	}
	data, err = x.rewrite(data, f, root, paths)
	if err != nil {
		return err
	}
	temp := filepath.Join(filepath.Dir(to), tempName())
	if err := os.WriteFile(temp, data, 0o600); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return os.Rename(temp, to)
}
