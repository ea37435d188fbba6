package survival

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

// sessions name the golden case that stands for each source: where there is one,
// the story that the real program of each told, with files listed and read, a
// file written, a command that fails, a long result. Records have what targets
// differ in.
var sessions = map[string]string{
	"atif":        "v1.0",
	"claude-code": "shared-2.1",
	"cline":       "scenario",
	"codex":       "paginated-0.171",
	"copilot":     "scenario",
	"cursor":      "store-scenario",
	"deepagents":  "scenario",
	"droid":       "scenario",
	"fx":          "scenario",
	"gemini-cli":  "scenario",
	"grok":        "shared",
	"hermes":      "export",
	"kimi":        "shared",
	"letta-code":  "transcript",
	"omp":         "scenario",
	"openclaw":    "log",
	"opencode":    "scenario",
	"openhands":   "shared",
	"pi":          "scenario",
	"trajectory":  "hard",
}

// project is where the sessions that do not say so are taken to have worked.
const project = "/home/dev/project"

// load loads the session that stands for a source. The caller closes it.
func load(ctx context.Context, root, harness string) (*convert.Source, error) {
	name := sessions[harness]
	if name == "" {
		return nil, fmt.Errorf("no session stands for %s: name a golden case", harness)
	}
	cases, err := golden.Find(filepath.Join(root, "testdata", harness), regexp.MustCompile("^"+regexp.QuoteMeta(name)+"$"))
	if err != nil {
		return nil, err
	}
	if len(cases) != 1 {
		return nil, fmt.Errorf("testdata/%s has no case %s", harness, name)
	}
	m, err := engine.Open(harness)
	if err != nil {
		return nil, err
	}
	return read(ctx, m, filepath.Join(cases[0].Dir, filepath.FromSlash(cases[0].Input)))
}

// read reads a session of a file or folder.
func read(ctx context.Context, m *engine.Mapping, path string) (*convert.Source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	in := engine.Folder(path)
	if !info.IsDir() {
		var done func() error
		if in, done, err = engine.OpenInput(path); err != nil {
			return nil, err
		}
		defer done()
	}
	// A store that holds several gives the one used last; what it lacks is made up
	// for, and counted.
	s, err := convert.Load(ctx, m.Mapping, in, convert.Options{Allow: unanswered})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if s.Session.Cwd == "" {
		s.Session.Cwd = project
	}
	return s, nil
}

// unanswered are the hazards of sources that record calls without results.
var unanswered = []string{"missing_result", "in_flight_call"}
