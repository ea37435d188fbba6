package snapshot

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"strconv"

	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/value"
)

// part is a piece of a snapshot that is put together before it is known what
// stands before it: a JSON list, in a file.
type part struct {
	file *os.File
	w    *bufio.Writer
	n    int // items
}

func newPart(dir, name string) (*part, error) {
	file, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	p := &part{file: file, w: bufio.NewWriterSize(file, 64<<10)}
	return p, p.w.WriteByte('[')
}

// add adds an item, a JSON text.
func (p *part) add(item []byte) error {
	if p.n > 0 {
		_ = p.w.WriteByte(',')
	}
	p.n++
	_, err := p.w.Write(item)
	return err
}

func (p *part) end() error {
	_ = p.w.WriteByte(']')
	return p.w.Flush()
}

// archive takes the records of the archive view.
type archive struct {
	records, rows, steps, models *part

	canonical *normalize.Canonical // nil: the session has no identity that rows could have
	known     map[[16]byte]ends    // records by what they say and their step
	again     map[int32]int32      // the next one that says the same
	numbers   map[string]int       // of steps
	count     int32
	first     int64 // time of the first record that has one of its own, in ms
	last      int64
	row       value.Doc
	buf, out  []byte
}

// ends are the first and the last of records that say the same, by their numbers.
type ends struct{ first, last int32 }

func newArchive(dir string) (a *archive, err error) {
	a = &archive{known: map[[16]byte]ends{}, again: map[int32]int32{}, numbers: map[string]int{}}
	for _, p := range []struct {
		name string
		part **part
	}{{"records", &a.records}, {"rows", &a.rows}, {"steps", &a.steps}, {"models", &a.models}} {
		var partErr error
		*p.part, partErr = newPart(dir, p.name)
		err = errors.Join(err, partErr)
	}
	return a, err
}

// Record implements [normalize.Sink].
func (a *archive) Record(r *normalize.Record) error {
	a.buf = r.AppendSorted(a.buf[:0])
	key := keyOf(a.buf, r.Step)
	if e, twice := a.known[key]; twice {
		a.again[e.last] = a.count
		a.known[key] = ends{e.first, a.count}
	} else {
		a.known[key] = ends{a.count, a.count}
	}
	a.count++
	if err := a.records.add(a.buf); err != nil {
		return err
	}
	if err := errors.Join(a.steps.add(a.step(r.Step)), a.models.add(model(r))); err != nil {
		return err
	}
	if r.HasSourceTime {
		if a.first == 0 || r.Time < a.first {
			a.first = r.Time
		}
		a.last = max(a.last, r.Time)
	}
	if a.canonical == nil {
		return nil
	}
	a.buf = a.canonical.Append(a.buf[:0], r)
	if err := a.row.Parse(a.buf); err != nil {
		return err
	}
	a.out = appendRow(a.out[:0], a.row.Root())
	return a.rows.add(a.out)
}

// step is the number of a step, as JSON.
func (a *archive) step(key []byte) []byte {
	if len(key) == 0 {
		return []byte("null")
	}
	n, ok := a.numbers[string(key)]
	if !ok {
		n = len(a.numbers)
		a.numbers[string(key)] = n
	}
	return strconv.AppendInt(nil, int64(n), 10)
}

// model is the name of the model that gave a record, as JSON.
func model(r *normalize.Record) []byte {
	if len(r.Model) == 0 || r.Type == normalize.MetaRecord {
		return []byte("null")
	}
	return append(append([]byte{'"'}, r.Model...), '"')
}

// rowMembers are those of a canonical row, sorted, without the record itself.
var rowMembers = [...]string{
	"component_index", "content", "content_hash", "record_hash", "record_id", "record_timestamp", "record_type", "source_group_id",
	"source_identity_kind", "source_order_id", "source_timestamp", "source_type", "stable_source_record_id", "tool_arguments_json",
	"tool_call_id", "tool_name", "tool_result_json", "tool_result_ok",
}

func appendRow(dst []byte, row value.Value) []byte {
	for i, name := range rowMembers {
		sep := byte(',')
		if i == 0 {
			sep = '{'
		}
		dst = append(append(append(dst, sep, '"'), name...), `":`...)
		dst = row.Get(name).AppendSorted(dst)
	}
	return append(dst, '}')
}

// keyOf tells records apart by what they say.
func keyOf(record, step []byte) [16]byte {
	h := sha256.New()
	h.Write(record)
	h.Write([]byte{0})
	h.Write(step)
	return [16]byte(h.Sum(nil))
}

// active takes the records of the active view: by their numbers in the archive,
// or, where the archive has no such record, as they are.
type active struct {
	*part
	a    *archive
	next normalize.Sink // takes them, too
	buf  []byte
}

// Record implements [normalize.Sink].
func (v *active) Record(r *normalize.Record) error {
	if err := v.next.Record(r); err != nil {
		return err
	}
	v.buf = r.AppendSorted(v.buf[:0])
	key := keyOf(v.buf, r.Step)
	if e, ok := v.a.known[key]; ok {
		if next, more := v.a.again[e.first]; more {
			v.a.known[key] = ends{next, e.last}
		} else {
			delete(v.a.known, key)
		}
		return v.add(strconv.AppendInt(nil, int64(e.first), 10))
	}
	item := append(append([]byte(`{"model":`), model(r)...), `,"record":`...)
	item = append(item, v.buf...)
	item = append(append(item, `,"step":`...), v.a.step(r.Step)...)
	return v.add(append(item, '}'))
}
