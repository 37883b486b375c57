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

// tooManyNames is the error of a node of a resolved file that is a function with too
// many parameters or variables.
func (u *unit) tooManyNames(n syntax.Node) *Error {
	var function any
	var pos syntax.Position
	switch n := n.(type) {
	case *syntax.DefStmt:
		function, pos = n.Function, n.Def
	case *syntax.LambdaExpr:
		function, pos = n.Function, n.Lambda
	}
	fn, ok := function.(*resolve.Function)
	if !ok {
		return nil
	}
	message := ""
	switch {
	case len(fn.Params) > meter.MaxParameters:
		message = fmt.Sprintf("this function has more than %d parameters; give it a list or a dict", meter.MaxParameters)
	case len(fn.Locals) > meter.MaxVariables:
		message = fmt.Sprintf("this function has more than %d variables; divide it into several functions", meter.MaxVariables)
	default:
		return nil
	}
	return u.errorAt(KindSyntax, int(pos.Line), int(pos.Col), message)
}
