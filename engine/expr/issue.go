package expr

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/operators"
)

// An Issue is a fault of an expression that is found without running it.
type Issue struct {
	Line, Col int // 1-based, within the source; Col counts code points
	Len       int // code points at fault, at least 1
	Message   string
	Hint      string // what to do; "" when there is nothing to say
	Word      string // the name or field that is unknown; "" for any other fault
}

// issues collects the issues of one source, by byte offsets.
type issues struct {
	src  string
	list []Issue
}

func (is *issues) add(at, size int, message, hint string) {
	at = min(at, len(is.src))
	end := min(at+size, len(is.src))
	before := is.src[:at]
	lineStart := strings.LastIndexByte(before, '\n') + 1
	is.list = append(is.list, Issue{
		Line:    strings.Count(before, "\n") + 1,
		Col:     utf8.RuneCountInString(before[lineStart:]) + 1,
		Len:     max(1, utf8.RuneCountInString(is.src[at:end])),
		Message: message,
		Hint:    hint,
	})
}

func (is *issues) at(n *node, message, hint string) { is.add(n.at, n.atLen, message, hint) }

// unknown adds an issue about a name or field that does not exist.
func (is *issues) unknown(n *node, word, message, hint string) {
	is.at(n, message, hint)
	is.list[len(is.list)-1].Word = word
}

// sorted gives the issues in the order of their places.
func (is *issues) sorted() []Issue {
	slices.SortStableFunc(is.list, func(a, b Issue) int {
		return cmp.Or(a.Line-b.Line, a.Col-b.Col)
	})
	return is.list
}

// fromCEL adds what cel-go has found.
func (is *issues) fromCEL(e *cel.Error) {
	line, col := e.Location.Line(), e.Location.Column()+1
	message, hint := plainer(e.Message)
	is.list = append(is.list, Issue{Line: max(1, line), Col: max(1, col), Len: 1, Message: message, Hint: hint})
}

var (
	noOverload = regexp.MustCompile(`^found no matching overload for '(.*)' applied to '(.*?)\.?\((.*)\)'$`)
	dynWord    = regexp.MustCompile(`\bdyn\b`)
)

// plainer is a message of cel-go in the words of a mapping's author.
func plainer(msg string) (message, hint string) {
	m := noOverload.FindStringSubmatch(dynWord.ReplaceAllString(msg, dynType.String()))
	if m == nil {
		return msg, ""
	}
	what, of, args := strings.Trim(m[1], "_"), m[2], m[3]
	switch {
	case m[1] == operators.Conditional:
		_, types, _ := strings.Cut(args, ", ")
		return "the two values of ? : are of different types, (" + types + ")", "write dyn(…) around one of them if that is meant"
	case of != "":
		what += " of a " + of
	}
	return what + " cannot take (" + args + ")", ""
}
