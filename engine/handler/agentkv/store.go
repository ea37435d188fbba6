package agentkv

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"

	"github.com/trajmap/trajmap/engine/trajectory"
)

// id is the name of a blob: the SHA-256 of its bytes.
type id [sha256.Size]byte

func (i id) String() string { return hex.EncodeToString(i[:]) }

// parseID reads an id in hex.
func parseID(s string) (i id, ok bool) {
	if len(s) != hex.EncodedLen(len(i)) {
		return id{}, false
	}
	_, err := hex.Decode(i[:], []byte(s))
	return i, err == nil
}

func compareIDs(a, b id) int { return bytes.Compare(a[:], b[:]) }

// blobs are where the blobs of a store are kept.
type blobs interface {
	// load gives the bytes that are kept under an id, nil when there are none.
	// They are the caller's.
	load(id) ([]byte, error)
	close() error
}

// maxBlob bounds a blob, in bytes.
const maxBlob = 64 << 20

// store is an open store.
type store struct {
	blobs
	schema  *schema
	doc     []byte // what it says of its session, without secrets: a JSON object
	session string // its id
	root    id     // of an empty session all zeros

	head    message // the root's fields
	prompts []id
	turns   []id

	unknown map[string]int // fields that the descriptors do not have, "Message.number", with their count
	steps   map[id]int     // of the turns: how many each has

	recent struct { // the turn whose steps were asked for last
		turn  id
		steps []id
	}
}

// get gives a blob that must be there. One that is not what its id says is an
// error.
func (s *store) get(i id) ([]byte, error) {
	data, err := s.load(i)
	if err != nil {
		return nil, err
	}
	if data == nil {
		return nil, &missingError{faultf("blob %s is missing: the store is not whole (was it copied without its -wal file?)", i)}
	}
	if sha256.Sum256(data) != i {
		return nil, faultf("blob %s is damaged: its bytes have another hash", i)
	}
	return data, nil
}

// missingError is of a blob that is not there.
type missingError struct{ error }

func (e *missingError) Unwrap() error { return e.error }

func faultf(format string, args ...any) error {
	return trajectory.Errorf(trajectory.InvalidInput, "AgentKv store: "+format, args...)
}
