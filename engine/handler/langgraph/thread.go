package langgraph

import (
	"cmp"
	"encoding/hex"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trajmap/trajmap/engine/database"
	"github.com/trajmap/trajmap/engine/value"
)

// thread is what the metadata of its checkpoints say of a thread.
type thread struct {
	id            string
	newest        string // id of a checkpoint
	began, used   int64  // ms since 1970
	cwd, branch   string
	title         string
	agent, model  string
	source, first string // of the newest checkpoint; id of the oldest
}

// metadata is of one checkpoint.
type metadata struct {
	checkpoint string
	value.Value
}

// threads lists the threads of a store, the one used last first. Of what the
// metadata say the newest word counts.
func threads(db *database.DB) ([]thread, error) {
	rows, err := db.Query("SELECT thread_id, checkpoint_id, metadata FROM checkpoints WHERE "+root+" ORDER BY thread_id, checkpoint_id DESC", nil)
	if err != nil {
		return nil, unreadable(err)
	}
	defer rows.Close()
	var list []thread
	var doc value.Doc
	for {
		row, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, unreadable(err)
		}
		id, checkpoint := asText(row[0]), asText(row[1])
		if len(list) == 0 || list[len(list)-1].id != id {
			list = append(list, thread{id: id, newest: checkpoint})
		}
		m := metadata{checkpoint: checkpoint}
		if doc.Parse(asBytes(row[2])) == nil {
			m.Value = doc.Root()
		}
		list[len(list)-1].note(m)
	}
	slices.SortStableFunc(list, func(a, b thread) int {
		return cmp.Or(cmp.Compare(b.used, a.used), strings.Compare(b.newest, a.newest))
	})
	return list, nil
}

// note takes the metadata of a checkpoint; newer ones have been taken.
func (t *thread) note(m metadata) {
	text := func(to *string, name string) {
		if v := m.Get(name); *to == "" && v.IsString() {
			*to = v.Str()
		}
	}
	text(&t.cwd, "cwd")
	text(&t.branch, "git_branch")
	text(&t.agent, "agent_name")
	text(&t.model, "model")
	text(&t.title, "thread_name")
	if t.first == "" {
		text(&t.source, "source")
	}
	t.first = m.checkpoint
	at, ok := millis(m.Get("updated_at"))
	if !ok {
		at, ok = uuidTime(m.checkpoint)
	}
	if ok {
		t.used = max(t.used, at)
		t.began = at
	}
}

// millis reads a time in ISO 8601.
func millis(v value.Value) (int64, bool) {
	if !v.IsString() {
		return 0, false
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
		if at, err := time.Parse(layout, v.Str()); err == nil {
			return at.UnixMilli(), true
		}
	}
	return 0, false
}

// gregorian is the beginning of the time of UUIDs: 15 October 1582.
const gregorian = 122192928000000000 // in 100 ns before 1970

// uuidTime is the time of a UUID of version 6; ok is false for all else, and for
// one from before there was such a thing.
func uuidTime(id string) (ms int64, ok bool) {
	b, err := hex.DecodeString(strings.ReplaceAll(id, "-", ""))
	if err != nil || len(b) != 16 || b[6]>>4 != 6 {
		return 0, false
	}
	var ticks int64
	for _, c := range b[:6] {
		ticks = ticks<<8 | int64(c)
	}
	ticks = ticks<<12 | int64(b[6]&0x0f)<<8 | int64(b[7])
	ms = (ticks - gregorian) / 10_000
	return ms, ms > 0
}

// row is what a list tells of the thread.
func (t *thread) row() []byte {
	b := appendMember([]byte{'{'}, "id", t.id)
	b = appendMember(append(b, ','), "title", t.title)
	b = appendMember(append(b, ','), "cwd", t.cwd)
	b = appendMember(append(b, ','), "git_branch", t.branch)
	b = appendMember(append(b, ','), "model", t.model)
	b = appendTime(append(b, ','), "created_at", t.began)
	b = appendTime(append(b, ','), "updated_at", t.used)
	return append(b, '}')
}

func appendTime(dst []byte, name string, ms int64) []byte {
	dst = append(append(append(dst, '"'), name...), '"', ':')
	if ms == 0 {
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, ms, 10)
}
