package discover

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/trajmap/trajmap/engine"
	"github.com/trajmap/trajmap/engine/mapping"
)

// Two agents may keep their sessions in one folder, when the same variable moves
// the stores of both. Then a session is of the agent whose mapping knows it best.

// moved reports whether a variable has moved a store.
func moved(m *engine.Mapping, p Places) bool {
	return slices.ContainsFunc(rootsOf(m), func(r *mapping.Root) bool {
		return slices.ContainsFunc(r.Variables(), func(name string) bool { return p.Getenv(name) != "" })
	})
}

func rootsOf(m *engine.Mapping) (list []*mapping.Root) {
	for _, s := range m.Stores {
		list = append(list, s.Roots...)
	}
	return list
}

// neighbours are those of the others that keep sessions in a folder in which one
// of the mappings does, too.
func neighbours(mappings []*engine.Mapping, others func() []*engine.Mapping, p Places) (list []*engine.Mapping) {
	if others == nil || !slices.ContainsFunc(mappings, func(m *engine.Mapping) bool { return moved(m, p) }) {
		return nil
	}
	folders := map[string]bool{}
	visit := func(m *engine.Mapping, at func(folder string)) {
		for _, r := range rootsOf(m) {
			if folder, _ := r.Expand(p.Getenv, p.Home); folder != "" {
				at(folder)
			}
		}
	}
	for _, m := range mappings {
		visit(m, func(folder string) { folders[folder] = true })
	}
	for _, m := range others() {
		if !slices.ContainsFunc(mappings, func(own *engine.Mapping) bool { return own.Harness == m.Harness }) {
			near := false
			visit(m, func(folder string) { near = near || folders[folder] })
			if near {
				list = append(list, m)
			}
		}
	}
	return list
}

// headOfShared is how much of a file is looked at to tell whose it is, in bytes.
const headOfShared = 16 << 10

// settle leaves each path to one agent, and takes out what is of agents that were
// not asked for.
func (l *List) settle(ctx context.Context, asked []*engine.Mapping) error {
	byPath := map[string][]*candidate{}
	for _, c := range l.candidates {
		byPath[c.path] = append(byPath[c.path], c)
	}
	var shared [][]*candidate
	for _, list := range byPath {
		if slices.ContainsFunc(list, func(c *candidate) bool { return c.agent.Mapping != list[0].agent.Mapping }) {
			shared = append(shared, list)
		}
	}
	owners := make([]*engine.Mapping, len(shared))
	err := inParallel(ctx, len(shared), func(_ readers, i int) error {
		owners[i] = l.owner(ctx, shared[i], asked)
		return nil
	})
	owner := map[string]*engine.Mapping{}
	for i, list := range shared {
		owner[list[0].path] = owners[i]
	}
	l.candidates = slices.DeleteFunc(l.candidates, func(c *candidate) bool {
		best := owner[c.path]
		return best != nil && best != c.agent.Mapping || !slices.Contains(asked, c.agent.Mapping)
	})
	return err
}

// owner is the mapping that knows a path best; nil when none does.
func (l *List) owner(ctx context.Context, list []*candidate, asked []*engine.Mapping) *engine.Mapping {
	var mappings []*engine.Mapping
	for _, c := range list {
		if !slices.Contains(mappings, c.agent.Mapping) {
			mappings = append(mappings, c.agent.Mapping)
		}
	}
	slices.SortFunc(mappings, func(a, b *engine.Mapping) int { return strings.Compare(a.Harness, b.Harness) })
	best := list[0].knownBy(ctx, mappings)
	if len(best) == 0 {
		return nil
	}
	first := best[0]
	if len(best) == 1 {
		return first
	}
	if n := slices.IndexFunc(best, func(m *engine.Mapping) bool { return slices.Contains(asked, m) }); n >= 0 {
		first = best[n]
	}
	names := make([]string, len(best))
	for i, m := range best {
		names[i] = m.Harness
	}
	l.problems.add(Problem{first.Harness, list[0].path, fmt.Errorf(
		"it may be of %s alike, which keep their sessions in one folder here: it is listed as one of %s", strings.Join(names, " and "), first.Harness)})
	return first
}

// knownBy are those of some mappings that know a session best, by its beginning,
// or all of it where half of it is nothing.
func (c *candidate) knownBy(ctx context.Context, mappings []*engine.Mapping) []*engine.Mapping {
	if c.folder() {
		return engine.Best(ctx, mappings, engine.Folder(c.path))
	}
	in, done, err := engine.OpenInput(c.path)
	if err != nil {
		return nil // whoever lists it will say so
	}
	defer done()
	head := *in
	head.Size = min(head.Size, headOfShared)
	if best := engine.Best(ctx, mappings, &head); len(best) > 0 {
		return best
	}
	return engine.Best(ctx, mappings, in)
}
