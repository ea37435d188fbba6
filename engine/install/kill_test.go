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
	} else if how == "nobody" {
		if os.Getuid() == 0 && (syscall.Setgroups(nil) != nil || syscall.Setgid(nobody) != nil || syscall.Setuid(nobody) != nil) {
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
	return runVictimWith(t, nil, spec...)
}

// runVictimWith runs it below another program.
func runVictimWith(t *testing.T, with []string, spec ...string) error {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	argv := append(with, self)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), "TRAJMAP_VICTIM="+strings.Join(spec, "|"))
	err = cmd.Run()
	if cmd.ProcessState.ExitCode() == 9 {
		t.Fatal("the victim could not begin")
	}
	return err
}

// everywhere are the mappings whose sessions are files that are put in their
// places, by name, and those of tests: where their files are.
func everywhere(t *testing.T) map[string]string {
	t.Helper()
	list := map[string]string{}
	for _, name := range []string{"pair", "crate", "pile"} {
		list[name] = "testdata/" + name + ".yaml"
	}
	shipped, _ := filepath.Glob("../../mappings/*.yaml")
	for _, file := range shipped {
		if to := load(t, file); to.Write != nil && (len(to.Write.Prepare) == 0 || to.Harness == "cursor") {
			list[to.Harness] = file
		}
	}
	if len(list) < 3+9 {
		t.Fatalf("only %v", list)
	}
	return list
}

// TestKilled kills an installation at every step. Then the whole session is
// there or nothing that a harness could take for one, other sessions are as they
// were, and the next installation succeeds.
func TestKilled(t *testing.T) {
	for name, file := range everywhere(t) {
		k := newKiller(t, name, file)
		steps := k.all(func(root string, n int) bool {
			return runVictim(t, k.x.Dir, root, file, "kill", strconv.Itoa(n)) != nil
		})
		if steps < 5 && name != "pile" {
			t.Errorf("%s: only %d steps", name, steps)
		}
	}
}

// TestKilledInCalls kills it where it enters a system call that may change
// something, one after the other of each kind.
func TestKilledInCalls(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("without strace nobody knows when a program enters a system call")
	}
	calls := []string{"mkdirat", "openat", "write", "pwrite64", "fsync", "linkat", "renameat", "renameat2", "unlinkat"}
	if out, err := exec.Command(strace, "-f", "-qq", "-e", "trace="+strings.Join(calls, ","), "true").CombinedOutput(); err != nil {
		t.Skipf("strace does not work here: %v: %s", err, out)
	}
	for name, file := range everywhere(t) {
		if name != "codex" && name != "copilot" && name != "fx" && name != "cursor" {
			continue // the others are put in their places in the same ways
		}
		k := newKiller(t, name, file)
		steps := 0
		for _, call := range calls {
			steps += k.all(func(root string, n int) bool {
				return runVictimWith(t, []string{strace, "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + call,
					"-e", "inject=" + call + ":signal=KILL:when=" + strconv.Itoa(n)}, k.x.Dir, root, file, "kill", "0") != nil
			})
		}
		if steps < 8 {
			t.Errorf("%s: only %d system calls", name, steps)
		}
		t.Logf("%s: killed in %d system calls", name, steps)
	}
}

// killer kills installations of one session.
type killer struct {
	*testing.T
	name         string
	x            *Export
	first, whole string // homes: with another session in it; with this one
}

func newKiller(t *testing.T, name, file string) *killer {
	t.Helper()
	to := load(t, file)
	k := &killer{T: t, name: name, x: export(t, to, texts, project, convert.Options{}), first: store(t, to), whole: t.TempDir()}
	if _, err := k.x.Install(context.Background(), Machine{Root: k.whole}); err != nil {
		t.Fatal(err)
	}
	return k
}

// all kills until there is no step of that number, and says how many there were.
func (k *killer) all(kill func(root string, n int) (killed bool)) int {
	for n := 1; ; n++ {
		root := copied(k.T, k.first)
		was := files(tree(k.T, root))
		killed := kill(root, n)
		k.look(root, n, was, killed)
		done, err := k.x.Install(context.Background(), Machine{Root: root})
		if err != nil {
			k.Errorf("%s: after step %d: %v", k.name, n, err)
		} else if _, err := os.Stat(done.Files[0]); err != nil {
			k.Error(err)
		}
		if !killed {
			return n - 1
		}
	}
}

// look sees what an installation has left that was killed at a step.
func (k *killer) look(root string, n int, was map[string]string, killed bool) {
	now := files(tree(k.T, root))
	for path, content := range was {
		if now[path] != content && !(k.name == "pile" && strings.HasPrefix(now[path], content)) {
			k.Errorf("%s: step %d: %s has changed", k.name, n, path)
		}
		delete(now, path)
	}
	// A session in several places is there or not in each of them.
	half, want := map[string]int{}, map[string]int{}
	for path := range now {
		half[own(path, k.x.Manifest.Target.SessionID)]++
	}
	for path := range files(tree(k.T, k.whole)) {
		want[own(path, k.x.Manifest.Target.SessionID)]++
	}
	for place, count := range half {
		if killed && count != want[place] {
			k.Errorf("%s: step %d: half a session: %v", k.name, n, now)
		}
	}
}

// copied is a copy of a folder, with the modes of all in it.
func copied(t *testing.T, from string) string {
	t.Helper()
	to := t.TempDir()
	err := filepath.WalkDir(from, func(path string, e os.DirEntry, err error) error {
		if err != nil || path == from {
			return err
		}
		rel, _ := filepath.Rel(from, path)
		info, err := e.Info()
		if err != nil {
			return err
		}
		if e.IsDir() {
			return os.Mkdir(filepath.Join(to, rel), info.Mode())
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, info.Mode())
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}
