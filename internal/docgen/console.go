package docgen

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// The commands that a page shows are run when the page is written, in the order
// of the page and in one shell, and what they print is put below them. In a
// block of type console a line that begins with "$ " is a command, "> " goes on
// with it. A block of type diff, with the name of a file, edits that file: its
// lines with a space or - are looked for, once, and those with a space or + are
// put in their place.

// piece is a part of a Markdown text: lines that stay, or a command and what it
// prints.
type piece struct {
	text    string // as it stands in the page
	command string // for the shell; "" for text that only stays
	edit    *edit
	status  bool // the command shows the status of the one before
}

type edit struct {
	file          string
	before, after string
}

// run runs the commands of a Markdown text and gives the text with what they
// printed. trajmap is the program that they call ./trajmap.
func run(root, trajmap, name, text string) (string, error) {
	pieces, err := cut(text)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	box, err := newSandbox(root, trajmap, text)
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(box.dir)
	var out strings.Builder
	for i, p := range pieces {
		out.WriteString(p.text)
		switch {
		case p.edit != nil:
			err = box.edit(p.edit)
		case p.command != "":
			var printed string
			var status int
			printed, status, err = box.run(p.command)
			out.WriteString(printed)
			if err == nil && status != 0 && (i+1 == len(pieces) || !pieces[i+1].status) {
				err = fmt.Errorf("%s: exit status %d; a page shows a failure with echo $?\n%s", p.command, status, printed)
			}
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
	}
	return out.String(), nil
}

// cut cuts a Markdown text into pieces, without what commands printed when the
// text was last written.
func cut(text string) ([]piece, error) {
	var pieces []piece
	var stays strings.Builder
	flush := func() {
		if stays.Len() > 0 {
			pieces = append(pieces, piece{text: stays.String()})
			stays.Reset()
		}
	}
	lines := strings.SplitAfter(text, "\n")
	for i := 0; i < len(lines); i++ {
		info, fence := strings.CutPrefix(strings.TrimRight(lines[i], "\n"), "```")
		stays.WriteString(lines[i])
		if !fence || info == "" {
			continue
		}
		var body []string
		for i++; i < len(lines) && !strings.HasPrefix(lines[i], "```"); i++ {
			body = append(body, lines[i])
		}
		if i == len(lines) {
			return nil, fmt.Errorf("a block of type %s is not closed", info)
		}
		kind, file, _ := strings.Cut(info, " ")
		switch {
		case kind == "console":
			flush()
			list, err := commands(body)
			if err != nil {
				return nil, err
			}
			pieces = append(pieces, list...)
		case kind == "diff" && file != "":
			stays.WriteString(strings.Join(body, ""))
			flush()
			pieces = append(pieces, piece{edit: newEdit(file, body)})
		default:
			stays.WriteString(strings.Join(body, ""))
		}
		stays.WriteString(lines[i])
	}
	flush()
	return pieces, nil
}

// commands are the commands of a console block.
func commands(body []string) (list []piece, err error) {
	for _, line := range body {
		if first, ok := strings.CutPrefix(line, "$ "); ok {
			list = append(list, piece{text: line, command: first, status: strings.TrimSpace(first) == "echo $?"})
		} else if more, ok := strings.CutPrefix(line, "> "); ok && len(list) > 0 {
			last := &list[len(list)-1]
			last.text += line
			last.command += more
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("a console block has no command")
	}
	return list, nil
}

func newEdit(file string, body []string) *edit {
	e := &edit{file: file}
	for _, line := range body {
		rest := line[min(1, len(line)):]
		switch line[0] {
		case '-':
			e.before += rest
		case '+':
			e.after += rest
		default:
			e.before += rest
			e.after += rest
		}
	}
	return e
}

// sandbox is a folder that looks like a clone in which trajmap has been built.
type sandbox struct {
	dir string
	env []string
	cwd string
	set string // exported variables, as shell commands
	old int    // status of the last command
}

// newSandbox copies what the commands of a text may read or change.
func newSandbox(root, trajmap, text string) (*sandbox, error) {
	dir, err := os.MkdirTemp("", "docgen")
	if err != nil {
		return nil, err
	}
	folders, err := filepath.Glob(filepath.Join(root, "testdata", "*"))
	if err != nil {
		return nil, err
	}
	for _, folder := range append(folders, filepath.Join(root, "mappings")) {
		name, err := filepath.Rel(root, folder)
		if err != nil {
			return nil, err
		}
		if !strings.Contains(text, filepath.ToSlash(name)) {
			continue
		}
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(folder)); err != nil {
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
	return &sandbox{dir: dir, cwd: dir, env: append(os.Environ(),
		"PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"),
		"HOME="+home, "XDG_CONFIG_HOME="+filepath.Join(home, ".config"), "TRAJMAP_MAPPINGS=", "LC_ALL=C", "TZ=UTC", "NO_COLOR=1")}, nil
}

// run runs a command as a shell would that ran those before. The program has
// been built, so go does nothing.
func (b *sandbox) run(command string) (printed string, status int, err error) {
	state := filepath.Join(b.dir, ".home", "state")
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
	printed = strings.ReplaceAll(out.String(), b.dir+"/", "")
	if printed != "" && !strings.HasSuffix(printed, "\n") {
		printed += "\n"
	}
	return printed, b.old, nil
}

// edit changes a file.
func (b *sandbox) edit(e *edit) error {
	path := filepath.Join(b.dir, filepath.FromSlash(e.file))
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if n := bytes.Count(text, []byte(e.before)); n != 1 {
		return fmt.Errorf("%s: what the edit begins with is there %d times, not once:\n%s", e.file, n, e.before)
	}
	return os.WriteFile(path, bytes.Replace(text, []byte(e.before), []byte(e.after), 1), 0o666)
}
