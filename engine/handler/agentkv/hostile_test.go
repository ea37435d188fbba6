package agentkv

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// survive reads what may be anything: it gives JSON, or an error that blames the
// input.
func survive(t *testing.T, data []byte) (read bool) {
	t.Helper()
	blamed := func(err error) {
		if e := (*trajectory.Error)(nil); !errors.As(err, &e) || e.Code != trajectory.InvalidInput {
			t.Errorf("error = %v (%T)", err, err)
		}
	}
	in := &frame.Input{Name: "-", ReaderAt: bytes.NewReader(data), Size: int64(len(data))}
	s, end, err := Open(in, handler.Options{Limits: frame.Options{MaxFrame: 1 << 20}})
	if err != nil {
		blamed(err)
		return false
	}
	defer end()
	for {
		f, err := s.Next()
		if err == io.EOF {
			return true
		}
		if err != nil {
			blamed(err)
			return false
		}
		if !f.TooBig && !json.Valid(f.Data) {
			t.Fatalf("no JSON: %s", f.Data)
		}
	}
}

// TestMangled changes bytes of a database, and cuts it off. (The fuzzer makes no
// headway through SQLite.)
func TestMangled(t *testing.T) {
	k, _ := scene()
	data, err := os.ReadFile(k.database(t))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	read := 0
	for range 500 {
		mangled := bytes.Clone(data)
		for range 1 + random.IntN(5) {
			mangled[random.IntN(len(mangled))] = byte(random.Uint32())
		}
		if random.IntN(4) == 0 {
			mangled = mangled[:random.IntN(len(mangled))]
		}
		if survive(t, mangled) {
			read++
		}
	}
	if read == 0 || read == 500 {
		t.Errorf("%d of 500 databases were read: this tests nothing", read)
	}
}

func FuzzReadout(f *testing.F) {
	k, _ := scene()
	f.Add(k.readout(f))
	f.Add(newKept().readout(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.HasPrefix(data, []byte("SQLite")) {
			t.Skip("another form")
		}
		survive(t, data)
	})
}
