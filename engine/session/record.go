package session

import (
	"bytes"
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
	text  Text
	bytes int // of a result's content, decoded
	call  string
	name  string
	ok    *bool
	none  bool // of a call: it has no result by design
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
	words   map[string]string // what repeats often: names, models, keys
	known   map[string]*Call  // of the session that this one may be, by id
}

// NewBuilder makes a builder.
func NewBuilder() *Builder {
	return &Builder{s: &Session{}, sum: sha256.New(), pass: passes{}, words: map[string]string{}}
}

// NewBuilderAgainst makes a builder of a session that is to be compared with
// another one: what its calls were given and gave, and which is the same there, is
// not kept twice. It has no seed.
func NewBuilderAgainst(s *Session) *Builder {
	b := NewBuilder()
	b.sum, b.known = nil, make(map[string]*Call, len(s.Calls))
	for _, c := range s.Calls {
		b.known[c.ID] = c
	}
	return b
}

// Record implements [normalize.Sink].
func (b *Builder) Record(r *normalize.Record) error {
	if b.sum != nil {
		b.buf = append(r.AppendV1(b.buf[:0]), '\n')
		b.sum.Write(b.buf)
	}
	s := b.s
	if r.Type == normalize.MetaRecord {
		s.Source, s.Cwd = decode(r.Source), decode(r.Cwd)
		s.GitBranch, s.Model = decode(r.GitBranch), decode(r.Model)
		return nil
	}
	rec := record{kind: r.Type, time: r.Time, key: b.word(r.Step), model: b.word(r.Model), call: decode(r.CallID)}
	switch r.Type {
	case normalize.CallRecord:
		rec.none = r.Resultless
		rec.name, rec.text = b.word(r.Name), b.keep(b.repairArgs(r.Args), b.args(rec.call))
	case normalize.ResultRecord:
		content := b.repair(r.Content)
		if other := b.result(rec.call); other != nil && b.same(content, other.Content) {
			rec.text, rec.bytes = other.Content, other.Bytes
		} else {
			rec.text, rec.bytes = s.store.add(content), decodedLen(content)
		}
	default:
		rec.text = s.store.add(b.repair(r.Content))
	}
	if r.OK != normalize.Unknown {
		ok := r.OK == normalize.True
		rec.ok = &ok
	}
	b.records = append(b.records, rec)
	s.In[r.Type]++
	return s.store.err
}

// keep keeps a text, unless the other session has it.
func (b *Builder) keep(text []byte, other Text) Text {
	if b.same(text, other) {
		return other
	}
	return b.s.store.add(text)
}

// args are what a call was given in the other session.
func (b *Builder) args(call string) Text {
	if c := b.known[call]; c != nil {
		return c.Args
	}
	return Text{}
}

// result is what a call gave in the other session; nil when it gave nothing.
func (b *Builder) result(call string) *Result {
	if c := b.known[call]; c != nil {
		return c.Result
	}
	return nil
}

// same reports whether a text is the other session's.
func (b *Builder) same(text []byte, other Text) bool {
	if other.store == nil || other.size != len(text) {
		return false
	}
	b.buf = other.Append(b.buf[:0])
	return bytes.Equal(b.buf, text)
}

func decode(text []byte) string { return string(value.AppendDecoded(nil, text)) }

// word is a text of which there are few.
func (b *Builder) word(text []byte) string {
	if len(text) == 0 {
		return ""
	}
	if w, ok := b.words[string(text)]; ok {
		return w
	}
	w := decode(text)
	if len(b.words) < 4096 {
		b.words[string(text)] = w
	}
	return w
}

func (b *Builder) repair(text []byte) []byte {
	fixed, changed := repair(text)
	if changed {
		b.pass.note(TextRepaired, len(b.records)+1)
	}
	return fixed
}

// repairArgs looks at the strings in a JSON text that is a text itself.
func (b *Builder) repairArgs(text []byte) []byte {
	text = b.repair(text)
	if !bytes.Contains(text, []byte(`\\u`)) {
		return text
	}
	fixed, changed := repair(value.AppendDecoded(nil, text))
	if !changed {
		return text
	}
	b.pass.note(TextRepaired, len(b.records)+1)
	return value.AppendEncoded(nil, fixed)
}

// Options are the choices that grouping depends on.
type Options struct {
	Group, Title string
	Cwd          string // in place of the session's own
	Synthesize   bool   // a call whose result is missing gets one that says so
	CutTail      bool   // everything after the last complete turn is dropped
	Turns        *Range // nil: all
}

// Range is a range of turns, from 1, both ends included.
type Range struct{ From, To int }

// Build groups the records taken so far. The builder must not be used again.
func (b *Builder) Build(o Options) *Session {
	s := b.s
	if b.sum != nil {
		s.Seed = hex.EncodeToString(b.sum.Sum(nil))
	}
	s.Group = o.Group
	if o.Cwd != "" {
		s.Cwd = o.Cwd
	}
	b.group()
	b.records = nil
	s.number()
	s.Whole = len(s.Turns)
	if o.CutTail {
		s.cutTail()
	}
	if o.Turns != nil {
		s.keepTurns(RangeCut, o.Turns.From-1, o.Turns.To)
	}
	s.count()
	b.wire()
	b.synthesize(o.Synthesize)
	s.clock()
	s.measure()
	s.Title = title(o.Title, s)
	s.Passes = b.pass.list()
	if s.Created == 0 {
		s.Created = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	}
	return s
}

// Discard forgets what was taken; the builder must not be used again.
func (b *Builder) Discard() { _ = b.s.Close() }
