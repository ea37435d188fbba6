package value

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// The rows of these benchmarks have the shape and the density of escapes of
// claude-code's: a call, results with test logs and with numbered source lines.

var words = strings.Fields("filter column cache header merge review search config window trace client queue commit split batch cursor token worker session state")

type writer struct {
	*rand.Rand
	strings.Builder
}

func (w *writer) word() string { return words[w.IntN(len(words))] }

// log writes test output of about size bytes, as a JSON string's body.
func (w *writer) log(size int) string {
	var b strings.Builder
	for b.Len() < size {
		fmt.Fprintf(&b, `./%s/%s_test.go:%d: %s %s error %s. (%d.%02ds)\n`, w.word(), w.word(), w.IntN(2000), w.word(), w.word(), w.word(), w.IntN(10), w.IntN(100))
	}
	return b.String()
}

// listing writes source lines as a tool shows them.
func (w *writer) listing(size int) string {
	var b strings.Builder
	for line := 1; b.Len() < size; line++ {
		fmt.Fprintf(&b, `%6d\t%s`, line, strings.Repeat(`\t`, w.IntN(5)))
		switch w.IntN(4) {
		case 0:
			fmt.Fprintf(&b, `return fmt.Errorf(\"%s <%%s>: %%w\", %s, err)\n`, w.word(), w.word())
		case 1:
			fmt.Fprintf(&b, `%s := map[string]int{\"%s\": %d}\n`, w.word(), w.word(), w.IntN(1000))
		case 2:
			fmt.Fprintf(&b, `// %s %s %s %s %s Ελληνικά.\n`, w.word(), w.word(), w.word(), w.word(), w.word())
		default:
			b.WriteString(`}\n`)
		}
	}
	return b.String()
}

func (w *writer) row(content string) []byte {
	return fmt.Appendf(nil, `{"parentUuid":"186781e1-35f7-4939-af04-6c4322735c8a","isSidechain":false,"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_OJVOed7h18XStI3Lny0JGCeb","type":"tool_result","content":"%[1]s","is_error":false}]},"toolUseResult":{"stdout":"%[1]s","stderr":"","interrupted":false,"isImage":false},"uuid":"5b666973-4160-482d-a793-351cf88cc88a","timestamp":"2026-06-10T08:08:58.691Z","userType":"external","cwd":"/home/dev/stream","sessionId":"facc9319-c148-47f4-ad40-320bb30dddbb","version":"2.1.50","gitBranch":"main"}`, content)
}

func benchRows() map[string][]byte {
	w := &writer{Rand: rand.New(rand.NewPCG(1, 2))}
	return map[string][]byte{
		"call-1kB":     []byte(`{"parentUuid":"3c","isSidechain":false,"type":"assistant","message":{"model":"claude-opus-4","id":"msg_01","type":"message","role":"assistant","content":[{"type":"tool_use","id":"toolu_01","name":"Edit","input":{"file_path":"/home/dev/stream/a.go","old_string":"` + w.listing(200) + `","new_string":"` + w.listing(300) + `","replace_all":false}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":12,"cache_creation_input_tokens":1530,"cache_read_input_tokens":20481,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":1530},"output_tokens":377,"service_tier":"standard"}},"requestId":"req_01","uuid":"5b666973-4160-482d-a793-351cf88cc88a","timestamp":"2026-06-10T08:08:58.691Z"}`),
		"log-2kB":      w.row(w.log(750)),
		"log-35kB":     w.row(w.log(17_000)),
		"listing-2kB":  w.row(w.listing(750)),
		"listing-35kB": w.row(w.listing(17_000)),
	}
}

func BenchmarkParse(b *testing.B) {
	for name, row := range benchRows() {
		b.Run(name, func(b *testing.B) {
			var d Doc
			b.SetBytes(int64(len(row)))
			b.ReportAllocs()
			for b.Loop() {
				if err := d.Parse(row); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkParseFile parses the lines of the file that $BENCH_JSONL names.
func BenchmarkParseFile(b *testing.B) {
	text, err := os.ReadFile(os.Getenv("BENCH_JSONL"))
	if err != nil {
		b.Skip("BENCH_JSONL names no file")
	}
	rows := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	var d Doc
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		for _, row := range rows {
			if err := d.Parse(row); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	row := benchRows()["listing-35kB"]
	v := parse(b, string(row))
	body := v.Get("toolUseResult").Get("stdout").Body()
	decoded := AppendDecoded(nil, body)
	call := parse(b, string(benchRows()["call-1kB"]))
	for _, f := range []struct {
		name string
		size int
		run  func(dst []byte) []byte
	}{
		{"Text", len(body), func(dst []byte) []byte { return AppendText(dst, body) }},
		{"Decoded", len(body), func(dst []byte) []byte { return AppendDecoded(dst, body) }},
		{"Encoded", len(decoded), func(dst []byte) []byte { return AppendEncoded(dst, decoded) }},
		{"JSON/call", len(call.Raw()), call.AppendJSON},
		{"JSON/listing", len(row), v.AppendJSON},
		{"Sorted/call", len(call.Raw()), call.AppendSorted},
	} {
		b.Run(f.name, func(b *testing.B) {
			var dst []byte
			b.SetBytes(int64(f.size))
			b.ReportAllocs()
			for b.Loop() {
				dst = f.run(dst[:0])
			}
		})
	}
}

func BenchmarkCodePoints(b *testing.B) {
	v := parse(b, string(benchRows()["listing-35kB"]))
	body := v.Get("toolUseResult").Get("stdout").Body()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		CodePoints(body)
	}
}
