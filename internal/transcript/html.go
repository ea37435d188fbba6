package transcript

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"regexp"
	"strings"

	"github.com/trajmap/trajmap/internal/terminal"
)

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	css string
	//go:embed page.js
	script string
)

// page is the template of a page. The browser is told to take only the page's own
// style and script, by their hashes: whatever else looks like one stays a text.
var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"clock": clock, "plain": terminal.Plain,
	"segments": func(s string) []segment { return segments(terminal.Plain(s)) },
	"trim":     func(s string) string { return terminal.Plain(strings.Trim(s, "\n")) },
}).Parse(pageText))

// HTML writes a transcript as a page that needs nothing else.
func (t *Transcript) HTML(w io.Writer) error {
	out := bufio.NewWriter(w)
	err := page.Execute(out, map[string]any{
		"T": t, "Heading": t.heading(), "Details": t.details(),
		"CSS": template.CSS(css), "Script": template.JS(script),
		"Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; style-src '" + hashOf(css) + "'; script-src '" + hashOf(script) + "'",
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// Brief, Pretty and Outcome are a call's for the page.
func (c *Call) Brief() string   { return terminal.Plain(line(c.brief())) }
func (c *Call) Pretty() string  { return terminal.Plain(c.pretty()) }
func (c *Call) Outcome() string { return c.outcome() }

// segment is a piece of a text: words, or code that stood in a fence.
type segment struct {
	Code bool
	Text string
}

var ticks = regexp.MustCompile("`[^`\n]+`")

// Words parts a piece of words at what stands in backticks.
func (s segment) Words() (list []segment) {
	at := 0
	for _, m := range ticks.FindAllStringIndex(s.Text, -1) {
		list = append(list, segment{false, s.Text[at:m[0]]}, segment{true, s.Text[m[0]+1 : m[1]-1]})
		at = m[1]
	}
	return append(list, segment{false, s.Text[at:]})
}

// segments parts a text at its fences.
func segments(text string) []segment {
	var list []segment
	var piece []string
	fence := ""
	end := func(code bool) {
		if s := strings.Trim(strings.Join(piece, "\n"), "\n"); s != "" {
			list = append(list, segment{code, s})
		}
		piece = nil
	}
	for l := range strings.SplitSeq(text, "\n") {
		mark := strings.TrimLeft(l, " ")
		run := len(mark) - len(strings.TrimLeft(mark, "`"))
		switch {
		case fence == "" && run >= 3:
			end(false)
			fence = mark[:run]
		case fence != "" && run >= len(fence) && strings.Trim(mark, "` ") == "":
			end(true)
			fence = ""
		default:
			piece = append(piece, l)
		}
	}
	end(fence != "")
	return list
}
