//go:build unix

package install

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/mapping"
)

// TestMain is the program that is killed, when it is called as such.
func TestMain(m *testing.M) {
	if spec := os.Getenv("TRAJMAP_VICTIM"); spec != "" {
		os.Exit(victim(strings.Split(spec, "|")))
	}
	os.Exit(m.Run())
}

// victim installs an export and is killed at a step, or may write little.
func victim(spec []string) int {
	dir, root, file, how := spec[0], spec[1], spec[2], spec[3]
	n, _ := strconv.Atoi(spec[4])
	data, err := os.ReadFile(file)
	if err != nil {
		return 9
	}
	to, _ := mapping.Parse(file, data)
	x, err := Open(dir, func(string) (*mapping.Mapping, error) { return to, nil })
	if err != nil {
		return 9
	}
	if how == "limit" {
		signal.Ignore(syscall.SIGXFSZ)
		if syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: uint64(n), Max: uint64(n)}) != nil {
			return 9
		}
	} else {
		seen := 0
		before = func(string) error {
			if seen++; seen == n {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
			return nil
		}
	}
	if _, err := x.Install(context.Background(), Machine{Root: root}); err != nil {
		return 1
	}
	return 0
}

func runVictim(t *testing.T, spec ...string) error {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "TRAJMAP_VICTIM="+strings.Join(spec, "|"))
	err = cmd.Run()
	if cmd.ProcessState.ExitCode() == 9 {
		t.Fatal("the victim could not begin")
	}
	return err
}

// TestKilled kills an installation at every step. Then the whole session is
// there or nothing that a harness could take for one, other sessions are as they
// were, and the next installation succeeds.
func TestKilled(t *testing.T) {
	for _, name := range []string{"codex", "pair", "crate", "pile"} {
		file := "../../mappings/codex.yaml"
		if name != "codex" {
			file = "testdata/" + name + ".yaml"
		}
		to := load(t, file)
		x := export(t, to, texts, project, convert.Options{})
		whole := t.TempDir()
		if _, err := x.Install(context.Background(), Machine{Root: whole}); err != nil {
			t.Fatal(err)
		}
		for n := 1; ; n++ {
			root := store(t, to)
			was := files(tree(t, root))
			killed := runVictim(t, x.Dir, root, file, "kill", strconv.Itoa(n)) != nil
			now := files(tree(t, root))
			for path, content := range was {
				if now[path] != content && !(name == "pile" && strings.HasPrefix(now[path], content)) {
					t.Errorf("%s: step %d: %s has changed", name, n, path)
				}
				delete(now, path)
			}
			// A session in several places is there or not in each of them.
			half, want := map[string]int{}, map[string]int{}
			for path := range now {
				half[own(path, x.Manifest.Target.SessionID)]++
			}
			for path := range files(tree(t, whole)) {
				want[own(path, x.Manifest.Target.SessionID)]++
			}
			for place, n := range half {
				if killed && n != want[place] {
					t.Errorf("%s: step %d: half a session: %v", name, n, now)
				}
			}
			done, err := x.Install(context.Background(), Machine{Root: root})
			if err != nil {
				t.Errorf("%s: after step %d: %v", name, n, err)
			} else if _, err := os.Stat(done.Files[0]); err != nil {
				t.Error(err)
			}
			if !killed {
				if n < 5 && name != "pile" {
					t.Errorf("%s: only %d steps", name, n)
				}
				break
			}
		}
	}
}

// TestFullDisk lets the system refuse to write more than some bytes.
func TestFullDisk(t *testing.T) {
	to := shipped(t, "codex")
	x := export(t, to, texts, project, convert.Options{})
	size := x.Manifest.Files[0].Bytes
	for _, n := range []int64{0, 100, size - 1} {
		root := store(t, to)
		was := tree(t, root)
		if err := runVictim(t, x.Dir, root, "../../mappings/codex.yaml", "limit", strconv.FormatInt(n, 10)); err == nil {
			t.Errorf("%d bytes: it was installed", n)
		}
		if diff := cmp.Diff(was, tree(t, root)); diff != "" {
			t.Errorf("%d bytes: something was left: %s", n, diff)
		}
	}
}

// TestPermission meets a folder that it must not write to.
func TestPermission(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("nothing is forbidden to this user")
	}
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "sessions"), 0o500); err != nil {
		t.Fatal(err)
	}
	was := tree(t, root)
	if _, err := export(t, shipped(t, "codex"), texts, project, convert.Options{}).Install(context.Background(), Machine{Root: root}); err == nil {
		t.Error("it was installed")
	}
	if diff := cmp.Diff(was, tree(t, root)); diff != "" {
		t.Error(diff)
	}
}
