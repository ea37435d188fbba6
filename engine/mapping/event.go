package mapping

import "go.yaml.in/yaml/v3"

// event reads the value of a verb that emits something.
func (d *decoder) event(verb string, n *yaml.Node, s scope) *Event {
	e := &Event{}
	switch verb {
	case "tool_call":
		o := d.object(n, "tool call")
		e.ID = d.leaf(o.at("id"), s)
		e.Name = d.leaf(o.at("name"), s)
		e.Args = d.args(o.at("args"), s)
		e.Resultless = d.condition(o.at("resultless"), s)
		d.identity(e, o, s)
	case "tool_result":
		o := d.object(n, "tool result")
		e.Call = d.leaf(o.at("call"), s)
		e.Content = d.leaf(o.at("content"), s)
		e.OK = d.leaf(o.at("ok"), s)
		e.Full = d.full(o.at("full"), s)
		d.identity(e, o, s)
	case "message":
		o := d.object(n, "message")
		e.RoleOf = d.leaf(o.at("role"), s)
		e.Content = d.leaf(o.at("content"), s)
		d.identity(e, o, s)
	default:
		e.Role = verb
		if n.Kind != yaml.MappingNode || isConst(n) {
			e.Content = d.leaf(n, s)
			break
		}
		o := d.object(n, "content")
		e.Content = d.leaf(o.at("content"), s)
		d.identity(e, o, s)
	}
	return e
}

func (d *decoder) full(n *yaml.Node, s scope) *Full {
	if n == nil {
		return nil
	}
	o := d.object(n, "full")
	if o == nil || o.at("name") == nil {
		return nil
	}
	return &Full{d.leaf(o.at("name"), s), d.filePatterns(o, "in")}
}

// identity reads what an event says in place of its frame's defaults.
func (d *decoder) identity(e *Event, o *object, s scope) {
	e.Record = d.leaf(o.at("record"), s)
	e.Time = d.leaf(o.at("time"), s)
	e.Model = d.leaf(o.at("model"), s)
	e.Step = d.leaf(o.at("step"), s)
	e.Sequence = d.leaf(o.at("sequence"), s)
	e.Component = d.leaf(o.at("component"), s)
}
