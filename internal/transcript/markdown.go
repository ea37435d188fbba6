package transcript

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/trajmap/trajmap/internal/terminal"
)

// Markdown writes a transcript in Markdown. What the user said and thoughts are
// quotations, what calls took and gave stands in fences; what the model said is
// taken for the Markdown that it mostly is.
func (t *Transcript) Markdown(w io.Writer, full bool) error {
	out := bufio.NewWriter(w)
	// It is printed on terminals as often as it is rendered.
	fmt.Fprintf(out, "# %s\n\n", escape(terminal.Line(t.heading())))
	for _, text := range t.details() {
		fmt.Fprintf(out, "- %s\n", escape(terminal.Line(text)))
	}
	for _, turn := range t.Turns {
		fmt.Fprintf(out, "\n## %d\n", turn.Number)
		for _, item := range turn.Items {
			fmt.Fprintln(out)
			markdownItem(out, item, full)
		}
	}
	return out.Flush()
}

func markdownItem(w io.Writer, item *Item, full bool) {
	text := terminal.Plain(strings.Trim(item.Text, "\n"))
	switch item.Kind {
	case User:
		fmt.Fprintf(w, "**User**, %s\n\n%s\n", clock(item.Time), quoted(text))
	case Assistant:
		fmt.Fprint(w, "**Assistant**\n")
		for _, s := range segments(text) {
			if s.Code {
				s.Text = fenced("", s.Text)
			} else {
				s.Text = strings.ReplaceAll(s.Text, "<", "&lt;")
			}
			fmt.Fprintf(w, "\n%s\n", s.Text)
		}
	case Reasoning:
		fmt.Fprintf(w, "**Reasoning**\n\n%s\n", quoted(text))
	case Note:
		fmt.Fprintf(w, "**Note**\n\n%s\n", quoted(text))
	case ToolCall:
		c := item.Call
		outcome := ""
		if word := c.outcome(); word != "" {
			outcome = ": " + word
		}
		fmt.Fprintf(w, "**Call** %s%s\n\n%s\n", inline(terminal.Line(c.Name)), outcome, fenced("json", terminal.Plain(c.pretty())))
		if c.Result != nil && strings.TrimSpace(*c.Result) != "" {
			fmt.Fprintf(w, "\n%s\n", fenced("", shortened(terminal.Plain(strings.Trim(*c.Result, "\n")), full)))
		}
	}
}

// markdownLines is how many lines of a result are shown when it is not whole.
const markdownLines = 20

func shortened(text string, full bool) string {
	lines := strings.Split(text, "\n")
	if full || len(lines) <= markdownLines {
		return text
	}
	rest := len(lines) - markdownLines + 1
	return strings.Join(lines[:markdownLines-1], "\n") + "\n… " + count(rest, "more line")
}

// escape takes their meaning from the characters that have one in Markdown.
func escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_{}[]<>#|!~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// quoted is a quotation of a text as it is.
func quoted(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight("> "+escape(l), " ")
		if i < len(lines)-1 && l != "" && lines[i+1] != "" {
			lines[i] += "\\" // a line break
		}
	}
	return strings.Join(lines, "\n")
}

// fenced is a block of code, in a fence that the code does not have.
func fenced(language, code string) string {
	fence := strings.Repeat("`", max(3, longestRun(code)+1))
	return fence + language + "\n" + code + "\n" + fence
}

// inline is a piece of code in a line.
func inline(code string) string {
	code = line(code)
	fence := strings.Repeat("`", longestRun(code)+1)
	if strings.HasPrefix(code, "`") || strings.HasSuffix(code, "`") {
		code = " " + code + " "
	}
	return fence + code + fence
}

// longestRun is how many backticks stand together at most.
func longestRun(text string) int {
	longest, run := 0, 0
	for _, c := range []byte(text) {
		if c != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
