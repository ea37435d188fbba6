package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/install"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// The exit codes.
const (
	exitDone   = 0
	exitFailed = 1 // the input or a check failed
	exitUsage  = 2
	exitDrift  = 3 // drift found
	exitUnsafe = 3 // refused as unsafe
)

// quiet ends a command that has said all there is to say.
type quiet int

func (q quiet) Error() string { return "exit " + strconv.Itoa(int(q)) }

// usageError is of a command line that cannot be meant.
type usageError struct{ what, hint string }

func (e *usageError) Error() string { return e.what }

func usagef(hint, format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...), hint}
}

// usage is what the parser of the command line has to say.
func usage(err error) error {
	command := "trajmap"
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil {
		if node := parse.Context.Selected(); node != nil {
			command = node.FullPath()
		}
	}
	return &usageError{err.Error(), command + " --help lists what there is"}
}

// placed says which file an error is about.
type placed struct {
	file string
	err  error
}

func (e *placed) Error() string { return e.file + ": " + e.err.Error() }
func (e *placed) Unwrap() error { return e.err }

// fail prints an error and gives the exit code for it.
func (w *World) fail(err error) int {
	var code quiet
	var list diag.List
	var misuse *usageError
	var unknown *engine.UnknownMappingError
	var refusal *convert.Refusal
	var option *convert.OptionError
	var untested *install.UntestedError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &code):
		return int(code)
	case errors.Is(err, syscall.EPIPE):
		return exitDone // whoever read our output has seen enough
	case errors.Is(err, context.Canceled):
		w.say("interrupted")
		return exitFailed
	case errors.As(err, &misuse):
		w.say(misuse.what + parens(misuse.hint))
		return exitUsage
	case errors.As(err, &refusal):
		w.say(sentence(err))
		return exitUnsafe
	case errors.As(err, &untested):
		w.say(sentence(err))
		return exitUnsafe
	case errors.As(err, &option):
		w.say(option.Error())
		return exitUsage
	case errors.As(err, &unknown):
		hint := "trajmap mappings lists those there are; a file's name ends in .yaml or has a /"
		if unknown.Nearest != "" {
			hint = "did you mean " + unknown.Nearest + "?"
		}
		w.say(unknown.Error() + parens(hint))
		return exitUsage
	case errors.As(err, &list):
		list = slices.DeleteFunc(slices.Clone(list), func(f diag.Finding) bool { return f.Severity != diag.Error })
		_ = diag.Write(w.Stderr, "text", list)
		w.say(list[0].File + ": the mapping has " + plural(len(list), "error"))
		return exitFailed
	}
	w.say(sentence(err))
	return exitFailed
}

// say prints one line for people.
func (w *World) say(line string) {
	fmt.Fprintln(w.Stderr, "trajmap: "+line)
}

// sentence is an error as FILE:LINE: what is wrong (what to do).
func sentence(err error) string {
	var at *placed
	var fault *trajectory.Error
	var path *fs.PathError
	file := ""
	if errors.As(err, &at) {
		file = at.file
	}
	switch {
	case errors.As(err, &fault):
		if fault.Line > 0 {
			file += ":" + strconv.Itoa(fault.Line)
		}
		return place(file) + fault.Code + ": " + fault.Message
	case errors.As(err, &path) && (file == "" || file == path.Path):
		what := path.Err.Error()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			what = "no such file or folder"
		case errors.Is(err, fs.ErrPermission):
			what = "permission denied (it must be readable by you)"
		}
		return place(path.Path) + what
	case at != nil:
		return place(file) + at.err.Error()
	}
	return err.Error()
}

func place(file string) string {
	if file == "" {
		return ""
	}
	return file + ": "
}

func parens(hint string) string {
	if hint == "" {
		return ""
	}
	return " (" + hint + ")"
}

// plural is a number of things.
func plural(n int, thing string) string {
	if n != 1 {
		thing += "s"
		if strings.HasSuffix(thing, "ys") {
			thing = strings.TrimSuffix(thing, "ys") + "ies"
		}
	}
	return group(n) + " " + thing
}

// group writes a number with a comma between thousands.
func group(n int) string {
	s := strconv.Itoa(n)
	for at := len(s) - 3; at > 0 && s[at-1] != '-'; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}
