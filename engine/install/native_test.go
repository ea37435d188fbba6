package install

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/manifest"
)

// nativeExport is an export of a session as its program wrote it: the file with
// the frames, a result beside it, and a note of the whole store.
func nativeExport(t *testing.T) *Export {
	t.Helper()
	x := &Export{Dir: t.TempDir(), Mapping: shipped(t, "codex"), Manifest: &manifest.Manifest{
		Target:  manifest.Target{SessionID: "the-id"},
		Options: manifest.Options{View: manifest.Native},
	}}
	for _, f := range []struct {
		path, text string
		shared     bool
	}{{"sessions/the-id.jsonl", "{}\n", false}, {"sessions/the-id/result.txt", "result", false}, {"index.jsonl", "{}\n", true}} {
		at := filepath.Join(x.Dir, f.path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.WriteFile(at, []byte(f.text), 0o600)); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte(f.text))
		x.Manifest.Files = append(x.Manifest.Files, manifest.File{
			Path: f.path, SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(f.text)), Mode: "0600",
			Install: &manifest.Install{Root: "$CODEX_HOME", Path: f.path, Shared: f.shared},
		})
	}
	return x
}

// afterwards reports whether a step comes when its file is there, so that nothing
// depends on it.
func afterwards(step string) bool { return step == "clean" || step == "last" }

// TestNativeFaults lets every step of an installation fail: nothing is left of
// it then, and what was there is as it was.
func TestNativeFaults(t *testing.T) {
	x := nativeExport(t)
	defer func() { before = func(string) error { return nil } }()
	fault := errors.New("fault")
	for n := 1; ; n++ {
		root := t.TempDir()
		if err := errors.Join(os.Mkdir(filepath.Join(root, "sessions"), 0o700),
			os.WriteFile(filepath.Join(root, "sessions", "other.jsonl"), []byte("{}"), 0o600),
			os.WriteFile(filepath.Join(root, "index.jsonl"), []byte("its own\n"), 0o600)); err != nil {
			t.Fatal(err)
		}
		was := tree(t, root)
		seen := 0
		before = func(step string) error {
			if afterwards(step) {
				return nil
			}
			if seen++; seen == n {
				return fault
			}
			return nil
		}
		_, err := x.Install(context.Background(), Machine{Root: root, Default: true})
		if seen < n {
			if err != nil {
				t.Fatal(err)
			}
			if n < 6 {
				t.Errorf("only %d steps", n)
			}
			now := tree(t, root)
			if now["index.jsonl"] != was["index.jsonl"] || len(now) != len(was)+3 {
				t.Errorf("the store is %v", now)
			}
			return
		}
		if !errors.Is(err, fault) {
			t.Errorf("step %d: error %v", n, err)
		}
		if diff := cmp.Diff(was, tree(t, root)); diff != "" {
			t.Errorf("step %d: %s", n, diff)
		}
	}
}

// TestNativeOrder puts the file with the frames last.
func TestNativeOrder(t *testing.T) {
	x := nativeExport(t)
	defer func() { before = func(string) error { return nil } }()
	root := t.TempDir()
	before = func(step string) error {
		if _, err := os.Stat(filepath.Join(root, "sessions/the-id.jsonl")); err == nil && !afterwards(step) {
			t.Error("the session is there before it is whole")
		}
		return nil
	}
	if _, err := x.Install(context.Background(), Machine{Root: root, Default: true}); err != nil {
		t.Fatal(err)
	}
	x.Manifest.Files[0].Install.Root = ""
	if _, err := x.Install(context.Background(), Machine{Root: root, Default: true}); err == nil {
		t.Error("a session that no store keeps was installed")
	}
}
