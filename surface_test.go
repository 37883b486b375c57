package dicescript_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var updateSurface = flag.Bool("update-surface", false, "write testdata/surface.txt anew")

// stable are the packages whose exported names hosts rely on, as CHANGELOG.md says.
var stable = []string{"dist", "lang", "lang/isolate", "lang/report", "lang/throw"}

const surfaceFile = "testdata/surface.txt"

// What hosts rely on changes when somebody means it to, and then CHANGELOG.md says so.
func TestSurface(t *testing.T) {
	var text strings.Builder
	for _, folder := range stable {
		fmt.Fprintf(&text, "package %s\n\n", folder)
		for _, line := range surfaceOf(t, folder) {
			text.WriteString("\t" + line + "\n")
		}
		text.WriteString("\n")
	}
	if *updateSurface {
		if err := os.WriteFile(surfaceFile, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(surfaceFile)
	if err != nil {
		t.Fatal(err)
	}
	gone, added := difference(string(want), text.String()), difference(text.String(), string(want))
	if len(gone)+len(added) > 0 {
		t.Errorf("the names that hosts rely on have changed:\n- %s\n+ %s\nSay in CHANGELOG.md what a host has to do, and write the list anew:\n\n\tgo test . -run Surface -update-surface\n",
			strings.Join(gone, "\n- "), strings.Join(added, "\n+ "))
	}
}

// The list tells what a host would notice.
func TestSurfaceOfAPackage(t *testing.T) {
	dir := t.TempDir()
	source := `package p

import "context"

const A, b = 1, 2

const (
	C Kind = "c"
	D
)

var E, f int

type Kind string

type G struct {
	H, i []string
	context.Context
	j int
}

type K[T any] interface{ L(x, y T) (n int, err error); m() }

type N = G

func (g *G) O(ctx context.Context, opts ...func(*G) error) {}
func (g G) q() {}
func (r rest) S() {}
func U[T any](v T) (out map[string]T, err error) { return }

type rest struct{}
`
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	want := `const A = 1
const C Kind = "c"
const D
func (*G) O(context.Context, ...func(*G) error)
func U[T any](T) (map[string]T, error)
type G struct
type G struct: Context context.Context
type G struct: H []string
type K[T any] interface
type K[T any] interface: L(T, T) (int, error)
type Kind string
type N = G
var E int`
	if got := strings.Join(surfaceOf(t, dir), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// difference returns the lines of a that b does not have.
func difference(a, b string) []string {
	has := map[string]bool{}
	section := ""
	each := func(text string, visit func(line string)) {
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if name, ok := strings.CutPrefix(line, "package "); ok {
				section = name
			} else if line != "" {
				visit(section + ": " + line)
			}
		}
	}
	each(b, func(line string) { has[line] = true })
	var only []string
	each(a, func(line string) {
		if !has[line] {
			only = append(only, line)
		}
	})
	return only
}

// surfaceOf lists the exported names of the package in a folder with their types, sorted.
func surfaceOf(t *testing.T, folder string) []string {
	t.Helper()
	s := surface{t: t, lines: map[string]bool{}}
	s.files = parsed(t, folder)
	for _, f := range s.files {
		for _, d := range f.Decls {
			s.declaration(f, d)
		}
	}
	return slices.Sorted(maps.Keys(s.lines))
}

// parsed are the files of a package as they are for this system, without tests.
func parsed(t *testing.T, folder string) []*ast.File {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		t.Fatal(&fs.PathError{Op: "parse", Path: folder, Err: fs.ErrNotExist})
	}
	return files
}

// A surface is the exported names of a package.
type surface struct {
	t     *testing.T
	files []*ast.File
	lines map[string]bool
}

func (s *surface) line(format string, args ...any) { s.lines[fmt.Sprintf(format, args...)] = true }

func (s *surface) declaration(f *ast.File, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		s.function(d)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				s.values(d.Tok.String(), spec)
			case *ast.TypeSpec:
				if spec.Name.IsExported() {
					s.typeSpec(f, spec, spec.Name.Name)
				}
			}
		}
	}
}

func (s *surface) values(kind string, spec *ast.ValueSpec) {
	for i, name := range spec.Names {
		if !name.IsExported() {
			continue
		}
		text := kind + " " + name.Name
		if spec.Type != nil {
			text += " " + types.ExprString(spec.Type)
		}
		if kind == "const" && i < len(spec.Values) {
			text += " = " + types.ExprString(spec.Values[i])
		}
		s.line("%s", text)
	}
}

func (s *surface) function(d *ast.FuncDecl) {
	if !d.Name.IsExported() {
		return
	}
	name := d.Name.Name
	if d.Recv != nil {
		of := types.ExprString(d.Recv.List[0].Type)
		if !ast.IsExported(strings.TrimLeft(of, "*")) {
			return
		}
		name = "(" + of + ") " + name
	}
	s.line("func %s%s%s", name, parametersOfType(d.Type.TypeParams), signature(d.Type))
}

// typeSpec lists a type under a name, with its fields or methods.
func (s *surface) typeSpec(f *ast.File, spec *ast.TypeSpec, name string) {
	name += parametersOfType(spec.TypeParams)
	if spec.Assign.IsValid() {
		s.line("type %s = %s", name, types.ExprString(spec.Type))
		s.aliased(f, spec.Type, name)
		return
	}
	s.shape(name, spec.Type)
}

func (s *surface) shape(name string, of ast.Expr) {
	switch of := of.(type) {
	case *ast.StructType:
		s.line("type %s struct", name)
		for _, field := range of.Fields.List {
			for _, n := range namesOf(field) {
				if ast.IsExported(n) {
					s.line("type %s struct: %s %s", name, n, types.ExprString(field.Type))
				}
			}
		}
	case *ast.InterfaceType:
		s.line("type %s interface", name)
		for _, m := range of.Methods.List {
			if sig, ok := m.Type.(*ast.FuncType); ok {
				for _, n := range m.Names {
					if n.IsExported() {
						s.line("type %s interface: %s%s", name, n.Name, signature(sig))
					}
				}
			} else {
				s.line("type %s interface: %s", name, types.ExprString(m.Type))
			}
		}
	default:
		s.line("type %s %s", name, types.ExprString(of))
	}
}

// aliased lists what a name for a type of another package of this module stands for.
func (s *surface) aliased(f *ast.File, of ast.Expr, name string) {
	sel, ok := of.(*ast.SelectorExpr)
	if !ok {
		return
	}
	from, ok := sel.X.(*ast.Ident)
	if !ok {
		return
	}
	for _, spec := range f.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		folder, own := strings.CutPrefix(imported, module()+"/")
		if !own || path.Base(imported) != from.Name {
			continue
		}
		for _, other := range parsed(s.t, folder) {
			for _, d := range other.Decls {
				s.declared(d, sel.Sel.Name, name)
			}
		}
	}
}

// declared lists a type of another package, and its methods, under a name of this one.
func (s *surface) declared(d ast.Decl, typeName, name string) {
	switch d := d.(type) {
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if spec, ok := spec.(*ast.TypeSpec); ok && spec.Name.Name == typeName {
				s.shape(name, spec.Type)
			}
		}
	case *ast.FuncDecl:
		if d.Recv == nil || !d.Name.IsExported() {
			return
		}
		of := types.ExprString(d.Recv.List[0].Type)
		if star := strings.TrimSuffix(of, typeName); star == "" || star == "*" {
			s.line("func (%s%s) %s%s", star, name, d.Name.Name, signature(d.Type))
		}
	}
}

// namesOf are the names of a field; that of an embedded one is its type's.
func namesOf(field *ast.Field) []string {
	if len(field.Names) == 0 {
		of := strings.TrimLeft(types.ExprString(field.Type), "*")
		return []string{of[strings.LastIndexByte(of, '.')+1:]}
	}
	var names []string
	for _, n := range field.Names {
		names = append(names, n.Name)
	}
	return names
}

// signature is that of a function by types alone.
func signature(f *ast.FuncType) string {
	results := typesOf(f.Results)
	switch text := strings.Join(results, ", "); len(results) {
	case 0:
		return "(" + strings.Join(typesOf(f.Params), ", ") + ")"
	case 1:
		return "(" + strings.Join(typesOf(f.Params), ", ") + ") " + text
	default:
		return "(" + strings.Join(typesOf(f.Params), ", ") + ") (" + text + ")"
	}
}

func typesOf(list *ast.FieldList) []string {
	if list == nil {
		return nil
	}
	var out []string
	for _, field := range list.List {
		for range max(1, len(field.Names)) {
			out = append(out, types.ExprString(field.Type))
		}
	}
	return out
}

// parametersOfType are the type parameters of a declaration, in brackets.
func parametersOfType(list *ast.FieldList) string {
	if list == nil {
		return ""
	}
	var out []string
	for _, field := range list.List {
		for _, n := range field.Names {
			out = append(out, n.Name+" "+types.ExprString(field.Type))
		}
	}
	return "[" + strings.Join(out, ", ") + "]"
}
