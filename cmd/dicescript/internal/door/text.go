package door

import (
	"bytes"
	"context"
	"strings"

	"dicescript/cmd/dicescript/internal/reference"
	"dicescript/lang"
	"dicescript/lang/assist"
)

// What is asked about a source while it is written, and about the language.

// CheckParams are those of check.
type CheckParams struct {
	CompileParams
}

// Checked is what is wrong with a source, or likely to be.
type Checked struct {
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// A Diagnostic is one mistake, or likely mistake.
type Diagnostic struct {
	Severity string    `json:"severity" jsonschema:"error, or warning when the source runs all the same"`
	Kind     lang.Kind `json:"kind,omitempty" jsonschema:"of an error: syntax, name, module, limit or deadline"`
	Message  string    `json:"message"`
	Range    Range     `json:"range"`
	Fixes    []Fix     `json:"fixes,omitempty" jsonschema:"what may be written instead, the likeliest first"`
}

// A Range is a place in a source, without its end.
type Range struct {
	Line      int `json:"line" jsonschema:"from 1"`
	Column    int `json:"column" jsonschema:"from 1, in characters"`
	EndLine   int `json:"end_line"`
	EndColumn int `json:"end_column" jsonschema:"the column after the last one"`
}

// A Fix is a text in place of another one.
type Fix struct {
	Range Range  `json:"range"`
	Text  string `json:"text"`
}

func rangeOf(r assist.Range) Range {
	return Range{r.Start.Line, r.Start.Column, r.End.Line, r.End.Column}
}

// Check reports what is wrong with a source, without running it.
func (e *Engine) Check(ctx context.Context, p CheckParams) (*Checked, error) {
	ctx, cancel, err := e.context(ctx, p.Timeout)
	if err != nil {
		return nil, err
	}
	defer cancel()
	c := &Checked{Diagnostics: []Diagnostic{}}
	for _, d := range assist.New(e.host).Analyze(ctx, p.name(), []byte(p.Source)).Diagnostics(ctx) {
		found := Diagnostic{Severity: "error", Kind: d.Kind, Message: strings.TrimSpace(d.Message), Range: rangeOf(d.Range)}
		if d.IsWarning() {
			found.Severity = "warning"
		}
		for _, edit := range d.Fixes {
			found.Fixes = append(found.Fixes, Fix{rangeOf(edit.Range), edit.Text})
		}
		c.Diagnostics = append(c.Diagnostics, found)
	}
	return c, nil
}

// CompleteParams are those of complete.
type CompleteParams struct {
	CompileParams
	Line   int `json:"line" jsonschema:"of the cursor, from 1"`
	Column int `json:"column" jsonschema:"of the cursor, from 1, in characters: the one that the next character would have"`
}

// A Completion is what may stand at a place.
type Completion struct {
	Range Range  `json:"range" jsonschema:"the word that an item takes the place of, or nothing"`
	Items []Item `json:"items"`
}

// An Item is one way to go on.
type Item struct {
	Text   string      `json:"text"`
	Kind   assist.Kind `json:"kind"`
	Detail string      `json:"detail,omitempty" jsonschema:"how it is called, or where it comes from"`
	Doc    string      `json:"doc,omitempty"`
}

// Complete reports what may stand at a place of a source.
func (e *Engine) Complete(ctx context.Context, p CompleteParams) (*Completion, error) {
	if p.Line < 1 || p.Column < 1 {
		return nil, invalid("complete: got line %d, column %d, want both from 1", p.Line, p.Column)
	}
	ctx, cancel, err := e.context(ctx, p.Timeout)
	if err != nil {
		return nil, err
	}
	defer cancel()
	at := lang.Position{File: p.name(), Line: p.Line, Column: p.Column}
	found := assist.New(e.host).Analyze(ctx, p.name(), []byte(p.Source)).Complete(at)
	c := &Completion{Range: rangeOf(found.Range), Items: []Item{}}
	if len(found.Items) == 0 {
		c.Range = rangeOf(assist.Range{Start: at, End: at})
	}
	for _, i := range found.Items {
		c.Items = append(c.Items, Item{i.Text, i.Kind, i.Detail, i.Doc})
	}
	return c, nil
}

// DocParams are those of doc.
type DocParams struct {
	Name string `json:"name,omitempty" jsonschema:"a function, a method, a type with a dot, a module such as coc7.star, notation, or a word to look for; empty is the index"`
}

// A Documentation is what the reference says about a name.
type Documentation struct {
	Text  string   `json:"text"`
	Error *Failure `json:"error,omitempty" jsonschema:"when there is nothing of that name"`
}

// Doc looks a name up in the reference.
func (e *Engine) Doc(_ context.Context, p DocParams) (*Documentation, error) {
	var b bytes.Buffer
	var err error
	if p.Name == "" {
		err = reference.Layout{}.Index(&b)
	} else {
		err = reference.Layout{}.Entry(&b, p.Name)
	}
	if err != nil {
		return &Documentation{Error: &Failure{Kind: lang.KindName, Message: err.Error(), Backtrace: []Frame{}}}, nil
	}
	return &Documentation{Text: b.String()}, nil
}
