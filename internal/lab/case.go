package lab

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/render"
	"github.com/trajmap/trajmap/internal/lab/history"
)

// Case is a session in a program's own files, with what it has to say.
type Case struct {
	Source string // harness that it comes from
	Name   string // of the session among those of its source
	ID     string // of the session at the program
	Dir    string // of the files, which lie as below the program's root
	Entry  string // the file to open it by, below Dir
	Files  []render.File
	Resume *render.Resume
	Want   []history.Entry // what the program is to send
}

// Write makes a case of a session: its files as the mapping of a program writes
// them, into dir.
func Write(ctx context.Context, to *mapping.Mapping, told Told, o render.Options, dir string) (*Case, error) {
	result, err := convert.Write(ctx, told.Source, to, convert.Options{Options: o, Allow: told.Allow}, dir)
	if err != nil {
		return nil, err
	}
	return &Case{
		Source: told.From, Name: told.Name, ID: result.Export.ID,
		Dir: dir, Entry: result.Export.Files[0].Path, Files: result.Export.Files, Resume: result.Resume, Want: history.FromSession(told.Source.Session),
	}, nil
}

// words are the words of a command with what stands in for the root and the
// prompt.
func words(argv []string, root, prompt string) []string {
	r := strings.NewReplacer(render.RootMark, root, render.PromptMark, prompt)
	out := make([]string, len(argv))
	for i, word := range argv {
		out[i] = r.Replace(word)
	}
	return out
}

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
