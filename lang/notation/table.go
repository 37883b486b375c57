package notation

import (
	"fmt"
	"strconv"
	"strings"
)

// This file reads what virtual tabletops write, each as its own documents say: a
// dialect decides what k3, r<2, >4 and x mean.
//
//	expr   = sum, in Avrae also sum compared with sum
//	sum    = product {("+" | "-") product}
//	product = unary {("*" | "/" | "//" | "%") unary}
//	unary  = {"-" | "+"} (number | name | dice | group | function) {modifier} {label}

// A Dialect is the notation of one tabletop.
type Dialect string

// The dialects.
const (
	Foundry Dialect = "foundry" // Foundry Virtual Tabletop: its articles on dice and dice modifiers
	Roll20  Dialect = "roll20"  // Roll20: its Dice Reference
	Avrae   Dialect = "avrae"   // Avrae: the syntax of its library d20
)

// Dialects lists the dialects by their names.
func Dialects() []string { return []string{string(Avrae), string(Foundry), string(Roll20)} }

// A Formula is a text in a dialect that has been read.
type Formula struct {
	Dialect Dialect
	X       Term
	Names   []string // of the inputs, in the order of the text
	Notes   []Remark // where the dialect may read otherwise than one expects
}

// A Remark is a note at a place of the text.
type Remark struct {
	Place
	Message string
}

// A Term is a node of a formula: *Fixed, *TableName, *TableDice, *TableGroup,
// *TableCall or *TableOp.
type Term interface{ Pos() Place }

type (
	// A Fixed is a number: Over / Under.
	Fixed struct {
		Place
		Over, Under int
	}

	// A TableName is @name, an input.
	TableName struct {
		Place
		Name string
	}

	// TableDice are Count dice of one kind.
	TableDice struct {
		Place
		Text      string
		Count     Term // *Fixed or a formula without dice
		Sides     int
		Fate      bool
		Modifiers []TableModifier
	}

	// A TableGroup is {a, b} or (a, b): several totals, of which modifiers choose.
	// Joined are the dice of one sum, each for itself.
	TableGroup struct {
		Place
		Items     []Term
		Joined    bool
		Modifiers []TableModifier
	}

	// A TableCall is floor(x) and the like.
	TableCall struct {
		Place
		Name string
		Args []Term
	}

	// A TableOp is X Op Y, or Op Y where X is nil.
	TableOp struct {
		Place
		Op   string
		X, Y Term
	}
)

// ParseTable reads a text in a dialect.
func ParseTable(d Dialect, text string) (*Formula, error) {
	p := &tableParser{rollParser: &rollParser{text: []rune(text)}, d: d, f: &Formula{Dialect: d}}
	if len(p.text) > maxRollText {
		return nil, p.errorf(0, "the notation is longer than %d characters", maxRollText)
	}
	x, err := p.comparison()
	if err == nil && p.i < len(p.text) {
		err = p.unexpected()
	}
	if err != nil {
		return nil, err
	}
	p.f.X = x
	return p.f, nil
}

type tableParser struct {
	*rollParser
	d Dialect
	f *Formula
}

// note adds a note, once.
func (p *tableParser) note(at Place, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	for _, n := range p.f.Notes {
		if n.Message == message {
			return
		}
	}
	p.f.Notes = append(p.f.Notes, Remark{at, message})
}

// comparison reads a whole formula. Avrae compares totals, which gives 1 or 0.
func (p *tableParser) comparison() (Term, *Error) {
	if p.d != Avrae {
		return p.sum()
	}
	x, err := p.chain(p.sum, "==", "!=", ">=", "<=", ">", "<")
	if op, ok := x.(*TableOp); ok && isComparison(rune(op.Op[0])) || ok && op.Op == "!=" {
		p.note(op.Place, "%s compares totals: the result is 1 or 0", op.Op)
	}
	return x, err
}

func (p *tableParser) sum() (Term, *Error) { return p.chain(p.product, "+", "-") }

func (p *tableParser) product() (Term, *Error) {
	if p.d == Avrae {
		return p.chain(p.unary, "*", "//", "/", "%")
	}
	return p.chain(p.unary, "*", "/", "%")
}

// chain reads operands of one precedence.
func (p *tableParser) chain(operand func() (Term, *Error), ops ...string) (Term, *Error) {
	x, err := operand()
	for err == nil {
		p.space()
		at, op := p.here(), ""
		for _, o := range ops {
			if p.accept(o) {
				op = o
				break
			}
		}
		if op == "" {
			return x, nil
		}
		var y Term
		if y, err = operand(); err == nil {
			x = &TableOp{at, op, x, y}
		}
	}
	return nil, err
}

func (p *tableParser) unary() (Term, *Error) {
	if p.depth++; p.depth > maxRollDepth {
		return nil, p.errorf(p.i, "nested too deeply")
	}
	defer func() { p.depth-- }()
	p.space()
	at := p.here()
	switch {
	case p.accept("+"):
		return p.unary()
	case p.accept("-"):
		x, err := p.unary()
		return &TableOp{at, "-", nil, x}, err
	}
	x, err := p.primary(at)
	if err != nil {
		return nil, err
	}
	return x, p.labels()
}

// labels passes what is written in square brackets: it says what a roll is for.
func (p *tableParser) labels() *Error {
	for {
		end := p.i
		p.space()
		open := p.i
		if !p.accept("[") {
			p.i = end
			return nil
		}
		for p.peek(0) != ']' {
			if p.i == len(p.text) {
				return p.errorf(open, "this label is never closed")
			}
			p.i++
		}
		p.i++
	}
}

func (p *tableParser) primary(at Place) (Term, *Error) {
	switch c := p.peek(0); {
	case p.i == len(p.text):
		return nil, p.errorf(p.i, "expected dice or a number, got the end")
	case c == '(':
		return p.parentheses(at)
	case c == '{' && p.d != Avrae:
		return p.braces(at)
	case c == '@':
		return p.name(at)
	case isDigitRune(c) || c == '.', (c == 'd' || c == 'D') && p.diceAhead():
		return p.numberOrTableDice(at)
	case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
		return p.call(at)
	}
	return nil, p.unexpected()
}

// diceAhead reports whether a d begins dice, and not a word.
func (p *tableParser) diceAhead() bool {
	c := p.peek(1)
	return isDigitRune(c) || c == '%' || c == 'F' || c == 'f' && !isASCIILetter(p.peek(2))
}

func isASCIILetter(c rune) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// list reads terms between commas up to a closing sign.
func (p *tableParser) list(closing string) (items []Term, comma bool, err *Error) {
	open := p.i
	p.i++
	for {
		p.space()
		if p.accept(closing) {
			return items, comma, nil
		}
		x, err := p.comparison()
		if err != nil {
			return nil, comma, err
		}
		items = append(items, x)
		p.space()
		switch {
		case p.accept(","):
			comma = true
		case p.accept(closing):
			return items, comma, nil
		case p.i == len(p.text):
			return nil, comma, p.errorf(open, "this %c is never closed", p.text[open])
		default:
			return nil, comma, p.unexpected()
		}
	}
}

// parentheses reads (x), in Avrae also the set (x, y) with its operations, and in
// Foundry the number of dice, as in (@level)d6.
func (p *tableParser) parentheses(at Place) (Term, *Error) {
	start := p.i
	items, comma, err := p.list(")")
	switch {
	case err != nil:
		return nil, err
	case len(items) == 0:
		return nil, p.errorf(start, "there is nothing in these parentheses")
	case comma && p.d != Avrae:
		return nil, p.errorf(start, "several rolls are grouped by braces: {1d8, 1d10}kh1")
	case p.d == Foundry && (p.peek(0) == 'd' || p.peek(0) == 'D') && p.diceAhead():
		return p.dice(at, start, items[0])
	}
	if dice, ok := items[0].(*TableDice); ok && !comma && p.d == Avrae {
		more, err := p.modifiers(dice.Text, dice.Modifiers, true)
		dice.Modifiers = more
		return dice, err
	}
	if p.d != Avrae {
		return items[0], nil
	}
	mods, err := p.modifiers("(...)", nil, false)
	if len(mods) == 0 && !comma {
		return items[0], err
	}
	return &TableGroup{at, items, false, mods}, err
}

// braces reads {a, b} with its modifiers. In Roll20 the dice of one sum stand each for
// itself.
func (p *tableParser) braces(at Place) (Term, *Error) {
	start := p.i
	items, _, err := p.list("}")
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, p.errorf(start, "there is nothing in these braces")
	}
	mods, err := p.modifiers("{...}", nil, false)
	joined := p.d == Roll20 && len(items) == 1
	if joined && len(mods) > 0 {
		if err := p.plainDice(items[0]); err != nil {
			return nil, err
		}
	}
	return &TableGroup{at, items, joined, mods}, err
}

// plainDice refuses what stands alone in braces and is no sum of dice.
func (p *tableParser) plainDice(x Term) *Error {
	switch x := x.(type) {
	case *TableDice:
		if len(x.Modifiers) == 0 {
			return nil
		}
	case *TableOp:
		if x.Op == "+" && x.X != nil {
			if err := p.plainDice(x.X); err != nil {
				return err
			}
			return p.plainDice(x.Y)
		}
	}
	at := x.Pos()
	return &Error{Line: at.Line, Col: at.Col, Msg: "alone in braces stands a sum of dice without modifiers, whose dice are chosen from; write several rolls with a comma"}
}

// name reads @name, in Roll20 @{name}.
func (p *tableParser) name(at Place) (Term, *Error) {
	start := p.i
	p.i++
	var name string
	switch {
	case p.d == Avrae:
		return nil, p.errorf(start, "Avrae's dice have no names: write the number")
	case p.d == Roll20 && p.accept("{"):
		from := p.i
		for p.peek(0) != '}' {
			if p.i == len(p.text) {
				return nil, p.errorf(start, "this name is never closed")
			}
			p.i++
		}
		name = strings.TrimSpace(string(p.text[from:p.i]))
		p.i++
	case p.d == Roll20:
		return nil, p.errorf(start, "names are written @{name} in Roll20")
	default:
		from := p.i
		for c := p.peek(0); isASCIILetter(c) || isDigitRune(c) || c == '_' || c == '.' || c == '-' && p.i > from && isASCIILetter(p.peek(1)); c = p.peek(0) {
			p.i++
		}
		name = strings.TrimRight(string(p.text[from:p.i]), ".")
	}
	if name == "" {
		return nil, p.errorf(start, "expected a name after @")
	}
	p.f.Names = append(p.f.Names, name)
	if p.d == Foundry && (p.peek(0) == 'd' || p.peek(0) == 'D') && isDigitRune(p.peek(1)) {
		return nil, p.errorf(start, "write the number of dice in parentheses: (@%s)d%s", name, string(p.text[p.i+1]))
	}
	return &TableName{at, name}, nil
}

// functions of the dialects, by how many arguments they have; -1 is one or more.
var functions = map[Dialect]map[string]int{
	Foundry: {"floor": 1, "ceil": 1, "round": 1, "abs": 1, "min": -1, "max": -1},
	Roll20:  {"floor": 1, "ceil": 1, "round": 1, "abs": 1},
}

// call reads floor(x) and the like.
func (p *tableParser) call(at Place) (Term, *Error) {
	start := p.i
	name := p.word()
	want, ok := functions[p.d][name]
	if !ok || p.peek(0) != '(' {
		p.i = start
		if p.peek(len(name)) == '(' {
			return nil, p.errorf(start, "%s knows no function %s here", p.d, shorten(name))
		}
		return nil, p.unexpected()
	}
	args, _, err := p.list(")")
	switch {
	case err != nil:
		return nil, err
	case len(args) == 0 || want > 0 && len(args) != want:
		return nil, p.errorf(start, "%s: got %d arguments, want %s", name, len(args), map[bool]string{true: "one", false: "some"}[want == 1])
	}
	return &TableCall{at, name, args}, nil
}

func (p *tableParser) numberOrTableDice(at Place) (Term, *Error) {
	start := p.i
	whole := p.digits()
	if (p.peek(0) == 'd' || p.peek(0) == 'D') && (p.diceAhead() || whole == "") {
		n := 1
		if whole != "" {
			var bad error
			if n, bad = strconv.Atoi(whole); bad != nil {
				return nil, p.errorf(start, "the number is too large: %s", shorten(whole))
			}
		}
		return p.dice(at, start, &Fixed{at, n, 1})
	}
	part := ""
	if p.peek(0) == '.' && isDigitRune(p.peek(1)) {
		p.i++
		part = p.digits()
	}
	const mostDigits = 9
	n, bad := strconv.Atoi(whole + part)
	if bad != nil || len(part) > mostDigits {
		return nil, p.errorf(start, "the number is too large: %s", shorten(string(p.text[start:p.i])))
	}
	under := 1
	for range part {
		under *= 10
	}
	return &Fixed{at, n, under}, nil
}

// dice reads d6 and its modifiers, after the number of them.
func (p *tableParser) dice(at Place, start int, count Term) (Term, *Error) {
	p.i++
	x := &TableDice{Place: at, Count: count}
	switch {
	case p.accept("%"):
		x.Sides = 100
	case p.accept("F"), p.accept("f"):
		x.Fate, x.Sides = true, 1
	default:
		digits := p.digits()
		n, bad := strconv.Atoi(digits)
		if bad != nil || n < 1 || n > MaxSides {
			return nil, p.errorf(start, "a die has at least one side, and at most %d: got %s", MaxSides, shorten(digits))
		}
		x.Sides = n
	}
	if n, ok := count.(*Fixed); ok && n.Over > MaxDice {
		return nil, p.errorf(start, "there are at most %d dice", MaxDice)
	}
	x.Text = string(p.text[start:p.i])
	mods, err := p.modifiers(x.Text, nil, true)
	x.Modifiers = mods
	return x, err
}

// unexpected explains what nothing begins with.
func (p *tableParser) unexpected() *Error {
	rest := strings.TrimSpace(string(p.text[p.i:]))
	switch c := p.peek(0); {
	case c == ')' || c == '}' || c == ']':
		return p.errorf(p.i, "nothing is open that this %c closes", c)
	case c == '[':
		return p.errorf(p.i, "a label stands after the dice that it is for; rolls within rolls, [[...]], are written in parentheses")
	case c == '{' && p.d == Avrae:
		return p.errorf(p.i, "Avrae groups rolls by parentheses: (1d8, 1d10)kh1")
	case c == '?' || c == '&' || c == '#' && p.d == Roll20:
		return p.errorf(p.i, "queries and macros are not read: write what they stand for, or @{name}")
	}
	return p.errorf(p.i, "unexpected %q in the notation of %s", shorten(rest), p.d)
}
