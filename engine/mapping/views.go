package mapping

import (
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/shape"
)

// OutView is an object that the engine makes for expressions of the writing half.
// What is declared here is all that is in it: the checker, the renderer's tests
// and the reference go by this table.
type OutView struct {
	Name    string
	Doc     string
	Members []OutMember
	Parts   []OutPart
}

// OutMember is a member of a view.
type OutMember struct {
	Name     string
	Type     string // str, int, bool, any, [str], or the name of a view
	Of       string // role of the messages that have it; "" is all
	Optional bool   // absent where there is nothing to say
	Doc      string
}

// OutPart is a list that is too long to be made at once: `each` gives its items
// one by one, where `it` is the view, and nothing else can ask for them.
type OutPart struct {
	Name string
	View string // of an item
	Role string // of all items that are messages; "" is any
	Of   string // role of the messages that have it
	Doc  string
}

// roles are those of messages, in the order in which they are explained.
var roles = []string{user, assistant, "system", "observation"}

const user, assistant = "user", "assistant"

// OutViews are the views, in the order in which they are explained.
func OutViews() []OutView { return slices.Clone(views) }

var views = []OutView{
	{"session", "The session, which is `it` at the top of a file and `session` at any depth. All times are whole milliseconds since 1970.", []OutMember{
		{Name: "id", Type: "str", Doc: "its id at the target; not known to `id` itself"},
		{Name: "source", Type: "str", Doc: "the harness that it comes from"},
		{Name: "group", Type: "str", Optional: true, Doc: "its id there"},
		{Name: "seed", Type: "str", Doc: "SHA-256 of its records: what ids are made of"},
		{Name: "title", Type: "str", Optional: true, Doc: "its title, else the beginning of the first prompt; one line, at most 80 characters"},
		{Name: "cwd", Type: "str", Doc: "the folder that it worked in"},
		{Name: "git_branch", Type: "str", Optional: true, Doc: "the branch that was checked out"},
		{Name: "model", Type: "str", Optional: true, Doc: "the model"},
		{Name: "created", Type: "int", Doc: "its first time"},
		{Name: "updated", Type: "int", Doc: "its last time"},
		{Name: "longest", Type: "int", Doc: "bytes of the longest result"},
		{Name: "wordiest", Type: "int", Doc: "bytes, as JSON, of what was said in the longest message"},
		{Name: "size", Type: "int", Doc: "bytes, as JSON, of all that was said, of all arguments and results"},
		{Name: "turn_count", Type: "int", Doc: "how many turns there are"},
		{Name: "message_count", Type: "int", Doc: "how many messages there are"},
		{Name: "call_count", Type: "int", Doc: "how many calls there are"},
		{Name: "first_prompt", Type: "str", Optional: true, Doc: "what the user said first"},
		{Name: "last_prompt", Type: "str", Optional: true, Doc: "what the user said last"},
	}, []OutPart{
		{Name: "messages", View: "message", Doc: "all messages, in order"},
		{Name: "turns", View: "turn", Doc: "what was asked, with all that was done about it"},
		{Name: "calls", View: "call", Doc: "all calls, in order"},
	}},
	{"message", "Something said by the user, or one reply of the model. Messages of the roles `system` and `observation` are notes, which targets have no place for.", []OutMember{
		{Name: "role", Type: "str", Doc: "`user`, `assistant`, `system` or `observation`"},
		{Name: "ordinal", Type: "int", Doc: "its number among users and assistants, from 0"},
		{Name: "sequence", Type: "int", Doc: "its number among users, assistants and results, in the order in which they are written, from 1"},
		{Name: "texts", Type: "[str]", Doc: "what was said, block by block"},
		{Name: "text", Type: "str", Optional: true, Doc: "the same as one text, with blank lines between"},
		{Name: "time", Type: "int", Doc: "its time, later than that of anything before it"},
		{Name: "reasoning", Type: "[str]", Of: assistant, Doc: "what the model thought"},
		{Name: "call_count", Type: "int", Of: assistant, Doc: "how many calls it made"},
		{Name: "model", Type: "str", Of: assistant, Optional: true, Doc: "the model"},
		{Name: "last", Type: "bool", Of: assistant, Doc: "no call follows in its turn"},
		{Name: "end", Type: "int", Of: assistant, Doc: "time of its last result, else its own"},
		{Name: "asked", Type: "int", Of: assistant, Optional: true, Doc: "ordinal of the user message that it answers"},
	}, []OutPart{
		{Name: "calls", View: "call", Of: assistant, Doc: "its calls, in order"},
	}},
	{"turn", "What the user asked, and all that the model did about it.", []OutMember{
		{Name: "text", Type: "str", Optional: true, Doc: "what the user said, all messages as one text"},
		{Name: "final", Type: "str", Optional: true, Doc: "what the model said after its last call"},
		{Name: "complete", Type: "bool", Doc: "every call has a result, and the last word is the model's"},
		{Name: "asked", Type: "int", Optional: true, Doc: "ordinal of its last user message"},
		{Name: "time", Type: "int", Doc: "when it begins"},
		{Name: "end", Type: "int", Doc: "when it ends"},
	}, []OutPart{
		{Name: "users", View: "message", Role: user, Doc: "what the user said; nothing where a session begins with the model"},
		{Name: "steps", View: "message", Role: assistant, Doc: "the model's replies"},
		{Name: "batches", View: "message", Role: assistant, Doc: "the replies with calls, each with the texts of those without calls before it"},
	}},
	{"call", "A tool call, with what it gave.", []OutMember{
		{Name: "id", Type: "str", Doc: "its id as any wire takes it: no other call has it"},
		{Name: "name", Type: "str", Doc: "the tool's name as any wire takes it"},
		{Name: "source_id", Type: "str", Doc: "its id in the source"},
		{Name: "source_name", Type: "str", Doc: "the tool's name in the source"},
		{Name: "args", Type: "any", Doc: "the arguments, an object"},
		{Name: "args_json", Type: "str", Doc: "the arguments as the source has them, byte for byte"},
		{Name: "time", Type: "int", Doc: "its time"},
		{Name: "result", Type: "result", Optional: true, Doc: "what it gave"},
	}, nil},
	{"result", "What a call gave: `it.result` of a call.", []OutMember{
		{Name: "content", Type: "str", Doc: "the text, whole"},
		{Name: "bytes", Type: "int", Doc: "its length in bytes"},
		{Name: "ok", Type: "bool", Optional: true, Doc: "whether the call succeeded; absent when the source does not say"},
		{Name: "time", Type: "int", Doc: "its time"},
		{Name: "order", Type: "int", Doc: "its number among all results in the order in which they came, from 0; -1 for one that was made up"},
		{Name: "sequence", Type: "int", Doc: "its number among users, assistants and results, in the order in which they are written, from 1"},
	}, nil},
	{"options", "`options`: what whoever writes asked for.", []OutMember{
		{Name: "model", Type: "str", Optional: true, Doc: "the model to go on with"},
		{Name: "provider", Type: "str", Optional: true, Doc: "the provider to go on with"},
		{Name: "reasoning", Type: "str", Optional: true, Doc: "`keep` when reasoning is to be written where there is a place for it"},
	}, nil},
	{"written", "`written.NAME`: a file of that name which was written before this one.", []OutMember{
		{Name: "path", Type: "str", Doc: "its path below the export's folder"},
		{Name: "n", Type: "int", Doc: "how many frames it has"},
		{Name: "bytes", Type: "int", Doc: "its size"},
	}, nil},
	{"place", "`place`: the machine on which the files are installed. Only paths see it.", []OutMember{
		{Name: "home", Type: "str", Optional: true, Doc: "the user's home; absent as long as the files are only written"},
		{Name: "temp", Type: "str", Optional: true, Doc: "the folder for temporary files; absent likewise"},
	}, nil},
}

// viewNamed is the view of a name.
func viewNamed(name string) *OutView {
	i := slices.IndexFunc(views, func(v OutView) bool { return v.Name == name })
	if i < 0 {
		return nil
	}
	return &views[i]
}

// OutShape is the shape of a view; nil when there is none of that name. That of
// messages tells them apart by role.
func OutShape(name string) *shape.Shape { return viewShapes[name] }

// viewShapes are the shapes of the views, and of what some places see of the
// session.
var viewShapes = func() map[string]*shape.Shape {
	m := map[string]*shape.Shape{}
	for _, v := range views {
		m[v.Name] = &shape.Shape{Types: shape.Object}
	}
	for _, v := range views {
		v.fill(m[v.Name], m)
	}
	session := m["session"].Fields
	m[unnamed] = &shape.Shape{Types: shape.Object, Fields: slices.DeleteFunc(slices.Clone(session), func(f *shape.Field) bool { return f.Name == "id" })}
	m[placed] = &shape.Shape{Types: shape.Object, Fields: slices.DeleteFunc(slices.Clone(session), func(f *shape.Field) bool { return !slices.Contains(placeFacts, f.Name) })}
	return m
}()

const (
	unnamed = "a session without an id"
	placed  = "a session that is put in its place"
)

// placeFacts are what the paths of files may depend on: whoever installs them
// knows this much of the session.
var placeFacts = []string{"id", "cwd", "created", "title"}

// fill makes the fields of a view's shape.
func (v *OutView) fill(s *shape.Shape, all map[string]*shape.Shape) {
	kinds := map[string]*shape.Shape{}
	if v.Name == "message" {
		s.Switch = &shape.Switch{Path: "role", Names: roles, Kinds: kinds}
		for _, role := range roles {
			kinds[role] = &shape.Shape{Types: shape.Object}
		}
	}
	for _, m := range v.Members {
		f := &shape.Field{Name: m.Name, Required: !m.Optional}
		switch m.Type {
		case "str":
			f.Shape = &shape.Shape{Types: shape.Str}
		case "int":
			f.Shape = &shape.Shape{Types: shape.Num}
		case "bool":
			f.Shape = &shape.Shape{Types: shape.Bool}
		case "[str]":
			f.Shape = &shape.Shape{Types: shape.List, Item: &shape.Shape{Types: shape.Str}}
		case "any":
			f.Shape = &shape.Shape{Types: shape.Object, Open: true}
		default:
			f.Shape = all[m.Type]
		}
		if m.Of != "" {
			kinds[m.Of].Fields = append(kinds[m.Of].Fields, f)
			continue
		}
		s.Fields = append(s.Fields, f)
	}
}

// part is the part of a view that `each` gives under a name, where `it` is one;
// role is that of a message, "" when it is not known.
func (v *OutView) part(name, role string) *OutPart {
	if v == nil {
		return nil
	}
	for i := range v.Parts {
		p := &v.Parts[i]
		if p.Name == name && (p.Of == "" || role == "" || p.Of == role) {
			return p
		}
	}
	return nil
}

// ownersOf are the views that have a part of some name.
func ownersOf(part string) (names []string) {
	for i := range views {
		if views[i].part(part, "") != nil {
			names = append(names, views[i].Name)
		}
	}
	return names
}

// asView is the view whose shape a value has, or whose shapes a list's items
// have; "" for any other.
func asView(s *shape.Shape) string {
	if s == nil {
		return ""
	}
	if s.Types == shape.List {
		s = s.Item
	}
	for name, v := range viewShapes {
		if s == v && !strings.Contains(name, " ") {
			return name
		}
	}
	return ""
}
