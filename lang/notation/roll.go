package notation

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// This file reads the notation of roll("..."): the literals of programs with
// what virtual tabletops add to them. Where the tabletops disagree about a
// piece of notation, it is refused with both readings.
//
//	expr    = term {("+" | "-") term}
//	term    = factor {("*" | "//") factor}
//	factor  = "-" factor | number | range | (dice | "(" expr ")") {modifier}

// Bounds of a text, far above what anybody writes.
const (
	maxRollText  = 4096 // runes
	maxRollDepth = 100
)

// ParseRoll reads the text of roll("...").
func ParseRoll(text string) (Expr, error) {
	p := rollParser{text: []rune(text)}
	if len(p.text) > maxRollText {
		return nil, p.errorf(0, "the notation is longer than %d characters", maxRollText)
	}
	x, err := p.all()
	if err != nil {
		return nil, err
	}
	return x, nil
}

type rollParser struct {
	text  []rune
	i     int
	depth int
}

// errorf makes an error at rune i.
func (p *rollParser) errorf(i int, format string, args ...any) *Error {
	at := p.place(i)
	return &Error{Line: at.Line, Col: at.Col, Msg: fmt.Sprintf(format, args...)}
}

func (p *rollParser) place(i int) Place {
	at := Place{1, 1}
	for _, r := range p.text[:i] {
		at.Col++
		if r == '\n' {
			at = Place{at.Line + 1, 1}
		}
	}
	return at
}

func (p *rollParser) here() Place { return p.place(p.i) }

// peek is the rune k places on, or 0.
func (p *rollParser) peek(k int) rune {
	if p.i+k < len(p.text) {
		return p.text[p.i+k]
	}
	return 0
}

func (p *rollParser) space() {
	for unicode.IsSpace(p.peek(0)) {
		p.i++
	}
}

// accept passes a text if it comes next.
func (p *rollParser) accept(s string) bool {
	for k, r := range []rune(s) {
		if p.peek(k) != r {
			return false
		}
	}
	p.i += len([]rune(s))
	return true
}

func (p *rollParser) all() (Expr, *Error) {
	x, err := p.sum()
	if err != nil {
		return nil, err
	}
	if p.i < len(p.text) {
		return nil, p.unexpected()
	}
	return x, nil
}

func (p *rollParser) sum() (Expr, *Error) {
	return p.binary(p.product, "+", "-")
}

func (p *rollParser) product() (Expr, *Error) {
	return p.binary(p.factor, "*", "//")
}

// binary reads operands of one precedence.
func (p *rollParser) binary(operand func() (Expr, *Error), ops ...string) (Expr, *Error) {
	x, err := operand()
	for err == nil {
		p.space()
		at := p.here()
		op := ""
		for _, o := range ops {
			if p.accept(o) {
				op = o
				break
			}
		}
		if op == "" {
			return x, nil
		}
		var y Expr
		if y, err = operand(); err == nil {
			x = &Binary{at, op, x, y}
		}
	}
	return nil, err
}

func (p *rollParser) factor() (Expr, *Error) {
	if p.depth++; p.depth > maxRollDepth {
		return nil, p.errorf(p.i, "nested too deeply")
	}
	defer func() { p.depth-- }()
	p.space()
	at := p.here()
	switch c := p.peek(0); {
	case p.i == len(p.text):
		return nil, p.errorf(p.i, "expected dice or a number, got the end")
	case c == '-' && !p.rangeAhead(1):
		p.i++
		x, err := p.factor()
		return &Negate{at, x}, err
	case c == '(':
		return p.group(at)
	case p.rangeAhead(0):
		return p.rangeLiteral(at)
	case isDigitRune(c) || c == 'd' || c == 'D':
		return p.numberOrDice(at)
	}
	return nil, p.unexpected()
}

func (p *rollParser) group(at Place) (Expr, *Error) {
	open := p.i
	p.i++
	x, err := p.sum()
	if err != nil {
		return nil, err
	}
	if !p.accept(")") {
		if p.i < len(p.text) {
			return nil, p.unexpected()
		}
		return nil, p.errorf(open, "this parenthesis is never closed")
	}
	mods, err := p.modifiers("(...)", 0)
	return &Group{at, x, mods}, err
}

// rangeAhead reports whether a range begins k runes on, after its sign.
func (p *rollParser) rangeAhead(k int) bool {
	if k == 0 && p.peek(0) == '-' && isDigitRune(p.peek(1)) {
		k = 1
	}
	for isDigitRune(p.peek(k)) {
		k++
	}
	return p.peek(k) == '.' && p.peek(k+1) == '.'
}

func (p *rollParser) rangeLiteral(at Place) (Expr, *Error) {
	start := p.i
	b, err := p.band()
	if err != nil {
		return nil, p.errorf(start, "%s", err)
	}
	return &Range{at, *b}, nil
}

// band reads a range literal.
func (p *rollParser) band() (*Band, error) {
	start := p.i
	p.accept("-")
	p.digits()
	for p.accept(".") {
	}
	if p.peek(0) == '-' && isDigitRune(p.peek(1)) {
		p.i++
	}
	p.digits()
	return parseRange(string(p.text[start:p.i]))
}

// digits passes digits and returns them.
func (p *rollParser) digits() string {
	start := p.i
	for isDigitRune(p.peek(0)) {
		p.i++
	}
	return string(p.text[start:p.i])
}

// word passes letters and returns them.
func (p *rollParser) word() string {
	start := p.i
	for c := p.peek(0); 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'; c = p.peek(0) {
		p.i++
	}
	return string(p.text[start:p.i])
}

func (p *rollParser) numberOrDice(at Place) (Expr, *Error) {
	start := p.i
	count := p.digits()
	if c := p.peek(0); c != 'd' && c != 'D' {
		return p.number(at, start, count)
	}
	p.i++
	switch {
	case p.accept("%"), p.accept("F"), p.accept("f"):
	default:
		p.digits()
	}
	text := string(p.text[start:p.i])
	pool, bad := parseDice(text)
	if bad != nil {
		return nil, p.errorf(start, "%s", bad)
	}
	top := pool.Sides
	if pool.Fate {
		top = 1
	}
	mods, err := p.modifiers(text, top)
	return &Dice{at, pool, mods}, err
}

func (p *rollParser) number(at Place, start int, digits string) (Expr, *Error) {
	n, bad := strconv.Atoi(digits)
	if bad != nil {
		return nil, p.errorf(start, "the number is too large: %s", shorten(digits))
	}
	end := p.i
	p.space()
	if c := p.peek(0); p.i > end && (c == 'd' || c == 'D') {
		rest := string(p.text[p.i : p.i+1])
		return nil, p.errorf(start, "write the number of dice and the die together: %s%s6", digits, rest)
	}
	return &Number{at, n}, nil
}

// unexpected explains a rune that nothing begins with.
func (p *rollParser) unexpected() *Error {
	rest := strings.TrimSpace(string(p.text[p.i:]))
	switch c := p.peek(0); {
	case c == '/':
		return p.errorf(p.i, "division rounds down and is written //")
	case c == ')':
		return p.errorf(p.i, "nothing is open that this parenthesis closes")
	case c == '.' || c == ',':
		return p.errorf(p.i, "numbers are whole here, got %c", c)
	case c == '<' || c == '>' || c == '=' || c == '!':
		return p.errorf(p.i, "%c belongs after dice, as in 5d10>=8", c)
	}
	return p.errorf(p.i, "unexpected %q: the notation has dice, numbers, + - * // and parentheses", shorten(rest))
}
