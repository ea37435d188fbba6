package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// spoolMost is how much of a session's output waits in memory for its turn.
const spoolMost = 8 << 20

// spool holds one session's output until those before it are written: in memory,
// and in a temporary file from there on.
type spool struct {
	buf  bytes.Buffer
	file *os.File
	gone bool // the file has no name any more
}

// Write appends to the spool.
func (s *spool) Write(b []byte) (int, error) {
	if s.file == nil && s.buf.Len()+len(b) > spoolMost {
		f, err := os.CreateTemp("", "trajmap-*")
		if err != nil {
			return 0, fmt.Errorf("keep the output of a session: %w", err)
		}
		s.file, s.gone = f, os.Remove(f.Name()) == nil
	}
	if s.file != nil {
		return s.file.Write(b)
	}
	return s.buf.Write(b)
}

// copyTo writes all of it to w.
func (s *spool) copyTo(w io.Writer) error {
	if _, err := w.Write(s.buf.Bytes()); err != nil || s.file == nil {
		return err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(w, s.file)
	return err
}

// reset empties the spool for another session.
func (s *spool) reset() error {
	s.buf.Reset()
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if !s.gone {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	s.file = nil
	return err
}
