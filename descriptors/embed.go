// Package descriptors holds the protobuf descriptors of stores whose programs
// publish none, as .proto files that are parsed when they are first needed.
package descriptors

import _ "embed"

// AgentKv describes the blobs of an AgentKv store.
//
//go:embed agentkv.proto
var AgentKv string
