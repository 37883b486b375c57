package assist

import (
	"bytes"
	"context"
	"strings"

	"dicescript/lang/notation"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/syntax"
)

// A text that is being written seldom parses. So the lines on which the parser
// finds mistakes are replaced by ones that mean nothing, until the rest parses;
// no other line moves.

// maxMends is how often a text is mended. A text with more mistakes than that has
// no tree, and its names are not known.
const maxMends = 40

// mended reads a program, or what can be read of it; whole says whether that is all.
func mended(ctx context.Context, name string, program []byte, tokens []notation.Token) (t *dicesyntax.Tree, whole bool) {
	lines := bytes.SplitAfter(program, []byte("\n"))
	tried := map[int]int{} // how often a line has been replaced
	for i := range maxMends {
		tree, errs, err := dicesyntax.ParseTokens(ctx, name, program, tokens)
		if err != nil {
			break
		}
		if tree != nil {
			return tree, i == 0
		}
		for _, e := range errs {
			// A line that has been given up may leave the one above unfinished.
			n := min(e.Line, len(lines)) - 1
			for n > 0 && tried[n] > 1 {
				n--
			}
			lines[n] = replacement(lines[n], tried[n])
			tried[n]++
		}
		program = bytes.Join(lines, nil)
		tokens = notation.Tokens(program)
	}
	return &dicesyntax.Tree{File: &syntax.File{Path: name, Options: dicesyntax.FileOptions()}}, false
}

// replacement is what stands in place of a line with a mistake: first a statement
// as far in as the line, so that blocks keep their bodies, and then nothing.
func replacement(line []byte, tried int) []byte {
	text := string(line)
	end := text[len(strings.TrimRight(text, "\r\n")):]
	rest := strings.TrimLeft(text, " \t")
	indent := text[:len(text)-len(rest)]
	if tried > 0 {
		return []byte(end)
	}
	for _, word := range []string{"def ", "if ", "for ", "while ", "elif ", "else"} {
		if strings.HasPrefix(rest, word) {
			return []byte(indent + "if True: pass" + end)
		}
	}
	return []byte(indent + "pass" + end)
}
