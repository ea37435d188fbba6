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
)

// scenarios are the golden cases, by harness, in which the real program of each
// told the same story: files listed and read, a file written, a command that
// fails, a long result.
var scenarios = []struct{ source, folder string }{
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
	{"kimi", "shared"},
	{"letta-code", "transcript"},
	{"omp", "scenario"},
	{"opencode", "scenario"},
	{"openhands", "shared"},
	{"pi", "scenario"},
}

// Told is a session that is to be carried to a program.
type Told struct {
	From   string // its harness, or who tells it
	Name   string // of the session among those
	Source *convert.Source
	Allow  []string // hazards that it has and that are carried
}

// unanswered are the hazards of sources that record calls without results.
var unanswered = []string{"missing_result", "in_flight_call"}

// Sources loads what is carried to every program: the stories told here, and the
// scenario of every harness. root is the repository.
func Sources(ctx context.Context, root string) ([]Told, error) {
	out := []Told{tell("edge", edge), tell("torture", torture)}
	for _, sc := range scenarios {
		source, err := scenario(ctx, root, sc.source, sc.folder)
		if err != nil {
			return nil, fmt.Errorf("scenario of %s: %w", sc.source, err)
		}
		out = append(out, Told{sc.source, "scenario", source, unanswered})
	}
	return out, nil
}

func scenario(ctx context.Context, root, source, folder string) (*convert.Source, error) {
	cases, err := golden.Find(filepath.Join(root, "testdata", source), regexp.MustCompile("^"+regexp.QuoteMeta(folder)+"$"))
	if err != nil {
		return nil, err
	}
	if len(cases) != 1 {
		return nil, fmt.Errorf("there is no golden case %s", folder)
	}
	return Load(ctx, source, filepath.Join(cases[0].Dir, filepath.FromSlash(cases[0].Input)))
}

// Load loads a session of a harness from a file or folder.
func Load(ctx context.Context, harness, path string) (*convert.Source, error) {
	m, err := engine.Open(harness)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	in := engine.Folder(path)
	if !info.IsDir() {
		var closer func() error
		if in, closer, err = engine.OpenInput(path); err != nil {
			return nil, err
		}
		defer closer()
	}
	return convert.Load(ctx, m.Mapping, in, convert.Options{Cwd: project, Allow: unanswered})
}
