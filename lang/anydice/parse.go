package anydice

import (
	"strconv"
	"strings"
)

// The whole program is parsed before anything runs. Binary operators have seven
// levels and all group from the left; prefix operators bind tightest of all and
// stack.

// levels are the binary operators, loosest first.
var levels = map[string]struct {
	level int
	op    operator
}{
	"&": {1, opAnd}, "|": {1, opOr},
	"=": {2, opEqual}, "!=": {2, opUnequal}, "<": {2, opLess}, ">": {2, opGreater}, "<=": {2, opAtMost}, ">=": {2, opAtLeast},
	"+": {3, opPlus}, "-": {3, opMinus},
	"*": {4, opTimes}, "/": {4, opDivide},
	"^": {5, opPower},
	"@": {6, opAt},
	"d": {7, opDice},
}

var prefixes = map[string]operator{"d": opDice, "+": opPlus, "-": opMinus, "!": opNot, "#": opLength}

// maxHeight bounds how deep a program may be nested, so that neither parsing
// nor running it runs out of stack.
const maxHeight = 20_000

// A Program is a parsed program. It is immutable and may be run by many
// goroutines at once.
type Program struct {
	name      string
	text      source
	body      []statement
	variables []string // names by slot
	shapes    []shape
	height    int
}

// Compile parses a program. name is what errors call the file. The error is an
// *[Error] of kind [Syntax].
func Compile(name, text string) (*Program, error) {
	p := &parser{
		program: &Program{name: name, text: source(text)},
		slots:   map[string]int{},
		shapes:  map[string]int{},
	}
	var err error
	if p.tokens, err = scan(text); err != nil {
		return nil, p.program.report(err)
	}
	if err := p.parse(); err != nil {
		return nil, p.program.report(err)
	}
	return p.program, nil
}

type parser struct {
	program    *Program
	tokens     []token
	next       int
	slots      map[string]int // of variables
	shapes     map[string]int // by their names
	inFunction bool
	depth      int // of what is being parsed
	height     int // of the deepest place since a function or the program began
}

func (p *parser) peek() token { return p.tokens[p.next] }

func (p *parser) take() token {
	t := p.tokens[p.next]
	if t.kind != endToken {
		p.next++
	}
	return t
}

// accept takes the next token when it is a symbol.
func (p *parser) accept(symbol string) bool {
	if !p.peek().is(symbol) {
		return false
	}
	p.next++
	return true
}

func (p *parser) want(symbol, why string) error {
	if p.accept(symbol) {
		return nil
	}
	return p.unexpected(strconv.Quote(symbol) + " " + why)
}

func (p *parser) unexpected(want string) error {
	return syntaxFault(p.peek().at, "got %v, want %s", p.peek(), want)
}

// enter goes one level deeper; leave comes back.
func (p *parser) enter() error {
	p.depth++
	p.height = max(p.height, p.depth)
	if p.depth > maxHeight {
		return syntaxFault(p.peek().at, "this is nested more than %d deep", maxHeight)
	}
	return nil
}

func (p *parser) leave() { p.depth-- }

func (p *parser) slot(name string) int {
	i, ok := p.slots[name]
	if !ok {
		i = len(p.program.variables)
		p.slots[name] = i
		p.program.variables = append(p.program.variables, name)
	}
	return i
}

// shape returns the number of a shape; words holds "_" for a parameter.
func (p *parser) shape(words []string) int {
	name := strings.Join(words, " ")
	i, ok := p.shapes[name]
	if !ok {
		i = len(p.program.shapes)
		p.shapes[name] = i
		count := 0
		for _, w := range words {
			if w == "_" {
				count++
			}
		}
		p.program.shapes = append(p.program.shapes, shape{name: name, builtin: builtins[name], argCount: count})
	}
	return i
}

func (p *parser) parse() error {
	body, err := p.statements()
	if err != nil {
		return err
	}
	if p.peek().kind != endToken {
		return p.unexpected("a statement: " + topStatements)
	}
	p.program.body, p.program.height = body, p.height
	return nil
}

const (
	topStatements      = "an assignment such as X: 5, or output, set, function, loop or if"
	functionStatements = "an assignment such as X: 5, or loop, if or result"
)

// statements parses up to the end of the block or of the program.
func (p *parser) statements() ([]statement, error) {
	var list []statement
	for t := p.peek(); t.kind != endToken && !t.is("}"); t = p.peek() {
		if n := len(list); n > 0 {
			if _, ended := list[n-1].(*result); ended {
				return nil, syntaxFault(t.at, "got %v after a result, which ends its block; want }", t)
			}
		}
		s, err := p.statement()
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// block parses the statements between braces.
func (p *parser) block() ([]statement, error) {
	begin := p.peek().at
	if err := p.want("{", "and the statements of the block"); err != nil {
		return nil, err
	}
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	list, err := p.statements()
	if err != nil {
		return nil, err
	}
	if p.peek().kind == endToken {
		return nil, syntaxFault(begin, "a block begins here and does not end, want }")
	}
	return list, p.want("}", "at the end of the block")
}

func (p *parser) statement() (statement, error) {
	t := p.peek()
	if t.kind == variableToken {
		return p.assignment()
	}
	if t.kind != wordToken {
		return nil, p.unexpected(p.possible())
	}
	if p.inFunction && (t.text == "output" || t.text == "set" || t.text == "function") {
		return nil, syntaxFault(t.at, "%s can't stand inside a function", t.text)
	}
	switch t.text {
	case "output":
		return p.output()
	case "set":
		return p.setting()
	case "function":
		return p.definition()
	case "loop":
		return p.loop()
	case "if":
		return p.condition()
	case "result":
		return p.result()
	}
	return nil, p.unexpected(p.possible())
}

// possible says which statements may stand here.
func (p *parser) possible() string {
	if p.inFunction {
		return "a statement of a function: " + functionStatements
	}
	return "a statement: " + topStatements
}

func (p *parser) assignment() (statement, error) {
	t := p.take()
	if err := p.want(":", "after the variable "+t.text); err != nil {
		return nil, err
	}
	x, err := p.expression()
	return &assignment{at: t.at, slot: p.slot(t.text), x: x}, err
}

func (p *parser) output() (statement, error) {
	o := &output{at: p.take().at}
	var err error
	if o.x, err = p.expression(); err != nil {
		return nil, err
	}
	if !p.peek().isWord("named") {
		return o, nil
	}
	p.take()
	if p.peek().kind != stringToken {
		return nil, p.unexpected(`a name in quotes, as in output 3d6 named "damage"`)
	}
	o.named, o.name = true, p.title(p.take())
	return o, nil
}

func (p *parser) setting() (statement, error) {
	p.take()
	t := p.take()
	if t.kind != stringToken {
		return nil, syntaxFault(t.at, `got %v, want a setting in quotes, as in set "explode depth" to 5`, t)
	}
	s := &setting{at: t.at, name: t.text}
	if !p.peek().isWord("to") {
		return nil, p.unexpected(`"to" and a value`)
	}
	p.take()
	if p.peek().kind == stringToken {
		s.text = p.take().text
		return s, nil
	}
	var err error
	s.x, err = p.expression()
	return s, err
}

func (p *parser) definition() (statement, error) {
	f := &function{at: p.take().at}
	if err := p.want(":", "after function"); err != nil {
		return nil, err
	}
	var words []string
	for !p.peek().is("{") {
		t := p.take()
		switch t.kind {
		case wordToken:
			words = append(words, t.text)
		case variableToken:
			kind, err := p.paramKind()
			if err != nil {
				return nil, err
			}
			words = append(words, "_")
			f.params = append(f.params, parameter{slot: p.slot(t.text), kind: kind})
		default:
			return nil, syntaxFault(t.at, "got %v, want the words and parameters of the function, then {", t)
		}
	}
	f.shape = p.shape(words)
	depth, height := p.depth, p.height
	p.inFunction, p.depth, p.height = true, 0, 0
	var err error
	f.body, err = p.block()
	f.height = p.height
	p.inFunction, p.depth, p.height = false, depth, height
	return &definition{f: f}, err
}

// paramKind parses the type of a parameter, if there is one.
func (p *parser) paramKind() (paramKind, error) {
	if !p.accept(":") {
		return anyParam, nil
	}
	t := p.take()
	switch {
	case t.isWord("n"):
		return numberParam, nil
	case t.isWord("s"):
		return sequenceParam, nil
	case t.isDice():
		return dieParam, nil
	case t.is("?"):
		return anyParam, nil
	}
	return anyParam, syntaxFault(t.at, "got %v, want the type of the parameter: n for a number, s for a sequence, d for a die, ? for any", t)
}

func (p *parser) loop() (statement, error) {
	l := &loop{at: p.take().at}
	t := p.take()
	if t.kind != variableToken {
		return nil, syntaxFault(t.at, "got %v, want the variable of the loop, as in loop X over {1..6}", t)
	}
	l.slot = p.slot(t.text)
	if !p.peek().isWord("over") {
		return nil, p.unexpected(`"over" and a sequence`)
	}
	p.take()
	var err error
	if l.over, err = p.expression(); err != nil {
		return nil, err
	}
	l.body, err = p.block()
	return l, err
}

func (p *parser) condition() (statement, error) {
	c := &condition{at: p.take().at}
	var err error
	if c.x, err = p.expression(); err != nil {
		return nil, err
	}
	if c.then, err = p.block(); err != nil {
		return nil, err
	}
	if !p.peek().isWord("else") {
		return c, nil
	}
	p.take()
	if !p.peek().isWord("if") {
		c.els, err = p.block()
		return c, err
	}
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	next, err := p.condition()
	c.els = []statement{next}
	return c, err
}

func (p *parser) result() (statement, error) {
	t := p.take()
	if !p.inFunction {
		return nil, syntaxFault(t.at, "result can only stand inside a function")
	}
	if err := p.want(":", "after result"); err != nil {
		return nil, err
	}
	x, err := p.expression()
	return &result{at: t.at, x: x}, err
}

func (p *parser) expression() (expression, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	return p.infix(1)
}

// infix parses operators of a level and those that bind more tightly.
func (p *parser) infix(level int) (expression, error) {
	x, err := p.prefixed()
	if err != nil {
		return nil, err
	}
	deeper := 0
	defer func() { p.depth -= deeper }()
	for {
		t := p.peek()
		l, ok := levels[t.text]
		if !ok || t.kind != symbolToken && t.kind != wordToken || l.level < level {
			return x, nil
		}
		// What stands on the left of a long chain ends up deepest.
		deeper++
		if err := p.enter(); err != nil {
			return nil, err
		}
		p.take()
		y, err := p.infix(l.level + 1)
		if err != nil {
			return nil, err
		}
		x = &infix{at: t.at, op: l.op, x: x, y: y}
	}
}

func (p *parser) prefixed() (expression, error) {
	t := p.peek()
	op, ok := prefixes[t.text]
	if !ok || t.kind != symbolToken && t.kind != wordToken {
		return p.value()
	}
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	p.take()
	x, err := p.prefixed()
	return &prefixed{at: t.at, op: op, x: x}, err
}

func (p *parser) value() (expression, error) {
	t := p.peek()
	switch {
	case t.kind == numberToken:
		p.take()
		return numberOf(t), nil
	case t.kind == variableToken:
		p.take()
		return &variable{at: t.at, slot: p.slot(t.text)}, nil
	case t.is("("):
		p.take()
		x, err := p.expression()
		if err != nil {
			return nil, err
		}
		return x, p.want(")", "to close the parenthesis")
	case t.is("{"):
		return p.sequence()
	case t.is("["):
		return p.call()
	case t.kind == stringToken:
		return nil, syntaxFault(t.at, "a text is not a value")
	case t.isWord("legacy"):
		return nil, syntaxFault(t.at, `"legacy" belongs to an older form of the language, which is not known`)
	}
	return nil, p.unexpected("a value")
}

func numberOf(t token) expression {
	n, err := strconv.Atoi(t.text)
	if err != nil {
		return &numberLiteral{at: t.at, digits: t.text}
	}
	return &numberLiteral{at: t.at, n: n}
}

func (p *parser) sequence() (expression, error) {
	s := &sequenceLiteral{at: p.take().at}
	if p.accept("}") {
		return s, nil
	}
	for {
		q, err := p.part()
		if err != nil {
			return nil, err
		}
		s.parts = append(s.parts, q)
		if p.accept("}") {
			s.fixed = fixedElements(s.parts)
			return s, nil
		}
		if p.peek().kind == endToken {
			return nil, syntaxFault(s.at, "a sequence begins here and does not end, want }")
		}
		if err := p.want(",", "or } after an element of a sequence"); err != nil {
			return nil, err
		}
	}
}

// fixedElements are the elements of parts that are written-out numbers and short
// ranges of them, nil when there are others.
func fixedElements(parts []part) []int {
	const longest = 256
	seq := make([]int, 0, len(parts))
	for _, q := range parts {
		from, ok := q.from.(*numberLiteral)
		if !ok || from.digits != "" || q.times != nil {
			return nil
		}
		to := from
		if q.to != nil {
			if to, ok = q.to.(*numberLiteral); !ok || to.digits != "" || to.n-from.n >= longest {
				return nil
			}
		}
		for i := range max(0, to.n-from.n+1) {
			seq = append(seq, from.n+i)
		}
	}
	return seq
}

func (p *parser) part() (q part, err error) {
	if q.from, err = p.expression(); err != nil {
		return q, err
	}
	if p.accept("..") {
		if q.to, err = p.expression(); err != nil {
			return q, err
		}
	}
	if p.accept(":") {
		q.times, err = p.expression()
	}
	return q, err
}

func (p *parser) call() (expression, error) {
	c := &call{at: p.take().at}
	var words []string
	for !p.accept("]") {
		t := p.peek()
		if t.kind == endToken {
			return nil, syntaxFault(c.at, "a call begins here and does not end, want ]")
		}
		if t.kind == wordToken && !t.isDice() {
			p.take()
			words = append(words, t.text)
			continue
		}
		x, err := p.expression()
		if err != nil {
			return nil, err
		}
		words = append(words, "_")
		c.args = append(c.args, x)
	}
	c.shape = p.shape(words)
	return c, nil
}
