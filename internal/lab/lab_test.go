//go:build lab && linux

package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"
)

const root = "../.."

func TestMain(m *testing.M) {
	if err := Enter(); err != nil {
		fmt.Println("not proven:", err)
		return
	}
	os.Exit(m.Run())
}

// TestPrograms carries every source to every program that is installed. With
// -short it is the stories, which are made to be hard, and one real session.
func TestPrograms(t *testing.T) {
	folder, err := Folder(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := Build(t.Context(), root, folder); err != nil {
		t.Fatal(err)
	}
	sources, err := Sources(t.Context(), root, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		sources = sources[:len(stories)+1]
	}
	bench := &Bench{Root: root, Lab: folder, Sources: sources, AtOnce: 2}
	for _, p := range Programs {
		t.Run(p.Name, func(t *testing.T) {
			begun := time.Now()
			proof, err := bench.Prove(context.WithoutCancel(t.Context()), p, func(Tried) {})
			var missing *MissingError
			if errors.As(err, &missing) {
				t.Skipf("not proven: %v", missing)
			}
			if err != nil {
				t.Fatal(err)
			}
			if h := proof.Handoff; h != nil && h.Err != nil {
				t.Errorf("%s: %v", h.Command, h.Err)
			}
			for _, s := range proof.Sessions {
				for check, err := range map[string]error{"write": s.Refused, "load": s.Load, "continue": s.Continue} {
					if err != nil {
						t.Errorf("%s %s: %s: %v", s.Source, s.Name, check, err)
					}
				}
			}
			t.Logf("%d sessions in %v", len(proof.Sessions), time.Since(begun).Round(time.Second))
		})
	}
}
