package compiled

import (
	"dicescript/builtins/small"

	"go.starlark.net/syntax"
)

// Statements. A function is mostly a chain of conditions that end in a return:
// such a chain is compiled like one expression.

// ends reports whether no statement after these is ever come to.
func ends(stmts []syntax.Stmt) bool {
	if len(stmts) == 0 {
		return false
	}
	switch s := stmts[len(stmts)-1].(type) {
	case *syntax.ReturnStmt:
		return true
	case *syntax.IfStmt:
		return ends(s.True) && ends(s.False)
	}
	return false
}

// tail compiles the last statements of a function, whose value they are.
func (c *compiler) tail(stmts []syntax.Stmt) expr {
	if len(stmts) == 0 {
		return func(*Machine) small.Value { return small.NoneValue }
	}
	rest := stmts[1:]
	switch s := stmts[0].(type) {
	case *syntax.ReturnStmt:
		if s.Result == nil {
			return c.tail(nil)
		}
		x, cost := c.costed(func() code { return c.expr(s.Result) })
		if x.fixed {
			v := x.value
			return func(m *Machine) small.Value {
				m.steps += cost
				return v
			}
		}
		eval := x.eval
		return func(m *Machine) small.Value {
			m.steps += cost
			return eval(m)
		}
	case *syntax.IfStmt:
		if ends(s.True) || len(rest) == 0 {
			return c.tailIf(s, rest)
		}
	}
	if idle(stmts[0]) {
		return c.tail(rest)
	}
	before := c.statement(stmts[0])
	if mayReturn(stmts[0]) {
		c.branch++
		defer func() { c.branch-- }()
	}
	after := c.tail(rest)
	return func(m *Machine) small.Value {
		switch before(m) {
		case next:
			return after(m)
		case returned:
			return m.result
		}
		return small.Nothing
	}
}

// tailIf compiles an if of which one branch ends the function, or after which it
// ends.
func (c *compiler) tailIf(s *syntax.IfStmt, rest []syntax.Stmt) expr {
	x, cost := c.costed(func() code { return c.expr(s.Cond) })
	cond := x.condition()
	var then, otherwise expr
	c.within(func() {
		then = c.tail(s.True)
		otherwise = c.tail(append(append([]syntax.Stmt(nil), s.False...), rest...))
	})
	return func(m *Machine) small.Value {
		m.steps += cost
		switch cond(m) {
		case yes:
			return then(m)
		case no:
			return otherwise(m)
		}
		return small.Nothing
	}
}

// costed compiles an expression and returns its number of nodes, and one for what
// it is part of.
func (c *compiler) costed(f func() code) (code, int64) {
	outside := c.cost
	c.cost = 1
	x := f()
	cost := c.cost
	c.cost = outside
	return x, cost
}

// idle reports whether a statement does nothing.
func idle(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.BranchStmt:
		return s.Token == syntax.PASS
	case *syntax.ExprStmt:
		_, isLiteral := unparen(s.X).(*syntax.Literal)
		return isLiteral // such as the text that describes the function
	}
	return false
}

// mayReturn reports whether a return stands in a statement.
func mayReturn(s syntax.Stmt) bool {
	found := false
	syntax.Walk(s, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.ReturnStmt:
			found = true
		case *syntax.DefStmt, *syntax.LambdaExpr:
			return false
		}
		return !found
	})
	return found
}

// block compiles statements of which some may be the last that runs.
func (c *compiler) block(stmts []syntax.Stmt) step {
	var steps []step
	conditional := 0
	for _, s := range stmts {
		if idle(s) {
			continue
		}
		steps = append(steps, c.statement(s))
		if mayReturn(s) {
			c.branch++
			conditional++
		}
	}
	c.branch -= conditional
	switch len(steps) {
	case 0:
		return func(*Machine) flow { return next }
	case 1:
		return steps[0]
	}
	return func(m *Machine) flow {
		for _, s := range steps {
			if f := s(m); f != next {
				return f
			}
		}
		return next
	}
}

func (c *compiler) statement(s syntax.Stmt) step {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		return c.assignment(s)
	case *syntax.BranchStmt:
		switch s.Token {
		case syntax.BREAK:
			return func(*Machine) flow { return broken }
		case syntax.CONTINUE:
			return func(*Machine) flow { return continued }
		}
		return func(*Machine) flow { return next }
	case *syntax.ExprStmt:
		x, cost := c.costed(func() code { return c.expr(s.X) })
		eval := x.eval
		return func(m *Machine) flow {
			m.steps += cost
			if eval(m).IsStuck() {
				return lost
			}
			return next
		}
	case *syntax.ForStmt:
		return c.loop(s)
	case *syntax.WhileStmt:
		return c.while(s)
	case *syntax.IfStmt:
		return c.branching(s)
	case *syntax.ReturnStmt:
		if s.Result == nil {
			return func(m *Machine) flow {
				m.result = small.NoneValue
				return returned
			}
		}
		x, cost := c.costed(func() code { return c.expr(s.Result) })
		eval := x.eval
		return func(m *Machine) flow {
			m.steps += cost
			if m.result = eval(m); m.result.IsStuck() {
				return lost
			}
			return returned
		}
	case *syntax.DefStmt:
		c.gap(s.Def, "it makes a function")
		return func(*Machine) flow { return lost }
	}
	start, _ := s.Span()
	c.gap(start, "it is of no kind that is compiled")
	return func(*Machine) flow { return lost }
}

func (c *compiler) branching(s *syntax.IfStmt) step {
	x, cost := c.costed(func() code { return c.expr(s.Cond) })
	cond := x.condition()
	var then, otherwise step
	c.within(func() { then, otherwise = c.block(s.True), c.block(s.False) })
	return func(m *Machine) flow {
		m.steps += cost
		switch cond(m) {
		case yes:
			return then(m)
		case no:
			return otherwise(m)
		}
		return lost
	}
}

func (c *compiler) assignment(s *syntax.AssignStmt) step {
	if s.Op != syntax.EQ {
		return c.augmented(s)
	}
	x, cost := c.costed(func() code { return c.expr(s.RHS) })
	eval := x.eval
	if id, ok := unparen(s.LHS).(*syntax.Ident); ok {
		if slot, ok := c.lookup(id.Name); ok {
			return func(m *Machine) flow {
				m.steps += cost
				v := eval(m)
				if v.IsStuck() {
					return lost
				}
				m.local[slot] = v
				return next
			}
		}
	}
	set := c.target(s.LHS)
	return func(m *Machine) flow {
		m.steps += cost
		v := eval(m)
		if v.IsStuck() || !set(m, v) {
			return lost
		}
		return next
	}
}

// augmented compiles x += y and the like, for names. A list would be extended in
// place, which others that have it would see.
func (c *compiler) augmented(s *syntax.AssignStmt) step {
	id, ok := unparen(s.LHS).(*syntax.Ident)
	if !ok {
		c.gap(s.OpPos, "it changes a list or a dict")
		return func(*Machine) flow { return lost }
	}
	slot, ok := c.lookup(id.Name)
	if !ok {
		c.gap(s.OpPos, "it is of no kind that is compiled")
		return func(*Machine) flow { return lost }
	}
	op := s.Op - syntax.PLUS_EQ + syntax.PLUS
	c.fn.extends = c.fn.extends || op == syntax.PLUS || op == syntax.PIPE
	x, cost := c.costed(func() code {
		own := code{slot: slot, eval: func(m *Machine) small.Value { return m.local[slot] }}
		return c.arithmetic(op, own, c.expr(s.RHS))
	})
	eval := x.eval
	return func(m *Machine) flow {
		m.steps += cost
		if m.local[slot].Kind() == small.List {
			return lost
		}
		v := eval(m)
		if v.IsStuck() {
			return lost
		}
		m.local[slot] = v
		return next
	}
}

// loop compiles for.
func (c *compiler) loop(s *syntax.ForStmt) step {
	if counted := c.countedLoop(s); counted != nil {
		return counted
	}
	x, cost := c.costed(func() code { return c.iterated(s.X) })
	over := x.eval
	set := c.target(s.Vars)
	var body step
	c.within(func() { body = c.block(s.Body) })
	return func(m *Machine) flow {
		items, ok := m.listed(over(m))
		if !ok || !m.spend(cost) {
			return lost
		}
		for _, item := range items {
			if !set(m, item) {
				return lost
			}
			switch f := body(m); f {
			case broken:
				return next
			case returned, lost:
				return f
			}
			if m.steps > maxSteps {
				return lost
			}
		}
		return next
	}
}

// countedLoop compiles a for over a range with one variable, whose list is not
// made; nil for any other.
func (c *compiler) countedLoop(s *syntax.ForStmt) step {
	call, ok := unparen(s.X).(*syntax.CallExpr)
	if !ok {
		return nil
	}
	fn, ok := call.Fn.(*syntax.Ident)
	if !ok || fn.Name != "range" || !c.standard("range") {
		return nil
	}
	id, ok := unparen(s.Vars).(*syntax.Ident)
	if !ok {
		return nil
	}
	slot, ok := c.lookup(id.Name)
	if !ok {
		return nil
	}
	outside := c.cost
	c.cost = 1
	bounds := c.rangeBounds(call.Args)
	cost := c.cost
	c.cost = outside
	if bounds == nil {
		return nil
	}
	var body step
	c.within(func() { body = c.block(s.Body) })
	return func(m *Machine) flow {
		m.steps += cost
		from, by, n, ok := bounds(m)
		if !ok {
			return lost
		}
		for i := range n {
			m.local[slot] = small.MakeInt(from + i*by)
			switch f := body(m); f {
			case broken:
				return next
			case returned, lost:
				return f
			}
			if !m.spend(1) {
				return lost
			}
		}
		return next
	}
}

func (c *compiler) while(s *syntax.WhileStmt) step {
	x, cost := c.costed(func() code { return c.expr(s.Cond) })
	cond := x.condition()
	var body step
	c.within(func() { body = c.block(s.Body) })
	return func(m *Machine) flow {
		for m.spend(cost) {
			switch cond(m) {
			case no:
				return next
			case unclear:
				return lost
			}
			switch f := body(m); f {
			case broken:
				return next
			case returned, lost:
				return f
			}
		}
		return lost
	}
}
