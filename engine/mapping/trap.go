package mapping

import (
	"strings"
	"unicode/utf8"

	"github.com/trajmap/trajmap/engine/diag"
)

// YAML has its own idea of quotes, brackets, commas and colons, and an
// expression that is not quoted may run into it. These are the hints for what
// then looks like a fault of YAML.
const (
	hintQuote   = "YAML ends a text that begins with a quote at the next quote: put the whole expression in the other quotes"
	hintCut     = "inside { } YAML cuts an expression at commas, brackets and braces: put the whole expression in quotes"
	hintTag     = "YAML takes a text that begins with ! for a tag: put the whole expression in quotes"
	hintColon   = "YAML takes \": \" for a key and its value: put the whole expression in quotes"
	hintComment = "YAML takes \" #\" for a comment: put the whole expression in quotes"
	hintStart   = "YAML allows no text to begin with this character: put the whole expression in quotes"
	hintOpen    = "this quote is never closed"
	hintTab     = "YAML allows no tabs for indentation: use spaces"
)

// trap is a place where an expression ran into YAML's syntax.
type trap struct {
	place
	hint string
}

// findTrap looks for the first trap from a line on. It reads the file as a
// person does, by its lines; the YAML parser has given up on it.
func findTrap(report *diag.Reporter, line int) *trap {
	t := trapper{report: report, line: line - 1}
	for t.nextLine() {
		if found := t.blockLine(); found != nil {
			return found
		}
	}
	return nil
}

type trapper struct {
	report *diag.Reporter
	line   int
	text   string // of the line
	at     int    // byte offset in text
	flow   []byte // brackets that are open
}

func (t *trapper) nextLine() bool {
	if t.line >= t.report.Lines() {
		return false
	}
	t.line++
	t.text, t.at = t.report.Line(t.line), 0
	return true
}

func (t *trapper) found(hint string) *trap {
	col := utf8.RuneCountInString(t.text[:t.at]) + 1
	return &trap{place{t.line, col, 1}, hint}
}

func (t *trapper) blanks() {
	for t.at < len(t.text) && (t.text[t.at] == ' ' || t.text[t.at] == '\t') {
		t.at++
	}
}

func (t *trapper) rest() string { return t.text[t.at:] }

// blockLine reads a line outside of brackets.
func (t *trapper) blockLine() *trap {
	for strings.HasPrefix(t.rest(), " ") {
		t.at++
	}
	if strings.HasPrefix(t.rest(), "\t") && strings.TrimSpace(t.text) != "" {
		return t.found(hintTab)
	}
	indent := t.at
	for {
		t.blanks()
		if rest := t.rest(); strings.HasPrefix(rest, "- ") {
			t.at += 2
			continue
		}
		if rest := t.rest(); rest == "" || rest[0] == '#' || rest == "-" {
			return nil
		}
		key, found := t.token()
		if found != nil {
			return found
		}
		if !key {
			return t.tail(indent)
		}
		t.at++ // the colon
	}
}

// tail reads what stands after a value in its line, and the lines of a literal.
func (t *trapper) tail(indent int) *trap {
	if rest := strings.TrimSpace(t.rest()); strings.HasPrefix(rest, "|") || strings.HasPrefix(rest, ">") {
		for t.nextLine() {
			if text := strings.TrimLeft(t.text, " "); text != "" && len(t.text)-len(text) <= indent {
				t.line--
				return nil
			}
		}
	}
	return nil
}

// token reads a key or a value; key says that a colon follows.
func (t *trapper) token() (key bool, found *trap) {
	switch c := t.text[t.at]; c {
	case '"', '\'':
		start := *t
		if !t.quoted(c) {
			return false, start.found(hintOpen)
		}
		t.blanks()
		rest := t.rest()
		switch {
		case t.colon():
			return true, nil
		case rest == "" || rest[0] == '#' || len(t.flow) > 0 && strings.IndexByte(",]}", rest[0]) >= 0:
			return false, nil
		}
		return false, t.found(hintQuote)
	case '{', '[':
		if found := t.brackets(); found != nil {
			return false, found
		}
		t.blanks()
		if rest := t.rest(); rest != "" && rest[0] != '#' && !t.colon() {
			return false, t.found(hintCut)
		}
		return t.colon(), nil
	case '!':
		return false, t.found(hintTag)
	case '@', '`', '%':
		return false, t.found(hintStart)
	case '|', '>':
		if len(t.flow) == 0 {
			return false, nil
		}
	}
	return t.plain()
}

// quoted skips a quoted text, over lines if need be.
func (t *trapper) quoted(quote byte) bool {
	t.at++
	for {
		for t.at < len(t.text) {
			switch {
			case quote == '"' && t.text[t.at] == '\\':
				t.at++
			case t.text[t.at] == quote:
				if quote == '\'' && strings.HasPrefix(t.rest(), "''") {
					t.at++
					break
				}
				t.at++
				return true
			}
			t.at++
		}
		if !t.nextLine() {
			return false
		}
	}
}

func (t *trapper) colon() bool {
	rest := t.rest()
	return strings.HasPrefix(rest, ":") && (len(rest) == 1 || rest[1] == ' ' || rest[1] == '\t')
}

// plain reads a text without quotes.
func (t *trapper) plain() (key bool, found *trap) {
	start := t.at
	for ; t.at < len(t.text); t.at++ {
		switch c := t.text[t.at]; {
		case t.colon():
			if len(t.flow) == 0 && strings.Contains(t.text[start:t.at], " ") && t.afterKey(start) {
				return false, t.found(hintColon)
			}
			return true, nil
		case c == '#' && t.at > start && t.text[t.at-1] == ' ':
			return false, nil
		case len(t.flow) > 0 && (c == '[' || c == '{'):
			return false, t.found(hintCut)
		case len(t.flow) > 0 && (c == ',' || c == ']' || c == '}'):
			return false, nil
		}
	}
	return false, nil
}

// afterKey reports whether a text of this line stands behind a key: a second
// colon then is none.
func (t *trapper) afterKey(start int) bool {
	return strings.HasSuffix(strings.TrimRight(t.text[:start], " "), ":")
}

// brackets reads a list or map in brackets to its end.
func (t *trapper) brackets() *trap {
	t.flow = append(t.flow, t.text[t.at])
	t.at++
	for len(t.flow) > 0 {
		t.blanks()
		rest := t.rest()
		if rest == "" || rest[0] == '#' {
			if !t.nextLine() {
				return nil
			}
			continue
		}
		switch c := rest[0]; c {
		case ',':
			t.at++
		case ':', '?':
			if c == '?' && !strings.HasPrefix(rest, "? ") {
				if _, found := t.plain(); found != nil {
					return found
				}
				continue
			}
			t.at++
		case ']', '}':
			if open := t.flow[len(t.flow)-1]; open != c-2 {
				return t.found(hintCut)
			}
			t.flow = t.flow[:len(t.flow)-1]
			t.at++
		case '{', '[':
			t.flow = append(t.flow, c)
			t.at++
		default:
			if _, found := t.token(); found != nil {
				return found
			}
		}
	}
	return nil
}
