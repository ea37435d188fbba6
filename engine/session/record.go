package session

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"time"

	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/value"
)

// record is what grouping needs of a record.
type record struct {
	kind  normalize.Type
	text  string
	call  string
	name  string
	ok    *bool
	time  int64
	key   string
	model string
}

// Builder takes the records of a read. It is a [normalize.Sink].
type Builder struct {
	s       *Session
	records []record
	sum     hash.Hash
	buf     []byte
	pass    passes
}

// NewBuilder makes a builder.
func NewBuilder() *Builder {
	return &Builder{s: &Session{}, sum: sha256.New(), pass: passes{}}
}

// Record implements [normalize.Sink].
func (b *Builder) Record(r *normalize.Record) error {
	b.buf = append(r.AppendV1(b.buf[:0]), '\n')
	b.sum.Write(b.buf)
	if r.Type == normalize.MetaRecord {
		b.s.Source, b.s.Cwd = decode(r.Source), decode(r.Cwd)
		b.s.GitBranch, b.s.Model = decode(r.GitBranch), decode(r.Model)
		return nil
	}
	rec := record{kind: r.Type, time: r.Time, key: decode(r.Step), model: decode(r.Model), call: decode(r.CallID)}
	if r.Type == normalize.CallRecord {
		rec.name, rec.text = decode(r.Name), decode(r.Args)
	} else {
		rec.text = b.repair(decode(r.Content))
	}
	if r.OK != normalize.Unknown {
		ok := r.OK == normalize.True
		rec.ok = &ok
	}
	b.records = append(b.records, rec)
	return nil
}

func decode(text []byte) string { return string(value.AppendDecoded(nil, text)) }

// repair replaces lone surrogates, which no wire carries.
func (b *Builder) repair(s string) string {
	for i := 0; i+2 < len(s); i++ {
		if s[i] == 0xed && s[i+1] >= 0xa0 {
			b.pass.note(TextRepaired, len(b.records)+1)
			return string([]rune(s)) // each of its three bytes is no UTF-8
		}
	}
	return s
}

// Options are the choices that grouping depends on.
type Options struct {
	Group, Title string
	Cwd          string // in place of the session's own
	Synthesize   bool   // a call without a result gets one that says so
	CutTail      bool   // everything after the last complete turn is dropped
	Turns        *Range // nil: all
}

// Range is a range of turns, from 1, both ends included.
type Range struct{ From, To int }

// Build groups the records taken so far.
func (b *Builder) Build(o Options) *Session {
	s := b.s
	s.Seed = hex.EncodeToString(b.sum.Sum(nil))
	s.Group = o.Group
	if o.Cwd != "" {
		s.Cwd = o.Cwd
	}
	b.group()
	s.number()
	if o.CutTail {
		s.cutTail()
	}
	if o.Turns != nil {
		s.keepTurns(max(0, o.Turns.From-1), min(len(s.Turns), o.Turns.To))
	}
	b.wire()
	if o.Synthesize {
		b.synthesize()
	}
	b.s.clock()
	s.Title = title(o.Title, s)
	s.Passes = b.pass.list()
	if s.Created == 0 {
		s.Created = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	}
	return s
}
