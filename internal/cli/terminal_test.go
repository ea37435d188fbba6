//go:build unix

package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"

	"github.com/trajmap/trajmap/internal/terminal"
)

// longSession is a session of the demo agent with so many turns, in a file.
func longSession(t *testing.T, turns int) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintln(&b, `{"type":"start","session":"s","dir":"/w","time":"2026-01-02T03:04:05Z"}`)
	for n := range turns {
		fmt.Fprintf(&b, `{"type":"user","text":"Question %d?"}`+"\n", n)
		fmt.Fprintf(&b, `{"type":"call","call":"c%d","name":"sh","input":{"cmd":"ls"}}`+"\n", n)
		fmt.Fprintf(&b, `{"type":"result","call":"c%d","output":"1\n2\n3\n4\n5\nsixth","failed":%v}`+"\n", n, n%2 == 1)
		fmt.Fprintf(&b, `{"type":"assistant","text":"%s"}`+"\n", strings.TrimSpace(strings.Repeat("word ", 40)))
	}
	path := filepath.Join(t.TempDir(), "session.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// screen is a terminal of a size.
type screen struct{ columns, rows int }

// run runs trajmap on a terminal and gives what it printed there. It fails when
// that did not end well.
func (s screen) run(t *testing.T, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command("trajmap", args...)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TERM=xterm-256color", "TZ=UTC"}, env...)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(s.columns), Rows: uint16(s.rows)})
	if err != nil {
		t.Skipf("there is no terminal to be had: %v", err)
	}
	defer tty.Close()
	out, err := io.ReadAll(tty)
	if err != nil && !errors.Is(err, syscall.EIO) { // that is how it ends
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return strings.ReplaceAll(string(out), "\r\n", "\n")
}

// pagerScript is a pager that notes that it ran, in the file that it gives back.
func pagerScript(t *testing.T, does string) (env, ran string) {
	t.Helper()
	dir := t.TempDir()
	script := filepath.Join(dir, "pager")
	ran = filepath.Join(dir, "ran")
	if err := os.WriteFile(script, []byte("#!/bin/sh\n: > "+ran+"\n"+does+"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	return "PAGER=" + script, ran
}

var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

func demo(path string, flags ...string) []string {
	return append([]string{"show", "--from", files + "demo.yaml", path}, flags...)
}

// TestColour wants colour on a terminal, unless the user does not.
func TestColour(t *testing.T) {
	path := longSession(t, 2)
	for _, test := range []struct {
		name string
		env  []string
		args []string
		want bool
	}{
		{"terminal", nil, demo(path), true},
		{"NO_COLOR", []string{"NO_COLOR=1"}, demo(path), false},
		{"NO_COLOR that is empty", []string{"NO_COLOR="}, demo(path), true},
		{"dumb", []string{"TERM=dumb"}, demo(path), false},
		{"Markdown", nil, demo(path, "--format", "md"), false},
		{"JSON", nil, demo(path, "--format", "json"), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			out := screen{80, 200}.run(t, test.env, test.args...)
			if got := strings.Contains(out, "\x1b"); got != test.want {
				t.Errorf("colour: %v, want %v:\n%q", got, test.want, out)
			}
			if !strings.Contains(out, "Question 1?") {
				t.Errorf("the session is not shown:\n%s", out)
			}
		})
	}
}

// TestPager wants the pager for what is longer than the screen, and only then.
func TestPager(t *testing.T) {
	short, long := longSession(t, 1), longSession(t, 50)
	for _, test := range []struct {
		name string
		env  []string
		rows int
		args []string
		want bool
	}{
		{"fits", nil, 60, demo(short), false},
		{"longer than the screen", nil, 10, demo(short), true},
		{"long", nil, 60, demo(long), true},
		{"Markdown", nil, 10, demo(long, "--format", "md"), false},
		{"to a file", nil, 10, demo(long, "-o", filepath.Join(t.TempDir(), "out.txt")), false},
		{"dumb", []string{"TERM=dumb"}, 10, demo(long), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			env, ran := pagerScript(t, "sed 's/^/p /'")
			out := screen{80, test.rows}.run(t, append(test.env, env), test.args...)
			_, err := os.Stat(ran)
			if got := err == nil; got != test.want {
				t.Errorf("the pager ran: %v, want %v", got, test.want)
			}
			if got := strings.Contains(out, "p "); test.want && strings.Count(out, "\np ") < test.rows-1 || !test.want && strings.HasPrefix(out, "p ") {
				t.Errorf("shown by the pager: %v:\n%s", got, out)
			}
		})
	}
	for _, none := range []string{"PAGER=", "PAGER=cat", "PAGER=no-such-pager"} {
		if out := (screen{80, 10}).run(t, []string{none}, demo(long)...); !strings.Contains(out, "Question 49?") {
			t.Errorf("%s: not all is shown:\n%s", none, out)
		}
	}
}

// TestPagerLeft leaves the pager before it has seen everything, which is no
// error and leaves nothing behind on the screen.
func TestPagerLeft(t *testing.T) {
	env, ran := pagerScript(t, "head -n 1 >/dev/null; echo left")
	out := screen{80, 10}.run(t, []string{env}, demo(longSession(t, 2000))...)
	if _, err := os.Stat(ran); err != nil || out != "left\n" {
		t.Errorf("it says %q, %v", out, err)
	}
}

// TestPagerFails passes on that a pager failed.
func TestPagerFails(t *testing.T) {
	env, _ := pagerScript(t, "cat >/dev/null; exit 7")
	cmd := exec.Command("trajmap", demo(longSession(t, 5))...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TERM=xterm", env}
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 80, Rows: 10})
	if err != nil {
		t.Skipf("there is no terminal to be had: %v", err)
	}
	defer tty.Close()
	out, _ := io.ReadAll(tty)
	if err := cmd.Wait(); err == nil || !strings.Contains(string(out), "exit status 7") {
		t.Errorf("%v: %q", err, out)
	}
}

// TestLess goes through less itself, where it is installed: colours are shown,
// and the q that is typed ends it.
func TestLess(t *testing.T) {
	if _, err := exec.LookPath("less"); err != nil {
		t.Skip("less is not installed")
	}
	cmd := exec.Command("trajmap", demo(longSession(t, 500))...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TERM=xterm", "LESSHISTFILE=-"}
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 80, Rows: 20})
	if err != nil {
		t.Skipf("there is no terminal to be had: %v", err)
	}
	defer tty.Close()
	if _, err := tty.WriteString("q"); err != nil {
		t.Fatal(err)
	}
	out, _ := io.ReadAll(tty)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%q", err, out)
	}
	if text := string(out); !strings.Contains(text, "Question 0?") || strings.Contains(text, "Question 400?") || strings.Contains(text, "ESC[") {
		t.Errorf("less shows %q", text)
	}
}

// TestColumns wants lines that use the terminal's width and keep to it.
func TestColumns(t *testing.T) {
	path := longSession(t, 2)
	longest := map[int]int{}
	for _, columns := range []int{40, 100, 160} {
		out := screen{columns, 500}.run(t, nil, demo(path)...)
		for line := range strings.SplitSeq(colours.ReplaceAllString(out, ""), "\n") {
			longest[columns] = max(longest[columns], terminal.Cells(line))
		}
		if longest[columns] != columns {
			t.Errorf("on %d columns the longest line has %d", columns, longest[columns])
		}
	}
}

// TestWhatIsShown has the flags that choose.
func TestWhatIsShown(t *testing.T) {
	path := longSession(t, 1)
	thinking := filepath.Join(t.TempDir(), "records.jsonl")
	err := os.WriteFile(thinking, []byte(`{"role":"meta","source":"x"}
{"role":"user","content":"Why?","timestamp":"2026-01-02T03:04:05Z"}
{"role":"reasoning","content":"Let me think.","timestamp":"2026-01-02T03:04:06Z"}
{"role":"assistant","content":"Because.","timestamp":"2026-01-02T03:04:07Z"}
`), 0o666)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args  []string
		shows []string
		not   []string
	}{
		{demo(path), []string{"sh", "cmd: ls", "… 3 more lines"}, []string{"sixth", `"cmd"`}},
		{demo(path, "--tools", "full"), []string{"sh", `"cmd": "ls"`, "sixth"}, []string{"more lines"}},
		{demo(path, "--tools", "none"), []string{"word"}, []string{"sh", "sixth", "1 call"}},
		{[]string{"show", thinking}, []string{"Because."}, []string{"Let me think."}},
		{[]string{"show", thinking, "--reasoning"}, []string{"Because.", "┊ Let me think."}, nil},
	} {
		out := colours.ReplaceAllString(screen{80, 200}.run(t, nil, test.args...), "")
		for _, text := range test.shows {
			if !strings.Contains(out, text) {
				t.Errorf("%v does not show %q:\n%s", test.args, text, out)
			}
		}
		for _, text := range test.not {
			if strings.Contains(out, text) {
				t.Errorf("%v shows %q:\n%s", test.args, text, out)
			}
		}
	}
}

// TestListOnTerminal wants ids as short as they can be, and lines that end where
// the terminal does.
func TestListOnTerminal(t *testing.T) {
	home := t.TempDir()
	title := strings.Repeat("A long title ", 20)
	for _, id := range []string{"5b1f9c6e-3c1d-4a0e-9a57-1c2d3e4f5a6b", "5b1f0000-3c1d-4a0e-9a57-1c2d3e4f5a6b"} {
		path := filepath.Join(home, ".claude/projects/-w", id+".jsonl")
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		text := `{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"` + title +
			`"},"uuid":"u1","timestamp":"2026-11-30T12:00:01.000Z","cwd":"/a/rather/long/path/of/a/project","sessionId":"` + id + `","version":"2.1.332"}` + "\n"
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := screen{80, 24}.run(t, []string{"HOME=" + home}, "list", "claude-code")
	plain := colours.ReplaceAllString(out, "")
	for line := range strings.SplitSeq(plain, "\n") {
		if n := terminal.Cells(line); n > 80 {
			t.Errorf("a line has %d columns: %s", n, line)
		}
	}
	if plain == out || !strings.Contains(plain, "claude-code:5b1f9") || strings.Contains(plain, "5b1f9c6e-3c1d") || !strings.Contains(plain, "…") {
		t.Errorf("the list is\n%s", out)
	}
}
