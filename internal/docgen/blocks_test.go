package docgen

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine"
)

var block = regexp.MustCompile("(?ms)^```(\\w+)[^\n]*\n(.*?)^```$")

// blocks are a page's fenced blocks of a type.
func blocks(text, kind string) (list []string) {
	for _, m := range block.FindAllStringSubmatch(text, -1) {
		if m[1] == kind {
			list = append(list, m[2])
		}
	}
	return list
}

// TestLanguage checks the mapping that the page begins with, holds its records
// against those shown, and parses the parts of mappings below it.
func TestLanguage(t *testing.T) {
	yamls, jsons := blocks(language, "yaml"), blocks(language, "json")
	if len(yamls) < 5 || len(jsons) != 2 {
		t.Fatalf("the page has %d blocks of YAML and %d of JSON", len(yamls), len(jsons))
	}
	m, err := engine.Parse("chat.yaml", []byte(yamls[0]))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Warnings) > 0 {
		t.Error(m.Warnings)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "chat.yaml"), yamls[0])
	write(t, filepath.Join(dir, "session.jsonl"), jsons[0])
	cmd := exec.Command(trajmap(t), "apply", "chat.yaml", "session.jsonl")
	cmd.Dir = dir
	got, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	if diff := cmp.Diff(jsons[1], string(got)); diff != "" {
		t.Errorf("records (-shown +made):\n%s", diff)
	}
	for _, part := range yamls[1:] {
		text := "mapping: v1\nharness: part\nread:\n  - format: part\n    native: none\n    frames: jsonl\n    " +
			strings.ReplaceAll(strings.TrimRight(part, "\n"), "\n", "\n    ") + "\n"
		if _, err := engine.Parse("part.yaml", []byte(text)); err != nil {
			t.Errorf("%v\n%s", err, part)
		}
	}
}

// clone is a repository of one mapping, with its golden cases and sessions.
func clone(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for to, from := range map[string]string{"testdata/pi": "testdata/pi", "sessions": "testdata/pi/scenario"} {
		if err := os.CopyFS(filepath.Join(dir, to), os.DirFS(filepath.Join(root, from))); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(root + "/mappings/pi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "mappings"), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "mappings/pi.yaml"), string(text))
	return dir
}

// shell runs a command; what installs trajmap does nothing.
func shell(t *testing.T, dir, command string) (string, error) {
	t.Helper()
	trajmap(t)
	cmd := exec.Command("sh", "-e", "-c", "go() { :; }\n"+command)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestWorkflow runs the commands of the README's workflow: on a repository that
// is in order, and on one that is not.
func TestWorkflow(t *testing.T) {
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Run  string         `yaml:"run"`
				Uses string         `yaml:"uses"`
				With map[string]any `yaml:"with"`
			}
		}
	}
	snippet(t, ".github/workflows", &workflow)
	good, bad := clone(t), clone(t)
	replace(t, filepath.Join(bad, "mappings/pi.yaml"), "user: = text(content)", "user: = txt(content)")
	replace(t, filepath.Join(bad, "sessions/input.jsonl"), `"role":"toolResult"`, `"role":"toolOutput"`)
	commands := 0
	for _, job := range workflow.Jobs {
		for _, step := range job.Steps {
			if step.Run == "" {
				continue
			}
			if path, ok := strings.CutPrefix(step.Run, "go install "); ok {
				installs(t, path)
				continue
			}
			commands++
			if out, err := shell(t, good, step.Run); err != nil {
				t.Errorf("%s: %v\n%s", step.Run, err, out)
			}
			if out, err := shell(t, bad, step.Run); err == nil {
				t.Errorf("%s finds nothing wrong\n%s", step.Run, out)
			}
		}
	}
	if commands < 4 {
		t.Errorf("the workflow has %d commands only", commands)
	}
	if sarif, err := os.ReadFile(filepath.Join(bad, "mappings.sarif")); err != nil || !bytes.Contains(sarif, []byte(`"ruleId": "TM0201"`)) {
		t.Errorf("mappings.sarif: %v\n%s", err, sarif)
	}
}

// TestHooks runs the README's hooks as pre-commit would, with the files that
// match.
func TestHooks(t *testing.T) {
	var config struct {
		Repos []struct {
			Hooks []struct {
				ID    string   `yaml:"id"`
				Entry string   `yaml:"entry"`
				Files string   `yaml:"files"`
				Pass  *bool    `yaml:"pass_filenames"`
				Deps  []string `yaml:"additional_dependencies"`
			}
		}
	}
	snippet(t, ".pre-commit-config", &config)
	good, bad := clone(t), clone(t)
	replace(t, filepath.Join(bad, "mappings/pi.yaml"), "user: = text(content)", "user: = txt(content)")
	hooks := 0
	for _, hook := range config.Repos[0].Hooks {
		hooks++
		for _, path := range hook.Deps {
			installs(t, path)
		}
		const changed = "mappings/pi.yaml"
		if !regexp.MustCompile(hook.Files).MatchString(changed) {
			t.Errorf("%s does not look at %s", hook.ID, changed)
		}
		command := hook.Entry
		if hook.Pass == nil || *hook.Pass {
			command += " " + changed
		}
		if out, err := shell(t, good, command); err != nil {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
		if out, err := shell(t, bad, command); err == nil {
			t.Errorf("%s finds nothing wrong\n%s", command, out)
		}
	}
	if hooks != 2 {
		t.Errorf("%d hooks, want 2", hooks)
	}
}

// snippet decodes the README's block of YAML whose first line has a name.
func snippet(t *testing.T, name string, to any) {
	t.Helper()
	for _, text := range blocks(markdown(t)["README.md"], "yaml") {
		if first, _, _ := strings.Cut(text, "\n"); strings.Contains(first, name) {
			if err := yaml.Unmarshal([]byte(text), to); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatalf("the README has no block %s", name)
}

// installs wants a path of `go install` to be that of the program.
func installs(t *testing.T, path string) {
	t.Helper()
	mod, err := os.ReadFile(root + "/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	module := strings.Fields(string(mod))[1]
	pkg, _, _ := strings.Cut(path, "@")
	dir, ok := strings.CutPrefix(pkg, module+"/")
	if _, err := os.Stat(filepath.Join(root, dir, "main.go")); !ok || err != nil {
		t.Errorf("%s is no program of %s", path, module)
	}
}

func replace(t *testing.T, path, old, text string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, []byte(old)) {
		t.Fatalf("%s does not hold %s", path, old)
	}
	write(t, path, strings.ReplaceAll(string(data), old, text))
}
