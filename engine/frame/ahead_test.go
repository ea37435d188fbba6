package frame

import (
	"bytes"
	"fmt"
	"io"
	"testing"
)

// counting counts calls.
type counting struct {
	io.ReaderAt
	calls int
}

func (c *counting) ReadAt(p []byte, at int64) (int, error) {
	c.calls++
	return c.ReaderAt.ReadAt(p, at)
}

// TestAtInOrder wants frames that are asked for as they stand read many at a time,
// and others one by one, with the same data.
func TestAtInOrder(t *testing.T) {
	var text bytes.Buffer
	for n := range 2000 {
		fmt.Fprintf(&text, "{\"n\":%d,\"text\":%q}\n", n, bytes.Repeat([]byte{'x'}, n%300))
	}
	source := &counting{ReaderAt: bytes.NewReader(text.Bytes())}
	s := Lines(&Input{Name: "-", ReaderAt: source, Size: int64(text.Len())}, Options{})
	var frames []Frame
	var data []string
	for {
		f, err := s.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		frames, data = append(frames, f), append(data, string(f.Data))
	}
	for _, test := range []struct {
		name string
		step int // between frames that are asked for
		most int // calls
	}{
		{"in order", 1, text.Len()/readAhead + 2},
		{"every third", 3, text.Len()/readAhead + 2},
		{"backwards", -1, len(frames)},
	} {
		t.Run(test.name, func(t *testing.T) {
			source.calls = 0
			from := 0
			if test.step < 0 {
				from = len(frames) - 1
			}
			for i := from; i >= 0 && i < len(frames); i += test.step {
				f, err := s.At(frames[i])
				if err != nil {
					t.Fatal(err)
				}
				if string(f.Data) != data[i] {
					t.Fatalf("frame %d is %q, want %q", i, f.Data, data[i])
				}
			}
			if source.calls > test.most {
				t.Errorf("%d calls, want %d at most", source.calls, test.most)
			}
		})
	}
}
