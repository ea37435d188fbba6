// Package manifest is the form of what lies beside an export: which session it
// is, where its files go, how they are put there, how the program goes on with
// them, and what was left behind on the way.
//
// A manifest is canonical JSON: the same export gives the same bytes. It holds
// no text of the conversation but its title, no clock, no host and no path of
// the machine that wrote it.
package manifest

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/trajmap/trajmap/engine/value"
)

// Name is the manifest's file in an export's folder.
const Name = "trajmap-export.json"

// Kind and Version tell manifests from other JSON.
const (
	Kind    = "trajmap-export"
	Version = 1
)

// Views of the session that an export has: what its program would send to its
// model next, or the files that the program itself wrote, byte for byte.
const (
	Active = "active"
	Native = "native"
)

// Manifest describes an export.
type Manifest struct {
	Kind        string           `json:"kind"`
	Version     int              `json:"version"`
	Source      Source           `json:"source"`
	Target      Target           `json:"target"`
	Session     Session          `json:"session"`
	Options     Options          `json:"options"`
	Files       []File           `json:"files"`
	Prepare     []Step           `json:"prepare"`
	Resume      Resume           `json:"resume"`
	Diagnostics []Diagnostic     `json:"diagnostics"`
	Loss        map[string]*Loss `json:"loss"` // by kind of record
	IDs         IDs              `json:"ids"`
}

// Source is the session that was carried over.
type Source struct {
	Harness       string `json:"harness"`
	SessionID     string `json:"session_id"`
	SnapshotID    string `json:"snapshot_id,omitempty"`
	RecordsSHA256 string `json:"records_sha256"` // of its trajectory-v1 records, a line each
}

// Target is what it has become.
type Target struct {
	Harness       string   `json:"harness"`
	SessionID     string   `json:"session_id"`
	MappingSHA256 string   `json:"mapping_sha256"`
	Home          []string `json:"home"` // of the program: alternatives with $NAME and ~
	Pin           *Pin     `json:"pin,omitempty"`
}

// Pin says with which versions of the program the export was tried.
type Pin struct {
	Program         string   `json:"program"`
	Tested          []string `json:"tested"`
	Range           string   `json:"range,omitempty"`
	Strict          bool     `json:"strict"` // other versions are refused
	UntestedAllowed bool     `json:"untested_allowed"`
}

// Session is what paths and commands depend on.
type Session struct {
	Cwd       string `json:"cwd"`
	Title     string `json:"title,omitempty"`
	Model     string `json:"model,omitempty"` // to go on with, as it was asked for
	Provider  string `json:"provider,omitempty"`
	CreatedAt string `json:"created_at"` // RFC 3339, ms, UTC
}

// Options are those of the conversion.
type Options struct {
	View        string            `json:"view"`
	Reasoning   string            `json:"reasoning"`
	Allow       []string          `json:"allow"`
	CutTail     bool              `json:"cut_tail"`
	Turns       string            `json:"turns,omitempty"` // A-B
	FullResults bool              `json:"full_results,omitempty"`
	Own         map[string]string `json:"own,omitempty"` // of the target alone, as they were asked for
}

// File is a file of the export.
type File struct {
	Path    string   `json:"path"` // below the export, with slashes
	SHA256  string   `json:"sha256"`
	Bytes   int64    `json:"bytes"`
	Mode    string   `json:"mode"`              // "0600"
	Install *Install `json:"install,omitempty"` // absent: it stays in the export
}

// Install says where a file goes. A file that is imported goes nowhere.
type Install struct {
	Root    string   `json:"root"` // the program's home
	Path    string   `json:"path"` // below it
	Rewrite []string `json:"rewrite,omitempty"`
	Shared  bool     `json:"shared,omitempty"` // of a native session: the file is of the whole store
}

// Rewrites are the dotted paths of the strings that get the root in front.
func (f File) Rewrites() []string {
	if f.Install == nil {
		return nil
	}
	return f.Install.Rewrite
}

// Step is something to be done before the program finds the session.
type Step struct {
	Step   string            `json:"step"` // place; import, which a program does; store, which a handler does
	Argv   []string          `json:"argv,omitempty"`
	Show   []string          `json:"show,omitempty"` // prints the session, to be compared
	Undo   []string          `json:"undo,omitempty"`
	Cwd    string            `json:"cwd,omitempty"`
	Env    map[string]string `json:"env,omitempty"`
	Verify string            `json:"verify"`

	// Of a store: the handler makes Path, below the program's home, of File, a file
	// of the export.
	Handler string `json:"handler,omitempty"`
	File    string `json:"file,omitempty"`
	Path    string `json:"path,omitempty"`
}

// Resume is how the program goes on. In arguments and variables {root} stands
// for its home and {prompt} for what is said next.
type Resume struct {
	Installed *Command `json:"installed,omitempty"` // in the program's own home
	Isolated  *Command `json:"isolated,omitempty"`  // with the export as its home
	Prompt    []string `json:"prompt,omitempty"`
	ACP       []string `json:"acp,omitempty"` // an agent of the Agent Client Protocol; then session/load
}

// Command is a command with all that it needs.
type Command struct {
	Argv       []string          `json:"argv"`
	Env        map[string]string `json:"env"`
	Cwd        string            `json:"cwd"`
	NeedsModel bool              `json:"needs_model,omitempty"`
}

// Diagnostic is something noticed, once for all its occurrences.
type Diagnostic struct {
	Code        string `json:"code"`
	Count       int    `json:"count"`
	FirstRecord int    `json:"first_record,omitempty"` // from 1; absent when no record is meant
	FirstLine   int    `json:"first_line,omitempty"`   // of the source
	// Kinds are those of the frames that the source's mapping does not know.
	Kinds []string `json:"kinds,omitempty"`
}

// Loss says what became of the records of one kind: In is Written and Joined and
// all that was Dropped.
type Loss struct {
	In      int            `json:"in"`
	Written int            `json:"written"`
	Joined  int            `json:"joined"`
	Dropped map[string]int `json:"dropped"` // by reason

	Synthesized   int `json:"synthesized,omitempty"`    // written, though no record was there for them
	StatusAssumed int `json:"status_assumed,omitempty"` // results whose outcome was not known
	StatusLost    int `json:"status_lost,omitempty"`    // results whose outcome was known
}

// Sum is what In must be.
func (l *Loss) Sum() int {
	sum := l.Written + l.Joined
	for _, n := range l.Dropped {
		sum += n
	}
	return sum
}

// IDs are what is called otherwise than in the source.
type IDs struct {
	Rewritten map[string]string `json:"rewritten"` // calls: source id to target id
}

// Encode gives the manifest's bytes. The error is of books that do not add up.
func (m *Manifest) Encode() ([]byte, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	return Canonical(m)
}

// Canonical is a value as canonical JSON: members sorted, numbers and strings as
// JavaScript prints them, a line feed at the end.
func Canonical(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var doc value.Doc
	if err := doc.Parse(text); err != nil {
		return nil, err
	}
	return append(doc.Root().AppendSorted(nil), '\n'), nil
}

// Decode reads a manifest. It refuses what a manifest of ours cannot be: another
// kind or version, members that are not known, paths that lead out of a folder.
func Decode(data []byte) (*Manifest, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	m := &Manifest{}
	if err := d.Decode(m); err != nil {
		return nil, fmt.Errorf("it is no manifest: %w", err)
	}
	return m, m.check()
}

func (m *Manifest) check() error {
	switch {
	case m.Kind != Kind:
		return fmt.Errorf("it is no manifest: its kind is %q", m.Kind)
	case m.Version != Version:
		return fmt.Errorf("the manifest is of version %d; this program knows %d", m.Version, Version)
	case m.Target.Harness == "" || m.Target.SessionID == "":
		return errors.New("the manifest does not say what it is of")
	case len(m.Files) == 0:
		return errors.New("the manifest lists no files")
	}
	var paths []string
	for _, f := range m.Files {
		if paths = append(paths, f.Path); f.Install != nil {
			paths = append(paths, f.Install.Path)
		}
		if sum, err := hex.DecodeString(f.SHA256); err != nil || len(sum) != 32 || f.Mode != "0600" {
			return fmt.Errorf("the manifest's entry of %q is not whole", f.Path)
		}
	}
	for _, s := range m.Prepare {
		if s.Handler != "" {
			paths = append(paths, s.File, s.Path)
		}
	}
	for _, path := range paths {
		if !filepath.IsLocal(filepath.FromSlash(path)) {
			return fmt.Errorf("the path %q leaves the export", path)
		}
	}
	for kind, l := range m.Loss {
		if l == nil || l.Sum() != l.In {
			return fmt.Errorf("internal: the books of %s records do not add up", kind)
		}
	}
	return nil
}
