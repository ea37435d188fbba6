package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/trajmap/trajmap/engine/manifest"
)

// convertCmd writes a session as another harness's files.
type convertCmd struct {
	carry

	Out string `short:"o" name:"output" required:"" placeholder:"DIR" help:"Folder for the files, which appears only when all is done."`
}

// Run converts the session.
func (c *convertCmd) Run(ctx context.Context, w *World) (err error) {
	dir, err := newFolder(c.Out)
	if err != nil {
		return err
	}
	defer dir.close()
	r, m, err := c.write(ctx, w, dir.temp)
	if r != nil {
		defer r.Close()
	}
	if err != nil {
		return c.failed(w, r, err)
	}
	if err := dir.publish(); err != nil {
		return err
	}
	c.notes(w, m)
	w.say(origin(r, m) + " as session " + m.Target.SessionID + " of " + m.Target.Harness +
		" (trajmap prepare " + quoteArg(c.Out) + " makes it ready to be continued)")
	if c.JSON {
		return printManifest(w.Stdout, m)
	}
	for _, f := range m.Files {
		if _, err := fmt.Fprintln(w.Stdout, filepath.Join(c.Out, filepath.FromSlash(f.Path))); err != nil {
			return &outputError{err}
		}
	}
	_, err = fmt.Fprintln(w.Stdout, filepath.Join(c.Out, manifest.Name))
	return err
}

// folder is one that appears under its name when all in it is there.
type folder struct{ path, temp string }

// newFolder makes a folder. What is there already must be an empty one.
func newFolder(path string) (*folder, error) {
	list, err := os.ReadDir(path)
	switch {
	case err == nil && len(list) > 0:
		return nil, &placed{path, errors.New("is there already and not empty (nothing is overwritten: give a new folder)")}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	temp, err := os.MkdirTemp(filepath.Dir(filepath.Clean(path)), ".trajmap-*.tmp")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &placed{filepath.Dir(filepath.Clean(path)), errors.New("no such folder (make it first)")}
	}
	return &folder{filepath.Clean(path), temp}, err
}

// publish gives the folder its name.
func (f *folder) publish() error {
	if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // it has been filled meanwhile
	}
	return os.Rename(f.temp, f.path)
}

// close removes what has not been published.
func (f *folder) close() { _ = os.RemoveAll(f.temp) }
