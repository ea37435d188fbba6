package agentkv

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/value"
)

// readout is a store written out as one JSON document: the rows of its two
// tables, the blobs in base64. Blobs stay in the document until they are needed.
type readout struct {
	list  frame.Stream
	where map[id]frame.Frame
	doc   value.Doc // of the blob at hand
}

// edge is how much of a document's beginning and of its end is looked at to see
// whether it is a readout.
const edge = 64 << 10

// isReadout reports whether an input looks like a readout with this format.
func isReadout(in *frame.Input, format string) bool {
	buf := make([]byte, min(in.Size, edge))
	part := func(at int64) []byte {
		n, _ := in.ReadAt(buf, at)
		return buf[:n]
	}
	name := []byte(`"` + format + `"`)
	head := part(0)
	if !bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n\ufeff"), []byte("{")) {
		return false
	}
	return bytes.Contains(head, name) || bytes.Contains(part(in.Size-int64(len(buf))), name)
}

// openReadout opens a readout, and gives the metadata of its store and the
// document around the blobs.
func openReadout(in *frame.Input, format string) (b blobs, meta []byte, around value.Value, err error) {
	r := &readout{list: frame.Elements(in, []string{"blobs"}, frame.Options{MaxFrame: 2 * maxBlob}), where: map[id]frame.Frame{}}
	if err := r.index(); err != nil {
		return nil, nil, value.Value{}, err
	}
	var doc value.Doc
	if doc.Parse(r.list.Doc()) != nil || !doc.Root().Get("format").Equal(format) {
		return nil, nil, value.Value{}, faultf("the document is no %s", format)
	}
	if version := doc.Root().Get("userVersion"); version.Exists() {
		if n, _ := version.Int(); n != userVersion {
			return nil, nil, value.Value{}, faultf("its tables have another version than %d, the one that is known", userVersion)
		}
	}
	for row := range doc.Root().Get("meta").Items() {
		if row.Get("key").Equal("0") {
			meta, err := decodeMeta([]byte(row.Get("value").Str()))
			return r, meta, doc.Root(), err
		}
	}
	return nil, nil, value.Value{}, faultf("it has no metadata")
}

// index notes where each blob stands.
func (r *readout) index() error {
	for {
		fr, err := r.list.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if fr.TooBig || r.doc.Parse(fr.Data) != nil {
			return faultf("blob %d of the readout is too long or no JSON", fr.Index+1)
		}
		i, ok := parseID(r.doc.Root().Get("id").Str())
		if !ok {
			return faultf("blob %d of the readout has no id", fr.Index+1)
		}
		if len(r.where) == maxBlobs {
			return faultf("the readout has more than %d blobs", maxBlobs)
		}
		fr.Data = nil
		r.where[i] = fr
	}
}

func (r *readout) load(i id) ([]byte, error) {
	fr, ok := r.where[i]
	if !ok {
		return nil, nil
	}
	fr, err := r.list.At(fr)
	if err != nil {
		return nil, err
	}
	if err := r.doc.Parse(fr.Data); err != nil {
		return nil, faultf("the readout changed while it was read")
	}
	data, err := base64.StdEncoding.DecodeString(r.doc.Root().Get("data").Str())
	if err != nil {
		return nil, faultf("blob %s of the readout is not in base64", i)
	}
	if len(data) > maxBlob {
		return nil, faultf("blob %s is longer than %d MiB", i, maxBlob>>20)
	}
	return data, nil
}

func (r *readout) close() error { return nil }

// writeReadout writes a readout of one session: metadata and blobs, these by
// their ids, a line each.
func writeReadout(to io.Writer, session, cwd string, meta []byte, blobs map[id][]byte) error {
	text := func(dst []byte, s string) []byte { return append(value.AppendEncoded(append(dst, '"'), s), '"') }
	head := text([]byte(`{"format":`), readoutFormat)
	head = text(append(head, `,"sessionId":`...), session)
	if cwd != "" {
		head = text(append(head, `,"cwd":`...), cwd)
	}
	head = fmt.Appendf(head, `,"userVersion":%d,"meta":[{"key":"0","value":"%x"}],"blobs":[`, userVersion, meta)
	w := bufio.NewWriterSize(to, edge)
	w.Write(head)
	ids := slices.SortedFunc(maps.Keys(blobs), compareIDs)
	for n, i := range ids {
		if n > 0 {
			w.WriteByte(',')
		}
		fmt.Fprintf(w, "\n{\"id\":\"%s\",\"data\":\"", i)
		encoder := base64.NewEncoder(base64.StdEncoding, w)
		encoder.Write(blobs[i])
		encoder.Close()
		w.WriteString(`"}`)
	}
	w.WriteString("\n]}\n")
	return w.Flush() // which has the first error
}
