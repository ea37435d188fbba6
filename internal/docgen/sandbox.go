package docgen

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// sandbox is a folder that looks like a clone in which trajmap has been built.
type sandbox struct {
	dir  string
	home string
	env  []string
	cwd  string
	set  string // exported variables, as shell commands
	old  int    // status of the last command
}

// newSandbox copies what the commands of a text may read or change.
func newSandbox(root, trajmap, text string) (*sandbox, error) {
	dir, err := os.MkdirTemp("", "docgen")
	if err != nil {
		return nil, err
	}
	folders, err := fs.Glob(os.DirFS(root), "testdata/*")
	if err != nil {
		return nil, err
	}
	for _, name := range append(folders, "mappings") {
		if !strings.Contains(text, name) {
			continue
		}
		if err := os.CopyFS(filepath.Join(dir, filepath.FromSlash(name)), os.DirFS(filepath.Join(root, filepath.FromSlash(name)))); err != nil {
			return nil, err
		}
	}
	if trajmap, err = filepath.Abs(trajmap); err != nil {
		return nil, err
	}
	if err := os.Symlink(trajmap, filepath.Join(dir, "trajmap")); err != nil {
		return nil, err
	}
	home := filepath.Join(dir, ".home")
	if err := os.Mkdir(home, 0o777); err != nil {
		return nil, err
	}
	// Nothing of this machine's environment: agents' homes may be in it.
	return &sandbox{dir: dir, home: home, cwd: dir, env: []string{
		"PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH"), "TMPDIR=" + os.TempDir(),
		"HOME=" + home, "LC_ALL=C", "TZ=UTC",
	}}, nil
}

// run runs a command as a shell would that ran those before. The program has
// been built, so go does nothing.
func (b *sandbox) run(command string) (printed string, status int, err error) {
	state := filepath.Join(b.dir, ".state")
	script := "go() { :; }\n" + b.set + "\n" +
		"status() { return " + strconv.Itoa(b.old) + "; }\nstatus\n" +
		command + "\nstatus=$?\n{ pwd; export -p; } >" + state + "\nexit $status\n"
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir, cmd.Env = b.cwd, b.env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		return "", 0, err
	}
	saved, err := os.ReadFile(state)
	if err != nil {
		return "", 0, fmt.Errorf("%s: the shell did not come to its end: %s", command, out.String())
	}
	cwd, set, _ := strings.Cut(string(saved), "\n")
	b.cwd, b.set, b.old = cwd, set, cmd.ProcessState.ExitCode()
	printed = strings.NewReplacer(b.home, "~", b.dir+"/", "").Replace(out.String())
	printed = elsewhere.ReplaceAllString(printed, "")
	if printed != "" && !strings.HasSuffix(printed, "\n") {
		printed += "\n"
	}
	return printed, b.old, nil
}

// elsewhere is said of a session's folder, which those of the pages have on the
// reader's machine and not on the one that writes the pages.
var elsewhere = regexp.MustCompile(`(?m)^trajmap: the session's folder .* is not on this machine.*\n`)

// make writes a file.
func (b *sandbox) make(f *made) error {
	path := filepath.Join(b.cwd, filepath.FromSlash(f.name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(f.text), 0o666)
}

// edit changes a file.
func (b *sandbox) edit(e *edit) error {
	path := filepath.Join(b.cwd, filepath.FromSlash(e.file))
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if n := bytes.Count(text, []byte(e.before)); n != 1 {
		return fmt.Errorf("%s: what the edit begins with is there %d times, not once:\n%s", e.file, n, e.before)
	}
	return os.WriteFile(path, bytes.Replace(text, []byte(e.before), []byte(e.after), 1), 0o666)
}
