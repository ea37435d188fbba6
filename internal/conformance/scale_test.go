package conformance

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/internal/sessiongen"
)

// TestHashes generates each input of the table and compares the hash of our
// output with that of the reference's.
func TestHashes(t *testing.T) {
	f, err := os.Open(filepath.Join(shared, "bench/expected.tsv"))
	if err != nil {
		t.Skip("the reference's hashes are not at hand")
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = '\t'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	inputs := map[string]string{}
	dir := t.TempDir()
	for _, row := range rows[1:] {
		format, seed, size, view := row[0], row[1], row[2], row[4]
		if testing.Short() && len(size) > 7 {
			continue
		}
		t.Run(format+"/"+seed+"/"+size+"/"+view, func(t *testing.T) {
			name := format
			if name == "gemini" {
				name = "gemini-cli"
			}
			m := load(t, name)
			key := format + "-" + seed + "-" + size
			path, ok := inputs[key]
			if !ok {
				path = filepath.Join(dir, key)
				n, _ := strconv.ParseInt(size, 10, 64)
				s, _ := strconv.ParseUint(seed, 10, 64)
				if err := sessiongen.File(path, format, s, n); err != nil {
					t.Fatal(err)
				}
				inputs[key] = path
			}
			var o normalize.Options
			if view == "v1-unbounded" {
				o.MaxArgs, o.MaxResult = normalize.Unbounded, normalize.Unbounded
			}
			got, _ := output(t, m, path, o, view == "canonical")
			sum := sha256.Sum256(got)
			if hex.EncodeToString(sum[:]) != row[7] {
				t.Errorf("output of %d bytes differs from the reference's %s bytes", len(got), row[6])
			}
		})
	}
}
