package render

import (
	"path/filepath"
	"strconv"

	"github.com/trajmap/trajmap/engine/session"
	"github.com/trajmap/trajmap/engine/value"
)

// The views are what mappings see of a session: JSON, made when it is asked for.
// Whatever would be empty is absent.

// members writes an object.
type members struct {
	dst   []byte
	first bool
}

func object(dst []byte) *members { return &members{append(dst, '{'), true} }

func (w *members) name(name string) {
	if !w.first {
		w.dst = append(w.dst, ',')
	}
	w.first = false
	w.dst = append(append(append(w.dst, '"'), name...), '"', ':')
}

func (w *members) str(name, s string) {
	if s != "" {
		w.name(name)
		w.dst = quoted(w.dst, s)
	}
}

func (w *members) int(name string, n int64) {
	w.name(name)
	w.dst = strconv.AppendInt(w.dst, n, 10)
}

func (w *members) bool(name string, b bool) {
	w.name(name)
	w.dst = strconv.AppendBool(w.dst, b)
}

func (w *members) end() []byte { return append(w.dst, '}') }

func quoted(dst []byte, s string) []byte {
	return append(value.AppendEncoded(append(dst, '"'), s), '"')
}

// list writes a member that is a list.
func list[T any](w *members, name string, items []T, each func(dst []byte, item T) []byte) {
	w.name(name)
	w.dst = append(w.dst, '[')
	for i, item := range items {
		if i > 0 {
			w.dst = append(w.dst, ',')
		}
		w.dst = each(w.dst, item)
	}
	w.dst = append(w.dst, ']')
}

// appendSession appends the session without its messages and turns, which
// `each: messages` and `each: turns` give one by one.
func appendSession(dst []byte, s *session.Session, id, seed string) []byte {
	w := object(dst)
	w.str("id", id)
	w.str("source", s.Source)
	w.str("group", s.Group)
	w.str("seed", seed)
	w.str("title", s.Title)
	w.str("cwd", s.Cwd)
	w.str("git_branch", s.GitBranch)
	w.str("model", s.Model)
	w.int("created", s.Created)
	w.int("updated", s.Updated)
	w.int("longest", int64(s.Longest))
	w.int("turn_count", int64(len(s.Turns)))
	w.int("message_count", int64(len(s.Messages)))
	var prompts []string
	for _, m := range s.Messages {
		if m.Role == session.User {
			prompts = append(prompts, m.Text())
		}
	}
	if len(prompts) > 0 {
		w.str("first_prompt", prompts[0])
		w.str("last_prompt", prompts[len(prompts)-1])
	}
	return w.end()
}

func appendMessage(dst []byte, m *session.Message) []byte {
	w := object(dst)
	w.str("role", m.Role.String())
	w.int("ordinal", int64(m.Ordinal))
	list(w, "texts", m.Texts, quoted)
	w.str("text", m.Text())
	w.int("time", m.Time)
	if m.Role == session.Assistant {
		list(w, "reasoning", m.Reasoning, quoted)
		list(w, "calls", m.Calls, appendCall)
		w.str("model", m.Model)
		w.bool("last", m.Last)
		w.int("end", m.End)
		if m.Asked >= 0 {
			w.int("asked", int64(m.Asked))
		}
	}
	return w.end()
}

func appendCall(dst []byte, c *session.Call) []byte {
	w := object(dst)
	w.str("id", c.ID)
	w.str("name", c.Name)
	w.str("source_id", c.SourceID)
	w.str("source_name", c.SourceName)
	w.name("args")
	w.dst = append(w.dst, c.Args...)
	w.str("args_json", c.Args)
	w.int("time", c.Time)
	if r := c.Result; r != nil {
		w.name("result")
		v := object(w.dst)
		v.name("content")
		v.dst = quoted(v.dst, r.Content)
		v.int("bytes", int64(len(r.Content)))
		if r.OK != nil {
			v.bool("ok", *r.OK)
		}
		v.int("time", r.Time)
		v.int("order", int64(r.Order))
		w.dst = v.end()
	}
	return w.end()
}

// batch is a step with calls. What the model said in the steps without calls
// before it stands first in its texts.
type batch struct {
	texts []string
	*session.Message
}

// batches are a turn's steps with calls, and the texts that stand after the last.
func batches(t *session.Turn) (list []batch, final []string) {
	for _, m := range t.Steps {
		final = append(final, m.Texts...)
		if len(m.Calls) > 0 {
			list = append(list, batch{final, m})
			final = nil
		}
	}
	return list, final
}

func appendTurn(dst []byte, t *session.Turn) []byte {
	w := object(dst)
	list(w, "users", t.Users, appendMessage)
	all := session.Message{}
	for _, u := range t.Users {
		all.Texts = append(all.Texts, u.Texts...)
	}
	w.str("text", all.Text())
	list(w, "steps", t.Steps, appendMessage)
	batches, final := batches(t)
	list(w, "batches", batches, func(dst []byte, b batch) []byte {
		m := *b.Message
		m.Texts = b.texts
		return appendMessage(dst, &m)
	})
	end := session.Message{Texts: final}
	w.str("final", end.Text())
	w.bool("complete", t.Complete)
	if n := len(t.Users); n > 0 {
		w.int("time", t.Users[0].Time)
		w.int("asked", int64(t.Users[n-1].Ordinal))
	} else if len(t.Steps) > 0 {
		w.int("time", t.Steps[0].Time)
	}
	if n := len(t.Steps); n > 0 {
		w.int("end", t.Steps[n-1].End)
	} else if n := len(t.Users); n > 0 {
		w.int("end", t.Users[n-1].Time)
	}
	return w.end()
}

// local reports whether a path stays below the folder that it is relative to.
func local(path string) bool {
	return path != "" && filepath.IsLocal(filepath.FromSlash(path))
}
