package engine

import (
	"bytes"
	"context"
	"errors"
	"iter"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/read"
)

// Input is where the bytes of a session are: an [io.ReaderAt] with a name and a
// size.
type Input = frame.Input

// Options says what of a session is wanted. The zero value is the default of
// trajectory-v1: all rows, bounded arguments and results, no system messages.
type Options = read.Options

// Record is one trajectory-v1 record as Go values.
type Record = normalize.Decoded

// The views of [Options]: all that was written, or what the harness itself
// would send to its model next.
const (
	Archive = mapping.Archive
	Active  = mapping.ActiveView
)

// OpenInput opens a session's file, or standard input for "-". The function
// that it gives closes the input.
func OpenInput(path string) (*Input, func() error, error) { return frame.Open(path) }

// Bytes is a session that is in memory; its name is only for messages.
func Bytes(name string, data []byte) *Input {
	return &Input{Name: name, ReaderAt: bytes.NewReader(data), Size: int64(len(data))}
}

// Session is one session, read whole.
type Session struct {
	Records []Record
	*read.Result
}

// Read gives the records of one session in order. A read that fails gives its
// error last, beside a zero Record: a [trajectory.Error] when it is the input
// that cannot be used, otherwise what went wrong with reading it.
func (m *Mapping) Read(ctx context.Context, in *Input, o Options) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		_, err := m.each(ctx, in, o, func(r Record) bool { return yield(r, nil) })
		if err != nil {
			yield(Record{}, err)
		}
	}
}

// ReadAll reads one session whole. The session is not nil when the input could
// be read at all, also beside an error.
func (m *Mapping) ReadAll(ctx context.Context, in *Input, o Options) (*Session, error) {
	s := &Session{}
	var err error
	s.Result, err = m.each(ctx, in, o, func(r Record) bool {
		s.Records = append(s.Records, r)
		return true
	})
	if s.Result == nil {
		return nil, err
	}
	return s, err
}

// errStop ends a read whose caller has seen enough.
var errStop = errors.New("stop")

func (m *Mapping) each(ctx context.Context, in *Input, o Options, visit func(Record) bool) (*read.Result, error) {
	result, err := read.New(m.Mapping).Read(ctx, in, o, func(*normalize.Plan) (normalize.Sink, error) {
		return visitor(visit), nil
	})
	if errors.Is(err, errStop) {
		err = nil
	}
	return result, err
}

type visitor func(Record) bool

func (v visitor) Record(r *normalize.Record) error {
	if !v(r.Decode()) {
		return errStop
	}
	return nil
}
