package expr

import (
	"github.com/trajmap/trajmap/engine/value"
)

var fnText = &function{
	Function: Function{
		Name: "text", Signature: "text(v[, sep])", Result: "str or null",
		Doc: "A string itself. Of a list, its text blocks joined with `sep`, a line feed unless given: the non-empty `text` " +
			"of blocks of type `text`, `input_text` or `output_text`, or without a type, and `[image]` for an image. " +
			"Null when no block contributes, and for everything else.",
		Examples: []Example{
			{`text("a")`, `"a"`},
			{`text([{"type": "text", "text": "a"}, {"type": "image"}, {"text": "b"}])`, `"a\n[image]\nb"`},
			{`text([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "")`, `"ab"`},
			{`text([{"type": "tool_use"}])`, `null`},
		},
	},
	min: 1, max: 2, gives: dynType,
	run: func(s *Scope, args []value.Value) value.Value { return s.text(args) },
}

var (
	lineFeed  = value.MustParse(`"\n"`)
	emptyText = value.MustParse(`""`)
	imageText = value.MustParse(`"[image]"`)
	emptyList = value.MustParse(`[]`)
)

func (s *Scope) text(args []value.Value) value.Value {
	v := args[0]
	if v.IsString() {
		return v
	}
	base := len(s.stack)
	defer s.pop(base)
	for b := range v.Items() {
		if t := blockText(b); t.Exists() {
			s.stack = append(s.stack, t)
		}
	}
	switch texts := s.stack[base:]; {
	case len(texts) == 0:
		return value.Value{}
	case len(texts) == 1:
		return texts[0]
	case len(args) > 1 && args[1].IsString():
		return s.join(texts, args[1])
	default:
		return s.join(texts, lineFeed)
	}
}

// blockText is what a content block contributes to a text; absent for nothing.
func blockText(b value.Value) value.Value {
	kind := b.Get("type")
	switch {
	case kind.IsNull(), kind.Equal("text"), kind.Equal("input_text"), kind.Equal("output_text"):
		if t := b.Get("text"); len(t.Body()) > 0 {
			return t
		}
	case kind.Equal("image"):
		return imageText
	}
	return value.Value{}
}

var fnStr = &function{
	Function: Function{
		Name: "str", Signature: "str(v)", Result: "str",
		Doc: "Null is `\"\"`, a string itself, everything else its JSON.",
		Examples: []Example{
			{`str(null)`, `""`}, {`str("a")`, `"a"`}, {`str(1)`, `"1"`}, {`str([1, true])`, `"[1,true]"`},
		},
	},
	min: 1, max: 1, gives: stringType,
	run: func(s *Scope, args []value.Value) value.Value { return s.str(args[0]) },
}

func (s *Scope) str(v value.Value) value.Value {
	switch v.Kind() {
	case value.String:
		return v
	case value.Null:
		return emptyText
	}
	return s.json(v)
}

var fnShow = &function{
	Function: Function{
		Name: "show", Signature: "show(v)", Result: "str",
		Doc: "`text(v)` when that is not empty, else `str(v)`.",
		Examples: []Example{
			{`show([{"type": "text", "text": "a"}])`, `"a"`}, {`show({"a": 1})`, `"{\"a\":1}"`}, {`show(null)`, `""`},
		},
	},
	min: 1, max: 1, gives: stringType,
	run: func(s *Scope, args []value.Value) value.Value {
		if t := s.text(args); len(t.Body()) > 0 {
			return t
		}
		return s.str(args[0])
	},
}

var fnJSON = &function{
	Function: Function{
		Name: "json", Signature: "json(v)", Result: "str or null",
		Doc: "The JSON of a value as JSON.stringify prints it, members in the source's order. Null stays null.",
		Examples: []Example{
			{`json(parse("{\"b\": 1, \"a\": [1.0]}"))`, `"{\"b\":1,\"a\":[1]}"`}, {`json("a")`, `"\"a\""`}, {`json(null)`, `null`},
		},
	},
	min: 1, max: 1, gives: dynType,
	run: func(s *Scope, args []value.Value) value.Value {
		if args[0].IsNull() {
			return value.Value{}
		}
		return s.json(args[0])
	},
}

func (s *Scope) json(v value.Value) value.Value {
	s.buf = v.AppendJSON(s.buf[:0])
	return s.Arena.Text(func(dst []byte) []byte { return value.AppendEncoded(dst, s.buf) })
}

var fnParse = &function{
	Function: Function{
		Name: "parse", Signature: "parse(v)", Result: "value",
		Doc: "The value of the JSON in a string, null when that is not JSON. What is no string stays as it is.",
		Examples: []Example{
			{`parse("{\"a\": [1]}")`, `{"a":[1]}`}, {`parse("no")`, `null`}, {`parse(1)`, `1`},
		},
	},
	min: 1, max: 1, gives: dynType,
	run: func(s *Scope, args []value.Value) value.Value {
		if !args[0].IsString() {
			return args[0]
		}
		return s.Arena.JSON(func(dst []byte) []byte {
			return escapeSurrogates(value.AppendDecoded(dst, args[0].Body()))
		})
	},
}

var fnLines = &function{
	Function: Function{
		Name: "lines", Signature: "lines(list)", Result: "str",
		Doc:      "The `str` of each item, joined with line feeds. What is no list is taken as `list(v)`.",
		Examples: []Example{{`lines(["a", 1, null])`, `"a\n1\n"`}, {`lines([])`, `""`}, {`lines("a")`, `"a"`}},
	},
	min: 1, max: 1, gives: stringType,
	run: func(s *Scope, args []value.Value) value.Value {
		base := s.pushList(args[0])
		defer s.pop(base)
		return s.lines(s.stack[base:])
	},
}

func (s *Scope) lines(items []value.Value) value.Value {
	if len(items) == 1 {
		return s.str(items[0])
	}
	return s.Arena.Text(func(dst []byte) []byte {
		for i, v := range items {
			if i > 0 {
				dst = append(dst, '\\', 'n')
			}
			switch v.Kind() {
			case value.Null:
			case value.String:
				dst = value.AppendText(dst, v.Body())
			default:
				s.buf = v.AppendJSON(s.buf[:0])
				dst = value.AppendEncoded(dst, s.buf)
			}
		}
		return dst
	})
}

var fnTrim = &function{
	Function: Function{
		Name: "trim", Signature: "trim(v)", Result: "str",
		Doc:      "`str(v)` without white space at its ends. White space is what JavaScript takes for it.",
		Examples: []Example{{`trim("\n a b\t")`, `"a b"`}, {`trim(null)`, `""`}},
	},
	min: 1, max: 1, gives: stringType,
	run: func(s *Scope, args []value.Value) value.Value {
		v := s.str(args[0])
		if tight(v.Body()) {
			return v
		}
		all := s.decode(v)
		if part := trimmed(all); len(part) < len(all) {
			return s.sub(v, part)
		}
		return v
	},
}

var fnUnwrap = &function{
	Function: Function{
		Name: "unwrap", Signature: "unwrap(v, tag)", Result: "value",
		Doc: "The text between `<tag>`, which may have attributes, and `</tag>` when these are the ends of a string, white space aside; else the value as it is.",
		Examples: []Example{
			{`unwrap("<q mode=\"act\">a\nb</q>\n", "q")`, `"a\nb"`}, {`unwrap("a", "q")`, `"a"`}, {`unwrap("<query>a</q>", "q")`, `"<query>a</q>"`},
		},
	},
	min: 2, max: 2, gives: dynType,
	run: func(s *Scope, args []value.Value) value.Value {
		v := args[0]
		if !v.IsString() || !args[1].IsString() {
			return v
		}
		if inner, ok := unwrapped(trimmed(s.decode(v)), args[1].Str()); ok {
			return s.sub(v, inner)
		}
		return v
	},
}
