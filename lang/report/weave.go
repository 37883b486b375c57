// Weaving: a literate document with the results of its run set in where they
// were recorded, as a page or as markdown.

package report

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"dicescript/lang"
	"dicescript/lang/notation"
)

// Weave writes the literate document src, which r is a run of, as html or
// markdown. Every program is followed by the outputs that it recorded, in the
// place of the printed result that the document had for it, if it had one.
func Weave(ctx context.Context, w io.Writer, format string, src []byte, r *lang.Result, o Options) error {
	o.ctx = ctx
	if _, err := rendererOf(format, o); err != nil {
		return err
	}
	document := notation.Literate(src)
	if document == nil {
		return errors.New("weave: the document has no programs")
	}
	v := newWeave(document, r, o)
	switch format {
	case "html":
		return flushed(w, o, v.html)
	case "markdown":
		return flushed(w, o, v.markdown)
	}
	return fmt.Errorf("weave: a document can be woven as html or markdown, not as %s", format)
}

// A weave is a document in its pieces, and what comes after each of them.
type weave struct {
	*sheet
	pieces  []piece
	failure bool // whether a piece has it
	rest    []int
}

// A piece is prose, a program, or the place of results.
type piece struct {
	prose   string // of one or several segments
	program *notation.Segment
	results *findings
}

// findings are what a program gave.
type findings struct {
	inputs []lang.ParamValue
	places []int // of outputs
	failed bool
}

func newWeave(document *notation.Document, r *lang.Result, o Options) *weave {
	v := &weave{sheet: newSheet(r, o)}
	of := map[int]*findings{} // of program segments
	later := map[int]bool{}   // programs whose results stand further down
	for i, s := range document.Segments {
		if s.Kind == notation.ProgramCode {
			of[i] = &findings{}
		}
		if s.Kind == notation.ResultText && s.Of >= 0 {
			later[s.Of] = true
		}
	}
	v.assign(document.Segments, of, r)
	for i, s := range document.Segments {
		switch s.Kind {
		case notation.ProgramCode:
			v.pieces = append(v.pieces, piece{program: &document.Segments[i]})
			if !later[i] {
				v.pieces = append(v.pieces, piece{results: of[i]})
			}
		case notation.ResultText:
			if s.Of >= 0 {
				v.pieces = append(v.pieces, piece{results: of[s.Of]})
			}
		default:
			if n := len(v.pieces); n > 0 && v.pieces[n-1].program == nil && v.pieces[n-1].results == nil {
				v.pieces[n-1].prose += s.Raw
			} else {
				v.pieces = append(v.pieces, piece{prose: s.Raw})
			}
		}
	}
	return v
}

// assign gives every program what it found. What has no place in the document
// comes at its end.
func (v *weave) assign(segments []notation.Segment, of map[int]*findings, r *lang.Result) {
	at := func(line int) *findings {
		for i := len(segments) - 1; i >= 0; i-- {
			if segments[i].Line <= line {
				return of[i]
			}
		}
		return nil
	}
	if r != nil {
		for _, p := range r.Params {
			if f := at(p.Line); f != nil {
				f.inputs = append(f.inputs, p)
			}
		}
	}
	for place, out := range v.outputs {
		if f := at(out.Line); f != nil {
			f.places = append(f.places, place)
		} else {
			v.rest = append(v.rest, place)
		}
	}
	if all := v.o.failures(); len(all) > 0 {
		if f := at(recipeLine(all[0])); f != nil {
			f.failed, v.failure = true, true
		}
	}
}

// recipeLine is the line of the recipe's top-level code that failed.
func recipeLine(e *lang.Error) int {
	if len(e.Frames) > 0 {
		return e.Frames[0].Line
	}
	return e.Position.Line
}

func (v *weave) markdown(b *bufio.Writer) error {
	p := paragraphs{b: b, blank: true}
	for _, piece := range v.pieces {
		switch {
		case piece.results != nil:
			if err := v.markdownResults(&p, piece.results); err != nil {
				return err
			}
		case piece.program != nil:
			p.raw(piece.program.Raw)
		default:
			p.raw(piece.prose)
		}
	}
	return v.markdownResults(&p, &findings{places: v.rest, failed: v.o.Failure != nil && !v.failure})
}

// paragraphs keeps blank lines between the document and what is set into it.
type paragraphs struct {
	b     *bufio.Writer
	blank bool // whether the last line is, or there is none
	own   bool // whether the last line is not of the document
}

// raw writes a part of the document as it is.
func (p *paragraphs) raw(text string) {
	if text == "" {
		return
	}
	if p.own && text[0] != '\n' && text[0] != '\r' {
		p.b.WriteByte('\n')
	}
	p.b.WriteString(text)
	if !strings.HasSuffix(text, "\n") {
		p.b.WriteByte('\n')
	}
	p.own = false
	p.blank = strings.HasSuffix(text, "\n\n") || strings.HasSuffix(text, "\n\r\n")
}

// begin begins a paragraph of its own.
func (p *paragraphs) begin() {
	if !p.blank {
		p.b.WriteByte('\n')
	}
	p.blank, p.own = false, true
}

func (v *weave) markdownResults(p *paragraphs, f *findings) error {
	if len(f.inputs) > 0 {
		p.begin()
		texts := make([]string, len(f.inputs))
		for i, input := range f.inputs {
			texts[i] = markdownText(inputText(input))
		}
		p.b.WriteString("Inputs: " + strings.Join(texts, ", ") + "\n")
	}
	if len(f.places) > 0 {
		p.begin()
		if err := writeMarkdown(p.b, v.sheet, f.places); err != nil {
			return err
		}
	}
	if f.failed {
		p.begin()
		p.b.WriteString("> " + markdownLine(failureText(v.o.failures()[0])) + "\n")
	}
	return nil
}

// html writes the document as a page. Its own first heading is the title.
func (v *weave) html(b *bufio.Writer) error {
	prose, stretches := v.readProse()
	title := documentTitle(stretches)
	heading := title == ""
	if heading {
		title = v.pageTitle()
	}
	openPage(b, title, proseStyle+codeStyle)
	if heading {
		fmt.Fprintf(b, "<h1>%s</h1>\n", htmlText(title))
	}
	level := 1 // of the last heading
	for i, p := range v.pieces {
		switch {
		case p.results != nil:
			v.heading = min(level+1, 6)
			if err := v.htmlResults(b, p.results); err != nil {
				return err
			}
		case p.program != nil:
			fmt.Fprintf(b, codeElement, highlighted(visibleCode(p.program.Text)))
		default:
			if err := prose.write(b, stretches[i]); err != nil {
				return err
			}
			for h := range stretches[i].headings {
				level = h.Level
			}
		}
	}
	err := v.htmlResults(b, &findings{places: v.rest, failed: v.o.Failure != nil && !v.failure})
	closePage(b)
	return err
}

// readProse takes the prose of the document apart; the stretches stand at the
// places of their pieces.
func (v *weave) readProse() (*prose, []stretch) {
	texts := make([]string, len(v.pieces))
	for i, p := range v.pieces {
		texts[i] = p.prose
	}
	prose := newProse(v.o, texts)
	stretches := make([]stretch, len(texts))
	for i, text := range texts {
		if text != "" {
			stretches[i] = prose.read(text)
		}
	}
	return prose, stretches
}

// documentTitle is the text of the first heading of level 1, or of the first one.
func documentTitle(stretches []stretch) string {
	first := ""
	for _, s := range stretches {
		for h := range s.headings {
			if h.Level == 1 {
				return plain(h, s.source)
			}
			if first == "" {
				first = plain(h, s.source)
			}
		}
	}
	return first
}

func (v *weave) htmlResults(b *bufio.Writer, f *findings) error {
	writeInputs(b, f.inputs)
	if err := writeHTML(b, v.sheet, f.places); err != nil {
		return err
	}
	if f.failed {
		writeHTMLFailure(b, v.o.failures()[0])
	}
	return nil
}
