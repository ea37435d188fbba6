package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
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
	info, err := os.Lstat(filepath.Join(dir, Document))
	return err == nil && info.Mode().IsRegular()
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

// unpack puts the native files where they can be read, and holds each against its
// hash.
func (o *Opened) unpack(files []entry, dir string) error {
	if files[0].Encoding == InFile {
		if dir == "" {
			return formf("its native files are beside it in a folder, and here it is alone")
		}
		o.tree = filepath.Join(dir, Raw)
		return checkFolder(files, o.tree)
	}
	var err error
	if o.temp, err = os.MkdirTemp("", "trajmap-*"); err != nil {
		return err
	}
	o.tree = o.temp
	for _, f := range files {
		data, err := f.bytes()
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		if err := f.same(hex.EncodeToString(sum[:]), int64(len(data))); err != nil {
			return err
		}
		path := filepath.Join(o.tree, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// bytes are those of a file in the document.
func (f *entry) bytes() ([]byte, error) {
	if f.Data == nil || f.Path != "" {
		return nil, formf("the file %q has no data", f.Name)
	}
	switch f.Encoding {
	case UTF8, Readout:
		return []byte(*f.Data), nil
	case Base64:
		data, err := base64.StdEncoding.Strict().DecodeString(*f.Data)
		if err != nil {
			return nil, formf("the file %q is not in base64", f.Name)
		}
		return data, nil
	}
	return nil, formf("the file %q has the encoding %.40q", f.Name, f.Encoding)
}

// same holds a file against its hash.
func (f *entry) same(sum string, size int64) error {
	if sum != f.SHA256 || size != f.Bytes {
		return &HashError{Part: f.Name, Want: f.SHA256, Got: sum}
	}
	return nil
}

// checkFolder holds the files of a folder against their hashes. Nothing else is
// in it, and no links.
func checkFolder(files []entry, tree string) error {
	wanted := map[string]*entry{}
	for i := range files {
		f := &files[i]
		if f.Encoding != InFile || f.Data != nil || f.Path != Raw+"/"+f.Name {
			return formf("the file %q is not in its place in the folder", f.Name)
		}
		wanted[f.Name] = f
	}
	err := filepath.WalkDir(tree, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(tree, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		f := wanted[name]
		switch {
		case f == nil:
			return formf("the folder holds a file that is not of it: %q", Raw+"/"+name)
		case !e.Type().IsRegular():
			return formf("%q is a link, or no file at all", f.Path)
		}
		delete(wanted, name)
		return f.check(path)
	})
	if err != nil {
		return err
	}
	for i := range files {
		if wanted[files[i].Name] != nil {
			return formf("the file %q is missing", files[i].Path)
		}
	}
	return nil
}

// check holds a file on disk against its hash.
func (f *entry) check(path string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, in)
	if err != nil {
		return err
	}
	return f.same(hex.EncodeToString(sum.Sum(nil)), n)
}
