package convert

import (
	"fmt"

	"github.com/trajmap/trajmap/engine/manifest"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/session"
)

// Losses say what became of the records, by the names of their kinds.
type Losses map[string]*manifest.Loss

// kinds are the kinds of records that losses are counted by.
var kinds = [...]struct {
	name string
	kind normalize.Type
}{
	{"user", normalize.UserRecord},
	{"assistant", normalize.AssistantRecord},
	{"tool_call", normalize.CallRecord},
	{"tool_result", normalize.ResultRecord},
	{"reasoning", normalize.ReasoningRecord},
	{"system", normalize.SystemRecord},
	{"observation", normalize.ObservationRecord},
}

// ContinuationUnverified is the code of a target of which it is not known that
// its model gets what was written.
const ContinuationUnverified = "continuation_unverified"

// CallsParted is the code of a target that, as it was asked for, does not tell
// which calls were made at once.
const CallsParted = "calls_parted"

// Codes of what no target, or this target, has a place for.
const (
	UntranslatedReasoning   = "untranslated-reasoning"
	UntranslatedSystem      = "untranslated-system"
	UntranslatedObservation = "untranslated-observation"
)

var untranslated = map[normalize.Type]string{
	normalize.ReasoningRecord:   UntranslatedReasoning,
	normalize.SystemRecord:      UntranslatedSystem,
	normalize.ObservationRecord: UntranslatedObservation,
}

// Lossless are the books of a session of which nothing is left out.
func Lossless(s *session.Session) Losses {
	losses := Losses{}
	for _, k := range kinds {
		losses[k.name] = &manifest.Loss{In: s.In[k.kind], Written: s.In[k.kind], Dropped: map[string]int{}}
	}
	return losses
}

// account makes the books: what the session took, what was read back of what was
// written. Texts may have been joined, nothing else; a sum that does not come
// out is an error.
func account(from, back *session.Session, c *Comparison) (Losses, error) {
	losses := Losses{}
	for _, k := range kinds {
		l := &manifest.Loss{In: from.In[k.kind], Written: back.Kept[k.kind], Dropped: map[string]int{}}
		for reason, counts := range from.Dropped {
			if n := counts[k.kind]; n > 0 {
				l.Dropped[reason] = n
			}
		}
		kept := from.Kept[k.kind]
		switch k.kind {
		case normalize.CallRecord:
		case normalize.ResultRecord:
			for _, call := range from.Calls {
				if call.Result != nil && call.Result.Synthesized {
					l.Synthesized++
				}
			}
			l.Written -= l.Synthesized
			l.StatusAssumed, l.StatusLost = c.StatusAssumed, c.StatusLost
		case normalize.UserRecord, normalize.AssistantRecord:
			if k.kind == normalize.UserRecord && from.Prefaced {
				l.Synthesized, l.Written = 1, l.Written-1
			}
			l.Joined = kept - l.Written
		default:
			if n := kept - l.Written; n > 0 {
				l.Dropped[untranslated[k.kind]] = n
			}
		}
		if l.Sum() != l.In || l.Joined < 0 {
			return nil, fmt.Errorf("internal: the books of %s records do not add up: %+v", k.name, *l)
		}
		losses[k.name] = l
	}
	return losses, nil
}
