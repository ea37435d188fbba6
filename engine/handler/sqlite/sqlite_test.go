package sqlite

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/trajmap/trajmap/engine/database"
	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// create makes a database by statements.
func create(t testing.TB, statements ...any) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for i, s := range statements {
		query, ok := s.(string)
		if !ok {
			continue
		}
		var args []any
		if i+1 < len(statements) {
			args, _ = statements[i+1].([]any)
		}
		if _, err := db.Exec(query, args...); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
	return path
}

func opens(t testing.TB, path string, o handler.Options) (frame.Stream, error) {
	t.Helper()
	in, done, err := frame.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { done() })
	s, closer, err := open(in, o)
	if err == nil {
		t.Cleanup(func() { closer() })
	}
	return s, err
}

func rows(queries ...string) handler.Options {
	return handler.Options{Queries: &mapping.Queries{Rows: queries}}
}

// all reads a stream to its end.
func all(t testing.TB, s frame.Stream) (list []string) {
	t.Helper()
	for n := 0; ; n++ {
		f, err := s.Next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		if f.Index != n || !f.TooBig && f.Length != int64(len(f.Data)) {
			t.Errorf("frame %d is %+v", n, f)
		}
		text := string(f.Data)
		if f.TooBig {
			text = "too big"
		}
		list = append(list, text)
	}
}

func compressed(t testing.TB, text string) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll([]byte(text), nil)
}

// TestRows makes frames of all that a row may hold.
func TestRows(t *testing.T) {
	path := create(t, "CREATE TABLE t(a, b)",
		"INSERT INTO t VALUES(1, NULL), (9007199254740993, -0.5), (1e300, 9e999), ('a\"\n\u00e9', x'c3a9'), (x'ff00', x''), ('{\"x\":1}', ?), (char(0)||'j', CAST(x'61ff62' AS TEXT))",
		[]any{compressed(t, "zipped text")})
	s, err := opens(t, path, rows("SELECT a, b AS \"the \"\"b\" FROM t"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"a":1,"the \"b":null}`,
		`{"a":9007199254740993,"the \"b":-0.5}`,
		`{"a":1e+300,"the \"b":null}`,
		`{"a":"a\"\né","the \"b":"é"}`,
		`{"a":"/wA=","the \"b":""}`,
		`{"a":"{\"x\":1}","the \"b":"zipped text"}`,
		`{"a":"\u0000j","the \"b":"a�b"}`,
	}
	got := all(t, s)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, text := range got {
		if !json.Valid([]byte(text)) {
			t.Errorf("no JSON: %s", text)
		}
	}
	if s.Doc() != nil {
		t.Errorf("doc is %s", s.Doc())
	}
	if _, several := s.(handler.Store); several {
		t.Error("a database without a list of sessions is one of several")
	}
}

// TestWhole takes rows that hold their frame.
func TestWhole(t *testing.T) {
	path := create(t, "CREATE TABLE t(n INTEGER PRIMARY KEY, frame, doc)",
		`INSERT INTO t VALUES(1, '{"a":1}', '{"d":1}'), (2, ?, NULL), (3, x'7b7d', NULL), (4, x'28b52ffd0000', NULL), (5, NULL, NULL), (6, 7, NULL)`,
		[]any{compressed(t, `{"zipped":true}`)})
	o := rows("SELECT frame FROM t ORDER BY n;")
	o.Queries.Doc = []string{"SELECT doc FROM t WHERE n=1"}
	s, err := opens(t, path, o)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{`{"a":1}`, `{"zipped":true}`, `{}`, ``, `null`, `7`}, all(t, s)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if string(s.Doc()) != `{"d":1}` {
		t.Errorf("doc is %s", s.Doc())
	}
	f, err := s.At(frame.Frame{Index: 1})
	if err != nil || string(f.Data) != `{"zipped":true}` {
		t.Errorf("At gives %s, %v", f.Data, err)
	}
}

const manyRows = "WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM c WHERE i<999) INSERT INTO t SELECT 1000-i, 'row '||i FROM c"

// TestAt reads rows in any order, while another read goes on.
func TestAt(t *testing.T) {
	path := create(t, "CREATE TABLE t(n, s)", manyRows)
	s, err := opens(t, path, rows("SELECT s FROM t ORDER BY n DESC -- the last first"))
	if err != nil {
		t.Fatal(err)
	}
	at := func(n int) {
		t.Helper()
		f, err := s.At(frame.Frame{Index: n})
		if want := fmt.Sprintf(`{"s":"row %d"}`, n); err != nil || string(f.Data) != want || f.Index != n {
			t.Errorf("At(%d) gives %s, %v", n, f.Data, err)
		}
	}
	for n := range 20 {
		f, err := s.Next()
		if want := fmt.Sprintf(`{"s":"row %d"}`, n); err != nil || string(f.Data) != want {
			t.Fatalf("Next gives %s, %v", f.Data, err)
		}
		for _, other := range []int{n * 37, n*37 + 1, n*37 + 20, n*37 + 20, n * 37, 999, n} {
			at(other)
		}
		if string(f.Data) != fmt.Sprintf(`{"s":"row %d"}`, n) {
			t.Fatalf("At has changed what Next gave: %s", f.Data)
		}
	}
	if _, err := s.At(frame.Frame{Index: 1000}); err == nil || err == io.EOF {
		t.Errorf("a row beyond the end gives %v", err)
	}
	if err := s.Rewind(); err != nil {
		t.Fatal(err)
	}
	if got := all(t, s); len(got) != 1000 || got[0] != `{"s":"row 0"}` || got[999] != `{"s":"row 999"}` {
		t.Errorf("%d rows after rewinding", len(got))
	}
}

// TestTooBig passes over rows that are too long: as they lie, decompressed, or
// as JSON.
func TestTooBig(t *testing.T) {
	path := create(t, "CREATE TABLE t(n INTEGER PRIMARY KEY, s)",
		"INSERT INTO t VALUES(0, 'x'), (1, printf('%.*c', 5000, 'y')), (2, printf('%.*c', 5000, 'y')), (3, 'z'), (4, ?), (5, printf('%.*c', 900, '\"')), (6, 'end')",
		[]any{compressed(t, strings.Repeat("zip", 50_000))})
	o := rows("SELECT s FROM t ORDER BY n")
	o.Limits.MaxFrame = 1000
	s, err := opens(t, path, o)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`{"s":"x"}`, "too big", "too big", `{"s":"z"}`, "too big", "too big", `{"s":"end"}`}
	for range 2 {
		if diff := cmp.Diff(want, all(t, s)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if err := s.Rewind(); err != nil {
			t.Fatal(err)
		}
	}
	// A row that cannot be sorted cannot be passed over.
	o = rows("SELECT s FROM t ORDER BY s")
	o.Limits.MaxFrame = 1000
	sorted, err := opens(t, path, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sorted.Next(); !database.IsKind(err, database.TooBig) {
		t.Errorf("sorted rows: error %v", err)
	}
	for _, n := range []int{6, 0, 3, 2, 6, 4, 1} {
		f, err := s.At(frame.Frame{Index: n})
		if err != nil || f.TooBig != (want[n] == "too big") || !f.TooBig && string(f.Data) != want[n] {
			t.Errorf("At(%d) gives %+v, %v", n, f, err)
		}
	}
}

var shelf = []any{
	"CREATE TABLE s(id, title, used)", "INSERT INTO s VALUES('a', 'one', 1), (7, NULL, 3), ('c', 'three', 2), ('hidden', 'four', 0)",
	"CREATE TABLE m(s, x)", "INSERT INTO m VALUES('a', 1), (7, 2), ('a', 3), ('c', 4), ('hidden', 5)",
}

func sessions(id string) handler.Options {
	return handler.Options{Session: id, Queries: &mapping.Queries{
		Sessions: []string{"SELECT id, title FROM s WHERE used > 0 ORDER BY used DESC"},
		Doc:      []string{"SELECT title, model FROM s WHERE id = :session", "SELECT title FROM s WHERE CAST(id AS TEXT) = :session"},
		Rows:     []string{"SELECT x FROM m WHERE CAST(s AS TEXT) = :session"},
	}}
}

// TestSessions reads the session that is asked for, else the one used last.
func TestSessions(t *testing.T) {
	path := create(t, shelf...)
	for _, test := range []struct{ ask, id, doc, rows string }{
		{"", "7", `{"title":null}`, `{"x":2}`},
		{"a", "a", `{"title":"one"}`, `{"x":1} {"x":3}`},
		{"hidden", "hidden", `{"title":"four"}`, `{"x":5}`},
	} {
		s, err := opens(t, path, sessions(test.ask))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(all(t, s), " "); got != test.rows || string(s.Doc()) != test.doc || s.(handler.Store).Session() != test.id {
			t.Errorf("session %q: %s, %s, %s", test.ask, s.(handler.Store).Session(), s.Doc(), got)
		}
		list, err := s.(handler.Store).Sessions()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, one := range list {
			got = append(got, one.ID+" "+string(one.Row))
		}
		if diff := cmp.Diff([]string{`7 {"id":7,"title":null}`, `c {"id":"c","title":"three"}`, `a {"id":"a","title":"one"}`}, got); diff != "" {
			t.Errorf("sessions (-want +got):\n%s", diff)
		}
	}
}

func TestMissingSession(t *testing.T) {
	path := create(t, shelf...)
	for _, doc := range []bool{true, false} {
		o := sessions("none")
		if !doc {
			o.Queries.Doc = nil
		}
		_, err := opens(t, path, o)
		var missing *handler.MissingError
		if !errors.As(err, &missing) || !strings.Contains(err.Error(), `no session "none" (it holds 3, the last used first: 7, c, a)`) {
			t.Errorf("error %v", err)
		}
		if diff := cmp.Diff([]string{"7", "c", "a"}, missing.Have); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	var fault *trajectory.Error
	s, err := opens(t, create(t, "CREATE TABLE s(id, title, used)", "CREATE TABLE m(s, x)"), sessions(""))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Next(); !errors.As(err, &fault) || fault.Code != trajectory.InvalidInput {
		t.Errorf("a database without a session gives %v", err)
	}
}

func TestNoDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := opens(t, path, rows("SELECT 1")); !handler.IsForeign(err) {
		t.Errorf("error %v", err)
	}
	_, err := opens(t, create(t, "CREATE TABLE t(a)"), handler.Options{Queries: &mapping.Queries{Sessions: []string{"SELECT id FROM s"}, Rows: []string{"SELECT a FROM t"}}})
	if handler.IsForeign(err) || err == nil || !strings.Contains(err.Error(), "no table s") {
		t.Errorf("error %v", err)
	}
}

func BenchmarkRows(b *testing.B) {
	path := create(b, "CREATE TABLE t(n INTEGER PRIMARY KEY, role, text)",
		"WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM c WHERE i<9999) INSERT INTO t SELECT i, 'user', printf('%.*c', 2000, 'x') FROM c")
	s, err := opens(b, path, rows("SELECT * FROM t ORDER BY n"))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(10_000 * 2000)
	b.ReportAllocs()
	for b.Loop() {
		for {
			if _, err := s.Next(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
		if err := s.Rewind(); err != nil {
			b.Fatal(err)
		}
	}
}
