// What a run will take, read off the text: every expression is followed with the sizes of
// its values in place of the values.

package lang

import (
	"math/big"
	"math/bits"

	"dicescript/dist/upper"
	"dicescript/lang/notation"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A shape is what is known of a value before there is one.
type shape struct {
	kind   shapeKind
	lo, hi int64 // of a whole number, and the outcomes of a roll
	bits   int64 // of the weights of a roll, or the fraction of a chance or number
	text   string
	of     []shape // of a list: its elements, or one that holds for all
	count  int64   // of them
	dice   int64   // of dice that are kept apart, else 0
}

type shapeKind uint8

const (
	opaque shapeKind = iota // nothing is computed with it any more: text, a table, None
	whole
	rolled
	exactly // a chance or a number
	listed
)

// What is charged at most, some times more than it is.
const (
	nodeSteps  = 16  // for an expression or a statement
	callSteps  = 96  // for a call, or an operator of rolls
	shapeWork  = 64  // for each word of a result
	callWork   = 512 // for whatever the engine does
	mostShapes = 1 << 45
)

// A forecast adds up what a text takes.
type forecast struct {
	unit   *unit
	host   *Host
	params map[string]starlark.Value
	names  map[string]shape

	steps, work int64
	times       int64 // how often what is looked at is done
	unknown     bool
}

// foresee reads an upper bound off the text.
func (p *Program) foresee(o runOptions) (Usage, bool) {
	params, _, err := p.settle(o)
	if err != nil || len(p.units) > 1 || p.main.code == nil {
		return Usage{}, false
	}
	f := &forecast{unit: p.main, host: p.host, params: params, names: map[string]shape{}, times: 1}
	f.statements(p.main.code.Tree.Stmts)
	if f.unknown || f.steps > mostShapes || f.work > mostShapes {
		return Usage{}, false
	}
	return Usage{Steps: f.steps, Work: f.work}, true
}

// lost gives up.
func (f *forecast) lost() shape {
	f.unknown = true
	return shape{}
}

// pay adds what is done as often as what is looked at.
func (f *forecast) pay(steps, work int64) {
	f.steps = upper.AddSat(f.steps, upper.MulSat(f.times, steps))
	f.work = upper.AddSat(f.work, upper.MulSat(f.times, work))
}

// repeated looks at something that is done n times.
func (f *forecast) repeated(n int64, look func()) {
	outer := f.times
	f.times = upper.MulSat(f.times, max(n, 1))
	look()
	f.times = outer
}

func (f *forecast) statements(all []syntax.Stmt) {
	for _, s := range all {
		f.statement(s)
		if f.unknown {
			return
		}
	}
}

func (f *forecast) statement(s syntax.Stmt) {
	f.pay(nodeSteps, 0)
	switch s := s.(type) {
	case *syntax.ExprStmt:
		f.expr(s.X)
	case *syntax.AssignStmt:
		f.assign(s)
	case *syntax.ForStmt:
		f.loop(s)
	default:
		f.unknown = f.unknown || !isPass(s)
	}
}

func isPass(s syntax.Stmt) bool {
	b, ok := s.(*syntax.BranchStmt)
	return ok && b.Token == syntax.PASS
}

func (f *forecast) assign(s *syntax.AssignStmt) {
	name, ok := s.LHS.(*syntax.Ident)
	if !ok || s.Op != syntax.EQ || f.times > 1 {
		f.unknown = true // what a loop assigns may grow with every turn
		return
	}
	f.names[name.Name] = f.expr(s.RHS)
}

func (f *forecast) loop(s *syntax.ForStmt) {
	over := f.expr(s.X)
	name, ok := s.Vars.(*syntax.Ident)
	if !ok || over.kind != listed {
		f.unknown = true
		return
	}
	f.names[name.Name] = over.element()
	f.repeated(over.count, func() { f.pay(nodeSteps, 0); f.statements(s.Body) })
}

// element is a shape that holds for every element of a list.
func (s shape) element() shape {
	if len(s.of) == 0 {
		return shape{}
	}
	all := s.of[0]
	for _, e := range s.of[1:] {
		all = all.or(e)
	}
	return all
}

// or is a shape that holds for both.
func (s shape) or(o shape) shape {
	if s.kind != o.kind || s.kind == listed {
		return shape{}
	}
	return shape{kind: s.kind, lo: min(s.lo, o.lo), hi: max(s.hi, o.hi), bits: max(s.bits, o.bits)}
}

// expr looks at an expression.
func (f *forecast) expr(x syntax.Expr) shape {
	f.pay(nodeSteps, 0)
	if f.unknown {
		return shape{}
	}
	switch x := x.(type) {
	case *syntax.ParenExpr:
		return f.expr(x.X)
	case *syntax.Literal:
		return constant(x.Value)
	case *syntax.Ident:
		return f.name(x)
	case *syntax.UnaryExpr:
		if v := f.expr(x.X); x.Op == syntax.MINUS && (v.kind == whole || v.kind == rolled) {
			return f.operated(syntax.MINUS, number(0), v)
		}
	case *syntax.BinaryExpr:
		return f.operated(x.Op, f.expr(x.X), f.expr(x.Y))
	case *syntax.ListExpr:
		return f.list(x.List)
	case *syntax.TupleExpr:
		return f.list(x.List)
	case *syntax.Comprehension:
		return f.comprehended(x)
	case *syntax.CallExpr:
		return f.call(x)
	}
	return f.lost()
}

func number(n int64) shape { return shape{kind: whole, lo: n, hi: n} }

// constant is the shape of what is written out.
func constant(v any) shape {
	switch v := v.(type) {
	case int64:
		return number(v)
	case string:
		return shape{text: v}
	case float64:
		return shape{kind: exactly, bits: 2048}
	case *big.Int:
		return shape{kind: exactly, bits: int64(v.BitLen())}
	}
	return shape{}
}

// name is the shape of a variable or a literal of dice.
func (f *forecast) name(x *syntax.Ident) shape {
	if l := f.unit.code.Literal(x.Name); l != nil {
		return f.literal(l)
	}
	if s, ok := f.names[x.Name]; ok {
		return s
	}
	if x.Name == "True" || x.Name == "False" || x.Name == "None" {
		return shape{}
	}
	return f.lost()
}

// literal is the shape of dice: the sum of so many with so many sides.
func (f *forecast) literal(l *notation.Literal) shape {
	if l.Range != nil {
		return f.lost()
	}
	p := l.Dice
	if p.Select != notation.KeepAll || p.Count < 1 || p.Fate {
		return f.lost()
	}
	count, sides := int64(p.Count), int64(p.Sides)
	s := shape{kind: rolled, lo: count, hi: count * sides, bits: count * int64(bits.Len64(uint64(sides)))}
	if !p.Single {
		s.dice = count
	}
	outcomes := s.outcomes()
	f.pay(0, upper.AddSat(callWork, upper.MulSat(shapeWork, upper.AddSat(upper.MulSat(outcomes, s.words()), upper.MulSat(sides, s.words())))))
	return s
}

// outcomes is how many a roll may have.
func (s shape) outcomes() int64 { return s.hi - s.lo + 1 }

// words are those of one weight.
func (s shape) words() int64 { return s.bits/64 + 2 }

// cells is how large a roll may be.
func (s shape) cells() int64 { return upper.MulSat(s.outcomes(), s.words()) }

// reach bounds the numbers that are followed, so that nothing overflows.
const reach = 1 << 30

func (f *forecast) operated(op syntax.Token, x, y shape) shape {
	if f.unknown || !x.computes() || !y.computes() {
		return f.lost()
	}
	f.pay(callSteps, 0)
	if x.kind == whole && y.kind == whole {
		return f.between(op, x, y)
	}
	if x.kind == exactly || y.kind == exactly {
		return f.fraction(op, x, y)
	}
	return f.combined(op, x.asRoll(), y.asRoll())
}

func (s shape) computes() bool {
	return s.kind == exactly || (s.kind == whole || s.kind == rolled) && -reach <= s.lo && s.hi <= reach
}

func (s shape) asRoll() shape {
	s.kind = rolled
	return s
}

// between is arithmetic of two whole numbers.
func (f *forecast) between(op syntax.Token, x, y shape) shape {
	switch op {
	case syntax.PLUS:
		return shape{kind: whole, lo: x.lo + y.lo, hi: x.hi + y.hi}
	case syntax.MINUS:
		return shape{kind: whole, lo: x.lo - y.hi, hi: x.hi - y.lo}
	case syntax.STAR:
		a, b, c, d := x.lo*y.lo, x.lo*y.hi, x.hi*y.lo, x.hi*y.hi
		return shape{kind: whole, lo: min(a, b, c, d), hi: max(a, b, c, d)}
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		return shape{}
	}
	return f.lost()
}

// fraction is arithmetic of chances and numbers.
func (f *forecast) fraction(op syntax.Token, x, y shape) shape {
	if x.kind == rolled || y.kind == rolled {
		return f.lost()
	}
	s := shape{kind: exactly, bits: 2*(x.bits+y.bits) + 128}
	words := s.words()
	f.pay(upper.MulSat(words, words), 0)
	switch op {
	case syntax.PLUS, syntax.MINUS, syntax.STAR:
		return s
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		return shape{}
	}
	return f.lost()
}

// combined is arithmetic of two rolls, or of a roll and a whole number: at most every
// outcome of the one is combined with every one of the other.
func (f *forecast) combined(op syntax.Token, x, y shape) shape {
	made := shape{kind: rolled, bits: x.bits + y.bits}
	pairs := upper.MulSat(x.outcomes(), y.outcomes())
	switch op {
	case syntax.PLUS:
		made.lo, made.hi = x.lo+y.lo, x.hi+y.hi
	case syntax.MINUS:
		made.lo, made.hi = x.lo-y.hi, x.hi-y.lo
	case syntax.LT, syntax.LE, syntax.GT, syntax.GE, syntax.EQL, syntax.NEQ:
		made.kind = exactly
		pairs = upper.AddSat(x.outcomes(), y.outcomes())
	default:
		return f.lost()
	}
	words := made.words()
	work := upper.AddSat(upper.MulSat(upper.MulSat(pairs, words), shapeWork/4), upper.MulSat(shapeWork, upper.AddSat(x.cells(), y.cells())))
	looked := upper.MulSat(4, upper.AddSat(made.cells(), upper.AddSat(x.cells(), y.cells())))
	if made.kind == exactly {
		looked = upper.MulSat(4, upper.AddSat(x.cells(), y.cells()))
	}
	f.pay(upper.AddSat(upper.MulSat(words, words), looked), upper.AddSat(callWork, work))
	return made
}

// list looks at the elements that are written out.
func (f *forecast) list(xs []syntax.Expr) shape {
	s := shape{kind: listed, count: int64(len(xs))}
	for _, x := range xs {
		s.of = append(s.of, f.expr(x))
	}
	return s
}

// comprehended is [x for name in list].
func (f *forecast) comprehended(x *syntax.Comprehension) shape {
	over, ok := x.Clauses[0].(*syntax.ForClause)
	if !ok || len(x.Clauses) != 1 || x.Curly {
		return f.lost()
	}
	name, ok := over.Vars.(*syntax.Ident)
	list := f.expr(over.X)
	if !ok || list.kind != listed {
		return f.lost()
	}
	var element shape
	f.repeated(list.count, func() {
		f.pay(nodeSteps, 0)
		element = f.within([]string{name.Name}, []shape{list.element()}, x.Body)
	})
	return shape{kind: listed, count: list.count, of: []shape{element}}
}

// within looks at an expression in which some names have values of their own.
func (f *forecast) within(names []string, values []shape, x syntax.Expr) shape {
	outer := map[string]shape{}
	for i, name := range names {
		if s, ok := f.names[name]; ok {
			outer[name] = s
		}
		f.names[name] = values[i]
	}
	made := f.expr(x)
	for _, name := range names {
		delete(f.names, name)
		if s, ok := outer[name]; ok {
			f.names[name] = s
		}
	}
	return made
}

// call looks at a call of one of the builtins that it knows.
func (f *forecast) call(x *syntax.CallExpr) shape {
	f.pay(callSteps, callWork)
	fn, ok := x.Fn.(*syntax.Ident)
	if _, own := f.names[name(fn)]; !ok || own || !f.host.standard(fn.Name) && fn.Name != "range" || f.host.own[fn.Name] {
		return f.lost()
	}
	var args []syntax.Expr
	for _, a := range x.Args {
		b, named := a.(*syntax.BinaryExpr)
		if _, spread := a.(*syntax.UnaryExpr); spread && isSpread(a) {
			return f.lost()
		}
		if named && b.Op == syntax.EQ {
			if s := f.expr(b.Y); s.kind != opaque && s.kind != whole {
				return f.lost()
			}
			continue
		}
		args = append(args, a)
	}
	switch fn.Name {
	case "param":
		return f.param(args)
	case "range":
		return f.ranged(args)
	case "output":
		return f.put(args)
	case "map":
		return f.mapped(args)
	case "grid":
		return f.grid(args)
	}
	return f.lost()
}

func name(x *syntax.Ident) string {
	if x == nil {
		return ""
	}
	return x.Name
}

func isSpread(x syntax.Expr) bool {
	u, ok := x.(*syntax.UnaryExpr)
	return ok && (u.Op == syntax.STAR || u.Op == syntax.STARSTAR)
}

// param is an input, which has its value already.
func (f *forecast) param(args []syntax.Expr) shape {
	for _, a := range args {
		if l, ok := a.(*syntax.Literal); ok {
			if v, ok := f.params[stringOf(l)]; ok {
				return f.input(v)
			}
		}
	}
	return f.lost()
}

func stringOf(l *syntax.Literal) string {
	s, _ := l.Value.(string)
	return s
}

func (f *forecast) input(v starlark.Value) shape {
	switch v := v.(type) {
	case starlark.Int:
		if n, ok := v.Int64(); ok {
			return number(n)
		}
	case starlark.String:
		return shape{text: string(v)}
	case starlark.Bool:
		return shape{}
	case starlark.Float:
		return constant(float64(v))
	}
	return f.lost()
}

// ranged is range(n), or range(from, to).
func (f *forecast) ranged(args []syntax.Expr) shape {
	from := number(0)
	if len(args) == 2 {
		from = f.expr(args[0])
		args = args[1:]
	}
	if len(args) != 1 {
		return f.lost()
	}
	to := f.expr(args[0])
	if f.unknown || from.kind != whole || to.kind != whole || from.lo < -reach || to.hi > reach {
		return f.lost()
	}
	return shape{kind: listed, count: max(0, to.hi-from.lo), of: []shape{{kind: whole, lo: from.lo, hi: max(from.lo, to.hi-1)}}}
}

// put is output(value) or output(title, value).
func (f *forecast) put(args []syntax.Expr) shape {
	for _, a := range args {
		s := f.expr(a)
		if s.kind == listed {
			return f.lost()
		}
		if s.kind == rolled {
			f.pay(0, upper.MulSat(shapeWork, s.cells()))
		}
	}
	return shape{}
}

// mapped is map(lambda, roll, ...): the function sees every combination of the faces.
func (f *forecast) mapped(args []syntax.Expr) shape {
	if len(args) < 2 {
		return f.lost()
	}
	fn, ok := args[0].(*syntax.LambdaExpr)
	if !ok {
		return f.lost()
	}
	rolls := make([]shape, 0, len(args))
	combinations, width := int64(1), int64(0)
	for _, a := range args[1:] {
		s := f.expr(a)
		if f.unknown || s.kind != rolled {
			return f.lost()
		}
		combinations = upper.MulSat(combinations, s.outcomes())
		width += s.bits
		rolls = append(rolls, shape{kind: whole, lo: s.lo, hi: s.hi})
	}
	var made shape
	f.repeated(combinations, func() { made = f.applied(fn, rolls) })
	if f.unknown || made.kind != whole {
		return f.lost()
	}
	result := shape{kind: rolled, lo: made.lo, hi: made.hi, bits: width}
	if !result.computes() {
		return f.lost()
	}
	f.pay(upper.MulSat(combinations, callSteps), upper.MulSat(shapeWork, upper.AddSat(upper.MulSat(combinations, result.words()), result.cells())))
	return result
}

// applied is a call of a lambda.
func (f *forecast) applied(fn *syntax.LambdaExpr, values []shape) shape {
	if len(fn.Params) != len(values) {
		return f.lost()
	}
	var names []string
	for _, p := range fn.Params {
		id, ok := p.(*syntax.Ident)
		if !ok {
			return f.lost()
		}
		names = append(names, id.Name)
	}
	f.pay(callSteps, callWork)
	return f.within(names, values, fn.Body)
}

// grid is grid(rows, cols, lambda): the function is called for every cell.
func (f *forecast) grid(args []syntax.Expr) shape {
	if len(args) < 3 {
		return f.lost()
	}
	rows, cols := f.expr(args[0]), f.expr(args[1])
	fn, ok := args[2].(*syntax.LambdaExpr)
	if f.unknown || !ok || rows.kind != listed || cols.kind != listed {
		return f.lost()
	}
	var cell shape
	f.repeated(upper.MulSat(rows.count, cols.count), func() {
		cell = f.applied(fn, []shape{rows.element(), cols.element()})
		f.pay(upper.MulSat(cell.words(), cell.words()), callWork)
	})
	if cell.kind != exactly && cell.kind != whole {
		return f.lost()
	}
	return shape{}
}
