package sqlite

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/trajmap/trajmap/engine/trajectory"
	"github.com/trajmap/trajmap/engine/value"
)

// encoder makes JSON of rows.
type encoder struct {
	limit int64 // of a decompressed value, in bytes
	zstd  *zstd.Decoder
	plain []byte
}

var (
	// errTooBig is of a value that is longer than the limit once it is
	// decompressed.
	errTooBig  = errors.New("a value is longer than the limit")
	errDamaged = trajectory.Errorf(trajectory.InvalidInput, "a compressed value of the database is damaged")
)

// row appends a row as JSON: what its only column named whole holds, or an
// object.
func (e *encoder) row(dst []byte, columns []string, row []any, whole string) ([]byte, error) {
	if len(columns) == 1 && columns[0] == whole {
		switch v := row[0].(type) {
		case string:
			return appendText(dst, v), nil
		case []byte:
			text, err := e.decompressed(v)
			if errors.Is(err, errDamaged) {
				return dst, nil // a frame that is no JSON
			}
			return appendText(dst, text), err
		}
		return e.value(dst, row[0])
	}
	dst = append(dst, '{')
	for i, v := range row {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '"')
		dst = value.AppendEncoded(dst, columns[i])
		dst = append(dst, '"', ':')
		var err error
		if dst, err = e.value(dst, v); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// appendText appends a text. Bytes that are not UTF-8 become U+FFFD.
func appendText[S ~string | ~[]byte](dst []byte, s S) []byte {
	at := len(dst)
	dst = append(dst, s...)
	if !utf8.Valid(dst[at:]) {
		dst = append(dst[:at], string([]rune(string(dst[at:])))...)
	}
	return dst
}

func (e *encoder) value(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case int64:
		return strconv.AppendInt(dst, v, 10), nil
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return append(dst, "null"...), nil
		}
		return value.AppendNumber(dst, v), nil
	case string:
		dst = append(dst, '"')
		dst = value.AppendEncoded(dst, v)
		return append(dst, '"'), nil
	case []byte:
		text, err := e.decompressed(v)
		if err != nil {
			return dst, err
		}
		dst = append(dst, '"')
		if utf8.Valid(text) {
			dst = value.AppendEncoded(dst, text)
		} else {
			dst = base64.StdEncoding.AppendEncode(dst, text)
		}
		return append(dst, '"'), nil
	}
	return dst, fmt.Errorf("a column holds a %T", v)
}

// magic begins what zstd has compressed.
var magic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// decompressed is a binary value without its compression. It is good until the
// next call.
func (e *encoder) decompressed(b []byte) ([]byte, error) {
	if !bytes.HasPrefix(b, magic) {
		return b, nil
	}
	if e.zstd == nil {
		var err error
		e.zstd, err = zstd.NewReader(nil,
			zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(uint64(e.limit)))
		if err != nil {
			return nil, err
		}
	}
	if cap(e.plain) > keep {
		e.plain = nil
	}
	var err error
	e.plain, err = e.zstd.DecodeAll(b, e.plain[:0])
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded), errors.Is(err, zstd.ErrWindowSizeExceeded):
		return nil, errTooBig
	case err != nil:
		return nil, errDamaged
	}
	return e.plain, nil
}

func (e *encoder) close() {
	if e.zstd != nil {
		e.zstd.Close()
	}
}
