package snapshot

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/read"
)

// unnamed is the name of a session without a file, such as standard input.
const unnamed = "input"

// sidecarMost is how long a file beside a session may be to be looked at for
// secrets, in bytes.
const sidecarMost = 64 << 20

// gatherer copies a session's files below a folder, as they stand below their
// harness's home. Everything else is made of the copies: a session that is still
// written to does not change under them.
type gatherer struct {
	m     *mapping.Mapping
	in    *frame.Input
	o     read.Options
	parts []read.Part
	place place
	id    string // of the session, "" when it is not known
	dir   string

	raw         File
	attachments []File
}

// gather makes the copies.
func (g *gatherer) gather(ctx context.Context) error {
	g.attachments = nil
	for i, part := range g.parts {
		name, ok := unnamed, true
		if part.Path != unnamed {
			name, ok = g.place.name(absolute(part.Path))
		}
		if !ok || !validName(name) {
			return fmt.Errorf("%s: a file of the session is not below the home of %s", part.Path, g.m.Harness)
		}
		f := File{Name: name, Shared: g.shared(part, name)}
		if err := g.copy(ctx, part, &f); err != nil {
			return err
		}
		if i == 0 {
			g.raw = f
		} else {
			g.attachments = append(g.attachments, f)
		}
	}
	slices.SortFunc(g.attachments, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return checkNames(g.raw, g.attachments)
}

// shared reports whether a file beside the session is of the whole store: it
// stands above the session's folder, and is not named after the session.
func (g *gatherer) shared(part read.Part, name string) bool {
	if part.Role == read.Own || part.Role == read.Parent {
		return false
	}
	dir := path.Dir(strings.Join(g.place.below, "/"))
	return dir != "." && !strings.HasPrefix(name, dir+"/") && (g.id == "" || !strings.Contains(name, g.id))
}

// copy copies one file, or what of it belongs into a snapshot.
func (g *gatherer) copy(ctx context.Context, part read.Part, f *File) error {
	to := filepath.Join(g.dir, filepath.FromSlash(f.Name))
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	sum := sha256.New()
	w := &counter{w: io.MultiWriter(out, sum)}
	err = g.write(ctx, part, f, w)
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	f.SHA256, f.Bytes = hex.EncodeToString(sum.Sum(nil)), w.n
	return nil
}

func (g *gatherer) write(ctx context.Context, part read.Part, f *File, w io.Writer) error {
	if part.Pack {
		f.Encoding = Readout
		return read.WriteReadout(ctx, g.m, g.in, g.o, w)
	}
	in, done, err := g.open(part)
	if err != nil {
		return err
	}
	defer done()
	if part.Role == read.Own || part.Role == read.Parent || in.Size > sidecarMost {
		_, err = io.Copy(w, io.NewSectionReader(in, 0, in.Size))
		return err
	}
	data := make([]byte, in.Size)
	if _, err := in.ReadAt(data, 0); err != nil && err != io.EOF {
		return err
	}
	switch ext := path.Ext(f.Name); {
	case ext == ".json":
		data, f.Secrets = withoutSecrets(data)
	case ext == ".jsonl" && f.Shared && g.id != "":
		data = linesWith(data, g.id)
	}
	_, err = w.Write(data)
	return err
}

// open opens a part with the bytes that it has. What has no path is the input.
func (g *gatherer) open(part read.Part) (*frame.Input, func() error, error) {
	if part.Path == unnamed {
		return g.in, func() error { return nil }, nil
	}
	file, err := os.Open(part.Path)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "read", Path: part.Path, Err: fs.ErrInvalid}
	}
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return &frame.Input{Name: part.Path, ReaderAt: file, Size: info.Size()}, file.Close, nil
}

// linesWith are the lines of an index of many sessions that speak of one.
func linesWith(data []byte, id string) []byte {
	var out []byte
	for line := range bytes.Lines(data) {
		if bytes.Contains(line, []byte(id)) {
			out = append(out, line...)
		}
	}
	return out
}

// counter counts what is written.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

func absoluteFolder(path string) string {
	if path == "" {
		return ""
	}
	return absolute(path)
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
