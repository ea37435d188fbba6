package normalize

import (
	"strconv"

	"github.com/trajmap/trajmap/engine/trajectory"
	"github.com/trajmap/trajmap/engine/value"
)

// Version is the version of what this package makes of given events. It changes
// whenever the same events give other records.
const Version = "trajmap-1.0.0"

// CanonicalSchemaVersion is the version of the canonical view's contract.
const CanonicalSchemaVersion = 3

// An envelope is one JSON object that holds a whole session:
// AppendEnvelopeStart, records with commas between them, then one of the ends.

// AppendEnvelopeStart appends what stands before the records.
func AppendEnvelopeStart(dst []byte) []byte { return append(dst, `{"records":[`...) }

// AppendEnvelopeEnd appends what stands after trajectory-v1 records.
func AppendEnvelopeEnd(dst []byte, diagnostics []trajectory.Diagnostic) []byte {
	return append(appendDiagnostics(dst, diagnostics), '}')
}

// AppendCanonicalEnd appends what stands after canonical rows: the diagnostics,
// and what the rows' hashes depend on.
func AppendCanonicalEnd(dst []byte, diagnostics []trajectory.Diagnostic, o Options) []byte {
	dst = appendDiagnostics(dst, diagnostics)
	dst = append(dst, `,"normalizer_version":"`+Version+`","canonical_schema_version":`...)
	dst = strconv.AppendInt(dst, CanonicalSchemaVersion, 10)
	return append(o.AppendConfig(append(dst, `,"config":`...)), '}')
}

// AppendConfig appends the options that the records depend on, as a JSON object.
func (o Options) AppendConfig(dst []byte) []byte {
	dst = append(dst, `{"bounds":{"toolArguments":{"maxCharacters":`...)
	dst = appendBound(dst, o.maxArgs())
	dst = append(dst, `},"toolResults":{"maxCharacters":`...)
	dst = appendBound(dst, o.maxResult())
	dst = append(append(dst, `,"strategy":"`...), choose(o.HeadOnly, "head", "head-tail")...)
	dst = append(append(dst, `"}},"filters":{"toolResults":"`...), choose(o.OmitResults, "omit", "include")...)
	dst = append(append(dst, `","systemMessages":"`...), choose(o.IncludeSystem, "include", "omit")...)
	return append(dst, `"}}`...)
}

func choose(cond bool, yes, no string) string {
	if cond {
		return yes
	}
	return no
}

func appendBound(dst []byte, n int) []byte {
	if n == Unbounded {
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, int64(n), 10)
}

func appendDiagnostics(dst []byte, diagnostics []trajectory.Diagnostic) []byte {
	dst = append(dst, `],"diagnostics":[`...)
	for i := range diagnostics {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendDiagnostic(dst, &diagnostics[i])
	}
	return append(dst, ']')
}

// AppendDiagnostic appends a diagnostic as a JSON object.
func AppendDiagnostic(dst []byte, d *trajectory.Diagnostic) []byte {
	dst = value.AppendEncoded(append(dst, `{"code":"`...), d.Code)
	dst = value.AppendEncoded(append(dst, `","message":"`...), d.Message)
	dst = append(dst, '"')
	for _, m := range [...]struct {
		name string
		n    int
	}{{"inputLine", d.InputLine}, {"recordIndex", d.RecordIndex}, {"count", d.Count}} {
		if m.n != 0 {
			dst = append(append(dst, `,"`...), m.name...)
			dst = strconv.AppendInt(append(dst, `":`...), int64(m.n), 10)
		}
	}
	return append(dst, '}')
}
