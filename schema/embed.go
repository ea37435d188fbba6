// Package schema holds the JSON Schemas of what trajmap reads and writes.
package schema

import "embed"

// FS holds trajectory-v1, trajectory-canonical-v1, mapping-v1, manifest-v1 and
// snapshot-v1, each as NAME.schema.json.
//
//go:embed *.schema.json
var FS embed.FS
