// Package mapping reads mappings: the YAML files that say, one a harness, which
// native frames there are and which events come of them. [Parse] makes a checked
// and compiled [Mapping] of such a file, or says everything that is wrong with
// it, each with its place. The tree of types in ast.go is what the interpreter
// runs; the table of constructs is what the language is, and what its JSON Schema
// and its reference are printed from.
//
// The package knows no harness and reads no session.
package mapping
