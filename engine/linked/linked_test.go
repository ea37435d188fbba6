package linked

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// chat is a mapping with sessions in many files.
const chat = `mapping: v1
harness: chat
read:
  - format: files
    native: none
    frames:
      linked:
        input: talks/{group}/{talk}.json
        doc: talk
        files: said/{talk}/{row}.json
        as: row
        order: at.ms
        lists: {pieces: "pieces/{row}/{piece}.json", notes: "notes/{talk}/{row}/{note}.txt"}
        id: id
    do: {user: row.text}
`

func spec(t testing.TB) *mapping.Linked {
	t.Helper()
	m, found := mapping.Parse("chat.yaml", []byte(chat))
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return m.Formats[0].Frames.Linked
}

// files are a session of three frames.
func files() map[string]string {
	return map[string]string{
		"talks/g/t1.json":           "\uFEFF{\"id\":\"other\",\"title\":\"A\xff\"}",
		"talks/g/t2.json":           `{}`,
		"said/t1/a.json":            `{"id":"a","at":{"ms":3}}`,
		"said/t1/b.json":            ` { "at" : {"ms":1} } `,
		"said/t1/c.json":            `{"id":7,"at":{"ms":2}}`,
		"said/t1/notes.txt":         "not a frame",
		"said/t2/z.json":            `{"id":"z","at":{"ms":0}}`,
		"pieces/a/p10.json":         `{"id":"p10"}`,
		"pieces/a/p9.json":          `{"id":"p9"}`,
		"pieces/a/p9.json.tmp":      `{"torn`,
		"pieces/c/p1.json":          `{"te\u0078t":"x"}`,
		"notes/t1/a/n.txt":          `{"id":"n"}`,
		"pieces/elsewhere/far.json": `{"id":"far"}`,
	}
}

func write(t testing.TB, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func open(t testing.TB, dir, own string, limits frame.Options) frame.Stream {
	t.Helper()
	s, err := tryOpen(t, filepath.Join(dir, filepath.FromSlash(own)), limits)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func tryOpen(t testing.TB, path string, limits frame.Options) (frame.Stream, error) {
	in, done, err := frame.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = done() })
	s, end, err := Open(in, spec(t), limits)
	if err == nil {
		t.Cleanup(func() { _ = end() })
	}
	return s, err
}

// got is a frame, kept.
type got struct {
	Data, File string
	Lost       []frame.Lost
	TooBig     bool
}

func all(t testing.TB, s frame.Stream) (list []got) {
	t.Helper()
	for n := 0; ; n++ {
		f, err := s.Next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		if f.Index != n {
			t.Errorf("the frame %d has the index %d", n, f.Index)
		}
		g := got{string(f.Data), f.File, f.Lost, f.TooBig}
		again, err := s.At(f)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(g, got{string(again.Data), again.File, again.Lost, again.TooBig}); d != "" {
			t.Errorf("At gives another frame: %s", d)
		}
		list = append(list, g)
	}
}

func TestFrames(t *testing.T) {
	s := open(t, write(t, files()), "talks/g/t1.json", frame.Options{})
	if want := `{"talk":{"id":"t1","title":"A` + "\uFFFD" + `"}}`; string(s.Doc()) != want {
		t.Errorf("the document is %s, want %s", s.Doc(), want)
	}
	want := []got{
		{Data: `{"row":{"id":"b","at":{"ms":1}}}`, File: "said/t1/b.json"},
		{Data: `{"row":{"id":"c","at":{"ms":2}},"pieces":[{"id":"p1","text":"x"}]}`, File: "said/t1/c.json"},
		{Data: `{"row":{"id":"a","at":{"ms":3}},"pieces":[{"id":"p10"},{"id":"p9"}],"notes":[{"id":"n"}]}`, File: "said/t1/a.json"},
	}
	for range 2 {
		if d := cmp.Diff(want, all(t, s)); d != "" {
			t.Error(d)
		}
		if err := s.Rewind(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLost(t *testing.T) {
	fs := files()
	fs["said/t1/b.json"] = `{"at":{"ms":1`
	fs["said/t1/c.json"] = ``
	fs["pieces/a/p10.json"] = `[1]`
	fs["pieces/a/p11.json"] = `{"id":"p11"}`
	dir := write(t, fs)
	secret := filepath.Join(write(t, map[string]string{"secret.json": `{"id":"secret"}`}), "secret.json")
	for at, target := range map[string]string{
		"pieces/a/p12.json": secret,
		"pieces/a/p13.json": "p9.json",
		"notes/t1/b":        "a",
	} {
		if err := os.Symlink(target, filepath.Join(dir, filepath.FromSlash(at))); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "pieces", "a", "p14.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	fs["said/t1/b.json"] = `{"at":{"ms":9}}`
	if err := os.WriteFile(filepath.Join(dir, "said", "t1", "b.json"), []byte(fs["said/t1/b.json"]), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []got{
		{Data: `{"row":{"id":"a","at":{"ms":3}},"pieces":[{"id":"p11"},{"id":"p9"}],"notes":[{"id":"n"}]}`, File: "said/t1/a.json", Lost: []frame.Lost{
			{File: "pieces/a/p10.json", Reason: "is not a JSON object"},
			{File: "pieces/a/p12.json", Reason: "is a link"},
			{File: "pieces/a/p13.json", Reason: "is a link"},
			{File: "pieces/a/p14.json", Reason: "is not a regular file"},
		}},
		{Data: `{"row":{"id":"b","at":{"ms":9}},"notes":[]}`, File: "said/t1/b.json", Lost: []frame.Lost{{File: "notes/t1/b", Reason: "is a link"}}},
		{File: "said/t1/c.json", Lost: []frame.Lost{{File: "said/t1/c.json", Reason: "is empty"}}},
	}
	if d := cmp.Diff(want, all(t, open(t, dir, "talks/g/t1.json", frame.Options{}))); d != "" {
		t.Error(d)
	}
}

// A folder that a link leads out of is none of the session's.
func TestOutside(t *testing.T) {
	fs := files()
	outside := write(t, map[string]string{"x.json": `{"id":"x"}`})
	for name := range fs {
		if strings.HasPrefix(name, "said/t1/") {
			delete(fs, name)
		}
	}
	dir := write(t, fs)
	if err := os.Symlink(outside, filepath.Join(dir, "said", "t1")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if _, err := tryOpen(t, filepath.Join(dir, "talks", "g", "t1.json"), frame.Options{}); !errors.Is(err, errLink) {
		t.Errorf("the error is %v", err)
	}
}

func TestRefused(t *testing.T) {
	fs := files()
	fs["talks/g/torn.json"] = `{"id":`
	fs["talks/g/list.json"] = `[]`
	fs["talks/t1.json"] = `{}`
	fs["said/t1/talks.json"] = `{}`
	dir := write(t, fs)
	for own, foreign := range map[string]bool{
		"talks/g/torn.json": false, "talks/g/list.json": false, "talks/t1.json": true, "said/t1/a.json": true, "pieces/a/p9.json": true,
	} {
		_, err := tryOpen(t, filepath.Join(dir, filepath.FromSlash(own)), frame.Options{})
		var known *trajectory.Error
		if !errors.As(err, &known) || handler.IsForeign(err) != foreign {
			t.Errorf("%s: %v", own, err)
		}
	}
	for _, name := range []string{"", "-", dir + string(os.PathSeparator), "t1.json"} {
		_, _, err := Open(&frame.Input{Name: name, ReaderAt: strings.NewReader("{}"), Size: 2}, spec(t), frame.Options{})
		if !handler.IsForeign(err) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := tryOpen(t, filepath.Join(dir, "talks", "g", "t1.json"), frame.Options{MaxFrame: 10}); err == nil {
		t.Error("a session's own file over the limit was read")
	}
}

// What is written while it is read is not mixed.
func TestChanged(t *testing.T) {
	dir := write(t, files())
	s := open(t, dir, "talks/g/t1.json", frame.Options{})
	all(t, s)
	if err := os.WriteFile(filepath.Join(dir, "pieces", "a", "p11.json"), []byte(`{"new":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	_ = s.Rewind()
	var err error
	for err == nil {
		_, err = s.Next()
	}
	var known *trajectory.Error
	if !errors.As(err, &known) {
		t.Errorf("the error is %v", err)
	}
}

// Ten thousand parts of a hundred frames, and a frame over the limit.
func TestMany(t *testing.T) {
	if testing.Short() {
		t.Skip("writes ten thousand files")
	}
	text := strings.Repeat("x", 1<<12)
	fs := map[string]string{"talks/g/t.json": "{}", "piece": `{"text":"` + text + `"}`}
	for n := range 100 {
		fs[fmt.Sprintf("said/t/%03d.json", n)] = fmt.Sprintf(`{"at":{"ms":%d}}`, 1000-n)
	}
	dir := write(t, fs)
	for n := range 100 {
		pieces := 100
		if n == 50 {
			pieces = 400
		}
		below := filepath.Join(dir, "pieces", fmt.Sprintf("%03d", n))
		if err := os.MkdirAll(below, 0o700); err != nil {
			t.Fatal(err)
		}
		for p := range pieces { // one file under many names
			if err := os.Link(filepath.Join(dir, "piece"), filepath.Join(below, fmt.Sprintf("%03d.json", p))); err != nil {
				t.Skipf("no hard links here: %v", err)
			}
		}
	}
	s := open(t, dir, "talks/g/t.json", frame.Options{MaxFrame: 1 << 20})
	before := inUse()
	big, n := 0, 0
	for ; ; n++ {
		f, err := s.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("said/t/%03d.json", 99-n); f.File != want {
			t.Fatalf("the frame %d is %s, want %s", n, f.File, want)
		}
		if f.TooBig {
			big++
			if f.Data != nil || f.Length < 400<<12 {
				t.Errorf("a frame over the limit has %d bytes of %d", len(f.Data), f.Length)
			}
			continue
		}
		if !json.Valid(f.Data) || strings.Count(string(f.Data), text) != 100 {
			t.Fatalf("the frame %d is wrong", n)
		}
	}
	if n != 100 || big != 1 {
		t.Errorf("%d frames, %d over the limit", n, big)
	}
	if used := inUse() - before; used > 4<<20 {
		t.Errorf("%d KiB are in use", used>>10)
	}
	runtime.KeepAlive(s)
}

func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Whatever the files hold, a frame is JSON, and what is lost is named.
func TestAnyContent(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		content := rapid.OneOf(
			rapid.SampledFrom([]string{`{}`, ``, `[]`, `null`, `{"id":{"id":"x"}}`, `{"id":1,"id":"2"}`, `{"\u0069d":"x","a":[1]}`, "{\"a\":\"\xff\"}", `{"a":1}}`}),
			rapid.String())
		dir := write(t, map[string]string{"talks/g/t.json": `{}`, "said/t/a.json": content.Draw(r, "row")})
		for n, text := range rapid.SliceOfN(content, 0, 4).Draw(r, "pieces") {
			at := filepath.Join(dir, "pieces", "a", fmt.Sprint(n, ".json"))
			_ = os.MkdirAll(filepath.Dir(at), 0o700)
			if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
				r.Fatal(err)
			}
		}
		in, done, err := frame.Open(filepath.Join(dir, "talks", "g", "t.json"))
		if err != nil {
			r.Fatal(err)
		}
		defer done()
		s, end, err := Open(in, spec(t), frame.Options{})
		if err != nil {
			r.Fatal(err)
		}
		defer end()
		f, err := s.Next()
		if err != nil {
			r.Fatal(err)
		}
		var whole struct {
			Row    map[string]any // of what is there twice, the last
			Pieces []map[string]any
		}
		if f.Data == nil {
			if len(f.Lost) != 1 || f.Lost[0].File != "said/t/a.json" {
				r.Fatalf("no frame, and lost is %v", f.Lost)
			}
			return
		}
		if err := json.Unmarshal(f.Data, &whole); err != nil {
			r.Fatalf("%s: %v", f.Data, err)
		}
		if id := whole.Row["id"]; id != "a" {
			r.Fatalf("the id is %q in %s", id, f.Data)
		}
	})
}
