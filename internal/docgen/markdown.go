package docgen

import (
	"fmt"
	"regexp"
	"strings"
)

// doc is a Markdown text that grows.
type doc struct{ strings.Builder }

func (d *doc) printf(format string, args ...any) { fmt.Fprintf(d, format, args...) }

// para adds a paragraph; "" adds nothing.
func (d *doc) para(text string) {
	if text = strings.TrimSpace(text); text != "" {
		d.printf("%s\n\n", text)
	}
}

// heading adds a heading.
func (d *doc) heading(level int, text string) {
	d.printf("%s %s\n\n", strings.Repeat("#", level), text)
}

// list adds a list; of no items nothing.
func (d *doc) list(items []string) {
	for _, item := range items {
		d.printf("- %s\n", item)
	}
	if len(items) > 0 {
		d.printf("\n")
	}
}

// table adds a table; of no rows nothing. A column in which nothing stands is
// left out.
func (d *doc) table(head []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	var used []int
	for i := range head {
		for _, row := range rows {
			if row[i] != "" {
				used = append(used, i)
				break
			}
		}
	}
	line := func(cells []string) {
		d.printf("|")
		for _, i := range used {
			d.printf(" %s |", cell(cells[i]))
		}
		d.printf("\n")
	}
	line(head)
	d.printf("|%s\n", strings.Repeat(" --- |", len(used)))
	for _, row := range rows {
		line(row)
	}
	d.printf("\n")
}

// cell is a text on one line, in which a bar is no end.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}

// code is a text in code's type, on one line.
func code(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if !strings.Contains(text, "`") {
		if text == "" {
			return "(none)"
		}
		return "`" + text + "`"
	}
	return "`` " + text + " ``"
}

// codes are several texts in code's type.
func codes(list []string) string {
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = code(text)
	}
	return strings.Join(out, ", ")
}

// prose is an author's text as Markdown: what looks like a tag is none.
func prose(text string) string {
	parts := strings.Split(text, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = strings.ReplaceAll(parts[i], "<", "&lt;")
	}
	return strings.Join(parts, "`")
}

// sentences joins texts, each ended by a full stop.
func sentences(texts ...string) string {
	var out []string
	for _, text := range texts {
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		if !strings.ContainsAny(text[len(text)-1:], ".:!?") {
			text += "."
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// article puts a or an before a text in code's type.
func article(text string) string {
	if strings.ContainsAny(strings.TrimLeft(text, "`")[:1], "aeio") {
		return "an " + text
	}
	return "a " + text
}

// capital makes the first letter of a text a capital one, if it is a letter.
func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

var notInAnchors = regexp.MustCompile(`[^a-z0-9 _-]+`)

// anchor is the link to a heading, as GitHub makes it.
func anchor(heading string) string {
	text := notInAnchors.ReplaceAllString(strings.ToLower(heading), "")
	return "#" + strings.ReplaceAll(text, " ", "-")
}

// count is a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// flow joins the lines of each paragraph of a text.
func flow(text string) string {
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = strings.Join(strings.Fields(p), " ")
	}
	return strings.Join(paragraphs, "\n\n")
}
