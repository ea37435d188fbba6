package read

import (
	"cmp"
	"slices"
	"strings"
)

// Ledger accounts for every native frame, and for every part of one that a
// mapping tells apart by its kind: each ends in exactly one bucket.
type Ledger struct {
	Entries []Entry
	Keys    []Key `json:",omitempty"` // departures from the native schema, when asked for
	Frames  int   // frames that could be parsed
	Invalid int   // frames that are not JSON objects, or too long
	mapped  int
	root    account
}

// Buckets of the ledger; a dropped or ignored one is followed by its reason.
const (
	Mapped   = "mapped"
	Dropped  = "dropped"
	Ignored  = "ignored"
	Unmapped = "unmapped"
)

// Entry counts the frames or parts of one kind in one bucket.
type Entry struct {
	Kind   string `json:"kind"` // "event_msg/agent_reasoning"; "" for a missing kind
	Bucket string `json:"bucket"`
	Reason string `json:"reason,omitempty"`
	Count  int    `json:"count"`
	Line   int    `json:"line,omitempty"` // first, 1-based; 0 where there are no lines
}

// Key is a departure from the native schema.
type Key struct {
	Path    string `json:"path"`
	Problem string `json:"problem"`
	Count   int    `json:"count"`
	Line    int    `json:"line,omitempty"`
}

// account is a node of the tree of kinds.
type account struct {
	kind    string
	parent  *account
	kinds   map[string]*account
	buckets []Entry
}

func (a *account) child(kind []byte) *account {
	if c, ok := a.kinds[string(kind)]; ok {
		return c
	}
	if a.kinds == nil {
		a.kinds = map[string]*account{}
	}
	c := &account{kind: string(kind), parent: a}
	a.kinds[c.kind] = c
	return c
}

func (a *account) path() string {
	if a.parent == nil || a.parent.parent == nil {
		return a.kind
	}
	return a.parent.path() + "/" + a.kind
}

// add counts one more in a bucket and gives how many there are now.
func (a *account) add(bucket, reason string, line int) int {
	for i := range a.buckets {
		if e := &a.buckets[i]; e.Bucket == bucket && e.Reason == reason {
			e.Count++
			return e.Count
		}
	}
	a.buckets = append(a.buckets, Entry{Bucket: bucket, Reason: reason, Count: 1, Line: line})
	return 1
}

// close lists the accounts, and the frames that were left out, by kind.
func (l *Ledger) close(inactive map[string]*Entry) {
	l.Entries = nil
	l.collect(&l.root)
	for _, e := range inactive {
		l.Entries = append(l.Entries, *e)
		l.Frames += e.Count
	}
	slices.SortFunc(l.Entries, func(a, b Entry) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Bucket, b.Bucket), strings.Compare(a.Reason, b.Reason))
	})
}

// known reports whether the mapping names every frame there is, of a closed
// ledger.
func (l *Ledger) known() bool {
	return l.Frames > 0 && l.Invalid == 0 && !slices.ContainsFunc(l.Entries, func(e Entry) bool { return e.Bucket == Unmapped })
}

func (l *Ledger) collect(a *account) {
	for _, e := range a.buckets {
		e.Kind = a.path()
		l.Entries = append(l.Entries, e)
	}
	for _, c := range a.kinds {
		l.collect(c)
	}
}
