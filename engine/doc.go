// Package engine reads the native session files of coding agents as
// trajectory-v1 records. It is trajmap's promise to Go programs: what is
// exported here stays, as long as the major version does.
//
// Most programs need two functions. [Open] finds a mapping, by the name of a
// harness or as a YAML file; [Mapping.Read] gives the records of a session in
// order:
//
//	m, err := engine.Open("claude-code")
//	…
//	in, done, err := engine.OpenInput("session.jsonl")
//	…
//	defer done()
//	for rec, err := range m.Read(ctx, in, engine.Options{}) {
//		…
//	}
//
// [Mapping.ReadAll] also says what was noticed, what was left out and why. A
// [Catalog] lists the mappings there are and finds the one that recognises an
// input.
//
// A mapping is immutable and safe for concurrent use. A read starts no
// goroutine, holds one native frame at a time, and goes over its input more than
// once: the input must not change meanwhile. Nothing is written anywhere, except
// that a pipe is spooled to a temporary file.
package engine
