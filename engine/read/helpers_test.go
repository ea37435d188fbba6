package read

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
)

// parse compiles a mapping that a test has written.
func parse(t *testing.T, yaml string) *mapping.Mapping {
	t.Helper()
	m, found := mapping.Parse("test.yaml", []byte(yaml))
	if err := found.Err(); err != nil {
		t.Fatalf("the test's mapping: %v", err)
	}
	return m
}

func input(text string) *frame.Input {
	return &frame.Input{Name: "-", ReaderAt: strings.NewReader(text), Size: int64(len(text))}
}

// lines are the records of a read, a line each.
type lines struct{ bytes.Buffer }

func (l *lines) Record(r *normalize.Record) error {
	l.Write(r.AppendV1(nil))
	l.WriteByte('\n')
	return nil
}

// read reads an input and gives its records and what else was found.
func read(t *testing.T, m *mapping.Mapping, in *frame.Input, o Options) (string, *Result) {
	t.Helper()
	out, result, err := tryRead(m, in, o)
	if err != nil {
		t.Fatal(err)
	}
	return out, result
}

func tryRead(m *mapping.Mapping, in *frame.Input, o Options) (string, *Result, error) {
	var out lines
	result, err := New(m).Read(context.Background(), in, o, func(*normalize.Plan) (normalize.Sink, error) { return &out, nil })
	return out.String(), result, err
}

// said are the texts of a read's records, without the meta record.
func said(t *testing.T, m *mapping.Mapping, text string, o Options) string {
	t.Helper()
	return saidOf(t, m, input(text), o)
}

func saidOf(t *testing.T, m *mapping.Mapping, in *frame.Input, o Options) string {
	t.Helper()
	var texts []string
	sink := sinkFunc(func(r *normalize.Record) error {
		if d := r.Decode(); d.Type != normalize.MetaRecord {
			texts = append(texts, d.Content)
		}
		return nil
	})
	_, err := New(m).Read(context.Background(), in, o, func(*normalize.Plan) (normalize.Sink, error) { return sink, nil })
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(texts, " ")
}

type sinkFunc func(r *normalize.Record) error

func (f sinkFunc) Record(r *normalize.Record) error { return f(r) }
