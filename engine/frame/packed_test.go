package frame

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// TestOpenPacked reads what zstd has compressed as if it were not, and reports
// what is torn.
func TestOpenPacked(t *testing.T) {
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{1, 1000, 3 * spoolMost} {
		want := bytes.Repeat([]byte("{\"n\":1}\n"), size/8+1)[:size]
		packed := z.EncodeAll(want, nil)
		path := filepath.Join(t.TempDir(), "a.jsonl.zst")
		if err := os.WriteFile(path, packed, 0o600); err != nil {
			t.Fatal(err)
		}
		in, done, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(io.NewSectionReader(in, 0, in.Size))
		if err != nil || !bytes.Equal(got, want) || in.Name != path {
			t.Errorf("%d bytes: %d of %s come back, %v", size, len(got), in.Name, err)
		}
		if err := done(); err != nil {
			t.Error(err)
		}
		if err := os.WriteFile(path, packed[:len(packed)-1], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Open(path); err == nil {
			t.Errorf("%d bytes, torn: no error", size)
		}
	}
}
