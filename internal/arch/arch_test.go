// Package arch holds the shape of the code: which package may import which, that
// the engine knows no harness, and how large a file may grow.
package arch

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trajmap/trajmap/engine"
)

const (
	root   = "../.."
	module = "github.com/trajmap/trajmap"
)

// layers are the packages, top to bottom: each may import those of the lines
// below its own, and no others of this module.
var layers = [][]string{
	{"cmd/trajmap", "internal/arch", "internal/conformance", "internal/cmd/*"},
	{"internal/docgen"},
	{"internal/cli", "internal/lab", "internal/survival"},
	{"internal/golden", "internal/inventory", "internal/lab/mockllm"},
	{"internal/evidence", "internal/sessiongen", "internal/discover", "internal/transcript", "internal/lab/history"},
	{"engine"},
	{"engine/install", "engine/snapshot"},
	{"engine/convert"},
	{"engine/read", "engine/handler/*", "engine/render"},
	{"engine/linked"},
	{"engine/handler", "engine/session", "engine/database"},
	{"engine/mapping", "engine/frame", "engine/normalize", "engine/beside"},
	{"engine/expr"},
	{"engine/shape"},
	{"engine/manifest"},
	{"engine/diag", "engine/trajectory", "engine/value"},
	{"internal/terminal"},
	{"mappings", "schema", "descriptors", "scripts", "docs/evidence"}, // data
}

// layer is the line of a package in layers; -1 if it has none.
func layer(pkg string) int {
	return slices.IndexFunc(layers, func(line []string) bool {
		return slices.ContainsFunc(line, func(pattern string) bool {
			ok, _ := path.Match(pattern, pkg)
			return ok
		})
	})
}

// file is a Go file of the module.
type file struct {
	path string // below the root, with slashes
	text []byte
	*ast.File
}

func (f file) pkg() string { return path.Dir(f.path) }
func (f file) test() bool  { return strings.HasSuffix(f.path, "_test.go") }

// files are all Go files of the module.
func files(t *testing.T) (list []file, set *token.FileSet) {
	t.Helper()
	set = token.NewFileSet()
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := e.Name(); e.IsDir() && name != root && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata") {
			return filepath.SkipDir
		}
		if e.IsDir() || filepath.Ext(name) != ".go" {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(set, name, text, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		list = append(list, file{filepath.ToSlash(rel), text, parsed})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 50 {
		t.Fatalf("found %d Go files only", len(list))
	}
	return list, set
}

// TestImports holds imports against the layers.
func TestImports(t *testing.T) {
	list, set := files(t)
	for _, f := range list {
		own := layer(f.pkg())
		if own < 0 {
			t.Errorf("%s: package %s has no place in layers: give it one", f.path, f.pkg())
			continue
		}
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			imported, ours := strings.CutPrefix(name, module+"/")
			if !ours || imported == f.pkg() { // a test from outside
				continue
			}
			switch at := layer(imported); {
			case at < 0:
				t.Errorf("%s: imports %s, which has no place in layers", set.Position(spec.Pos()), imported)
			case at <= own && !f.test():
				t.Errorf("%s: package %s must not import %s, which stands beside or above it", set.Position(spec.Pos()), f.pkg(), imported)
			}
		}
	}
}

// TestEngineNamesNoHarness looks for the names of mappings in the engine's code;
// what is particular to a harness belongs into its mapping. One harness has the
// name of a thing that any reader has, and the names of storage formats, which
// handlers must know, may hold that of their first user.
func TestEngineNamesNoHarness(t *testing.T) {
	catalog, err := engine.NewCatalog()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range catalog.Entries() {
		if e.Name != "trajectory" { // our own records: no harness, and a word of the contract
			names = append(names, regexp.QuoteMeta(e.Name))
		}
	}
	if len(names) == 0 {
		t.Fatal("the catalog is empty")
	}
	harness := regexp.MustCompile(`(?i)\b(` + strings.Join(names, "|") + `)\b`)
	list, set := files(t)
	for _, f := range list {
		if f.test() || !strings.HasPrefix(f.path, "engine/") && f.pkg() != "internal/cli" {
			continue
		}
		ast.Inspect(f.File, func(n ast.Node) bool {
			text := ""
			switch n := n.(type) {
			case *ast.Ident:
				if strings.EqualFold(n.Name, "cursor") { // a place in what is read
					return true
				}
				text = n.Name
			case *ast.BasicLit:
				if strings.HasPrefix(f.path, "engine/handler/") {
					return true
				}
				text = strings.ReplaceAll(n.Value, "--cursor", "") // a flag
			}
			if found := harness.FindString(text); found != "" {
				t.Errorf("%s: names the harness %s", set.Position(n.Pos()), found)
			}
			return true
		})
	}
}

// TestSizes keeps files readable and main empty.
func TestSizes(t *testing.T) {
	const most = 600
	list, _ := files(t)
	for _, f := range list {
		lines := bytes.Count(f.text, []byte("\n"))
		if lines > most && !ast.IsGenerated(f.File) {
			t.Errorf("%s has %d lines, more than %d: which concept can leave it?", f.path, lines, most)
		}
		if f.path == "cmd/trajmap/main.go" && lines >= 10 {
			t.Errorf("%s has %d lines: what it does belongs into internal/cli", f.path, lines)
		}
	}
}

// TestPackageComments asks every package what it is.
func TestPackageComments(t *testing.T) {
	documented := map[string]bool{}
	list, _ := files(t)
	for _, f := range list {
		if f.Doc != nil && !strings.HasSuffix(f.Name.Name, "_test") {
			documented[f.pkg()] = true
		} else if !documented[f.pkg()] {
			documented[f.pkg()] = false
		}
	}
	for pkg, ok := range documented {
		if !ok {
			t.Errorf("package %s has no comment that says what it promises", pkg)
		}
	}
}

// TestDependencies wants a reason for each direct dependency.
func TestDependencies(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	direct := 0
	for n, line := range strings.Split(string(text), "\n") {
		fields := strings.Fields(line)
		if len(fields) < 2 || !strings.HasPrefix(fields[1], "v") || strings.HasSuffix(line, "// indirect") {
			continue
		}
		direct++
		if _, reason, ok := strings.Cut(line, "// "); !ok || len(reason) < 10 {
			t.Errorf("go.mod:%d: %s is required and nobody says for what", n+1, fields[0])
		}
	}
	if direct == 0 {
		t.Error("no dependency found")
	}
}
