package docgen

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// markdown are the project's pages, by their path below the root.
func markdown(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	add := func(path string) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		pages[filepath.ToSlash(name)] = string(text)
	}
	add(root + "/README.md")
	add(root + "/CHANGELOG.md")
	err := filepath.WalkDir(root+"/docs", func(path string, e fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" {
			add(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

var (
	linkTo   = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	headings = regexp.MustCompile(`(?m)^#+ (.+)$`)
	fenced   = regexp.MustCompile("(?ms)^```.*?^```$")
	quoted   = regexp.MustCompile("`[^`\n]*`")
)

// TestLinks follows the links of all pages.
func TestLinks(t *testing.T) {
	pages := markdown(t)
	anchors := map[string]map[string]bool{}
	for name, text := range pages {
		anchors[name] = map[string]bool{}
		for _, h := range headings.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
			if anchors[name][anchor(h[1])] {
				t.Errorf("%s: two headings %q: a link to one is ambiguous", name, h[1])
			}
			anchors[name][anchor(h[1])] = true
		}
	}
	count := 0
	for name, text := range pages {
		text = quoted.ReplaceAllString(fenced.ReplaceAllString(text, ""), "")
		for _, m := range linkTo.FindAllStringSubmatch(text, -1) {
			path, at, _ := strings.Cut(m[1], "#")
			if strings.HasPrefix(path, "https:") {
				continue
			}
			count++
			to := name
			if path != "" {
				to = filepath.ToSlash(filepath.Join(filepath.Dir(name), path))
				if _, err := os.Stat(filepath.Join(root, to)); err != nil {
					t.Errorf("%s: the link %s leads nowhere", name, m[1])
				}
			}
			if at != "" && !anchors[to]["#"+at] {
				t.Errorf("%s: the link %s leads to no heading", name, m[1])
			}
		}
	}
	if count < 100 {
		t.Errorf("found %d links only", count)
	}
}

// TestDeviations wants a case or test that exists for each deviation.
func TestDeviations(t *testing.T) {
	text := markdown(t)["docs/deviations.md"]
	goTest := regexp.MustCompile("`([a-z/]+)` (Test[A-Za-z]+)")
	rows := 0
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| Harness ") || strings.HasPrefix(line, "| --- ") {
			continue
		}
		rows++
		if len(cells) != 5 {
			t.Errorf("%d cells, want 5: %s", len(cells), line)
			continue
		}
		pins := 0
		for _, m := range regexp.MustCompile(`\[([^\]]+)\]\(\.\./testdata/([^)]+)\)`).FindAllStringSubmatch(cells[4], -1) {
			pins++
			if _, err := os.Stat(filepath.Join(root, "testdata", m[2], "expected.json")); err != nil || m[1] != m[2] {
				t.Errorf("[%s](%s) is no golden case", m[1], m[2])
			}
		}
		for _, m := range goTest.FindAllStringSubmatch(cells[4], -1) {
			pins++
			if !hasTest(t, filepath.Join(root, m[1]), m[2]) {
				t.Errorf("%s has no %s", m[1], m[2])
			}
		}
		if pins == 0 {
			t.Errorf("nothing pins: %s", line)
		}
	}
	if rows < 30 {
		t.Errorf("found %d rows only", rows)
	}
}

func hasTest(t *testing.T, dir, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
