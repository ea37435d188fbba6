package agentkv

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/handler"
)

// talk is a store with a turn, a call and messages to the model.
func talk(t testing.TB) *kept {
	t.Helper()
	k := newKept()
	prompt := k.add([]byte(`{"role":"user","content":"Go."}`))
	turn := k.turn("Go.", msg(1, str(1, "Gone.")), msg(2, msg(15, msg(1, str(1, "f"), str(3, "a")), msg(2, msg(1, msg(1, msg(1, str(1, "one"))))))))
	k.add([]byte("garbage that nothing refers to"))
	return k.root(ref(1, prompt), ref(8, turn), num(10, 1))
}

// keep stores a readout, in a folder of its own.
func keep(t *testing.T, readout []byte, id string) (string, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "store.db")
	return path, Keep(context.Background(), memoryInput(readout), handler.Place{Path: path, ID: id})
}

// TestKeep writes a database that holds what the readout does, whole, and nothing
// beside it.
func TestKeep(t *testing.T) {
	k := talk(t)
	k.meta["blobEncryptionKey"] = strings.Repeat("5e", 32)
	path, err := keep(t, k.readout(t), "session-1")
	if err != nil {
		t.Fatal(err)
	}
	want, _ := all(t, opens(t, memoryInput(k.readout(t)), handler.Options{}))
	s := opens(t, input(t, path), handler.Options{})
	got, _ := all(t, s)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if doc := string(s.(*stream).Doc()); strings.Contains(doc, "hasEncryptionKey") {
		t.Errorf("the key was kept: %s", doc)
	}
	for _, i := range k.order {
		if data, err := s.(*stream).load(i); err != nil || string(data) != string(k.bytes[i]) {
			t.Errorf("blob %s: %v", i, err)
		}
	}
	list, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(list) != 1 {
		t.Errorf("beside the store: %v, %v", list, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	head, err := os.ReadFile(path)
	if err != nil || head[18] != 2 || head[19] != 2 {
		t.Error("the database is not kept with a write-ahead log")
	}
}

// TestKeepEmpty writes a session in which nothing was said.
func TestKeepEmpty(t *testing.T) {
	path, err := keep(t, newKept().readout(t), "session-1")
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := all(t, opens(t, input(t, path), handler.Options{})); len(got) != 1 {
		t.Errorf("got %v", got)
	}
}

// TestKeepFaults refuses what is not whole, and overwrites nothing.
func TestKeepFaults(t *testing.T) {
	whole := string(talk(t).readout(t))
	missing := talk(t)
	delete(missing.bytes, missing.order[0])
	missing.order = missing.order[1:]
	for name, c := range map[string]struct{ readout, id, want string }{
		"no readout":      {"{}", "session-1", "is no cursor-agent-sqlite-readout-v1"},
		"another session": {whole, "session-2", "is of another session"},
		"missing":         {string(missing.readout(t)), "session-1", "is missing"},
		"damaged":         {strings.Replace(whole, `"data":"`, `"data":"AAAA`, 1), "session-1", "is damaged"},
		"no base64":       {strings.Replace(whole, `"data":"`, `"data":"*`, 1), "session-1", "not in base64"},
		"no hex":          {strings.Replace(whole, `"value":"7b`, `"value":"7x`, 1), "session-1", "not in hex"},
		"version":         {strings.Replace(whole, `"userVersion":1`, `"userVersion":2`, 1), "session-1", "another version"},
	} {
		t.Run(name, func(t *testing.T) {
			path, err := keep(t, []byte(c.readout), c.id)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v", err)
			}
			if name == "damaged" || name == "no base64" {
				return // found when it is written; whoever stores takes the folder away
			}
			if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
				t.Error("something was written")
			}
		})
	}
	path := filepath.Join(t.TempDir(), "store.db")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	place := handler.Place{Path: path, ID: "session-1"}
	if err := Keep(context.Background(), memoryInput([]byte(whole)), place); !errors.Is(err, os.ErrExist) {
		t.Errorf("over another file: %v", err)
	}
	if text, _ := os.ReadFile(path); string(text) != "mine" {
		t.Error("it was overwritten")
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	place.Path = filepath.Join(t.TempDir(), "store.db")
	if err := Keep(ended, memoryInput([]byte(whole)), place); !errors.Is(err, context.Canceled) {
		t.Errorf("when it is ended: %v", err)
	}
}
