package conformance

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/read"
)

var benchBytes = flag.Int("bytes", 8<<20, "how long the sessions of BenchmarkRead are")

// BenchmarkRead reads, of every harness, a session that is the scenario over and
// over again. Samples in folders and databases are left out.
func BenchmarkRead(b *testing.B) {
	for _, s := range scenarios {
		b.Run(s.String(), func(b *testing.B) {
			c, err := engine.NewCatalog()
			if err != nil {
				b.Fatal(err)
			}
			m, err := c.Open(s.harness)
			if err != nil {
				b.Fatal(err)
			}
			in := repeated(b, m, s.find(b), *benchBytes)
			r := read.New(m.Mapping)
			o := engine.Options{Normalize: normalize.Options{NoRoles: true}}
			records := 0
			b.SetBytes(in.Size)
			b.ReportAllocs()
			for b.Loop() {
				var out counter
				if _, err := r.Read(b.Context(), in, o, func(*normalize.Plan) (normalize.Sink, error) { return &out, nil }); err != nil {
					b.Fatal(err)
				}
				records = out.records
			}
			b.ReportMetric(float64(records), "records")
		})
	}
}

// counter is a sink that writes each record into the same buffer.
type counter struct {
	records int
	buf     []byte
}

func (c *counter) Record(r *normalize.Record) error {
	c.buf = r.AppendV1(c.buf[:0])
	c.records++
	return nil
}

// repeated is a session that holds the frames of a file again and again, each time
// with other ids. It is in a folder of its own, beside copies of its neighbours.
func repeated(b *testing.B, m *engine.Mapping, path string, size int) *engine.Input {
	b.Helper()
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		b.Skip("a folder")
	}
	in, done := open(b, path)
	result, err := m.ReadAll(b.Context(), in, engine.Options{Normalize: normalize.Options{NoRoles: true}})
	if err != nil {
		b.Fatal(err)
	}
	done()
	path = result.Path // the one of the session's files that the archive is read from
	dir := filepath.Join(b.TempDir(), filepath.Base(filepath.Dir(path)))
	if err := os.CopyFS(dir, os.DirFS(filepath.Dir(path))); err != nil {
		b.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	var out bytes.Buffer
	switch frames := result.Format.Frames; {
	case frames.Lines:
		head, rest, _ := bytes.Cut(text, []byte("\n"))
		out.Write(head)
		out.WriteByte('\n')
		for n := 0; out.Len() < size; n++ {
			out.Write(renamed(rest, n))
			if !bytes.HasSuffix(rest, []byte("\n")) {
				out.WriteByte('\n')
			}
		}
	case frames.JSON != nil:
		before, list, after := around(b, text, frames.JSON)
		list = bytes.Trim(list, "[] \n")
		out.Write(before)
		out.WriteByte('[')
		for n := 0; out.Len() < size; n++ {
			if n > 0 {
				out.WriteByte(',')
			}
			out.Write(renamed(list, n))
		}
		out.WriteByte(']')
		out.Write(after)
	default:
		b.Skip("no JSON")
	}
	path = filepath.Join(dir, filepath.Base(path))
	if err := os.WriteFile(path, out.Bytes(), 0o666); err != nil {
		b.Fatal(err)
	}
	in, done = open(b, path)
	b.Cleanup(done)
	return in
}

func open(b *testing.B, path string) (*engine.Input, func()) {
	b.Helper()
	in, done, err := engine.OpenInput(path)
	if err != nil {
		b.Fatal(err)
	}
	return in, func() { _ = done() }
}

// around cuts a document at the list of its frames.
func around(b *testing.B, text []byte, paths []string) (before, list, after []byte) {
	b.Helper()
	for _, path := range paths {
		if path == "@this" {
			if text = bytes.TrimSpace(text); text[0] == '[' {
				return nil, text, nil
			}
			continue
		}
		at := json.RawMessage(text)
		for _, key := range strings.Split(path, ".") {
			var members map[string]json.RawMessage
			if json.Unmarshal(at, &members) != nil {
				at = nil
				break
			}
			at = members[key]
		}
		if len(at) > 0 && at[0] == '[' {
			before, after, _ = bytes.Cut(text, at)
			return before, at, after
		}
	}
	b.Fatalf("no list at %v", paths)
	return nil, nil, nil
}

// ids are the members that name a frame, a call or a parent, not the session.
var ids = regexp.MustCompile(`"((?:[a-zA-Z_]*(?:Id|ID|_id|[uU]uid|[kK]ey))|id)"(\s*:\s*)"([^"]+)"`)

// renamed gives all ids of some frames an ending of their own.
func renamed(frames []byte, n int) []byte {
	return ids.ReplaceAllFunc(frames, func(match []byte) []byte {
		key := strings.ToLower(string(match[:bytes.IndexByte(match, ':')]))
		for _, other := range []string{"session", "thread", "conversation", "model", "project", "provider"} {
			if strings.Contains(key, other) {
				return match
			}
		}
		return fmt.Appendf(match[:len(match)-1:len(match)-1], ".%d\"", n)
	})
}
