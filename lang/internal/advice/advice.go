// Package advice says what is written in place of a condition that is a chance.
//
// Whether dice show what is asked for is not known until they are thrown, so that a roll or a
// chance decides no if. What was meant depends on where it stands: between and, or and not
// chances are combined by & and | and ~; a if p else b is either(p, a, b); a function with an if that was given a
// roll wants one result at a time, which is what map gives it. The tree of a text goes in with
// the place of the condition, and one remedy comes out, with an edit.
package advice

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"dicescript/lang/notation"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/syntax"
)

// An Advice is what is written instead.
type Advice struct {
	Line, Col int    // of the word that can't take a chance
	Text      string // what to write, as the end of a message
	Fixes     []notation.Fix
}

// A Place is a line and a column, both from 1.
type Place struct{ Line, Col int }

// A Call is where a function of the text was called.
type Call struct {
	Function string
	At       Place
}

// A Text is a text and its tree.
type Text struct {
	File  *syntax.File
	Lines *dicesyntax.Lines

	values map[string]syntax.Expr // of names that are bound once, by an assignment
	bound  map[string]bool        // all names that are bound
}

// Of is a text whose tree is known.
func Of(f *syntax.File, lines *dicesyntax.Lines) Text {
	values, bound := dicesyntax.Bindings(f)
	return Text{f, lines, values, bound}
}

// Condition is the advice for the condition whose position is at, in a function that was
// called at the places given, innermost last. It is about a chance, or else about a roll.
func (t Text) Condition(at Place, chance bool, calls []Call) (Advice, bool) {
	w := t.where(at)
	if w.node == nil {
		return Advice{}, false
	}
	if w.def != nil && len(calls) > 0 {
		if a, ok := t.mapped(w, calls); ok {
			return a, true
		}
	}
	if !chance {
		return Advice{}, false
	}
	return t.written(w)
}

// Certain are the advices for conditions of which the text alone tells that they are chances.
func (t Text) Certain() []Advice {
	var all []Advice
	done := map[syntax.Node]bool{}
	t.each(func(w deciding) {
		if !done[w.node] && t.isChance(w.condition) {
			done[w.node] = true
			if a, ok := t.written(w); ok {
				all = append(all, a)
			}
		}
	})
	return all
}

// A deciding is a node that wants to know whether a condition holds.
type deciding struct {
	node      syntax.Node // of a chain of and, or of or, the outermost
	condition syntax.Expr // of the node, or an operand of the chain
	def       *syntax.DefStmt
	lambda    *syntax.LambdaExpr
}

// where is the node that decides by the condition at a place: of a chain, what the whole
// chain decides.
func (t Text) where(at Place) deciding {
	var found deciding
	t.each(func(w deciding) {
		if pos := dicesyntax.Position(w.condition); found.node == nil && int(pos.Line) == at.Line && int(pos.Col) == at.Col {
			found = w
		}
	})
	return found
}

// each visits the conditions of a text, those outside before those inside.
func (t Text) each(visit func(deciding)) {
	type entry struct {
		node syntax.Node
		in   deciding
	}
	stack := []entry{{node: t.File}}
	for len(stack) > 0 {
		e := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		w := e.in
		switch n := e.node.(type) {
		case *syntax.DefStmt:
			w = deciding{def: n}
		case *syntax.LambdaExpr:
			w = deciding{lambda: n}
		}
		eachCondition(e.node, func(node syntax.Node, x syntax.Expr) {
			visit(deciding{node, x, w.def, w.lambda})
		})
		var below []entry
		dicesyntax.Each(e.node, func(n syntax.Node) { below = append(below, entry{n, w}) })
		for i := len(below) - 1; i >= 0; i-- {
			stack = append(stack, below[i])
		}
	}
}

// eachCondition visits what a node decides by. A chain of and, or of or, decides by each of
// its operands; where it is itself all that an if decides by, that is what is visited.
func eachCondition(n syntax.Node, visit func(syntax.Node, syntax.Expr)) {
	one := func(x syntax.Expr) {
		for _, y := range chain(unparen(x)) {
			visit(n, unparen(y))
		}
	}
	switch n := n.(type) {
	case *syntax.IfStmt:
		one(n.Cond)
	case *syntax.WhileStmt:
		one(n.Cond)
	case *syntax.CondExpr:
		one(n.Cond)
	case *syntax.UnaryExpr:
		if n.Op == syntax.NOT {
			visit(n, unparen(n.X))
		}
	case *syntax.BinaryExpr:
		if n.Op == syntax.AND || n.Op == syntax.OR {
			for _, y := range chain(n) {
				visit(n, unparen(y))
			}
		}
	}
}

// chain are the operands of a chain of and, or of or; x itself when it is none.
func chain(x syntax.Expr) []syntax.Expr {
	b, ok := x.(*syntax.BinaryExpr)
	if !ok || b.Op != syntax.AND && b.Op != syntax.OR {
		return []syntax.Expr{x}
	}
	var parts []syntax.Expr
	for {
		parts = append([]syntax.Expr{b.Y}, parts...)
		left, ok := unparen(b.X).(*syntax.BinaryExpr)
		if !ok || left.Op != b.Op {
			return append([]syntax.Expr{b.X}, parts...)
		}
		b = left
	}
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

// written is the advice for a node that decides by a chance.
func (t Text) written(w deciding) (Advice, bool) {
	switch n := w.node.(type) {
	case *syntax.BinaryExpr:
		if slices.ContainsFunc(chain(n), isConstant) {
			return Advice{}, false
		}
		return t.joined(n), true
	case *syntax.UnaryExpr:
		other := t.opposite(n.X)
		return t.instead(n.OpPos, n, "the opposite is %s", other), true
	case *syntax.CondExpr:
		call := fmt.Sprintf("either(%s, %s, %s)", t.condition(n.Cond), t.text(n.True), t.text(n.False))
		return t.instead(n.If, n, "one of two results, by chance, is %s", call), true
	case *syntax.IfStmt:
		return t.played(n.If, "if", n.Cond, w), true
	case *syntax.WhileStmt:
		return t.played(n.While, "while", n.Cond, w), true
	}
	return Advice{}, false
}

// instead is an advice that puts a text in the place of a node. The message has the text.
func (t Text) instead(at syntax.Position, n syntax.Node, message, text string) Advice {
	a := Advice{Line: int(at.Line), Col: int(at.Col), Text: fmt.Sprintf(message, brief(text))}
	if f, ok := t.over(n, text); ok {
		a.Fixes = []notation.Fix{f}
	}
	return a
}

// over is the edit that puts a text in the place of a node on one line.
func (t Text) over(n syntax.Node, text string) (notation.Fix, bool) {
	start, end := n.Span()
	if start.Line != end.Line || strings.ContainsAny(text, "\r\n") {
		return notation.Fix{}, false
	}
	return notation.Fix{Line: int(start.Line), Col: int(start.Col), EndCol: int(end.Col), Text: text}, true
}

// text is how a node is written.
func (t Text) text(n syntax.Node) string {
	start, end := n.Span()
	at := t.Lines.Cursor()
	from := at.Offset(start)
	return t.Lines.Text[from:max(from, at.Offset(end))]
}

// brief is a text as a message shows it.
func brief(text string) string {
	const most = 120
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-3]) + "..."
}

// operand is how a node is written as an operand of & and |, which bind more tightly than
// comparisons.
func (t Text) operand(x syntax.Expr) string {
	switch x.(type) {
	case *syntax.Ident, *syntax.CallExpr, *syntax.DotExpr, *syntax.ParenExpr, *syntax.Literal, *syntax.IndexExpr:
		return t.text(x)
	}
	return "(" + t.text(x) + ")"
}

// condition is how a condition is written as a chance.
func (t Text) condition(x syntax.Expr) string {
	b, ok := unparen(x).(*syntax.BinaryExpr)
	switch {
	case ok && (b.Op == syntax.AND || b.Op == syntax.OR):
		return t.together(b)
	case ok:
	default:
		if u, ok := unparen(x).(*syntax.UnaryExpr); ok && u.Op == syntax.NOT {
			return t.opposite(u.X)
		}
	}
	return t.text(x)
}

// joined is the advice for a chain of and, or of or.
func (t Text) joined(b *syntax.BinaryExpr) Advice {
	together := t.together(b)
	both := "of independent chances, both is written %s"
	if b.Op == syntax.OR {
		both = "of independent chances, one or the other is written %s"
	}
	a := t.instead(b.OpPos, b, both, together)
	one, ok := t.oneRoll(b)
	if !ok {
		return a
	}
	a.Text = fmt.Sprintf("of one roll it is %s; %s", brief(one), a.Text)
	if f, ok := t.over(b, one); ok {
		a.Fixes = append([]notation.Fix{f}, a.Fixes...)
	}
	return a
}

// together is a chain of and, or of or, as one chance.
func (t Text) together(b *syntax.BinaryExpr) string {
	op := " & "
	if b.Op == syntax.OR {
		op = " | "
	}
	var parts []string
	for _, x := range chain(b) {
		text := t.condition(x)
		if _, had := x.(*syntax.ParenExpr); (!had || text != t.text(x)) && t.operand(unparen(x)) != text {
			text = "(" + text + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, op)
}

// oneRoll is how a chain is written that is about one roll: d6 == 6 or d6 == 1 as
// d6 in [6, 1], and 2d6 >= 5 and 2d6 <= 9 as 2d6 in 5..9.
func (t Text) oneRoll(b *syntax.BinaryExpr) (string, bool) {
	var roll string
	var numbers []string
	var low, high string
	for i, x := range chain(b) {
		c, ok := unparen(x).(*syntax.BinaryExpr)
		if !ok || !isWhole(c.Y) || i > 0 && t.text(c.X) != roll {
			return "", false
		}
		roll = t.text(c.X)
		n := t.text(c.Y)
		switch c.Op {
		case syntax.EQL:
			numbers = append(numbers, n)
		case syntax.GE:
			low = n
		case syntax.LE:
			high = n
		default:
			return "", false
		}
	}
	switch {
	case b.Op == syntax.OR && low == "" && high == "":
		return fmt.Sprintf("%s in [%s]", roll, strings.Join(numbers, ", ")), true
	case b.Op == syntax.AND && len(numbers) == 0 && low != "" && high != "":
		return fmt.Sprintf("%s in %s..%s", roll, low, high), true
	}
	return "", false
}

// isConstant reports whether x is a value that is written out, which is no chance.
func isConstant(x syntax.Expr) bool {
	switch x := unparen(x).(type) {
	case *syntax.Literal:
		return true
	case *syntax.Ident:
		return x.Name == "True" || x.Name == "False" || x.Name == "None"
	}
	return false
}

func isWhole(x syntax.Expr) bool {
	if u, ok := x.(*syntax.UnaryExpr); ok && u.Op == syntax.MINUS {
		x = u.X
	}
	l, ok := x.(*syntax.Literal)
	return ok && l.Token == syntax.INT
}

// contrary are comparisons and what says the opposite.
var contrary = map[syntax.Token]string{
	syntax.EQL: "!=", syntax.NEQ: "==", syntax.LT: ">=", syntax.LE: ">", syntax.GT: "<=", syntax.GE: "<",
	syntax.IN: "not in", syntax.NOT_IN: "in",
}

// opposite is the opposite of a chance.
func (t Text) opposite(x syntax.Expr) string {
	if b, ok := unparen(x).(*syntax.BinaryExpr); ok && contrary[b.Op] != "" {
		return fmt.Sprintf("%s %s %s", t.text(b.X), contrary[b.Op], t.text(b.Y))
	}
	return "~" + t.operand(x)
}

// played is the advice for an if or a while that is not about what a function was given:
// in a rule that is played the dice are thrown.
func (t Text) played(at syntax.Position, word string, cond syntax.Expr, w deciding) Advice {
	thrown := word + " " + t.throwing(cond)
	a := Advice{Line: int(at.Line), Col: int(at.Col)}
	switch {
	case w.def != nil && len(w.def.Params) == 0:
		a.Text = fmt.Sprintf("a rule that throws the dice says %s, and its result is play(%s)", brief(thrown), w.def.Name.Name)
	case w.def != nil:
		a.Text = fmt.Sprintf("a rule that throws the dice says %s, and its result is play(%s, ...)", brief(thrown), w.def.Name.Name)
	case word == "if":
		a.Text = fmt.Sprintf("one of two results, by chance, is either(%s, a, b); a rule for play throws: %s", brief(t.condition(cond)), brief(thrown))
	default:
		a.Text = fmt.Sprintf("a rule for play throws: %s", brief(thrown))
	}
	return a
}

// throwing is a condition in which the dice are thrown.
func (t Text) throwing(x syntax.Expr) string {
	if p, ok := x.(*syntax.ParenExpr); ok {
		return "(" + t.throwing(p.X) + ")"
	}
	if u, ok := x.(*syntax.UnaryExpr); ok && u.Op == syntax.NOT {
		return "not " + t.throwing(u.X)
	}
	b, ok := x.(*syntax.BinaryExpr)
	switch {
	case ok && b.Op == syntax.AND:
		return t.throwing(b.X) + " and " + t.throwing(b.Y)
	case ok && b.Op == syntax.OR:
		return t.throwing(b.X) + " or " + t.throwing(b.Y)
	case ok && t.rolls(b.X):
		return fmt.Sprintf("throw(%s) %s %s", t.total(b.X), b.Op, t.text(b.Y))
	case ok && t.rolls(b.Y):
		return fmt.Sprintf("%s %s throw(%s)", t.text(b.X), b.Op, t.total(b.Y))
	}
	return "throw(" + t.text(x) + ")"
}

// total is dice as one number is thrown of them.
func (t Text) total(x syntax.Expr) string {
	text := t.text(unparen(x))
	if t.several(x) {
		return "sum(" + text + ")"
	}
	return text
}

// mapped is the advice for a function that was given a roll and decides by it: it wants one
// result at a time.
func (t Text) mapped(w deciding, calls []Call) (Advice, bool) {
	c := calls[len(calls)-1]
	if c.Function != w.def.Name.Name {
		return Advice{}, false
	}
	call := t.callAt(c)
	if call == nil || len(call.Args) == 0 || len(call.Args) > len(w.def.Params) || !plain(call.Args) || t.isChance(w.condition) {
		return Advice{}, false
	}
	var rolls, names, args []string
	for i, x := range call.Args {
		if !t.rolls(x) {
			args = append(args, t.text(x))
			continue
		}
		name := parameter(w.def.Params[i])
		rolls, names, args = append(rolls, t.text(x)), append(names, name), append(args, name)
	}
	if len(rolls) == 0 {
		return Advice{}, false
	}
	fn := c.Function
	if len(rolls) < len(call.Args) {
		fn = fmt.Sprintf("lambda %s: %s(%s)", strings.Join(names, ", "), c.Function, strings.Join(args, ", "))
	}
	text := fmt.Sprintf("map(%s, %s)", fn, strings.Join(rolls, ", "))
	at := decides(w.node)
	return t.instead(at, call, c.Function+" looks at one result at a time in %s", text), true
}

// decides is where the word stands that wants to know.
func decides(n syntax.Node) syntax.Position {
	switch n := n.(type) {
	case *syntax.IfStmt:
		return n.If
	case *syntax.WhileStmt:
		return n.While
	case *syntax.CondExpr:
		return n.If
	case *syntax.BinaryExpr:
		return n.OpPos
	case *syntax.UnaryExpr:
		return n.OpPos
	}
	return syntax.Start(n)
}

// plain reports whether arguments are given by position alone.
func plain(args []syntax.Expr) bool {
	for _, x := range args {
		switch x := x.(type) {
		case *syntax.BinaryExpr:
			if x.Op == syntax.EQ {
				return false
			}
		case *syntax.UnaryExpr:
			if x.Op == syntax.STAR || x.Op == syntax.STARSTAR {
				return false
			}
		}
	}
	return true
}

func parameter(x syntax.Expr) string {
	if b, ok := x.(*syntax.BinaryExpr); ok {
		x = b.X
	}
	if id, ok := x.(*syntax.Ident); ok {
		return id.Name
	}
	return "roll"
}

// callAt is the call of a function at a place.
func (t Text) callAt(c Call) *syntax.CallExpr {
	var found *syntax.CallExpr
	syntax.Walk(t.File, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok {
			return true
		}
		if id, ok := call.Fn.(*syntax.Ident); ok && id.Name == c.Function && int(id.NamePos.Line) == c.At.Line && int(id.NamePos.Col) == c.At.Col {
			found = call
		}
		return true
	})
	return found
}

// isChance reports whether x is certainly a chance: a comparison of dice that are written out.
func (t Text) isChance(x syntax.Expr) bool {
	b, ok := unparen(x).(*syntax.BinaryExpr)
	if !ok {
		return false
	}
	switch b.Op {
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		return t.rolls(b.X) || t.rolls(b.Y)
	case syntax.IN, syntax.NOT_IN:
		return t.rolls(b.X)
	}
	return false
}

// rolls reports whether x is certainly a roll: dice that are written out, arithmetic with
// them, or a name that stands for such and nothing else.
func (t Text) rolls(x syntax.Expr) bool { return t.dice(x, 0) > 0 }

// several reports whether x is certainly a pool.
func (t Text) several(x syntax.Expr) bool { return t.dice(x, 0) > 1 }

// deepest is how far a name is followed to what it stands for.
const deepest = 20

// dice is 0 when x is not known to be a roll, 1 for a roll, and 2 for a pool.
func (t Text) dice(x syntax.Expr, depth int) int {
	if depth > deepest {
		return 0
	}
	switch x := unparen(x).(type) {
	case *syntax.Ident:
		if !notation.StandsForLiteral(x.Name) {
			if value := t.values[x.Name]; value != nil {
				return t.dice(value, depth+1)
			}
			return 0
		}
		return ofLiteral(t.text(x))
	case *syntax.UnaryExpr:
		if x.Op == syntax.MINUS {
			return min(t.dice(x.X, depth+1), 1)
		}
	case *syntax.BinaryExpr:
		a, b := t.dice(x.X, depth+1), t.dice(x.Y, depth+1)
		switch x.Op {
		case syntax.PLUS:
			if a > 0 && b > 0 {
				return max(a, b)
			}
			return min(a+b, 1)
		case syntax.MINUS, syntax.STAR, syntax.SLASHSLASH, syntax.PERCENT:
			return min(a+b, 1)
		}
	case *syntax.CallExpr:
		return t.made(x, depth)
	}
	return 0
}

// made is what dice is of a call.
func (t Text) made(x *syntax.CallExpr, depth int) int {
	switch fn := x.Fn.(type) {
	case *syntax.DotExpr:
		if changing[fn.Name.Name] {
			return min(t.dice(fn.X, depth+1), 1)
		}
	case *syntax.Ident:
		switch {
		case t.bound[fn.Name]:
		case makers[fn.Name] > 0:
			return makers[fn.Name]
		case (fn.Name == "max" || fn.Name == "min" || fn.Name == "sum") && len(x.Args) > 0:
			return min(t.dice(x.Args[0], depth+1), 1)
		}
	}
	return 0
}

// makers are the builtins that make rolls, 1, or pools, 2.
var makers = map[string]int{
	"d": 1, "die_faces": 1, "uniform": 1, "explode": 1, "reroll": 1, "times": 1, "roll": 1,
	"keep_highest": 1, "keep_lowest": 1, "drop_highest": 1, "drop_lowest": 1, "dice_pool": 2, "pool": 2,
}

// changing are the methods of rolls and pools that make rolls.
var changing = map[string]bool{
	"sum": true, "highest": true, "lowest": true, "keep_highest": true, "keep_lowest": true, "drop_highest": true, "drop_lowest": true,
	"clamp": true, "shift": true, "explode": true, "reroll": true, "keep": true, "remove": true, "convert": true, "ignore": true,
}

// ofLiteral is what dice is of a literal.
func ofLiteral(text string) int {
	l := strings.ToLower(text)
	switch {
	case strings.Contains(l, ".."):
		return 0
	case l[0] == 'd' || strings.HasPrefix(l, "1d") || strings.ContainsAny(l, "khl"):
		return 1
	}
	return 2
}
