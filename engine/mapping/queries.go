package mapping

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/trajmap/trajmap/engine/diag"
)

// Queries are how a mapping reads a database. Of each there may be several
// forms, for generations of the program whose tables differ: the first counts
// for which the database has the tables and columns. In a query :session is the
// id of the session that is read.
type Queries struct {
	Pos      Pos
	Sessions []string // a row for each session, the one used last first; the first column is its id
	Doc      []string // one row: the document around the frames
	Rows     []string // a row for each frame, in order
}

// sessionArgument is how a query names the session.
const sessionArgument = ":session"

// queries reads `sqlite`.
func (d *decoder) queries(parent *object) *Queries {
	n := parent.at("sqlite")
	if n == nil {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		q := &Queries{Pos: pos(n)}
		for _, item := range items(n) {
			if d.accept(text(anyText), item, "sqlite") {
				q.Rows = append(q.Rows, item.Value)
			}
		}
		d.checkSession(items(n), false)
		return q
	}
	o := d.object(n, "queries")
	q := &Queries{Pos: pos(n), Sessions: d.texts(o, "sessions"), Doc: d.texts(o, "doc"), Rows: d.texts(o, "rows")}
	many := o.at("sessions") != nil || o.anyFaulty("sessions")
	d.checkSession(items(o.at("rows")), many)
	if !many {
		d.checkSession(items(o.at("doc")), false)
	}
	return q
}

// checkSession holds against each other whether a query asks for a session and
// whether there are several.
func (d *decoder) checkSession(queries []*yaml.Node, many bool) {
	for _, n := range queries {
		switch asks := strings.Contains(n.Value, sessionArgument); {
		case many && !asks:
			d.errorf(diag.BadValue, n, "the query gives the rows of all sessions").Hint =
				"say which: … WHERE … = " + sessionArgument
		case !many && asks:
			d.errorf(diag.BadValue, n, "%s is of no use without sessions", sessionArgument).Hint =
				"give the query that lists them, under sessions"
		}
	}
}
