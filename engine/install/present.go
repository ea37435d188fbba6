package install

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/render"
)

// present looks for the session anywhere in the program's store. The state is ""
// when it is not there; the error is a *[ConflictError] when something else has
// its name.
func (x *Export) present(ctx context.Context, on Machine, paths []string) (State, error) {
	found, err := x.search(ctx, on.Root, paths)
	if err != nil || len(found) == 0 {
		return "", err
	}
	state := Already
	for i, f := range x.Manifest.Files {
		best := missing
		for _, path := range found {
			r, err := x.compare(x.counterpart(path, paths[i]), f, on.Root, paths)
			if err != nil {
				return "", err
			}
			best = max(best, r)
		}
		switch best {
		case equal:
		case longer:
			state = Resumed
		default:
			if x.continued(ctx, x.counterpart(found[0], paths[0])) {
				return Resumed, nil
			}
			return "", &ConflictError{found[0], x.Manifest.Target.SessionID}
		}
	}
	return state, nil
}

// continued reports whether the session in a file begins with what was exported,
// though its bytes do not.
func (x *Export) continued(ctx context.Context, path string) bool {
	there, err := x.load(ctx, path)
	if err != nil {
		return false
	}
	defer there.Close()
	ours, err := x.load(ctx, filepath.Join(x.Dir, filepath.FromSlash(x.Manifest.Files[0].Path)))
	if err != nil {
		return false
	}
	defer ours.Close()
	return convert.Begins(there.Session, ours.Session)
}

// counterpart is the file that a path has, below another file or folder that is
// named after the session.
func (x *Export) counterpart(found, path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if strings.Contains(part, x.Manifest.Target.SessionID) {
			return filepath.Join(append([]string{found}, parts[i+1:]...)...)
		}
	}
	return found
}

// search finds what is named after the session in the folders of the store.
func (x *Export) search(ctx context.Context, root string, paths []string) ([]string, error) {
	var found []string
	for _, folder := range append(x.folders(paths), x.Mapping.Write.Also...) {
		err := filepath.WalkDir(filepath.Join(root, filepath.FromSlash(folder)), func(path string, e fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil && e != nil && e.IsDir():
				return filepath.SkipDir // it is not there, or not ours to look at
			case err != nil:
				return nil
			case strings.HasPrefix(e.Name(), tempPrefix):
				if e.IsDir() {
					return filepath.SkipDir
				}
				return nil
			case strings.Contains(e.Name(), x.Manifest.Target.SessionID):
				found = append(found, path)
				if e.IsDir() {
					return filepath.SkipDir
				}
			}
			return nil
		})
		if err != nil && !os.IsNotExist(err) {
			return nil, err
		}
	}
	return found, nil
}

// folders are where all sessions of the harness are: the beginnings that the
// paths of its files have in common, whatever the session.
func (x *Export) folders(paths []string) []string {
	other, err := render.Paths(x.Mapping, render.Place{ID: "0", Cwd: "/0", Title: "0", Home: "/1", Temp: "/2"})
	if err != nil {
		return []string{"."}
	}
	var folders []string
	for i, path := range paths {
		common := []string{}
		a, b := strings.Split(path, "/"), strings.Split(other[i], "/")
		for j := 0; j < min(len(a), len(b))-1 && a[j] == b[j]; j++ {
			common = append(common, a[j])
		}
		folder := strings.Join(common, "/")
		if folder == "" {
			folder = "."
		}
		if !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	return folders
}
