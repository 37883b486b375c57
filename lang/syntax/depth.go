package syntax

import (
	"dicescript/lang/notation"

	"go.starlark.net/syntax"
)

// This file bounds the depth of a syntax tree. The parser bounds what it
// recurses into (brackets, signs, blocks); chains such as a+b+c+... and
// if/elif/elif/... it builds in a loop, however deep the tree becomes.

// maxDepth bounds the depth of a tree, and with it the stack that later
// passes need. A sum of a thousand terms, or a thousand elifs, still fits.
const maxDepth = 4000

// tooDeep returns a diagnostic if the tree, which was made of so many tokens, is too
// deep. It uses no stack.
func tooDeep(f *syntax.File, tokens int) *notation.Error {
	// But for the file and for a statement that is an expression, every node has a
	// token that no node below it has.
	if tokens+2 <= maxDepth {
		return nil
	}
	type entry struct {
		node  syntax.Node
		depth int
	}
	stack := make([]entry, 1, 256)
	stack[0].node = f
	below := 0
	push := func(n syntax.Node) { stack = append(stack, entry{n, below}) }
	for len(stack) > 0 {
		e := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if e.depth > maxDepth {
			pos := Position(e.node)
			return &notation.Error{Line: int(pos.Line), Col: int(pos.Col),
				Msg: "this expression or block is nested too deeply, or is too long a chain", Hint: "divide it with variables or functions"}
		}
		below = e.depth + 1
		Each(e.node, push)
	}
	return nil
}

// Position is a position of a node that is found without recursion.
func Position(n syntax.Node) syntax.Position {
	switch n := n.(type) {
	case *syntax.BinaryExpr:
		return n.OpPos
	case *syntax.CallExpr:
		return n.Lparen
	case *syntax.DotExpr:
		return n.NamePos
	case *syntax.IndexExpr:
		return n.Lbrack
	case *syntax.SliceExpr:
		return n.Lbrack
	case *syntax.CondExpr:
		return n.If
	case *syntax.AssignStmt:
		return n.OpPos
	case *syntax.ExprStmt:
		return Position(n.X)
	case *syntax.DictEntry:
		return n.Colon
	}
	return syntax.Start(n)
}
