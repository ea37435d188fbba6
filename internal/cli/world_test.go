package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/trajectory"
)

const files = "../../testdata/scripts/files/"

// world is one of its own: what is written can be looked at.
func world() (w *World, stdout, stderr *bytes.Buffer) {
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	return &World{Stdout: stdout, Stderr: stderr, Getenv: func(string) string { return "" }}, stdout, stderr
}

// broken fails to write, after some bytes.
type broken struct {
	left int
	err  error
}

func (b *broken) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, b.err
	}
	return len(p), nil
}

// TestClosedOutput ends in silence when the reader has seen enough, and aloud
// when the output cannot be written.
func TestClosedOutput(t *testing.T) {
	full := &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
	for _, test := range []struct {
		name string
		args []string
		err  error
		code int
		says string
	}{
		{"one input", []string{"apply", files + "demo.yaml", files + "session.jsonl"}, syscall.EPIPE, exitDone, ""},
		{"several", []string{"apply", files + "demo.yaml", files + "other.jsonl", files + "other.jsonl"}, syscall.EPIPE, exitDone, ""},
		{"one failed", []string{"apply", files + "demo.yaml", "nowhere", files + "other.jsonl"}, syscall.EPIPE, exitFailed, "trajmap: nowhere: no such file or folder\n"},
		{"full", []string{"apply", files + "demo.yaml", files + "other.jsonl"}, full, exitFailed, "trajmap: /dev/stdout: no space left on device\n"},
		{"check", []string{"check", "--format", "json", files + "demo.yaml"}, full, exitFailed, "trajmap: /dev/stdout: no space left on device\n"},
		{"schema", []string{"schema"}, syscall.EPIPE, exitDone, ""},
		{"help", []string{"list", "--help"}, syscall.EPIPE, exitDone, ""},
		{"help that cannot be written", []string{"--help"}, full, exitFailed, "trajmap: /dev/stdout: no space left on device\n"},
		{"explain", []string{"explain", files + "demo.yaml", files + "other.jsonl"}, syscall.EPIPE, exitDone, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, _, stderr := world()
			w.Stdout = &broken{err: test.err}
			if code := w.Run(context.Background(), test.args); code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			said := stderr.String()
			if i := strings.Index(said, files+"session.jsonl:3: "); i == 0 { // a diagnostic
				said = ""
			}
			if !strings.HasPrefix(said, test.says) || test.says == "" && strings.Contains(said, "pipe") {
				t.Errorf("said %q, want %q", said, test.says)
			}
		})
	}
}

// TestInterrupted says so, and leaves no file behind.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{
		{"apply", files + "demo.yaml", files + "session.jsonl"},
		{"apply", files + "demo.yaml", files, "-o", filepath.Join(dir, "out.jsonl")},
		{"drift", files + "demo.yaml", files + "session.jsonl"},
	} {
		w, stdout, stderr := world()
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if code := w.Run(ctx, args); code != exitFailed {
			t.Errorf("%v: exit code %d", args, code)
		}
		if stderr.String() != "trajmap: interrupted\n" || stdout.Len() > 0 {
			t.Errorf("%v: said %q and wrote %q", args, stderr, stdout)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%s is left", left[0].Name())
	}
}

// chunks counts what it is given in one go.
type chunks struct {
	sizes []int
	first time.Duration
	began time.Time
}

func (c *chunks) Write(p []byte) (int, error) {
	if len(c.sizes) == 0 {
		c.first = time.Since(c.began)
	}
	c.sizes = append(c.sizes, len(p))
	return len(p), nil
}

// TestStreams wants the records of a single input as they come, not all at once.
func TestStreams(t *testing.T) {
	file := filepath.Join(t.TempDir(), "long.jsonl")
	session := bytes.NewBufferString(`{"type":"start","session":"s"}` + "\n")
	for n := range 5000 {
		fmt.Fprintf(session, `{"type":"user","text":"Question %d? %s"}`+"\n"+`{"type":"assistant","text":"Answer."}`+"\n", n, strings.Repeat("x", 200))
	}
	if err := os.WriteFile(file, session.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	w, _, stderr := world()
	out := &chunks{began: time.Now()}
	w.Stdout = out
	if code := w.Run(context.Background(), []string{"apply", files + "demo.yaml", file}); code != exitDone {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if len(out.sizes) < session.Len()/outputBuffer {
		t.Errorf("%d bytes were written in %d pieces", session.Len(), len(out.sizes))
	}
	for _, n := range out.sizes {
		if n > outputBuffer {
			t.Errorf("%d bytes were held back", n)
		}
	}
}

func TestSentence(t *testing.T) {
	missing := &os.PathError{Op: "open", Path: "a", Err: syscall.ENOENT}
	for _, test := range []struct {
		err  error
		want string
	}{
		{errors.New("what"), "what"},
		{&placed{"f", errors.New("what")}, "f: what"},
		{missing, "a: no such file or folder"},
		{&placed{"a", missing}, "a: no such file or folder"},
		{&placed{"f", fmt.Errorf("beside it: %w", missing)}, "f: beside it: open a: no such file or directory"},
		{&os.PathError{Op: "open", Path: "a", Err: syscall.EACCES}, "a: permission denied (it must be readable by you)"},
		{&placed{"f", &trajectory.Error{Code: "bad", Message: "what"}}, "f: bad: what"},
		{&placed{"f", &trajectory.Error{Code: "bad", Message: "what", Line: 3}}, "f:3: bad: what"},
		{&trajectory.Error{Code: "bad", Message: "what"}, "bad: what"},
	} {
		if got := sentence(test.err); got != test.want {
			t.Errorf("%v is %q, want %q", test.err, got, test.want)
		}
	}
}

// TestFailList prints errors with their places; warnings are for `check`.
func TestFailList(t *testing.T) {
	w, _, stderr := world()
	code := w.fail(fmt.Errorf("open: %w", diag.List{
		{Code: "TM1", File: "m.yaml", Line: 2, Col: 1, Message: "odd", Severity: diag.Warning},
		{Code: "TM2", File: "m.yaml", Line: 3, Col: 1, Message: "wrong"},
	}))
	want := "m.yaml:3:1: wrong [TM2]\ntrajmap: m.yaml: the mapping has 1 error\n"
	if code != exitFailed || stderr.String() != want {
		t.Errorf("exit code %d, said %q", code, stderr)
	}
}

func TestPlural(t *testing.T) {
	for want, got := range map[string]string{
		"1 file": plural(1, "file"), "0 files": plural(0, "file"), "2 entries": plural(2, "entry"),
		"1,234,567 records": plural(1234567, "record"), "999 records": plural(999, "record"), "1,000 records": plural(1000, "record"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestShorten(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", ""}, {"123456789", "123456789"}, {"1234567890", "123456 … 890"}, {"äöüäöüäöüäöü", "äöüäöü … äöü"},
	} {
		if got := shorten(test.in, 9); got != test.want {
			t.Errorf("%q is %q, want %q", test.in, got, test.want)
		}
	}
}

// TestSpool keeps what it is given, in memory or not, and is empty after a reset.
func TestSpool(t *testing.T) {
	var s spool
	for _, size := range []int{0, 10, spoolMost - 1, spoolMost + 1, 3 * spoolMost, 5} {
		want := bytes.Repeat([]byte("0123456789abcdef"), size/16+1)[:size]
		for at := 0; at < size; at += 1 << 20 {
			if _, err := s.Write(want[at:min(size, at+1<<20)]); err != nil {
				t.Fatal(err)
			}
		}
		if spilled := s.file != nil; spilled != (size > spoolMost) {
			t.Errorf("%d bytes: in a file: %v", size, spilled)
		}
		if s.buf.Len() > spoolMost {
			t.Errorf("%d bytes: %d in memory", size, s.buf.Len())
		}
		var got bytes.Buffer
		if err := s.copyTo(&got); err != nil || !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%d bytes: %d come back, %v", size, got.Len(), err)
		}
		name := ""
		if s.file != nil {
			name = s.file.Name()
		}
		if err := s.reset(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s is left", name)
		}
	}
	if err := s.copyTo(io.Discard); err != nil {
		t.Error(err)
	}
}

// TestProgress shows a line only on a terminal, and not for quick work.
func TestProgress(t *testing.T) {
	w, _, stderr := world()
	p := progress{World: w, began: time.Now().Add(-time.Minute)}
	p.show("5 sessions")
	if stderr.Len() > 0 {
		t.Errorf("without a terminal it says %q", stderr)
	}
	w.Terminal = true
	p.began = time.Now()
	p.show("5 sessions")
	if stderr.Len() > 0 {
		t.Errorf("at once it says %q", stderr)
	}
	p.began = time.Now().Add(-time.Minute)
	p.show("5 sessions")
	p.show("15 sessions")
	p.clear()
	p.clear()
	want := "\r5 sessions, 1m0s\r15 sessions, 1m0s\r                 \r"
	if stderr.String() != want {
		t.Errorf("it says %q, want %q", stderr, want)
	}
}

// TestRefusals end with the code that says so, all reasons told; nothing is
// written.
func TestRefusals(t *testing.T) {
	const killed = "../../testdata/codex/interrupted/input.jsonl"
	for _, test := range []struct {
		args []string
		code int
		says []string
	}{
		{nil, exitUnsafe, []string{"interrupted_turn", "in_flight_call", "--cut-tail"}},
		{[]string{"--allow", "in_flight_call"}, exitUnsafe, []string{"interrupted_turn"}},
		{[]string{"--cut-tail"}, exitUnsafe, []string{"empty_session", "no way around"}},
		{[]string{"--allow", "in_flight_call,interrupted_turn"}, exitDone, []string{"result_synthesized"}},
		{[]string{"--allow", "compaction_opaque"}, exitUsage, []string{"no reason"}},
		{[]string{"--provider", "x"}, exitUsage, []string{"cannot take --provider"}},
	} {
		w, _, stderr := world()
		out := filepath.Join(t.TempDir(), "out")
		code := w.Run(context.Background(), append([]string{"convert", killed, "--to", "pi", "-o", out}, test.args...))
		if code != test.code {
			t.Errorf("%v: exit %d, want %d: %s", test.args, code, test.code, stderr)
		}
		for _, words := range test.says {
			if !strings.Contains(stderr.String(), words) {
				t.Errorf("%v: nothing is said of %q: %s", test.args, words, stderr)
			}
		}
		if _, err := os.Stat(out); (err == nil) != (code == exitDone) {
			t.Errorf("%v: exit %d, and the folder: %v", test.args, code, err)
		}
	}
}
