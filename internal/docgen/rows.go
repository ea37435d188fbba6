package docgen

import (
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// row says what becomes of a kind of frames or parts.
type row struct {
	kind    string // as the ledger names it: `user/tool_result`
	gives   views  // records
	goes    views  // to which blocks its parts go
	out     views  // how it is left out
	hazards views
	remarks []string
}

// views are things by the view that has them, in the order of their first
// mention.
type views struct {
	names []string
	in    map[string]uint8 // 1: archive, 2: active
}

func (v *views) add(name string, view mapping.View) {
	bits := uint8(3)
	switch view {
	case mapping.Archive:
		bits = 1
	case mapping.ActiveView:
		bits = 2
	}
	if v.in == nil {
		v.in = map[string]uint8{}
	}
	if v.in[name] == 0 {
		v.names = append(v.names, name)
	}
	v.in[name] |= bits
}

// String lists the things, those of one view with its name.
func (v *views) String() string {
	parts := make([]string, len(v.names))
	for i, name := range v.names {
		parts[i] = name + map[uint8]string{1: " (archive)", 2: " (active view)"}[v.in[name]]
	}
	return strings.Join(parts, "; ")
}

// rows collects what blocks do.
type rows struct {
	*page
	where string // of the hazards' list: " (block NAME)"
	list  []*row
}

// block adds the rows of a block. path is the kind of what contains it, with a
// slash; into takes what the block does before it looks at kinds, or without.
func (rs *rows) block(b *mapping.Block, path string, view mapping.View, into *row) {
	rs.steps(b.Before, path, view, into)
	if b.Kind == nil {
		rs.steps(b.Do, path, view, into)
		return
	}
	for _, rule := range b.Rules {
		r := &row{kind: kindNames(path, rule.Kinds)}
		r.remark(rs.src.said(rule.Pos.Line))
		rs.list = append(rs.list, r)
		rs.steps(rule.Steps, path+rule.Kinds[0]+"/", view, r)
	}
	rs.ignored(b, path, view)
	if b.Unmapped != trajectory.UnmappedFrame {
		r := &row{kind: kindNames(path, nil) + " anything else"}
		r.out.add("dropped: "+code(b.Unmapped), view)
		rs.list = append(rs.list, r)
	}
}

// ignored adds a row for each group of ignored kinds. A comment above a kind is
// about the kinds from there on, one beside it about it alone.
func (rs *rows) ignored(b *mapping.Block, path string, view mapping.View) {
	var r *row
	var kinds []string
	alone, line := false, 0
	end := func() {
		if r != nil {
			r.kind = kindNames(path, kinds)
			rs.list = append(rs.list, r)
		}
		r, kinds = nil, nil
	}
	for n, i := range b.Ignored {
		above, beside := "", ""
		if i.Pos.Line != line {
			above, beside = rs.src.above(i.Pos.Line), rs.src.beside(i.Pos.Line)
			if n == 0 { // above the key of the list
				above = sentences(rs.src.above(i.Pos.Line-1), above)
			}
			if n == 0 && strings.Contains(rs.src.line(i.Pos.Line), "[") { // beside the key
				above, beside = sentences(rs.src.above(i.Pos.Line), beside), ""
			}
			line = i.Pos.Line
		}
		if r == nil || above != "" || beside != "" || alone {
			end()
			r = &row{}
			r.out.add("ignored", view)
			r.remark(sentences(above, beside))
		}
		alone = beside != ""
		name := i.Kind
		if i.Prefix {
			name += "*"
		}
		kinds = append(kinds, name)
	}
	end()
}

// steps adds what steps do to a row, and the rows of the kinds below it.
func (rs *rows) steps(list []*mapping.Step, path string, view mapping.View, into *row) {
	for _, st := range list {
		v := view
		if st.View != mapping.AnyView {
			v = st.View
		}
		into.remark(rs.src.said(st.Pos.Line))
		switch st.Verb {
		case mapping.Message:
			role := st.Event.Role
			if role == "" {
				role = "message (role in " + rs.src.words(st.Event.RoleOf) + ")"
			}
			into.gives.add(role, v)
		case mapping.ToolCall:
			into.gives.add("tool call", v)
		case mapping.ToolResult:
			into.gives.add("tool result", v)
		case mapping.Drop:
			into.out.add("dropped: "+code(st.Code), v)
		case mapping.Ignore:
			into.out.add("ignored: "+code(st.Code), v)
		case mapping.Hazard:
			into.hazards.add(code(st.Code)+verdictNotes[st.Verdict], v)
			rs.hazard(st.Code, into.kind+rs.where+verdictNotes[st.Verdict])
		case mapping.With, mapping.Each, mapping.Do:
			if st.Block == nil {
				continue
			}
			if name := rs.blockName(st.Block); name != "" {
				what := "block " + link(name, anchor("block "+name))
				if st.Value != nil {
					what = rs.src.words(st.Value) + ": " + what
				}
				into.goes.add(what, v)
				continue
			}
			if kind := st.Block.Kind; kind != nil {
				what := "by " + rs.src.words(kind) + ", below"
				if st.Value != nil {
					what = rs.src.words(st.Value) + " " + what
				}
				into.goes.add(what, v)
			}
			rs.block(st.Block, path, v, into)
		}
	}
}

// remark adds what the author says, once.
func (r *row) remark(text string) {
	if text = capital(text); text != "" && !slices.Contains(r.remarks, text) {
		r.remarks = append(r.remarks, text)
	}
}

// cells are the row's columns, see rowHead.
func (r *row) cells() []string {
	records := r.gives.String()
	if goes := r.goes.String(); goes != "" {
		if records != "" {
			records += "; "
		}
		records += goes
	}
	return []string{r.kind, records, r.out.String(), r.hazards.String(), sentences(r.remarks...)}
}

var rowHead = []string{"Kind", "Records", "Left out", "Hazards", "Remarks"}

// empty reports whether a row says nothing.
func (r *row) empty() bool {
	return len(r.gives.names)+len(r.goes.names)+len(r.out.names)+len(r.hazards.names) == 0
}

// kindNames are kinds with the path to them.
func kindNames(path string, kinds []string) string {
	if kinds == nil {
		return strings.TrimSuffix(path, "/")
	}
	out := make([]string, len(kinds))
	for i, k := range kinds {
		if k == "" {
			out[i] = "no kind"
			if path != "" {
				out[i] = code(strings.TrimSuffix(path, "/")) + " without a kind"
			}
			continue
		}
		out[i] = code(path + k)
	}
	return strings.Join(out, ", ")
}

func link(text, to string) string { return "[" + text + "](" + to + ")" }

// verdictNotes tell of hazards that are judged more strictly than others of their
// code.
var verdictNotes = map[string]string{"refuse": " (refused unless allowed)", "never": " (refused)"}
