package cli

import (
	"github.com/trajmap/trajmap/schema"
)

// schemaCmd prints an embedded JSON Schema.
type schemaCmd struct {
	Name string `arg:"" optional:"" enum:"trajectory,canonical,mapping,manifest,snapshot" default:"trajectory" help:"trajectory (records), canonical (rows of the canonical view), mapping (mapping files), manifest (of what convert writes) or snapshot."`
}

// Run prints the schema.
func (c *schemaCmd) Run(w *World) error {
	file := map[string]string{"trajectory": "trajectory-v1", "canonical": "trajectory-canonical-v1", "mapping": "mapping-v1", "manifest": "manifest-v1", "snapshot": "snapshot-v1"}[c.Name]
	data, err := schema.FS.ReadFile(file + ".schema.json")
	if err != nil {
		return err
	}
	_, err = w.Stdout.Write(data)
	return err
}
