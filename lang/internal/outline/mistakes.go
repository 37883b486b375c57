// What a file may not have.

package outline

import (
	"fmt"

	"dicescript/builtins/meter"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// TooLarge says of a node of a resolved file what is wrong with it, "" when it is no
// function with too many parameters or variables. Every call makes room for all of them,
// whether or not it gets to them, and looks for arguments by name among all parameters, so
// that thousands would make a short recipe slow and large.
func TooLarge(n syntax.Node) (pos syntax.Position, message string) {
	var function any
	switch n := n.(type) {
	case *syntax.DefStmt:
		function, pos = n.Function, n.Def
	case *syntax.LambdaExpr:
		function, pos = n.Function, n.Lambda
	}
	fn, ok := function.(*resolve.Function)
	if !ok {
		return pos, ""
	}
	switch {
	case len(fn.Params) > meter.MaxParameters:
		message = fmt.Sprintf("this function has more than %d parameters; give it a list or a dict", meter.MaxParameters)
	case len(fn.Locals) > meter.MaxVariables:
		message = fmt.Sprintf("this function has more than %d variables; divide it into several functions", meter.MaxVariables)
	}
	return pos, message
}

// Misplaced says what is wrong with a use of output or param where it can't be, "" of all
// other names. It looks at names as the resolver understood them, so that a recipe may use
// the words for something else. Main is the recipe itself, not a module.
func (o *Outline) Misplaced(id *syntax.Ident, main bool) (message string) {
	if id.Name != "output" && id.Name != "param" {
		return ""
	}
	if b, ok := id.Binding.(*resolve.Binding); !ok || b.Scope != resolve.Predeclared {
		return ""
	}
	switch {
	case !main && id.Name == "output":
		return "output: only the recipe itself records results; a module returns them"
	case !main:
		return "param: only the recipe itself has inputs; a module takes arguments"
	case id.Name == "param" && !o.named[id]:
		return "param: call it at the top level, outside functions, loops and conditions: hosts know all inputs before the recipe runs"
	}
	return ""
}
