package read

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/trajmap/trajmap/engine/mapping"
)

// A folder's name is no pattern, and an id leads nowhere else.
func TestFindSession(t *testing.T) {
	j := &mapping.Join{Find: []string{"log-*-{session}*.jsonl", "../*/log-*-{session}.jsonl"}}
	for _, name := range []string{"plain", "[a]", "a*b", "q?", "[z-a]", `back\slash`} {
		home := filepath.Join(t.TempDir(), name)
		dir, other := filepath.Join(home, "day[1]"), filepath.Join(home, "day[2]")
		here, there := filepath.Join(dir, "log-1-one.jsonl"), filepath.Join(other, "log-1-two.jsonl")
		for _, file := range []string{here, there, filepath.Join(home, "log-1-three.jsonl")} {
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Skipf("no such names here: %v", err)
			}
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for id, want := range map[string]string{"one": here, "two": there, "three": "", "../three": "", "*": "", "on[e]": "", "": ""} {
			if got := findSession(j, dir, id); got != want {
				t.Errorf("%s: the session %q is %q, want %q", name, id, got, want)
			}
		}
	}
}
