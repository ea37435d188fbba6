package agentkv

import (
	"bufio"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"strconv"

	"github.com/trajmap/trajmap/engine/value"
)

// Export writes the store as a readout of it, with all of its blobs: the handler
// reads that as the store itself, and [Keep] makes a store of it. Of the key for
// encryption there is only that there is one. It is a [handler.Exporter].
func (s *stream) Export(w io.Writer) error {
	t, ok := s.blobs.(tables)
	if !ok {
		return faultf("only a database is written out, not a readout")
	}
	whole, err := t.meta()
	if err != nil {
		return err
	}
	meta, err := withoutSecret(whole)
	if err != nil {
		return err
	}
	var doc value.Doc
	if err := doc.Parse(whole); err != nil {
		return faultf("its metadata is no JSON")
	}
	b := []byte(`{"format":"` + readoutFormat + `","store":true`)
	if key := doc.Root().Get(secret); key.Exists() {
		b = strconv.AppendBool(append(b, `,"`+hasSecret+`":`...), !key.IsNull())
	}
	b = strconv.AppendInt(append(b, `,"userVersion":`...), userVersion, 10)
	b = hex.AppendEncode(append(b, `,"meta":[{"key":"0","value":"`...), meta)
	b = append(b, `"}],"blobs":[`...)
	rows, err := t.Query("SELECT id, data FROM blobs ORDER BY id", nil)
	if err != nil {
		return err
	}
	defer rows.Close()
	out := bufio.NewWriterSize(w, 64<<10)
	for first := true; ; {
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		i, ok := parseID(string(text(row[0])))
		if !ok || row[1] == nil {
			continue // nothing refers to it
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(append(b, "\n{\"id\":\""...), i.String()...)
		b = base64.StdEncoding.AppendEncode(append(b, `","data":"`...), text(row[1]))
		if _, err := out.Write(append(b, `"}`...)); err != nil {
			return err
		}
		b = b[:0]
	}
	if _, err := out.Write(append(b, "\n]}\n"...)); err != nil {
		return err
	}
	return out.Flush()
}
