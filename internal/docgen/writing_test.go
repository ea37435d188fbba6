package docgen

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine"
)

// TestWriting converts the page's session with the page's mapping, holds what is
// written against what is shown, and parses the parts of mappings below.
func TestWriting(t *testing.T) {
	yamls, jsons := blocks(writing, "yaml"), blocks(writing, "json")
	if len(yamls) < 4 || len(jsons) != 1 {
		t.Fatalf("the part has %d blocks of YAML and %d of JSON", len(yamls), len(jsons))
	}
	text := blocks(language, "yaml")[0] + "\n" + yamls[0]
	m, err := engine.Parse("chat.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Warnings) > 0 {
		t.Error(m.Warnings)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "chat.yaml"), text)
	write(t, filepath.Join(dir, "session.jsonl"), blocks(language, "json")[0])
	cmd := exec.Command(trajmap(t), "convert", "session.jsonl", "--from", "chat.yaml", "--to", "chat.yaml", "-o", "out")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(dir, "out", "sessions", "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v", files, err)
	}
	got, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(jsons[0], string(got)); diff != "" {
		t.Errorf("lines (-shown +made):\n%s", diff)
	}
	for _, part := range yamls[1:] {
		key := "document"
		if strings.HasPrefix(part, "- ") {
			key = "frames"
		}
		text := "mapping: v1\nharness: part\nread: [{format: part, native: none, frames: jsonl, do: {user: text}}]\n" +
			"write:\n  home: ~/.part\n  id: seed\n"
		in := func(by string) string { return strings.ReplaceAll(strings.TrimRight(part, "\n"), "\n", "\n"+by) + "\n" }
		if of, _, _ := strings.Cut(part, ":"); of == "prepare" || of == "blocks" || of == "before" {
			text += "  " + in("  ")
		} else {
			text += "  files:\n    - path: a\n      " + key + ":\n        " + in("        ")
		}
		m, err := engine.Parse("part.yaml", []byte(text))
		if err != nil {
			t.Errorf("%v\n%s", err, part)
			continue
		}
		if len(m.Warnings) > 1 { // the editor's line is missing
			t.Errorf("%v\n%s", m.Warnings, part)
		}
	}
}

// TestWrittenPages wants each target's page to say how it is written, with its
// file and command.
func TestWrittenPages(t *testing.T) {
	catalog, err := engine.NewCatalog()
	if err != nil {
		t.Fatal(err)
	}
	targets := 0
	for _, e := range catalog.Entries() {
		p, err := newPage(root, e)
		if err != nil {
			t.Fatal(err)
		}
		text := string(p.markdown())
		has := strings.Contains(text, "## How it is written")
		if has != (p.m.Write != nil) {
			t.Errorf("%s: the page says how it is written: %t, the mapping: %t", e.Name, has, p.m.Write != nil)
		}
		if p.m.Write == nil {
			continue
		}
		targets++
		for _, f := range p.m.Write.Files {
			if !strings.Contains(text, "The file "+p.template(f.Path)) {
				t.Errorf("%s: the page does not name the file %s", e.Name, p.template(f.Path))
			}
		}
		if r := p.m.Resume; r != nil && !strings.Contains(text, p.command(r.Argv)) {
			t.Errorf("%s: the page does not show the command %s", e.Name, p.command(r.Argv))
		}
	}
	if targets == 0 {
		t.Error("no page says how a harness is written")
	}
}
