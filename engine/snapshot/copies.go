package snapshot

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/trajmap/trajmap/engine/frame"
	"github.com/trajmap/trajmap/engine/mapping"
	"github.com/trajmap/trajmap/engine/read"
)

// copies copies the session's native files and gives the path of the copy.
func (t *Taken) copies(ctx context.Context, m *mapping.Mapping, in *frame.Input, o Options) (string, error) {
	ro := archiveOptions(o)
	native, err := examine(ctx, m, in, ro)
	if err != nil {
		return "", err
	}
	g := &gatherer{m: m, in: in, o: ro, id: cmp.Or(native.result.Chosen, native.result.Facts["group"])}
	if g.parts, err = read.Parts(ctx, m, in, ro); err != nil {
		return "", err
	}
	for _, path := range native.result.Full {
		if !slices.ContainsFunc(g.parts, func(p read.Part) bool { return p.Path == path }) {
			g.parts = append(g.parts, read.Part{Path: path, Role: read.Attached})
		}
	}
	if len(g.parts) == 0 {
		g.parts = []read.Part{{Path: unnamed, Pack: read.IsDatabase(in)}}
		g.place = place{below: []string{unnamed}, sure: true}
	} else {
		g.place = locate(m, absolute(g.parts[0].Path), absoluteFolder(g.parts[0].Folder))
	}
	for n := 0; ; n++ {
		for !g.holds() && g.place.up() {
		}
		g.dir = filepath.Join(t.dir, Raw)
		if err := errors.Join(os.RemoveAll(g.dir), os.Mkdir(g.dir, 0o700)); err != nil {
			return "", err
		}
		if err := g.gather(ctx); err != nil {
			return "", err
		}
		path := filepath.Join(g.dir, filepath.FromSlash(g.place.path()))
		if g.place.depth > 0 {
			path += string(filepath.Separator)
		}
		if g.place.sure {
			return path, t.settle(g)
		}
		// How much of the path a mapping looks at shows when it reads the copy.
		same, err := native.same(ctx, m, path, ro)
		if err != nil {
			return "", err
		}
		if same || n == mostFolders || !g.place.up() {
			return path, t.settle(g)
		}
	}
}

// mostFolders is how many folders above a session's files a mapping may look at
// the names of.
const mostFolders = 6

func (t *Taken) settle(g *gatherer) error {
	t.Raw, t.Attachments = g.raw, g.attachments
	t.Source.Locator.Path = g.place.path()
	return nil
}

// holds reports whether all files are below the home.
func (g *gatherer) holds() bool {
	return !slices.ContainsFunc(g.parts, func(p read.Part) bool {
		if p.Path == unnamed {
			return false
		}
		_, ok := g.place.name(absolute(p.Path))
		return !ok
	})
}
