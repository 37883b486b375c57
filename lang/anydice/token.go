package anydice

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A program is a stream of tokens, the longest first. Blanks, line ends and
// comments, which stand between two backslashes, only separate them.

type tokenKind uint8

const (
	endToken tokenKind = iota
	numberToken
	variableToken
	wordToken
	stringToken
	symbolToken
)

// A token is one piece of the text. text is the word, name or symbol, and of a
// string what stands between the quotes.
type token struct {
	kind tokenKind
	text string
	at   place
}

func (t token) is(symbol string) bool   { return t.kind == symbolToken && t.text == symbol }
func (t token) isWord(word string) bool { return t.kind == wordToken && t.text == word }
func (t token) isDice() bool            { return t.isWord("d") }

// String returns the token as a message shows it.
func (t token) String() string {
	switch t.kind {
	case endToken:
		return "the end of the program"
	case stringToken:
		return strconv.Quote(t.text)
	}
	return t.text
}

func syntaxFault(at place, format string, args ...any) error {
	return &fault{at: at, kind: Syntax, text: fmt.Sprintf(format, args...)}
}

// symbols are the tokens that are neither words nor numbers, longer ones first.
var symbols = []string{
	"..", "!=", "<=", ">=",
	"(", ")", "{", "}", "[", "]", ",", ":", "+", "-", "*", "/", "^", "@", "#", "!", "&", "|", "=", "<", ">", "?",
}

// byteOrderMark is what some editors write at the beginning of a file.
const byteOrderMark = "\ufeff"

// scan splits a text into tokens, the last of which is the end.
func scan(text string) ([]token, error) {
	var tokens []token
	i := 0
	if strings.HasPrefix(text, byteOrderMark) {
		i = len(byteOrderMark)
	}
	for i < len(text) {
		c := text[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v':
			i++
		case c == '\\':
			end := strings.IndexByte(text[i+1:], '\\')
			if end < 0 {
				return nil, syntaxFault(place(i), `a comment begins here and does not end; it goes on to the next \`)
			}
			i += end + 2
		case c == '"':
			end := strings.IndexByte(text[i+1:], '"')
			if end < 0 {
				return nil, syntaxFault(place(i), `a text begins here and does not end, want a closing "`)
			}
			tokens = append(tokens, token{stringToken, text[i+1 : i+1+end], place(i)})
			i += end + 2
		default:
			t, err := scanPlain(text, i)
			if err != nil {
				return nil, err
			}
			tokens = append(tokens, t)
			i += len(t.text)
		}
	}
	return append(tokens, token{kind: endToken, at: place(len(strings.TrimRight(text, " \t\r\n")))}), nil
}

// scanPlain reads the token that begins at i and stands there as it is.
func scanPlain(text string, i int) (token, error) {
	classes := []struct {
		kind tokenKind
		in   func(c byte) bool
	}{
		{numberToken, func(c byte) bool { return '0' <= c && c <= '9' }},
		{variableToken, isVariableLetter},
		{wordToken, func(c byte) bool { return 'a' <= c && c <= 'z' }},
	}
	for _, class := range classes {
		end := i
		for end < len(text) && class.in(text[end]) {
			end++
		}
		if end > i {
			return token{class.kind, text[i:end], place(i)}, nil
		}
	}
	for _, s := range symbols {
		if strings.HasPrefix(text[i:], s) {
			return token{symbolToken, s, place(i)}, nil
		}
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return token{}, syntaxFault(place(i), "%s", strange(r))
}

func isVariableLetter(c byte) bool { return 'A' <= c && c <= 'Z' || c == '_' }

// strange says what to write instead of a character that no program has.
func strange(r rune) string {
	switch r {
	case '“', '”', '„', '‘', '’':
		return fmt.Sprintf(`%c is no quotation mark of the language, want "`, r)
	case '.':
		return "a single point means nothing here; numbers are whole, and a range is written 1..6"
	case '%':
		return "% means nothing here; a percentile die is d100"
	}
	return fmt.Sprintf("the character %q means nothing outside a text or a comment", r)
}

// A source is the text of a program, in which places have lines and columns.
type source string

// position returns the line and the column of a place, from 1, columns in
// characters.
func (s source) position(at place) (line, column int) {
	before := string(s[:min(int(at), len(s))])
	line = 1 + strings.Count(before, "\n")
	begin := strings.LastIndexByte(before, '\n') + 1
	return line, 1 + utf8.RuneCountInString(strings.TrimPrefix(before[begin:], byteOrderMark))
}
