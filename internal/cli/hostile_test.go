//go:build unix

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/manifest"
)

// hostile are words that a transcript may hold anywhere: what a shell, a path, a
// terminal or another format would take for something else.
var hostile = []string{
	"a b;$(touch PWNED)`touch PWNED`'\"&|\\ $HOME {root} {export} {prompt} *",
	"--help", "-rf", "../../../etc/passwd", "..", ".", "/", "~", "a/../../b", "C:\\Windows", "a=b", "#x", "!x",
	"new\nline", "tab\there", "\u202egnp.exe", "\u2028", "%s%n", "'; exit 1; '", strings.Repeat("long ", 2000),
}

// fake is a program that records the folder where it is started, and its
// arguments.
const fake = "#!/bin/sh\n{ pwd; printf '\\0'; printf '%s\\0' \"$@\"; } > \"$RECORD\"\n"

// started runs a command line as a person would paste it, with made-up programs
// alone in PATH, and gives what the program was given.
func started(t *testing.T, line, program string) []string {
	t.Helper()
	bin, record := t.TempDir(), filepath.Join(t.TempDir(), "record")
	if err := os.WriteFile(filepath.Join(bin, program), []byte(fake), 0o700); err != nil {
		t.Fatal(err)
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	empty := t.TempDir()
	cmd := exec.Command(sh, "-c", line)
	cmd.Dir, cmd.Env = empty, []string{"PATH=" + bin + ":/usr/bin:/bin", "RECORD=" + record, "HOME=" + empty}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", line, err, out)
	}
	data, err := os.ReadFile(record)
	if err != nil {
		t.Fatalf("%s: it was not started: %v", line, err)
	}
	if list, _ := os.ReadDir(empty); len(list) > 0 {
		t.Errorf("%s: it made %v", line, list)
	}
	pwd, rest, _ := bytes.Cut(data, []byte("\n\x00"))
	return append([]string{string(pwd)}, strings.Split(strings.TrimSuffix(string(rest), "\x00"), "\x00")...)
}

// hostileSession is a session that has a word in every place where a transcript
// has words.
func hostileSession(t *testing.T, word, cwd string) string {
	t.Helper()
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	args, _ := json.Marshal(map[string]string{word: word})
	for i, r := range []map[string]any{
		{"role": "meta", "source": "made-up", "cwd": cwd, "git_branch": word, "model": word},
		{"role": "user", "content": "x" + word},
		{"role": "assistant", "content": "x" + word},
		{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"id": word, "name": word, "args": string(args)}}},
		{"role": "tool", "tool_call_id": word, "content": word, "ok": true},
		{"role": "assistant", "content": "end"},
	} {
		if i > 0 {
			r["timestamp"] = "2026-11-30T10:00:0" + string(rune('0'+i)) + ".000Z"
		}
		if err := e.Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "session.jsonl")
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestHostile carries sessions that are full of hostile words to every target:
// nothing leaves the export or the home, and the command that is printed starts
// the program with the arguments that are meant, in the folder that is meant.
func TestHostile(t *testing.T) {
	catalog, err := engine.NewCatalog()
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range writable(catalog) {
		t.Run(target, func(t *testing.T) {
			to, err := catalog.Open(target)
			if err != nil {
				t.Fatal(err)
			}
			for i, word := range hostile {
				base, err := filepath.EvalSymlinks(t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				// The folder and the home exist, and are called so as far as that is possible.
				name := strings.NewReplacer("/", "∕", "\x00", "").Replace("x" + word)
				if len(name) > 60 {
					name = strings.ToValidUTF8(name[:60], "")
				}
				cwd, root := filepath.Join(base, "work", name), filepath.Join(base, "home", name)
				if err := os.MkdirAll(cwd, 0o700); err != nil {
					t.Fatal(err)
				}
				session := hostileSession(t, word, cwd)
				out := filepath.Join(base, "out")
				w, _, stderr := world()
				args := []string{"convert", session, "--from", "trajectory", "--to", target, "-o", out}
				if code := w.Run(context.Background(), args); code != exitDone {
					t.Errorf("%.60q: exit %d: %s", word, code, stderr)
					continue
				}
				data, err := os.ReadFile(filepath.Join(out, manifest.Name))
				if err != nil {
					t.Fatal(err)
				}
				m, err := manifest.Decode(data)
				if err != nil {
					t.Fatal(err)
				}
				if list, _ := os.ReadDir(base); len(list) != 2 {
					t.Errorf("%.60q: beside the export there is more: %v", word, list)
				}
				c := m.Resume.Isolated
				c.Argv[0] = "program"
				if diff := cmp.Diff(append([]string{cwd}, c.Argv[1:]...), started(t, commandLine(c), "program")); diff != "" {
					t.Errorf("%.60q: the command (-meant +started):\n%s", word, diff)
				}
				if len(to.Write.Prepare) > 0 || i > 7 {
					continue // of its program's own, or no more than the rest shows
				}
				w, stdout, stderr := world()
				args = []string{"handoff", session, "--from", "trajectory", "--to", target, "--root", root}
				if code := w.Run(context.Background(), args); code != exitDone {
					t.Errorf("%.60q: handoff: exit %d: %s", word, code, stderr)
					continue
				}
				got := started(t, strings.TrimSuffix(stdout.String(), "\n"), to.Write.Pin.Program)
				if got[0] != cwd {
					t.Errorf("%.60q: it is started in %q, not %q", word, got[0], cwd)
				}
				if list, _ := os.ReadDir(filepath.Dir(root)); len(list) != 1 {
					t.Errorf("%.60q: beside the home there is more: %v", word, list)
				}
			}
		})
	}
}

// TestHostileFolders refuses what is no folder's name, and never leaves the
// export whatever a session says where it worked.
func TestHostileFolders(t *testing.T) {
	catalog, err := engine.NewCatalog()
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range writable(catalog) {
		for cwd, refused := range map[string]bool{
			"/a\x00b": true, "/a\x1b[2Jb": true, "relative": true, "../..": true, "-P": true, "~/x": true, "": true,
			"/../../x": false, "/": false, "/..": false, "/a/../../../b": false, `C:\Users\dev`: false, "/" + strings.Repeat("é", 5000): false,
		} {
			base := t.TempDir()
			out := filepath.Join(base, "out")
			w, _, stderr := world()
			code := w.Run(context.Background(), []string{"convert", hostileSession(t, "word", cwd), "--from", "trajectory", "--to", target, "-o", out})
			if refused && (code == exitDone || !strings.Contains(stderr.String(), "cwd_required")) {
				t.Errorf("%s: %.20q: exit %d: %s", target, cwd, code, stderr)
			}
			if len(cwd) < 100 && !refused && code != exitDone {
				t.Errorf("%s: %.20q: exit %d: %s", target, cwd, code, stderr)
			}
			list, _ := os.ReadDir(base)
			if want := map[bool]int{true: 1}[code == exitDone]; len(list) != want {
				t.Errorf("%s: %.20q: there is %v", target, cwd, list)
			}
		}
		for _, id := range []string{"../x", "a/../../b", "a/b", "..", "-x", "a\x1bb", "", "a\nb"} {
			base := t.TempDir()
			out := filepath.Join(base, "out")
			w, _, _ := world()
			code := w.Run(context.Background(), []string{"convert", hostileSession(t, "word", "/home/dev/project"), "--from", "trajectory", "--to", target, "--session-id=" + id, "-o", out})
			if (code == exitDone) != (id == "") {
				t.Errorf("%s: the id %q: exit %d", target, id, code)
			}
		}
	}
}
