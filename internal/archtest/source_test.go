//go:build !race

package archtest

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/elasticjob-go/elasticjob"

// root is the repository, seen from this package's folder.
const root = "../.."

// goPackage is what `go list -json` says of a package, as far as we ask.
type goPackage struct {
	ImportPath   string
	Name         string
	Dir          string
	Doc          string
	Imports      []string
	TestImports  []string
	XTestImports []string
	Deps         []string
	GoFiles      []string
	TestGoFiles  []string
	XTestGoFiles []string
}

// rel is the package's folder in the repository: "internal/zk".
func (p goPackage) rel() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
}

// within reports whether the package is in one of the folders or below.
func (p goPackage) within(folders ...string) bool {
	return slices.ContainsFunc(folders, func(f string) bool {
		return p.rel() == f || strings.HasPrefix(p.rel(), f+"/")
	})
}

func (p goPackage) allImports() []string {
	return slices.Concat(p.Imports, p.TestImports, p.XTestImports)
}

var listOnce = sync.OnceValues(func() ([]goPackage, error) {
	cmd := exec.Command("go", "list", "-e", "-tags=interop,kubernetes,nomsgpack,servers", "-json=ImportPath,Name,Dir,Doc,Imports,TestImports,XTestImports,Deps,GoFiles,TestGoFiles,XTestGoFiles", "./...")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	var packages []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p goPackage
		if err := dec.Decode(&p); err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
	return packages, nil
})

// list returns every package of the module.
func list(t *testing.T) []goPackage {
	t.Helper()
	packages, err := listOnce()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	if len(packages) < 5 {
		t.Fatalf("go list found only %d packages: the test looks at the wrong folder", len(packages))
	}
	return packages
}

// source is one parsed file.
type source struct {
	pkg  goPackage
	path string // in the repository
	fset *token.FileSet
	file *ast.File
}

func (s source) at(n ast.Node) string {
	pos := s.fset.Position(n.Pos())
	return s.path + ":" + strconv.Itoa(pos.Line)
}

func (s source) test() bool { return strings.HasSuffix(s.path, "_test.go") }

var sourcesOnce = sync.OnceValues(func() ([]source, error) {
	packages, err := listOnce()
	if err != nil {
		return nil, err
	}
	var sources []source
	fset := token.NewFileSet()
	for _, p := range packages {
		for _, name := range slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles) {
			full := filepath.Join(p.Dir, name)
			text, err := os.ReadFile(full)
			if err != nil {
				return nil, err
			}
			file, err := parser.ParseFile(fset, full, text, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			sources = append(sources, source{pkg: p, path: filepath.ToSlash(filepath.Join(p.rel(), name)), fset: fset, file: file})
		}
	}
	return sources, nil
})

// sources returns every Go file of the module, parsed.
func sources(t *testing.T) []source {
	t.Helper()
	all, err := sourcesOnce()
	if err != nil {
		t.Fatalf("read the sources: %v", err)
	}
	return all
}
