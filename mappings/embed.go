// Package mappings holds the mappings that ship with trajmap, one YAML file a
// harness. There is nothing else to it: package engine finds and compiles them.
package mappings

import "embed"

// FS holds NAME.yaml for each harness.
//
//go:embed *.yaml
var FS embed.FS
