package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// test is a test function that bears the number of a case.
type test struct {
	folder, name string // of the package, relative to the module
	java         bool   // runs beside Java agents
}

var (
	numbered = regexp.MustCompile(`^Test(?:MS[0-9]{2})*((?:K[0-9]{2})+)`)
	number   = regexp.MustCompile(`K[0-9]{2}`)
)

// scan finds the tests of each case in the sources below root.
func scan(root string) (map[string][]test, error) {
	folders, err := testFunctions(root)
	if err != nil {
		return nil, err
	}
	found := map[string][]test{}
	for folder, functions := range folders {
		for name := range functions {
			match := numbered.FindStringSubmatch(name)
			if match == nil {
				continue
			}
			t := test{folder: folder, name: name, java: path.Base(folder) == "interop"}
			for _, k := range number.FindAllString(match[1], -1) {
				found[k] = append(found[k], t)
			}
		}
	}
	for _, list := range found {
		slices.SortFunc(list, func(a, b test) int { return strings.Compare(a.folder+" "+a.name, b.folder+" "+b.name) })
	}
	return found, nil
}

// declarations are functions by folder and name.
type declarations = map[string]map[string]*ast.FuncDecl

var parsed sync.Map // from a root to a function that returns its declarations

// testFunctions finds the plain functions of the test files below root. It reads the files once.
func testFunctions(root string) (declarations, error) {
	once, _ := parsed.LoadOrStore(root, sync.OnceValues(func() (declarations, error) { return parseTests(root) }))
	return once.(func() (declarations, error))()
}

func parseTests(root string) (declarations, error) {
	folders := declarations{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); file != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, "_test.go") {
			return nil
		}
		source, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		folder = filepath.ToSlash(folder)
		if folders[folder] == nil {
			folders[folder] = map[string]*ast.FuncDecl{}
		}
		for _, d := range source.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Body != nil {
				folders[folder][f.Name.Name] = f
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("scan %s: %w", root, err)
	}
	return folders, nil
}

// without lists the cases that no test of Go agents alone bears.
func without(tests map[string][]test) []string {
	var missing []string
	for _, c := range cases {
		if !slices.ContainsFunc(tests[c.number], func(t test) bool { return !t.java }) {
			missing = append(missing, c.number)
		}
	}
	return missing
}

// packages lists the packages of the tests.
func packages(tests map[string][]test, java bool) []string {
	var list []string
	for _, of := range tests {
		for _, t := range of {
			if t.java == java {
				list = append(list, "./"+t.folder)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
