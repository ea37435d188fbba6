package frame

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// object is a JSON object of about size bytes.
func object(size int) string {
	return `{"type":"user","message":{"role":"user","content":"` + strings.Repeat(`Some text, \"quoted\", of a line.\n`, size/35) + `"},"isSidechain":false,"n":12345}`
}

func BenchmarkLines(b *testing.B) {
	for _, size := range []int{2_000, 100_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			text := strings.Repeat(object(size)+"\n", 20_000_000/size)
			benchmark(b, Lines(input(text), Options{}), len(text))
		})
	}
}

func BenchmarkElements(b *testing.B) {
	for _, size := range []int{2_000, 100_000} {
		text := `{"info":{},"messages":[` + strings.Repeat(object(size)+",", 20_000_000/size) + `{}]}`
		b.Run(fmt.Sprintf("open/%d", size), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Elements(input(text), []string{"messages"}, Options{}).Next(); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("pass/%d", size), func(b *testing.B) {
			benchmark(b, Elements(input(text), []string{"messages"}, Options{}), len(text))
		})
	}
}

func benchmark(b *testing.B, s Stream, size int) {
	if _, err := s.Next(); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Rewind(); err != nil {
			b.Fatal(err)
		}
		for {
			_, err := s.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
