package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/diag"
	"github.com/trajmap/trajmap/engine/manifest"
	"github.com/trajmap/trajmap/engine/render"
	"github.com/trajmap/trajmap/engine/session"
)

// carry are the flags of the commands that carry a session to another harness.
type carry struct {
	Input string `arg:"" help:"A session: HARNESS:ID, latest or latest:HARNESS, a native file or folder, a snapshot, trajectory-v1 records, or - for standard input."`

	To            string   `required:"" placeholder:"HARNESS" help:"Harness that is to go on with the session."`
	From          string   `default:"auto" placeholder:"HARNESS" help:"Harness that the session is of; auto recognises it."`
	Session       string   `placeholder:"ID" aliases:"thread" help:"Which session of an input that holds several."`
	Turns         string   `placeholder:"A-B" help:"Only these turns, from 1."`
	CutTail       bool     `help:"Leave out what follows the last complete turn."`
	FullResults   bool     `help:"Of results that the session has only in part, carry the whole from the files beside it."`
	Allow         []string `placeholder:"CODE" help:"Carry a session that is refused for this reason all the same; several with commas."`
	Reasoning     string   `enum:"omit,keep" default:"omit" placeholder:"WHAT" help:"Reasoning of the model: omit, or keep where the target has a place for it."`
	Option        []string `placeholder:"NAME=VALUE" help:"An option that the target alone has; its page says which."`
	Model         string   `placeholder:"NAME" help:"Model to go on with."`
	Provider      string   `placeholder:"NAME" help:"Provider of that model."`
	Cwd           string   `placeholder:"DIR" help:"Folder to go on in, in place of the session's own."`
	SessionID     string   `placeholder:"ID" help:"Id of the new session, in place of the one that is made of its contents."`
	Copy          int      `placeholder:"N" help:"Make another session of the same contents, the Nth."`
	AllowUntested bool     `help:"Write for a version of the program with which it was not tried."`
	JSON          bool     `help:"Print the manifest."`
}

// options are what the flags ask of a conversion.
func (c *carry) options() (convert.Options, error) {
	o := convert.Options{
		Options: render.Options{
			Model: c.Model, Provider: c.Provider, SessionID: c.SessionID, KeepReasoning: c.Reasoning == "keep",
		},
		Session: c.Session, Cwd: c.Cwd, Allow: c.Allow, CutTail: c.CutTail, FullResults: c.FullResults, AllowUntested: c.AllowUntested,
	}
	if c.Cwd != "" && !convert.IsAbs(c.Cwd) {
		var err error
		if o.Cwd, err = filepath.Abs(c.Cwd); err != nil {
			return o, err
		}
	}
	for _, code := range c.Allow {
		if known := convert.Allowable(); !slices.Contains(known, code) {
			hint := "they are " + strings.Join(known, ", ")
			if near := diag.Nearest(code, known); near != "" {
				hint = "did you mean " + near + "?"
			}
			return o, usagef(hint, "--allow: there is no reason %q that could be allowed", code)
		}
	}
	for _, given := range c.Option {
		name, v, ok := strings.Cut(given, "=")
		if !ok {
			return o, usagef("such as --option name=value", "--option: %q has no value", given)
		}
		if o.Own == nil {
			o.Own = map[string]string{}
		}
		o.Own[strings.ReplaceAll(name, "-", "_")] = v
	}
	if c.Copy < 0 {
		return o, usagef("", "--copy counts from 1")
	}
	if c.Copy > 0 {
		o.Salt = strconv.Itoa(c.Copy)
	}
	if c.SessionID != "" && c.Copy > 0 {
		return o, usagef("give one of them", "--session-id and --copy exclude each other")
	}
	if c.Turns == "" {
		return o, nil
	}
	from, to, ok := strings.Cut(c.Turns, "-")
	if !ok {
		to = from
	}
	a, errA := strconv.Atoi(from)
	b, errB := strconv.Atoi(to)
	if errA != nil || errB != nil || a < 1 || b < a {
		return o, usagef("such as 3-7, or 3 alone", "--turns: %q is no range of turns", c.Turns)
	}
	o.Turns = &session.Range{From: a, To: b}
	return o, nil
}

// write carries the input over into a folder that is there and empty.
func (c *carry) write(ctx context.Context, w *World, dir string) (*convert.Result, *manifest.Manifest, error) {
	o, err := c.options()
	if err != nil {
		return nil, nil, err
	}
	catalog, err := w.catalog()
	if err != nil {
		return nil, nil, err
	}
	to, err := catalog.Open(c.To)
	if err != nil {
		return nil, nil, err
	}
	pick, err := w.picker(c.From)
	if err != nil {
		return nil, nil, err
	}
	t, err := w.one(ctx, c.Input)
	if err != nil {
		return nil, nil, err
	}
	t.active = true
	from, err := pick.open(ctx, &t)
	if err != nil {
		return nil, nil, err
	}
	defer from.close()
	native := from.snap != nil && from.m.Harness == to.Harness && c.plain()
	if to.Write == nil && !native {
		return nil, nil, usagef("trajmap can write "+strings.Join(writable(catalog), ", "), "sessions of %s are only read", to.Harness)
	}
	o.Session = cmp.Or(t.session, o.Session)
	source, err := from.load(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	r := &convert.Result{Source: source, Target: to.Mapping, Options: o}
	var m *manifest.Manifest
	if from.snap != nil {
		source.Snapshot = from.snap.ID
	}
	if native {
		m, err = from.snap.Restore(to.Mapping, source, dir)
	} else if r, err = convert.Write(ctx, source, to.Mapping, o, dir); err == nil {
		m = r.Manifest()
	}
	if err != nil {
		return r, nil, err
	}
	data, err := m.Encode()
	if err != nil {
		return r, nil, err
	}
	return r, m, os.WriteFile(filepath.Join(dir, manifest.Name), data, 0o600)
}

// plain reports whether nothing is asked for that would make another session of a
// session of the same harness.
func (c *carry) plain() bool {
	return c.Session == "" && len(c.Option) == 0 && c.Turns == "" && !c.CutTail && len(c.Allow) == 0 && c.Reasoning == "omit" && !c.FullResults &&
		c.Model == "" && c.Provider == "" && c.Cwd == "" && c.SessionID == "" && c.Copy == 0
}

// writable are the names of the mappings that can write.
func writable(c *engine.Catalog) []string {
	var names []string
	for _, e := range c.Entries() {
		if m, err := e.Open(); err == nil && m.Write != nil {
			names = append(names, e.Name)
		}
	}
	return names
}

// failed tells why a session was not carried over. A refusal is data, where data
// was asked for.
func (c *carry) failed(w *World, r *convert.Result, err error) error {
	if _, refused := err.(*convert.Refusal); refused && c.JSON {
		e := json.NewEncoder(w.Stdout)
		e.SetEscapeHTML(false)
		if err := e.Encode(map[string]any{"kind": "trajmap-refusal", "version": 1, "findings": r.Findings}); err != nil {
			return &outputError{err}
		}
	}
	return &placed{c.Input, err}
}

// notes tells what was noticed on the way.
func (c *carry) notes(w *World, m *manifest.Manifest) {
	for _, d := range m.Diagnostics {
		line := c.Input
		if _, err := os.Lstat(c.Input); d.FirstLine > 0 && err == nil {
			line += ":" + strconv.Itoa(d.FirstLine)
		} else if d.FirstLine > 0 { // a reference, which a number would make another one
			line += ", line " + strconv.Itoa(d.FirstLine)
		}
		line += ": " + d.Code + ": " + convert.Describe(d.Code)
		if d.Count > 1 {
			line += " (" + group(d.Count) + " times)"
		}
		fmt.Fprintln(w.Stderr, line)
	}
}

// print writes a manifest as data.
func printManifest(w io.Writer, m *manifest.Manifest) error {
	data, err := m.Encode()
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return &outputError{err}
	}
	return nil
}
