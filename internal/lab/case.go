package lab

import (
	"context"
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
