package langgraph

import (
	"cmp"
	"io"
	"strconv"

	"github.com/trajmap/trajmap/engine/database"
)

// describe makes the document around a thread's messages:
//
//	thread, namespace   which conversation it is
//	checkpoint, ts      the newest one
//	created_at, updated_at   in ms
//	title, cwd, git_branch, agent_name, model
//	pending             values that were written and are in no checkpoint yet
//	interrupted, failed the last step waits for an answer, or ended in an error
//	branches            checkpoints from which several others go on
//	forked              the newest one began such a branch
//	overwritten         how often the list of messages was replaced or emptied
//	incomplete          a checkpoint on the way to the newest is missing
//	namespaces          of subagents
//	files, todos        items of the state beside the messages
//	summarization       {cutoff_index, summary_message, …}: what the model is told
//	                    in place of the first messages
func describe(db *database.DB, s *state, t *thread, limit int64) ([]byte, error) {
	args := map[string]any{"thread": s.thread, "id": s.head.id}
	branches, err := count(db, args, "SELECT count(*) FROM (SELECT 1 FROM checkpoints WHERE thread_id = :thread AND "+root+
		" AND parent_checkpoint_id IS NOT NULL GROUP BY parent_checkpoint_id HAVING count(*) > 1)")
	if err != nil {
		return nil, err
	}
	namespaces, err := count(db, args, "SELECT count(DISTINCT checkpoint_ns) FROM checkpoints WHERE thread_id = :thread AND NOT "+root)
	if err != nil {
		return nil, err
	}
	special := "SELECT count(*) FROM writes WHERE thread_id = :thread AND " + root + " AND checkpoint_id = :id AND channel = "
	interrupted, err := count(db, args, special+"'__interrupt__'")
	if err != nil {
		return nil, err
	}
	failed, err := count(db, args, special+"'__error__'")
	if err != nil {
		return nil, err
	}

	b := appendMember([]byte{'{'}, "thread", s.thread)
	b = append(b, `,"namespace":""`...)
	b = appendMember(append(b, ','), "checkpoint", s.head.id)
	b = appendMember(append(b, ','), "ts", s.head.ts)
	b = appendTime(append(b, ','), "created_at", t.began)
	b = appendTime(append(b, ','), "updated_at", t.used)
	b = appendMember(append(b, ','), "title", t.title)
	b = appendMember(append(b, ','), "cwd", cmp.Or(s.head.cwd, t.cwd))
	b = appendMember(append(b, ','), "git_branch", t.branch)
	b = appendMember(append(b, ','), "agent_name", t.agent)
	b = appendMember(append(b, ','), "model", cmp.Or(s.spokenBy(), s.head.model, t.model))
	number := func(name string, n int) {
		b = append(append(append(b, ",\""...), name...), "\":"...)
		b = strconv.AppendInt(b, int64(n), 10)
	}
	flag := func(name string, is bool) {
		b = append(append(append(b, ",\""...), name...), "\":"...)
		b = strconv.AppendBool(b, is)
	}
	number("pending", s.pending)
	flag("interrupted", interrupted > 0)
	flag("failed", failed > 0)
	number("branches", branches)
	flag("forked", t.source == "fork")
	number("overwritten", s.overwritten)
	flag("incomplete", s.torn)
	number("namespaces", namespaces)
	number("files", s.head.files)
	number("todos", s.head.todos)
	if s.head.summarization != nil {
		b = append(b, `,"summarization":`...)
		if b, err = appendJSON(b, s.head.summarization, limit); err != nil {
			return nil, invalid("the summary of checkpoint %s: %w", s.head.id, err)
		}
	}
	return append(b, '}'), nil
}

// count runs a query that gives a number.
func count(db *database.DB, args map[string]any, query string) (int, error) {
	rows, err := db.Query(query, args)
	if err != nil {
		return 0, unreadable(err)
	}
	defer rows.Close()
	row, err := rows.Next()
	if err != nil {
		if err == io.EOF {
			err = nil
		}
		return 0, unreadable(err)
	}
	n, _ := row[0].(int64)
	return int(n), nil
}

// spokenBy is the model that the newest reply names.
func (s *state) spokenBy() string {
	for i := len(s.messages) - 1; i >= 0; i-- {
		if model := modelOf(s.messages[i].fields); model != "" {
			return model
		}
	}
	return ""
}

// modelOf is the model that a message's response_metadata name.
func modelOf(fields []byte) (model string) {
	if first(fields).kind != mapKind {
		return ""
	}
	names := map[string]string{}
	_ = members(fields, func(key string, b []byte) bool {
		if key == "response_metadata" && first(b).kind == mapKind {
			_ = members(b, func(key string, b []byte) bool {
				names[key] = text(b)
				return true
			})
		}
		return true
	})
	return cmp.Or(names["model_name"], names["model"], names["model_id"])
}
