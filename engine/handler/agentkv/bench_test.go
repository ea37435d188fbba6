package agentkv

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine/handler"
)

// BenchmarkStore opens a store of 1,000 calls, goes over its blobs and gives all
// frames, as one pass of a read does.
func BenchmarkStore(b *testing.B) {
	k := newKept()
	var parts [][]byte
	for t := range 100 {
		var steps [][]byte
		for n := range 10 {
			id := fmt.Sprintf("call-%d-%d", t, n)
			steps = append(steps, msg(2, msg(1, msg(1, str(1, "ls "+id), str(4, id)), msg(2, msg(1, str(5, strings.Repeat(id+"\n", 200))))), str(57, id)))
		}
		parts = append(parts, ref(8, k.turn(fmt.Sprintf("prompt %d", t), steps...)))
	}
	path := k.root(parts...).database(b)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	b.ReportAllocs()
	for b.Loop() {
		in := input(b, path)
		s, end, err := Open(in, handler.Options{})
		if err != nil {
			b.Fatal(err)
		}
		frames := 0
		for ; ; frames++ {
			if _, err := s.Next(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
		if frames != 1101 {
			b.Fatalf("%d frames", frames)
		}
		if err := end(); err != nil {
			b.Fatal(err)
		}
	}
}
