package normalize

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// appendQuoted appends the text of JSON that is printed without white space and
// whose strings are text. Of the bytes that text escapes it holds only quotes and
// backslashes, so that most words pass as they are.
func appendQuoted(dst, json []byte) []byte {
	const chunk = 1 << 12 // of the input; the output of one may be twice as long
	for len(json) > 0 {
		in := json[:min(len(json), chunk)]
		json = json[len(in):]
		dst = slices.Grow(dst, 2*len(in)+8)
		n := quote(dst[len(dst):cap(dst)], in)
		dst = dst[:len(dst)+n]
	}
	return dst
}

// quote writes in to out, which has eight bytes more than that can need, and
// gives the number of bytes written.
func quote(out, in []byte) int {
	o := 0
	for len(in) >= 8 {
		w := binary.LittleEndian.Uint64(in)
		binary.LittleEndian.PutUint64(out[o:], w)
		slash, mark := w^ones*'\\', w^ones*'"'
		// The lowest mark is exact.
		plain := bits.TrailingZeros64(((slash-ones)&^slash|(mark-ones)&^mark)&high) >> 3
		o += plain
		if plain == 8 {
			in = in[8:]
			continue
		}
		out[o], out[o+1] = '\\', in[plain]
		o += 2
		in = in[plain+1:]
	}
	for _, c := range in {
		if c == '"' || c == '\\' {
			out[o] = '\\'
			o++
		}
		out[o] = c
		o++
	}
	return o
}
