package value

// AppendOwn appends the value's JSON without white space, with numbers and the
// order of members as the source has them: for whoever hands on what a source
// says, and not what JavaScript would make of it. Of repeated members the last
// value stands at the first one's place.
func (v Value) AppendOwn(dst []byte) []byte {
	switch v.Kind() {
	case Array:
		dst = append(dst, '[')
		first := true
		for item := range v.Items() {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = item.AppendOwn(dst)
		}
		return append(dst, ']')
	case Object:
		return v.appendOwnMembers(append(dst, '{'))
	case String:
		return append(AppendText(append(dst, '"'), v.Body()), '"')
	}
	if !v.Exists() {
		return append(dst, "null"...)
	}
	return append(dst, v.Raw()...)
}

func (v Value) appendOwnMembers(dst []byte) []byte {
	last := map[string]Value{}
	for name, m := range v.Members() {
		last[name.String()] = m
	}
	first := true
	for name := range v.Members() {
		key := name.String()
		m, open := last[key]
		if !open {
			continue
		}
		delete(last, key)
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(AppendText(append(dst, '"'), name.Body()), '"', ':')
		dst = m.AppendOwn(dst)
	}
	return append(dst, '}')
}
