package session

import (
	"bytes"
	"errors"
	"os"
	"strconv"

	"github.com/trajmap/trajmap/engine/value"
)

// Text is what somebody said, what a call was given or what it gave, in the form
// of package value: the body of a JSON string. A session holds its texts in
// memory only while they are few.
type Text struct {
	store *store
	at    int64
	size  int
}

// Size is how many bytes Append appends.
func (t Text) Size() int { return t.size }

// Append appends the text as it is in JSON.
func (t Text) Append(dst []byte) []byte {
	if t.size == 0 {
		return dst
	}
	return t.store.append(dst, t.at, t.size)
}

// String is the text itself.
func (t Text) String() string { return string(value.AppendDecoded(nil, t.Append(nil))) }

// inMemory is how many bytes of texts a session holds before it keeps the
// further ones in a temporary file.
const inMemory = 4 << 20

// store keeps the texts of a session.
type store struct {
	mem  []byte
	file *os.File
	gone bool   // the file has no name any more
	tail []byte // of the file, not written yet
	done int64  // bytes that are in the file
	err  error  // of the file: what was read since is not to be trusted
}

const tailSize = 256 << 10

// add keeps a text.
func (s *store) add(text []byte) Text {
	t := Text{s, int64(len(s.mem)) + s.done + int64(len(s.tail)), len(text)}
	if s.file == nil && len(s.mem)+len(text) > inMemory {
		s.spill()
	}
	if s.file == nil {
		s.mem = append(s.mem, text...)
		return t
	}
	if s.tail = append(s.tail, text...); len(s.tail) >= tailSize {
		s.flush()
	}
	return t
}

func (s *store) spill() {
	f, err := os.CreateTemp("", "trajmap-*") // mode 0600
	if err != nil {
		s.fail(err)
		return
	}
	// Where an open file can be deleted, nothing stays behind whatever happens.
	s.file, s.gone = f, os.Remove(f.Name()) == nil
}

func (s *store) flush() {
	n, err := s.file.Write(s.tail)
	s.done += int64(n)
	s.tail = s.tail[:copy(s.tail, s.tail[n:])]
	s.fail(err)
	if err != nil {
		s.tail = nil
	}
	if cap(s.tail) > 4*tailSize {
		s.tail = bytes.Clone(s.tail)
	}
}

func (s *store) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// append appends what was kept at a place.
func (s *store) append(dst []byte, at int64, size int) []byte {
	if end := at + int64(size); end <= int64(len(s.mem)) {
		return append(dst, s.mem[at:end]...)
	}
	at -= int64(len(s.mem))
	if at >= s.done {
		at -= s.done
		if int(at)+size > len(s.tail) { // after a failure
			return dst
		}
		return append(dst, s.tail[at:int(at)+size]...)
	}
	if at+int64(size) > s.done {
		s.flush()
	}
	n := len(dst)
	dst = append(dst, make([]byte, size)...)
	if _, err := s.file.ReadAt(dst[n:], at); err != nil {
		s.fail(err)
		return dst[:n]
	}
	return dst
}

func (s *store) close() error {
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

// Join appends texts as one, with a separator between them that is in the form
// of package value, too.
func Join(dst []byte, texts []Text, sep string) []byte {
	for i, t := range texts {
		if i > 0 {
			dst = append(dst, sep...)
		}
		dst = t.Append(dst)
	}
	return dst
}

// Blank is the blank line that stands between texts that become one.
const Blank = `\n\n`

// repair replaces lone surrogates, which no wire carries, by U+FFFD. It looks at
// escapes: of a text, or of the strings in a JSON text.
func repair(text []byte) (fixed []byte, changed bool) {
	at := 0
	for i := 0; ; {
		n := bytes.IndexByte(text[i:], '\\')
		if n < 0 || i+n+6 > len(text) {
			break
		}
		i += n
		switch r := surrogate(text[i:]); {
		case r == 0:
			i += 2
		case r < 0xdc00 && surrogate(text[i+6:]) >= 0xdc00:
			i += 12
		default:
			fixed = append(append(fixed, text[at:i]...), "\ufffd"...)
			i += 6
			at, changed = i, true
		}
	}
	if !changed {
		return text, false
	}
	return append(fixed, text[at:]...), true
}

// surrogate is the surrogate that an escape at the start of b stands for, 0 for
// none.
func surrogate(b []byte) uint64 {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' || b[2]|0x20 != 'd' {
		return 0
	}
	r, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	if err != nil || r < 0xd800 || r > 0xdfff {
		return 0
	}
	return r
}

// decodedLen is the number of bytes that a text stands for.
func decodedLen(text []byte) int {
	n := len(text)
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 || i+1 >= len(text) {
			return n
		}
		if text[i+1] != 'u' {
			n--
			text = text[i+2:]
			continue
		}
		n -= 5 // a control character is one byte
		text = text[min(i+6, len(text)):]
	}
}

// Text is a message's texts as one.
func (m *Message) Text() string {
	return string(value.AppendDecoded(nil, Join(nil, m.Texts, Blank)))
}
