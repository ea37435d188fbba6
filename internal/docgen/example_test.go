package docgen_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/trajmap/trajmap/engine"
)

// printTools is the README's example.
func printTools(ctx context.Context, path string) error {
	m, err := engine.Open("claude-code") // a name, or a YAML file of your own
	if err != nil {
		return err
	}
	in, done, err := engine.OpenInput(path)
	if err != nil {
		return err
	}
	defer done()
	for rec, err := range m.Read(ctx, in, engine.Options{View: engine.Archive}) {
		if err != nil {
			return err
		}
		if rec.Name != "" { // a tool call
			fmt.Println(rec.Time.Format(time.TimeOnly), rec.Name, rec.Args)
		}
	}
	return nil
}

func Example() {
	if err := printTools(context.Background(), "../../testdata/claude-code/parallel/input.jsonl"); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 12:00:03 Read {"file_path":"a.txt"}
	// 12:00:04 Read {"file_path":"b.txt"}
	// 12:00:05 Read {"file_path":"c.txt"}
}
