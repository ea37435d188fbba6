package docgen

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Write brings generated files below a root up to date and removes pages of
// harnesses that are no more. It gives the files that it changed.
func Write(root string, files map[string][]byte) (changed []string, err error) {
	if changed, err = differing(root, files); err != nil {
		return nil, err
	}
	for _, name := range changed {
		path, text := filepath.Join(root, filepath.FromSlash(name)), files[name]
		if text == nil {
			err = os.Remove(path)
		} else if err = os.MkdirAll(filepath.Dir(path), 0o777); err == nil {
			err = os.WriteFile(path, text, 0o666)
		}
		if err != nil {
			return nil, err
		}
	}
	return changed, nil
}

// Current is an error when a file below a root is not what [Files] gives.
func Current(root string, files map[string][]byte) error {
	old, err := differing(root, files)
	if err == nil && len(old) > 0 {
		err = fmt.Errorf("not current: %s (go generate ./... writes them)", strings.Join(old, ", "))
	}
	return err
}

// differing are the files that Write would change, in the order of their names.
func differing(root string, files map[string][]byte) (list []string, err error) {
	for name, text := range files {
		old, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil || !bytes.Equal(old, text) {
			list = append(list, name)
		}
	}
	pages, err := fs.Glob(os.DirFS(root), "docs/harness/*.md")
	if err != nil {
		return nil, err
	}
	for _, name := range pages {
		if files[name] == nil {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list, nil
}
