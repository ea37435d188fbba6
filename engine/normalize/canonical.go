package normalize

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/trajmap/trajmap/engine/trajectory"
	"github.com/trajmap/trajmap/engine/value"
)

// DefaultGroup is the group of sessions whose source knows none.
const DefaultGroup = "default"

// Times in the order of rows that have none of their own.
const (
	metaOrderTime = "0000-00-00T00:00:00.000Z"
	noOrderTime   = "0000-00-00T00:00:00.001Z"
)

// Canonical makes the rows of the canonical view of one session. It lives as long
// as the [Plan] that it comes from.
type Canonical struct {
	source []byte // text
	group  []byte // text
	base   int64

	json   []byte // record_json of the row at hand
	buf    []byte // what is hashed
	stable []byte // stable_source_record_id of the row at hand, text
}

// Canonical begins the canonical view. The error is a *[trajectory.Error]: the
// session's group is not known, or is another than the one that was given.
func (pl *Plan) Canonical() (*Canonical, error) {
	given := value.AppendEncoded(nil, pl.p.o.Group)
	c := pl.context
	switch {
	case len(given) == 0 && c.GroupAmbiguous:
		return nil, trajectory.Errorf(trajectory.SourceGroupRequired,
			"the input holds several sessions: say which group its records belong to")
	case len(given) == 0 && len(c.Group) == 0 && c.GroupRequired:
		return nil, trajectory.Errorf(trajectory.SourceGroupRequired,
			"the input does not say which session it is: say which group its records belong to")
	case len(given) > 0 && len(c.Group) > 0 && string(given) != string(c.Group):
		return nil, trajectory.Errorf(trajectory.SourceGroupConflict,
			"the input belongs to another group than the one that was given")
	}
	rows := &pl.p.rows
	rows.source, rows.base = pl.meta.Source, pl.p.o.BaseOffset
	switch {
	case len(c.Group) > 0:
		rows.group = c.Group
	case len(given) > 0:
		rows.group = given
	default:
		rows.group = []byte(DefaultGroup)
	}
	return rows, nil
}

// Append appends the row of one record as a JSON object.
func (c *Canonical) Append(dst []byte, r *Record) []byte {
	group := c.group
	if len(r.Group) > 0 {
		group = r.Group
	}
	c.json = r.AppendSorted(c.json[:0])
	content := c.contentHash(r)
	kind := c.identify(r, group, content)

	dst = appendField(dst, `{"source_type":"`, c.source)
	dst = appendField(dst, `","source_group_id":"`, group)
	dst = appendField(dst, `","stable_source_record_id":"`, c.stable)
	dst = append(append(dst, `","source_identity_kind":"`...), kind...)
	dst = append(dst, `","source_order_id":"`...)
	dst = c.appendOrder(dst, r)
	dst = append(dst, `","component_index":`...)
	dst = strconv.AppendInt(dst, int64(r.Component), 10)
	dst = append(append(dst, `,"record_type":"`...), r.Type.String()...)
	dst = append(dst, `","record_id":"`...)
	dst = c.appendRecordID(dst, r, group)
	dst = append(dst, `","record_hash":"`...)
	dst = appendSum(dst, c.json)
	dst = append(append(dst, `","content_hash":"`...), content[:]...)
	dst = append(dst, '"')
	dst = appendTimes(dst, r)
	dst = appendFlat(dst, r)
	dst = append(dst, `,"record_json":"`...)
	dst = appendQuoted(dst, c.json)
	return append(dst, `"}`...)
}

// appendTimes appends the source's time and the record's.
func appendTimes(dst []byte, r *Record) []byte {
	if r.Type == MetaRecord {
		return append(dst, `,"source_timestamp":null,"record_timestamp":null`...)
	}
	if r.HasSourceTime {
		dst = append(dst, `,"source_timestamp":"`...)
		dst = AppendTime(dst, r.Time)
		dst = append(dst, `","record_timestamp":"`...)
	} else {
		dst = append(dst, `,"source_timestamp":null,"record_timestamp":"`...)
	}
	dst = AppendTime(dst, r.Time)
	return append(dst, '"')
}

// appendFlat appends the fields that make a row readable without its JSON.
func appendFlat(dst []byte, r *Record) []byte {
	switch r.Type {
	case MetaRecord:
		return append(dst, `,"content":null,"tool_call_id":null,"tool_name":null,"tool_arguments_json":null,"tool_result_json":null,"tool_result_ok":null`...)
	case CallRecord:
		dst = appendField(dst, `,"content":null,"tool_call_id":"`, r.CallID)
		dst = appendField(dst, `","tool_name":"`, r.Name)
		dst = appendField(dst, `","tool_arguments_json":"`, r.Args)
		return append(dst, `","tool_result_json":null,"tool_result_ok":null`...)
	case ResultRecord:
		dst = appendField(dst, `,"content":null,"tool_call_id":"`, r.CallID)
		dst = appendField(dst, `","tool_name":null,"tool_arguments_json":null,"tool_result_json":"`, r.Content)
		switch r.OK {
		case True:
			return append(dst, `","tool_result_ok":true`...)
		case False:
			return append(dst, `","tool_result_ok":false`...)
		}
		return append(dst, `","tool_result_ok":null`...)
	}
	dst = appendField(dst, `,"content":"`, r.Content)
	return append(dst, `","tool_call_id":null,"tool_name":null,"tool_arguments_json":null,"tool_result_json":null,"tool_result_ok":null`...)
}

// identify sets stable, the identity of the native record that r comes from, and
// says what it was derived from.
func (c *Canonical) identify(r *Record, group []byte, content [64]byte) (kind string) {
	switch {
	case r.Type == MetaRecord:
		c.stable = append(c.stable[:0], "meta"...)
		return "synthetic"
	case len(r.ID) > 0:
		c.stable = append(c.stable[:0], r.ID...)
		return "native"
	}
	kind = "location"
	b := appendUTF8(c.buf[:0], group)
	switch {
	case r.OffsetUnit == Byte:
		b = strconv.AppendInt(append(b, "|byte|"...), r.Offset+c.base, 10)
	case r.OffsetUnit == Ordinal:
		b = strconv.AppendInt(append(b, "|ordinal|"...), r.Offset, 10)
	case r.HasSeq:
		b = strconv.AppendInt(append(b, "|seq|"...), r.Seq, 10)
	default:
		kind = "content"
		b = append(append(b, "|content|"...), r.Type.String()...)
		b = append(append(b, '|'), content[:]...)
		b = strconv.AppendInt(append(b, '|'), int64(r.Component), 10)
	}
	c.buf = b
	c.stable = appendSum(c.stable[:0], b)
	return kind
}

// appendOrder appends what rows of a group are sorted by. It never uses a time
// that was made up from the record's place.
func (c *Canonical) appendOrder(dst []byte, r *Record) []byte {
	switch {
	case r.Type == MetaRecord:
		dst = append(dst, "0|"+metaOrderTime+"|"...)
	case r.HasSourceTime:
		dst = append(AppendTime(append(dst, "1|"...), r.Time), '|')
	default:
		dst = append(dst, "1|"+noOrderTime+"|"...)
	}
	const zeros = "00000000000000000000"
	var digits [20]byte
	seq := digits[:0]
	if r.HasSeq {
		seq = strconv.AppendInt(seq, r.Seq, 10)
	}
	dst = append(dst, zeros[min(len(seq), len(zeros)):]...)
	dst = append(append(dst, seq...), '|')
	return append(dst, c.stable...)
}

func (c *Canonical) appendRecordID(dst []byte, r *Record, group []byte) []byte {
	b := appendField(c.buf[:0], `["`, group)
	b = appendField(b, `","`, c.stable)
	b = append(b, `","`...)
	switch r.Type {
	case MetaRecord:
		b = append(b, "meta"...)
	case CallRecord:
		b = appendField(b, "tool-call:", r.CallID)
	case ResultRecord:
		b = appendField(b, "tool-result:", r.CallID)
	case ObservationRecord:
		b = strconv.AppendInt(append(b, "observation:"...), int64(r.Ordinal), 10)
	case ReasoningRecord:
		b = strconv.AppendInt(append(b, "reasoning:"...), int64(r.Ordinal), 10)
	default:
		b = strconv.AppendInt(append(b, "message:"...), int64(r.Ordinal), 10)
	}
	c.buf = append(b, `"]`...)
	return appendSum(dst, c.buf)
}

// contentHash is the hash of what a record says, without when and where.
func (c *Canonical) contentHash(r *Record) (sum [64]byte) {
	b := append(c.buf[:0], `{"content":`...)
	switch r.Type {
	case MetaRecord:
		b = r.appendMetaSorted(b, "")
	case CallRecord:
		b = appendField(b, `{"args":"`, r.Args)
		b = appendField(b, `","name":"`, r.Name)
		b = append(b, `"}`...)
	case ResultRecord:
		b = appendField(b, `{"content":"`, r.Content)
		b = append(append(b, '"'), okMember(r.OK)...)
		b = append(b, '}')
	default:
		b = appendField(b, `{"content":"`, r.Content)
		b = append(b, `"}`...)
	}
	b = append(append(b, `,"type":"`...), r.Type.String()...)
	c.buf = append(b, `"}`...)
	s := sha256.Sum256(c.buf)
	hex.Encode(sum[:], s[:])
	return sum
}

// AppendSorted appends the record with its members sorted, at every level.
func (r *Record) AppendSorted(dst []byte) []byte {
	switch r.Type {
	case MetaRecord:
		return r.appendMetaSorted(dst, `"role":"meta",`)
	case CallRecord:
		dst = append(dst, `{"content":null,"role":"assistant","timestamp":"`...)
		dst = AppendTime(dst, r.Time)
		dst = appendField(dst, `","tool_calls":[{"args":"`, r.Args)
		dst = appendField(dst, `","id":"`, r.CallID)
		dst = appendField(dst, `","name":"`, r.Name)
		return append(dst, `"}]}`...)
	case ResultRecord:
		dst = appendField(dst, `{"content":"`, r.Content)
		dst = append(append(dst, '"'), okMember(r.OK)...)
		dst = append(dst, `,"role":"tool","timestamp":"`...)
		dst = AppendTime(dst, r.Time)
		dst = appendField(dst, `","tool_call_id":"`, r.CallID)
		return append(dst, `"}`...)
	}
	dst = appendField(dst, `{"content":"`, r.Content)
	dst = append(append(dst, `","role":"`...), r.Type.Role()...)
	dst = append(dst, `","timestamp":"`...)
	dst = AppendTime(dst, r.Time)
	return append(dst, `"}`...)
}

// appendMetaSorted appends a meta record; role is its role member, or nothing.
func (r *Record) appendMetaSorted(dst []byte, role string) []byte {
	dst = append(dst, '{')
	for _, m := range [...]struct {
		name string
		text []byte
	}{{`"cwd":"`, r.Cwd}, {`"git_branch":"`, r.GitBranch}, {`"model":"`, r.Model}} {
		if len(m.text) > 0 {
			dst = append(appendField(dst, m.name, m.text), `",`...)
		}
	}
	dst = append(dst, role...)
	dst = appendField(dst, `"source":"`, r.Source)
	return append(dst, `"}`...)
}

func okMember(ok Tri) string {
	switch ok {
	case True:
		return `,"ok":true`
	case False:
		return `,"ok":false`
	}
	return ""
}

// appendUTF8 appends what a text stands for, a lone surrogate as U+FFFD: what a
// hash over bytes sees.
func appendUTF8(dst, text []byte) []byte {
	at := len(dst)
	dst = value.AppendDecoded(dst, text)
	for i := at; i+2 < len(dst); i++ {
		if dst[i] == 0xed && dst[i+1] >= 0xa0 {
			copy(dst[i:], "\uFFFD")
		}
	}
	return dst
}

func appendSum(dst, b []byte) []byte {
	sum := sha256.Sum256(b)
	return hex.AppendEncode(dst, sum[:])
}
