package engine_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/normalize"
)

// A mapping for a made-up agent. Those of real agents are opened by name:
// engine.Open("claude-code").
const chat = `# yaml-language-server: $schema=mapping-v1.schema.json
mapping: v1
harness: chat
native:
  frame:
    kind: type
    all: {at: str}
    kinds:
      user: {text: str!}
      assistant: {text: str!}
      thought: {text: str!}
read:
  - format: log
    detect: it.type == "user"
    frames: jsonl
    event: {time: at}
    kind: type
    rules:
      user: {user: text}
      assistant: {assistant: text}
`

const session = `{"type":"user","text":"How many files are there?","at":"2026-01-02T03:04:05Z"}
{"type":"thought","text":"I should count them.","at":"2026-01-02T03:04:06Z"}
{"type":"assistant","text":"Two.","at":"2026-01-02T03:04:07Z"}
`

func ExampleMapping_Read() {
	m, err := engine.Parse("chat.yaml", []byte(chat))
	if err != nil {
		log.Fatal(err)
	}
	in := engine.Bytes("session.jsonl", []byte(session))
	for rec, err := range m.Read(context.Background(), in, engine.Options{}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s %q\n", rec.Role, rec.Content)
	}
	// Output:
	// meta ""
	// user "How many files are there?"
	// assistant "Two."
}

func ExampleMapping_ReadAll() {
	m, err := engine.Parse("chat.yaml", []byte(chat))
	if err != nil {
		log.Fatal(err)
	}
	in := engine.Bytes("session.jsonl", []byte(session))
	s, err := m.ReadAll(context.Background(), in, engine.Options{
		View:      engine.Archive,
		Normalize: normalize.Options{MaxResult: normalize.Unbounded},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(s.Records), "records")
	for _, d := range s.Diagnostics {
		fmt.Printf("line %d: %s\n", d.InputLine, d.Code)
	}
	for _, e := range s.Ledger.Entries {
		fmt.Println(e.Kind, e.Bucket, e.Count)
	}
	// Unordered output:
	// 3 records
	// line 2: unmapped_frame
	// assistant mapped 1
	// thought unmapped 1
	// user mapped 1
}

func ExampleParse_errors() {
	_, err := engine.Parse("chat.yaml", []byte(strings.Replace(chat, "assistant: text", "assistant: txt", 1)))
	fmt.Println(err)
	// Output:
	// chat.yaml:20:30: unknown field "txt" (did you mean text?) [TM0201]
}

func ExampleCatalog_Detect() {
	c, err := engine.NewCatalog() // of the embedded mappings alone
	if err != nil {
		log.Fatal(err)
	}
	in := engine.Bytes("session.jsonl", []byte(
		`{"type":"user","sessionId":"s","uuid":"u","parentUuid":null,"message":{"role":"user","content":"Hello."}}`))
	m, err := c.Detect(context.Background(), in)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Title)
	// Output: Claude Code
}

func ExampleOpen() {
	m, err := engine.Open("claude-code")
	if err != nil {
		log.Fatal(err)
	}
	in, done, err := engine.OpenInput("../testdata/claude-code/parallel/input.jsonl")
	if err != nil {
		log.Fatal(err)
	}
	defer done()
	calls := 0
	for rec, err := range m.Read(context.Background(), in, engine.Options{}) {
		if err != nil {
			log.Fatal(err)
		}
		if rec.Type == normalize.CallRecord {
			calls++
		}
	}
	fmt.Println(calls, "calls")
	// Output: 3 calls
}
