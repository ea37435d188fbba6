package mapping

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/scripts"
)

// The keys of `prepare` by what is done, of which the first ones must be there.
var (
	importKeys = []string{"argv", "show", "undo", "env"}
	storeKeys  = []string{"file", "path"}
)

// prepare reads an item of `prepare`. s is the scope of the files' paths.
func (d *decoder) prepare(n *yaml.Node, s scope, w *Write, lets pathLets) *Prepare {
	o := d.object(n, "prepare")
	if o == nil {
		return nil
	}
	d.exactlyOne(o, "step", "store")
	p := &Prepare{Pos: pos(n), Step: o.text("step"), Store: o.text("store"), File: o.text("file")}
	if o.keyAt("step") != nil && o.keyAt("store") != nil {
		return p
	}
	if o.keyAt("store") != nil {
		p.Step = StoreStep
		d.belongs(o, "store", storeKeys, importKeys)
		p.Path = d.placedPath(o, s, lets)
		d.taken(o, w)
		return p
	}
	if o.keyAt("step") != nil {
		d.belongs(o, "step", importKeys[:2], storeKeys)
	}
	s = s.hide(PlaceName).after(w.Files).see(RootName, ExportName)
	p.Argv, p.Show = d.templateOf(listTemplate, o, "argv", s), d.templateOf(listTemplate, o, "show", s)
	p.Undo, p.Env = d.templateOf(listTemplate, o, "undo", s), d.templateOf(objectTemplate, o, "env", s)
	return p
}

// belongs wants some keys beside one, and refuses others.
func (d *decoder) belongs(o *object, what string, needed, others []string) {
	for _, name := range needed {
		if o.keyAt(name) == nil && !o.anyFaulty(name) {
			d.errorf(diag.MissingKey, o.keyAt(what), "%s needs the key %q: %s", what, name, o.key(name).doc)
		}
	}
	for _, name := range others {
		if key := o.keyAt(name); key != nil {
			d.errorf(diag.Conflict, key, "%s does not belong to %s", name, what)
		}
	}
}

// taken checks that the file which a store is made of is written.
func (d *decoder) taken(o *object, w *Write) {
	n := o.at("file")
	if n == nil {
		return
	}
	var names []string
	for _, f := range w.Files {
		if f.Name == n.Value && f.Script == "" {
			return
		}
		if f.Name != "" && f.Script == "" {
			names = append(names, f.Name)
		}
	}
	f := d.errorf(diag.UnknownField, n, "no file has the name %q", n.Value)
	if near := diag.Nearest(n.Value, names); near != "" {
		f.Hint = "did you mean " + near + "?"
	} else if len(names) > 0 {
		f.Hint = "known: " + strings.Join(names, ", ")
	}
}

// placedPath reads a path below the program's home, which is made again where
// the session is installed.
func (d *decoder) placedPath(o *object, s scope, lets pathLets) *Template {
	path := d.templateOf(wordTemplate, o, "path", s.hide(WrittenName).hide(OptionsName).limited(pathLimit))
	if path != nil {
		d.place(o.at("path"), lets)
	}
	return path
}

// script reads the name of a script that ships with the program.
func (d *decoder) script(o *object) string {
	n := o.at("script")
	if n == nil {
		return ""
	}
	if names := scripts.Names(); !slices.Contains(names, n.Value) {
		f := d.errorf(diag.BadValue, n, "there is no script %q", n.Value)
		f.Hint = "there are " + strings.Join(names, ", ")
		if near := diag.Nearest(n.Value, names); near != "" {
			f.Hint = "did you mean " + near + "?"
		}
	}
	return n.Value
}
