package frame

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestLines(t *testing.T) {
	deep := strings.Repeat("[", 100_000)
	tests := []struct {
		name  string
		input string
		want  []cut
	}{
		{"empty", "", nil},
		{"only blank lines", "\n \n\t\r\n\n", nil},
		{"only a byte order mark", "\uFEFF", nil},
		{"blank as JavaScript sees it", "\v\f\n\u00a0\u3000\n\uFEFF\n\u0085\n", []cut{{"\u0085", 13, 4, 0, 2, false}}},
		{"one line", "{}\n", []cut{{"{}", 0, 1, 0, 2, false}}},
		{"torn last line", "{}\n{\"a\":", []cut{{"{}", 0, 1, 0, 2, false}, {`{"a":`, 3, 2, 1, 5, false}}},
		{"torn inside a character", "{}\n\"\xe2\x82", []cut{{"{}", 0, 1, 0, 2, false}, {"\"\uFFFD", 3, 2, 1, 3, false}}},
		{"CRLF", "{}\r\n\r\n[]\r\n", []cut{{"{}\r", 0, 1, 0, 3, false}, {"[]\r", 6, 3, 1, 3, false}}},
		{"CR alone ends no line", "{}\r[]\n", []cut{{"{}\r[]", 0, 1, 0, 5, false}}},
		{"byte order mark", "\uFEFF{}\n{}\n", []cut{{"{}", 0, 1, 0, 5, false}, {"{}", 6, 2, 1, 2, false}}},
		{"byte order mark and a blank line", "\uFEFF \n{}\n", []cut{{"{}", 5, 2, 0, 2, false}}},
		{"byte order mark inside", "{}\n\uFEFF{}\n", []cut{{"{}", 0, 1, 0, 2, false}, {"\uFEFF{}", 3, 2, 1, 5, false}}},
		{"blank lines count", "\n\n{}\n \n{}", []cut{{"{}", 2, 3, 0, 2, false}, {"{}", 7, 5, 1, 2, false}}},
		{"NUL", "{}\n\x00\x00\n{}\n", []cut{{"{}", 0, 1, 0, 2, false}, {"\x00\x00", 3, 2, 1, 2, false}, {"{}", 6, 3, 2, 2, false}}},
		{"invalid UTF-8", "\"a\xffb\"\n{}\n", []cut{{"\"a\uFFFDb\"", 0, 1, 0, 5, false}, {"{}", 6, 2, 1, 2, false}}},
		{"line separator is no newline", "\"\u2028\"\n", []cut{{"\"\u2028\"", 0, 1, 0, 5, false}}},
		{"duplicate keys pass", `{"a":1,"a":2}`, []cut{{`{"a":1,"a":2}`, 0, 1, 0, 13, false}}},
		{"foreign text", "%PDF-1.4\n", []cut{{"%PDF-1.4", 0, 1, 0, 8, false}}},
		{"100,000 levels", deep + "\n{}\n", []cut{{deep, 0, 1, 0, 100_000, false}, {"{}", 100_001, 2, 1, 2, false}}},
	}
	for _, test := range tests {
		for _, step := range []int{windowStep, 4, 7} {
			t.Run(fmt.Sprintf("%s/%d", test.name, step), func(t *testing.T) {
				s := narrow(Lines(input(test.input), Options{}), step)
				got, err := all(t, s)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("frames (-want +got):\n%s", diff)
				}
				if s.Doc() != nil {
					t.Errorf("Doc = %q, want nil", s.Doc())
				}
			})
		}
	}
}

func TestLinesTooBig(t *testing.T) {
	text := "{}\n" + strings.Repeat("x", 11) + "\n" + strings.Repeat("y", 10) + "\r\n1234567890\n" + strings.Repeat("z", 1000)
	want := []cut{
		{"{}", 0, 1, 0, 2, false},
		{"", 3, 2, 1, 11, true},
		{"", 15, 3, 2, 11, true},
		{"1234567890", 27, 4, 3, 10, false},
		{"", 38, 5, 4, 1000, true},
	}
	for _, step := range []int{windowStep, 4, 7, 64} {
		got, err := all(t, narrow(Lines(input(text), Options{MaxFrame: 10}), step))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("frames with windows of %d (-want +got):\n%s", step, diff)
		}
	}
}

// TestLinesDefaultLimit has one line of just 64 MiB, and one of 65.
func TestLinesDefaultLimit(t *testing.T) {
	for _, test := range []struct {
		mib    int64
		tooBig bool
	}{{64, false}, {65, true}} {
		g := generated{"{}\n", strings.Repeat("x", 1<<20), "\n[]", test.mib}
		s := Lines(g.input(), Options{})
		for i, want := range []cut{
			{"", 0, 1, 0, 2, false},
			{"", 3, 2, 1, test.mib << 20, test.tooBig},
			{"", 4 + test.mib<<20, 3, 2, 2, false},
		} {
			f, err := s.Next()
			if err != nil {
				t.Fatal(err)
			}
			if !f.TooBig && int64(len(f.Data)) != f.Length {
				t.Errorf("%d MiB: frame %d has %d bytes of %d", test.mib, i, len(f.Data), f.Length)
			}
			f.Data = nil
			if copied(f) != want {
				t.Errorf("%d MiB: frame %d = %+v, want %+v", test.mib, i, copied(f), want)
			}
		}
		if _, err := s.Next(); err != io.EOF {
			t.Errorf("%d MiB: after the last frame: %v", test.mib, err)
		}
	}
}

// TestLinesModel compares with cutting the whole text at once.
func TestLinesModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		piece := rapid.SampledFrom([]string{"\n", "\r\n", " ", "{}", "\uFEFF", "é", "\u3000", "\xe2\x82", "\xff", "\x00", `"abcdefghij"`, "𝄞"})
		text := strings.Join(rapid.SliceOf(piece).Draw(rt, "pieces"), "")
		limit := rapid.Int64Range(1, 30).Draw(rt, "limit")
		step := rapid.IntRange(4, 20).Draw(rt, "step")
		got, err := all(t, narrow(Lines(input(text), Options{MaxFrame: limit}), step))
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(splitLines(text, limit), got); diff != "" {
			rt.Fatalf("frames of %q (-want +got):\n%s", text, diff)
		}
	})
}

// splitLines is Lines in the plainest way.
func splitLines(text string, limit int64) (list []cut) {
	offset := int64(0)
	for i, line := range strings.Split(text, "\n") {
		c := cut{line, offset, i + 1, len(list), int64(len(line)), int64(len(line)) > limit}
		offset += c.Length + 1
		if c.Offset == 0 {
			c.Data = strings.TrimPrefix(c.Data, "\uFEFF")
		}
		c.Data = repaired(c.Data)
		switch {
		case c.TooBig:
			c.Data = ""
		case strings.Trim(c.Data, " \t\r\v\f\u00a0\u3000\uFEFF") == "":
			continue
		}
		list = append(list, c)
	}
	return list
}

func TestLinesReadErrors(t *testing.T) {
	t.Run("shrunk input", func(t *testing.T) {
		in := input("{}\n{}\n")
		in.Size = 10
		_, err := Lines(in, Options{}).Next()
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("error = %v, want io.ErrUnexpectedEOF", err)
		}
	})
	t.Run("grown input", func(t *testing.T) {
		in := input("{}\n{\"more\":1}\n")
		in.Size = 3
		got, err := all(t, Lines(in, Options{}))
		if err != nil || len(got) != 1 {
			t.Errorf("frames = %v, %v; want the one within Size", got, err)
		}
	})
	t.Run("failing reader", func(t *testing.T) {
		in := &Input{Name: "x", ReaderAt: failing{}, Size: 3}
		if _, err := Lines(in, Options{}).Next(); !errors.Is(err, errDisk) {
			t.Errorf("error = %v, want %v", err, errDisk)
		}
	})
}

var errDisk = errors.New("disk error")

type failing struct{}

func (failing) ReadAt([]byte, int64) (int, error) { return 0, errDisk }

func FuzzLines(f *testing.F) {
	f.Add([]byte("{}\n\n[]\r\n"), byte(0), byte(9))
	f.Add([]byte("\uFEFF{\"a\":\xe2\x82}\n\x00"), byte(3), byte(200))
	f.Fuzz(func(t *testing.T, text []byte, step, limit byte) {
		s := narrow(Lines(input(string(text)), Options{MaxFrame: 1 + int64(limit)}), 4+int(step))
		got, err := all(t, s)
		if err != nil {
			t.Fatal(err)
		}
		end := int64(0)
		for i, c := range got {
			// Between two frames there are only newlines and blank lines.
			if gap := text[end:c.Offset]; i != c.Index || i > 0 && !bytes.ContainsRune(gap, '\n') || !blankLines(gap) {
				t.Fatalf("frame %+v after %q", c, gap)
			}
			end = c.Offset + c.Length
			if c.Line != 1+bytes.Count(text[:c.Offset], []byte{'\n'}) {
				t.Fatalf("frame %+v stands in another line", c)
			}
			raw := string(text[c.Offset:end])
			if strings.Contains(raw, "\n") || end < int64(len(text)) && text[end] != '\n' {
				t.Fatalf("frame %+v is no line", c)
			}
			if c.Offset == 0 {
				raw = strings.TrimPrefix(raw, "\uFEFF")
			}
			if want := repaired(raw); c.TooBig != (c.Length > 1+int64(limit)) || !c.TooBig && c.Data != want {
				t.Fatalf("frame %+v, want data %q", c, want)
			}
		}
		if !blankLines(text[end:]) {
			t.Fatalf("no frame of %q", text[end:])
		}
	})
}

func blankLines(b []byte) bool {
	for line := range bytes.SplitSeq(b, []byte{'\n'}) {
		if !blank(bytes.TrimPrefix(line, []byte(byteOrderMark))) {
			return false
		}
	}
	return true
}

// A line that is too long for the window may be the only one that is not UTF-8.
func TestLongLineNotUTF8(t *testing.T) {
	long := `{"a":"` + strings.Repeat("x", 4*windowMost) + "\xff" + `"}`
	for name, s := range map[string]Stream{
		"lines":    Lines(input("{}\n"+long+"\n"), Options{}),
		"elements": Elements(input("[{},"+long+"]"), []string{"@this"}, Options{}),
	} {
		for range 2 {
			list, err := all(t, s)
			if err != nil || len(list) != 2 || !strings.HasSuffix(list[1].Data, "\ufffd\"}") {
				t.Errorf("%s: %d frames, %v", name, len(list), err)
			}
			if err := s.Rewind(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
