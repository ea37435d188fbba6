package render

import (
	"strconv"

	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/session"
	"github.com/trajmap/trajmap/engine/value"
)

// The views are what mappings see of a session: JSON, made when it is asked for,
// without members that no expression of the mapping names. Whatever would be
// empty is absent.

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

// text writes a member that is texts joined with a blank line.
func (r *renderer) joined(w *members, name string, texts []session.Text) {
	if !r.wants(name) || len(texts) == 0 || len(texts) == 1 && texts[0].Size() == 0 {
		return
	}
	w.name(name)
	w.dst = append(session.Join(append(w.dst, '"'), texts, session.Blank), '"')
}

// texts writes a member that is a list of texts.
func (r *renderer) texts(w *members, name string, texts []session.Text) {
	if !r.wants(name) {
		return
	}
	w.name(name)
	w.dst = append(w.dst, '[')
	for i, t := range texts {
		if i > 0 {
			w.dst = append(w.dst, ',')
		}
		w.dst = append(t.Append(append(w.dst, '"')), '"')
	}
	w.dst = append(w.dst, ']')
}

// wants reports whether an expression of the mapping may ask for a member.
func (r *renderer) wants(name string) bool { return r.m.Write.Words[name] }

// appendSession appends the session without its messages, turns and calls, which
// `each` gives one by one.
func (r *renderer) appendSession(dst []byte, s *session.Session, id, seed string) []byte {
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
	w.int("wordiest", int64(s.Wordiest))
	w.int("size", int64(s.Size))
	w.int("turn_count", int64(len(s.Turns)))
	w.int("message_count", int64(len(s.Messages)))
	w.int("call_count", int64(len(s.Calls)))
	first := true
	var last *session.Message
	for _, m := range s.Messages {
		if m.Role != session.User {
			continue
		}
		if first {
			r.joined(w, "first_prompt", m.Texts)
			first = false
		}
		last = m
	}
	if last != nil {
		r.joined(w, "last_prompt", last.Texts)
	}
	return w.end()
}

// messages gives messages one by one.
func (r *renderer) messages(list []*session.Message, visit func() error) error {
	return stream(r, list, &r.message, r.appendMessage, visit)
}

func (r *renderer) appendMessage(dst []byte, m *session.Message) []byte {
	w := object(dst)
	w.str("role", m.Role.String())
	w.int("ordinal", int64(m.Ordinal))
	w.int("sequence", int64(m.Sequence))
	r.texts(w, "texts", m.Texts)
	r.joined(w, "text", m.Texts)
	w.int("time", m.Time)
	if m.Role == session.Assistant {
		r.texts(w, "reasoning", m.Reasoning)
		w.int("call_count", int64(len(m.Calls)))
		w.str("model", m.Model)
		w.bool("last", m.Last)
		w.int("end", m.End)
		if m.Asked >= 0 {
			w.int("asked", int64(m.Asked))
		}
	}
	return w.end()
}

func (r *renderer) appendCall(dst []byte, c *session.Call) []byte {
	w := object(dst)
	w.str("id", c.ID)
	w.str("name", c.Name)
	w.str("source_id", c.SourceID)
	w.str("source_name", c.SourceName)
	if r.wants("args") {
		w.name("args")
		w.dst = append(w.dst, c.Args.String()...)
	}
	r.joined(w, "args_json", []session.Text{c.Args})
	w.int("time", c.Time)
	if res := c.Result; res != nil {
		w.name("result")
		v := object(w.dst)
		v.name("content")
		v.dst = append(res.Content.Append(append(v.dst, '"')), '"')
		v.int("bytes", int64(res.Bytes))
		if res.OK != nil {
			v.bool("ok", *res.OK)
		}
		v.int("time", res.Time)
		v.int("order", int64(res.Order))
		v.int("sequence", int64(res.Sequence))
		w.dst = v.end()
	}
	return w.end()
}

// batches are a turn's steps with calls. What the model said in the steps
// without calls before one stands first in its texts.
func batches(t *session.Turn) []*session.Message {
	var list []*session.Message
	var texts []session.Text
	for _, m := range t.Steps {
		texts = append(texts, m.Texts...)
		if len(m.Calls) > 0 {
			batch := *m
			batch.Texts = texts
			list = append(list, &batch)
			texts = nil
		}
	}
	return list
}

// final are the texts that stand after a turn's last call.
func final(t *session.Turn) []session.Text {
	var texts []session.Text
	for _, m := range t.Steps {
		if texts = append(texts, m.Texts...); len(m.Calls) > 0 {
			texts = nil
		}
	}
	return texts
}

func (r *renderer) appendTurn(dst []byte, t *session.Turn) []byte {
	w := object(dst)
	var asked []session.Text
	for _, u := range t.Users {
		asked = append(asked, u.Texts...)
	}
	r.joined(w, "text", asked)
	r.joined(w, "final", final(t))
	w.bool("complete", t.Complete)
	begin, end := int64(0), int64(0)
	if n := len(t.Users); n > 0 {
		begin, end = t.Users[0].Time, t.Users[n-1].Time
		w.int("asked", int64(t.Users[n-1].Ordinal))
	} else if len(t.Steps) > 0 {
		begin = t.Steps[0].Time
	}
	if n := len(t.Steps); n > 0 {
		end = t.Steps[n-1].End
	}
	w.int("time", begin)
	w.int("end", end)
	return w.end()
}

func appendOptions(dst []byte, o Options, own []*mapping.OutOption) []byte {
	w := object(dst)
	for _, option := range own {
		v, asked := o.Own[option.Name]
		if !asked {
			v = option.Values[0]
		}
		w.str(option.Name, v)
	}
	w.str("model", o.Model)
	w.str("provider", o.Provider)
	if o.KeepReasoning {
		w.str("reasoning", "keep")
	}
	return w.end()
}

func appendPlace(dst []byte, p Place) []byte {
	w := object(dst)
	w.str("home", p.Home)
	w.str("temp", p.Temp)
	return w.end()
}
