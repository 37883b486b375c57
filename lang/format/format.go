package format

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"dicescript/lang"
	"dicescript/lang/notation"
	dicesyntax "dicescript/lang/syntax"
)

// ErrAnyDice is the error for AnyDice programs, which have no usual style.
var ErrAnyDice = errors.New("this is an AnyDice program, and fmt formats recipes (.star, .dice, .md); it stays as it is")

// Source formats a recipe, a module, or the code in a document. The name says
// which, as for [lang.Host.Compile]. Of a document only the inside of its fences
// of code changes. A text with syntax errors is not formatted: they are the error,
// as one of package lang.
func Source(ctx context.Context, name string, src []byte) ([]byte, error) {
	if strings.HasSuffix(name, ".anydice") {
		return nil, ErrAnyDice
	}
	mark, text := cutMark(src)
	r := recipe{ctx: ctx, name: name, src: text}
	out, err := r.formatted()
	if err != nil {
		return nil, err
	}
	return append(mark, out...), nil
}

// byteOrderMark may stand before a text, and stays there.
const byteOrderMark = "\ufeff"

func cutMark(src []byte) (mark, rest []byte) {
	if rest, ok := bytes.CutPrefix(src, []byte(byteOrderMark)); ok {
		return []byte(byteOrderMark), rest
	}
	return nil, src
}

// recipe is a text that is being formatted.
type recipe struct {
	ctx  context.Context
	name string
	src  []byte
}

func (r recipe) formatted() ([]byte, error) {
	if !utf8.Valid(r.src) || bytes.IndexByte(r.src, 0) >= 0 {
		return nil, r.mistakes([]*notation.Error{{Line: 1, Col: 1, Msg: "this is not a text file in UTF-8"}})
	}
	doc := r.document(r.src)
	program := r.src
	if doc != nil {
		if len(doc.Errors) > 0 {
			return nil, r.mistakes(doc.Errors)
		}
		program = doc.Program
	} else if strings.HasSuffix(r.name, ".md") {
		return r.src, nil // a document without code
	}
	before, err := r.parse(program)
	if err != nil {
		return nil, err
	}
	out, err := r.print(doc)
	if err != nil {
		return nil, err
	}
	return out, r.compare(before, program, out)
}

// document is the text taken apart, nil when it is all code.
func (r recipe) document(src []byte) *notation.Document {
	if strings.HasSuffix(r.name, ".star") {
		return nil
	}
	return notation.Literate(src)
}

func (r recipe) parse(program []byte) (*dicesyntax.Tree, error) {
	tree, mistakes, err := dicesyntax.ParseContext(r.ctx, r.name, program)
	if err != nil {
		return nil, err
	}
	if len(mistakes) > 0 {
		return nil, r.mistakes(mistakes)
	}
	return tree, nil
}

// print formats the code of the text, or of each fence that can be read by itself.
func (r recipe) print(doc *notation.Document) ([]byte, error) {
	if doc == nil {
		out, err := code(r.src)
		return out, r.at(err, 0)
	}
	var out bytes.Buffer
	for _, s := range doc.Segments {
		inside := s.Text
		if s.Kind == notation.ProgramCode {
			if _, mistakes, err := dicesyntax.ParseContext(r.ctx, r.name, []byte(s.Text)); err != nil {
				return nil, err
			} else if len(mistakes) == 0 { // else it goes on with what a fence above has begun
				formatted, err := code([]byte(s.Text))
				if err != nil {
					return nil, r.at(err, s.TextLine()-1)
				}
				inside = string(formatted)
			}
		}
		before, after := around(s)
		out.WriteString(before + inside + after)
	}
	return out.Bytes(), nil
}

// around are the lines of the fence of a segment.
func around(s notation.Segment) (before, after string) {
	if s.Kind == notation.Prose {
		return "", ""
	}
	end := strings.IndexAny(s.Raw, "\r\n") + 1
	if strings.HasPrefix(s.Raw[end-1:], "\r\n") {
		end++
	}
	return s.Raw[:end], s.Raw[end+len(s.Text):]
}

// compare is an error when what has been formatted is not the program it was.
func (r recipe) compare(before *dicesyntax.Tree, program, out []byte) error {
	after := out
	if doc := r.document(out); doc != nil {
		after = doc.Program
	}
	tree, err := r.parse(after)
	if err != nil || !sameMeaning(before, tree) || !sameComments(program, after) {
		return r.mistakes([]*notation.Error{{Line: 1, Col: 1, Msg: "this can't be formatted without changing what it means, and stays as it is"}})
	}
	return nil
}

// mistakes are errors in the text, as package lang has them.
func (r recipe) mistakes(all []*notation.Error) error {
	lines := dicesyntax.NewLines(r.src)
	var list lang.ErrorList
	for _, e := range all {
		message := e.Msg
		if e.Hint != "" {
			message += " (" + e.Hint + ")"
		}
		list = append(list, &lang.Error{
			Kind: lang.KindSyntax, Message: message,
			Position: lang.Position{File: r.name, Line: e.Line, Column: e.Col}, Source: lines.Line(e.Line),
		})
	}
	return list
}

// at is an error about a piece of the text, whose lines begin below others.
func (r recipe) at(err error, above int) error {
	var e *notation.Error
	if errors.As(err, &e) {
		moved := *e
		moved.Line += above
		return r.mistakes([]*notation.Error{&moved})
	}
	return err
}
