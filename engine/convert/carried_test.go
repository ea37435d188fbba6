package convert_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/internal/golden"
)

var update = flag.Bool("update", false, "rewrite the list of what is carried")

// planted stands for a key, a host's name, a folder elsewhere: anything that a
// program may have written somewhere in a session.
const planted = "PLANTED"

// TestCarried plants a word in one place of a session after the other, in every
// place that has a text, and lists those from which it comes into an export or
// its manifest: texts, arguments, results, and what names the session. A place
// that joins the list is read before it is accepted: nothing else of a session
// may travel.
func TestCarried(t *testing.T) {
	const list = "testdata/carried.txt"
	catalog, err := engine.NewCatalog()
	if err != nil {
		t.Fatal(err)
	}
	to, err := catalog.Open("claude-code") // it has a place for a title, a branch and a model
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range catalog.Entries() {
		from, err := e.Open()
		if err != nil {
			t.Fatal(err)
		}
		cases, err := golden.Find(filepath.Join("../../testdata", e.Name), regexp.MustCompile("^(scenario|shared|shared-2.1|paginated-0.171|conversation-scenario|records|run|checkpoint|backend|store-tools|compaction)$"))
		if err != nil {
			t.Fatal(err)
		}
		carried := map[string]bool{}
		for _, c := range cases {
			input := filepath.Join(c.Dir, filepath.FromSlash(c.Input))
			texts := documents(t, input)
			for path := range places(texts) {
				if carried[path] {
					continue
				}
				dir := t.TempDir()
				plant(t, texts, path, filepath.Join(dir, filepath.Base(input)))
				in, done := open(t, filepath.Join(dir, filepath.Base(input)))
				out := filepath.Join(dir, "out")
				if err := os.Mkdir(out, 0o700); err != nil {
					t.Fatal(err)
				}
				r, err := convert.Convert(context.Background(), from.Mapping, in, to.Mapping, convert.Options{Allow: convert.Allowable()}, out)
				_ = done()
				if err == nil {
					data, err := r.Manifest().Encode()
					if err != nil {
						t.Fatal(err)
					}
					carried[path] = bytes.Contains(data, []byte(planted)) || strings.Contains(written(t, out), planted)
				}
				if r != nil {
					r.Close()
				}
			}
		}
		for path, is := range carried {
			if is {
				got = append(got, e.Name+" "+path)
			}
		}
	}
	slices.Sort(got)
	text := strings.Join(got, "\n") + "\n"
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(list, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text); diff != "" {
		t.Errorf("other places of sessions are carried (-listed +carried; -update lists them):\n%s", diff)
	}
}

// documents are the JSON values in a file, or in the files of a folder, by the
// files' paths; nil for a file that holds something else.
func documents(t *testing.T, input string) map[string][]any {
	t.Helper()
	out := map[string][]any{}
	err := filepath.WalkDir(input, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(input, path)
		out[rel] = nil
		if ext := filepath.Ext(path); ext != ".json" && ext != ".jsonl" {
			return nil
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		d := json.NewDecoder(file)
		d.UseNumber()
		for {
			var v any
			err := d.Decode(&v)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				out[rel] = nil
				return nil
			}
			out[rel] = append(out[rel], v)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// odd is in keys that are data.
var odd = regexp.MustCompile(`[0-9/]|.{30}`)

// walk visits the texts of a value with their paths, in which lists and keys
// that are data do not count, and may replace them.
func walk(v any, path string, visit func(path, text string) string) any {
	switch v := v.(type) {
	case string:
		return visit(strings.TrimPrefix(path, "."), v)
	case []any:
		for i := range v {
			v[i] = walk(v[i], path+"[]", visit)
		}
	case map[string]any:
		for key, member := range v {
			name := key
			if odd.MatchString(key) {
				name = "*"
			}
			v[key] = walk(member, path+"."+name, visit)
		}
	}
	return v
}

func places(texts map[string][]any) map[string]bool {
	found := map[string]bool{}
	for _, list := range texts {
		for _, v := range list {
			walk(v, "", func(path, text string) string {
				found[path] = true
				return text
			})
		}
	}
	return found
}

// plant writes the files to a path, with the word behind each text at a place.
func plant(t *testing.T, texts map[string][]any, at, to string) {
	t.Helper()
	for rel, list := range texts {
		path := filepath.Join(to, rel)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		e := json.NewEncoder(&out)
		e.SetEscapeHTML(false)
		for _, v := range list {
			if err := e.Encode(walk(clone(v), "", func(path, text string) string {
				if path == at {
					text += " " + planted
				}
				return text
			})); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func clone(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = clone(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key := range v {
			out[key] = clone(v[key])
		}
		return out
	}
	return v
}
