package notation

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file divides a program into tokens, with the same idea of strings,
// comments, numbers and line ends as the Starlark scanner. It never fails:
// whatever it does not know is an operator of one rune.

// A Kind says what a token is.
type Kind uint8

// The kinds of tokens. Spaces and backslash-newlines are between tokens.
const (
	NameToken     Kind = iota + 1 // a word that is no keyword
	KeywordToken                  // def, if, in, ...
	NumberToken                   // 12, 0x1F, 1.5e3
	StringToken                   // any form of string or bytes literal
	CommentToken                  // up to, not with, the line end
	NewlineToken                  // \n, \r\n or \r
	OpenToken                     // ( [ {
	CloseToken                    // ) ] }
	OperatorToken                 // any other rune or operator
	DiceToken                     // a dice literal, sound or not
	RangeToken                    // a range literal, sound or not
	DotsToken                     // the two dots of a range of which an end is a name or stands in parentheses
)

// A Token is a piece of a program: src[Start:End].
type Token struct {
	Kind       Kind
	Unclosed   bool // a string that the text ends in, or whose line does
	Start, End int  // bytes
	Line, Col  int  // of Start
}

// Tokens divides a program into tokens.
func Tokens(src []byte) []Token {
	const tokenBytes = 4 // of an ordinary text, with the space around
	l := lexer{src: src, line: 1, col: 1, tokens: make([]Token, 0, len(src)/tokenBytes+1)}
	for l.next() {
	}
	return l.tokens
}

type lexer struct {
	src       []byte
	pos       int
	line, col int
	tokens    []Token
}

// next appends one token, or skips one piece of space; false at the end.
func (l *lexer) next() bool {
	if l.pos >= len(l.src) {
		return false
	}
	c := l.src[l.pos]
	switch {
	case c == ' ' || c == '\t':
		l.advance(1)
	case c == '\\' && l.newlineWidth(l.pos+1) > 0:
		l.advance(1 + l.newlineWidth(l.pos+1))
	case l.newlineWidth(l.pos) > 0:
		l.emit(NewlineToken, l.newlineWidth(l.pos))
	case c == '#':
		l.emit(CommentToken, l.commentWidth())
	case (isQuote(c) || c == 'r' || c == 'b') && l.stringPrefix() >= 0:
		l.string()
	case c == '-' && l.afterDots() && isDigit(l.at(l.pos+1)):
		l.emit(NumberToken, 1+l.digits(l.pos+1))
	case isDigit(c), c == '.':
		l.numberOrDot()
	case l.wordWidth(l.pos) > 0:
		l.word()
	case c == '(' || c == '[' || c == '{':
		l.emit(OpenToken, 1)
	case c == ')' || c == ']' || c == '}':
		l.emit(CloseToken, 1)
	case (c == '-') && l.signBelongs():
		l.signedRange()
	default:
		l.emit(OperatorToken, l.operatorWidth())
	}
	return true
}

// emit appends a token of n bytes.
func (l *lexer) emit(k Kind, n int) *Token {
	if len(l.tokens) == cap(l.tokens) {
		l.tokens = slices.Grow(l.tokens, len(l.src)-l.pos) // room for all there can be
	}
	l.tokens = append(l.tokens, Token{Kind: k, Start: l.pos, End: l.pos + n, Line: l.line, Col: l.col})
	l.advance(n)
	return &l.tokens[len(l.tokens)-1]
}

// advance moves over n bytes and keeps the position.
func (l *lexer) advance(n int) {
	end := l.pos + n
	for l.pos < end {
		if c := l.src[l.pos]; c < utf8.RuneSelf && c != '\n' && c != '\r' {
			l.pos++
			l.col++
			continue
		}
		if w := l.newlineWidth(l.pos); w > 0 {
			l.pos += w
			l.line++
			l.col = 1
			continue
		}
		_, size := utf8.DecodeRune(l.src[l.pos:])
		l.pos += size
		l.col++
	}
}

// newlineWidth is the width of the line end at byte i, or 0.
func (l *lexer) newlineWidth(i int) int {
	switch {
	case i >= len(l.src):
		return 0
	case l.src[i] == '\n':
		return 1
	case l.src[i] == '\r':
		if i+1 < len(l.src) && l.src[i+1] == '\n' {
			return 2
		}
		return 1
	}
	return 0
}

func (l *lexer) at(i int) byte {
	if i < len(l.src) {
		return l.src[i]
	}
	return 0
}

func (l *lexer) commentWidth() int {
	i := l.pos
	for i < len(l.src) && l.newlineWidth(i) == 0 {
		i++
	}
	return i - l.pos
}

// stringPrefix is the number of letters before the quote of a string that
// begins here, or -1.
func (l *lexer) stringPrefix() int {
	n := 0
	switch {
	case l.at(l.pos) == 'r' && l.at(l.pos+1) == 'b' && isQuote(l.at(l.pos+2)):
		n = 2
	case (l.at(l.pos) == 'r' || l.at(l.pos) == 'b') && isQuote(l.at(l.pos+1)):
		n = 1
	}
	if !isQuote(l.at(l.pos + n)) {
		return -1
	}
	return n
}

// string appends a string token. A backslash takes the next rune with it in
// raw strings too: that is how Starlark finds their end.
func (l *lexer) string() {
	i := l.pos + l.stringPrefix()
	quote := l.src[i]
	triple := l.at(i+1) == quote && l.at(i+2) == quote
	i++
	if triple {
		i += 2
	}
	seen := 0
	for i < len(l.src) {
		switch c := l.src[i]; {
		case c == '\\':
			seen = 0
			i++
			if w := l.newlineWidth(i); w > 0 {
				i += w
			} else if i < len(l.src) {
				i++
			}
			continue
		case c == quote:
			i++
			seen++
			if !triple || seen == 3 {
				l.emit(StringToken, i-l.pos)
				return
			}
			continue
		case !triple && l.newlineWidth(i) > 0:
			l.emit(StringToken, i-l.pos).Unclosed = true
			return
		}
		seen = 0
		i++
	}
	l.emit(StringToken, i-l.pos).Unclosed = true
}

// word appends a name, a keyword or a dice literal without a count.
func (l *lexer) word() {
	n := l.wordWidth(l.pos)
	text := l.src[l.pos : l.pos+n]
	switch {
	case isKeyword(string(text)):
		l.emit(KeywordToken, n)
	case (text[0] == 'd' || text[0] == 'D') && !l.afterDot() && isDiceWord(string(text)):
		l.emit(DiceToken, n)
	default:
		l.emit(NameToken, n)
	}
}

// wordWidth is the width in bytes of the word at byte i, or 0.
func (l *lexer) wordWidth(i int) int {
	start := i
	for i < len(l.src) {
		if c := l.src[i]; 'a' <= c && c <= 'z' || c == '_' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(l.src[i:])
		if !isLetter(r) && (i == start || !isDigitRune(r)) {
			break
		}
		i += size
	}
	return i - start
}

// tailWidth is the width of letters and digits at byte i.
func (l *lexer) tailWidth(i int) int {
	start := i
	for i < len(l.src) {
		r, size := utf8.DecodeRune(l.src[i:])
		if !isLetter(r) && !isDigitRune(r) {
			break
		}
		i += size
	}
	return i - start
}

func (l *lexer) digits(i int) int {
	start := i
	for isDigit(l.at(i)) {
		i++
	}
	return i - start
}

// numberOrDot appends a number, a dot, or a literal that begins with a digit
// or with two dots.
func (l *lexer) numberOrDot() {
	if l.at(l.pos) == '.' && !isDigit(l.at(l.pos+1)) {
		if l.computedRange() {
			l.emit(DotsToken, 2)
			return
		}
		if l.at(l.pos+1) == '.' {
			l.emit(RangeToken, l.rangeTail(l.pos)-l.pos)
			return
		}
		l.emit(OperatorToken, 1)
		return
	}
	n := l.digits(l.pos)
	next := l.at(l.pos + n)
	switch {
	case n > 0 && (next == 'd' || next == 'D') && !l.afterDot():
		l.emit(DiceToken, l.diceWidth(n))
	case n > 0 && next == '.' && l.at(l.pos+n+1) == '.' && l.boundBegins(l.pos+n+2):
		l.emit(NumberToken, n)
	case n > 0 && next == '.' && l.at(l.pos+n+1) == '.':
		l.emit(RangeToken, l.rangeTail(l.pos+n)-l.pos)
	default:
		l.emit(NumberToken, l.numberWidth())
	}
}

// computedRange reports whether the two dots here are those of a range that is computed: a
// name or a bracket is glued to them, on either side.
func (l *lexer) computedRange() bool {
	if l.at(l.pos+1) != '.' || l.at(l.pos+2) == '.' {
		return false
	}
	if l.boundBegins(l.pos + 2) {
		return true
	}
	t := l.before()
	return t != nil && t.End == l.pos && (t.Kind == NameToken || t.Kind == CloseToken)
}

// boundBegins reports whether a name or an expression in parentheses begins at byte i, right
// after the dots of a range.
func (l *lexer) boundBegins(i int) bool {
	if l.at(i) == '(' {
		return true
	}
	n := l.wordWidth(i)
	word := string(l.src[i : i+n])
	return n > 0 && !isKeyword(word) && !isDiceWord(word)
}

// afterDots reports whether the dots of a computed range end here.
func (l *lexer) afterDots() bool {
	t := l.before()
	return t != nil && t.Kind == DotsToken && t.End == l.pos
}

// diceWidth is the width of a literal whose count has n digits: letters and
// digits, with the % of 1d% among them.
func (l *lexer) diceWidth(n int) int {
	i := l.pos + n + 1
	if l.at(i) == '%' {
		i++
	}
	i += l.tailWidth(i)
	return i - l.pos
}

// rangeTail is the end of a range whose dots begin at byte i: all the dots,
// a sign and what is glued to them.
func (l *lexer) rangeTail(i int) int {
	for l.at(i) == '.' {
		i++
	}
	j := i
	if l.at(j) == '-' {
		j++
	}
	if n := l.tailWidth(j); n > 0 && (j == i || isDigit(l.src[j])) {
		return j + n
	}
	return i
}

// signBelongs reports whether the minus here is the sign of a range: digits
// and two dots follow, and no operand stands before it.
func (l *lexer) signBelongs() bool {
	n := l.digits(l.pos + 1)
	return n > 0 && l.at(l.pos+1+n) == '.' && l.at(l.pos+2+n) == '.' && !l.boundBegins(l.pos+3+n) && !l.afterOperand()
}

func (l *lexer) signedRange() {
	n := l.digits(l.pos + 1)
	l.emit(RangeToken, l.rangeTail(l.pos+1+n)-l.pos)
}

// numberWidth is the width of a Starlark number.
func (l *lexer) numberWidth() int {
	i := l.pos
	if l.at(i) == '0' {
		if is := baseDigits(l.at(i + 1)); is != nil {
			i += 2
			for is(l.at(i)) {
				i++
			}
			return i - l.pos
		}
	}
	i += l.digits(i)
	if l.at(i) == '.' {
		i++
		i += l.digits(i)
	}
	if c := l.at(i); c == 'e' || c == 'E' {
		j := i + 1
		if s := l.at(j); s == '+' || s == '-' {
			j++
		}
		if n := l.digits(j); n > 0 {
			i = j + n
		} else {
			i++
		}
	}
	return i - l.pos
}

// baseDigits is the set of digits that follow 0x, 0o and 0b.
func baseDigits(prefix byte) func(byte) bool {
	switch prefix {
	case 'x', 'X':
		return func(c byte) bool {
			return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
		}
	case 'o', 'O':
		return func(c byte) bool { return '0' <= c && c <= '7' }
	case 'b', 'B':
		return func(c byte) bool { return c == '0' || c == '1' }
	}
	return nil
}

// operatorWidth is the width of the operator here; an operator that ends in
// = is one token, so that != is told from a lone !.
func (l *lexer) operatorWidth() int {
	rest := l.src[l.pos:]
	if len(rest) > 1 && strings.IndexByte("=/*<>", rest[1]) < 0 && rest[0] < utf8.RuneSelf {
		return 1 // all that are longer go on with one of these
	}
	for _, op := range operators {
		if len(rest) >= len(op) && string(rest[:len(op)]) == op {
			return len(op)
		}
	}
	_, size := utf8.DecodeRune(rest)
	return size
}

var operators = [...]string{
	"//=", "<<=", ">>=",
	"==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "**", "//", "<<", ">>",
}

// afterDot reports whether the token before is a dot: what follows is an
// attribute.
func (l *lexer) afterDot() bool {
	t := l.before()
	return t != nil && t.Kind == OperatorToken && l.src[t.Start] == '.'
}

// afterOperand reports whether an operand ends before this place.
func (l *lexer) afterOperand() bool {
	t := l.before()
	return t != nil && t.operand()
}

func (t Token) operand() bool {
	switch t.Kind {
	case NameToken, NumberToken, StringToken, CloseToken, DiceToken, RangeToken:
		return true
	}
	return false
}

// before is the token before this place that is not a comment.
func (l *lexer) before() *Token {
	for i := len(l.tokens) - 1; i >= 0; i-- {
		if l.tokens[i].Kind != CommentToken {
			return &l.tokens[i]
		}
	}
	return nil
}

func isQuote(c byte) bool     { return c == '"' || c == '\'' }
func isDigit(c byte) bool     { return '0' <= c && c <= '9' }
func isDigitRune(r rune) bool { return '0' <= r && r <= '9' }
func isLetter(r rune) bool    { return r == '_' || unicode.IsLetter(r) }

// isKeyword reports whether a word is one of Starlark, or one that it reserves.
func isKeyword(word string) bool {
	switch word {
	case "and", "break", "continue", "def", "elif", "else", "for", "if", "in", "lambda", "load", "not", "or", "pass", "return", "while",
		"as", "async", "await", "class", "del", "except", "finally", "from", "global", "import", "is", "nonlocal", "raise", "try", "with", "yield":
		return true
	}
	return false
}
