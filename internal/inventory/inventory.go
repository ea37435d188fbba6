// Package inventory says what is supported of each harness, and what was proven:
// from the mappings, the golden cases and the recorded evidence, and from nothing
// else. It is recorded in a file of the project, so that a change of any of them
// shows in that file, too.
package inventory

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/docs/evidence"
	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/mapping"
)

// File is where the inventory is recorded, below the project's folder.
const File = "docs/inventory.json"

// Inventory is the whole, by name.
type Inventory struct {
	Harnesses []*Harness `json:"harnesses"`
}

// Harness is what is supported of one.
type Harness struct {
	Name    string   `json:"name"`
	Title   string   `json:"title,omitempty"`
	Mapping string   `json:"mapping"` // SHA-256 of its file
	Reads   []Format `json:"reads"`
	Lists   bool     `json:"lists"`
	Writes  *Target  `json:"writes,omitempty"`
	Proven  *Proof   `json:"proven,omitempty"`
	Cases   *Cases   `json:"cases,omitempty"` // of the project; not known elsewhere
}

// Format is a generation or storage form.
type Format struct {
	Name     string `json:"name"`
	Versions string `json:"versions,omitempty"` // ">=0.39", where the mapping says it
	Refused  bool   `json:"refused,omitempty"`  // known, and not read
}

// Target is a program for which sessions are written.
type Target struct {
	Program string   `json:"program,omitempty"`
	Tested  []string `json:"tested"` // versions
	Range   string   `json:"range,omitempty"`
}

// Proof is what the program was seen to do with written sessions.
type Proof struct {
	Version  string `json:"version"`
	Date     string `json:"date"`
	Sessions int    `json:"sessions"`
	Proven   int    `json:"proven"`           // loaded and continued
	Sources  int    `json:"sources"`          // harnesses that they came from
	Loaded   int    `json:"loaded,omitempty"` // of those that could not be continued without a vendor's service
	// Handoff is the command whose session the program went on with as a user has
	// it do; absent when that is not proven.
	Handoff  string `json:"handoff,omitempty"`
	Evidence string `json:"evidence"` // SHA-256 of what is recorded
}

// Cases are the golden cases of a mapping.
type Cases struct {
	Count  int    `json:"count"`
	SHA256 string `json:"sha256"` // of the names and contents of all their files
}

// Of makes the inventory of some mappings. Project is the folder of trajmap's
// source; nil when there is none, then the evidence is that of this program.
func Of(mappings []*engine.Mapping, project fs.FS) (*Inventory, error) {
	inv := &Inventory{Harnesses: []*Harness{}}
	for _, m := range mappings {
		h, err := harness(m, project)
		if err != nil {
			return nil, err
		}
		inv.Harnesses = append(inv.Harnesses, h)
	}
	slices.SortFunc(inv.Harnesses, func(a, b *Harness) int { return strings.Compare(a.Name, b.Name) })
	return inv, nil
}

func harness(m *engine.Mapping, project fs.FS) (*Harness, error) {
	h := &Harness{Name: m.Harness, Title: m.Title, Mapping: m.SHA256, Reads: []Format{}, Lists: len(m.Stores) > 0}
	for _, f := range m.Formats {
		h.Reads = append(h.Reads, Format{Name: f.Name, Versions: rangeOf(f.Versions), Refused: f.Refuse != ""})
	}
	if m.Write != nil {
		h.Writes = &Target{Tested: []string{}}
		if p := m.Write.Pin; p != nil {
			h.Writes.Program, h.Writes.Range = p.Program, p.Range
			h.Writes.Tested = append(h.Writes.Tested, p.Tested...)
		}
	}
	seen, err := evidenceOf(m.Harness, project)
	if err != nil {
		return nil, err
	}
	if seen != nil {
		h.Proven = proofOf(seen)
	}
	if project != nil {
		if h.Cases, err = casesOf(m.Harness, project); err != nil {
			return nil, err
		}
	}
	return h, nil
}

func rangeOf(v mapping.Versions) string {
	var parts []string
	if v.Since != "" {
		parts = append(parts, ">="+v.Since)
	}
	if v.Until != "" {
		sign := "<="
		if v.Below {
			sign = "<"
		}
		parts = append(parts, sign+v.Until)
	}
	return strings.Join(parts, " ")
}

func evidenceOf(name string, project fs.FS) (*evidence.Program, error) {
	if project == nil {
		return evidence.Of(name)
	}
	data, err := fs.ReadFile(project, "docs/evidence/"+name+".json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p := &evidence.Program{}
	if err := json.Unmarshal(data, p); err != nil {
		return nil, fmt.Errorf("docs/evidence/%s.json: %w", name, err)
	}
	return p, nil
}

func proofOf(p *evidence.Program) *Proof {
	proof := &Proof{Version: p.Version, Date: p.Date, Sessions: len(p.Sessions)}
	sources := map[string]bool{}
	for _, s := range p.Sessions {
		if s.Load == evidence.Proven && s.Continue == evidence.Proven {
			proof.Proven++
			sources[s.Source] = true
		}
		if s.Load == evidence.Proven && s.Continue == evidence.Untried {
			proof.Loaded++
		}
	}
	if h := p.Handoff; h != nil && h.Verdict == evidence.Proven {
		proof.Handoff = h.Command
	}
	proof.Sources = len(sources)
	data, _ := json.Marshal(p) // texts alone: it cannot fail
	sum := sha256.Sum256(data)
	proof.Evidence = hex.EncodeToString(sum[:])
	return proof
}

// casesOf looks at the golden cases of a mapping; nil when it has none.
func casesOf(name string, project fs.FS) (*Cases, error) {
	dir := path.Join("testdata", name)
	list, err := fs.ReadDir(project, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c := &Cases{}
	for _, e := range list {
		if e.IsDir() {
			c.Count++
		}
	}
	sum := sha256.New()
	err = fs.WalkDir(project, dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := fs.ReadFile(project, name)
		if err != nil {
			return err
		}
		one := sha256.Sum256(data)
		fmt.Fprintf(sum, "%s %x\n", name, one)
		return nil
	})
	c.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return c, err
}

// JSON writes the inventory as an indented JSON object.
func (inv *Inventory) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(inv)
}

// Parse reads an inventory that was recorded.
func Parse(data []byte) (*Inventory, error) {
	inv := &Inventory{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(inv); err != nil {
		return nil, err
	}
	return inv, nil
}

// Differences says in words where a recorded inventory is not this one.
func (inv *Inventory) Differences(recorded *Inventory) []string {
	var list []string
	old := map[string]*Harness{}
	for _, h := range recorded.Harnesses {
		old[h.Name] = h
	}
	for _, h := range inv.Harnesses {
		o := old[h.Name]
		delete(old, h.Name)
		if o == nil {
			list = append(list, h.Name+": is not recorded")
			continue
		}
		var what []string
		for _, part := range []struct {
			name     string
			now, was any
		}{
			{"the mapping", []any{h.Title, h.Mapping, h.Reads, h.Lists, h.Writes}, []any{o.Title, o.Mapping, o.Reads, o.Lists, o.Writes}},
			{"the golden cases", h.Cases, o.Cases},
			{"the evidence", h.Proven, o.Proven},
		} {
			if !equal(part.now, part.was) {
				what = append(what, part.name)
			}
		}
		if len(what) > 0 {
			list = append(list, h.Name+": changed since: "+strings.Join(what, ", "))
		}
	}
	for _, h := range recorded.Harnesses {
		if old[h.Name] != nil {
			list = append(list, h.Name+": is recorded, and no more there")
		}
	}
	return list
}

func equal(a, b any) bool {
	x, errA := json.Marshal(a)
	y, errB := json.Marshal(b)
	return errA == nil && errB == nil && bytes.Equal(x, y)
}
