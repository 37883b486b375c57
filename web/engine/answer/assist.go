package answer

import (
	"context"
	"slices"
	"strings"
	"unicode/utf16"

	"dicescript/lang"
	"dicescript/lang/assist"
)

// This file is what an editor asks while a text is being written: what may stand
// here, what does this mean, how is it called, what is wrong. Package assist knows
// the answers; here places are turned into those of JavaScript.

// An AssistArgs is a place in a text.
type AssistArgs struct {
	Recipe
	Offset int `json:"offset"` // in UTF-16 units, as JavaScript counts
}

// A Completion is what may be written.
type Completion struct {
	From    int      `json:"from"` // where what it replaces begins, in UTF-16 units
	Options []Option `json:"options"`
}

// An Option is one way for a text to go on.
type Option struct {
	Label  string `json:"label"`
	Type   string `json:"type"` // "function", "method", "property", "variable", "parameter", "keyword", "module", "label"
	Detail string `json:"detail,omitempty"`
	Doc    string `json:"doc,omitempty"`
}

// A Hover explains what is at a place: a function by its documentation, anything
// else by a text.
type Hover struct {
	From  int        `json:"from"` // in UTF-16 units
	To    int        `json:"to"`
	Docs  []lang.Doc `json:"docs"`
	Text  string     `json:"text,omitempty"`
	Chart string     `json:"chart,omitempty"` // the chances of dice, as text in lines
}

// A Signature says how the function is called whose arguments are being written.
type Signature struct {
	Text       string      `json:"text"`
	Doc        string      `json:"doc,omitempty"`
	Parameters []Parameter `json:"parameters"`
	Active     int         `json:"active"` // the parameter at the place, -1 for none
}

// A Parameter is one of a function.
type Parameter struct {
	Text string `json:"text"`
	Doc  string `json:"doc,omitempty"`
}

// A Remark is something wrong with a text, or likely to be.
type Remark struct {
	From    int    `json:"from"` // in UTF-16 units
	To      int    `json:"to"`
	Warning bool   `json:"warning"` // the text runs all the same
	Message string `json:"message"`
	// Fixes are what may be meant instead, the likeliest first.
	Fixes []Replacement `json:"fixes,omitempty"`
}

// A Replacement puts a text in the place of another one.
type Replacement struct {
	From int    `json:"from"` // in UTF-16 units
	To   int    `json:"to"`
	Text string `json:"text"`
}

// A sheet is a text that has been read, with the places of its lines.
type sheet struct {
	*assist.Document
	lines []int // where each line begins, in UTF-16 units
}

// read reads a text.
func (e *Engine) read(ctx context.Context, r Recipe) (*sheet, error) {
	host, err := e.host(r, nil)
	if err != nil {
		return nil, err
	}
	s := &sheet{Document: assist.New(host).Analyze(ctx, r.Name, []byte(r.Text)), lines: []int{0}}
	at := 0
	for _, c := range r.Text {
		at += utf16.RuneLen(c)
		if c == '\n' {
			s.lines = append(s.lines, at)
		}
	}
	return s, nil
}

// position is the place at an offset.
func (s *sheet) position(offset int) lang.Position {
	line, found := slices.BinarySearch(s.lines, max(offset, 0))
	if !found {
		line--
	}
	return s.FromUTF16(line, max(offset, 0)-s.lines[line])
}

// offset is the offset of a place.
func (s *sheet) offset(p lang.Position) int {
	line, character := s.UTF16(p)
	return s.lines[min(line, len(s.lines)-1)] + character
}

// complete lists what may stand at a place.
func (e *Engine) complete(ctx context.Context, args AssistArgs) (*Completion, error) {
	s, err := e.read(ctx, args.Recipe)
	if err != nil {
		return nil, err
	}
	found := s.Complete(s.position(args.Offset))
	c := &Completion{From: args.Offset, Options: []Option{}}
	if len(found.Items) > 0 {
		c.From = s.offset(found.Range.Start)
	}
	for _, item := range found.Items {
		c.Options = append(c.Options, Option{item.Text, optionType(item.Kind), item.Detail, item.Doc})
	}
	return c, nil
}

// optionType is the word that editors in JavaScript use for a kind.
func optionType(k assist.Kind) string {
	if k == assist.AttributeKind {
		return "property"
	}
	return string(k)
}

// hover explains what is at a place. It is nil where there is nothing to explain.
func (e *Engine) hover(ctx context.Context, args AssistArgs) (*Hover, error) {
	s, err := e.read(ctx, args.Recipe)
	if err != nil {
		return nil, err
	}
	ctx, cancel := e.deadline(ctx, hoverTimeout)
	defer cancel()
	h, ok := s.Hover(ctx, s.position(args.Offset))
	if !ok {
		return nil, nil
	}
	return &Hover{
		From: s.offset(h.Range.Start), To: s.offset(h.Range.End),
		Docs: inWords(h.Docs), Text: h.Text, Chart: h.Chart,
	}, nil
}

// inWords are descriptions whose texts say what is an error too.
func inWords(docs []lang.Doc) []lang.Doc {
	said := make([]lang.Doc, len(docs))
	for i, d := range docs {
		d.Text, d.Errors = d.Words(), ""
		said[i] = d
	}
	return said
}

// hoverTimeout is the time to compute the dice under a pointer, in milliseconds.
const hoverTimeout = 200

// signature says how the call around a place is written. It is nil where there is
// none.
func (e *Engine) signature(ctx context.Context, args AssistArgs) (*Signature, error) {
	s, err := e.read(ctx, args.Recipe)
	if err != nil {
		return nil, err
	}
	found, ok := s.Signature(s.position(args.Offset))
	if !ok {
		return nil, nil
	}
	signature := &Signature{Text: found.Text, Doc: found.Doc, Parameters: []Parameter{}, Active: found.Active}
	for _, p := range found.Parameters {
		signature.Parameters = append(signature.Parameters, Parameter{p.Text, p.Doc})
	}
	return signature, nil
}

// remarks reports what is wrong with a text, or likely to be, without running it.
func (e *Engine) remarks(ctx context.Context, r Recipe) ([]Remark, error) {
	s, err := e.read(ctx, r)
	if err != nil {
		return nil, err
	}
	all := []Remark{}
	for _, d := range s.Diagnostics(ctx) {
		if d.Range.Start.File != "" && d.Range.Start.File != r.Name {
			continue
		}
		remark := Remark{
			From: s.offset(d.Range.Start), To: s.offset(d.Range.End),
			Warning: d.IsWarning(), Message: strings.TrimSpace(d.Message),
		}
		for _, edit := range d.Fixes {
			remark.Fixes = append(remark.Fixes, Replacement{s.offset(edit.Range.Start), s.offset(edit.Range.End), edit.Text})
		}
		all = append(all, remark)
	}
	return all, nil
}
