package snapshot

import (
	"cmp"
	"path"
	"strings"
	"time"

	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/read"
)

// describe takes what the read tells of the session.
func (t *Taken) describe(m *mapping.Mapping, result *read.Result) {
	s := &t.Source
	s.Harness = m.Harness
	s.Group = result.Facts["group"]
	s.SessionID = cmp.Or(result.Chosen, s.Group, stem(t.Raw.Name))
	s.Title, s.Cwd, s.GitBranch = result.Facts["title"], result.Facts["cwd"], result.Facts["git_branch"]
	s.NativeVersion = result.Facts["version"]
	s.UpdatedAt = timeText(t.archive.last)
	created := t.archive.first
	for i, f := range result.Format.Session {
		if f.Name == "created_at" {
			if ms, ok := read.Millis(result.Session.Fact(i)); ok {
				created = ms
			}
		}
	}
	s.CreatedAt = timeText(created)
	t.Diagnostics = []Diagnostic{}
	for _, d := range result.Diagnostics {
		t.Diagnostics = append(t.Diagnostics, Diagnostic{d.Code, d.InputLine, d.RecordIndex, d.Count})
	}
	t.Ledger = accounts(result)
}

func accounts(result *read.Result) map[string]Account {
	all := map[string]Account{}
	for _, e := range result.Ledger.Entries {
		a := all[e.Kind]
		if a.Dropped == nil {
			a.Dropped = map[string]int{}
		}
		a.Frames += e.Count
		switch e.Bucket {
		case read.Mapped:
			a.Mapped += e.Count
		case read.Unmapped:
			a.Unmapped += e.Count
		default:
			a.Dropped[cmp.Or(e.Reason, e.Bucket)] += e.Count
		}
		all[e.Kind] = a
	}
	return all
}

func timeText(ms int64) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
}

// stem is the name of a file up to its first dot.
func stem(name string) string {
	name, _, _ = strings.Cut(path.Base(name), ".")
	return name
}
