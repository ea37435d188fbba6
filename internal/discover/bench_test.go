package discover

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/internal/sessiongen"
)

// mappings opens mappings that ship.
func mappings(t testing.TB, names ...string) []*engine.Mapping {
	t.Helper()
	catalog, err := engine.NewCatalog()
	if err != nil {
		t.Fatal(err)
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

// BenchmarkList lists ten thousand sessions: the newest fifty, all of them, and
// those of one project.
func BenchmarkList(b *testing.B) {
	const sessions = 10_000
	dir := home(b, sessions, 400<<20)
	ms := mappings(b, "claude-code", "codex", "pi", "gemini-cli")
	for _, test := range []struct {
		name string
		q    Query
	}{{"newest", Query{Limit: 50}}, {"all", Query{}}, {"project", Query{Limit: 50, Cwd: []string{"/home/dev/none"}}}} {
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				list, err := Scan(b.Context(), ms, Below(dir))
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
		})
	}
}
