module github.com/trajmap/trajmap

go 1.26.0

require (
	github.com/alecthomas/kong v1.17.0 // the command line: a struct is the grammar, help and completion come from it
	github.com/creack/pty v1.1.24 // tests: a terminal for what only happens on one
	github.com/go-json-experiment/json v1.27.2 // jsontext: cuts a transcript to be validated into its values
	github.com/google/cel-go v0.31.0 // the expression language of mappings (last version under this path)
	github.com/google/go-cmp v0.7.0 // tests: differences a person can read
	github.com/jhump/protoreflect v1.19.0 // the AgentKv store's protobuf blobs, by descriptors instead of generated code
	github.com/klauspost/compress v1.20.4 // zstd: rotated transcripts and compressed rows
	github.com/rogpeppe/go-internal v1.16.0 // tests: testscript runs the CLI from txtar files
	github.com/santhosh-tekuri/jsonschema/v5 v5.3.1 // tests: the JSON Schemas, and our reader of them, against a whole implementation
	github.com/tidwall/gjson v1.20.3 // paths beyond plain keys: #, #(…), @this
	github.com/tidwall/sjson v1.2.5 // one string of a written document, the rest byte for byte: where an installed session lies
	go.yaml.in/yaml/v3 v3.0.6 // mappings: YAML with the position of every node
	golang.org/x/sync v0.25.0 // errgroup: the bounded pool over files
	lukechampine.com/blake3 v1.4.1 // expressions: the hash with which Grok Build names the folders of long paths
	modernc.org/sqlite v1.62.0 // reads and writes the SQLite stores of harnesses, without cgo
	pgregory.net/rapid v1.3.0 // tests: property tests with shrinking
)

require (
	cel.dev/expr v0.25.1 // indirect
	github.com/antlr4-go/antlr/v4 v4.13.1 // indirect
	github.com/dustin/go-humanize v1.1.0 // indirect
	github.com/golang/protobuf v1.5.4 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/jhump/protoreflect/v2 v2.0.0-beta.1 // indirect
	github.com/klauspost/cpuid/v2 v2.0.9 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	github.com/ncruces/go-strftime v1.1.0 // indirect
	github.com/petermattis/goid v0.0.0-20260113132338-7c7de50cc741 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.3.0 // indirect
	golang.org/x/exp v0.0.0-20240823005443-9b4947da3948 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.36.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
	google.golang.org/genproto/googleapis/api v0.0.0-20240826202546-f6391c0de4c7 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260414002931-afd174a4e478 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
	modernc.org/libc v1.80.1 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.12.1 // indirect
)
