package discover

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine"
)

// home of some sessions, of which the first was used last.
func homeOf(t testing.TB, n int) string {
	t.Helper()
	home := t.TempDir()
	for i := range n {
		used(t, home, fmt.Sprintf("s%02d", i), longAgo.Add(-time.Duration(i)*time.Minute))
	}
	return home
}

// used makes a session that was used last at a time.
func used(t testing.TB, home, id string, at time.Time) {
	t.Helper()
	put(t, filepath.Join(home, ".agent", id+".jsonl"), fmt.Sprintf(
		"{\"type\":\"start\",\"cwd\":\"/srv/%s\"}\n{\"type\":\"user\",\"text\":\"Hello\",\"at\":%q}\n", id, at.Format(time.RFC3339)))
}

const flat = `store: [{roots: [~/.agent], sessions: [{path: "{id}.jsonl"}, {path: "{parent}/{id}.jsonl"}]}]`

func page(t *testing.T, l *List, q Query) (list []string, next string) {
	t.Helper()
	sessions, next, err := l.Page(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sessions {
		list = append(list, s.ID)
	}
	return list, next
}

func TestPages(t *testing.T) {
	m := agentOf(t, flat)
	home := homeOf(t, 40)
	whole, next := page(t, scan(t, home, m), Query{})
	if len(whole) != 40 || next != "" || whole[0] != "s00" || whole[39] != "s39" {
		t.Fatalf("the whole list: %v, next %q", whole, next)
	}
	for _, size := range []int{1, 7, 20, 39, 40, 41} {
		var got []string
		for cursor, pages := "", 0; ; pages++ {
			// Every page is of another run.
			list, next := page(t, scan(t, home, m), Query{Limit: size, After: cursor})
			got = append(got, list...)
			if next == "" {
				break
			}
			if len(list) != size || pages > 40 {
				t.Fatalf("a page of %d has %d sessions", size, len(list))
			}
			cursor = next
		}
		if diff := cmp.Diff(whole, got); diff != "" {
			t.Errorf("pages of %d (-want +got):\n%s", size, diff)
		}
	}
}

// TestPagesUnderChange goes on where it was, whatever has been used meanwhile.
func TestPagesUnderChange(t *testing.T) {
	m := agentOf(t, flat)
	home := homeOf(t, 6)
	first, next := page(t, scan(t, home, m), Query{Limit: 3})
	now := longAgo.Add(time.Hour)
	used(t, home, "new", now)
	used(t, home, "s04", now) // was to come
	used(t, home, "s01", now) // has been shown
	second, end := page(t, scan(t, home, m), Query{Limit: 3, After: next})
	if diff := cmp.Diff([]string{"s00", "s01", "s02"}, first); diff != "" {
		t.Errorf("first page (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"s03", "s05"}, second); diff != "" || end != "" {
		t.Errorf("second page, next %q (-want +got):\n%s", end, diff)
	}
}

// TestEqualTimes wants sessions of the same time in the order of their ids,
// wherever the store lies, through all pages.
func TestEqualTimes(t *testing.T) {
	m := agentOf(t, flat)
	for _, below := range []string{"a", "b", "some/where else/[1]"} {
		home := filepath.Join(t.TempDir(), below)
		var want, got []string
		for i := range 20 {
			id := fmt.Sprintf("s%02d %%", i)
			used(t, home, id, longAgo)
			want = append(want, id)
		}
		for cursor := ""; ; {
			list, next := page(t, scan(t, home, m), Query{Limit: 3, After: cursor})
			got = append(got, list...)
			if strings.ContainsAny(next, " '\"$") {
				t.Errorf("the cursor %s has to be quoted in a shell", next)
			}
			if cursor = next; next == "" {
				break
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", below, d)
		}
	}
}

func TestQuery(t *testing.T) {
	m := agentOf(t, flat)
	home := homeOf(t, 5)
	put(t, filepath.Join(home, ".agent/s00/child.jsonl"), said("x"))
	for _, test := range []struct {
		name string
		q    Query
		want []string
	}{
		{"children", Query{Limit: 2, Children: true}, []string{"child", "s00"}},
		{"since", Query{Since: longAgo.Add(-2 * time.Minute)}, []string{"s00", "s01", "s02"}},
		{"since long ago", Query{Since: longAgo.Add(time.Minute)}, nil},
		{"cwd", Query{Cwd: []string{"/srv/s03", "/srv/s01/"}}, []string{"s01", "s03"}},
		{"cwd above", Query{Cwd: []string{"/srv"}, Limit: 2}, []string{"s00", "s01"}},
		{"cwd of everything", Query{Cwd: []string{"/"}, Limit: 2}, []string{"s00", "s01"}},
		{"cwd with another's beginning", Query{Cwd: []string{"/srv/s0"}}, nil},
	} {
		got, _ := page(t, scan(t, home, m), test.q)
		slices.Sort(got)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	for _, cursor := range []string{"x", "-", "1-", "-1", "1-?", "1_1", "99999999999999999999-1"} {
		if _, _, err := scan(t, home, m).Page(t.Context(), Query{After: cursor}); !errors.Is(err, ErrCursor) {
			t.Errorf("the cursor %q: %v", cursor, err)
		}
	}
}

// TestOnce lists a session once that is there several times: as the first layout
// has it, or else the newest; also when its id stands only inside.
func TestOnce(t *testing.T) {
	m := agentOf(t, `
store:
  roots: [~/.agent]
  sessions:
    - path: first/{id}.jsonl
    - path: ["second/{id}.jsonl", "third/{id}.jsonl"]
    - path: inside/*.jsonl
`)
	home := t.TempDir()
	inside := func(id, at string) string {
		return fmt.Sprintf("{\"type\":\"start\",\"id\":%q}\n{\"type\":\"user\",\"text\":\"x\",\"at\":%q}\n", id, at)
	}
	for path, text := range map[string]string{
		"first/a.jsonl": inside("", "2026-01-01T00:00:00Z"), "second/a.jsonl": inside("", "2026-01-02T00:00:00Z"),
		"third/b.jsonl": inside("", "2026-01-04T00:00:00Z"), "second/b.jsonl": inside("", "2026-01-03T00:00:00Z"),
		"inside/1.jsonl": inside("c", "2026-01-05T00:00:00Z"), "inside/2.jsonl": inside("c", "2026-01-06T00:00:00Z"), "inside/3.jsonl": inside("c", "2026-01-04T00:00:00Z"),
	} {
		put(t, filepath.Join(home, ".agent", path), text)
	}
	want := []string{"c .agent/inside/2.jsonl", "b .agent/second/b.jsonl", "a .agent/first/a.jsonl"}
	if diff := cmp.Diff(want, ids(home, all(t, scan(t, home, m)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var got []string
	for cursor := ""; ; {
		list, next := page(t, scan(t, home, m), Query{Limit: 1, After: cursor})
		got = append(got, list...)
		if cursor = next; next == "" {
			break
		}
	}
	if diff := cmp.Diff([]string{"c", "b", "a"}, got); diff != "" {
		t.Errorf("page by page (-want +got):\n%s", diff)
	}
}

func TestFind(t *testing.T) {
	m := agentOf(t, `
store:
  roots: [~/.agent]
  sessions: [{path: "{id}.jsonl"}, {path: "inside/*.jsonl"}]
`)
	home := t.TempDir()
	for _, id := range []string{"abcd", "abce", "abcde", "x1"} {
		used(t, home, id, longAgo)
	}
	put(t, filepath.Join(home, ".agent/inside/1.jsonl"), `{"type":"start","id":"inner"}`+"\n"+said("x"))
	l := scan(t, home, m)
	for _, test := range []struct{ id, want string }{
		{"abcd", "abcd"}, {"abcde", "abcde"}, {"abce", "abce"}, {"x", "x1"}, {"inn", "inner"},
	} {
		if s, err := l.Find(t.Context(), test.id); err != nil || s.ID != test.want {
			t.Errorf("%s is %q, %v; want %s", test.id, s.ID, err, test.want)
		}
	}
	var ambiguous *AmbiguousError
	if _, err := l.Find(t.Context(), "abc"); !errors.As(err, &ambiguous) || len(ambiguous.Sessions) != 3 {
		t.Errorf("abc: %v", err)
	}
	var missing *MissingError
	if _, err := l.Find(t.Context(), "y"); !errors.As(err, &missing) || missing.ID != "y" {
		t.Errorf("y: %v", err)
	}
}

func TestShort(t *testing.T) {
	m := agentOf(t, flat)
	home := t.TempDir()
	for _, id := range []string{uuid1, uuid2, "abc", "abcdefghijkl", "zzzzzzzzzzzz"} {
		used(t, home, id, longAgo)
	}
	l := scan(t, home, m)
	for id, want := range map[string]string{uuid1: uuid1, uuid2: uuid2, "abc": "abc", "abcdefghijkl": "abcdefgh", "zzzzzzzzzzzz": "zzzzzzzz"} {
		if got := l.Short(Session{Harness: "agent", ID: id}); got != want {
			t.Errorf("%s is %s in short, want %s", id, got, want)
		}
	}
}

// called is a mapping under another name.
func called(m *engine.Mapping, name string) *engine.Mapping {
	other := *m.Mapping
	other.Harness = name
	return &engine.Mapping{Mapping: &other}
}

// TestSeveralHarnesses keeps equal ids of different ones apart.
func TestSeveralHarnesses(t *testing.T) {
	home := homeOf(t, 1)
	used(t, filepath.Join(home, "too"), "s00", longAgo)
	l := scan(t, home, agentOf(t, flat), called(agentOf(t, strings.Replace(flat, "~", "~/too", 1)), "other"))
	if list := all(t, l); len(list) != 2 || list[0].Harness == list[1].Harness {
		t.Errorf("sessions: %v", list)
	}
	var ambiguous *AmbiguousError
	if _, err := l.Find(t.Context(), "s00"); !errors.As(err, &ambiguous) {
		t.Errorf("an id of both: %v", err)
	}
}
