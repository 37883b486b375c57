package syntax

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"dicescript/lang/notation"

	"go.starlark.net/syntax"
)

// This file reads a recipe whose tokens are known into the tree that Starlark's
// parser makes of it. It is there because it takes a third of the time: it does not
// divide the text again, climbs no ladder of ten precedences for every operand, and
// makes nodes many at a time. It is given up wherever a text is not plainly right,
// and Starlark's parser then reads it, or says what is wrong.

// readPlain is the tree of a recipe, nil when it is for Starlark's parser to read.
// ident is what stands in the tree for a literal with a text.
func readPlain(name string, src []byte, tokens []notation.Token, ident func(text string) string) (file *syntax.File) {
	if !utf8.Valid(src) || bytes.IndexByte(src, 0) >= 0 {
		return nil
	}
	g := &grammar{ident: ident, cursor: cursor{
		src: string(src), tokens: tokens, file: &name, fresh: true, indents: make([]int, 1, 8),
	}}
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(unsure); !ok {
				panic(r)
			}
			file = nil
		}
	}()
	g.makeRoom()
	g.advance()
	file = &syntax.File{Options: FileOptions(), Path: name}
	for g.tok != syntax.EOF {
		file.Stmts = g.stmt(file.Stmts)
	}
	return file
}

// maxNesting is how deep what is read here may be nested. Starlark counts otherwise,
// and has the word on what is deeper.
const maxNesting = 40

type grammar struct {
	cursor
	ident   func(text string) string
	nesting int

	idents   slab[syntax.Ident]
	literals slab[syntax.Literal]
	calls    slab[syntax.CallExpr]
	binaries slab[syntax.BinaryExpr]
}

// A slab gives out nodes of one kind, of which it makes more at a time the more there
// have been.
type slab[T any] struct {
	free []T
	made int
}

func (s *slab[T]) node() *T {
	const most = 16
	if len(s.free) == 0 {
		n := min(max(1, s.made), most)
		s.free = make([]T, n)
		s.made += n
	}
	n := &s.free[0]
	s.free = s.free[1:]
	return n
}

// makeRoom makes the nodes of which there is one for each token of a kind.
func (g *grammar) makeRoom() {
	names, literals := 0, 0
	for i := range g.tokens {
		switch g.tokens[i].Kind {
		case notation.NameToken, notation.DiceToken, notation.RangeToken:
			names++
		case notation.NumberToken, notation.StringToken:
			literals++
		}
	}
	g.idents.free = make([]syntax.Ident, names)
	g.literals.free = make([]syntax.Literal, literals)
}

func (g *grammar) enter() {
	if g.nesting++; g.nesting > maxNesting {
		g.unsure()
	}
}

func (g *grammar) leave() { g.nesting-- }

// stmt appends a statement, or those of a line that semicolons part.
func (g *grammar) stmt(out []syntax.Stmt) []syntax.Stmt {
	switch g.tok {
	case syntax.DEF:
		return append(out, g.def())
	case syntax.IF:
		return append(out, g.ifStmt())
	case syntax.FOR:
		s := &syntax.ForStmt{For: g.passing(), Vars: g.loopVariables()}
		g.expect(syntax.IN)
		s.X = g.expr(false)
		s.Body = g.suite()
		return append(out, s)
	case syntax.WHILE:
		s := &syntax.WhileStmt{While: g.passing(), Cond: g.test()}
		s.Body = g.suite()
		return append(out, s)
	}
	return g.line(out)
}

func (g *grammar) line(out []syntax.Stmt) []syntax.Stmt {
	for {
		out = append(out, g.small())
		if g.tok != syntax.SEMI {
			break
		}
		g.advance()
		if g.tok == syntax.NEWLINE || g.tok == syntax.EOF {
			break
		}
	}
	if g.tok != syntax.EOF {
		g.expect(syntax.NEWLINE)
	}
	return out
}

// suite is the body of a statement, with the colon before it.
func (g *grammar) suite() (body []syntax.Stmt) {
	g.enter()
	g.expect(syntax.COLON)
	if g.tok != syntax.NEWLINE {
		body = g.line(nil)
		g.leave()
		return body
	}
	g.advance()
	g.expect(syntax.INDENT)
	for g.tok != syntax.OUTDENT {
		body = g.stmt(body)
	}
	g.advance()
	g.leave()
	return body
}

func (g *grammar) def() syntax.Stmt {
	d := &syntax.DefStmt{Def: g.passing(), Name: g.name()}
	d.Lparen = g.expect(syntax.LPAREN)
	d.Params = g.params(syntax.RPAREN)
	d.Rparen = g.expect(syntax.RPAREN)
	d.Body = g.suite()
	return d
}

func (g *grammar) ifStmt() syntax.Stmt {
	first := &syntax.IfStmt{If: g.passing(), Cond: g.test()}
	first.True = g.suite()
	last := first
	for g.tok == syntax.ELIF {
		pos := g.passing()
		next := &syntax.IfStmt{If: pos, Cond: g.test()}
		next.True = g.suite()
		last.ElsePos, last.False = pos, []syntax.Stmt{next}
		last = next
	}
	if g.tok == syntax.ELSE {
		last.ElsePos = g.passing()
		last.False = g.suite()
	}
	return first
}

func (g *grammar) small() syntax.Stmt {
	switch tok := g.tok; tok {
	case syntax.RETURN:
		s := &syntax.ReturnStmt{Return: g.passing()}
		if g.tok != syntax.EOF && g.tok != syntax.NEWLINE && g.tok != syntax.SEMI {
			s.Result = g.expr(false)
		}
		return s
	case syntax.BREAK, syntax.CONTINUE, syntax.PASS:
		return &syntax.BranchStmt{Token: tok, TokenPos: g.passing()}
	case syntax.LOAD:
		return g.load()
	}
	x := g.expr(false)
	switch op := g.tok; op {
	case syntax.EQ, syntax.PLUS_EQ, syntax.MINUS_EQ, syntax.STAR_EQ, syntax.SLASH_EQ, syntax.SLASHSLASH_EQ, syntax.PERCENT_EQ,
		syntax.AMP_EQ, syntax.PIPE_EQ, syntax.CIRCUMFLEX_EQ, syntax.LTLT_EQ, syntax.GTGT_EQ:
		return &syntax.AssignStmt{OpPos: g.passing(), Op: op, LHS: x, RHS: g.expr(false)}
	}
	return &syntax.ExprStmt{X: x}
}

func (g *grammar) load() syntax.Stmt {
	s := &syntax.LoadStmt{Load: g.passing()}
	g.expect(syntax.LPAREN)
	s.Module = g.written()
	for g.tok != syntax.RPAREN {
		g.expect(syntax.COMMA)
		if g.tok == syntax.RPAREN {
			break
		}
		if g.tok == syntax.IDENT {
			s.To = append(s.To, g.name())
			g.expect(syntax.EQ)
			s.From = append(s.From, g.loaded())
			continue
		}
		id := g.loaded()
		s.To, s.From = append(s.To, id), append(s.From, id)
	}
	if len(s.To) == 0 {
		g.unsure()
	}
	s.Rparen = g.expect(syntax.RPAREN)
	return s
}

// written is a text that is written out.
func (g *grammar) written() *syntax.Literal {
	if g.tok != syntax.STRING {
		g.unsure()
	}
	l := g.literal()
	if l.Token != syntax.STRING {
		g.unsure()
	}
	return l
}

// loaded is the name that a text in a load statement is.
func (g *grammar) loaded() *syntax.Ident {
	text := g.written()
	id := g.idents.node()
	id.NamePos, id.Name = text.TokenPos, text.Value.(string)
	id.NamePos.Col++ // the quote
	return id
}

func (g *grammar) name() *syntax.Ident {
	if g.tok != syntax.IDENT {
		g.unsure()
	}
	id := g.idents.node()
	id.NamePos, id.Name = g.position(), g.text()
	if g.token.Kind != notation.NameToken {
		id.Name = g.ident(id.Name)
	}
	g.advance()
	return id
}

// params are parameters up to the token after them.
func (g *grammar) params(end syntax.Token) (params []syntax.Expr) {
	for g.tok != end {
		if len(params) > 0 {
			g.expect(syntax.COMMA)
			if g.tok == end && end == syntax.COLON {
				g.unsure()
			}
			if g.tok == end {
				break
			}
		}
		if op := g.tok; op == syntax.STAR || op == syntax.STARSTAR {
			star := &syntax.UnaryExpr{OpPos: g.passing(), Op: op}
			if op == syntax.STARSTAR || g.tok == syntax.IDENT {
				star.X = g.name()
			}
			params = append(params, star)
			continue
		}
		id := g.name()
		if g.tok == syntax.EQ {
			params = append(params, g.binary(id, syntax.EQ, g.passing(), g.test()))
			continue
		}
		params = append(params, id)
	}
	return params
}

func (g *grammar) binary(x syntax.Expr, op syntax.Token, pos syntax.Position, y syntax.Expr) *syntax.BinaryExpr {
	b := g.binaries.node()
	b.X, b.Op, b.OpPos, b.Y = x, op, pos, y
	return b
}

// loopVariables are what a loop binds.
func (g *grammar) loopVariables() syntax.Expr {
	first := g.operand()
	if g.tok != syntax.COMMA {
		return first
	}
	list := []syntax.Expr{first}
	for g.tok == syntax.COMMA {
		g.advance()
		if endsList(g.tok) {
			break
		}
		list = append(list, g.operand())
	}
	return &syntax.TupleExpr{List: list}
}

// expr is an expression that may be a tuple without parentheses.
func (g *grammar) expr(trailing bool) syntax.Expr {
	x := g.test()
	if g.tok != syntax.COMMA {
		return x
	}
	return &syntax.TupleExpr{List: g.rest([]syntax.Expr{x}, trailing)}
}

// rest are the expressions of a list after the first; a trailing comma may be
// allowed.
func (g *grammar) rest(list []syntax.Expr, trailing bool) []syntax.Expr {
	for g.tok == syntax.COMMA {
		g.advance()
		if endsList(g.tok) {
			if !trailing {
				g.unsure()
			}
			break
		}
		list = append(list, g.test())
	}
	return list
}

func endsList(tok syntax.Token) bool {
	switch tok {
	case syntax.EOF, syntax.NEWLINE, syntax.EQ, syntax.RBRACE, syntax.RBRACK, syntax.RPAREN, syntax.SEMI:
		return true
	}
	return false
}

// test is an expression that is no tuple.
func (g *grammar) test() syntax.Expr {
	g.enter()
	defer g.leave()
	if g.tok == syntax.LAMBDA {
		return g.lambda(g.test)
	}
	x := g.operation(0)
	if g.tok != syntax.IF {
		return x
	}
	c := &syntax.CondExpr{If: g.passing(), Cond: g.operation(0), True: x}
	c.ElsePos = g.expect(syntax.ELSE)
	c.False = g.test()
	return c
}

// unconditional is a test that is no if-else.
func (g *grammar) unconditional() syntax.Expr {
	g.enter()
	defer g.leave()
	if g.tok == syntax.LAMBDA {
		return g.lambda(g.unconditional)
	}
	return g.operation(0)
}

func (g *grammar) lambda(body func() syntax.Expr) syntax.Expr {
	l := &syntax.LambdaExpr{Lambda: g.passing(), Params: g.params(syntax.COLON)}
	g.expect(syntax.COLON)
	l.Body = body()
	return l
}

// The precedences of operators: 0 is none, and those of a larger one bind first.
const (
	orPrecedence = iota + 1
	andPrecedence
	notPrecedence
	comparison
)

func precedence(tok syntax.Token) int {
	switch tok {
	case syntax.OR:
		return orPrecedence
	case syntax.AND:
		return andPrecedence
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.GT, syntax.LE, syntax.GE, syntax.IN, syntax.NOT:
		return comparison // not: before in
	case syntax.PIPE:
		return comparison + 1
	case syntax.CIRCUMFLEX:
		return comparison + 2
	case syntax.AMP:
		return comparison + 3
	case syntax.LTLT, syntax.GTGT:
		return comparison + 4
	case syntax.MINUS, syntax.PLUS:
		return comparison + 5
	case syntax.STAR, syntax.PERCENT, syntax.SLASH, syntax.SLASHSLASH:
		return comparison + 6
	}
	return 0
}

// operation is an expression of operators that bind before those of a precedence.
func (g *grammar) operation(above int) syntax.Expr {
	var x syntax.Expr
	if g.tok == syntax.NOT && above < notPrecedence {
		g.enter()
		pos := g.passing()
		x = &syntax.UnaryExpr{OpPos: pos, Op: syntax.NOT, X: g.operation(notPrecedence - 1)}
		g.leave()
	} else {
		x = g.operand()
	}
	for compared := false; ; {
		op, p := g.tok, precedence(g.tok)
		if p <= above {
			return x
		}
		if p == comparison {
			if compared {
				g.unsure() // comparisons don't chain
			}
			compared = true
		}
		pos := g.passing()
		if op == syntax.NOT {
			op, pos = syntax.NOT_IN, g.expect(syntax.IN)
		}
		x = g.binary(x, op, pos, g.operation(p))
	}
}

// operand is a primary expression with what is asked of it.
func (g *grammar) operand() syntax.Expr {
	x := g.primary()
	for {
		switch g.tok {
		case syntax.DOT:
			x = &syntax.DotExpr{Dot: g.passing(), X: x, Name: g.name()}
		case syntax.LBRACK:
			x = g.index(x)
		case syntax.LPAREN:
			call := g.calls.node()
			call.Fn, call.Lparen = x, g.passing()
			call.Args = g.args()
			call.Rparen = g.expect(syntax.RPAREN)
			x = call
		default:
			return x
		}
	}
}

// index is x[y], or a slice of x.
func (g *grammar) index(x syntax.Expr) syntax.Expr {
	s := &syntax.SliceExpr{X: x, Lbrack: g.passing()}
	if g.tok != syntax.COLON {
		s.Lo = g.expr(false)
		if g.tok == syntax.RBRACK {
			return &syntax.IndexExpr{X: x, Lbrack: s.Lbrack, Y: s.Lo, Rbrack: g.passing()}
		}
	}
	g.expect(syntax.COLON)
	if g.tok != syntax.COLON && g.tok != syntax.RBRACK {
		s.Hi = g.test()
	}
	if g.tok == syntax.COLON {
		g.advance()
		if g.tok != syntax.RBRACK {
			s.Step = g.test()
		}
	}
	s.Rbrack = g.expect(syntax.RBRACK)
	return s
}

func (g *grammar) args() (args []syntax.Expr) {
	for g.tok != syntax.RPAREN {
		if len(args) > 0 {
			g.expect(syntax.COMMA)
			if g.tok == syntax.RPAREN {
				break
			}
		}
		if op := g.tok; op == syntax.STAR || op == syntax.STARSTAR {
			args = append(args, &syntax.UnaryExpr{OpPos: g.passing(), Op: op, X: g.test()})
			continue
		}
		x := g.test()
		if g.tok == syntax.EQ {
			if _, ok := x.(*syntax.Ident); !ok {
				g.unsure()
			}
			x = g.binary(x, syntax.EQ, g.passing(), g.test())
		}
		args = append(args, x)
	}
	return args
}

func (g *grammar) primary() syntax.Expr {
	switch op := g.tok; op {
	case syntax.IDENT:
		return g.name()
	case syntax.INT, syntax.STRING:
		return g.literal()
	case syntax.LBRACK:
		return g.list()
	case syntax.LBRACE:
		return g.dict()
	case syntax.LPAREN:
		lparen := g.passing()
		if g.tok == syntax.RPAREN {
			return &syntax.TupleExpr{Lparen: lparen, Rparen: g.passing()}
		}
		x := g.expr(true)
		return &syntax.ParenExpr{Lparen: lparen, X: x, Rparen: g.expect(syntax.RPAREN)}
	case syntax.MINUS, syntax.PLUS, syntax.TILDE:
		g.enter()
		defer g.leave()
		return &syntax.UnaryExpr{OpPos: g.passing(), Op: op, X: g.operand()}
	}
	g.unsure()
	return nil
}

func (g *grammar) list() syntax.Expr {
	lbrack := g.passing()
	if g.tok == syntax.RBRACK {
		return &syntax.ListExpr{Lbrack: lbrack, Rbrack: g.passing()}
	}
	x := g.test()
	if g.tok == syntax.FOR {
		return g.comprehension(lbrack, x, syntax.RBRACK)
	}
	list := g.rest([]syntax.Expr{x}, true)
	return &syntax.ListExpr{Lbrack: lbrack, List: list, Rbrack: g.expect(syntax.RBRACK)}
}

func (g *grammar) dict() syntax.Expr {
	lbrace := g.passing()
	if g.tok == syntax.RBRACE {
		return &syntax.DictExpr{Lbrace: lbrace, Rbrace: g.passing()}
	}
	x := g.entry()
	if g.tok == syntax.FOR {
		return g.comprehension(lbrace, x, syntax.RBRACE)
	}
	list := []syntax.Expr{x}
	for g.tok == syntax.COMMA {
		g.advance()
		if g.tok == syntax.RBRACE {
			break
		}
		list = append(list, g.entry())
	}
	return &syntax.DictExpr{Lbrace: lbrace, List: list, Rbrace: g.expect(syntax.RBRACE)}
}

func (g *grammar) entry() syntax.Expr {
	e := &syntax.DictEntry{Key: g.test()}
	e.Colon = g.expect(syntax.COLON)
	e.Value = g.test()
	return e
}

func (g *grammar) comprehension(open syntax.Position, body syntax.Expr, end syntax.Token) syntax.Expr {
	c := &syntax.Comprehension{Curly: end == syntax.RBRACE, Lbrack: open, Body: body}
	for g.tok != end {
		if g.tok == syntax.IF {
			c.Clauses = append(c.Clauses, &syntax.IfClause{If: g.passing(), Cond: g.unconditional()})
			continue
		}
		f := &syntax.ForClause{For: g.expect(syntax.FOR), Vars: g.loopVariables()}
		f.In = g.expect(syntax.IN)
		f.X = g.operation(0)
		c.Clauses = append(c.Clauses, f)
	}
	c.Rbrack = g.passing()
	return c
}

// literal is a number or a text. What is not plain is asked of Starlark.
func (g *grammar) literal() *syntax.Literal {
	raw := g.text()
	l := g.literals.node()
	l.Token, l.TokenPos, l.Raw = g.tok, g.position(), raw
	switch {
	case g.token.Unclosed:
		g.unsure()
	case g.tok == syntax.STRING && isPlainText(raw):
		quotes := 1
		if strings.HasPrefix(raw, `"""`) || strings.HasPrefix(raw, "'''") {
			quotes = 3
		}
		if len(raw) == 2 {
			quotes = 1
		}
		l.Value = raw[quotes : len(raw)-quotes]
	case g.tok == syntax.INT && isPlainNumber(raw):
		n, _ := strconv.ParseInt(raw, 10, 64)
		l.Value = n
	default:
		x, err := FileOptions().ParseExpr("", raw, 0)
		read, ok := x.(*syntax.Literal)
		if err != nil || !ok {
			g.unsure()
		}
		l.Token, l.Raw, l.Value = read.Token, read.Raw, read.Value
	}
	g.advance()
	return l
}

// isPlainText reports whether what a text says is what stands between its quotes.
func isPlainText(raw string) bool {
	return (raw[0] == '"' || raw[0] == '\'') && strings.IndexByte(raw, '\\') < 0 && strings.IndexByte(raw, '\r') < 0
}

// isPlainNumber reports whether a number is a decimal one that fits a word.
func isPlainNumber(raw string) bool {
	for i := range len(raw) {
		if raw[i] < '0' || raw[i] > '9' {
			return false
		}
	}
	return len(raw) <= 18 && (raw[0] != '0' || len(raw) == 1)
}
