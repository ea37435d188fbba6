package diag

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the files that tests compare with")

var sample = List{
	{Code: UnknownKey, File: "dir/a.yaml", Line: 41, Col: 17, Len: 6,
		Message: `unknown key "outptu"`, Hint: `did you mean "output"?`, Excerpt: `  tool_result: {outptu: it.a < "ü" && 100%}`},
	{Code: BadExpression, File: "dir/a.yaml", Line: 42, Col: 3, Len: 40, Message: "begins here\nand ends elsewhere", Excerpt: "\t\tuser: |"},
	{Code: UnreadLet, Severity: Warning, File: "dir/a.yaml", Line: 43, Col: 4, Message: "no expression reads it", Excerpt: "  äöü"},
	{Code: UnmappedKind, File: "b, c:d.jsonl", Line: 7, Message: "about a line"},
	{Code: NoCases, Severity: Warning, File: "c.yaml", Message: "about a file"},
	{Code: WrongForm, File: "d.yaml", Line: 1, Col: 301, Len: 3, Message: "far out", Excerpt: strings.Repeat("abc ", 150)},
}

func TestWrite(t *testing.T) {
	for _, format := range Formats {
		t.Run(format, func(t *testing.T) {
			var b bytes.Buffer
			if err := Write(&b, format, sample); err != nil {
				t.Fatal(err)
			}
			file := "testdata/sample." + format
			if *update {
				if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// The formats that programs read must be readable, also when there is nothing.
func TestWriteIsWellFormed(t *testing.T) {
	for _, list := range []List{sample, nil} {
		for _, format := range []string{"json", "sarif"} {
			var b bytes.Buffer
			if err := Write(&b, format, list); err != nil {
				t.Fatal(err)
			}
			if !json.Valid(b.Bytes()) {
				t.Errorf("%s: %s", format, b.String())
			}
			if strings.Contains(b.String(), "null") {
				t.Errorf("%s has a null where a list belongs: %s", format, b.String())
			}
		}
		var b bytes.Buffer
		if err := Write(&b, "junit", list); err != nil {
			t.Fatal(err)
		}
		var suites junitSuites
		if err := xml.Unmarshal(b.Bytes(), &suites); err != nil {
			t.Errorf("junit: %v", err)
		}
		cases := 0
		for _, s := range suites.Suites {
			cases += len(s.Cases)
		}
		if cases != len(list) {
			t.Errorf("junit has %d cases for %d findings", cases, len(list))
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	if err := Write(io.Discard, "xml", sample); err == nil {
		t.Error("an unknown format was accepted")
	}
	for _, format := range Formats {
		if err := Write(full{}, format, sample); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%s: the writer's error is lost: %v", format, err)
		}
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestListErr(t *testing.T) {
	if err := sample.Err(); err == nil || !strings.HasPrefix(err.Error(), `dir/a.yaml:41:17: unknown key "outptu" (did you mean "output"?) [TM0103]`) {
		t.Errorf("%v", err)
	}
	warnings := List{sample[2], sample[4]}
	if err := warnings.Err(); err != nil {
		t.Errorf("warnings are an error: %v", err)
	}
	if e, w := sample.Count(); e != 4 || w != 2 {
		t.Errorf("%d errors, %d warnings", e, w)
	}
}

func TestListSort(t *testing.T) {
	l := List{
		{File: "b", Line: 1, Message: "4"},
		{File: "a", Line: 2, Col: 1, Message: "3"},
		{File: "a", Line: 1, Col: 9, Message: "2"},
		{File: "a", Line: 1, Col: 2, Severity: Warning, Message: "1"},
		{File: "a", Line: 1, Col: 2, Message: "0"},
		{File: "a", Line: 2, Col: 1, Message: "3"},
	}
	l.Sort()
	var order string
	for _, f := range l {
		order += f.Message
	}
	if order != "01234" {
		t.Error(order)
	}
}

func TestCodes(t *testing.T) {
	last := ""
	for _, c := range Codes() {
		if c.ID <= last {
			t.Errorf("%s stands after %s", c.ID, last)
		}
		last = c.ID
		if !strings.HasSuffix(c.Doc, ".") || strings.Contains(c.Doc, "\n") {
			t.Errorf("%s: %q is not one sentence", c.ID, c.Doc)
		}
	}
	for _, f := range sample {
		if !cmp.Equal(1, count(f.Code)) {
			t.Errorf("%s is not in the table", f.Code)
		}
	}
}

func count(id string) (n int) {
	for _, c := range Codes() {
		if c.ID == id {
			n++
		}
	}
	return n
}

func TestReporterLines(t *testing.T) {
	r := NewReporter("f", []byte("\ufeffone\r\ntwo\rthree\n\nfive\u2028six"))
	want := []string{"one", "two", "three", "", "five", "six"}
	if r.Lines() != len(want) {
		t.Fatalf("%d lines", r.Lines())
	}
	for i, w := range want {
		if got := r.Line(i + 1); got != w {
			t.Errorf("line %d: %q", i+1, got)
		}
	}
	for _, n := range []int{-1, 0, 7} {
		if got := r.Line(n); got != "" {
			t.Errorf("line %d: %q", n, got)
		}
	}
	f := r.Errorf(YAMLSyntax, 3, 2, 1, "at %d", 3)
	if f.Excerpt != "three" || f.File != "f" || f.Message != "at 3" || len(r.Found) != 1 {
		t.Errorf("%+v", f)
	}
}
