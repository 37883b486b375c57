package answer

import (
	"errors"

	"dicescript/lang"
)

// A Mistake is an error as it is shown: with its place in the text, and how it
// was reached.
type Mistake struct {
	Kind    lang.Kind `json:"kind"`
	Message string    `json:"message"`
	File    string    `json:"file,omitempty"`
	Line    int       `json:"line,omitempty"`   // from 1
	Column  int       `json:"column,omitempty"` // from 1, in characters
	Source  string    `json:"source,omitempty"` // the line of text
	Frames  []Frame   `json:"frames,omitempty"` // calls that were active, outermost first
}

// A Frame is one call.
type Frame struct {
	Function string `json:"function,omitempty"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
}

// mistakes are the mistakes of an error of package lang, in the order of the text.
func mistakes(err error) []Mistake {
	all := []Mistake{}
	for _, e := range lang.Errors(err) {
		m := Mistake{
			Kind: e.Kind, Message: e.Message, File: e.Position.File,
			Line: e.Position.Line, Column: e.Position.Column, Source: e.Source,
		}
		for _, f := range e.Frames {
			m.Frames = append(m.Frames, Frame{f.Function, f.File, f.Line, f.Column})
		}
		all = append(all, m)
	}
	return all
}

// mistakeOf is any error.
func mistakeOf(err error) Mistake {
	var e *lang.Error
	if errors.As(err, &e) {
		return mistakes(e)[0]
	}
	return Mistake{Kind: lang.KindInput, Message: err.Error()}
}
