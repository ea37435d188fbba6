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
	write := func(text []byte) error {
		_, _ = out.Write(text)
		return out.WriteByte('\n')
	}
	var err error
	if active {
		err = o.eachActive(func(_ int, _ value.Value, text []byte) error { return write(text) })
	} else {
		var records frame.Stream
		if records, err = o.list("records"); err == nil {
			err = each(records, write)
		}
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

// eachActive gives the records of the active context: the number in the archive,
// or -1 with the item that has the record itself, and its text.
func (o *Opened) eachActive(give func(n int, item value.Value, text []byte) error) error {
	records, err := o.list("records")
	if err != nil {
		return err
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
		fr.Data = nil
		where = append(where, fr)
	}
	list, err := o.list("active")
	if err != nil {
		return err
	}
	var doc value.Doc
	return each(list, func(text []byte) error {
		if doc.Parse(text) != nil {
			return formf("its active context is no list of records")
		}
		item := doc.Root()
		if item.Kind() == value.Object {
			return give(-1, item, item.Get("record").Raw())
		}
		n, ok := item.Int()
		if !ok || n < 0 || n >= int64(len(where)) {
			return formf("its active context has a record that is not there")
		}
		record, err := records.At(where[n])
		if err != nil {
			return err
		}
		return give(int(n), item, record.Data)
	})
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

// each gives the items of a list. Their texts are good until the next one.
func each(list frame.Stream, give func(text []byte) error) error {
	for {
		fr, err := list.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil && fr.TooBig {
			err = formf("one of its records is longer than %d MiB", frame.DefaultMaxFrame>>20)
		}
		if err == nil {
			err = give(fr.Data)
		}
		if err != nil {
			return err
		}
	}
}
