package mapping

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/expr"
	"github.com/trajmap/trajmap/engine/shape"
)

// outScope is what is particular to a place of the writing half.
type outScope struct {
	on    bool
	view  *OutView // that `it` is; nil when it is something else
	role  string   // of a message, "" when it is not known
	nulls bool     // null may be written
	limit string   // why less can be read here than elsewhere; "" for no limit
	all   []allMember

	silent bool // frames cannot be written
}

// The names that every expression of the writing half sees, by their place in
// expr.Scope.Lets.
const (
	SessionName = iota // the session, from any depth
	OptionsName        // what was asked for
	PrevName           // the frame written last to this file
	CountName          // n: frames written to this file so far
	WrittenName        // written.NAME: an earlier file
	PlaceName          // of paths: the machine; absent until files are installed
	RootName           // of commands: the folder that the files are below
	PromptName         // of `prompt`: what is said next
	ExportName         // of `prepare`: the folder of the export
	writeNames
)

// OutName is a name that expressions of the writing half have.
type OutName struct {
	Name string
	View string // that it is; "" for none
	Seen string // where, in words; "" is everywhere
	Doc  string
	hint string // for whoever uses it elsewhere
}

// OutNames are the names beside `it`, `index` and those under `let`.
func OutNames() []OutName { return slices.Clone(writeWords[:]) }

var writeWords = [writeNames]OutName{
	SessionName: {"session", "session", "", "the session", ""},
	OptionsName: {"options", "options", "everywhere but in `id` and paths", "what was asked for", "what was asked for must not change a session's id"},
	PrevName:    {"prev", "", "under `frames`", "the frame written last to this file, at any depth; null before the first", "only under frames is there a frame before"},
	CountName:   {"n", "", "under `frames`", "how many frames this file has so far", "only under frames are frames counted"},
	WrittenName: {"written", "written", "in files, and in commands", "`written.NAME` is the file of that name, if it was written before", "files know those before them, and commands all"},
	PlaceName:   {"place", "place", "in paths, and in what `let` names for them", "the machine where the files are installed", "only paths, and what let names for them, see the machine"},
	RootName:    {"root", "", "in commands", "the folder that the files are below", "only commands see the folder of the files"},
	PromptName:  {"prompt", "", "under `prompt`", "what is said next", "only the command under prompt has one"},
	ExportName:  {"export", "", "under `prepare`", "the folder of the export", "only the commands under prepare see it"},
}

// readingWords are the names of the other half.
var readingWords = []string{"frame", "doc", "amendment", "file", "files", "line", "ordinal"}

// outScope is the scope of values that see the session, of a shape, as `it`, and
// some of the names.
func (d *decoder) outScope(it string, names ...int) scope {
	s := scope{letKeys: make([]*yaml.Node, writeNames), out: outScope{on: true, view: viewNamed("session")}}
	s.Sure, s.Only = true, []string{"it", "index"}
	s.It = viewShapes[it]
	for _, w := range writeWords {
		let := expr.Let{Name: unsaid, Shape: viewShapes[w.View]}
		switch w.Name {
		case "session":
			let.Shape = s.It
		case "options":
			if d.asked != nil {
				let.Shape = d.asked
			}
		case "n":
			let.Shape = &shape.Shape{Types: shape.Num}
		case "root", "prompt", "export":
			let.Shape = &shape.Shape{Types: shape.Str}
		case "written":
			let.Shape = &shape.Shape{Types: shape.Object}
		}
		s.Lets = append(s.Lets, let)
	}
	d.lets = max(d.lets, len(s.Lets))
	return s.see(names...)
}

// see makes names known below.
func (s scope) see(names ...int) scope {
	s.Lets = slices.Clone(s.Lets)
	for _, i := range names {
		s.Lets[i].Name = writeWords[i].Name
	}
	return s
}

// hide makes a name unknown below.
func (s scope) hide(name int) scope {
	s.Lets = slices.Clone(s.Lets)
	s.Lets[name].Name = unsaid
	return s
}

// after makes files known that were written before.
func (s scope) after(files []*OutFile) scope {
	written := &shape.Shape{Types: shape.Object}
	for _, f := range files {
		if f.Name != "" {
			written.Fields = append(written.Fields, &shape.Field{Name: f.Name, Shape: viewShapes["written"], Required: true})
		}
	}
	s = s.see(WrittenName)
	s.Lets[WrittenName].Shape = written
	return s
}

// json is the scope of templates that become JSON.
func (s scope) json() scope {
	s.out.nulls = true
	return s
}

// limited is the scope of what can read less than others, and why.
func (s scope) limited(why string) scope {
	s.out.limit = why
	return s
}

// isWriteWord reports whether a name is one of the writing half's own.
func isWriteWord(name string) bool {
	return slices.ContainsFunc(writeWords[:], func(w OutName) bool { return w.Name == name })
}

// outEach reads `each`: a part of the view that `it` is, or a list. below is the
// scope of an item.
func (d *decoder) outEach(n *yaml.Node, s scope) (v *Value, below scope) {
	if n == nil {
		return nil, s
	}
	below = s
	below.out.view, below.out.role, below.It = nil, "", nil
	if n.Kind == yaml.ScalarNode {
		if p := s.out.view.part(n.Value, s.out.role); p != nil {
			blind := s
			blind.It = nil
			below.out.view, below.out.role, below.It = viewNamed(p.View), p.Role, viewShapes[p.View]
			if p.Role != "" {
				below.It = d.narrower.narrow(below.It, []string{p.Role})
			}
			return d.value(n, blind), below
		}
	}
	if v = d.value(n, s); v == nil || v.Prog == nil || v.Prog.Shape == nil {
		return v, below
	}
	of := v.Prog.Shape
	switch {
	case of.Types&(shape.Any|shape.List|shape.Object) == 0:
		d.errorf(diag.BadExpression, n, "each goes through a list, and this is %s", inWordsOf(of)).Hint = "use if, or let"
	case of.Types&shape.Any == 0:
		below.It = of
		if of.Types&shape.List != 0 {
			below.It = of.Item
		}
		below.out.view = viewNamed(asView(below.It))
	}
	return v, below
}

// inWordsOf is what a shape is, in a sentence.
func inWordsOf(s *shape.Shape) string {
	switch s.Types &^ shape.Null {
	case shape.Str:
		return "a text"
	case shape.Num:
		return "a number"
	case shape.Bool:
		return "a bool"
	}
	return s.Types.String()
}

// explain says more about a name or field that is unknown than an expression can
// know; before is what stands before it.
func (s scope) explain(i *expr.Issue, before string) {
	word := i.Word
	if word == "" || !s.out.on {
		return
	}
	_, isField := strings.CutSuffix(strings.TrimRight(before, " "), ".")
	if strings.HasSuffix(before, "written.") {
		i.Message = fmt.Sprintf("no file before this one has the name %q", word)
		if names := s.Lets[WrittenName].Shape.Names(); i.Hint == "" && len(names) > 0 {
			i.Hint = "known: " + strings.Join(names, ", ")
		}
		return
	}
	if s.out.limit != "" && (isWriteWord(word) || hasMember("session", word)) {
		i.Message, i.Hint = word+" cannot be read here", s.out.limit
		return
	}
	onView := !isField || s.out.view.part(word, "") != nil || strings.HasSuffix(before, "session.")
	if owners := ownersOf(word); len(owners) > 0 && onView {
		i.Message = "there is no list of " + word + " here that could be looked at as a whole"
		i.Hint = fmt.Sprintf("each: %s goes through them one by one, where it is a %s", word, strings.Join(owners, " or a "))
		return
	}
	if word == "id" && s.It == viewShapes[unnamed] {
		i.Hint = "this makes the id, there is none yet"
		return
	}
	if !isField {
		for _, w := range writeWords {
			if w.Name == word && w.hint != "" && !s.hasLet(word) {
				i.Message, i.Hint = word+" is not known here", w.hint
				return
			}
		}
		if slices.Contains(readingWords, word) {
			i.Hint = "only the half of a mapping that reads has it"
			return
		}
	}
	if strings.HasSuffix(before, "it.") || !isField {
		switch {
		case s.out.view != nil && s.out.view.Name == "message" && s.out.role != "" && hasMember("message", word):
			i.Hint = "a message of the role " + s.out.role + " has none"
		case i.Hint == "" && hasMember("session", word):
			i.Hint = "write session." + word
		}
	}
}

func hasMember(view, name string) bool {
	return slices.ContainsFunc(viewNamed(view).Members, func(m OutMember) bool { return m.Name == name })
}
