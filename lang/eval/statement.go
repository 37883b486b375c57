package eval

import (
	"dicescript/builtins/slot"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Statements but assignments and loops.

func (c *compiler) stmts(list []syntax.Stmt) {
	for _, s := range list {
		c.stmt(s)
	}
}

// parts compiles the statements of a body. Of a top level it returns where each begins,
// and where the last one ends.
func (c *compiler) parts(body []syntax.Stmt) []int {
	if !c.def.toplevel {
		c.stmts(body)
		return nil
	}
	starts := make([]int, 0, len(body)+1)
	for _, s := range body {
		starts = append(starts, len(c.body))
		c.stmt(s)
	}
	return append(starts, len(c.body))
}

func (c *compiler) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		c.assign(s)
	case *syntax.BranchStmt:
		c.branch(s)
	case *syntax.DefStmt:
		var fn node
		var set setter
		cost := c.costed(func() {
			fn = c.function(s.Function.(*resolve.Function))
			set = c.target(s.Name, placeOf(s.Def))
		})
		c.evaluate(cost, fn.eval, set)
	case *syntax.ExprStmt:
		if _, isLiteral := s.X.(*syntax.Literal); isLiteral {
			return
		}
		var x node
		cost := c.costed(func() { x = c.expr(s.X) })
		c.evaluate(cost, x.eval, nil)
	case *syntax.ForStmt:
		c.forLoop(s)
	case *syntax.WhileStmt:
		c.whileLoop(s)
	case *syntax.IfStmt:
		c.conditional(s)
	case *syntax.LoadStmt:
		c.load(s)
	case *syntax.ReturnStmt:
		c.returning(s)
	default:
		panic("eval: unknown statement")
	}
}

// evaluate emits the evaluation of an expression, whose value is assigned if set is not nil.
func (c *compiler) evaluate(cost int64, eval expr, set setter) {
	c.emit(func(next int) stmt {
		if set == nil {
			return func(fr *frame) int {
				if !fr.spend(cost) || isFailed(eval(fr)) {
					return aborted
				}
				return next
			}
		}
		return func(fr *frame) int {
			if !fr.spend(cost) {
				return aborted
			}
			v := eval(fr)
			if v.V != nil && isFailed(v) || !set(fr, v) {
				return aborted
			}
			return next
		}
	})
}

func (c *compiler) returning(s *syntax.ReturnStmt) {
	defer func() { c.dead = true; c.leads(len(c.body) - 1) }()
	if call, ok := s.Result.(*syntax.CallExpr); ok && c.stepped && c.mayPause(call) {
		c.pausing(call, nil)
		return
	}
	if c.stepped {
		c.stands(placeOf(s.Return))
	}
	if s.Result == nil {
		c.emit(func(int) stmt {
			return func(fr *frame) int {
				if !fr.spend(1) {
					return aborted
				}
				fr.result = noneValue
				return returned
			}
		})
		return
	}
	var x node
	cost := c.costed(func() { x = c.expr(s.Result) })
	eval := x.eval
	c.emit(func(int) stmt {
		if i := x.local; i >= 0 {
			return func(fr *frame) int {
				if !fr.spend(cost) {
					return aborted
				}
				fr.result = fr.slots[i]
				return returned
			}
		}
		return func(fr *frame) int {
			if !fr.spend(cost) {
				return aborted
			}
			v := eval(fr)
			if v.V != nil && isFailed(v) {
				return aborted
			}
			fr.result = v
			return returned
		}
	})
}

// stands emits that the call is at a place, which a play names.
func (c *compiler) stands(at place) {
	c.emit(func(next int) stmt {
		return func(fr *frame) int {
			fr.at = at
			return next
		}
	})
}

// conditional emits if with all its elifs.
func (c *compiler) conditional(s *syntax.IfStmt) {
	var ends []int // of the branches, from which the rest is gone to
	type way struct {
		assigned map[int]bool
		dead     bool
	}
	var ways []way
	for {
		var cond test
		cost := c.costed(func() { cond = c.condition(s.Cond) })
		at := c.reserve()
		before, dead := c.snapshot(), c.dead
		c.stmts(s.True)
		ways = append(ways, way{c.assigned, c.dead})
		last := len(s.False) == 0
		if !last || len(ends) > 0 {
			ends = append(ends, c.reserve())
		}
		c.body[at] = decide(cost, cond, at+1, len(c.body))
		c.leads(at, at+1, len(c.body))
		c.assigned, c.dead = before, dead
		if len(s.False) != 1 {
			break
		}
		more, ok := s.False[0].(*syntax.IfStmt)
		if !ok {
			break
		}
		s = more
	}
	c.stmts(s.False)
	for _, w := range ways {
		c.join(w.assigned, w.dead)
	}
	rest := len(c.body)
	for _, at := range ends {
		c.body[at] = func(*frame) int { return rest }
		c.leads(at, rest)
	}
}

// decide is a condition that leads to one of two places.
func decide(cost int64, cond test, then, otherwise int) stmt {
	return func(fr *frame) int {
		if !fr.spend(cost) {
			return aborted
		}
		switch cond(fr) {
		case yes:
			return then
		case no:
			return otherwise
		}
		return aborted
	}
}

// branch emits pass, break or continue.
func (c *compiler) branch(s *syntax.BranchStmt) {
	if s.Token == syntax.PASS {
		return
	}
	l := c.loops[len(c.loops)-1]
	if s.Token == syntax.CONTINUE {
		head := l.head
		c.emit(func(int) stmt { return func(*frame) int { return head } })
		c.leads(len(c.body)-1, head)
	} else {
		l.breaks = append(l.breaks, c.reserve())
	}
	c.dead = true
}

// load emits the loading of names from a module.
func (c *compiler) load(s *syntax.LoadStmt) {
	at := placeOf(s.Load)
	module := s.Module.Value.(string)
	sets := make([]setter, len(s.To))
	cost := c.costed(func() {
		for i, id := range s.To {
			sets[i] = c.target(id, at)
		}
	})
	names := make([]string, len(s.From))
	for i, id := range s.From {
		names[i] = id.Name
	}
	c.emit(func(next int) stmt {
		return func(fr *frame) int {
			if !fr.spend(cost) {
				return aborted
			}
			fr.at = at
			globals, err := fr.m.hooks.Load(module)
			if err != nil {
				fr.fail(at, &notLoaded{module, err})
				return aborted
			}
			for i, name := range names {
				v := globals[name]
				if v == nil {
					fr.failf(at, "load: %s has no %s", module, name)
					return aborted
				}
				if !sets[i](fr, slot.Of(v)) {
					return aborted
				}
			}
			return next
		}
	})
}

// A notLoaded is the error of a module that could not be loaded.
type notLoaded struct {
	module string
	cause  error
}

func (e *notLoaded) Error() string { return "cannot load " + e.module + ": " + e.cause.Error() }
func (e *notLoaded) Unwrap() error { return e.cause }

// function compiles the making of a function.
func (c *compiler) function(r *resolve.Function) node {
	d := c.file.define(r)
	at := placeOf(r.Pos)
	var defaults []expr // nil for a parameter that must be given by name
	star := false
	for _, p := range r.Params {
		switch p := p.(type) {
		case *syntax.BinaryExpr:
			defaults = append(defaults, c.expr(p.Y).eval)
		case *syntax.UnaryExpr:
			star = true
		case *syntax.Ident:
			if star {
				defaults = append(defaults, nil)
			}
		}
	}
	free := make([]func(fr *frame) *cell, len(r.FreeVars))
	for i, b := range r.FreeVars {
		n := b.Index
		if b.Scope != resolve.Free {
			c.reads(n)
		}
		if b.Scope == resolve.Free {
			free[i] = func(fr *frame) *cell { return fr.fn.free[n] }
		} else {
			free[i] = func(fr *frame) *cell { return fr.slots[n].V.(*cell) }
		}
	}
	size := int64(len(r.FreeVars) + len(d.params))
	atTop := c.def.toplevel && c.levels == 0
	return computed(func(fr *frame) slot.Value {
		fn := &Function{def: d, module: fr.fn.module}
		if len(defaults) > 0 {
			fn.defaults = make([]starlark.Value, len(defaults))
			for i, eval := range defaults {
				if eval == nil {
					continue
				}
				v := eval(fr)
				if isFailed(v) {
					return v
				}
				fn.defaults[i] = v.Starlark()
			}
		}
		if !atTop {
			if err := fr.m.meter.Closure(size); err != nil {
				return fr.fail(at, err)
			}
		}
		if len(free) > 0 {
			fn.free = make([]*cell, len(free))
			for i, f := range free {
				fn.free[i] = f(fr)
			}
		}
		return slot.Value{V: fn}
	})
}
