// Package snapshot makes and reads snapshots: one session of a harness, whole and
// by itself. A snapshot has the native bytes, the files beside them that the
// mapping names, the records that came of them, and what was noticed.
//
// [Take] makes one, [Open] reads one. What is read is never believed: every file
// must have its hash, and the whole its own. The native files of a snapshot are
// unpacked as they stood below their harness's home, so that whatever reads native
// files reads them from there and finds the same.
//
// A snapshot is canonical JSON, one document: a file, or, for large sessions,
// snapshot.json in a folder with the native files below raw/. The same session and
// mapping give the same bytes: it holds no clock, host or user, and no path of the
// machine beyond what the session itself says.
package snapshot

import (
	"fmt"

	"github.com/trajmap/trajmap/engine/convert"
)

// Kind and Version tell snapshots from other JSON.
const (
	Kind    = "trajmap-snapshot"
	Version = 1
)

// Document is the file of a snapshot that is a folder, and Raw the folder of its
// native files.
const (
	Document = "snapshot.json"
	Raw      = "raw"
)

// InlineMost is how many bytes of native files a snapshot holds in itself; with
// more it is a folder.
const InlineMost = 32 << 20

// Encodings of a file's bytes.
const (
	UTF8    = "utf8"    // the text
	Base64  = "base64"  // what is no text
	Readout = "readout" // the text of a readout of a database
	InFile  = "file"    // in the snapshot's folder
)

// Source says which session a snapshot is of. Empty members are unknown.
type Source struct {
	Harness       string  `json:"harness"`
	SessionID     string  `json:"session_id"`
	Group         string  `json:"group"`
	Title         string  `json:"title,omitempty"`
	Cwd           string  `json:"cwd,omitempty"`
	GitBranch     string  `json:"git_branch,omitempty"`
	CreatedAt     string  `json:"created_at,omitempty"` // RFC 3339, ms, UTC
	UpdatedAt     string  `json:"updated_at,omitempty"`
	NativeVersion string  `json:"native_version,omitempty"`
	Locator       Locator `json:"locator"`
}

// Locator is the session's path below its harness's home, with slashes and, for a
// folder, one at the end.
type Locator struct {
	Path string `json:"path"`
}

// Mapping is the one that a snapshot was made with.
type Mapping struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// File is a native file.
type File struct {
	Name     string `json:"name"` // path below the harness's home, with slashes
	SHA256   string `json:"sha256"`
	Bytes    int64  `json:"bytes"`
	Encoding string `json:"encoding"`
	Path     string `json:"path,omitempty"`    // in the snapshot's folder
	Readout  bool   `json:"readout,omitempty"` // in a folder: it is what the encoding of this name has
	Shared   bool   `json:"shared,omitempty"`  // it is of the harness's whole store
	Secrets  int    `json:"secrets,omitempty"` // values that were left out of it
}

// Diagnostic is what a read noticed.
type Diagnostic struct {
	Code        string `json:"code"`
	InputLine   int    `json:"input_line,omitempty"`
	RecordIndex int    `json:"record_index,omitempty"`
	Count       int    `json:"count,omitempty"`
}

// Account says what became of the frames, and parts of frames, of one kind.
type Account struct {
	Frames   int            `json:"frames"`
	Mapped   int            `json:"mapped"`
	Dropped  map[string]int `json:"dropped"` // by reason
	Unmapped int            `json:"unmapped"`
}

// Portability says what speaks against going on with the session elsewhere.
type Portability struct {
	Portable bool     `json:"portable"` // nothing has to be allowed
	Hazards  []Hazard `json:"hazards"`
}

// Hazard is a reason, with what the gate does about it.
type Hazard struct {
	Code    string          `json:"code"`
	Verdict convert.Verdict `json:"verdict"`
	Line    int             `json:"line,omitempty"` // first
	Count   int             `json:"count"`
}

// Snapshot is what a snapshot says, but for its records.
type Snapshot struct {
	ID          string
	Source      Source
	Mapping     Mapping
	Raw         File
	Attachments []File
	Diagnostics []Diagnostic
	Ledger      map[string]Account
	Portability Portability
}

// Files are all native files, the one with the frames first.
func (s *Snapshot) Files() []File { return append([]File{s.Raw}, s.Attachments...) }

// A HashError is of something in a snapshot that is not what it was.
type HashError struct {
	Part      string // "id", "raw", or the name of an attachment
	Want, Got string // SHA-256; of another length Got says so
}

func (e *HashError) Error() string {
	what := "the file " + e.Part
	if e.Part == idPart {
		what = "the snapshot"
	}
	return fmt.Sprintf("%s is not as it was taken: its SHA-256 should be %s and is %s", what, e.Want, e.Got)
}

const idPart = "id"

// A FormError is of a document that is no snapshot, or none that is known.
type FormError struct{ Reason string }

func (e *FormError) Error() string { return "no good snapshot: " + e.Reason }

func formf(format string, args ...any) error { return &FormError{fmt.Sprintf(format, args...)} }
