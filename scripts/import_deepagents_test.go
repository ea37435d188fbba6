package scripts_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// batch calls the script for one document after the other, for Python takes its
// time to start.
const batch = `
import contextlib, importlib.util, io, json, os, sys
spec = importlib.util.spec_from_file_location("script", sys.argv[1])
script = importlib.util.module_from_spec(spec)
spec.loader.exec_module(script)
for n in range(int(sys.argv[2])):
    database = os.path.join(str(n), ".state", "sessions.db")
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            script.main([str(n) + ".json", database])
        result = {"said": said.getvalue(), "ok": True}
    except SystemExit as end:
        result = {"said": str(end.code), "ok": False}
    except BaseException as error:
        result = {"said": "Traceback: " + repr(error), "ok": False}
    print(json.dumps(result | {"made": os.path.exists(database)}))
`

// outcome is what the script says of a document.
type outcome struct {
	Said string
	OK   bool // it ended well
	Made bool // there is a database
}

// importer runs import_deepagents.py on documents.
func importer(t *testing.T, documents [][]byte, env ...string) []outcome {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no Python here")
	}
	dir := t.TempDir()
	for n, document := range documents {
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(n)+".json"), document, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	script, err := filepath.Abs("import_deepagents.py")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-B", "-c", batch, script, strconv.Itoa(len(documents)))
	cmd.Dir, cmd.Env = dir, append(append(os.Environ(), "HOME="+dir), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []outcome
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var o outcome
		if err := d.Decode(&o); err != nil {
			t.Fatal(err)
		}
		if o.Made != o.OK || strings.Contains(o.Said, "Traceback") {
			t.Errorf("document %d: %+v", len(list), o)
		}
		list = append(list, o)
	}
	if len(list) != len(documents) {
		t.Fatalf("%d outcomes of %d documents", len(list), len(documents))
	}
	return list
}

// TestImporterChecks gives the script documents in which one thing is wrong. It
// sees that before it needs any package.
func TestImporterChecks(t *testing.T) {
	whole, err := os.ReadFile("../testdata/write/deepagents/edge/checkpoint.json")
	if err != nil {
		t.Fatal(err)
	}
	const untested = "DEEPAGENTS_ALLOW_UNTESTED=1"
	if o := importer(t, [][]byte{whole})[0]; !o.OK && !strings.Contains(o.Said, "deepagents-code") {
		t.Errorf("without the program: %+v", o)
	}
	id := `"id":"trajectory:019b76da-afd0-7573-a6a4-300c6da131c8:`
	tests := []struct{ old, new, want string }{
		{"{", "", "cannot be read"},
		{`"version":1`, `"version":2`, "version is missing, or not"},
		{`"version":1`, `"version":true`, "version is missing, or not"},
		{`"source":"deepagents"`, `"source":"x"`, "source is missing, or not"},
		{`"source":"deepagents"`, `"source":"deepagents","more":1`, "a field that is not known: 'more'"},
		{`"threadId":"019b76da-afd0-7573-a6a4-300c6da131c8"`, `"threadId":""`, "threadId is missing, or not"},
		{`"checkpointNamespace":""`, `"checkpointNamespace":"a"`, "checkpointNamespace is missing"},
		{`"cwd":"/home/me/project","createdAt"`, `"createdAt"`, "cwd is missing"},
		{`"acp_session":true`, `"acp_session":[true]`, "metadata is missing, or not"},
		{`"title":"`, `"title":1,"x":"`, "title is not what it should be"},
		{`"messages":[`, `"messages":[],"m":[`, "messages is missing, or not"},
		{id + `2"`, id + `1"`, "message 2: a message before it has its id"},
		{id + `2"`, `"id":null`, "message 2: id is missing"},
		{id + `2",`, ``, "message 2: id is missing"},
		{`"role":"human","content":"`, `"role":"system","content":"`, "none of human, ai and tool"},
		{`"role":"human","content":"`, `"role":"human","content":1,"x":"`, "content is missing, or not"},
		{`"toolCallId":"c1a"`, `"toolCallId":"c1z"`, "no call that waits for one"},
		{`"id":"c1c","name"`, `"id":"c1b","name"`, "two calls have one id"},
		{`"name":"tool","args":{}`, `"name":"tool","args":"{}"`, "args is missing, or not"},
		{`"name":"tool","args":{}`, `"name":"tool","args":{},"type":"x"`, "a field that is not known: 'type'"},
		{`"name":"tool","args":{}`, `"name":"tool","args":{"x":NaN}`, "NaN is no JSON"},
		{`"status":"error"`, `"status":"maybe"`, "status is not what it should be"},
		{`"reasoning":[]`, `"reasoning":[1]`, "reasoning is not what it should be"},
	}
	documents := [][]byte{whole, []byte(strings.Repeat("[", 100_000))}
	for _, test := range tests {
		document := bytes.Replace(whole, []byte(test.old), []byte(test.new), 1)
		if bytes.Equal(document, whole) {
			t.Errorf("there is no %s", test.old)
		}
		documents = append(documents, document)
	}
	outcomes := importer(t, documents, untested)
	// Where LangGraph is not installed, a whole document comes as far as that.
	if o := outcomes[0]; !o.OK && !strings.Contains(o.Said, "No module named") {
		t.Errorf("a whole document: %+v", o)
	}
	if o := outcomes[1]; o.OK || !strings.Contains(o.Said, "cannot be read") {
		t.Errorf("a deep one: %+v", o)
	}
	for i, test := range tests {
		if o := outcomes[i+2]; o.OK || !strings.Contains(o.Said, test.want) {
			t.Errorf("%s for %s: %+v, want %q", test.new, test.old, o, test.want)
		}
	}
}
