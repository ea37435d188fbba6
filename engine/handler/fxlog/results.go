package fxlog

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"unicode/utf8"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/value"
)

// results are the files with what tools gave.
type results struct {
	root  *os.Root // nil: the log has no folder
	limit int64
	buf   []byte
}

const folder = "tool-results"

// keep is how much memory is kept for the next result.
const keep = 1 << 20

func openResults(in *frame.Input, limit int64) (*results, error) {
	r := &results{limit: limit}
	if in.Name == "" || in.Name == "-" {
		return r, nil
	}
	// Of an input in memory there is no folder either.
	if _, err := os.Stat(in.Name); err != nil {
		return r, nil
	}
	var err error
	r.root, err = os.OpenRoot(filepath.Dir(in.Name))
	return r, err
}

func (r *results) close() error {
	if r.root == nil {
		return nil
	}
	return r.root.Close()
}

// fileName is how the files may be called: nothing that leads anywhere else.
var fileName = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}$`)

// hashed is how the program calls them: the tool, and the beginnings of the
// SHA-256 of the call's id and of the content.
var hashed = regexp.MustCompile(`^result-.*-([0-9a-f]{16})-([0-9a-f]{16})\.txt$`)

// text is what a tool gave. It is valid until the next call. known spares the
// look at the hashes.
func (r *results) text(e event, known bool) (text []byte, tooBig bool, err error) {
	ref := e.payload.Get("artifact_ref")
	size, sized := e.payload.Get("stored_bytes").Int()
	if ref.Kind() != value.String {
		if size > 0 {
			return nil, false, faultf(e.line, "the result has %d bytes and no file", size)
		}
		return nil, false, nil
	}
	name := ref.Str()
	if !fileName.MatchString(name) {
		return nil, false, faultf(e.line, "the result's file has a name that is not one in %s: %.80q", folder, name)
	}
	f, err := r.open(e, name)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, false, err
	}
	if sized && info.Size() != size {
		return nil, false, faultf(e.line, "the result's file has %d bytes and should have %d: %s", info.Size(), size, name)
	}
	if info.Size() > r.limit {
		return nil, true, nil
	}
	if int64(cap(r.buf)) < info.Size() || cap(r.buf) > keep {
		r.buf = make([]byte, info.Size())
	}
	text = r.buf[:info.Size()]
	if _, err := io.ReadFull(f, text); err != nil {
		return nil, false, faultf(e.line, "the result's file changed while it was read: %s", name)
	}
	if !utf8.Valid(text) {
		return nil, false, faultf(e.line, "the result's file is not UTF-8: %s", name)
	}
	if m := hashed.FindStringSubmatch(name); m != nil && !known {
		if m[1] != half(e.payload.Get("call_id").Str()) {
			return nil, false, faultf(e.line, "the result's file belongs to another call: %s", name)
		}
		if m[2] != half(string(text)) {
			return nil, false, faultf(e.line, "the result's file has another content than its name says: %s", name)
		}
	}
	return text, false, nil
}

// half is the beginning of a hash.
func half(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}

// open opens the file of a result. It is a file of its own in its folder: no link
// leads to it, and it is nothing that would have to be waited for.
func (r *results) open(e event, name string) (*os.File, error) {
	if r.root == nil {
		return nil, faultf(e.line, "the result is in a file beside the log (read the log from its folder)")
	}
	path := filepath.Join(folder, name)
	for _, part := range []struct {
		at   string
		want fs.FileMode
	}{{folder, fs.ModeDir}, {path, 0}} {
		info, err := r.root.Lstat(part.at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, faultf(e.line, "the result's file is missing: %s", path)
		case err != nil:
			return nil, err
		case info.Mode().Type() != part.want:
			return nil, faultf(e.line, "the result's file is a link, or none at all: %s", path)
		}
	}
	return r.root.Open(path)
}
