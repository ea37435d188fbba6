package cli

import (
	"context"
	"errors"
	"io"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// recordWriter writes the records of one session.
type recordWriter struct {
	w        io.Writer
	envelope bool
	o        normalize.Options

	canonical *normalize.Canonical
	records   int
	written   int
	buf       []byte
}

// trajectory begins a session of trajectory-v1 records.
func (r *recordWriter) trajectory(*normalize.Plan) (normalize.Sink, error) {
	return r, r.begin()
}

// rows begins a session of canonical rows.
func (r *recordWriter) rows(p *normalize.Plan) (normalize.Sink, error) {
	var err error
	if r.canonical, err = p.Canonical(); err != nil {
		return nil, err
	}
	return r, r.begin()
}

func (r *recordWriter) begin() error {
	if !r.envelope {
		return nil
	}
	return r.write(normalize.AppendEnvelopeStart(nil))
}

// Record writes one record.
func (r *recordWriter) Record(rec *normalize.Record) error {
	b := r.buf[:0]
	if r.envelope && r.records > 0 {
		b = append(b, ',')
	}
	if r.canonical != nil {
		b = r.canonical.Append(b, rec)
	} else {
		b = rec.AppendV1(b)
	}
	if !r.envelope {
		b = append(b, '\n')
	}
	r.buf = b
	r.records++
	return r.write(b)
}

// end writes what stands after the records.
func (r *recordWriter) end(diagnostics []trajectory.Diagnostic) error {
	if !r.envelope {
		return nil
	}
	var b []byte
	if r.canonical != nil {
		b = normalize.AppendCanonicalEnd(b, diagnostics, r.o)
	} else {
		b = normalize.AppendEnvelopeEnd(b, diagnostics)
	}
	return r.write(append(b, '\n'))
}

func (r *recordWriter) write(b []byte) error {
	n, err := r.w.Write(b)
	r.written += n
	if err != nil {
		return &outputError{err}
	}
	return nil
}

// outputError is of writing, not of what was read: it ends the run.
type outputError struct{ err error }

func (e *outputError) Error() string { return "write output: " + e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }

// stops reports whether an error is not one session's: the next would have it,
// too.
func stops(err error) bool {
	var out *outputError
	var broken diag.List
	return errors.As(err, &out) || errors.As(err, &broken) || errors.Is(err, context.Canceled)
}
