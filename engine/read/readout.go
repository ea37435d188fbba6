package read

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strconv"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/trajectory"
	"github.com/trajmap/trajmap/engine/value"
)

// A readout is what a handler makes of one session of a database, written out as
// one JSON document: it reads as the database does, and holds nothing of its other
// sessions. Its members stand in this order: kind, version, harness, format,
// session and row where the database holds several, doc, frames; a frame is {at:
// [offset, line, length], frame}, without frame where it was longer than the
// limit.
const (
	readoutHead    = `{"kind":"trajmap-readout","version":`
	readoutVersion = 1
)

// IsReadout reports whether an input begins as a readout does.
func IsReadout(in *frame.Input) bool {
	head := make([]byte, len(readoutHead))
	n, _ := in.ReadAt(head, 0)
	return string(head[:n]) == readoutHead
}

// WriteReadout writes the readout of a session of a database: in the handler's own
// form, where it has one.
func WriteReadout(ctx context.Context, m *mapping.Mapping, in *frame.Input, o Options, w io.Writer) error {
	f, op, err := open(m, in, o)
	if err != nil {
		return err
	}
	defer op.close()
	if e, ok := op.stream.(handler.Exporter); ok {
		return e.Export(w)
	}
	out := bufio.NewWriterSize(w, 64<<10)
	b := strconv.AppendInt([]byte(readoutHead), readoutVersion, 10)
	text := func(name, s string) {
		b = append(append(b, `,"`+name+`":"`...), value.AppendEncoded(nil, s)...)
		b = append(b, '"')
	}
	text("harness", m.Harness)
	text("format", f.Name)
	if store, ok := op.stream.(handler.Store); ok {
		id := store.Session()
		text("session", id)
		list, err := store.Sessions()
		if err != nil {
			return err
		}
		for _, s := range list {
			if s.ID == id && len(s.Row) > 0 {
				b = append(append(b, `,"row":`...), s.Row...)
			}
		}
	}
	if doc := op.stream.Doc(); doc != nil {
		b = append(append(b, `,"doc":`...), doc...)
	}
	b = append(b, `,"frames":[`...)
	for first := true; ; first = false {
		if err := ctx.Err(); err != nil {
			return err
		}
		fr, err := op.stream.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if !first {
			b = append(b, ',')
		}
		b = append(b, "\n{\"at\":["...)
		b = strconv.AppendInt(b, fr.Offset, 10)
		b = strconv.AppendInt(append(b, ','), int64(fr.Line), 10)
		b = strconv.AppendInt(append(b, ','), fr.Length, 10)
		b = append(b, ']')
		if !fr.TooBig {
			b = append(append(b, `,"frame":`...), fr.Data...)
		}
		b = append(b, '}')
		if _, err := out.Write(b); err != nil {
			return err
		}
		b = b[:0]
	}
	if _, err := out.Write(append(b, "\n]}\n"...)); err != nil {
		return err
	}
	return out.Flush()
}

// readout gives the frames of a readout.
type readout struct {
	list     frame.Stream
	doc      []byte
	where    []frame.Frame // of the frames that were given, in the document
	next, at value.Doc
	index    int
}

// readoutOf opens a readout for a format; ok is false when the input is none.
func readoutOf(m *mapping.Mapping, f *mapping.Format, in *frame.Input, o Options) (s frame.Stream, ok bool, err error) {
	if isFolder(in) || !IsReadout(in) {
		return nil, false, nil
	}
	limits := frame.Options{MaxFrame: o.Limits.Most() + 256}
	list := frame.Elements(in, []string{"frames"}, limits)
	for {
		if _, err := list.Next(); err == io.EOF {
			break
		} else if err != nil {
			return nil, true, err
		}
	}
	if err := list.Rewind(); err != nil {
		return nil, true, err
	}
	var around value.Doc
	if around.Parse(list.Doc()) != nil {
		return nil, true, trajectory.Errorf(trajectory.InvalidInput, "the readout is no JSON document")
	}
	head := around.Root()
	switch n, _ := head.Get("version").Int(); {
	case n != readoutVersion:
		return nil, true, trajectory.Errorf(trajectory.InvalidInput, "the readout is of version %d, and this program knows %d", n, readoutVersion)
	case !head.Get("harness").Equal(m.Harness) || !head.Get("format").Equal(f.Name):
		return nil, true, handler.Foreign("the readout is of another database")
	}
	r := &readout{list: list}
	if doc := head.Get("doc"); doc.Exists() {
		r.doc = doc.Raw()
	}
	if id := head.Get("session"); id.IsString() {
		only := oneOf{r, handler.Session{ID: id.Str(), Row: head.Get("row").Raw()}}
		if o.Session != "" && o.Session != only.session.ID {
			return nil, true, &handler.MissingError{
				Err:  trajectory.Errorf(trajectory.InvalidInput, "the readout holds another session"),
				Have: []string{only.session.ID},
			}
		}
		return only, true, nil
	}
	return r, true, nil
}

// oneOf is a readout of a database that holds several sessions.
type oneOf struct {
	*readout
	session handler.Session
}

func (o oneOf) Session() string { return o.session.ID }

func (o oneOf) Sessions() ([]handler.Session, error) { return []handler.Session{o.session}, nil }

func (r *readout) Next() (frame.Frame, error) {
	fr, err := r.list.Next()
	if err != nil {
		return frame.Frame{}, err
	}
	if r.index == len(r.where) {
		at := fr
		at.Data = nil
		r.where = append(r.where, at)
	}
	r.index++
	return r.frame(&r.next, fr, r.index-1)
}

func (r *readout) At(f frame.Frame) (frame.Frame, error) {
	if f.Index < 0 || f.Index >= len(r.where) {
		return frame.Frame{}, trajectory.Errorf(trajectory.InvalidInput, "the readout has no frame %d", f.Index)
	}
	fr, err := r.list.At(r.where[f.Index])
	if err != nil {
		return frame.Frame{}, err
	}
	return r.frame(&r.at, fr, f.Index)
}

// frame unpacks an item of the list.
func (r *readout) frame(doc *value.Doc, fr frame.Frame, index int) (frame.Frame, error) {
	if fr.TooBig || doc.Parse(fr.Data) != nil {
		return frame.Frame{}, trajectory.Errorf(trajectory.InvalidInput, "frame %d of the readout is too long or no JSON", index)
	}
	item := doc.Root()
	var at [3]int64
	if json.Unmarshal(item.Get("at").Raw(), &at) != nil {
		return frame.Frame{}, trajectory.Errorf(trajectory.InvalidInput, "frame %d of the readout does not say where it was", index)
	}
	out := frame.Frame{Offset: at[0], Line: int(at[1]), Index: index, Length: at[2]}
	if data := item.Get("frame"); data.Exists() {
		out.Data = data.Raw()
	} else {
		out.TooBig = true
	}
	return out, nil
}

func (r *readout) Rewind() error {
	r.index = 0
	return r.list.Rewind()
}

func (r *readout) Doc() []byte { return r.doc }
