package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/handler"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// conversion is one run of apply.
type conversion struct {
	*World
	*applyCmd
	o       read.Options
	pick    *picker
	targets targets
	out     *output
	reports *output
	tally   tally
}

// tally is what a run has seen so far.
type tally struct {
	sessions, records int
	failed, foreign   int
	byRoot            []int    // what each path given led to: sessions and failures
	others            []string // ids of the first sessions that were not asked for
}

// other notes a session that was not asked for.
func (t *tally) other(id string) {
	if id != "" && len(t.others) < 5 && !slices.Contains(t.others, id) {
		t.others = append(t.others, id)
	}
}

// run converts the targets, in order.
func (c *conversion) run(ctx context.Context) error {
	c.tally.byRoot = make([]int, len(c.targets.given))
	var err error
	// A session that may turn out not to be wanted is held back whole.
	if c.targets.single() && c.Session == "" && !c.Strict {
		err = c.direct(ctx)
	} else {
		err = c.pool(ctx)
	}
	if errors.Is(err, syscall.EPIPE) && c.tally.failed > 0 {
		return quiet(exitFailed)
	}
	if err != nil {
		return err
	}
	return c.finish()
}

// direct converts a single input, record by record as they come.
func (c *conversion) direct(ctx context.Context) error {
	s := c.convert(ctx, readers{}, c.targets.given[0], c.out)
	if s.err != nil {
		c.out.forget(s.written)
	}
	return c.book(&s)
}

// pool converts the targets several at a time; each session waits in a spool for
// its turn.
func (c *conversion) pool(ctx context.Context) error {
	p := progress{World: c.World, began: time.Now()}
	defer p.clear()
	spools := sync.Pool{New: func() any { return new(spool) }}
	return inOrder(ctx, c.targets.all(ctx),
		func(ctx context.Context, rs readers, t target) converted {
			out := spools.Get().(*spool)
			s := c.convert(ctx, rs, t, out)
			s.spool = out
			return s
		},
		func(s converted) error {
			p.clear()
			err := c.settle(&s)
			if resetErr := s.spool.reset(); err == nil && resetErr != nil {
				err = &outputError{resetErr}
			}
			spools.Put(s.spool)
			return err
		},
		func() { p.show(plural(c.tally.sessions, "session") + ", " + plural(c.tally.records, "record")) },
	)
}

// settle writes a session whose turn has come, if it is wanted.
func (c *conversion) settle(s *converted) error {
	if c.Session != "" && c.unwanted(s) {
		return nil
	}
	if s.err == nil && !s.foreign {
		if err := s.spool.copyTo(c.out); err != nil {
			return &outputError{err}
		}
	}
	return c.book(s)
}

// unwanted reports whether a session is not the one that was asked for. Of an
// input that holds several, the reader has already taken that.
func (c *conversion) unwanted(s *converted) bool {
	var missing *handler.MissingError
	switch {
	case errors.As(s.err, &missing) && !c.targets.single():
		for _, id := range missing.Have {
			c.tally.other(id)
		}
		return true
	case s.err != nil || s.foreign || s.result.Chosen != "":
		return false
	}
	id := s.result.Facts["group"]
	if id != c.Session {
		c.tally.other(id)
	}
	return id != c.Session
}

// converted is one session that was read, or not.
type converted struct {
	target
	m       *engine.Mapping
	result  *read.Result // nil when there was nothing to read
	spool   *spool       // where its records wait
	records int
	written int  // bytes
	foreign bool // no mapping recognises what a folder held
}

// readers are one worker's, by mapping: they keep their buffers.
type readers map[*engine.Mapping]*read.Reader

func (rs readers) of(m *engine.Mapping) *read.Reader {
	r := rs[m]
	if r == nil {
		r = read.New(m.Mapping)
		rs[m] = r
	}
	return r
}

// convert reads one session and writes its records to out.
func (c *conversion) convert(ctx context.Context, rs readers, t target, out io.Writer) (s converted) {
	s.target = t
	if s.err != nil {
		return s
	}
	t.active = c.o.View == engine.Active
	from, err := c.pick.open(ctx, &t)
	if err != nil {
		s.err = err
		return s
	}
	defer from.close()
	s.target, s.m = t, from.m
	if s.foreign = s.m == nil; s.foreign {
		return s
	}
	records := &recordWriter{w: out, envelope: c.Format == "json", o: c.o.Normalize}
	start := records.trajectory
	if c.As == "canonical" {
		start = records.rows
	}
	o := c.o
	o.Session = cmp.Or(t.session, o.Session)
	s.result, s.err = rs.of(s.m).Read(ctx, from.in, o, start)
	if s.err == nil {
		s.err = records.end(s.result.Diagnostics)
	}
	if s.err == nil && c.Strict {
		s.err = unmapped(s.result)
	}
	s.records, s.written = records.records, records.written
	return s
}

// unmapped is an error when a session holds frames that its mapping does not
// know.
func unmapped(r *read.Result) error {
	for _, e := range r.Ledger.Entries {
		if e.Bucket == read.Unmapped {
			return &trajectory.Error{Code: trajectory.UnmappedFrame, Line: e.Line, Message: fmt.Sprintf(
				"the mapping of %s does not know the kind %q (%s; trajmap drift lists all there are)",
				r.Mapping.Harness, e.Kind, plural(e.Count, "frame"))}
		}
	}
	return nil
}

// book counts a session and says what is to be said about it. The error is one
// that ends the run.
func (c *conversion) book(s *converted) error {
	if s.foreign {
		c.tally.foreign++
		return nil
	}
	c.tally.byRoot[s.root]++
	if s.result != nil && s.result.Others > 0 {
		c.say(fmt.Sprintf("%s: this is session %s, the one used last; it holds %s (--session ID reads one, its folder as input all)",
			s.path, s.result.Chosen, plural(s.result.Others, "other")))
	}
	if s.result != nil {
		if c.Format == "jsonl" || s.err != nil {
			c.diagnostics(s)
		}
		if c.Report != "" {
			if err := writeReport(c.reports, c.View, s); err != nil {
				return err
			}
		}
	}
	if s.err == nil {
		c.tally.sessions++
		c.tally.records += s.records
		return nil
	}
	if stops(s.err) {
		return s.err
	}
	c.tally.failed++
	c.fail(&placed{s.label(s.result), s.err})
	return nil
}

// finish says how the run went.
func (c *conversion) finish() error {
	t := &c.tally
	for n, count := range t.byRoot {
		if count == 0 && c.Session == "" {
			t.failed++
			c.say(fmt.Sprintf("%s: holds no file that %s recognises (%s looked at)",
				c.targets.given[n].path, c.pick, plural(t.foreign, "file")))
		}
	}
	if c.Session != "" && t.sessions == 0 && t.failed == 0 {
		t.failed++
		hint := ""
		if len(t.others) > 0 {
			hint = "there are " + strings.Join(t.others, ", ")
		}
		c.say("no input is session " + c.Session + parens(hint))
	}
	if !c.targets.single() {
		line := plural(t.sessions, "session") + ", " + plural(t.records, "record")
		if t.foreign > 0 {
			line += ", " + plural(t.foreign, "other file")
		}
		if t.failed > 0 {
			line += ", " + group(t.failed) + " failed"
		}
		c.say(line)
	}
	c.out.drop = t.sessions == 0
	if t.failed > 0 {
		return quiet(exitFailed)
	}
	return nil
}
