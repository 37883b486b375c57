package syntax

import (
	"dicescript/lang/notation"

	"go.starlark.net/syntax"
)

// This file makes of the tokens of a recipe those of Starlark's grammar: it tells
// keywords and operators apart and finds the indentation. It takes what it is sure
// of; of anything else it says unsure, and Starlark's own scanner has the word.

// A cursor goes through the tokens of a recipe.
type cursor struct {
	src    string
	tokens []notation.Token
	file   *string
	next   int // of tokens
	end    int // of the token before next, in bytes

	fresh   bool  // nothing of the line has been seen
	depth   int   // of brackets
	indents []int // the widths of the blocks that are open
	dents   int   // blocks that are opened, or closed when it is negative

	tok   syntax.Token
	token *notation.Token // of tok, nil for one of the layout
}

// unsure is the panic of a text that is left to Starlark's parser.
type unsure struct{}

func (c *cursor) unsure() { panic(unsure{}) }

// advance takes the next token.
func (c *cursor) advance() {
	c.token = nil
	for {
		switch {
		case c.dents > 0:
			c.dents--
			c.tok = syntax.INDENT
			return
		case c.dents < 0:
			c.dents++
			c.tok = syntax.OUTDENT
			return
		case c.next == len(c.tokens):
			c.atEnd()
			if c.dents == 0 {
				return
			}
			continue
		}
		t := &c.tokens[c.next]
		width := c.space(t.Start)
		switch {
		case t.Kind == notation.CommentToken:
		case t.Kind == notation.NewlineToken:
			if c.depth == 0 && !c.fresh {
				c.fresh, c.tok = true, syntax.NEWLINE
				c.pass(t)
				return
			}
		case c.fresh && c.indented(width):
			continue
		default:
			c.take(t)
			return
		}
		c.pass(t)
	}
}

func (c *cursor) pass(t *notation.Token) {
	c.next++
	c.end = t.End
}

// atEnd ends the last line and the blocks.
func (c *cursor) atEnd() {
	c.space(len(c.src))
	switch {
	case len(c.indents) == 1:
		c.tok = syntax.EOF
	case c.fresh:
		c.dents = 1 - len(c.indents)
		c.indents = c.indents[:1]
	default:
		c.fresh, c.tok = true, syntax.NEWLINE
	}
}

// space is the width of the space before a token, in which nothing else may be: a
// backslash joins lines in ways of its own.
func (c *cursor) space(until int) int {
	width := 0
	for i := c.end; i < until; i++ {
		const tab = 8
		switch c.src[i] {
		case ' ':
			width++
		case '\t':
			width += tab - (i-c.end)%tab
		default:
			c.unsure()
		}
	}
	return width
}

// indented begins a line and reports whether blocks begin or end with it.
func (c *cursor) indented(width int) bool {
	c.fresh = false
	top := len(c.indents) - 1
	if width > c.indents[top] {
		c.indents = append(c.indents, width)
		c.dents = 1
		return true
	}
	for ; width < c.indents[top]; top-- {
		c.dents--
	}
	if width != c.indents[top] {
		c.unsure()
	}
	c.indents = c.indents[:top+1]
	return c.dents != 0
}

// take makes t the token that has been reached.
func (c *cursor) take(t *notation.Token) {
	if c.next > 0 && t.Start == c.end && isWord(t.Kind) && isWord(c.tokens[c.next-1].Kind) {
		c.unsure() // where one ends and the other begins is for Starlark to say
	}
	c.pass(t)
	c.token = t
	switch t.Kind {
	case notation.NameToken, notation.DiceToken, notation.RangeToken:
		c.tok = syntax.IDENT
	case notation.KeywordToken:
		c.tok = keyword(c.text())
	case notation.NumberToken:
		c.tok = syntax.INT // or a float
	case notation.StringToken:
		c.tok = syntax.STRING // or bytes
	case notation.OpenToken:
		c.tok = bracket(c.src[t.Start])
		c.depth++
	case notation.CloseToken:
		c.tok = bracket(c.src[t.Start])
		c.depth--
	default:
		c.tok = operator(c.text())
	}
	if c.tok == syntax.ILLEGAL || c.depth < 0 {
		c.unsure()
	}
}

func isWord(k notation.Kind) bool {
	switch k {
	case notation.NameToken, notation.KeywordToken, notation.NumberToken, notation.StringToken, notation.DiceToken, notation.RangeToken:
		return true
	}
	return false
}

// text is the token as it is written.
func (c *cursor) text() string { return c.src[c.token.Start:c.token.End] }

// position is where the token stands.
func (c *cursor) position() syntax.Position {
	if c.token == nil {
		return syntax.Position{}
	}
	return syntax.MakePosition(c.file, int32(c.token.Line), int32(c.token.Col))
}

// passing takes the next token and returns where the one before stood.
func (c *cursor) passing() syntax.Position {
	pos := c.position()
	c.advance()
	return pos
}

// expect is passing for a certain token.
func (c *cursor) expect(tok syntax.Token) syntax.Position {
	if c.tok != tok {
		c.unsure()
	}
	return c.passing()
}

// keyword is the token of a word of the language, ILLEGAL for those that Starlark
// only reserves.
func keyword(text string) syntax.Token {
	switch text {
	case "and":
		return syntax.AND
	case "break":
		return syntax.BREAK
	case "continue":
		return syntax.CONTINUE
	case "def":
		return syntax.DEF
	case "elif":
		return syntax.ELIF
	case "else":
		return syntax.ELSE
	case "for":
		return syntax.FOR
	case "if":
		return syntax.IF
	case "in":
		return syntax.IN
	case "lambda":
		return syntax.LAMBDA
	case "load":
		return syntax.LOAD
	case "not":
		return syntax.NOT
	case "or":
		return syntax.OR
	case "pass":
		return syntax.PASS
	case "return":
		return syntax.RETURN
	case "while":
		return syntax.WHILE
	}
	return syntax.ILLEGAL
}

func bracket(c byte) syntax.Token {
	switch c {
	case '(':
		return syntax.LPAREN
	case ')':
		return syntax.RPAREN
	case '[':
		return syntax.LBRACK
	case ']':
		return syntax.RBRACK
	case '{':
		return syntax.LBRACE
	}
	return syntax.RBRACE
}

// operator is the token of an operator, ILLEGAL for what is none.
func operator(text string) syntax.Token {
	switch text {
	case ",":
		return syntax.COMMA
	case ".":
		return syntax.DOT
	case ":":
		return syntax.COLON
	case ";":
		return syntax.SEMI
	case "=":
		return syntax.EQ
	case "+":
		return syntax.PLUS
	case "-":
		return syntax.MINUS
	case "*":
		return syntax.STAR
	case "**":
		return syntax.STARSTAR
	case "/":
		return syntax.SLASH
	case "//":
		return syntax.SLASHSLASH
	case "%":
		return syntax.PERCENT
	case "&":
		return syntax.AMP
	case "|":
		return syntax.PIPE
	case "^":
		return syntax.CIRCUMFLEX
	case "~":
		return syntax.TILDE
	case "<<":
		return syntax.LTLT
	case ">>":
		return syntax.GTGT
	case "<":
		return syntax.LT
	case ">":
		return syntax.GT
	case "<=":
		return syntax.LE
	case ">=":
		return syntax.GE
	case "==":
		return syntax.EQL
	case "!=":
		return syntax.NEQ
	case "+=":
		return syntax.PLUS_EQ
	case "-=":
		return syntax.MINUS_EQ
	case "*=":
		return syntax.STAR_EQ
	case "/=":
		return syntax.SLASH_EQ
	case "//=":
		return syntax.SLASHSLASH_EQ
	case "%=":
		return syntax.PERCENT_EQ
	case "&=":
		return syntax.AMP_EQ
	case "|=":
		return syntax.PIPE_EQ
	case "^=":
		return syntax.CIRCUMFLEX_EQ
	case "<<=":
		return syntax.LTLT_EQ
	case ">>=":
		return syntax.GTGT_EQ
	}
	return syntax.ILLEGAL
}
