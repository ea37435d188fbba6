// Package install puts an export where the program of its harness finds it, or
// makes it ready where it lies.
//
// Nothing that is there is overwritten. Afterwards either the whole session is
// there or nothing of it, whatever happened in between; no other session is
// touched. Only what was made here is taken away again.
package install

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/manifest"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/render"
)

// Export is an export that lies in a folder.
type Export struct {
	Dir      string // absolute
	Manifest *manifest.Manifest
	Mapping  *mapping.Mapping // of its target
}

// Machine is what paths depend on beside the session.
type Machine struct {
	Root    string // the program's home, absolute
	Default bool   // it is where the program looks by itself
	Home    string // of the user
	Temp    string // folder for temporary files
	// AllowUntested: the program may be of a version that nobody tried.
	AllowUntested bool
	// Run runs a program and gives what it prints.
	Run func(ctx context.Context, c *manifest.Command) ([]byte, error)
}

// State says what was found or done.
type State string

// The states of an outcome.
const (
	Installed State = "installed"
	Already   State = "already_installed" // what is there is what would have been put there
	Resumed   State = "resumed_since"     // and it has been gone on with
)

// Outcome is where a session is and how to go on with it.
type Outcome struct {
	State  State
	Files  []string // absolute paths
	Resume *manifest.Command
	Prompt []string
	ACP    []string
}

// A ConflictError is of something else that is there under the session's name.
type ConflictError struct {
	Path string // or what the program calls it
	ID   string
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s: another session is there under the id %s (--copy 1 makes one of another id; nothing was changed)", e.Path, e.ID)
}

// Open reads the manifest of an export. lookup finds the mapping of a harness.
func Open(dir string, lookup func(harness string) (*mapping.Mapping, error)) (*Export, error) {
	data, err := os.ReadFile(filepath.Join(dir, manifest.Name))
	if err != nil {
		return nil, err
	}
	x := &Export{}
	if x.Manifest, err = manifest.Decode(data); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, manifest.Name), err)
	}
	if x.Dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	if x.Mapping, err = lookup(x.Manifest.Target.Harness); err != nil {
		return nil, err
	}
	if x.native() {
		return x, nil
	}
	if x.Mapping.Write == nil || len(x.Mapping.Write.Files) != len(x.Manifest.Files) {
		return nil, fmt.Errorf("the mapping of %s does not write what the manifest lists", x.Mapping.Harness)
	}
	return x, nil
}

// Install puts the session into the program's home.
func (x *Export) Install(ctx context.Context, on Machine) (*Outcome, error) {
	if x.native() {
		return x.restore(ctx, on)
	}
	w, err := x.where(on)
	if err != nil {
		return nil, err
	}
	if err := x.unchanged(); err != nil {
		return nil, err
	}
	if err := x.tested(ctx, on); err != nil {
		return nil, err
	}
	if x.imports() {
		return x.importInto(ctx, on, w)
	}
	outcome := x.outcome(on, w)
	var absent []bundle
	outcome.State, absent, err = x.present(ctx, on, w)
	if err != nil || len(absent) == 0 {
		return outcome, err
	}
	outcome.State = Installed
	return outcome, x.place(ctx, on, w, absent)
}

// Prepare makes the session ready where it lies: the export's folder, or one in
// it, is the program's home. It may be called again.
func (x *Export) Prepare(ctx context.Context, on Machine) (*Outcome, error) {
	if x.native() {
		return x.prepareNative(ctx, on)
	}
	on.Root, on.Default = x.at(x.Mapping.Write.Inside), false
	w, err := x.where(on)
	if err != nil {
		return nil, err
	}
	if err := x.tested(ctx, on); err != nil {
		return nil, err
	}
	if err := x.allow(on); err != nil {
		return nil, err
	}
	outcome := x.outcome(on, w)
	outcome.State = Installed
	for i, f := range x.Manifest.Files {
		if err := x.settle(f, filepath.FromSlash(w.files[i]), on.Root, w.files); err != nil {
			return nil, err
		}
	}
	if err := x.settleStores(ctx, on, w); err != nil {
		return nil, err
	}
	if x.imports() {
		imported, err := x.importInto(ctx, on, w)
		if err != nil {
			return nil, err
		}
		outcome.State = imported.State
	}
	return outcome, nil
}

func (x *Export) imports() bool {
	return slices.ContainsFunc(x.Mapping.Write.Prepare, func(p *mapping.Prepare) bool { return p.Step == mapping.ImportStep })
}

// placeOn is what paths are made of, on a machine.
func (x *Export) placeOn(on Machine) (render.Place, error) {
	m := x.Manifest
	created, err := time.Parse(time.RFC3339, m.Session.CreatedAt)
	if err != nil {
		return render.Place{}, fmt.Errorf("the manifest does not say when the session began: %w", err)
	}
	return render.Place{
		ID: m.Target.SessionID, Cwd: x.placeIn("").Cwd, Title: m.Session.Title, Created: created.UnixMilli(),
		Home: on.Home, Temp: on.Temp,
	}, nil
}

// outcome says how to go on, on this machine.
func (x *Export) outcome(on Machine, w *where) *Outcome {
	o := &Outcome{}
	for _, p := range w.parts {
		o.Files = append(o.Files, on.below(p.path))
	}
	c := x.Manifest.Resume.Isolated
	if on.Default {
		c = x.Manifest.Resume.Installed
	}
	if c != nil {
		o.Resume = x.command(c, on, w)
	}
	o.Prompt = x.here(x.Manifest.Resume.Prompt, on, w)
	o.ACP = x.here(x.Manifest.Resume.ACP, on, w)
	return o
}

// command puts what only this machine knows into a command.
func (x *Export) command(c *manifest.Command, on Machine, w *where) *manifest.Command {
	out := &manifest.Command{Argv: x.here(c.Argv, on, w), Env: map[string]string{}, Cwd: c.Cwd, NeedsModel: c.NeedsModel}
	for name, value := range c.Env {
		out.Env[name] = x.here([]string{value}, on, w)[0]
	}
	return out
}

// here replaces the stand-ins for the root and the export's folder, and the
// paths of files that are elsewhere on this machine.
func (x *Export) here(words []string, on Machine, w *where) []string {
	pairs := []string{render.RootMark + "/..", filepath.Dir(on.Root)}
	for i, f := range x.Manifest.Files {
		pairs = append(pairs,
			render.RootMark+"/"+f.Path, on.below(w.files[i]),
			render.ExportMark+"/"+f.Path, x.at(f.Path))
	}
	replace := strings.NewReplacer(append(pairs, render.RootMark, on.Root, render.ExportMark, x.Dir)...)
	var out []string
	for _, w := range words {
		out = append(out, replace.Replace(w))
	}
	return out
}

// load reads a session of the target; id is "" where there is only one.
func (x *Export) load(ctx context.Context, path, id string) (*convert.Source, error) {
	in, done, err := open(path)
	if err != nil {
		return nil, err
	}
	defer done()
	return convert.Load(ctx, x.Mapping, in, convert.Options{Session: id})
}
