package archtest

import (
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestPublicPackagesShowPublicTypes: a user can name every type that a public
// package returns and every type that it takes.
func TestPublicPackagesShowPublicTypes(t *testing.T) {
	t.Parallel()
	var paths []string
	for _, p := range public(t) {
		paths = append(paths, p.ImportPath)
	}
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile, Dir: root}, paths...)
	if err != nil {
		t.Fatalf("load: %v", err)
	}
	for _, p := range loaded {
		for _, e := range p.Errors {
			t.Errorf("%s: %v", p.PkgPath, e)
		}
		scope := p.Types.Scope()
		walk := surface{t: t, seen: map[types.Type]bool{}}
		for _, name := range scope.Names() {
			if obj := scope.Lookup(name); obj.Exported() {
				walk.object(p.Types.Name()+"."+name, obj)
			}
		}
		if len(walk.seen) == 0 {
			t.Errorf("%s exports nothing: the test checks nothing", p.PkgPath)
		}
	}
}

type surface struct {
	t    *testing.T
	seen map[types.Type]bool
}

func (s surface) object(name string, obj types.Object) {
	if named, ok := obj.Type().(*types.Named); ok {
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

// typ reports internal types reachable from typ by what a user can touch.
// Named types of other packages end the walk: they answer for themselves.
func (s surface) typ(name string, typ types.Type) {
	if named, ok := typ.(*types.Named); ok {
		if pkg := named.Obj().Pkg(); pkg != nil && strings.HasPrefix(pkg.Path(), module) && strings.Contains(pkg.Path(), "/internal/") {
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
