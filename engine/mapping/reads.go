package mapping

import "go.yaml.in/yaml/v3"

// reads are the names that expressions call, for the names that nobody does.
type reads struct {
	facts  map[string]bool
	recent []string            // facts, in the order in which they were met
	doc    bool                // the document
	lets   map[*yaml.Node]bool // by the key that declares them
}

// expression notes the names in an expression. Its words are enough: a name in
// a text that is not one keeps a lint silent, no more.
func (r *reads) expression(src string, s scope) {
	eachName(src, func(word, rest string) { r.word(word, rest, s) })
}

// eachName visits the words of an expression that are no members and stand in no
// text, each with what follows it.
func eachName(src string, visit func(word, rest string)) {
	for i := 0; i < len(src); {
		c := src[i]
		if c == '"' || c == '\'' {
			for i++; i < len(src) && src[i] != c; i++ {
				if src[i] == '\\' {
					i++
				}
			}
			i++
			continue
		}
		if !wordByte(c) {
			i++
			continue
		}
		start := i
		for i < len(src) && wordByte(src[i]) {
			i++
		}
		if start > 0 && src[start-1] == '.' {
			continue // a member
		}
		visit(src[start:i], src[i:])
	}
}

func (r *reads) word(word, rest string, s scope) {
	r.doc = r.doc || word == "doc"
	if word == "session" && rest != "" && rest[0] == '.' && !s.out.on {
		end := 1
		for end < len(rest) && wordByte(rest[end]) {
			end++
		}
		r.facts[rest[1:end]] = true
		r.recent = append(r.recent, rest[1:end])
		return
	}
	for i := len(s.Lets) - 1; i >= 0; i-- {
		if s.Lets[i].Name == word {
			r.lets[s.letKeys[i]] = true
			return
		}
	}
}

func wordByte(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
}
