package eval

import (
	"dicescript/builtins/meter"
	"dicescript/builtins/slot"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// A definition is compiled to Go closures: each statement to one that returns the place
// of the next, each expression to one that returns a value. What is known of a part
// before it runs makes better code of what is around it.

type (
	// A stmt executes a statement and returns the place in the body to go on at.
	stmt func(fr *frame) int
	// An expr evaluates an expression; it returns failed when the machine has an error.
	expr func(fr *frame) slot.Value
	// A test evaluates a condition.
	test func(fr *frame) verdict
	// A setter assigns a value, and reports whether it could.
	setter func(fr *frame, v slot.Value) bool
)

// A verdict is what a condition comes to.
type verdict uint8

const (
	no verdict = iota
	yes
	wrong // the machine has an error
)

func verdictOf(b bool) verdict {
	if b {
		return yes
	}
	return no
}

// A node is a compiled expression.
type node struct {
	eval  expr
	test  test       // its truth, where that is better than by its value
	fixed bool       // whether it is always value
	value slot.Value // if fixed
	local int        // the variable that it is, which has a value for certain, or -1
}

func computed(f expr) node { return node{eval: f, local: -1} }

func fixed(v slot.Value) node {
	return node{eval: func(*frame) slot.Value { return v }, fixed: true, value: v, local: -1}
}

// number is the whole number that a node always is.
func (x node) number() (int64, bool) { return x.value.N, x.fixed && x.value.V == nil }

// A compiler compiles one definition.
type compiler struct {
	def   *definition
	file  *File
	body  []stmt
	slots int

	assigned map[int]bool // variables that have a value for certain
	dead     bool         // whether this place is never come to
	unset    map[int]bool // variables that may be used before they have a value
	cells    map[int]bool
	loops    []*loop // around this place, innermost last

	stepped bool     // whether it is compiled to be played
	flow    passages // what is known of each statement of a body that is played

	cost   int64 // nodes of the statement that is being compiled
	levels int   // of expressions around
	most   int   // levels at most
}

// compile compiles a definition; stepped says whether it is to be played.
func compile(d *definition, stepped bool) *code {
	c := &compiler{
		def: d, file: d.file, slots: len(d.resolved.Locals), stepped: stepped,
		assigned: map[int]bool{}, unset: map[int]bool{}, cells: map[int]bool{},
	}
	for i, b := range d.resolved.Locals {
		if b.Scope == resolve.Cell {
			c.cells[i] = true
		}
	}
	for i := range d.params {
		c.assigned[i] = true
	}
	for i := range c.cells {
		if !c.assigned[i] {
			c.unset[i] = true
		}
	}
	if len(d.resolved.Locals) > manyVariables {
		cost := nodesPerVariable * int64(len(d.resolved.Locals))
		c.emit(func(next int) stmt {
			return func(fr *frame) int {
				if !fr.spend(cost) {
					return aborted
				}
				return next
			}
		})
	}
	body := d.resolved.Body
	if stepped {
		body = c.lifted(body)
	}
	parts := c.parts(body)
	c.emit(func(int) stmt {
		return func(fr *frame) int {
			if d.toplevel && !fr.refuel() { // whether all that has been done was within the limits
				return aborted
			}
			fr.result = noneValue
			return returned
		}
	})
	c.leads(len(c.body) - 1)
	out := &code{body: c.body, slots: c.slots, levels: frameLevels + c.most, at: placeOf(d.pos), parts: parts}
	for i := range c.slots {
		if c.unset[i] {
			out.unset = append(out.unset, i)
		}
		if c.cells[i] {
			out.cells = append(out.cells, i)
		}
	}
	if stepped {
		out.alive = c.flow.alive(c.slots, out.cells)
	}
	return out
}

// frameLevels is how many levels of Go's stack a call takes besides its expressions.
const frameLevels = 6

// manyVariables is how many variables a function has for nothing.
const manyVariables = meter.FewVariables

// nodesPerVariable is what each of them costs in a function that has more.
const nodesPerVariable = 4

// slot makes room for one more value in the frame.
func (c *compiler) slot() int {
	c.slots++
	return c.slots - 1
}

// emit puts a statement at the end of the body; make is given the place after it.
func (c *compiler) emit(make func(next int) stmt) {
	c.body = append(c.body, make(len(c.body)+1))
	c.note()
}

// reserve keeps a place for a statement that depends on what comes after it.
func (c *compiler) reserve() int {
	c.body = append(c.body, nil)
	c.note()
	return len(c.body) - 1
}

// costed compiles a part of a statement, and returns how many nodes it has, and one for
// the statement.
func (c *compiler) costed(f func()) int64 {
	outside := c.cost
	c.cost = 1
	f()
	cost := c.cost
	c.cost = outside
	return cost
}

// snapshot is which variables have a value.
func (c *compiler) snapshot() map[int]bool {
	copied := make(map[int]bool, len(c.assigned))
	for i := range c.assigned {
		copied[i] = true
	}
	return copied
}

// join is what is known after two ways that come together.
func (c *compiler) join(assigned map[int]bool, dead bool) {
	switch {
	case dead:
	case c.dead:
		c.assigned, c.dead = assigned, false
	default:
		for i := range c.assigned {
			if !assigned[i] {
				delete(c.assigned, i)
			}
		}
	}
}

// expr compiles an expression and counts its nodes.
func (c *compiler) expr(x syntax.Expr) node {
	c.cost++
	c.levels++
	c.most = max(c.most, c.levels)
	defer func() { c.levels-- }()
	switch x := x.(type) {
	case *syntax.ParenExpr:
		c.cost--
		return c.expr(x.X)
	case *syntax.Literal:
		return literal(x)
	case *syntax.Ident:
		return c.name(x)
	case *syntax.UnaryExpr:
		return c.unary(x)
	case *syntax.BinaryExpr:
		return c.binary(x)
	case *syntax.CondExpr:
		return c.choice(x)
	case *syntax.TupleExpr:
		return c.tuple(x)
	case *syntax.ListExpr:
		return c.list(x)
	case *syntax.DictExpr:
		return c.dict(x)
	case *syntax.IndexExpr:
		return c.index(x)
	case *syntax.SliceExpr:
		return c.slice(x)
	case *syntax.Comprehension:
		return c.comprehension(x)
	case *syntax.CallExpr:
		return c.call(x)
	case *syntax.DotExpr:
		return c.attribute(x)
	case *syntax.LambdaExpr:
		return c.function(x.Function.(*resolve.Function))
	}
	panic("eval: unknown expression")
}

func (c *compiler) exprs(list []syntax.Expr) []expr {
	evals := make([]expr, len(list))
	for i, x := range list {
		evals[i] = c.expr(x).eval
	}
	return evals
}

func unparen(x syntax.Expr) syntax.Expr {
	for {
		p, ok := x.(*syntax.ParenExpr)
		if !ok {
			return x
		}
		x = p.X
	}
}

// placeIn is a place of an expression that errors about its value show.
func placeIn(x syntax.Expr) place { return placeOf(dicesyntax.Position(x)) }
