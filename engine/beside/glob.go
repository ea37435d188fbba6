package beside

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// MostFiles bounds how many files a pattern may stand for.
const MostFiles = 20_000

// ErrTooMany is wrapped by the error for a pattern of more than [MostFiles].
var ErrTooMany = errors.New("too many files")

// Glob lists the regular files that a pattern stands for, with slashes, from a
// folder: names as [path.Match] has them, .. at the beginning, and as the last
// name ** for all files below. Links are not followed, and what is not there is
// no error.
func Glob(dir, pattern string) ([]string, error) {
	head, all := strings.CutSuffix(pattern, "**")
	up := ""
	for strings.HasPrefix(head, "../") {
		up, head = up+"../", head[len("../"):]
	}
	root := filepath.Join(dir, filepath.FromSlash(up))
	head = strings.TrimSuffix(head, "/")
	if head == "" {
		head = "."
	}
	var found []string
	matches, err := fs.Glob(os.DirFS(root), head)
	if err != nil {
		return nil, fmt.Errorf("the pattern %q: %w", pattern, err)
	}
	for _, name := range matches {
		err := filepath.WalkDir(filepath.Join(root, filepath.FromSlash(name)), func(at string, e fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case e.IsDir() && !all:
				return fs.SkipDir
			case !e.Type().IsRegular():
				return nil
			case len(found) == MostFiles:
				return fmt.Errorf("%s: %w: more than %d", filepath.Join(dir, filepath.FromSlash(pattern)), ErrTooMany, MostFiles)
			}
			rel, err := filepath.Rel(root, at)
			found = append(found, path.Clean(up+filepath.ToSlash(rel)))
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}
