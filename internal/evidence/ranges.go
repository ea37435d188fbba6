// Package evidence holds what a mapping claims about versions against inputs:
// `since`, `until` and `versions` decide nothing when a session is read, so this
// is how they are kept true.
package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/engine/value"
)

// Departure is something that occurred in a version that, by the mapping, does
// not have it.
type Departure struct {
	Pos     mapping.Pos // of the claim
	What    string      // "rule user", "kind event_msg/user_message", "field ordinal"
	Version string      // of the first input that shows it
	Line    int         // there, 1-based; 0 where there are no lines
	Count   int
}

// String says what is wrong, without the place.
func (d Departure) String() string {
	return fmt.Sprintf("%s occurs in version %s, which is out of its range", d.What, d.Version)
}

// Ranges is a [read.Trace] that notes departures. A frame is of the version that
// it names, or else of the last one that was named before: sessions are resumed
// with newer versions.
type Ranges struct {
	found   map[mapping.Pos]*Departure
	format  *mapping.Format
	index   int // of the frame at hand
	version string
}

// Reset forgets the version, for another input.
func (r *Ranges) Reset() { r.format, r.index, r.version = nil, -1, "" }

// Departures are what has been noted, by place.
func (r *Ranges) Departures() []Departure {
	var list []Departure
	for _, d := range r.found {
		list = append(list, *d)
	}
	slices.SortFunc(list, func(a, b Departure) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	return list
}

// Rule notes a rule outside of its versions.
func (r *Ranges) Rule(at read.At, _ string, rule *mapping.Rule) {
	r.frame(at)
	r.hold(at, rule.Versions, rule.Pos, "rule ", strings.Join(rule.Kinds, ", "))
}

// Step notes a step that ran outside of its versions.
func (r *Ranges) Step(at read.At, st *mapping.Step, ran bool) {
	r.frame(at)
	if ran {
		r.hold(at, st.Versions, st.Pos, "step", "")
	}
}

// Event is nothing to note.
func (r *Ranges) Event(read.At, *mapping.Step, *normalize.Event) {}

// Booked notes a kind that occurs outside of its versions.
func (r *Ranges) Booked(at read.At, kind, _, _ string) {
	r.frame(at)
	r.claims(at, "kind ", func(path string) bool { return path == kind })
}

// frame looks at a frame once.
func (r *Ranges) frame(at read.At) {
	if r.format == at.Format && r.index == at.Index {
		return
	}
	first := r.format == nil
	r.format, r.index = at.Format, at.Index
	if path := at.Format.Version; path != "" {
		for _, v := range []value.Value{at.Scope.Frame, at.Scope.Doc} {
			if named := member(v, path); named.IsString() {
				r.version = named.Str()
				break
			}
		}
	}
	if first {
		r.hold(at, at.Format.Versions, at.Format.Pos, "format ", at.Format.Name)
	}
	r.claims(at, "field ", func(path string) bool {
		return !strings.Contains(path, "/") && member(at.Scope.Frame, path).Exists()
	})
}

// claims holds the claims about kinds and fields for which occurs is true.
func (r *Ranges) claims(at read.At, what string, occurs func(path string) bool) {
	n := at.Format.Native
	if n == nil || r.version == "" {
		return
	}
	for _, c := range n.Since {
		if occurs(c.Path) {
			r.hold(at, mapping.Versions{Since: c.Version}, c.Pos, what, c.Path)
		}
	}
	for _, c := range n.Until {
		if occurs(c.Path) {
			r.hold(at, mapping.Versions{Until: c.Version}, c.Pos, what, c.Path)
		}
	}
}

func (r *Ranges) hold(at read.At, v mapping.Versions, pos mapping.Pos, what, name string) {
	if r.version == "" || v.Includes(r.version) {
		return
	}
	d := r.found[pos]
	if d == nil {
		if r.found == nil {
			r.found = map[mapping.Pos]*Departure{}
		}
		d = &Departure{Pos: pos, What: what + name, Version: r.version, Line: at.Frame.Line}
		r.found[pos] = d
	}
	d.Count++
}

// member is the value at a dotted path.
func member(v value.Value, path string) value.Value {
	for key := range strings.SplitSeq(path, ".") {
		v = v.Get(key)
	}
	return v
}
