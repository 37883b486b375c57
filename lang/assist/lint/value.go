package lint

import (
	"dicescript/builtins"

	"go.starlark.net/syntax"
)

// Values that nobody sees: a line that computes something and does nothing
// with it.

// value looks at an expression that stands as a statement of its own.
func (c *checker) value(x syntax.Expr) {
	start, _ := x.Span()
	switch x := x.(type) {
	case *syntax.ParenExpr:
		c.value(x.X)
	case *syntax.CallExpr:
		c.call(x)
	case *syntax.BinaryExpr:
		if isComparison(x.Op) {
			c.add(start, "this comparison is not used: nothing happens with its answer%s", c.showIt())
			return
		}
		c.add(start, "the value of this line is not used%s", c.showIt())
	case *syntax.Literal, *syntax.Ident, *syntax.UnaryExpr, *syntax.DotExpr, *syntax.IndexExpr,
		*syntax.SliceExpr, *syntax.ListExpr, *syntax.TupleExpr, *syntax.DictExpr, *syntax.LambdaExpr:
		c.add(start, "the value of this line is not used%s", c.showIt())
	}
}

func (c *checker) showIt() string {
	if c.names.binds("output") {
		return ""
	}
	return "; output(\"title\", value) shows it"
}

func isComparison(op syntax.Token) bool {
	switch op {
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.GT, syntax.LE, syntax.GE, syntax.IN, syntax.NOT_IN:
		return true
	}
	return false
}

// call looks at a call whose result is dropped. Only the builtins are known to
// do nothing but answer.
func (c *checker) call(x *syntax.CallExpr) {
	start, _ := x.Span()
	switch fn := x.Fn.(type) {
	case *syntax.Ident:
		if c.names.binds(fn.Name) {
			return
		}
		switch {
		case fn.Name == "param":
			c.add(start, "this input is not used: give it a name, as in bonus = param(\"bonus\", 5)")
		case answers(fn.Name, false):
			c.add(start, "the answer of %s is not used%s", fn.Name, c.showIt())
		}
	case *syntax.DotExpr:
		if answers(fn.Name.Name, true) && !changes[fn.Name.Name] {
			c.add(start, "the answer of .%s is not used%s", fn.Name.Name, c.showIt())
		}
	}
}

// changes are the methods of lists, dicts and sets that are called for what
// they do to them.
var changes = map[string]bool{
	"add": true, "append": true, "clear": true, "discard": true, "extend": true, "insert": true,
	"pop": true, "popitem": true, "remove": true, "setdefault": true, "update": true,
}

// answers reports whether a builtin does nothing but give an answer.
func answers(name string, method bool) bool {
	if name == "output" || name == "map" || name == "evaluate" {
		return false // map calls a function, which may do more
	}
	for _, e := range builtins.Table() {
		if e.Name == name && (e.Receiver != "") == method {
			return true
		}
	}
	return false
}
