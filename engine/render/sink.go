package render

import (
	"crypto/sha256"
	"hash"
	"io"

	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/mapping"
)

// sink is where a file goes: what templates give is written to in, and its bytes
// are counted on their way out.
type sink struct {
	in   io.Writer
	made io.Closer // the encoder; nil when there is none
	out  io.Writer
	sum  hash.Hash
	size int64
}

func newSink(w io.Writer, e handler.Encoder) *sink {
	s := &sink{out: w, sum: sha256.New()}
	s.in = s
	if e != nil {
		made := e(s)
		s.in, s.made = made, made
	}
	return s
}

// Write takes bytes of the file.
func (s *sink) Write(b []byte) (int, error) {
	s.sum.Write(b)
	s.size += int64(len(b))
	return s.out.Write(b)
}

// end has the encoder write what is left.
func (s *sink) end() error {
	if s.made == nil {
		return nil
	}
	return s.made.Close()
}

// encoder is the handler that makes a file's bytes; nil for JSON.
func encoder(f *mapping.OutFile) (handler.Encoder, error) {
	if f.Encode == "" {
		return nil, nil
	}
	return handler.LookupEncoder(f.Encode)
}
