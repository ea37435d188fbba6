//go:build lab && linux

package lab

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/trajmap/trajmap/engine"
)

const root = "../.."

func TestPrograms(t *testing.T) {
	folder, err := Folder(root)
	if err != nil {
		t.Fatal(err)
	}
	sources, err := Sources(context.Background(), root)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range Programs {
		t.Run(p.Name, func(t *testing.T) {
			if err := p.Find(folder); err != nil {
				t.Skip(err)
			}
			if drivers[p.Name] == nil {
				t.Skip("no driver")
			}
			m, err := engine.Open(p.Name)
			if err != nil {
				t.Fatal(err)
			}
			if m.Mapping.Write == nil {
				t.Skip("no write")
			}
			for _, told := range sources {
				src := told.Source.Session.Source
				if only := os.Getenv("ONLY"); only != "" && src+"/"+told.Name != only {
					continue
				}
				c, err := Write(context.Background(), m.Mapping, told, drivers[p.Name]().options, t.TempDir())
				if err != nil {
					t.Errorf("%s %s: %v", src, told.Name, err)
					continue
				}
				v := p.Try(context.Background(), folder, c)
				t.Logf("%s %s: load %v %v, continue %v %v", src, told.Name, v.LoadTime.Round(time.Millisecond), v.Load, v.ContinueTime.Round(time.Millisecond), v.Continue)
			}
		})
	}
}
