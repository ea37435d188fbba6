package snapshot_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/snapshot"
)

// sample is a snapshot with an attachment.
func sample(t testing.TB) []byte {
	t.Helper()
	m, err := catalog(t).Open("claude-code")
	if err != nil {
		t.Fatal(err)
	}
	dir := home(t, map[string]string{talkName: talk, talkNote: "1\n2\n3\n", filepath.Dir(talkNote) + "/c.txt": "c"})
	data := take(t, native{filepath.Join(dir, talkName), m})
	if data == nil {
		t.Fatal("no snapshot")
	}
	return data
}

var idMember = regexp.MustCompile(`,"id":"[0-9a-f]{64}"`)

// signed gives a forged snapshot the id that it should have.
func signed(data []byte) []byte {
	at := idMember.FindIndex(data)
	if at == nil {
		return data
	}
	sum := sha256.New()
	sum.Write(data[:at[0]])
	sum.Write(bytes.TrimSuffix(data[at[1]:], []byte("\n")))
	return append(append(append(bytes.Clone(data[:at[0]]), `,"id":"`+hex.EncodeToString(sum.Sum(nil))+`"`...), data[at[1]:]...), []byte(nil)...)
}

// TestHostile opens snapshots that are none, or that lie.
func TestHostile(t *testing.T) {
	good := string(sample(t))
	if o, err := snapshot.Open(engine.Bytes("x", signed([]byte(good))), ""); err != nil {
		t.Fatalf("the good one: %v", err)
	} else {
		o.Close()
	}
	replace := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("the sample has no %q", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	b := `"name":"projects/-home-dev/` + talkID + `/tool-results/b.txt"`
	c := `"name":"projects/-home-dev/` + talkID + `/tool-results/c.txt"`
	raw := `"name":"projects/-home-dev/` + talkID + `.jsonl"`
	for _, test := range []struct {
		name, data string
		forged     bool   // its id fits
		part       string // of the hash that fails
		says       string
	}{
		{"one byte of the raw file", replace("Three.", "Threx."), false, "id", "the snapshot is not as it was taken: its SHA-256 should be "},
		{"one byte of the raw file, signed", replace(`\"text\":\"Three.\"`, `\"text\":\"Threx.\"`), true, talkName, "the file " + talkName + " is not as it was taken"},
		{"one byte of an attachment", replace(`"data":"1\n2\n3\n"`, `"data":"1\n2\n4\n"`), true, talkNote, "the file " + talkNote},
		{"another length", replace(`"bytes":6`, `"bytes":7`), true, talkNote, ""},
		{"another id", idMember.ReplaceAllString(good, `,"id":"`+strings.Repeat("0", 64)+`"`), false, "id", ""},
		{"another version", replace(`"version":1}`, `"version":2}`), true, "", "it is of version 2, and this program knows 1"},
		{"another kind", replace(`"kind":"trajmap-snapshot"`, `"kind":"other"`), true, "", `its kind is "other"`},
		{"torn", good[:len(good)/2], false, "", "it ends in the middle"},
		{"torn in the last line", good[:len(good)-1], false, "", "where it should end"},
		{"more behind it", good + " ", false, "", "where it should end"},
		{"two of them", good + good, false, "", "where it should end"},
		{"a path that leads out", replace(b, `"name":"../x"`), true, "", `"../x" is no path below the harness's home`},
		{"an absolute path", replace(b, `"name":"/etc/passwd"`), true, "", "is no path below"},
		{"a drive", replace(b, `"name":"C:/x"`), true, "", "is no path below"},
		{"a path with backslashes", replace(b, `"name":"a\\..\\..\\x"`), true, "", "is no path below"},
		{"a path with dots in it", replace(b, `"name":"a/../../x"`), true, "", "is no path below"},
		{"the raw file elsewhere", replace(raw, `"name":"../../x.jsonl"`), true, "", "is no path below"},
		{"two of one name", replace(c, b), true, "", "is in it twice"},
		{"the raw file twice", replace(c, raw), true, "", "is in it twice"},
		{"not sorted", replace(b, strings.Replace(b, "b.txt", "d.txt", 1)), true, "", "are not sorted"},
		{"a file in a file", replace(c, strings.Replace(b, "b.txt", "b.txt/c", 1)), true, "", "would be in it"},
		{"an unknown encoding", replace(`"encoding":"utf8"`, `"encoding":"rot13"`), true, "", "has the encoding"},
		{"no base64", replace(`"encoding":"utf8"`, `"encoding":"base64"`), true, "", "is not in base64"},
		{"a file that is not beside it", replace(`"encoding":"utf8","name":"projects/-home-dev/`+talkID+`.jsonl"`, `"encoding":"file","name":"projects/-home-dev/`+talkID+`.jsonl"`), true, "", "here it is alone"},
		{"a member twice", replace(`"kind":"trajmap-snapshot",`, `"kind":"trajmap-snapshot","kind":"trajmap-snapshot",`), true, "", "not sorted, or one stands twice"},
		{"a member that nobody knows", replace(`,"version":1}`, `,"unknown":1,"version":1}`), true, "", "it has 12 members"},
		{"a member less", replace(`"diagnostics":[],`, ``), true, "", "it has no diagnostics"},
		{"a member inside that nobody knows", replace(`"mapping":{`, `"mapping":{"a":1,`), true, "", "its mapping is not what it should be"},
		{"a member inside twice", replace(`"mapping":{`, `"mapping":{"name":"x",`), true, "", "its mapping is not written as snapshots are"},
		{"spaces", replace(`"kind":`, `"kind": `), true, "", "not written as snapshots are"},
		{"spaces between", replace(`,"kind":`, `, "kind":`), true, "", "not written as snapshots are"},
		{"a session that is elsewhere", replace(`"locator":{"path":"projects`, `"locator":{"path":"../projects`), true, "", "where its session is"},
		{"a session that is another file", replace(`"locator":{"path":"projects`, `"locator":{"path":"project`), true, "", "where its session is"},
		{"deep", replace(`"ledger":{`, `"ledger":{"x":`+strings.Repeat("[", 5000)+strings.Repeat("]", 5000)+`,`), true, "", "nested too deeply"},
		{"a value that is missing", replace(`"version":1}`, `"version":}`), true, "", ""},
		{"a name without end", `{"attachments":[],"canonical":{"active":[` + strings.Repeat(`"`+strings.Repeat("a", 1<<20), 3), false, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			data := []byte(test.data)
			if test.forged {
				data = signed(data)
			}
			o, err := snapshot.Open(engine.Bytes("x", data), "")
			if err == nil {
				o.Close()
				t.Fatal("it was taken for a good one")
			}
			var hash *snapshot.HashError
			var form *snapshot.FormError
			switch {
			case errors.As(err, &hash) && hash.Part != test.part, test.part != "" && hash == nil:
				t.Errorf("%T of %v, want the hash of %q to fail", err, err, test.part)
			case hash == nil && !errors.As(err, &form):
				t.Errorf("an error of type %T: %v", err, err)
			case !strings.Contains(err.Error(), test.says):
				t.Errorf("said %q, want %q", err, test.says)
			}
		})
	}
}

// TestFolder opens snapshots that are folders in which something is not right.
func TestFolder(t *testing.T) {
	m, err := catalog(t).Open("claude-code")
	if err != nil {
		t.Fatal(err)
	}
	n := native{filepath.Join(home(t, map[string]string{talkName: talk, talkNote: "1\n2\n3\n"}), talkName), m}
	for _, test := range []struct {
		name   string
		change func(dir string) error
		says   string
	}{
		{"nothing", func(string) error { return nil }, ""},
		{"a byte", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "raw", talkNote), []byte("1\n2\n4\n"), 0o600)
		}, "the file " + talkNote + " is not as it was taken"},
		{"a file less", func(dir string) error { return os.Remove(filepath.Join(dir, "raw", talkNote)) }, "is missing"},
		{"a file more", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "raw", filepath.Dir(talkNote), "x"), nil, 0o600)
		}, "holds a file that is not of it"},
		{"a link", func(dir string) error {
			path := filepath.Join(dir, "raw", talkNote)
			if err := os.Rename(path, filepath.Join(dir, "moved")); err != nil {
				return err
			}
			return os.Symlink(filepath.Join(dir, "moved"), path)
		}, "is a link"},
		{"a folder that is a link", func(dir string) error {
			path := filepath.Join(dir, "raw", filepath.Dir(talkNote))
			if err := os.Rename(path, filepath.Join(dir, "moved")); err != nil {
				return err
			}
			return os.Symlink(filepath.Join(dir, "moved"), path)
		}, "holds a file that is not of it"},
		{"no files", func(dir string) error { return os.RemoveAll(filepath.Join(dir, "raw")) }, "no such file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := folder(t, n)
			if err := test.change(dir); err != nil {
				t.Fatal(err)
			}
			in, done, err := engine.OpenInput(filepath.Join(dir, snapshot.Document))
			if err != nil {
				t.Fatal(err)
			}
			defer done()
			o, err := snapshot.Open(in, dir)
			switch {
			case err == nil:
				defer o.Close()
				if test.says != "" {
					t.Error("it was taken for a good one")
				}
			case test.says == "" || !strings.Contains(err.Error(), test.says):
				t.Errorf("said %q, want %q", err, test.says)
			}
		})
	}
}

// TestSecrets keeps credentials out, and counts them.
func TestSecrets(t *testing.T) {
	m, err := catalog(t).Open("openhands")
	if err != nil {
		t.Fatal(err)
	}
	const id = "0123456789abcdef0123456789abcdef"
	dir := home(t, map[string]string{
		id + "/events/event-00000-3f1c2b60-0000-4000-8000-000000000001.json": `{"kind":"MessageEvent","id":"3f1c2b60-0000-4000-8000-000000000001","timestamp":"2026-11-30T10:00:00","source":"user","llm_message":{"role":"user","content":[{"type":"text","text":"Hello."}]}}`,
		id + "/base_state.json": `{"id": "01234567-89ab-cdef-0123-456789abcdef", "agent": {"llm": {"model": "m", "api_key": "sk-hush", "top_p": 1.0}}, "secret_registry": {"a": {"value": "hush"}}}`,
	})
	data := take(t, native{filepath.Join(dir, id) + string(filepath.Separator), m})
	if data == nil {
		t.Fatal("no snapshot")
	}
	if bytes.Contains(data, []byte("hush")) {
		t.Error("it holds a secret")
	}
	o, _, _ := opened(t, m, data)
	if o.Source.Locator.Path != id+"/" {
		t.Errorf("the session is at %q", o.Source.Locator.Path)
	}
	if len(o.Attachments) != 1 || o.Attachments[0].Secrets != 2 {
		t.Errorf("attachments %+v", o.Attachments)
	}
	for _, h := range o.Portability.Hazards {
		if h.Code == "secret" && h.Count == 2 && h.Verdict == "drop" {
			return
		}
	}
	t.Errorf("hazards %+v", o.Portability.Hazards)
}

// FuzzOpen opens whatever begins as a snapshot does.
func FuzzOpen(f *testing.F) {
	good := sample(f)
	f.Add(good)
	f.Add(good[:len(good)-20])
	f.Add([]byte(`{"attachments":[],"canonical":{"active":[]},"id":"","kind":"trajmap-snapshot","version":1}` + "\n"))
	f.Add(signed(bytes.Replace(good, []byte(`"encoding":"utf8"`), []byte(`"encoding":"readout"`), 1)))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, data := range [][]byte{data, signed(data)} {
			o, err := snapshot.Open(engine.Bytes("x", data), "")
			if err != nil {
				continue
			}
			if _, err := os.Stat(o.Path()); err != nil {
				t.Errorf("the session is not there: %v", err)
			}
			if rel, err := filepath.Rel(o.Tree(), o.Path()); err != nil || !filepath.IsLocal(rel) {
				t.Errorf("the session is unpacked elsewhere: %s", o.Path())
			}
			_ = o.WriteRecords(&bytes.Buffer{}, true)
			if err := o.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}
