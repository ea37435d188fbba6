package normalize_test

import (
	"fmt"

	"github.com/trajmap/trajmap/engine/normalize"
)

type printer struct{}

func (printer) Record(r *normalize.Record) error {
	fmt.Printf("%s\n", r.AppendV1(nil))
	return nil
}

func Example() {
	events := []normalize.Event{
		{Kind: normalize.User, Text: []byte("Which day is it?"), HasTime: true, Time: 1_767_225_600_000, Line: 1},
		{Kind: normalize.ToolCall, Name: []byte("date"), Args: []byte("now"), Line: 2},
		{Kind: normalize.Assistant, Text: []byte("New Year."), HasTime: true, Time: 1_767_225_603_000, Line: 3},
	}
	planner := normalize.NewPlanner(normalize.Options{})
	for i := range events {
		planner.Add(&events[i])
	}
	plan, err := planner.Finish(normalize.Context{Source: "example"})
	if err != nil {
		fmt.Println(err)
		return
	}
	emitter := plan.Emit(printer{})
	for i := range events {
		if err := emitter.Add(&events[i]); err != nil {
			fmt.Println(err)
			return
		}
	}
	diagnostics, err := emitter.Close()
	for _, d := range diagnostics {
		fmt.Println(d.InputLine, d.Code)
	}
	fmt.Println(err)
	// Output:
	// {"role":"meta","source":"example"}
	// {"role":"user","content":"Which day is it?","timestamp":"2026-01-01T00:00:00.000Z"}
	// {"role":"assistant","content":null,"tool_calls":[{"id":"call_2","name":"date","args":"{\"_raw\":\"now\"}"}],"timestamp":"2026-01-01T00:00:01.500Z"}
	// {"role":"assistant","content":"New Year.","timestamp":"2026-01-01T00:00:03.000Z"}
	// 2 tool_call_id_synthesized
	// 2 tool_arguments_reshaped
	// 0 timestamps_interpolated
	// <nil>
}
