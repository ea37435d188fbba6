package frame

import (
	"io"
	"runtime"
	"strings"
	"testing"
)

// TestMemory reads inputs, most of 100 MB, that are made while they are read.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a gigabyte")
	}
	row := `{"type":"user","text":"` + strings.Repeat("abcdefghi ", 200) + `"}`
	lots := func(s string) string { return strings.Repeat(s, 1<<20) }
	long := lots("x")
	tests := []struct {
		name   string
		input  generated
		open   func(in *Input) Stream
		frames int
		bound  int64 // MiB that are in use at most
	}{
		{"lines", generated{"", row + "\n", "", 50_000}, openLines, 50_000, 2},
		{"newlines", generated{"", lots("\n"), "{}", 100}, openLines, 1, 2},
		{"line over the limit", generated{"{}\n", long, "\n{}", 100}, openLines, 3, 10},
		{"line of 30 MiB", generated{"", long, "\n{}\n{}", 30}, openLines, 3, 40},
		{"elements", generated{`{"a":{"list":[{}`, "," + row, `]}}`, 50_000}, openElements, 50_001, 2},
		{"small elements", generated{`{"a":{"list":[0`, lots(",1"), `]}}`, 5}, openElements, 5<<20 + 1, 2},
		{"string over the limit", generated{`{"a":{"list":[0,"`, long, `",1]}}`, 100}, openElements, 3, 10},
		{"list over the limit", generated{`{"a":{"list":[0,[0`, lots(",123456789"), `],1]}}`, 10}, openElements, 3, 10},
		{"long member", generated{`{"z":"`, long, `","a":{"list":[0]}}`, 100}, openElements, 1, 12},
		{"long name", generated{`{"`, long, `":0,"a":{"list":[0]}}`, 100}, openElements, 1, 12},
		{"many members", generated{`{"z":{}`, `,"z":` + row, `,"a":{"list":[0]}}`, 50_000}, openElements, 1, 24},
		{"white space", generated{`{"a":{"list":[`, lots(" "), `0]}}`, 100}, openElements, 1, 2},
		{"levels", generated{`{"a":{"list":[`, lots("["), "", 100}, openElements, 0, 10},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := test.open(test.input.input())
			before := inUse()
			highest, frames := int64(0), 0
			for {
				_, err := s.Next()
				if err == io.EOF {
					break
				}
				if err != nil {
					wantInvalid(t, err)
					break
				}
				if frames++; frames%(test.frames/5+1) == 0 || frames < 4 {
					highest = max(highest, inUse()-before)
				}
			}
			highest = max(highest, inUse()-before)
			if frames != test.frames {
				t.Errorf("%d frames, want %d", frames, test.frames)
			}
			t.Logf("highest %.1f MiB", float64(highest)/(1<<20))
			if highest > test.bound<<20 {
				t.Errorf("%.1f MiB in use, want at most %d", float64(highest)/(1<<20), test.bound)
			}
			runtime.KeepAlive(s)
		})
	}
}

func openLines(in *Input) Stream    { return Lines(in, Options{}) }
func openElements(in *Input) Stream { return Elements(in, []string{"@this", "a.list"}, Options{}) }

// inUse is the memory that is reachable.
func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestMemoryIsGivenBack reads one long frame, then short ones.
func TestMemoryIsGivenBack(t *testing.T) {
	text := `"` + strings.Repeat("x", 32<<20) + `"`
	for name, s := range map[string]Stream{
		"lines":    Lines(input(text+"\n1\n2\n"), Options{}),
		"elements": Elements(input("["+text+",1,2]"), []string{"@this"}, Options{}),
		"repaired": Lines(input("\xff\n"+strings.Repeat("\xff", 8<<20)+"\n1\n"), Options{}),
	} {
		before := inUse()
		for i := 0; ; i++ {
			f, err := s.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.At(f); err != nil {
				t.Fatal(err)
			}
		}
		if grown := inUse() - before; grown > 6<<20 {
			t.Errorf("%s: %d MiB are still in use", name, grown>>20)
		}
		runtime.KeepAlive(s)
	}
}
