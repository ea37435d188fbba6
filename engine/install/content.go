package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/manifest"
)

func open(path string) (*frame.Input, func() error, error) { return frame.Open(path) }

// unchanged reports an error when a file of the export is not as it was written.
func (x *Export) unchanged() error {
	for _, f := range x.Manifest.Files {
		path := filepath.Join(x.Dir, filepath.FromSlash(f.Path))
		in, err := os.Open(path)
		if err != nil {
			return err
		}
		sum := sha256.New()
		_, err = io.Copy(sum, in)
		if err = errors.Join(err, in.Close()); err != nil {
			return err
		}
		if hex.EncodeToString(sum.Sum(nil)) != f.SHA256 {
			return fmt.Errorf("%s: the file is not as it was exported (convert the session again)", path)
		}
	}
	return nil
}

// content is what a file of the export holds once it is below a root.
func (x *Export) content(f manifest.File, root string, paths []string) (io.ReadCloser, error) {
	file, err := os.Open(filepath.Join(x.Dir, filepath.FromSlash(f.Path)))
	if err != nil || len(f.Rewrites()) == 0 {
		return file, err
	}
	data, err := io.ReadAll(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	data, err = x.rewrite(data, f, root, paths)
	return io.NopCloser(bytes.NewReader(data)), err
}

// rewrite puts the root in front of the paths that a file holds.
func (x *Export) rewrite(data []byte, f manifest.File, root string, paths []string) ([]byte, error) {
	for _, name := range f.Rewrites() {
		v := gjson.GetBytes(data, name)
		if v.Type != gjson.String {
			return nil, fmt.Errorf("%s: there is no path under %s", f.Path, name)
		}
		path := v.String()
		if filepath.IsAbs(path) { // it has been here before
			continue
		}
		for i, other := range x.Manifest.Files {
			if other.Path == path {
				path = paths[i]
			}
		}
		if !filepath.IsLocal(filepath.FromSlash(path)) {
			return nil, fmt.Errorf("%s: the path under %s leads out of the folder", f.Path, name)
		}
		var err error
		if data, err = sjson.SetBytes(data, name, filepath.Join(root, filepath.FromSlash(path))); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", f.Path, name, err)
		}
	}
	return data, nil
}

// relation says how what is there stands to what would be put there.
type relation int

const (
	missing relation = iota
	different
	longer // it begins with it
	equal
)

// compare holds a file that is there against one of the export.
func (x *Export) compare(path string, f manifest.File, root string, paths []string) (relation, error) {
	there, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return missing, nil
	case err != nil:
		return different, err
	}
	defer there.Close()
	ours, err := x.content(f, root, paths)
	if err != nil {
		return different, err
	}
	defer ours.Close()
	a, b := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, errOurs := io.ReadFull(ours, a)
		m, err := io.ReadFull(there, b[:n])
		if m < n || !bytes.Equal(a[:n], b[:m]) {
			return different, nil
		}
		switch {
		case errOurs == io.EOF || errOurs == io.ErrUnexpectedEOF:
			if m, _ := there.Read(b[:1]); m > 0 {
				return longer, nil
			}
			return equal, nil
		case errOurs != nil:
			return different, errOurs
		case err != nil:
			return different, err
		}
	}
}
