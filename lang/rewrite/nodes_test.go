package rewrite

import (
	"go/importer"
	"go/token"
	"go/types"
	"reflect"
	"testing"

	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/syntax"
)

// everything is a recipe with every kind of node in it.
const everything = `
load("m", "x", y="z")
def f(a, b=1, *args, **kwargs):
    for i, [j] in [(1, [2])]:
        while i < 3 and not j:
            i += 1
            if i == 2: continue
            elif i > 7: break
            else: pass
    return (lambda *, q: q)(q=a.b)[b], {1: 2}, a[1:2:3], -b, "s", [k for k in args if k], 1 if b else 2
f(*[1], **{})
`

// TestEveryNode checks that every type of node of the syntax package is in the
// recipe above, and so that nothing there is unknown to this package.
func TestEveryNode(t *testing.T) {
	seen := map[string]bool{}
	var visit func(syntax.Node)
	visit = func(n syntax.Node) {
		seen[reflect.TypeOf(n).Elem().Name()] = true
		for _, c := range dicesyntax.Children(n) {
			visit(c)
		}
	}
	tree, ds := dicesyntax.Parse("x", []byte(everything))
	if ds != nil {
		t.Fatal(ds)
	}
	visit(tree.File)
	if _, ds := Rewrite(tree, Options{}); ds != nil {
		t.Fatal(ds)
	}

	pkg, err := importer.ForCompiler(token.NewFileSet(), "source", nil).Import("go.starlark.net/syntax")
	if err != nil {
		t.Skip("the source of go.starlark.net/syntax is not here: ", err)
	}
	node := pkg.Scope().Lookup("Node").Type().Underlying().(*types.Interface)
	found := 0
	for _, name := range pkg.Scope().Names() {
		object, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || types.IsInterface(object.Type()) || !types.Implements(types.NewPointer(object.Type()), node) {
			continue
		}
		found++
		if !seen[name] {
			t.Errorf("no test of a %s", name)
		}
	}
	if found < 25 {
		t.Errorf("found only %d types of nodes", found)
	}
}
