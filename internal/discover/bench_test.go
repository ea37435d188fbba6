package discover

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/internal/sessiongen"
)

// mappings opens mappings that ship; all of them when none is named.
func mappings(t testing.TB, names ...string) []*engine.Mapping {
	t.Helper()
	catalog, err := engine.NewCatalog()
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		for _, e := range catalog.Entries() {
			names = append(names, e.Name)
		}
	}
	var list []*engine.Mapping
	for _, name := range names {
		m, err := catalog.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	return list
}

// home is a home with ten thousand sessions. It is kept between runs where
// TRAJMAP_BENCH_HOME says.
func home(b *testing.B, sessions int, size int64) string {
	b.Helper()
	dir := os.Getenv("TRAJMAP_BENCH_HOME")
	if dir == "" {
		dir = b.TempDir()
	}
	done := filepath.Join(dir, "complete")
	if _, err := os.Stat(done); err != nil {
		if err := sessiongen.Home(dir, 1, size, sessions); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(done, nil, 0o666); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

// floor is what nobody can do without who wants to know when each file was used
// last, by what it says: the folders are walked, each file is opened, and its last
// four kilobytes are read.
func floor(b *testing.B, dir string) {
	b.Helper()
	tail := make([]byte, 4096)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		if _, err := f.ReadAt(tail, max(0, info.Size()-int64(len(tail)))); err != io.EOF {
			return err
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkList lists ten thousand sessions with all mappings that ship: the
// newest fifty, all of them, and those of one project. The metric "floors" is how
// many times longer that takes than the floor, measured in the same run.
func BenchmarkList(b *testing.B) {
	const sessions = 10_000
	dir := home(b, sessions, 400<<20)
	ms := mappings(b)
	for _, test := range []struct {
		name string
		q    Query
	}{{"newest", Query{Limit: 50}}, {"all", Query{}}, {"project", Query{Limit: 50, Cwd: []string{"/home/dev/none"}}}} {
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			var least time.Duration
			for b.Loop() {
				b.StopTimer()
				began := time.Now()
				floor(b, dir)
				least += time.Since(began)
				b.StartTimer()
				list, err := Scan(b.Context(), ms, Below(dir), nil)
				if err != nil {
					b.Fatal(err)
				}
				page, _, err := list.Page(b.Context(), test.q)
				if err != nil || len(list.Problems()) > 0 {
					b.Fatal(err, list.Problems())
				}
				if want := min(sessions, max(test.q.Limit, 1)); test.q.Cwd == nil && len(page) < want {
					b.Fatalf("%d sessions, want %d", len(page), want)
				}
			}
			b.ReportMetric(float64(b.Elapsed())/float64(least), "floors")
		})
	}
}
