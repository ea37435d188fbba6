package frame

import (
	"bytes"
	"io"
	"unicode"
)

// Lines cuts a JSON Lines input. A frame is a line that is more than white
// space, without its newline; every line counts in Line. The last line needs no
// newline. A byte order mark is no part of the first frame's Data, but its
// Offset stays 0.
func Lines(in *Input, o Options) Stream {
	return &lines{window: newWindow(in), limit: o.Most()}
}

type lines struct {
	window
	limit       int64
	line, index int
	next, at    scratch
	repaired    bool // something was not UTF-8
	clean       bool // all of it is: known once it has been read through
}

func (l *lines) Next() (Frame, error) {
	l.next.recycle()
	for {
		for l.pos < len(l.buf) && l.buf[l.pos] == '\n' {
			l.pos++
			l.line++
		}
		f, err := l.cut()
		if err != nil {
			l.clean = l.clean || err == io.EOF && !l.repaired
			return Frame{}, err
		}
		if !f.TooBig {
			if blank(f.Data) {
				continue
			}
			if !l.clean {
				data := l.next.valid(f.Data)
				l.repaired = l.repaired || l.next.mended(data)
				f.Data = data
			}
		}
		f.Index = l.index
		l.index++
		return f, nil
	}
}

// cut gives the next line, be it blank.
func (l *lines) cut() (Frame, error) {
	for seen := 0; ; {
		rest := l.buf[l.pos:]
		if i := bytes.IndexByte(rest[seen:], '\n'); i >= 0 {
			l.pos += seen + i + 1
			return l.frame(rest[:seen+i], 1), nil
		}
		seen = len(rest)
		if seen > l.most/2 {
			return l.long()
		}
		if err := l.fill(l.pos); err == io.EOF && seen > 0 {
			rest = l.buf[l.pos:]
			l.pos = len(l.buf)
			return l.frame(rest, 0), nil
		} else if err != nil {
			return Frame{}, err
		}
	}
}

// frame makes a frame of the line that ends, with its newline, at the position.
func (l *lines) frame(data []byte, newline int64) Frame {
	l.line++
	f := Frame{Line: l.line, Length: int64(len(data))}
	f.Offset = l.offset() - f.Length - newline
	if f.TooBig = f.Length > l.limit; !f.TooBig {
		f.Data = data
		f.Data = trimMark(f)
	}
	return f
}

// long cuts a line that the window shall not hold.
func (l *lines) long() (Frame, error) {
	l.line++
	f := Frame{Line: l.line, Offset: l.offset()}
	for {
		if i := bytes.IndexByte(l.buf[l.pos:], '\n'); i >= 0 {
			l.pos += i
			f.Length = l.offset() - f.Offset
			l.pos++
			break
		}
		l.pos = len(l.buf)
		if err := l.fill(l.pos); err == io.EOF {
			f.Length = l.offset() - f.Offset
			break
		} else if err != nil {
			return Frame{}, err
		}
	}
	return l.next.frame(l.in, f, l.limit)
}

func (l *lines) Rewind() error {
	l.seek(0)
	l.line, l.index, l.repaired = 0, 0, false
	return nil
}

func (l *lines) At(f Frame) (Frame, error) {
	l.at.recycle()
	l.at.clean = l.clean
	return l.at.frame(l.in, f, l.limit)
}

func (l *lines) Doc() []byte { return nil }

// blank reports whether JavaScript's trim would leave nothing.
func blank(b []byte) bool {
	for i, c := range b {
		switch c {
		case ' ', '\t', '\r', '\v', '\f':
		default:
			return c >= 0x80 && len(bytes.TrimLeftFunc(b[i:], isSpace)) == 0
		}
	}
	return true
}

func isSpace(r rune) bool { return r != 0x85 && unicode.IsSpace(r) || r == 0xfeff }
