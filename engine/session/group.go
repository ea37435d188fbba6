package session

import "github.com/trajmap/trajmap/engine/normalize"

// grouping is the state of the second pass over the records.
type grouping struct {
	*Builder
	answer  map[string]int // record of the result of a call
	calls   map[string]*Call
	owner   map[*Call]*Message
	cur     *Message // the open step
	arrived int
}

// group makes messages of records. Results may stand anywhere after, or even
// before, their calls.
func (b *Builder) group() {
	g := &grouping{Builder: b, answer: map[string]int{}, calls: map[string]*Call{}, owner: map[*Call]*Message{}}
	for i, r := range b.records {
		if r.kind == normalize.ResultRecord {
			g.answer[r.call] = i
		}
	}
	early := map[string]int{}
	for i := range b.records {
		r := &b.records[i]
		switch r.kind {
		case normalize.UserRecord:
			g.user(i, r)
		case normalize.SystemRecord:
			g.add(&Message{Role: System, Texts: []Text{r.text}, Time: r.time, record: i + 1})
		case normalize.ObservationRecord:
			g.add(&Message{Role: Observation, Texts: []Text{r.text}, Time: r.time, record: i + 1})
		case normalize.ResultRecord:
			_, waits := early[r.call]
			switch c := g.calls[r.call]; {
			case c != nil:
				g.attach(c, r)
			case waits:
				g.s.drop(Duplicate, normalize.ResultRecord, 1)
			default:
				early[r.call] = i
			}
		default:
			g.reply(i, r)
			if r.kind != normalize.CallRecord {
				continue
			}
			if at, ok := early[r.call]; ok {
				g.attach(g.calls[r.call], &b.records[at])
				delete(early, r.call)
			}
		}
	}
	g.s.drop(Orphan, normalize.ResultRecord, len(early))
}

func (g *grouping) add(m *Message) { g.s.Messages = append(g.s.Messages, m) }

func (g *grouping) user(i int, r *record) {
	g.cur = nil
	if n := len(g.s.Messages); n > 0 && r.key != "" {
		if last := g.s.Messages[n-1]; last.Role == User && last.key == r.key {
			last.Texts = append(last.Texts, r.text)
			return
		}
	}
	g.add(&Message{Role: User, Texts: []Text{r.text}, Time: r.time, key: r.key, record: i + 1})
}

// attach hangs a result on its call.
func (g *grouping) attach(c *Call, r *record) {
	if c.Result != nil {
		g.s.drop(Duplicate, normalize.ResultRecord, 1)
		return
	}
	c.Result = &Result{Content: r.text, Bytes: r.bytes, OK: r.ok, Time: r.time, Order: g.arrived}
	g.arrived++
	g.owner[c].answered = true
}

// reply takes something of the model's into the open step, or opens one.
func (g *grouping) reply(i int, r *record) {
	if g.opens(i, r) {
		g.cur = &Message{Role: Assistant, Time: r.time, key: r.key, Model: r.model, record: i + 1}
		g.add(g.cur)
	}
	m := g.cur
	if m.key == "" {
		m.key = r.key // the first of its records that has one says which reply it is
	}
	if m.Model == "" {
		m.Model = r.model
	}
	switch r.kind {
	case normalize.ReasoningRecord:
		m.Reasoning = append(m.Reasoning, r.text)
	case normalize.AssistantRecord:
		m.Texts = append(m.Texts, r.text)
	default:
		c := &Call{SourceID: r.call, SourceName: r.name, Args: r.text, Time: r.time, Resultless: r.none, record: i + 1}
		g.calls[r.call], g.owner[c] = c, m
		m.Calls = append(m.Calls, c)
		g.s.Calls = append(g.s.Calls, c)
	}
}

// opens reports whether a record begins a new step. The identity of the native
// message decides where both are known; else the state of the calls does.
func (g *grouping) opens(i int, r *record) bool {
	m := g.cur
	switch {
	case m == nil:
		return true
	case m.key != "" && r.key != "":
		return m.key != r.key
	case m.answered:
		return true
	case len(m.Calls) > 0:
		// While a result is still to come the reply may still go on.
		for _, c := range m.Calls {
			if at, ok := g.answer[c.SourceID]; ok && at > i {
				return false
			}
		}
		return true
	}
	return r.kind == normalize.ReasoningRecord && len(m.Texts) > 0
}

// count counts the records that messages hold.
func (s *Session) count() {
	s.Kept, s.First = Counts{}, Counts{}
	note := func(kind normalize.Type, n, record int) {
		if n > 0 && s.Kept[kind] == 0 {
			s.First[kind] = record
		}
		s.Kept[kind] += n
	}
	for _, m := range s.Messages {
		note(m.Role.kind(), len(m.Texts), m.record)
		note(normalize.ReasoningRecord, len(m.Reasoning), m.record)
		for _, c := range m.Calls {
			note(normalize.CallRecord, 1, c.record)
			if c.Result != nil {
				note(normalize.ResultRecord, 1, c.record)
			}
		}
	}
}

// number forms turns and numbers the messages.
func (s *Session) number() {
	var turn *Turn
	asked, n := -1, 0
	for _, m := range s.Messages {
		if m.Role.Note() {
			continue
		}
		m.Ordinal = n
		n++
		if turn == nil || m.Role == User && len(turn.Steps) > 0 {
			turn = &Turn{}
			s.Turns = append(s.Turns, turn)
		}
		if m.Role == User {
			turn.Users = append(turn.Users, m)
			asked = m.Ordinal
			continue
		}
		m.Asked = asked
		turn.Steps = append(turn.Steps, m)
	}
	for _, t := range s.Turns {
		t.close()
	}
}

// close says where a turn's last calls are and whether it is complete.
func (t *Turn) close() {
	last := true
	t.Complete = len(t.Steps) > 0
	for i := len(t.Steps) - 1; i >= 0; i-- {
		m := t.Steps[i]
		m.Last = last && len(m.Calls) == 0
		last = m.Last
		for _, c := range m.Calls {
			t.Complete = t.Complete && (c.Result != nil || c.Resultless)
		}
	}
	if n := len(t.Steps); n > 0 {
		end := t.Steps[n-1]
		t.Complete = t.Complete && len(end.Calls) == 0 && len(end.Texts) > 0
	}
}

// measure says how large the session is.
func (s *Session) measure() {
	for _, m := range s.Messages {
		if m.Role.Note() {
			continue
		}
		said := 0
		for _, t := range m.Texts {
			said += t.Size()
		}
		s.Wordiest, s.Size = max(s.Wordiest, said), s.Size+said
		for _, c := range m.Calls {
			s.Size += c.Args.Size()
			if c.Result != nil {
				s.Size += c.Result.Content.Size()
			}
		}
	}
}
