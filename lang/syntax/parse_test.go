package syntax

import (
	"fmt"
	"testing"

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

// TestChildrenAreTheTree checks children against Starlark's own walk.
func TestChildrenAreTheTree(t *testing.T) {
	tree, _ := Parse("x", []byte(everything))
	want := 0
	syntax.Walk(tree.File, func(n syntax.Node) bool {
		if n != nil {
			want++
		}
		return true
	})
	got := 0
	var visit func(syntax.Node)
	visit = func(n syntax.Node) {
		got++
		for _, c := range Children(n) {
			visit(c)
		}
	}
	visit(tree.File)
	if got != want {
		t.Errorf("%d nodes, Starlark counts %d", got, want)
	}
}

func TestOneErrorPerStatement(t *testing.T) {
	src := "x = = 1\ny = 2\nif x\n  y = 3\nz = )\ndef f():\n  return +\n  return *\nok = (1,\n2)\nprint('a\nw = 3\n"
	_, ds := Parse("x", []byte(src))
	var lines []int
	for _, d := range ds {
		lines = append(lines, d.Line)
	}
	if fmt.Sprint(lines) != "[1 3 5 7 11]" {
		t.Errorf("errors on lines %v: %v", lines, ds)
	}
}
