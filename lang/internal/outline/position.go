// Where errors show.

package outline

import "go.starlark.net/syntax"

// PointAtNames gives every call the position of the name that is called, rather
// than of the bracket after it, and every method that of its name rather than
// of the dot: that is where an error in it shows.
func PointAtNames(f *syntax.File) {
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DotExpr:
			n.NamePos = n.Name.NamePos
			n.Dot = n.NamePos
		case *syntax.CallExpr:
			switch fn := n.Fn.(type) {
			case *syntax.DotExpr:
				n.Lparen = fn.Name.NamePos
			case *syntax.Ident:
				n.Lparen = fn.NamePos
			}
		}
		return true
	})
}
