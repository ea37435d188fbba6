package beside

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine/value"
)

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct{ name, text, want string }{
		{"a.json", "\ufeff{\"a\": [1, \"x\"]} ", `{"a":[1,"x"]}`},
		{"bad.json", `{"a"`, ""},
		{"empty.json", "", ""},
		{"a.jsonl", "{\"n\":1}\n\nnot JSON\n{\"n\":2}\n{\"n\":", `[{"n":1},{"n":2}]`},
		{"empty.jsonl", "", "[]"},
		{"a.yaml", "id: 0123\nat: 2026-11-30T10:11:13.201Z\nuser: false\ncount: 0\nnone:\nlist: [a, 'b: c']\nname: \"say \\\"x\\\"\"\n", `{"id":"0123","at":"2026-11-30T10:11:13.201Z","user":false,"count":0,"none":null,"list":["a","b: c"],"name":"say \"x\""}`},
		{"alias.yml", "a: &a [*a]\nb: *a\n", `{"a":[null],"b":null}`},
		{"bad.yaml", "a: [", ""},
		{".root", "/home/dev/\"x\"\r\n", `"/home/dev/\"x\""`},
		{"bytes", "a\xffb", `"a\ufffdb"`},
	} {
		path := filepath.Join(dir, test.name)
		if err := os.WriteFile(path, []byte(test.text), 0o666); err != nil {
			t.Fatal(err)
		}
		got := Load(path)
		text := ""
		if got.Exists() {
			text = string(got.AppendJSON(nil))
		}
		if want := strings.ReplaceAll(test.want, `\ufffd`, "\ufffd"); text != want {
			t.Errorf("%s is %s, want %s", test.name, text, want)
		}
	}
	for _, path := range []string{dir, filepath.Join(dir, "nowhere.json")} {
		if v := Load(path); v.Exists() {
			t.Errorf("%s is %s", path, v.Raw())
		}
	}
}

func TestIndex(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.jsonl")
	if err := os.WriteFile(path, []byte(`{"id":"a","n":1}
{"id":"b\"","n":2}
{"n":3}
{"id":"a","n":4}
`), 0o666); err != nil {
		t.Fatal(err)
	}
	got := string(Index(Load(path), "id").AppendJSON(nil))
	if want := `{"a":{"id":"a","n":4},"b\"":{"id":"b\"","n":2}}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if v := Index(Load(path+"x"), "id"); string(v.Raw()) != "{}" {
		t.Errorf("an index of nothing is %s", v.Raw())
	}
}

// FuzzYAML wants JSON of whatever is YAML, and nothing of what is not.
func FuzzYAML(f *testing.F) {
	for _, seed := range []string{"a: 1\nb: [x, 0x1f, .inf, ~]\n", "&a [*a]", "? {a: b}\n: c", "- - - x", "<<: {a: 1}", "!!binary x", "\"\\ud800\""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		data := jsonOf([]byte(text))
		var doc value.Doc
		if data != nil && doc.Parse(data) != nil {
			t.Errorf("%q gives %q", text, data)
		}
	})
}
