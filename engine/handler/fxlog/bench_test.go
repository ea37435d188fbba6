package fxlog

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine/handler"
)

// BenchmarkLog reads a log of 1,000 calls with their results.
func BenchmarkLog(b *testing.B) {
	dir := b.TempDir()
	if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
		b.Fatal(err)
	}
	log, size := line(1, "user", `"text":"a"`), 0
	for n := range 1000 {
		id := fmt.Sprintf("call-%d", n)
		text := strings.Repeat(id+"\n", 200)
		log += call(2*n+2, id) + result(2*n+3, id, text)
		size += len(text)
		if err := os.WriteFile(filepath.Join(dir, folder, name(id, text)), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	path := filepath.Join(dir, "events.jsonl")
	if err := os.WriteFile(path, []byte(log), 0o600); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(log) + size))
	b.ReportAllocs()
	for b.Loop() {
		frames, _, _, end, err := all(input(b, path), handler.Options{})
		if err != nil || len(frames) != 2002 {
			b.Fatalf("%d frames, %v", len(frames), err)
		}
		if err := end(); err != nil {
			b.Fatal(err)
		}
	}
}
