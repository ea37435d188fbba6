//go:build unix

package transcript

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/normalize"
)

// browser is a headless Chromium, spoken to through a pair of pipes: messages are
// JSON and end with NUL.
type browser struct {
	t        *testing.T
	out      io.Writer
	messages chan message
	session  string // of the page
	last     int
	requests []string // what the page asked the network for
}

type message struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct{ Message string }
}

// patience is how long an answer may take on a busy machine.
const patience = time.Minute

// start starts a browser with an empty page. Without one the test is skipped.
func start(t *testing.T) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("no Chromium is installed")
	}
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
		"--remote-debugging-pipe", "--user-data-dir="+t.TempDir(), "--window-size=1000,900", "about:blank")
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	theirs, ours, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	back, answers, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.ExtraFiles = []*os.File{theirs, answers} // its descriptors 3 and 4
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	answers.Close()
	b := &browser{t: t, out: ours, messages: make(chan message, 1000)}
	go b.read(back)
	t.Cleanup(func() {
		ours.Close() // it ends with the pipe
		ended := make(chan struct{})
		go func() { cmd.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(patience):
			cmd.Process.Kill()
		}
	})
	var page struct{ TargetID, SessionID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &page)
	b.call("Target.attachToTarget", map[string]any{"targetId": page.TargetID, "flatten": true}, &page)
	b.session = page.SessionID
	for _, domain := range []string{"Page", "Runtime", "Network"} {
		b.call(domain+".enable", nil, nil)
	}
	return b
}

func (b *browser) read(from io.Reader) {
	defer close(b.messages)
	r := bufio.NewReader(from)
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(text[:len(text)-1], &m) == nil {
			b.messages <- m
		}
	}
}

// next is the next message.
func (b *browser) next() message {
	b.t.Helper()
	select {
	case m, ok := <-b.messages:
		if !ok {
			b.t.Fatal("the browser has ended")
		}
		if m.Method == "Network.requestWillBeSent" {
			var p struct{ Request struct{ URL string } }
			if err := json.Unmarshal(m.Params, &p); err != nil {
				b.t.Fatal(err)
			}
			b.requests = append(b.requests, p.Request.URL)
		}
		return m
	case <-time.After(patience):
		b.t.Fatal("the browser does not answer")
	}
	panic("not reached")
}

// call has the browser do something and waits for its answer.
func (b *browser) call(method string, params any, result any) {
	b.t.Helper()
	b.last++
	text, err := json.Marshal(map[string]any{"id": b.last, "method": method, "params": params, "sessionId": b.session})
	if b.session == "" {
		text, err = json.Marshal(map[string]any{"id": b.last, "method": method, "params": params})
	}
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.out.Write(append(text, 0)); err != nil {
		b.t.Fatal(err)
	}
	for {
		m := b.next()
		if m.ID != b.last {
			continue
		}
		if m.Error != nil {
			b.t.Fatalf("%s: %s", method, m.Error.Message)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				b.t.Fatal(err)
			}
		}
		return
	}
}

// open opens a page and waits until all of it is there.
func (b *browser) open(url string) {
	b.t.Helper()
	b.requests = nil
	b.call("Page.navigate", map[string]any{"url": url}, nil)
	for b.next().Method != "Page.loadEventFired" {
	}
}

// eval is the value of an expression on the page, which may be awaited.
func eval[T any](b *browser, expression string) T {
	b.t.Helper()
	var answer struct {
		Result           struct{ Value T }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &answer)
	if answer.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, answer.ExceptionDetails.Exception.Description)
	}
	return answer.Result.Value
}

// search types into the field for searching and waits for the page, which follows
// after 120 ms.
func (b *browser) search(word string) {
	b.t.Helper()
	eval[any](b, fmt.Sprintf(`new Promise(done => {
		search.value = %q;
		search.dispatchEvent(new Event("input"));
		setTimeout(done, 150);
	})`, word))
}

// shoot keeps a picture of the page for a person to look at, in the folder that
// $TRAJMAP_SCREENSHOTS names.
func (b *browser) shoot(name string) {
	b.t.Helper()
	dir := os.Getenv("TRAJMAP_SCREENSHOTS")
	if dir == "" {
		return
	}
	var picture struct{ Data string }
	b.call("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true}, &picture)
	data, err := base64.StdEncoding.DecodeString(picture.Data)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), data, 0o666)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *browser) look(scheme string) {
	b.t.Helper()
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// onPage writes a session as a page and gives its address.
func onPage(t *testing.T, s *engine.Session) string {
	t.Helper()
	var page bytes.Buffer
	if err := New("agent", s, Options{Reasoning: true}).HTML(&page); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "session.html")
	if err := os.WriteFile(path, page.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return "file://" + filepath.ToSlash(path)
}

// visible counts the items of the page that are shown.
const visible = `[...document.querySelectorAll(".item")].filter(e => e.checkVisibility()).length`

// TestInBrowser uses a page as a reader does.
func TestInBrowser(t *testing.T) {
	b := start(t)
	long := strings.Repeat("x", 3000)
	s := session(
		engine.Record{Type: normalize.MetaRecord, Cwd: "/home/dev/parser", GitBranch: "main", Model: "m-1"},
		engine.Record{Type: normalize.UserRecord, Content: "Why does it fail?\n\n```sh\ngo test .\n```", Time: at(1)},
		engine.Record{Type: normalize.ReasoningRecord, Content: "A map has no order.", Time: at(2)},
		engine.Record{Type: normalize.CallRecord, CallID: "a", Name: "Bash", Args: `{"command":"go test -run ` + long + `"}`, Time: at(3)},
		engine.Record{Type: normalize.ResultRecord, CallID: "a", Content: "--- FAIL: Needle\n" + long + "\n" + strings.Repeat("line\n", 200), OK: yes(false), Time: at(4)},
		engine.Record{Type: normalize.CallRecord, CallID: "b", Name: "Read", Args: `{"path":"parse.go"}`, Time: at(5)},
		engine.Record{Type: normalize.ResultRecord, CallID: "b", Content: "func parse()\n\treturn", OK: yes(true), Time: at(6)},
		engine.Record{Type: normalize.AssistantRecord, Content: "`parse` ranges over a map. " + long, Time: at(7)},
		engine.Record{Type: normalize.UserRecord, Content: "Mend it.", Time: at(8)},
		engine.Record{Type: normalize.CallRecord, CallID: "c", Name: "Edit", Args: `{}`, Time: at(9)},
		engine.Record{Type: normalize.ObservationRecord, Content: "The user left.", Time: at(10)},
	)
	url := onPage(t, s)
	b.open(url)
	if n := eval[int](b, visible); n != 8 {
		t.Errorf("%d items are shown, want 8", n)
	}
	if n := eval[int](b, `document.querySelectorAll("details[open]").length`); n != 0 {
		t.Errorf("%d calls are open", n)
	}

	// Long lines are broken: the page is no wider than the window, open or closed.
	overflow := `document.documentElement.scrollWidth - document.documentElement.clientWidth`
	for _, width := range []int{1000, 390} {
		b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false}, nil)
		for _, scheme := range []string{"light", "dark"} {
			b.look(scheme)
			b.shoot(fmt.Sprintf("%s-%d", scheme, width))
		}
		if n := eval[int](b, overflow); n > 0 {
			t.Errorf("a window of %d: the page is %d wider", width, n)
		}
		eval[any](b, `toggle.click()`)
		if n := eval[int](b, overflow); n > 0 {
			t.Errorf("a window of %d, all open: the page is %d wider", width, n)
		}
		b.shoot(fmt.Sprintf("open-%d", width))
		if n := eval[int](b, `document.querySelectorAll("details:not([open])").length`); n != 0 {
			t.Errorf("%d calls are closed after all were opened", n)
		}
		eval[any](b, `toggle.click()`)
	}

	// Light and dark differ, and both can be read.
	look := func(scheme string) (back, text int) {
		b.look(scheme)
		colour := func(what string) int {
			return eval[int](b, `getComputedStyle(document.body).`+what+`.match(/\d+/g).slice(0, 3).reduce((a, c) => a + Number(c), 0)`)
		}
		return colour("backgroundColor"), colour("color")
	}
	if back, text := look("light"); back < 600 || text > 200 {
		t.Errorf("light: %d on %d", text, back)
	}
	if back, text := look("dark"); back > 200 || text < 600 {
		t.Errorf("dark: %d on %d", text, back)
	}

	// What a search does not find is gone, what it finds is open and marked.
	b.search("needle")
	if n := eval[int](b, visible); n != 1 {
		t.Errorf("%d items are shown for a word that one has", n)
	}
	if got := eval[string](b, `found.textContent + ", " + document.querySelector("mark").textContent + ", " + document.querySelector("details[open] b").textContent`); got != "1 place, Needle, Bash" {
		t.Errorf("the search says %s", got)
	}
	b.shoot("search")
	b.search("no such word")
	if got := eval[string](b, `document.getElementById("none").checkVisibility() + ", " + `+visible); got != "true, 0" {
		t.Errorf("nothing found: %s", got)
	}
	b.search("")
	if got := eval[string](b, visible+` + ", " + document.querySelectorAll("mark, details[open]").length`); got != "8, 0" {
		t.Errorf("after the search: %s", got)
	}
	for _, url := range b.requests[1:] {
		t.Errorf("the page asks for %s", url)
	}
	if len(b.requests) != 1 || b.requests[0] != url {
		t.Errorf("requests: %v", b.requests)
	}
}

// TestHostileInBrowser opens a page of texts that mean to be more: none runs,
// none asks the network for anything.
func TestHostileInBrowser(t *testing.T) {
	b := start(t)
	var hits atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	defer server.Close()
	for _, text := range append(hostile,
		`<script>window.ran = 1</script>`, `<img src="`+server.URL+`/i" onerror="window.ran = 1">`, `<script src="`+server.URL+`/s"></script>`,
		`<link rel=stylesheet href="`+server.URL+`/c"><style>@import url(`+server.URL+`/m);</style>`, `<iframe src="`+server.URL+`"></iframe>`,
		`"><svg onload="window.ran = 1">`, `</script><script>window.ran = 1</script>`, `<a href="`+server.URL+`" ping="`+server.URL+`">x</a>`,
		"`<script>window.ran = 1</script>`",
	) {
		text = strings.ReplaceAll(text, "alert(1)", "window.ran = 1")
		url := onPage(t, stuffed(text))
		b.open(url)
		b.search("script")
		b.search("")
		eval[any](b, `toggle.click()`)
		if eval[bool](b, `"ran" in window`) {
			t.Errorf("%q runs", text)
		}
		if got := eval[string](b, `location.href`); got != url {
			t.Errorf("%q leads to %s", text, got)
		}
		if n := eval[int](b, `document.querySelectorAll("script").length + document.querySelectorAll("img, iframe, svg, link, base, [onload], [onerror], a[ping]").length`); n != 1 {
			t.Errorf("%q makes elements: %d", text, n)
		}
		if len(b.requests) != 1 {
			t.Errorf("%q asks for %v", text, b.requests)
		}
	}
	if n := hits.Load(); n > 0 {
		t.Errorf("the server was asked %d times", n)
	}

	// The policy holds by itself: not even a script of the page's own making runs
	// or loads anything.
	ran := eval[bool](b, `new Promise(done => {
		const s = document.createElement("script");
		s.textContent = "window.ran = 1";
		document.body.append(s);
		const i = new Image();
		i.src = "`+server.URL+`";
		i.onload = i.onerror = () => setTimeout(() => done("ran" in window), 100);
	})`)
	if n := hits.Load(); ran || n > 0 {
		t.Errorf("in spite of the policy: runs %v, the server was asked %d times", ran, n)
	}
}
