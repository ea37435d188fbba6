// Package discover finds the sessions that coding agents keep on a machine. Where
// they are and what a list tells of them is said by the `store` of each mapping;
// this package names no agent.
//
// A list is made in two steps. [Scan] goes through the folders and learns of
// every session when it was used last, from its path, the files beside it or its
// last lines. [List.Page] then opens only the sessions that are shown, and reads
// their beginning and end. No file is read whole, nothing is written or locked,
// and nothing is remembered from one run to the next.
//
// A store that is not there is an empty one. What cannot be read is no reason to
// stop: see [List.Problems].
package discover

import (
	"cmp"
	"path/filepath"
	"strings"
	"time"

	"github.com/trajmap/trajmap/engine"
)

// Session is a session that was found. Zero values are unknown.
type Session struct {
	Harness   string
	ID        string
	Title     string // one line
	Cwd       string
	GitBranch string
	Model     string
	Created   time.Time // UTC, of ms
	Updated   time.Time // UTC, of ms; always known
	Parent    string    // id of the session for which this one worked
	Path      string    // what to read; a folder when Folder is set
	Folder    bool
	// Member is the id by which the session is read out of a file that holds
	// several; "" when the file is the session.
	Member  string
	Mapping *engine.Mapping
}

// Problem is something in a store that could not be read.
type Problem struct {
	Harness string
	Path    string
	Err     error
}

// Places says where to look.
type Places struct {
	Getenv func(string) string // variables that move stores
	Home   string
}

// Here are the places of the user whose environment this is.
func Here(getenv func(string) string) Places {
	return Places{getenv, cmp.Or(getenv("HOME"), getenv("USERPROFILE"))}
}

// Below are the places in a folder that stands for a home. No variable leads out
// of it.
func Below(dir string) Places {
	return Places{func(string) string { return "" }, strings.TrimSuffix(dir, string(filepath.Separator))}
}
