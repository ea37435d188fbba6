package lab

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/internal/golden"
	"github.com/trajmap/trajmap/internal/lab/history"
)

// scenarios are the golden cases, by harness, in which the real program of each
// told the same story: files listed and read, a file written, a command that
// fails, a long result. What has no program has a story of its own.
var scenarios = []struct{ source, folder string }{
	{"atif", "v1.0"},
	{"claude-code", "shared-2.1"},
	{"cline", "scenario"},
	{"codex", "paginated-0.171"},
	{"copilot", "scenario"},
	{"cursor", "scenario"},
	{"deepagents", "scenario"},
	{"droid", "scenario"},
	{"fx", "scenario"},
	{"gemini-cli", "scenario"},
	{"grok", "shared"},
	{"hermes", "store"},
	{"kimi", "shared"},
	{"letta-code", "transcript"},
	{"omp", "scenario"},
	{"openclaw", "store"},
	{"opencode", "scenario"},
	{"openhands", "shared"},
	{"pi", "scenario"},
}

// Told is a session that is to be carried to a program.
type Told struct {
	From    string // its harness, or who tells it
	Name    string // of the session among those
	Mapping string // of its files
	Path    string // its file or folder, absolute
	Allow   []string
	Want    []history.Entry // what a program is to send when it goes on with it
}

// unanswered are the hazards of sources that record calls without results.
var unanswered = []string{"missing_result", "in_flight_call"}

// Sources are what is carried to every program: the stories told here, which come
// to lie in dir, and the scenario of every harness. root is the repository.
func Sources(ctx context.Context, root, dir string) ([]Told, error) {
	var out []Told
	for _, s := range stories {
		told, err := s.told(ctx, dir)
		if err != nil {
			return nil, fmt.Errorf("the story %s: %w", s.name, err)
		}
		out = append(out, told)
	}
	for _, sc := range scenarios {
		told, err := scenario(ctx, root, sc.source, sc.folder)
		if err != nil {
			return nil, fmt.Errorf("scenario of %s: %w", sc.source, err)
		}
		out = append(out, told)
	}
	return out, nil
}

func scenario(ctx context.Context, root, source, folder string) (Told, error) {
	cases, err := golden.Find(filepath.Join(root, "testdata", source), regexp.MustCompile("^"+regexp.QuoteMeta(folder)+"$"))
	if err != nil {
		return Told{}, err
	}
	if len(cases) != 1 {
		return Told{}, fmt.Errorf("there is no golden case %s", folder)
	}
	told := Told{From: source, Name: "scenario", Mapping: source, Allow: unanswered}
	if told.Path, err = filepath.Abs(filepath.Join(cases[0].Dir, filepath.FromSlash(cases[0].Input))); err != nil {
		return told, err
	}
	return told, told.read(ctx)
}

// read finds out what a program is to send of the session.
func (t *Told) read(ctx context.Context) error {
	m, err := engine.Open(t.Mapping)
	if err != nil {
		return err
	}
	info, err := os.Stat(t.Path)
	if err != nil {
		return err
	}
	in := engine.Folder(t.Path)
	if !info.IsDir() {
		var closer func() error
		if in, closer, err = engine.OpenInput(t.Path); err != nil {
			return err
		}
		defer closer()
	}
	source, err := convert.Load(ctx, m.Mapping, in, convert.Options{Cwd: project, Allow: t.Allow})
	if err != nil {
		return err
	}
	defer source.Close()
	t.Want = history.FromSession(source.Session)
	return nil
}
