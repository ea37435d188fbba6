package transcript

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/trajmap/trajmap/internal/terminal"
)

// Terminal is how text is laid out.
type Terminal struct {
	Width int // columns
	Style terminal.Style
	Full  bool // arguments and results whole
}

// shortResult is how many lines of a result are shown when it is not whole.
const shortResult = 4

// Text writes a transcript for a terminal.
func (t *Transcript) Text(w io.Writer, o Terminal) error {
	p := &printer{Writer: bufio.NewWriter(w), Terminal: o}
	p.paragraph("", terminal.Bold, t.heading())
	for _, text := range t.details() {
		p.paragraph("", terminal.Dim, text)
	}
	for _, turn := range t.Turns {
		p.turn(turn)
	}
	return p.Flush()
}

type printer struct {
	*bufio.Writer
	Terminal
}

// paragraph writes a text behind a margin.
func (p *printer) paragraph(margin, look, text string) {
	for _, line := range terminal.Wrap(terminal.Plain(text), p.Width-terminal.Cells(margin)) {
		fmt.Fprintln(p, strings.TrimRight(p.Style.In(look, margin)+p.Style.In(look, line), " "))
	}
}

func (p *printer) turn(turn *Turn) {
	head := fmt.Sprintf("── %d ", turn.Number)
	tail := ""
	if len(turn.Items) > 0 {
		tail = " " + clock(turn.Items[0].Time)
	}
	rule := strings.Repeat("─", max(2, p.Width-terminal.Cells(head)-terminal.Cells(tail)))
	fmt.Fprintf(p, "\n%s\n", p.Style.In(terminal.Dim, head+rule+tail))
	for _, item := range turn.Items {
		p.WriteByte('\n')
		p.item(item)
	}
}

func (p *printer) item(item *Item) {
	text := strings.Trim(item.Text, "\n")
	switch item.Kind {
	case User:
		p.paragraph("▌ ", terminal.Cyan, text)
	case Assistant:
		p.paragraph("  ", "", text)
	case Reasoning:
		p.paragraph("  ┊ ", terminal.Dim, text)
	case Note:
		p.paragraph("  ! ", terminal.Yellow, text)
	case ToolCall:
		p.call(item.Call)
	}
}

func (p *printer) call(c *Call) {
	sign, look := "•", terminal.Dim
	switch c.outcome() {
	case "ok":
		sign, look = "✓", terminal.Green
	case "failed":
		sign, look = "✗", terminal.Red
	case "no result":
		sign, look = "?", terminal.Yellow
	}
	name := terminal.Line(c.Name)
	fmt.Fprintf(p, "  %s %s", p.Style.In(look, sign), p.Style.In(terminal.Bold, name))
	if p.Full {
		p.WriteByte('\n')
		p.paragraph("    ", "", c.pretty())
	} else {
		room := max(p.Width-terminal.Cells(name)-6, 8)
		brief := terminal.Cut(terminal.Line(c.brief()), room)
		if brief != "" {
			brief = "  " + brief
		}
		fmt.Fprintln(p, brief)
	}
	if c.Result == nil {
		p.paragraph("    ", terminal.Yellow, "no result")
		return
	}
	lines := terminal.Wrap(terminal.Plain(strings.Trim(*c.Result, "\n")), p.Width-6)
	if len(lines) == 1 && lines[0] == "" {
		return
	}
	rest := 0
	if !p.Full && len(lines) > shortResult {
		rest = len(lines) - shortResult + 1
		lines = lines[:shortResult-1]
	}
	for _, line := range lines {
		fmt.Fprintln(p, strings.TrimRight(p.Style.In(terminal.Dim, "    │ ")+p.Style.In(terminal.Dim, line), " "))
	}
	if rest > 0 {
		fmt.Fprintln(p, p.Style.In(terminal.Dim, "    │ … "+count(rest, "more line")))
	}
}
