// Package sessiongen writes synthetic but realistic native sessions of coding
// agents, for benchmarks and for checks at scale. The same arguments give the
// same bytes on every machine.
package sessiongen

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
)

// Formats are the names of the formats that can be written.
func Formats() []string { return slices.Sorted(maps.Keys(formats)) }

// Ext is how the name of a format's files ends.
func Ext(name string) string { return formats[name].ext }

// Write writes one session of at least size bytes.
func Write(w io.Writer, name string, seed uint64, size int64) error {
	f, ok := formats[name]
	if !ok {
		return fmt.Errorf("unknown format %q", name)
	}
	b := bufio.NewWriterSize(w, 1<<20)
	if err := f.write(b, seed, size); err != nil {
		return err
	}
	return b.Flush()
}

// mix is how often each format occurs in a mixed corpus, in tenths.
var mix = []string{"claude-code", "claude-code", "claude-code", "claude-code", "codex", "codex", "pi", "pi", "opencode", "gemini"}

// Corpus writes many sessions below dir, dir/FORMAT/NNNNN.ext, whose sizes are
// heavy-tailed and add up to about size bytes. The format "mixed" takes turns.
func Corpus(dir, name string, seed uint64, size int64, sessions int) error {
	rng := rand.New(rand.NewPCG(seed, 1))
	shares := make([]float64, sessions)
	var sum float64
	for i := range shares {
		shares[i] = rng.ExpFloat64() * rng.ExpFloat64()
		sum += shares[i]
	}
	for i, share := range shares {
		kind := name
		if name == "mixed" {
			kind = mix[i%len(mix)]
		}
		path := filepath.Join(dir, kind, fmt.Sprintf("%05d%s", i, formats[kind].ext))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := File(path, kind, seed+uint64(i)+1, int64(share/sum*float64(size))); err != nil {
			return err
		}
	}
	return nil
}

// File writes one session to a file.
func File(path, name string, seed uint64, size int64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := Write(f, name, seed, size); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
