package render

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/scripts"
)

func init() {
	handler.RegisterEncoder("counted", func(to io.Writer) io.WriteCloser { return &counted{to: to} })
}

// counted is an encoder that writes how long each line is, and at the end how
// many there were.
type counted struct {
	to    io.Writer
	lines int
}

func (c *counted) Write(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		if bytes.HasPrefix(line, []byte(`{"bad"`)) {
			return 0, fmt.Errorf("bad frame")
		}
		c.lines++
		fmt.Fprintln(c.to, len(bytes.TrimSuffix(line, []byte("\n"))))
	}
	return len(b), nil
}

func (c *counted) Close() error {
	_, err := fmt.Fprintln(c.to, "lines", c.lines)
	return err
}

// TestEncode has a handler make a file's bytes; size and hash are theirs.
func TestEncode(t *testing.T) {
	s := conversation(t, user("Hi"), says("Hello."))
	for steps, want := range map[string]string{
		"frames: [{frame: {a: 1}}, {each: messages, frame: {t: = it.text}}]": "7\n10\n14\nlines 3\n",
		"document: {a: 1}": "7\nlines 1\n",
	} {
		files := memory{}
		e, err := Render(target(t, "  files:\n    - path: out\n      encode: counted\n      "+steps+"\n"), s, Options{}, files.create)
		if err != nil {
			t.Fatal(err)
		}
		if got := files["out"].String(); got != want || e.Files[0].Size != int64(len(want)) {
			t.Errorf("%s: got %q of %d bytes, want %q", steps, got, e.Files[0].Size, want)
		}
	}
	for steps, want := range map[string]string{
		"encode: counted\n      document: {bad: 1}": "bad frame",
		"encode: missing\n      document: {}":       `target.yaml:8:7: this program has no handler named "missing" that encodes files`,
	} {
		_, err := Render(target(t, "  files:\n    - path: out\n      "+steps+"\n"), s, Options{}, memory{}.create)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", steps, err, want)
		}
	}
}

// TestStores gives the paths of stores as those of files, and what is done.
func TestStores(t *testing.T) {
	s := conversation(t, user("Hi"), says("Hello."))
	write := `
  prepare:
    - {store: kv, file: logical, path: = folder + it.id + ".db"}
  let: {folder: = "stores/" + str(place.home) + "/"}
  files:
    - {name: logical, path: logical, document: {}}
    - {name: help, path: help.mjs, script: prepare-cursor.mjs}
    - {path: placed, text: x}
`
	m, files := target(t, write), memory{}
	e, err := Render(m, s, Options{}, files.create)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := Steps(m, s, e, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Step{Step: "store", Store: "kv", File: "logical", Path: "stores//" + e.ID + ".db"}); len(steps) != 1 || fmt.Sprint(steps[0]) != fmt.Sprint(want) {
		t.Errorf("got %+v, want %+v", steps, want)
	}
	there, err := Stores(m, Place{ID: e.ID, Home: "h"})
	if err != nil || len(there) != 1 || there[0] != "stores/h/"+e.ID+".db" {
		t.Errorf("got %v, %v", there, err)
	}
	if text, _ := scripts.Text("prepare-cursor.mjs"); files["help.mjs"].String() != string(text) {
		t.Error("the script is another one")
	}
	for i, want := range []bool{false, false, true} {
		if got := m.Write.Placed(m.Write.Files[i]); got != want {
			t.Errorf("file %d is placed: %t", i, got)
		}
	}
	for _, path := range []string{"logical", "../x", "/x"} {
		if _, err := Render(target(t, strings.Replace(write, `= folder + it.id + ".db"`, path, 1)), s, Options{}, memory{}.create); err == nil {
			t.Errorf("the path %s was accepted", path)
		}
	}
}
