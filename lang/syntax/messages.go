package syntax

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// This file puts the messages of the Starlark parser into words
// for people who write recipes.

var (
	chained = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.+) does not associate with (.+) \(use parens\)$`) })
	gotWant = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^got (.+), want (.+)$`) })
)

const comparisonsChain = "comparisons do not chain"

// Hints that say what to write at the place of the mistake.
const (
	equality    = "equality is written =="
	endsInColon = "def, if, else, for and while end in a colon"
)

// syntaxMessage is the message and the hint for an error of the parser.
func syntaxMessage(msg string) (text, hint string) {
	if chained().MatchString(msg) {
		return comparisonsChain,
			"for a roll write roll in through(low, high), or low..high with numbers; for plain numbers write a <= x and x <= b"
	}
	if m := gotWant().FindStringSubmatch(msg); m != nil {
		return expected(m[1], m[2])
	}
	switch {
	case msg == "excessive nesting":
		return "nested too deeply", ""
	case msg == "unexpected input character '!'":
		return "unexpected !", "not equal is written !=, and the opposite of x is not x"
	case strings.HasPrefix(msg, "unexpected EOF in string"), strings.HasPrefix(msg, "unexpected newline in string"):
		return "this text is never closed", "end it with the quote that it begins with"
	case strings.HasPrefix(msg, "unindent does not match"):
		return "this line is indented less than the one above, but not as far as any line before it", ""
	case strings.HasPrefix(msg, "unexpected input character"):
		return "unexpected character" + strings.TrimPrefix(msg, "unexpected input character"), ""
	case msg == "not an identifier":
		return "expected a name", ""
	case strings.HasPrefix(msg, "internal error"):
		return "this text can't be read", ""
	}
	return msg, ""
}

// expected is the message for a token that does not fit.
func expected(got, want string) (text, hint string) {
	g, w := describe(got), describe(want)
	switch {
	case g == "**":
		return "there is no operator **", "a power is written as a product, or p.power(3) of a chance"
	case got == "'='" || got == "=" || g == "is" && w == "a colon":
		hint = equality
	case (want == "':'" || want == ":") && got == "newline":
		hint = endsInColon
	case strings.Contains(got, "indent"):
		return "this line is indented, but does not belong to a block", "start it at the beginning of the line"
	case strings.Contains(want, "indent"):
		return "expected an indented block after the colon", ""
	case strings.Contains(want, "newline"):
		return "did not expect " + g + " here", wordHint(g, "a statement ends with its line; two values need an operator or a comma between them")
	case strings.Contains(want, "primary expression"):
		if strings.Contains(got, "newline") || strings.Contains(got, "end of file") {
			return "something is missing at the end of this line", ""
		}
		return "did not expect " + g + " here", wordHint(g, "")
	}
	return fmt.Sprintf("expected %s, got %s", w, g), hint
}

// wordHint explains words of Python that mean nothing here, and otherwise is
// the hint given.
func wordHint(word, otherwise string) string {
	switch word {
	case "is":
		return equality
	case "import", "from":
		return `modules are loaded with load("file.star", "name")`
	case "else", "elif":
		return "it belongs to an if with the same indentation above it"
	case "class", "try", "except", "raise", "with", "yield", "async", "await", "del", "finally", "global", "nonlocal", "as":
		return word + " is a reserved word without a meaning"
	}
	return otherwise
}

// describe names a token.
func describe(token string) string {
	switch token {
	case "newline":
		return "the end of the line"
	case "end of file", "EOF":
		return "the end of the file"
	case "identifier":
		return "a name"
	case "int literal", "float literal":
		return "a number"
	case "string literal", "bytes literal":
		return "a text"
	case "outdent":
		return "the end of the block"
	case "':'", ":":
		return "a colon"
	case "','", ",":
		return "a comma"
	}
	return strings.Trim(token, "'")
}
