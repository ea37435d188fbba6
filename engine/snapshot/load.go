package snapshot

import (
	"bytes"

	"github.com/trajmap/trajmap/engine/convert"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/engine/session"
	"github.com/trajmap/trajmap/engine/trajectory"
	"github.com/trajmap/trajmap/engine/value"
)

// Load gives the session as its mapping read it when the snapshot was taken, from
// the records that stand in it: what a conversion needs where the mapping is not
// known any more.
func (o *Opened) Load(co convert.Options) (*convert.Source, error) {
	b := session.NewBuilder()
	err := o.activeRecords(func(r *normalize.Record) error { return b.Record(r) })
	if err != nil {
		b.Discard()
		return nil, err
	}
	result := &read.Result{Facts: map[string]string{"group": o.Source.Group, "title": o.Source.Title}}
	for _, h := range o.Portability.Hazards {
		z := read.Hazard{Code: h.Code, Count: h.Count, Verdict: string(h.Verdict)}
		if h.Line > 0 {
			z.Lines = []int{h.Line}
		}
		result.Hazards = append(result.Hazards, z)
	}
	return convert.Build(b, result, co)
}

// belongs says which reply a record is a part of, and by which model.
type belongs struct{ step, model []byte }

// activeRecords gives the records of the active context.
func (o *Opened) activeRecords(give func(*normalize.Record) error) error {
	all, err := o.belonging()
	if err != nil {
		return err
	}
	var doc value.Doc
	index := 0
	return o.eachActive(func(n int, item value.Value, text []byte) error {
		var of belongs
		if n >= 0 {
			if n >= len(all) {
				return formf("it has steps of %d records, and no step of record %d", len(all), n)
			}
			of = all[n]
		} else {
			of = belongs{bytes.Clone(item.Get("step").Raw()), bytes.Clone(item.Get("model").Raw())}
		}
		if err := doc.Parse(text); err != nil {
			return formf("a record is not JSON")
		}
		r, ok := recordOf(doc.Root())
		if !ok {
			return formf("record %d of its active context is no record of trajectory-v1", index)
		}
		if string(of.step) != "null" {
			r.Step = of.step
		}
		if len(of.model) > 2 && of.model[0] == '"' && r.Type != normalize.MetaRecord {
			r.Model = of.model[1 : len(of.model)-1]
		}
		r.Index = index
		index++
		return give(r)
	})
}

// belonging reads the steps and models of the records.
func (o *Opened) belonging() ([]belongs, error) {
	var all []belongs
	for i, name := range []string{"steps", "models"} {
		list, err := o.list(name)
		if err != nil {
			return nil, err
		}
		words := map[string][]byte{}
		n := 0
		err = each(list, func(text []byte) error {
			word := words[string(text)]
			if word == nil {
				word = bytes.Clone(text)
				words[string(text)] = word
			}
			switch {
			case i == 0:
				all = append(all, belongs{step: word})
			case n == len(all):
				return formf("it has more models than steps")
			default:
				all[n].model = word
			}
			n++
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// recordOf is a record of trajectory-v1, as a read gives it.
func recordOf(v value.Value) (r *normalize.Record, ok bool) {
	r = &normalize.Record{}
	role, content := v.Get("role").Str(), v.Get("content")
	switch role {
	case trajectory.RoleMeta:
		r.Type = normalize.MetaRecord
		r.Source, r.Cwd = text(v.Get("source")), text(v.Get("cwd"))
		r.GitBranch, r.Model = text(v.Get("git_branch")), text(v.Get("model"))
		return r, len(r.Source) > 0
	case trajectory.RoleSystem:
		r.Type = normalize.SystemRecord
	case trajectory.RoleObservation:
		r.Type = normalize.ObservationRecord
	case trajectory.RoleUser:
		r.Type = normalize.UserRecord
	case trajectory.RoleReasoning:
		r.Type = normalize.ReasoningRecord
	case trajectory.RoleTool:
		r.Type = normalize.ResultRecord
		r.CallID = text(v.Get("tool_call_id"))
		if good, known := v.Get("ok").Bool(); known && good {
			r.OK = normalize.True
		} else if known {
			r.OK = normalize.False
		}
	case trajectory.RoleAssistant:
		r.Type = normalize.AssistantRecord
		if call := v.Get("tool_calls").Index(0); call.Exists() {
			r.Type = normalize.CallRecord
			r.CallID, r.Name, r.Args = text(call.Get("id")), text(call.Get("name")), text(call.Get("args"))
		}
	default:
		return nil, false
	}
	r.Time, ok = read.Millis(v.Get("timestamp"))
	if r.Type != normalize.CallRecord {
		ok = ok && content.IsString()
		r.Content = text(content)
	}
	return r, ok
}

// text is a string in the form that records have.
func text(v value.Value) []byte {
	if !v.IsString() {
		return nil
	}
	return value.AppendText(nil, v.Body())
}
