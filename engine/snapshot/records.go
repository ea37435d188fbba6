package snapshot

import (
	"bufio"
	"io"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/value"
)

// WriteRecords writes the records of the snapshot, a line each: those of the
// archive, or of the active context.
func (o *Opened) WriteRecords(w io.Writer, active bool) error {
	out := bufio.NewWriterSize(w, 64<<10)
	records, err := o.list("records")
	if err != nil {
		return err
	}
	write := func(text []byte) {
		_, _ = out.Write(text)
		_ = out.WriteByte('\n')
	}
	var where []frame.Frame
	for {
		fr, err := records.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if !active {
			write(fr.Data)
		}
		fr.Data = nil
		where = append(where, fr)
	}
	if active {
		if err := o.active(records, where, write); err != nil {
			return err
		}
	}
	return out.Flush()
}

// active gives the records of the active context.
func (o *Opened) active(records frame.Stream, where []frame.Frame, give func([]byte)) error {
	list, err := o.list("active")
	if err != nil {
		return err
	}
	var doc value.Doc
	for {
		fr, err := list.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := doc.Parse(fr.Data); err != nil {
			return formf("its active context is no list of records")
		}
		item := doc.Root()
		if item.Kind() == value.Object {
			give(item.Get("record").Raw())
			continue
		}
		n, ok := item.Int()
		if !ok || n < 0 || n >= int64(len(where)) {
			return formf("its active context has a record that is not there")
		}
		record, err := records.At(where[n])
		if err != nil {
			return err
		}
		give(record.Data)
	}
}

// list gives the items of a list in the canonical part.
func (o *Opened) list(name string) (frame.Stream, error) {
	at, ok := o.outline.canonical[name]
	if !ok {
		return nil, formf("it has no canonical %s", name)
	}
	in := &frame.Input{Name: o.in.Name, ReaderAt: io.NewSectionReader(o.in, at.start, at.size()), Size: at.size()}
	return frame.Elements(in, []string{"@this"}, frame.Options{}), nil
}
