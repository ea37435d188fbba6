package langgraph

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/trajmap/trajmap/engine/value"
)

// row is the one checkpoint that a written thread begins with.
type row struct {
	thread, id           string
	checkpoint, metadata []byte
}

// channel holds the messages of a thread.
const channel = "messages"

// makeRow makes the checkpoint of a session whose folder is cwd. at is now: by it
// programs tell which thread was used last, and which is too old to go on with.
// When its messages were said stands with them.
func (s *seed) makeRow(cwd string, at time.Time) *row {
	at = at.UTC()
	ts := at.Format("2006-01-02T15:04:05.000000+00:00")
	r := &row{thread: s.thread, id: uuid6(at), metadata: s.note(cwd, ts)}
	b := packMap(nil, 7)
	text := func(name, text string) { b = packStr(packStr(b, name), text) }
	b = packInt(packStr(b, "v"), 4)
	text("ts", ts)
	text("id", r.id)
	// A plain list is the whole value also of a channel that is kept as changes.
	b = packMap(packStr(b, "channel_values"), 1)
	b = s.packMessages(packStr(b, channel))
	// Versions are compared as texts: they have 32 digits each.
	b = packMap(packStr(b, "channel_versions"), 1)
	text(channel, fmt.Sprintf("%032d.%016d", 1, 0))
	b = packMap(packStr(b, "versions_seen"), 0)
	b = packNil(packStr(b, "updated_channels"))
	r.checkpoint = b
	return r
}

// note makes the metadata: JSON, also where all else is msgpack.
func (s *seed) note(cwd, ts string) []byte {
	b := append([]byte(`{"source":"update","step":0,"parents":{}`), `,"updated_at":"`+ts+`"`...)
	for name, v := range s.metadata.Members() {
		switch v.Kind() {
		case value.Object, value.Array, value.Null:
			continue
		}
		switch {
		case name.Is("source") || name.Is("step") || name.Is("parents") || name.Is("updated_at"):
		case name.Is("cwd") && cwd != "":
			b = appendMember(append(b, ','), "cwd", cwd)
		default:
			b = append(append(append(b, `,"`...), name.Body()...), `":`...)
			b = v.AppendJSON(b)
		}
	}
	return append(b, '}')
}

// uuid6 is a new UUID of version 6: of two, the later one is the greater text.
func uuid6(at time.Time) string {
	ticks := uint64(at.Unix()*10_000_000+int64(at.Nanosecond())/100) + gregorian
	var b [16]byte
	_, _ = rand.Read(b[8:])
	binary.BigEndian.PutUint64(b[:8], ticks>>12<<16|6<<12|ticks&0xfff)
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
