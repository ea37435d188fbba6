package mapping

import (
	"slices"

	"github.com/trajmap/trajmap/engine/expr"
)

// Write says how a session becomes native files.
type Write struct {
	Pos  Pos
	Home *Root  // folder that the files' paths are below
	ID   *Value // of the session at the target
	// IDForm is a regular expression that all ids match; "" for any id.
	IDForm string
	// Accepts are the options that are honoured, in groups that are taken together.
	Accepts [][]string
	Options []*OutOption
	Gate    map[string]string
	Pin     *Pin
	Prepare []*Prepare
	// Also are further folders below Home where sessions of the harness are.
	Also []string
	// Inside is the folder of an export that is Home when it is used where it lies;
	// "" for the export itself.
	Inside string
	// RealCwd: paths are made of the session's folder with its links resolved.
	RealCwd bool
	// Doubles: the program keeps numbers in arguments as doubles.
	Doubles bool
	// Unverified: nobody has seen that the program's model gets what is written.
	Unverified bool
	Lets       []*Let
	Before     []*OutStep // they only note hazards
	Files      []*OutFile
	Words      map[string]bool // all words of the expressions here and in Resume

	// Places are where the programs of both stand, for what fails when it runs.
	Places map[*expr.Program]Pos
}

// OutOption is something that may be asked of one target alone.
type OutOption struct {
	Pos    Pos
	Name   string
	Values []string // the first one is meant when nothing is asked
	Doc    string
}

// Pin says with which versions of the program what is written was tried.
type Pin struct {
	Program string
	Tested  []string
	Range   string // as written; "" for any
	Within  Versions
	Strict  bool     // versions outside of the range are refused
	Argv    []string // prints the version
}

// Prepare is something that is done with the files before the program finds the
// session: its own command takes them in, or a handler writes its store. The
// commands see what `resume` sees.
type Prepare struct {
	Pos  Pos
	Step string // ImportStep or StoreStep
	Argv *Template
	Show *Template // prints the session in a form that this mapping reads
	Undo *Template
	Env  *Template

	Store string    // the handler that writes a store
	File  string    // name of the file that it takes
	Path  *Template // of the store, below Home
}

// What is done with the files.
const (
	ImportStep = "import"
	StoreStep  = "store"
)

// Placed reports whether a file is put below the program's home as it is: it is
// neither for people nor for a handler that writes a store.
func (w *Write) Placed(f *OutFile) bool {
	return f.Script == "" && !slices.ContainsFunc(w.Prepare, func(p *Prepare) bool { return p.Store != "" && p.File == f.Name })
}

// OutFile is a file that is written. It has Frames, a Document, a Text or a Script.
type OutFile struct {
	Pos      Pos
	Name     string
	Path     *Template
	Lets     []*Let
	Rewrite  []string // dotted paths of strings that get the real root in front
	Kept     string   // name beside it under which the program keeps it when it goes on in another form
	Frames   []*OutStep
	Document *Template
	Text     *Template
	Script   string // name in package scripts
	Encode   string // the handler that makes the bytes of Frames or Document; "" for JSON
}

// OutStep is a step that writes frames. Of the steps of a block each place that
// uses it has its own, under Do.
type OutStep struct {
	Pos   Pos
	Lets  []*Let
	If    *Value
	All   []*TemplateMember // members of every frame below, before its own
	Frame *Template
	With  *Value // null: nothing is done
	Each  *Value
	Do    []*OutStep
	Kind  *Value
	Table map[string][]*OutStep
	// Hazard is a code that is noted; Verdict is "" or stricter than the general one.
	Hazard, Verdict string
	// Ignored kinds write nothing; a kind that is neither here nor in Table fails.
	Ignored map[string]bool
}

// Resume says how the harness goes on with a written session.
type Resume struct {
	Pos        Pos
	Lets       []*Let
	Cwd        *Template
	Env        *Template // always
	Home       *Template // variables that make the root the program's home
	Argv       *Template
	Prompt     *Template
	ACP        *Template
	NeedsModel *Value
}

// Template is JSON with expressions in it.
type Template struct {
	Pos     Pos
	Raw     []byte // a constant, as JSON
	Value   *Value // an expression
	Members []*TemplateMember
	Object  bool
	Items   []*Template
	List    bool
	Form    *Form
}

// TemplateMember is a member of an object in a template.
type TemplateMember struct {
	Name string
	*Template
}

// Form is a template that depends on the session: left out, repeated, or chosen
// by kind.
type Form struct {
	Lets    []*Let
	If      *Value
	Each    *Value
	Give    *Template
	Kind    *Value
	Rules   map[string]*Template
	Ignored map[string]bool
}
