package frame

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

func TestOpen(t *testing.T) {
	dir := folder(t, map[string]string{"a.jsonl": "{}\n"})
	name := filepath.Join(dir, "a.jsonl")
	in, done, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	if in.Name != name || in.Size != 3 {
		t.Errorf("input = %q, %d bytes; want %q, 3", in.Name, in.Size, name)
	}
	if got, err := all(t, Lines(in, Options{})); err != nil || len(got) != 1 {
		t.Errorf("frames = %v, %v", got, err)
	}
	if err := done(); err != nil {
		t.Errorf("close: %v", err)
	}
	if _, err := Lines(in, Options{}).Next(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("read after close: %v, want fs.ErrClosed", err)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := folder(t, map[string]string{"secret": ""})
	for _, test := range []struct {
		path string
		want error
	}{
		{dir, ErrDirectory},
		{filepath.Join(dir, "no"), fs.ErrNotExist},
		{"", fs.ErrNotExist},
	} {
		_, _, err := Open(test.path)
		if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.path) {
			t.Errorf("Open(%q): %v, want %v", test.path, err, test.want)
		}
	}
	name := filepath.Join(dir, "secret")
	if err := os.Chmod(name, 0); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Open(name); err == nil {
		f.Close()
		t.Skip("this user may read everything")
	}
	if _, _, err := Open(name); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("Open of an unreadable file: %v", err)
	}
}

// TestOpenStdin reads standard input as a pipe and as a file that has been read
// from before.
func TestOpenStdin(t *testing.T) {
	set := func(t *testing.T, f *os.File) {
		old := os.Stdin
		os.Stdin = f
		t.Cleanup(func() { os.Stdin = old; f.Close() })
	}
	check := func(t *testing.T, want string) {
		t.Helper()
		in, done, err := Open("-")
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(io.NewSectionReader(in, 0, in.Size))
		if string(b) != want || err != nil || in.Name != "-" || in.Size != int64(len(want)) {
			t.Errorf("%d bytes, %v, named %q; want %d", len(b), err, in.Name, len(want))
		}
		if err := done(); err != nil {
			t.Errorf("close: %v", err)
		}
		if _, err := os.Stdin.Stat(); err != nil {
			t.Errorf("closing the input closed standard input: %v", err)
		}
	}
	t.Run("file", func(t *testing.T) {
		f, err := os.Open(filepath.Join(folder(t, map[string]string{"a": "head\n{}\n"}), "a"))
		if err != nil {
			t.Fatal(err)
		}
		set(t, f)
		if _, err := f.Seek(5, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		check(t, "{}\n")
	})
	for name, text := range map[string]string{
		"short pipe": "{}\n",
		"empty pipe": "",
		"long pipe":  strings.Repeat("0123456789abcde\n", spoolMost/8),
	} {
		t.Run(name, func(t *testing.T) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			set(t, r)
			go func() {
				io.WriteString(w, text)
				w.Close()
			}()
			check(t, text)
		})
	}
}

func TestSpool(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("TMP", tmp)
	count := func() int {
		list, err := os.ReadDir(tmp)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	for _, size := range []int{0, 1, spoolMost, spoolMost + 1, 3 * spoolMost} {
		text := strings.Repeat("x", size)
		in, remove, err := spool(iotest.HalfReader(strings.NewReader(text)), "name")
		if err != nil {
			t.Fatal(err)
		}
		f, inFile := in.ReaderAt.(*os.File)
		if inFile != (size > spoolMost) {
			t.Errorf("%d bytes: in a file: %v", size, inFile)
		}
		if inFile {
			if info, err := f.Stat(); err != nil || info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%d bytes: mode %v, %v; want nothing for others", size, info.Mode(), err)
			}
		}
		b, err := io.ReadAll(io.NewSectionReader(in, 0, in.Size))
		if string(b) != text || err != nil {
			t.Errorf("%d bytes: read %d, %v", size, len(b), err)
		}
		if err := remove(); err != nil {
			t.Errorf("%d bytes: remove: %v", size, err)
		}
		if n := count(); n > 0 {
			t.Errorf("%d bytes: %d temporary files stay behind", size, n)
		}
	}
	for _, size := range []int{10, 2 * spoolMost} {
		r := io.MultiReader(strings.NewReader(strings.Repeat("x", size)), iotest.ErrReader(errDisk))
		if _, _, err := spool(r, "name"); !errors.Is(err, errDisk) || !strings.Contains(err.Error(), "name") {
			t.Errorf("error after %d bytes: %v, want %v", size, err, errDisk)
		}
		if n := count(); n > 0 {
			t.Errorf("error after %d bytes: %d temporary files stay behind", size, n)
		}
	}
}
