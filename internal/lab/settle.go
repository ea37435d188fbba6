//go:build lab && linux

package lab

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// settle puts the root in front of the paths that a file has to name whole.
func settle(data []byte, keys []string, root string) ([]byte, error) {
	var doc map[string]json.RawMessage
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	for _, key := range keys {
		var path string
		if err := json.Unmarshal(doc[key], &path); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		whole, err := json.Marshal(root + "/" + path)
		if err != nil {
			return nil, err
		}
		doc[key] = whole
	}
	return json.Marshal(doc)
}

// copyTree copies the files of a folder into another.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if e.IsDir() {
			return os.MkdirAll(target, 0o700)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o600)
	})
}
