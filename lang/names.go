// How many names a function may have. Every call makes room for all of them,
// whether or not it gets to them, and looks for arguments by name among all
// parameters, so that thousands would make a short recipe slow and large.

package lang

import (
	"fmt"

	"dicescript/builtins/meter"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// crowded finds the functions of a resolved file that have too many parameters
// or variables.
func (u *unit) crowded(f *syntax.File) []*Error {
	var errs []*Error
	check := func(function any, pos syntax.Position) {
		fn, ok := function.(*resolve.Function)
		if !ok {
			return
		}
		message := ""
		switch {
		case len(fn.Params) > meter.MaxParameters:
			message = fmt.Sprintf("this function has more than %d parameters; give it a list or a dict", meter.MaxParameters)
		case len(fn.Locals) > meter.MaxVariables:
			message = fmt.Sprintf("this function has more than %d variables; divide it into several functions", meter.MaxVariables)
		default:
			return
		}
		errs = append(errs, u.errorAt(KindSyntax, int(pos.Line), int(pos.Col), message))
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt:
			check(n.Function, n.Def)
		case *syntax.LambdaExpr:
			check(n.Function, n.Lambda)
		}
		return true
	})
	return errs
}
