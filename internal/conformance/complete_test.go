package conformance

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine"
)

// plain are the samples that show nothing but what was said: early stages of the
// scenario, sessions that were written by hand or imported.
var plain = []struct{ harness, path string }{
	{"claude-code", "written/after-resume/.claude/projects/*/*.jsonl"},
	{"claude-code", "written/before-resume/.claude/projects/*/*.jsonl"},
	{"cline", "foreign-after-resume/.cline/data/sessions/*/*.messages.json"},
	{"cline", "foreign-after-resume-sdk/.cline/data/sessions/*/*.messages.json"},
	{"cline", "foreign-written/.cline/data/sessions/*/*.messages.json"},
	{"cline", "t1/.cline/data/sessions/*/*.messages.json"},
	{"cline", "t2/.cline/data/sessions/*/*.messages.json"},
	{"codex", "handwritten-full/.codex/sessions/*/*/*/*.jsonl"},
	{"codex", "handwritten-minimal/.codex/sessions/*/*/*/*.jsonl"},
	{"codex", "handwritten-paginated/.codex/sessions/*/*/*/*.jsonl"},
	{"copilot", "handwritten/.copilot/session-state/*/events.jsonl"},
	{"copilot", "handwritten/after-resume/events.jsonl"},
	{"copilot", "semantic-import/events-after-resume.jsonl"},
	{"copilot", "semantic-import/imported-session/events.jsonl"},
	{"copilot", "semantic-import/input.jsonl"},
	{"cursor", "minimal/.cursor/acp-sessions/*/store.db"},
	{"droid", ".factory/sessions/*/2c0efeb7-*.jsonl"},
	{"droid", ".factory/sessions/*/ae7b34df-*.jsonl"},
	{"gemini-cli", "main-after-t1/.gemini/tmp/project/chats/*10-33-de06ba1f.jsonl"},
	{"gemini-cli", "main-after-t2/.gemini/tmp/project/chats/*10-33-de06ba1f.jsonl"},
	{"gemini-cli", "v0.25.0-after-t1/.gemini/tmp/*/chats/*1c10312a.json"},
	{"gemini-cli", "v0.25.0-after-t2/.gemini/tmp/*/chats/*1c10312a.json"},
	{"grok", "fork/.grok/sessions/*/01a22bff-1d30-*"},
	{"grok", "handwritten-both/.grok/sessions/*/0199a213-*"},
	{"grok", "handwritten-updates/.grok/sessions/*/0199a213-*"},
	{"kimi", "kimi-code/.kimi-code/sessions/*/session_ca5f3bfc-*/agents/agent-0/wire.jsonl"},
	{"omp", "written/full.after-resume.jsonl"},
	{"omp", "written/o-slot.after-resume.jsonl"},
	{"omp", "written/o-slot.jsonl"},
	{"omp", "written/v1.after-resume.jsonl"},

	{"opencode", "extras/exports/fork_source.json"},
	{"opencode", "imported/export-after-import.json"},
	{"opencode", "imported/export-after-resume.json"},
	{"opencode", "imported/import.json"},
	{"opencode", "legacy-1.1.65/.local/share/opencode/storage/session/global/*.json"},
	{"opencode", "legacy-1.1.65/export.json"},
	{"opencode", "main/exports/after-t1.json"},
	{"pi", "written/custommsg.jsonl"},
	{"pi", "written/full.after-resume.jsonl"},
	{"pi", "written/full.jsonl"},
	{"pi", "written/system.after-resume.jsonl"},
	{"pi", "written/system.jsonl"},
	{"pi", "written/v1.after-resume.jsonl"},
	{"pi", "written/v1.jsonl"},
}

func TestPlain(t *testing.T) {
	for _, p := range plain {
		for name, view := range views {
			s := sample{harness: p.harness, path: p.path}
			t.Run(s.String()+"/"+name, func(t *testing.T) {
				read, err := s.read(t, view)
				if err != nil {
					t.Fatal(err)
				}
				if len(read.Hazards) > 0 {
					t.Errorf("hazards %v", read.Hazards)
				}
			})
		}
	}
}

// empty are what a mapping recognises and in which nothing was said, or what is a
// part of a session that is read from another file.
var empty = []struct{ harness, path string }{
	{"cline", "*/.cline/data/sessions/*/*.compaction.json"},
	{"fx", "schema3-manifest-only/.fx/sessions/*"},
	{"fx", "schema3-manifest-only/.fx/sessions/*/session.json"},
	{"gemini-cli", "main-after-*/.gemini/tmp/project/chats/*10-3[68]-de06ba1f.jsonl"}, // resumes
	{"omp", "extra/sub/*/DoubleWildfowl.jsonl"},                                       // a header
	{"openclaw", "sqlite-*/transcript_events.decoded.jsonl"},                          // the rows of the database
	{"opencode", "extras/.local/share/opencode/opencode.db"},                          // its sessions are the exports
}

// TestEverySample wants every session among the samples looked at for hazards, be
// it that it has none.
func TestEverySample(t *testing.T) {
	c, err := engine.NewCatalog()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	note := func(harness, path string) {
		path, _, _ = strings.Cut(path, "#")
		found, err := filepath.Glob(filepath.Join(samples(t), harness, filepath.FromSlash(path)))
		if err != nil || len(found) == 0 {
			t.Errorf("no sample %s/%s: %v", harness, path, err)
		}
		for _, f := range found {
			known[f] = true
		}
	}
	for _, h := range hazardous {
		note(h.harness, h.path)
	}
	for _, s := range scenarios {
		note(s.harness, s.path)
	}
	for _, p := range append(plain, empty...) {
		note(p.harness, p.path)
	}
	// A folder that is a session has its files in it, and one of these its folder.
	looked := func(path string) bool {
		for at := path; len(at) > len(samples(t)); at = filepath.Dir(at) {
			if known[at] {
				return true
			}
		}
		info, err := os.Stat(path)
		below, _ := filepath.Glob(filepath.Join(path, "*"))
		agents, _ := filepath.Glob(filepath.Join(path, "agents", "*", "*"))
		for _, p := range append(below, agents...) {
			if err == nil && info.IsDir() && known[p] {
				return true
			}
		}
		return false
	}
	harnesses, err := os.ReadDir(samples(t))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, h := range harnesses {
		m, err := c.Open(h.Name())
		if err != nil {
			continue
		}
		err = filepath.WalkDir(filepath.Join(samples(t), h.Name()), func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			is := false
			if e.IsDir() {
				is = m.ReadsFolders() && m.Recognises(engine.Folder(path))
			} else if in, done, err := engine.OpenInput(path); err == nil {
				is = m.Recognises(in)
				_ = done()
			}
			if !is {
				return nil
			}
			count++
			dir := filepath.Dir(path)
			partOf := m.ReadsFolders() && m.Recognises(engine.Folder(dir)) && looked(dir)
			if !looked(path) && !partOf {
				t.Errorf("%s is not looked at", path)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if count < 150 {
		t.Errorf("%d sessions", count)
	}
}
