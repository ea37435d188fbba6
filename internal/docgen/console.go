package docgen

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// The commands that a page shows are run when the page is written, in the order
// of the page and in one shell, and what they print is put below them. In a
// block of type console a line that begins with "$ " is a command, "> " goes on
// with it. A block of type diff, with the name of a file, edits that file: its
// lines with a space or - are looked for, once, and those with a space or + are
// put in their place. A block of any other type with the name of a file makes that
// file. A comment that begins with "<!-- sh" holds commands that readers need not
// see, such as those that put sessions where a reader has some; they say nothing.

// piece is a part of a Markdown text: lines that stay, or a command and what it
// prints.
type piece struct {
	text    string // as it stands in the page
	command string // for the shell; "" for text that only stays
	silent  bool   // the command must print nothing
	edit    *edit
	file    *made
	status  bool // the command shows the status of the one before
}

// made is a file that a page shows whole.
type made struct{ name, text string }

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
		case p.file != nil:
			err = box.make(p.file)
		case p.command != "":
			var printed string
			var status int
			printed, status, err = box.run(p.command)
			if !p.silent {
				out.WriteString(printed)
			} else if err == nil && printed != "" {
				err = fmt.Errorf("a hidden command says something:\n%s%s", p.command, printed)
			}
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
		if lines[i] == hidden {
			end := slices.Index(lines[i:], "-->\n")
			if end < 0 {
				return nil, fmt.Errorf("a comment with commands is not closed")
			}
			body := strings.Join(lines[i+1:i+end], "")
			stays.WriteString(body)
			flush()
			pieces = append(pieces, piece{command: body, silent: true})
			i += end
			stays.WriteString(lines[i])
			continue
		}
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
		kind, file, named := strings.Cut(info, " ")
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
		case named:
			text := strings.Join(body, "")
			stays.WriteString(text)
			flush()
			pieces = append(pieces, piece{file: &made{file, text}})
		default:
			stays.WriteString(strings.Join(body, ""))
		}
		stays.WriteString(lines[i])
	}
	flush()
	return pieces, nil
}

// hidden begins a comment that holds commands.
const hidden = "<!-- sh\n"

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
