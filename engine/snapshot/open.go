package snapshot

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/manifest"
)

// Opened is a snapshot that has been read and found whole. Its native files are
// unpacked until it is closed.
type Opened struct {
	Snapshot
	in      *frame.Input
	outline *outline
	tree    string // folder of the native files
	temp    string // to be removed
}

// The beginnings that only snapshots have: an attachment or none.
var beginnings = [...]string{`{"attachments":[{"bytes":`, `{"attachments":[],"canonical":{"active":[`}

// Is reports whether an input begins as a snapshot does.
func Is(in *frame.Input) bool {
	head := make([]byte, 64)
	n, _ := in.ReadAt(head, 0)
	for _, b := range beginnings {
		if bytes.HasPrefix(head[:n], []byte(b)) {
			return true
		}
	}
	return false
}

// IsFolder reports whether a folder holds the document of a snapshot.
func IsFolder(dir string) bool {
	path := filepath.Join(dir, Document)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return Is(&frame.Input{Name: path, ReaderAt: f})
}

// Open reads a snapshot. dir is the folder that its document is in; "" when it is
// in none, so that no file can be beside it. The error is a *[FormError], a
// *[HashError], or of reading. The input must stay open as long as the snapshot.
func Open(in *frame.Input, dir string) (*Opened, error) {
	o := &Opened{in: in}
	files, err := o.document()
	if err == nil {
		err = o.unpack(files, dir)
	}
	if err != nil {
		return nil, errors.Join(err, o.Close())
	}
	return o, nil
}

// Close removes what was unpacked.
func (o *Opened) Close() error {
	if o.temp == "" {
		return nil
	}
	return os.RemoveAll(o.temp)
}

// Path is where the session is unpacked; a folder has a separator at its end.
func (o *Opened) Path() string {
	path := filepath.Join(o.tree, filepath.FromSlash(o.Source.Locator.Path))
	if strings.HasSuffix(o.Source.Locator.Path, "/") {
		path += string(filepath.Separator)
	}
	return path
}

// Tree is the folder that the native files are unpacked below.
func (o *Opened) Tree() string { return o.tree }

// entry is a native file in a document.
type entry struct {
	File
	Data *string `json:"data"`
}

// mostMember bounds a member of the document other than the canonical one. The
// native files have to fit, and every byte of them may take six.
const mostMember = 8 * InlineMost

// document reads the document, and holds it against its id.
func (o *Opened) document() ([]entry, error) {
	var err error
	if o.outline, err = scan(o.in); err != nil {
		return nil, err
	}
	var kind string
	var version int
	if err := errors.Join(o.member("kind", &kind), o.member("version", &version)); err != nil {
		return nil, err
	}
	switch {
	case kind != Kind:
		return nil, formf("its kind is %.40q", kind)
	case version != Version:
		return nil, formf("it is of version %d, and this program knows %d", version, Version)
	}
	if err := o.member("id", &o.ID); err != nil {
		return nil, err
	}
	if o.ID != o.outline.id {
		return nil, &HashError{Part: idPart, Want: o.ID, Got: o.outline.id}
	}
	var raw entry
	var attachments []entry
	for _, m := range []struct {
		name string
		to   any
	}{
		{"source", &o.Source}, {"mapping", &o.Mapping}, {"raw", &raw}, {"attachments", &attachments},
		{"diagnostics", &o.Diagnostics}, {"ledger", &o.Ledger}, {"portability", &o.Portability},
	} {
		if err := o.member(m.name, m.to); err != nil {
			return nil, err
		}
	}
	if n := len(o.outline.members); n != len(documentMembers) {
		return nil, formf("it has %d members and should have %d", n, len(documentMembers))
	}
	files := append([]entry{raw}, attachments...)
	o.Raw = raw.File
	for _, a := range attachments {
		o.Attachments = append(o.Attachments, a.File)
	}
	if err := checkNames(o.Raw, o.Attachments); err != nil {
		return nil, err
	}
	at := strings.TrimSuffix(o.Source.Locator.Path, "/")
	if o.Source.Harness == "" || at != o.Raw.Name && (at+"/" != o.Source.Locator.Path || !strings.HasPrefix(o.Raw.Name, at+"/")) {
		return nil, formf("it does not say where its session is")
	}
	return files, nil
}

var documentMembers = [...]string{
	"attachments", "canonical", "diagnostics", "id", "kind", "ledger", "mapping", "portability", "raw", "source", "version",
}

// member decodes a member, which must be in canonical form.
func (o *Opened) member(name string, to any) error {
	at, ok := o.outline.members[name]
	if !ok {
		return formf("it has no %s", name)
	}
	text, err := o.text(at)
	if err != nil {
		return err
	}
	canonical, err := manifest.Canonical(json.RawMessage(text))
	if err != nil || !bytes.Equal(canonical[:len(canonical)-1], text) {
		return formf("its %s is not written as snapshots are", name)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return formf("its %s is not what it should be", name)
	}
	return nil
}

// text is the text of a member.
func (o *Opened) text(at span) ([]byte, error) {
	if at.size() > mostMember {
		return nil, formf("a member is longer than %d MiB (large sessions are in folders)", mostMember>>20)
	}
	text := make([]byte, at.size())
	if _, err := o.in.ReadAt(text, at.start); err != nil && err != io.EOF {
		return nil, err
	}
	return text, nil
}
