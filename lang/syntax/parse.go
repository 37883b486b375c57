package syntax

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"dicescript/lang/notation"

	"go.starlark.net/syntax"
)

// This file reads a recipe into a syntax tree, and, when that fails, reads
// its top-level statements one by one to report the mistake in each.

// A Tree is a recipe that has been read.
type Tree struct {
	File     *syntax.File
	Literals []notation.Literal
}

// FileOptions is the dialect: sets, while, statements at top level that
// reassign globals, and recursion.
func FileOptions() *syntax.FileOptions {
	return &syntax.FileOptions{
		Set: true, While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true,
	}
}

// Parse reads a recipe. The tree is nil when there are diagnostics: at most
// one of grammar for each top-level statement, and every mistake in a literal.
// A byte order mark at the start is ignored.
func Parse(name string, src []byte) (*Tree, []*notation.Error) {
	tree, ds, _ := ParseContext(context.Background(), name, src)
	return tree, ds
}

// ParseContext is [Parse] that ends with the error of its context when that is
// done. It looks at it between the passes over the text, each of which takes up
// to some hundredths of a second for the longest recipes.
func ParseContext(ctx context.Context, name string, src []byte) (*Tree, []*notation.Error, error) {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	return ParseTokens(ctx, name, src, notation.Tokens(src))
}

// ParseTokens is [ParseContext] of a recipe without a byte order mark, whose tokens
// are known.
func ParseTokens(ctx context.Context, name string, src []byte, tokens []notation.Token) (*Tree, []*notation.Error, error) {
	bare, tokens := withoutAnnotations(src, tokens)
	scanned := notation.ScanTokens(bare, tokens)
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	file, ds := readTree(ctx, name, scanned)
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if len(ds) > 0 {
		return nil, SortErrors(translated(src, ds)), nil
	}
	if d := withRanges(file, scanned.Dots); d != nil {
		return nil, []*notation.Error{d}, nil
	}
	if d := tooDeep(file, len(tokens)); d != nil {
		return nil, []*notation.Error{d}, nil
	}
	if d := tooWide(file, len(tokens)); d != nil {
		return nil, []*notation.Error{d}, nil
	}
	return &Tree{file, scanned.Literals}, nil, ctx.Err()
}

// readTree has Starlark's parser read a recipe, or finds all that is wrong with it.
func readTree(ctx context.Context, name string, scanned *notation.Scanned) (*syntax.File, []*notation.Error) {
	text := scanned.Source()
	file, err := FileOptions().Parse(name, text, 0)
	ds := scanned.Errors
	if err != nil {
		ds = append(ds, recoverErrors(ctx, name, text, err, scanned.Errors)...)
	}
	return file, ds
}

// recoverErrors reads every top-level statement on its own and returns the
// errors, or, if all can be read alone, the error of the whole. An error on a line
// on which a literal was already found wrong is left out: it is mostly the
// same mistake. What it returns is not all when the context is done.
func recoverErrors(ctx context.Context, name string, text []byte, whole error, literals []*notation.Error) []*notation.Error {
	var ds []*notation.Error
	for _, c := range chunks(text) {
		if ctx.Err() != nil {
			return nil
		}
		if _, err := parseChunk(name, text, c); err != nil {
			ds = append(ds, fromSyntax(err, text, c))
		}
	}
	if len(ds) == 0 {
		ds = append(ds, fromSyntax(whole, text, chunk{0, len(text), 1}))
	}
	wrong := map[int]bool{}
	for _, e := range literals {
		wrong[e.Line] = true
	}
	var out []*notation.Error
	for _, d := range ds {
		if !wrong[d.Line] {
			out = append(out, d)
		}
	}
	return out
}

func parseChunk(name string, text []byte, c chunk) (*syntax.File, error) {
	return FileOptions().Parse(name, syntax.FilePortion{
		Content: text[c.start:c.end], FirstLine: int32(c.line), FirstCol: 1,
	}, 0)
}

// fromSyntax is the diagnostic of an error of the Starlark parser in a chunk.
func fromSyntax(err error, text []byte, c chunk) *notation.Error {
	var e syntax.Error
	if !errors.As(err, &e) {
		return &notation.Error{Line: 1, Col: 1, Msg: err.Error()}
	}
	at := place{int(e.Pos.Line), int(e.Pos.Col)}
	tokens := c.tokens(text)
	if bracket := leftOpen(tokens); bracket != nil && !at.before(endPlace(text[c.start:], tokens[len(tokens)-1])) {
		return &notation.Error{Line: bracket.Line, Col: bracket.Col,
			Msg: "this " + string(text[c.start+bracket.Start]) + " is never closed"}
	}
	if pointsBehind(e.Msg) {
		at = startOfTokenEnding(text[c.start:], tokens, at)
	}
	d := &notation.Error{Line: at.line, Col: at.col}
	d.Msg, d.Hint = syntaxMessage(e.Msg)
	d.Fixes = hinted(text[c.start:], tokens, d)
	return d
}

// hinted is what the hint of a mistake says to write, among the tokens of the text that
// it is in.
func hinted(text []byte, tokens []notation.Token, d *notation.Error) []notation.Fix {
	var last *notation.Token // of the line, so far
	for i, t := range tokens {
		if t.Line != d.Line || t.Kind == notation.NewlineToken || t.Kind == notation.CommentToken {
			continue
		}
		last = &tokens[i]
		if d.Hint == equality && t.Col == d.Col && (string(text[t.Start:t.End]) == "is" || strings.HasPrefix(d.Msg, "expected a colon")) {
			return notation.FixOver(text, t, t, "==")
		}
	}
	if d.Hint == endsInColon && last != nil {
		end := last.Col + utf8.RuneCount(text[last.Start:last.End])
		return []notation.Fix{{Line: d.Line, Col: end, EndCol: end, Text: ":"}}
	}
	return nil
}
