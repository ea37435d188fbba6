package convert

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/trajmap/trajmap/engine/manifest"
	"github.com/trajmap/trajmap/engine/render"
)

// Manifest describes what was written. The result must be one of a [Write]
// without an error.
func (r *Result) Manifest() *manifest.Manifest {
	s, to, o := r.Session, r.Target, r.Options
	m := &manifest.Manifest{
		Kind: manifest.Kind, Version: manifest.Version,
		Source: manifest.Source{Harness: s.Source, SessionID: s.Group, SnapshotID: r.Snapshot, RecordsSHA256: s.Seed},
		Target: manifest.Target{
			Harness: to.Harness, SessionID: r.Export.ID, MappingSHA256: to.SHA256, Home: to.Write.Home.Places,
		},
		Session: manifest.Session{
			Cwd: s.Cwd, Title: s.Title, Model: o.Model, Provider: o.Provider,
			CreatedAt: time.UnixMilli(s.Created).UTC().Format("2006-01-02T15:04:05.000Z"),
		},
		Options: manifest.Options{
			View: manifest.Active, Reasoning: "omit", Allow: append([]string{}, o.Allow...), CutTail: o.CutTail,
			FullResults: o.FullResults,
		},
		Diagnostics: r.Diagnostics(),
		Loss:        r.Loss,
		IDs:         manifest.IDs{Rewritten: map[string]string{}},
	}
	slices.Sort(m.Options.Allow)
	m.Options.Allow = slices.Compact(m.Options.Allow)
	if o.KeepReasoning {
		m.Options.Reasoning = "keep"
	}
	m.Options.Own = o.Own
	if t := o.Turns; t != nil {
		m.Options.Turns = fmt.Sprintf("%d-%d", t.From, t.To)
	}
	if p := to.Write.Pin; p != nil {
		m.Target.Pin = &manifest.Pin{Program: p.Program, Tested: append([]string{}, p.Tested...), Range: p.Range, Strict: p.Strict, UntestedAllowed: o.AllowUntested}
	}
	imported, placed := false, false
	for _, step := range r.Steps {
		if step.Store != "" {
			m.Prepare = append(m.Prepare, manifest.Step{
				Step: step.Step, Handler: step.Store, File: step.File, Path: step.Path,
				Verify: "the store is read back and compared with the file",
			})
			continue
		}
		imported = true
		m.Prepare = append(m.Prepare, manifest.Step{
			Step: step.Step, Argv: step.Argv, Show: step.Show, Undo: step.Undo, Cwd: s.Cwd, Env: step.Env,
			Verify: "what the program shows is compared with what was written",
		})
	}
	for i, f := range r.Export.Files {
		file := manifest.File{Path: f.Path, SHA256: f.SHA256, Bytes: f.Size, Mode: "0600"}
		if to.Write.Placed(to.Write.Files[i]) {
			file.Install = &manifest.Install{Root: to.Write.Home.Places[0], Path: f.Path, Rewrite: f.Rewrite}
			placed = !imported
		}
		m.Files = append(m.Files, file)
	}
	if placed {
		m.Prepare = append(m.Prepare, manifest.Step{Step: "place", Verify: "each file is read back and its SHA-256 compared"})
	}
	if c := r.Resume; c != nil {
		m.Resume = ResumeOf(c)
	}
	for _, c := range s.Calls {
		if c.ID != c.SourceID {
			m.IDs.Rewritten[c.SourceID] = c.ID
		}
	}
	return m
}

// ResumeOf gives the two ways to go on: in the program's own home, where no
// variable is needed to find it, and with the export as its home.
func ResumeOf(c *render.Resume) manifest.Resume {
	isolated := maps.Clone(c.Env)
	maps.Copy(isolated, c.Home)
	return manifest.Resume{
		Installed: &manifest.Command{Argv: c.Argv, Env: c.Env, Cwd: c.Cwd, NeedsModel: c.NeedsModel},
		Isolated:  &manifest.Command{Argv: c.Argv, Env: isolated, Cwd: c.Cwd, NeedsModel: c.NeedsModel},
		Prompt:    c.Prompt,
		ACP:       c.ACP,
	}
}

// Diagnostics are what was noticed and carried or dropped: the hazards that
// passed the gate, what the shared passes changed, and what has no place at the
// target.
func (r *Result) Diagnostics() []manifest.Diagnostic {
	list := []manifest.Diagnostic{}
	for _, f := range r.Findings {
		d := manifest.Diagnostic{Code: f.Code, Count: f.Count, Kinds: f.Kinds}
		if len(f.Lines) > 0 {
			d.FirstLine = f.Lines[0]
		}
		list = append(list, d)
	}
	for _, p := range r.Session.Passes {
		list = append(list, manifest.Diagnostic{Code: p.Code, Count: p.Count, FirstRecord: p.First})
	}
	if r.Target.Write.Unverified {
		list = append(list, manifest.Diagnostic{Code: ContinuationUnverified, Count: 1})
	}
	if r.Parted {
		list = append(list, manifest.Diagnostic{Code: CallsParted, Count: 1})
	}
	if r.Reencoded > 0 {
		list = append(list, manifest.Diagnostic{Code: ArgumentsReencoded, Count: r.Reencoded})
	}
	for _, k := range kinds {
		l := r.Loss[k.name]
		if l == nil {
			continue
		}
		for _, reason := range slices.Sorted(maps.Keys(l.Dropped)) {
			d := manifest.Diagnostic{Code: reason, Count: l.Dropped[reason]}
			if reason == untranslated[k.kind] {
				d.FirstRecord = r.Session.First[k.kind]
			}
			list = append(list, d)
		}
		if l.Joined > 0 {
			list = append(list, manifest.Diagnostic{Code: "texts_joined", Count: l.Joined})
		}
		if l.StatusAssumed > 0 {
			list = append(list, manifest.Diagnostic{Code: "result_status_assumed", Count: l.StatusAssumed})
		}
		if l.StatusLost > 0 {
			list = append(list, manifest.Diagnostic{Code: "result_status_lost", Count: l.StatusLost})
		}
	}
	return merged(list)
}

// merged adds up diagnostics of one code, in the order of their codes.
func merged(list []manifest.Diagnostic) []manifest.Diagnostic {
	slices.SortStableFunc(list, func(a, b manifest.Diagnostic) int { return cmp.Compare(a.Code, b.Code) })
	out := list[:0]
	for _, d := range list {
		if n := len(out); n > 0 && out[n-1].Code == d.Code {
			out[n-1].Count += d.Count
			continue
		}
		out = append(out, d)
	}
	return out
}
