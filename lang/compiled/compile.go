package compiled

import (
	"fmt"

	"dicescript/builtins/small"
	"dicescript/dist"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A file is compiled from the tree that its author wrote: every def and every
// lambda in it becomes a function, which is found by where it stands.

// Options say what the names of a file mean that the file does not define.
type Options struct {
	// Standard reports whether a predeclared name means what the reference says,
	// and calling it has no effect but its value. Other names are left to the
	// interpreter.
	Standard func(name string) bool

	// Range returns the ends of a range, such as 5.. or 1..10, for a name that
	// stands for one in the tree; an end that it lacks is nil.
	Range func(name string) (lo, hi *int, ok bool)

	// Dice returns the dice literal that a name stands for in the tree, such as
	// 4d6kh3. The host of a machine makes its value.
	Dice func(name string) (literal any, ok bool)

	// Live holds the names that inputs of a session before this one have given a
	// meaning, nil for a file that is no input. A function of an input sees the
	// globals of the session as they are when it is called; see [Machine.SetLive].
	Live map[string]bool
}

// A File holds the compiled functions of one file. It is immutable and may be
// shared.
type File struct {
	functions map[place]*Function
	order     []*Function // as they begin in the text
}

type place struct{ line, col int32 }

// A Function is the compiled form of one function of a file.
type Function struct {
	Name string // "lambda" for one without a name
	Pos  syntax.Position

	body     expr
	params   int
	slots    int             // variables, parameters first
	captures []string        // what it uses of the world around it, by name
	globals  map[string]bool // which names are globals of the file
	live     bool            // whether its globals are those of a session
	sites    int             // calls of other functions
	views    []*dist.View    // by parameter, how it is looked at
	assigns  bool            // whether it gives a parameter another value

	called  []int // captures that are called
	touches bool  // whether it calls a method that might change something
	extends bool  // whether it has += or |=, which change a list or a dict

	declined string
	except   []Gap
}

// A Gap is a part of a function that is left to the interpreter.
type Gap struct {
	Pos    syntax.Position
	Reason string
	Fails  bool // whether it does nothing but to end the recipe
}

// Declined says why the function is never run compiled, or "".
func (f *Function) Declined() string { return f.declined }

// Gaps returns the parts of the function that are left to the interpreter:
// a call that comes to one of them is made by it.
func (f *Function) Gaps() []Gap { return append([]Gap(nil), f.except...) }

// At returns the compiled form of fn, a function of this file, nil when it has
// none.
func (f *File) At(fn *starlark.Function) *Function {
	pos := fn.Position()
	return f.functions[place{pos.Line, pos.Col}]
}

// Functions returns all functions in the order of the text.
func (f *File) Functions() []*Function { return append([]*Function(nil), f.order...) }

// Compile compiles the functions of a tree, which it leaves as it is and does
// not hold on to.
func Compile(tree *syntax.File, o Options) *File {
	f := &File{functions: map[place]*Function{}}
	globals := dicesyntax.Bound(tree.Stmts...)
	for name := range o.Live {
		globals[name] = true
	}
	c := &compiler{options: o, file: f, globals: globals, around: comprehended(stmtNodes(tree.Stmts))}
	for _, s := range tree.Stmts {
		if o.Live == nil || !isBlock(s) {
			c.inner([]syntax.Node{s})
		}
	}
	return f
}

// isBlock reports whether what a statement of the top level binds is seen by the
// functions in it as the interpreter has it, and not as a session does.
func isBlock(s syntax.Stmt) bool {
	switch s.(type) {
	case *syntax.IfStmt, *syntax.ForStmt, *syntax.WhileStmt:
		return true
	}
	return false
}

// A compiler compiles one function.
type compiler struct {
	options Options
	file    *File
	globals map[string]bool
	outer   *compiler // of the scope around it, nil for the file itself
	fn      *Function
	names   map[string]int   // variables, by their slots
	blocks  []map[string]int // variables of the comprehensions around, innermost last
	around  map[string]bool  // variables of all comprehensions in it, for functions in those
	index   map[string]int   // of captures
	cost    int64            // of the expression that is being compiled
	branch  int              // how many conditions are around
}

// inner compiles the functions that are defined in nodes, but not those in them,
// which they compile themselves.
func (c *compiler) inner(nodes []syntax.Node) {
	for _, n := range nodes {
		syntax.Walk(n, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.DefStmt:
				c.function(n.Name.Name, n.Def, n.Params, n.Body)
				// Defaults are expressions of the scope around.
				c.inner(defaults(n.Params))
				return false
			case *syntax.LambdaExpr:
				ret := &syntax.ReturnStmt{Return: n.Lambda, Result: n.Body}
				c.function("lambda", n.Lambda, n.Params, []syntax.Stmt{ret})
				c.inner(defaults(n.Params))
				return false
			}
			return true
		})
	}
}

func stmtNodes(stmts []syntax.Stmt) []syntax.Node {
	nodes := make([]syntax.Node, len(stmts))
	for i, s := range stmts {
		nodes[i] = s
	}
	return nodes
}

// defaults are the default values of parameters.
func defaults(params []syntax.Expr) []syntax.Node {
	var nodes []syntax.Node
	for _, p := range params {
		if b, ok := p.(*syntax.BinaryExpr); ok {
			nodes = append(nodes, b.Y)
		}
	}
	return nodes
}

// function compiles one function and those in it.
func (c *compiler) function(name string, pos syntax.Position, params []syntax.Expr, body []syntax.Stmt) {
	fn := &Function{Name: name, Pos: pos, globals: c.globals, live: c.options.Live != nil}
	own := &compiler{
		options: c.options, file: c.file, globals: c.globals, outer: c, fn: fn,
		names: map[string]int{}, index: map[string]int{},
	}
	c.file.functions[place{pos.Line, pos.Col}] = fn
	c.file.order = append(c.file.order, fn)
	if len(c.around) > 0 { // as all that is in this one is in the one around it too
		own.around = comprehended(stmtNodes(body))
	}
	own.compile(params, body)
	own.inner(stmtNodes(body))
}

func (c *compiler) compile(params []syntax.Expr, body []syntax.Stmt) {
	var ids []*syntax.Ident
	for _, p := range params {
		switch p := p.(type) {
		case *syntax.Ident:
			ids = append(ids, p)
		case *syntax.BinaryExpr:
			ids = append(ids, p.X.(*syntax.Ident))
		default:
			start, _ := p.Span()
			c.decline(start, "it gathers arguments with *")
			return
		}
	}
	for _, id := range ids {
		c.names[id.Name] = c.slot()
	}
	c.fn.params = len(ids)
	bound := dicesyntax.Bound(body...)
	for name := range c.names {
		c.fn.assigns = c.fn.assigns || bound[name]
	}
	// Slots are given out in the order of the text, and not of a map.
	dicesyntax.EachBound(body, func(id *syntax.Ident) {
		if _, known := c.names[id.Name]; !known {
			c.names[id.Name] = c.slot()
		}
	})
	c.fn.body = c.tail(body)
	c.fn.views = viewsOf(c, ids, body)
}

func (c *compiler) slot() int {
	c.fn.slots++
	return c.fn.slots - 1
}

// gap notes that a part of the function is left to the interpreter. One that
// every call comes to leaves the whole function to it.
func (c *compiler) gap(pos syntax.Position, format string, args ...any) {
	reason := fmt.Sprintf(format, args...)
	if c.branch == 0 {
		c.decline(pos, reason)
		return
	}
	c.fn.except = append(c.fn.except, Gap{Pos: pos, Reason: reason})
}

func (c *compiler) decline(pos syntax.Position, reason string) {
	if c.fn.declined == "" {
		c.fn.declined = fmt.Sprintf("line %d: %s", pos.Line, reason)
	}
}

// within compiles a part that not every call comes to.
func (c *compiler) within(f func()) {
	c.branch++
	f()
	c.branch--
}

// stuckExpr is an expression that is left to the interpreter.
func (c *compiler) stuckExpr(x syntax.Expr, format string, args ...any) code {
	start, _ := x.Span()
	c.gap(start, format, args...)
	return code{eval: func(*Machine) small.Value { return small.Nothing }, slot: -1}
}

// comprehended are the variables of the comprehensions in nodes.
func comprehended(nodes []syntax.Node) map[string]bool {
	names := map[string]bool{}
	for _, n := range nodes {
		syntax.Walk(n, func(n syntax.Node) bool {
			if f, ok := n.(*syntax.ForClause); ok {
				dicesyntax.EachTarget(f.Vars, func(id *syntax.Ident) { names[id.Name] = true })
			}
			return true
		})
	}
	return names
}

// A meaning is what a name stands for.
type meaning uint8

const (
	variable   meaning = iota // of the function itself
	captured                  // of a function around it, or of the file
	predefined                // none of the file's
)

// meaningOf returns what a name stands for, and the slot of a variable.
func (c *compiler) meaningOf(name string) (meaning, int) {
	if slot, ok := c.lookup(name); ok {
		return variable, slot
	}
	for o := c.outer; o != nil; o = o.outer {
		if _, ok := o.names[name]; ok || o.around[name] {
			return captured, 0
		}
	}
	if c.globals[name] {
		return captured, 0
	}
	return predefined, 0
}

func (c *compiler) lookup(name string) (int, bool) {
	for i := len(c.blocks) - 1; i >= 0; i-- {
		if slot, ok := c.blocks[i][name]; ok {
			return slot, true
		}
	}
	slot, ok := c.names[name]
	return slot, ok
}

// standard reports whether a name means the builtin of the reference.
func (c *compiler) standard(name string) bool {
	m, _ := c.meaningOf(name)
	return m == predefined && c.options.Standard(name)
}

// capture returns the number of a captured name.
func (c *compiler) capture(name string) int {
	i, ok := c.index[name]
	if !ok {
		i = len(c.fn.captures)
		c.index[name] = i
		c.fn.captures = append(c.fn.captures, name)
	}
	return i
}
