package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine/snapshot"
	"github.com/trajmap/trajmap/internal/sessiongen"
)

// TestSnapshotHuge keeps a session that is too long for one document in a folder,
// which reads as the session does.
func TestSnapshotHuge(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "session.jsonl")
	if err := sessiongen.File(path, "claude-code", 1, snapshot.InlineMost+1); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (stdout, stderr string, code int) {
		w, out, said := world()
		code = w.Run(context.Background(), args)
		return out.String(), said.String(), code
	}
	if _, said, code := run("snapshot", path); code != exitUsage || !strings.Contains(said, "more than a snapshot takes in itself (give a folder with -o)") {
		t.Errorf("to standard output: exit code %d, said %q", code, said)
	}
	kept := filepath.Join(dir, "kept")
	if _, said, code := run("snapshot", path, "-o", kept); code != exitDone {
		t.Fatalf("exit code %d, said %q", code, said)
	}
	native, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copied, err := os.ReadFile(filepath.Join(kept, snapshot.Raw, "session.jsonl"))
	if err != nil || !bytes.Equal(copied, native) {
		t.Errorf("the native bytes are others: %v", err)
	}
	want, _, _ := run("apply", "auto", path)
	got, said, code := run("apply", "auto", kept)
	if code != exitDone || got != want {
		t.Errorf("it reads otherwise: exit code %d, said %q", code, said)
	}
}
