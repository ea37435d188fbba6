// Package session groups the records of a session into what writers render: the
// messages that a model was sent and the replies that it gave, with the results
// of its calls, and the turns that they form.
//
// Everything is decided once, here; no writer groups by itself. Records come
// from a read of the active view without bounds.
package session

import "github.com/trajmap/trajmap/engine/normalize"

// Session is a conversation as a target's files carry it.
type Session struct {
	Source    string // harness that it comes from
	Group     string // its id there; "" when the source has none
	Title     string
	Cwd       string
	GitBranch string
	Model     string
	Created   int64 // ms since 1970, as all times
	Updated   int64
	Seed      string // SHA-256 of its records, in hexadecimal: what ids are made of

	Messages []*Message
	Turns    []*Turn
	Calls    []*Call
	Longest  int  // bytes of the longest result
	Wordiest int  // bytes, as JSON, of what was said in the longest message
	Size     int  // bytes, as JSON, of all texts, arguments and results
	Whole    int  // turns before any were cut off
	Prefaced bool // see Preface

	Passes  []Pass            // what the shared passes changed
	In      Counts            // records that were taken
	Kept    Counts            // of them, those that a message holds
	First   Counts            // the number of the first one kept, from 1
	Dropped map[string]Counts // of them, those that no message holds, by reason

	store store
}

// Close forgets the texts of the session. Nothing of it may be asked for after.
func (s *Session) Close() error { return s.store.close() }

// Err is what went wrong with the file that keeps the texts: a text that was
// asked for meanwhile may be missing.
func (s *Session) Err() error { return s.store.err }

// Counts are numbers of records, by their type.
type Counts [normalize.ResultRecord + 1]int

// drop counts records that no message holds.
func (s *Session) drop(reason string, kind normalize.Type, n int) {
	if n == 0 {
		return
	}
	if s.Dropped == nil {
		s.Dropped = map[string]Counts{}
	}
	c := s.Dropped[reason]
	c[kind] += n
	s.Dropped[reason] = c
}

// Role says who speaks.
type Role uint8

// The roles. Notes are what no writer carries.
const (
	User Role = iota
	Assistant
	System
	Observation
)

func (r Role) String() string {
	return [...]string{"user", "assistant", "system", "observation"}[r]
}

// Note reports whether a message of this role is only counted.
func (r Role) Note() bool { return r == System || r == Observation }

// kind is the type of a text record of the role.
func (r Role) kind() normalize.Type {
	return [...]normalize.Type{
		User: normalize.UserRecord, Assistant: normalize.AssistantRecord,
		System: normalize.SystemRecord, Observation: normalize.ObservationRecord,
	}[r]
}

// Message is something said: by the user, or in one reply of the model.
type Message struct {
	Role      Role
	Ordinal   int // among users and assistants, from 0
	Sequence  int // among messages and results, from 1, in the order of writing
	Texts     []Text
	Reasoning []Text // of an assistant
	Calls     []*Call
	Model     string
	Time      int64
	End       int64 // time of its last result, or Time
	Last      bool  // no call follows in its turn
	Asked     int   // ordinal of the user message that it answers, -1 for none

	key      string // the native message that it comes from, "" when unknown
	answered bool   // a result of one of its calls has passed
	record   int    // its number, from 1
}

// Call is a tool call, with what it gave.
type Call struct {
	ID, Name   string // as a wire takes them: unique, [A-Za-z0-9_-], 64 at most
	SourceID   string
	SourceName string
	Args       Text // JSON object, the source's bytes
	Time       int64
	Result     *Result // nil when there is none
	Resultless bool    // there is none by design: what it gave only the model saw

	record int // its number, from 1
}

// Result is what a call gave.
type Result struct {
	Content     Text
	Bytes       int   // of the content itself
	OK          *bool // nil: unknown
	Time        int64
	Order       int // of arrival among all results, from 0
	Sequence    int // among messages and results, from 1, in the order of writing
	Synthesized bool
}

// Turn is what a user asked and all that the model did about it.
type Turn struct {
	Users    []*Message
	Steps    []*Message
	Complete bool // every call has a result, and the last word is the model's
}

// Pass counts what a shared pass changed.
type Pass struct {
	Code  string
	Count int
	First int // record that it changed first, 1-based
}

// Codes of the shared passes.
const (
	ToolCallIDRewritten = "tool_call_id_rewritten"
	ToolNameRewritten   = "tool_name_rewritten"
	ResultSynthesized   = "result_synthesized"
	TextRepaired        = "text_repaired"
)

// Reasons for which no message holds a record.
const (
	TailCut   = "tail_cut"              // after the last complete turn
	RangeCut  = "outside_of_turns"      // not in the turns that were asked for
	Orphan    = "orphan_tool_result"    // no call is there
	Duplicate = "duplicate_tool_result" // the call has one already
)
