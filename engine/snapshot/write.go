package snapshot

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"unicode/utf8"

	"github.com/trajmap/trajmap/engine/manifest"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/value"
)

// Write writes the snapshot as one file, with the native files in it.
func (t *Taken) Write(w io.Writer) error { return t.encode(w, true) }

// WriteFolder writes the snapshot into a folder that is there and empty.
func (t *Taken) WriteFolder(dir string) error {
	for _, f := range t.Files() {
		if err := copyFile(filepath.Join(t.dir, Raw, filepath.FromSlash(f.Name)), filepath.Join(dir, Raw, filepath.FromSlash(f.Name))); err != nil {
			return err
		}
	}
	out, err := os.OpenFile(filepath.Join(dir, Document), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(t.encode(out, false), out.Sync(), out.Close())
}

// encode writes the document: once to know its hash, and then with it.
func (t *Taken) encode(w io.Writer, inline bool) error {
	sum := sha256.New()
	if err := t.members(sum, inline, ""); err != nil {
		return err
	}
	t.ID = hex.EncodeToString(sum.Sum(nil))
	if err := t.members(w, inline, t.ID); err != nil {
		return err
	}
	_, err := w.Write([]byte{'\n'})
	return err
}

// members writes the document's members, sorted; id is left out when it is "".
func (t *Taken) members(w io.Writer, inline bool, id string) error {
	out := &encoder{w: bufio.NewWriterSize(w, 64<<10), dir: filepath.Join(t.dir, Raw), inline: inline}
	out.text(`{"attachments":[`)
	for i, f := range t.Attachments {
		if i > 0 {
			out.text(",")
		}
		out.file(f)
	}
	out.text(`],"canonical":{"active":`)
	out.part(t.active)
	out.text(`,"config":`)
	out.json(json.RawMessage(t.canonicalConfig))
	out.text(`,"models":`)
	out.part(t.archive.models)
	out.text(`,"normalizer_version":`)
	out.json(normalize.Version)
	out.text(`,"records":`)
	out.part(t.archive.records)
	out.text(`,"rows":`)
	out.part(t.archive.rows)
	out.text(`,"schema_version":`)
	out.json(normalize.CanonicalSchemaVersion)
	out.text(`,"steps":`)
	out.part(t.archive.steps)
	out.text(`,"view":"archive"},"diagnostics":`)
	out.json(t.Diagnostics)
	if id != "" {
		out.text(`,"id":`)
		out.json(id)
	}
	out.text(`,"kind":`)
	out.json(Kind)
	out.text(`,"ledger":`)
	out.json(t.Ledger)
	out.text(`,"mapping":`)
	out.json(t.Mapping)
	out.text(`,"portability":`)
	out.json(t.Portability)
	out.text(`,"raw":`)
	out.file(t.Raw)
	out.text(`,"source":`)
	out.json(t.Source)
	out.text(`,"version":`)
	out.json(Version)
	out.text("}")
	if out.err != nil {
		return out.err
	}
	return out.w.Flush()
}

// encoder writes the pieces of a document, until one fails.
type encoder struct {
	w      *bufio.Writer
	dir    string // of the native files
	inline bool
	err    error
}

func (e *encoder) text(s string) {
	if e.err == nil {
		_, e.err = e.w.WriteString(s)
	}
}

// json writes a small value in canonical form.
func (e *encoder) json(v any) {
	if e.err != nil {
		return
	}
	var text []byte
	if text, e.err = manifest.Canonical(v); e.err == nil {
		_, e.err = e.w.Write(text[:len(text)-1])
	}
}

func (e *encoder) part(p *part) {
	if e.err != nil {
		return
	}
	if _, e.err = p.file.Seek(0, io.SeekStart); e.err == nil {
		_, e.err = io.Copy(e.w, p.file)
	}
}

// file writes the entry of a native file.
func (e *encoder) file(f File) {
	if e.err != nil {
		return
	}
	b := strconv.AppendInt([]byte(`{"bytes":`), f.Bytes, 10)
	text := func(name, s string) { b = quoted(append(b, `,"`+name+`":`...), s) }
	if e.inline {
		data, err := os.ReadFile(filepath.Join(e.dir, filepath.FromSlash(f.Name)))
		if err != nil {
			e.err = err
			return
		}
		switch {
		case !utf8.Valid(data):
			text("data", base64.StdEncoding.EncodeToString(data))
			f.Encoding = Base64
		default:
			b = append(value.AppendEncoded(append(b, `,"data":"`...), data), '"')
			if f.Encoding == "" {
				f.Encoding = UTF8
			}
		}
	} else {
		f.Readout, f.Encoding = f.Encoding == Readout, InFile
	}
	text("encoding", f.Encoding)
	text("name", f.Name)
	if !e.inline {
		text("path", Raw+"/"+f.Name)
	}
	if f.Readout {
		b = append(b, `,"readout":true`...)
	}
	if f.Secrets > 0 {
		b = strconv.AppendInt(append(b, `,"secrets":`...), int64(f.Secrets), 10)
	}
	text("sha256", f.SHA256)
	if f.Shared {
		b = append(b, `,"shared":true`...)
	}
	_, e.err = e.w.Write(append(b, '}'))
}

func quoted(dst []byte, s string) []byte {
	return append(value.AppendEncoded(append(dst, '"'), s), '"')
}

// copyFile copies a file to a place where there is none.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}
