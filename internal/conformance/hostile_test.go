package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// sampleFiles are the files among a harness's samples whose names end so.
func sampleFiles(t *testing.T, harness string, endings ...string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(samples(t), harness), func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && slices.Contains(endings, filepath.Ext(path)) {
			list = append(list, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// harnesses are those with samples and a mapping.
func harnesses(t *testing.T) map[string]*engine.Mapping {
	t.Helper()
	c, err := engine.NewCatalog()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*engine.Mapping{}
	for _, e := range c.Entries() {
		if info, err := os.Stat(filepath.Join(samples(t), e.Name)); err != nil || !info.IsDir() {
			continue
		}
		if found[e.Name], err = e.Open(); err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// survives reads an input in both views. Whatever it holds, an error is one that
// names its code; the function says whether anything could be read.
func survives(t *testing.T, m *engine.Mapping, in *engine.Input) bool {
	t.Helper()
	good := false
	for name, view := range views {
		_, err := m.ReadAll(t.Context(), in, engine.Options{View: view, Normalize: normalize.Options{NoRoles: true}})
		var fault *trajectory.Error
		switch {
		case err == nil:
			good = true
		case !errors.As(err, &fault):
			t.Errorf("%s view: an error without a code: %v", name, err)
		case fault.Message == "":
			t.Errorf("%s view: %s says nothing", name, fault.Code)
		}
	}
	return good
}

// TestDamagedDatabases gives every mapping that reads databases broken ones. They
// are left as they were, with nothing beside them.
func TestDamagedDatabases(t *testing.T) {
	const page = 4096
	noise := rand.NewChaCha8([32]byte{1})
	random := func(n int) []byte {
		b := make([]byte, n)
		_, _ = noise.Read(b)
		return b
	}
	damages := []struct {
		name string
		do   func(db []byte) []byte
		dead bool // nothing can be read
	}{
		{"no bytes", func([]byte) []byte { return nil }, true},
		{"a page of zeros", func([]byte) []byte { return make([]byte, page) }, true},
		{"half a header", func(db []byte) []byte { return db[:50] }, true},
		{"a header alone", func(db []byte) []byte { return db[:100] }, true},
		{"the first page", func(db []byte) []byte { return db[:page] }, true},
		{"half of it", func(db []byte) []byte { return db[:len(db)/2/page*page] }, false},
		{"cut within a page", func(db []byte) []byte { return db[:len(db)-page/2] }, false},
		{"without its last page", func(db []byte) []byte { return db[:len(db)-page] }, false},
		{"encrypted", func(db []byte) []byte { return random(len(db)) }, true},
		{"encrypted but for the header", func(db []byte) []byte { return append(bytes.Clone(db[:100]), random(len(db)-100)...) }, true},
		{"a page of noise in it", func(db []byte) []byte {
			db = bytes.Clone(db)
			copy(db[page:], random(page))
			return db
		}, false},
		{"text", func([]byte) []byte { return []byte("SQLite format 3 is not what this is\n") }, true},
		{"JSON", func([]byte) []byte { return []byte(`{"SQLite format 3":[]}`) }, true},
		{"a page size of nought", func(db []byte) []byte {
			db = bytes.Clone(db)
			db[16], db[17] = 0, 0
			return db
		}, true},
	}
	databases := map[string][]byte{} // one of each harness
	all := harnesses(t)
	for name := range all {
		for _, path := range sampleFiles(t, name, ".db", ".sqlite") {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			databases[name] = data
		}
	}
	if len(databases) == 0 {
		t.Fatal("there are no databases")
	}
	for name, db := range databases {
		t.Run(name, func(t *testing.T) {
			check := func(what string, data []byte, dead bool) {
				t.Run(what, func(t *testing.T) {
					dir := t.TempDir()
					path := filepath.Join(dir, "store.db")
					if err := os.WriteFile(path, data, 0o600); err != nil {
						t.Fatal(err)
					}
					in, done, err := engine.OpenInput(path)
					if err != nil {
						t.Fatal(err)
					}
					defer func() { _ = done() }()
					m := all[name]
					if survives(t, m, in) && dead {
						t.Error("it was read")
					}
					m.Recognises(in)
					if _, err := m.Sessions(in); err != nil {
						var fault *trajectory.Error
						if !errors.As(err, &fault) {
							t.Errorf("the list of sessions: an error without a code: %v", err)
						}
					}
					if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, data) {
						t.Errorf("the database has changed: %v", err)
					}
					if left, _ := os.ReadDir(dir); len(left) != 1 {
						t.Errorf("%d files are where one was", len(left))
					}
				})
			}
			for _, d := range damages {
				check(d.name, d.do(db), d.dead)
			}
			for other, db := range databases {
				if other != name {
					check("of "+other, db, true)
				}
			}
		})
	}
}

// TestMangledSamples reads sessions that were cut, bent and stirred.
func TestMangledSamples(t *testing.T) {
	const rounds, most = 6, 100 << 10
	for name, m := range harnesses(t) {
		t.Run(name, func(t *testing.T) {
			seed := uint64(0)
			for _, path := range sampleFiles(t, name, ".json", ".jsonl") {
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if len(text) > most || len(text) == 0 || !m.Recognises(engine.Bytes(path, text)) {
					continue
				}
				for range rounds {
					seed++
					mangled, how := mangle(text, rand.New(rand.NewPCG(seed, 0)))
					// Under a name of its own: nothing stands beside it.
					in := engine.Bytes(filepath.Join(t.TempDir(), filepath.Base(path)), mangled)
					survives(t, m, in)
					if t.Failed() {
						t.Fatalf("%s, seed %d: %s", path, seed, how)
					}
				}
			}
			if seed == 0 && readsJSON(m.Mapping) {
				t.Error("no sample was recognised")
			}
		})
	}
}

func readsJSON(m *mapping.Mapping) bool {
	return slices.ContainsFunc(m.Formats, func(f *mapping.Format) bool { return f.Frames.Lines || f.Frames.JSON != nil })
}

// mangle damages a text in one way or several.
func mangle(text []byte, r *rand.Rand) (out []byte, how string) {
	out = bytes.Clone(text)
	span := func() (from, to int) {
		from = r.IntN(len(out))
		return from, min(len(out), from+1+r.IntN(200))
	}
	replacements := []string{"null", "[]", "{}", `""`, "-1", "1e999", "true", "99999999999999999999", strings.Repeat("[", 500)}
	for range 1 + r.IntN(3) {
		if len(out) == 0 {
			break
		}
		from, to := span()
		switch n := r.IntN(7); n {
		case 0:
			out, how = out[:from], how+fmt.Sprintf(" cut at %d", from)
		case 1:
			out[from], how = byte(r.IntN(256)), how+fmt.Sprintf(" another byte at %d", from)
		case 2:
			out, how = slices.Delete(out, from, to), how+fmt.Sprintf(" without %d to %d", from, to)
		case 3:
			out, how = slices.Insert(out, from, bytes.Clone(out[from:to])...), how+fmt.Sprintf(" %d to %d twice", from, to)
		case 4:
			lines := bytes.SplitAfter(out, []byte("\n"))
			r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
			out, how = bytes.Join(lines, nil), how+" lines stirred"
		default: // a value is another one
			at := bytes.IndexByte(out[from:], ':')
			if at < 0 {
				continue
			}
			at += from + 1
			end := at
			for end < len(out) && !bytes.ContainsRune([]byte(",}]\n"), rune(out[end])) {
				end++
			}
			with := replacements[r.IntN(len(replacements))]
			out, how = slices.Replace(out, at, end, []byte(with)...), how+fmt.Sprintf(" %.10q at %d", with, at)
		}
	}
	return out, how
}
