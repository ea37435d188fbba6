package snapshot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/normalize"
	"github.com/trajmap/trajmap/engine/read"
	"github.com/trajmap/trajmap/engine/trajectory"
)

// examined is what reading a session's own files gave, as a hash.
type examined struct {
	result *read.Result
	sum    string
}

func examine(ctx context.Context, m *mapping.Mapping, in *frame.Input, o read.Options) (*examined, error) {
	h := &hashing{}
	result, err := read.New(m).Read(ctx, in, o, h.start)
	if err = pardon(result, err); err != nil {
		return nil, err
	}
	return &examined{result, h.sum(result)}, nil
}

// same reports whether a copy reads as the session's own files do.
func (e *examined) same(ctx context.Context, m *mapping.Mapping, path string, o read.Options) (bool, error) {
	in, done, err := open(path)
	if err != nil {
		return false, err
	}
	defer done()
	copied, err := examine(ctx, m, in, o)
	var fault *trajectory.Error
	if errors.As(err, &fault) {
		return false, nil
	}
	return err == nil && copied.sum == e.sum, err
}

// pardon lets pass that nothing was said in a session whose every frame is known.
func pardon(result *read.Result, err error) error {
	var fault *trajectory.Error
	if result == nil || !errors.As(err, &fault) || fault.Code != trajectory.InvalidInput || result.Ledger.Frames == 0 {
		return err
	}
	for _, e := range result.Ledger.Entries {
		if e.Bucket == read.Unmapped {
			return err
		}
	}
	return nil
}

// hashing hashes records as they come.
type hashing struct {
	canonical *normalize.Canonical
	buf       []byte
	total     [sha256.Size]byte
}

func (h *hashing) start(p *normalize.Plan) (normalize.Sink, error) {
	h.canonical, _ = p.Canonical()
	return h, nil
}

func (h *hashing) Record(r *normalize.Record) error {
	h.buf = append(h.buf[:0], h.total[:]...)
	if h.canonical != nil {
		h.buf = h.canonical.Append(h.buf, r)
	} else {
		h.buf = r.AppendSorted(h.buf)
	}
	h.total = sha256.Sum256(append(h.buf, r.Step...))
	return nil
}

func (h *hashing) sum(result *read.Result) string {
	var names []string
	for name, fact := range result.Facts {
		names = append(names, name+"\x00"+fact)
	}
	slices.Sort(names)
	return hex.EncodeToString(h.total[:]) + strings.Join(names, "\x01")
}
