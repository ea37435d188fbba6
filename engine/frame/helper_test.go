package frame

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trajmap/trajmap/engine/trajectory"
)

// cut is a frame whose data has been copied.
type cut struct {
	Data   string
	Offset int64
	Line   int
	Index  int
	Length int64
	TooBig bool
}

func copied(f Frame) cut {
	return cut{string(f.Data), f.Offset, f.Line, f.Index, f.Length, f.TooBig}
}

func input(text string) *Input {
	return &Input{Name: "test", ReaderAt: strings.NewReader(text), Size: int64(len(text))}
}

// narrow makes a stream's window as small as it may be, so that everything in
// the input meets its edges.
func narrow(s Stream, step int) Stream {
	w := &window{}
	switch s := s.(type) {
	case *lines:
		w = &s.window
	case *elements:
		w = &s.window
	}
	w.step, w.most = step, 16*step
	return s
}

// all reads a stream twice, and each frame again by At while Next's is in use.
func all(t testing.TB, s Stream) ([]cut, error) {
	t.Helper()
	first, err := once(t, s)
	if err := s.Rewind(); err != nil {
		t.Fatalf("Rewind: %v", err)
	}
	second, err2 := once(t, s)
	if !slices.Equal(first, second) {
		diff := cmp.Diff(first, second)
		t.Fatalf("frames after Rewind (-first +second):\n%s", diff)
	}
	if (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() {
		t.Fatalf("error after Rewind: %v, before: %v", err2, err)
	}
	// Out of order, as an active view asks for them.
	for i := len(first) - 1; i >= 0; i-- {
		at(t, s, first[i])
	}
	return first, err
}

func once(t testing.TB, s Stream) (list []cut, err error) {
	t.Helper()
	for {
		f, err := s.Next()
		if err == io.EOF {
			if _, err := s.Next(); err != io.EOF {
				t.Fatalf("Next after io.EOF: %v", err)
			}
			return list, nil
		}
		if err != nil {
			return list, err
		}
		c := copied(f)
		at(t, s, c)
		if c != copied(f) {
			t.Fatalf("At changed the data of Next: %+v, now %q", c, f.Data)
		}
		list = append(list, c)
	}
}

func at(t testing.TB, s Stream, want cut) {
	t.Helper()
	got, err := s.At(Frame{Offset: want.Offset, Line: want.Line, Index: want.Index, Length: want.Length})
	if err != nil {
		t.Fatalf("At(%+v): %v", want, err)
	}
	if copied(got) != want {
		t.Fatalf("At = %+v, Next gave %+v", copied(got), want)
	}
}

// wantInvalid checks for an invalid_input error and gives it.
func wantInvalid(t testing.TB, err error) *trajectory.Error {
	t.Helper()
	var e *trajectory.Error
	if !errors.As(err, &e) || e.Code != trajectory.InvalidInput {
		t.Fatalf("error = %v, want %s", err, trajectory.InvalidInput)
	}
	return e
}

// generated is an input that is made while it is read: a head, a unit again and
// again, a tail.
type generated struct {
	head, unit, tail string
	units            int64
}

func (g generated) size() int64 {
	return int64(len(g.head)) + g.units*int64(len(g.unit)) + int64(len(g.tail))
}

func (g generated) input() *Input { return &Input{Name: "generated", ReaderAt: g, Size: g.size()} }

func (g generated) ReadAt(b []byte, at int64) (n int, err error) {
	if at < int64(len(g.head)) {
		n = copy(b, g.head[at:])
	}
	middle := int64(len(g.head))
	end := middle + g.units*int64(len(g.unit))
	for n < len(b) && at+int64(n) < end {
		place := (at + int64(n) - middle) % int64(len(g.unit))
		n += copy(b[n:min(len(b), n+int(end-at-int64(n)))], g.unit[place:])
	}
	if place := at + int64(n) - end; n < len(b) && place >= 0 && place < int64(len(g.tail)) {
		n += copy(b[n:], g.tail[place:])
	}
	if n < len(b) {
		err = io.EOF
	}
	return n, err
}
