package read

import (
	"bytes"
	"hash/maphash"
	"slices"

	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/value"
)

// facts are the session facts of one read. While they are being gathered a rule
// may already ask for one: the answer that it got is kept, to see whether the
// whole session bears it out.
type facts struct {
	list     []fact
	byKind   map[string][]int // facts limited to kinds
	always   []int
	complete bool
	last     int  // highest stage of a fact that is gathered
	lastBare int  // highest stage of a fact that is not
	stage    int  // whose facts are gathered; -1 is all
	refuted  bool // an answer that a rule got is not true any more
}

// fact is one session fact so far.
type fact struct {
	*mapping.Fact
	held    []byte // raw JSON of the value
	has     bool
	mixed   bool // Only: values differ
	counts  map[string]int
	entries map[string]value.Value
	values  map[string]value.Value // of entries, by their JSON: few differ
	asked   map[uint64]struct{}    // hashes of the keys of entries that rules wanted before all frames were seen
	answer  []byte                 // raw JSON of the value that rules got before that
	said    bool                   // there is an answer
	refuted bool                   // an answer, or one to a key of asked, is not true any more
	time    int64
	timed   bool
	tie     []byte
	doc     *value.Doc // of held, when parsed
	parsed  value.Value
	current bool // parsed is held's
}

func (fs *facts) start(declared []*mapping.Fact) {
	*fs = facts{list: make([]fact, len(declared)), byKind: map[string][]int{}, stage: -1}
	for i, d := range declared {
		fs.list[i].Fact = d
		if d.Stated() {
			fs.lastBare = max(fs.lastBare, d.Stage)
			continue
		}
		fs.last = max(fs.last, d.Stage)
		switch {
		case d.On == nil:
			fs.always = append(fs.always, i)
		default:
			for _, kind := range d.On {
				fs.byKind[kind] = append(fs.byKind[kind], i)
			}
		}
	}
}

// Fact implements expr.Facts.
func (fs *facts) Fact(n int) value.Value {
	f := &fs.list[n]
	v := f.value()
	if !fs.complete && (!f.settled() || f.said) && !f.say(v) {
		fs.refuted = true
	}
	return v
}

// say keeps the answer that a rule gets; false when there was another one before.
func (f *fact) say(v value.Value) bool {
	if !f.said {
		f.said, f.answer = true, append(f.answer[:0], v.Raw()...)
	} else if !bytes.Equal(f.answer, v.Raw()) {
		f.refuted = true
	}
	return !f.refuted
}

// MapFact implements expr.Facts.
func (fs *facts) MapFact(n int, key string) value.Value {
	f := &fs.list[n]
	if !fs.complete {
		if f.asked == nil {
			f.asked = map[uint64]struct{}{}
		}
		f.asked[maphash.String(keys, key)] = struct{}{}
	}
	return f.entries[key]
}

// borneOut reports whether the answers that rules got before all frames were seen
// are still true.
func (fs *facts) borneOut() bool {
	for i := range fs.list {
		f := &fs.list[i]
		if f.said {
			f.say(f.value())
		}
		if f.refuted {
			return false
		}
	}
	return true
}

// restart forgets what was gathered from frames, for a stage and those after it.
func (fs *facts) restart(first int) {
	fs.refuted = false
	for i := range fs.list {
		if f := &fs.list[i]; f.Stage >= first && (!f.Stated() || f.Stage > 0) {
			*f = fact{Fact: f.Fact}
		}
	}
}

// settled reports whether no later frame can change the fact.
func (f *fact) settled() bool {
	if f.Stated() {
		return f.Stage == 0
	}
	return f.has && (f.Agg == mapping.First || f.Agg == mapping.AnyOf)
}

// value is the fact's value; absent when it has none.
func (f *fact) value() value.Value {
	switch f.Agg {
	case mapping.AnyOf:
		return value.Of(f.has)
	case mapping.Only:
		if f.mixed {
			return value.Value{}
		}
	case mapping.Most:
		return f.keep([]byte(f.most()))
	case mapping.Count:
		if !f.has {
			return zero
		}
	}
	if !f.has {
		return value.Value{}
	}
	return f.keep(f.held)
}

var zero = value.MustParse("0")

// keep gives raw as a value that lives as long as the read.
func (f *fact) keep(raw []byte) value.Value {
	if len(raw) == 0 {
		return value.Value{}
	}
	if f.current && bytes.Equal(f.doc.Source(), raw) {
		return f.parsed
	}
	f.doc = new(value.Doc)
	if f.doc.Parse(bytes.Clone(raw)) != nil {
		return value.Value{}
	}
	f.parsed, f.current = f.doc.Root(), true
	return f.parsed
}

// most is the value that occurred most often, of equals the smallest.
func (f *fact) most() string {
	best, count := "", 0
	for raw, n := range f.counts {
		if n > count || n == count && value.CompareUTF16(raw, best) < 0 {
			best, count = raw, n
		}
	}
	return best
}

// blank reports whether a value does not count for facts.
func blank(v value.Value) bool {
	return v.IsNull() || v.IsString() && len(v.Body()) == 0
}

// note takes a value of the frame at hand. time and tie order the frames for
// Earliest: the event's time, then the record id or the offset.
func (f *fact) note(v, key value.Value, time func() (int64, bool), tie func() []byte) {
	if blank(v) {
		return
	}
	raw := v.Raw()
	switch f.Agg {
	case mapping.First:
		if !f.has {
			f.held = bytes.Clone(raw)
		}
	case mapping.Last:
		if !bytes.Equal(f.held, raw) {
			f.held = append(f.held[:0], raw...)
		}
	case mapping.Only:
		if f.has && !bytes.Equal(f.held, raw) {
			f.mixed = true
		}
		if !f.has {
			f.held = bytes.Clone(raw)
		}
	case mapping.Most:
		if f.counts == nil {
			f.counts = map[string]int{}
		}
		f.counts[string(raw)]++
	case mapping.Earliest:
		t, timed := time()
		if f.has && !earlier(t, timed, tie, f) {
			return
		}
		f.held, f.time, f.timed, f.tie = append(f.held[:0], raw...), t, timed, bytes.Clone(tie())
	case mapping.MapOf:
		if f.entries == nil {
			f.entries = map[string]value.Value{}
		}
		k := str(key)
		old, known := f.entries[k]
		if known && bytes.Equal(old.Raw(), raw) {
			break
		}
		if _, asked := f.asked[maphash.String(keys, k)]; asked {
			f.refuted = true
		}
		f.entries[k] = f.intern(raw)
	}
	f.has = true
}

// keys is what keys of entries are hashed with. Two with one hash cost a pass.
var keys = maphash.MakeSeed()

// fewValues is how many values of entries are looked up before a new one is made:
// where more differ, all do.
const fewValues = 1024

// intern gives the one value for a JSON text.
func (f *fact) intern(raw []byte) value.Value {
	if v, ok := f.values[string(raw)]; ok {
		return v
	}
	var doc value.Doc
	if doc.Parse(bytes.Clone(raw)) != nil {
		return value.Value{}
	}
	if f.values == nil {
		f.values = map[string]value.Value{}
	}
	if len(f.values) < fewValues {
		f.values[string(raw)] = doc.Root()
	}
	return doc.Root()
}

// earlier reports whether a frame comes before the one that a fact is from.
func earlier(t int64, timed bool, tie func() []byte, f *fact) bool {
	if timed != f.timed {
		return timed
	}
	if timed && t != f.time {
		return t < f.time
	}
	return bytes.Compare(tie(), f.tie) < 0
}

// str is a value as the mapping language's str() gives it.
func str(v value.Value) string {
	switch {
	case v.IsNull():
		return ""
	case v.IsString():
		return v.Str()
	}
	return string(v.AppendJSON(nil))
}

// gather takes the facts of one frame. The scope must stand on it.
func (s *session) gather(kind []byte) {
	s.gatherSome(s.facts.always)
	if len(s.facts.byKind) > 0 {
		s.gatherSome(s.facts.byKind[string(kind)])
	}
}

func (s *session) gatherSome(numbers []int) {
	for _, n := range numbers {
		f := &s.facts.list[n]
		if s.facts.stage >= 0 && s.facts.stage != f.Stage {
			continue
		}
		if f.Agg == mapping.Earliest && f.has && f.timed {
			if t, timed := s.frameTime(); !timed || t > f.time {
				continue
			}
		}
		if !f.settled() {
			s.take(f)
		}
	}
}

// take looks at `it` for a fact.
func (s *session) take(f *fact) {
	if f.If != nil && !f.If.Prog.Test(&s.scope) {
		return
	}
	switch f.Agg {
	case mapping.AnyOf:
		f.has = f.has || f.Value.Prog.Test(&s.scope)
	case mapping.Count:
		if f.Value.Prog.Test(&s.scope) {
			f.has = true
			f.held = s.increment(f.held)
		}
	case mapping.MapOf:
		v, key := f.Value.Prog.Eval(&s.scope), f.Key.Prog.Eval(&s.scope)
		if key.Kind() != value.Array {
			f.note(v, key, s.frameTime, s.frameTie)
		}
		for k := range key.Items() {
			f.note(v, k, s.frameTime, s.frameTie)
		}
		s.facts.refuted = s.facts.refuted || f.refuted
	default:
		f.note(f.Value.Prog.Eval(&s.scope), value.Value{}, s.frameTime, s.frameTie)
	}
}

// increment adds one to a decimal number.
func (s *session) increment(digits []byte) []byte {
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] != '9' {
			digits[i]++
			return digits
		}
		digits[i] = '0'
	}
	return slices.Insert(digits, 0, '1')
}
