package convert

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// ErrNoCwd says that the session does not say where it worked, and that the
// target's files need it.
var ErrNoCwd = errors.New("cwd_required: the session does not say in which folder it worked (give it with --cwd)")

// A CwdError is of a folder that no program can be started in.
type CwdError struct{ Reason string }

func (e *CwdError) Error() string {
	return "cwd_required: the folder in which the session worked " + e.Reason + " (give another with --cwd)"
}

// absolute paths are those of any system: an export may be made on another one.
var absolute = regexp.MustCompile(`^(/|[A-Za-z]:[\\/]|\\\\)`)

// IsAbs reports whether a path is a whole one, on whatever system.
func IsAbs(path string) bool { return absolute.MatchString(path) }

// place reports an error when a session's folder cannot be one.
func place(cwd string) error {
	switch {
	case cwd == "":
		return ErrNoCwd
	case !IsAbs(cwd):
		return &CwdError{"is no whole path"}
	}
	for _, c := range cwd {
		// What a terminal would obey must not stand in a command that is printed.
		if c < ' ' && c != '\n' && c != '\t' || c == 0x7f || c >= 0x80 && c < 0xa0 {
			return &CwdError{fmt.Sprintf("has the control character %U in its name", c)}
		}
	}
	return nil
}

// safeID is the form of an id that is a name in every file system and no option
// of a command.
var safeID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)

// isSafe reports whether a session may have an id.
func isSafe(id string) bool { return safeID.MatchString(id) && !strings.Contains(id, "..") }
