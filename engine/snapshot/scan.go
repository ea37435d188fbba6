package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"

	"github.com/trajmap/trajmap/engine/frame"
)

// span is where a member's value stands in a document.
type span struct{ start, end int64 }

func (s span) size() int64 { return s.end - s.start }

// outline is where the members of a snapshot's document stand, and what the
// document's bytes give as its id.
type outline struct {
	members   map[string]span
	canonical map[string]span // of that member
	id        string
}

// Bounds of a document.
const (
	deepestJSON = 1000
	longestKey  = 64
)

// scanner goes over a document once and hashes it. It knows no more of JSON than
// where values end: what is used of the document is parsed.
type scanner struct {
	r        io.Reader
	buf      []byte
	pos, end int   // of what is still to be looked at
	base     int64 // place of buf[0] in the document
	sum      hash.Hash
	from     int  // what has been looked at and not yet hashed begins here
	mute     bool // it is not hashed
}

// idKey is what stands before the id, and is not what the id is of.
const idKey = `,"id":`

// scan reads the outline of a document.
func scan(in *frame.Input) (*outline, error) {
	s := &scanner{r: io.NewSectionReader(in, 0, in.Size), buf: make([]byte, 256<<10), sum: sha256.New()}
	o := &outline{members: map[string]span{}, canonical: map[string]span{}}
	err := s.object(func(key string) error {
		switch key {
		case "id":
			if s.pos-s.from < len(idKey) {
				return formf("its id stands in another place")
			}
			s.sum.Write(s.buf[s.from : s.pos-len(idKey)])
			s.mute = true
			err := s.note(o.members, key)
			s.mute, s.from = false, s.pos
			return err
		case "canonical":
			start := s.at()
			err := s.object(func(key string) error { return s.note(o.canonical, key) })
			o.members[key] = span{start, s.at()}
			return err
		}
		return s.note(o.members, key)
	})
	if err != nil {
		return nil, err
	}
	s.sum.Write(s.buf[s.from:s.pos])
	s.mute = true
	if b, err := s.next(); err != nil || b != '\n' || s.at() != in.Size {
		return nil, formf("something else stands where it should end")
	}
	o.id = hex.EncodeToString(s.sum.Sum(nil))
	return o, nil
}

func (s *scanner) at() int64 { return s.base + int64(s.pos) }

// fill reads on. What may turn out not to be hashed stays.
func (s *scanner) fill() error {
	keep := 0
	if !s.mute {
		keep = min(len(idKey), s.pos-s.from)
		s.sum.Write(s.buf[s.from : s.pos-keep])
	}
	copy(s.buf, s.buf[s.pos-keep:s.pos])
	s.base += int64(s.pos - keep)
	s.pos, s.from = keep, 0
	n, err := s.r.Read(s.buf[keep:])
	s.end = keep + n
	switch {
	case n > 0:
		return nil
	case err == nil || err == io.EOF:
		return errTorn
	}
	return err
}

// note passes over a value and notes where it was.
func (s *scanner) note(into map[string]span, key string) error {
	start := s.at()
	if err := s.value(); err != nil {
		return err
	}
	into[key] = span{start, s.at()}
	return nil
}

var errTorn = &FormError{"it ends in the middle (was it copied whole?)"}

func (s *scanner) next() (byte, error) {
	b, err := s.peek()
	if err == nil {
		s.pos++
	}
	return b, err
}

func (s *scanner) peek() (byte, error) {
	if s.pos == s.end {
		if err := s.fill(); err != nil {
			return 0, err
		}
	}
	return s.buf[s.pos], nil
}

func (s *scanner) expect(want byte) error {
	b, err := s.next()
	if err == nil && b != want {
		err = formf("it is not written as snapshots are (byte %d: %q in place of %q)", s.at(), b, want)
	}
	return err
}

// object reads the members of an object, in the form of canonical JSON: without
// spaces, sorted, none twice.
func (s *scanner) object(member func(key string) error) error {
	if err := s.expect('{'); err != nil {
		return err
	}
	last := ""
	for n := 0; ; n++ {
		if n > 0 {
			b, err := s.next()
			switch {
			case err != nil:
				return err
			case b == '}':
				return nil
			case b != ',':
				return formf("it is not written as snapshots are (byte %d)", s.at())
			}
		}
		key, err := s.key()
		if err != nil {
			return err
		}
		if key <= last {
			return formf("its members are not sorted, or one stands twice: %q", key)
		}
		last = key
		if err := s.expect(':'); err != nil {
			return err
		}
		if err := member(key); err != nil {
			return err
		}
	}
}

// key reads the name of a member, which has no escapes.
func (s *scanner) key() (string, error) {
	if err := s.expect('"'); err != nil {
		return "", err
	}
	var key []byte
	for {
		b, err := s.next()
		switch {
		case err != nil:
			return "", err
		case b == '"':
			return string(key), nil
		case b == '\\' || len(key) == longestKey:
			return "", formf("a member has a name that no snapshot has")
		}
		key = append(key, b)
	}
}

// value passes over one value.
func (s *scanner) value() error {
	depth := 0
	for {
		b, err := s.next()
		if err != nil {
			return err
		}
		switch b {
		case '"':
			if err := s.text(); err != nil {
				return err
			}
		case '{', '[':
			if depth++; depth > deepestJSON {
				return formf("it is nested too deeply")
			}
		case '}', ']':
			if depth--; depth < 0 {
				return formf("a value is missing (byte %d)", s.at())
			}
		case ',', ':':
			if depth == 0 {
				return formf("a value is missing (byte %d)", s.at())
			}
		}
		if depth > 0 {
			continue
		}
		after, err := s.peek()
		if err != nil {
			return err
		}
		if b == '"' || b == '}' || b == ']' || after == ',' || after == '}' || after == ']' {
			return nil
		}
	}
}

// text passes over the rest of a string.
func (s *scanner) text() error {
	for {
		b, err := s.next()
		switch {
		case err != nil:
			return err
		case b == '"':
			return nil
		case b == '\\':
			if _, err := s.next(); err != nil {
				return err
			}
		}
	}
}
