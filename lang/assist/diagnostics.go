package assist

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"dicescript/lang"
	"dicescript/lang/assist/lint"
	"dicescript/lang/internal/advice"
	"dicescript/lang/notation"
)

// A Diagnostic is something wrong with a text, or likely to be.
type Diagnostic struct {
	Range   Range
	Kind    lang.Kind // of an error; "" for a warning
	Message string
	Fixes   []Edit // what may be written instead, the likeliest first
}

// IsWarning reports whether the text compiles all the same.
func (d Diagnostic) IsWarning() bool { return d.Kind == "" }

// Diagnostics compiles the text and returns its errors, or, when there are none,
// what is likely a mistake. An error in a module stands at the load statement
// that names it. Of an input of a session there are none: it is for the session
// to say.
func (d *Document) Diagnostics(ctx context.Context) []Diagnostic {
	if d.input {
		return nil
	}
	return d.DiagnosticsOf(d.host.Compile(ctx, d.name, d.src))
}

// DiagnosticsOf is [Document.Diagnostics] of a text that has been compiled: under the
// name that it was analysed under, for the same host.
func (d *Document) DiagnosticsOf(program *lang.Program, err error) []Diagnostic {
	var found []Diagnostic
	for _, e := range lang.Errors(err) {
		found = append(found, d.diagnosticOf(e))
	}
	if err != nil || strings.HasSuffix(d.name, ".anydice") {
		return found
	}
	if d.whole == nil {
		return found
	}
	for _, w := range lint.CheckTree(d.whole) {
		found = append(found, Diagnostic{Range: d.wordAt(d.at(w.Line, w.Col)), Message: w.Message})
	}
	for _, a := range advice.Of(d.whole.File, &d.lines).Certain() {
		w := Diagnostic{Range: d.wordAt(d.at(a.Line, a.Col)), Message: "a chance is not yes or no; " + a.Text}
		for _, f := range a.Fixes {
			w.Fixes = append(w.Fixes, Edit{Range{d.at(f.Line, f.Col), d.at(f.Line, f.EndCol)}, f.Text})
		}
		found = append(found, w)
	}
	for _, n := range program.Notes() {
		found = append(found, Diagnostic{Range: d.wordAt(n.Position), Message: n.Message})
	}
	slices.SortStableFunc(found, func(a, b Diagnostic) int {
		return cmp.Or(a.Range.Start.Line-b.Range.Start.Line, a.Range.Start.Column-b.Range.Start.Column)
	})
	return found
}

func (d *Document) diagnosticOf(e *lang.Error) Diagnostic {
	found := Diagnostic{Kind: e.Kind, Message: e.Message}
	switch {
	case e.Position.Line == 0:
		found.Range = d.wordAt(d.at(1, 1))
	case e.Position.File != d.name:
		at := e.Position
		at.File = strings.TrimPrefix(at.File, path.Dir(d.name)+"/")
		found.Message = at.String() + ": " + e.Message
		found.Range = d.loadOf(e.Position.File)
	default:
		found.Range = d.wordAt(e.Position)
		for _, f := range e.Fixes {
			found.Fixes = append(found.Fixes, Edit{Range{d.at(f.Line, f.Column), d.at(f.Line, f.EndColumn)}, f.Text})
		}
	}
	return found
}

// wordAt is the token that begins at a place, the inside of the text there, or the
// rune.
func (d *Document) wordAt(pos lang.Position) Range {
	for _, t := range d.tokens[d.tokensFrom(pos.Line):d.tokensFrom(pos.Line+1)] {
		if t.Kind == notation.StringToken && !t.Unclosed && t.Line == pos.Line && t.Col+1 == pos.Column {
			if end := d.endOf(t); end.Line == pos.Line {
				end.Column--
				return Range{pos, end}
			}
		}
		if t.Line == pos.Line && t.Col == pos.Column && !strings.ContainsAny(d.text(t), "\r\n") {
			return d.rangeOf(t)
		}
	}
	end := pos
	end.Column++
	return Range{pos, end}
}

// loadOf is where a file is loaded, directly or by a module of it.
func (d *Document) loadOf(file string) Range {
	found := d.wordAt(d.at(1, 1))
	for i := range d.tokens {
		if !d.isLoad(i) || i+2 >= len(d.tokens) {
			continue
		}
		name, ok := unquoted(d.text(d.tokens[i+2]))
		if ok && strings.HasSuffix(file, strings.TrimPrefix(name, "./")) {
			return d.rangeOf(d.tokens[i+2])
		}
	}
	return found
}
