//go:build !race

package archtest

import (
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestPublicPackagesShowPublicTypes: a user can name every type that a public
// package returns and every type that it takes.
func TestPublicPackagesShowPublicTypes(t *testing.T) {
	t.Parallel()
	args := []string{"list", "-export", "-f", "{{.ImportPath}} {{.Export}}"}
	for _, p := range public(t) {
		args = append(args, p.ImportPath)
	}
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list -export: %v", err)
	}
	files := map[string]string{} // what the compiler wrote about each package
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	imports := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
	for path := range files {
		p, err := imports.Import(path)
		if err != nil {
			t.Fatalf("import %s: %v", path, err)
		}
		walk := surface{t: t, seen: map[types.Type]bool{}, aliased: map[*types.TypeName]bool{}}
		for _, name := range p.Scope().Names() {
			alias, is := p.Scope().Lookup(name).(*types.TypeName)
			if named, ok := types.Unalias(p.Scope().Lookup(name).Type()).(*types.Named); ok && is && alias.IsAlias() && alias.Exported() {
				walk.aliased[named.Obj()] = true
			}
		}
		for _, name := range p.Scope().Names() {
			if obj := p.Scope().Lookup(name); obj.Exported() {
				walk.object(p.Name()+"."+name, obj)
			}
		}
		if len(walk.seen) == 0 {
			t.Errorf("%s exports nothing: the test checks nothing", path)
		}
	}
}

type surface struct {
	t       *testing.T
	seen    map[types.Type]bool
	aliased map[*types.TypeName]bool // internal types that the package gives a public name
}

func (s surface) object(name string, obj types.Object) {
	if named, ok := types.Unalias(obj.Type()).(*types.Named); ok {
		if _, isType := obj.(*types.TypeName); isType {
			for m := range named.Methods() {
				if m.Exported() {
					s.typ(name+"."+m.Name(), m.Type())
				}
			}
			s.typ(name, named.Underlying())
		}
	}
	s.typ(name, obj.Type())
}

// typ reports internal types and types of GORM that a user reaches from typ. The walk ends at
// named types and aliases of public packages, which are checked where they are declared.
func (s surface) typ(name string, typ types.Type) {
	if alias, ok := typ.(*types.Alias); ok && alias.Obj().Exported() && !internal(alias.Obj().Pkg()) {
		s.seen[typ] = true
		return
	}
	if named, ok := typ.(*types.Named); ok {
		if pkg := named.Obj().Pkg(); pkg != nil && strings.HasPrefix(pkg.Path(), "gorm.io/") {
			s.t.Errorf("%s shows %s; the database library isn't part of the API", name, named)
		}
		if internal(named.Obj().Pkg()) && !s.aliased[named.Obj()] {
			s.t.Errorf("%s shows %s, which no user can name", name, named)
		}
		for arg := range named.TypeArgs().Types() {
			s.typ(name, arg)
		}
		s.seen[typ] = true
		return
	}
	if s.seen[typ] {
		return
	}
	s.seen[typ] = true
	switch typ := types.Unalias(typ).(type) {
	case *types.Named:
		s.typ(name, typ)
	case *types.Pointer:
		s.typ(name, typ.Elem())
	case *types.Slice:
		s.typ(name, typ.Elem())
	case *types.Array:
		s.typ(name, typ.Elem())
	case *types.Chan:
		s.typ(name, typ.Elem())
	case *types.Map:
		s.typ(name, typ.Key())
		s.typ(name, typ.Elem())
	case *types.Signature:
		for v := range typ.Params().Variables() {
			s.typ(name, v.Type())
		}
		for v := range typ.Results().Variables() {
			s.typ(name, v.Type())
		}
	case *types.Struct:
		for f := range typ.Fields() {
			if f.Exported() {
				s.typ(name+"."+f.Name(), f.Type())
			}
		}
	case *types.Interface:
		for m := range typ.ExplicitMethods() {
			if m.Exported() {
				s.typ(name+"."+m.Name(), m.Type())
			}
		}
	}
}

func internal(p *types.Package) bool {
	return p != nil && strings.HasPrefix(p.Path(), module) && strings.Contains(p.Path(), "/internal/")
}
