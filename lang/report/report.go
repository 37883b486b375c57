// Package report renders the results of a run: as markdown, text for a
// terminal, json, csv, a self-contained html page, or svg charts.
//
// Every renderer works from the exact values of a [lang.Result]; a number is
// rounded once, half up, where it is printed. Folding of long tables happens in
// an exact layer that the renderers share, so a band has the same limits and
// the same chance in all of them.
//
// A result may be rendered from many goroutines at once. A nil result has no
// outputs, as when a recipe could not even be compiled.
package report

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"math/big"
	"slices"
	"strings"

	"dicescript/lang"
)

// A Style chooses how the cells of a table are printed.
type Style string

const (
	// Exact prints true fractions, and marks those that are not.
	Exact Style = "exact"
	// Playground prints tables as the published recipes show them.
	Playground Style = "playground"
)

// Options are what a reader may choose about a rendering. The zero value is a
// good default for each format.
type Options struct {
	Style   Style           // "" is Exact
	AllRows bool            // list every outcome instead of folding long tables
	Width   int             // columns of the terminal, for text; 0 is 80
	Color   bool            // colour text for a terminal
	Title   string          // title of an html page; "" is "dicescript"
	Failure *ErrorInfo      // why the run failed, when it did, see [FailureOf]; json and html show it
	Context context.Context // rendering ends with its error when it is done; nil lasts

	most int // rows of a table before it is folded; 0 is mostRows
}

// An ErrorInfo tells why and where a run failed.
type ErrorInfo struct {
	Kind         string
	Message      string
	File         string
	Line, Column int // 1-based; 0 is unknown
	Backtrace    []Frame
}

// A Frame is one call that was active when a run failed, outermost first.
type Frame struct {
	Function     string
	File         string
	Line, Column int
}

// FailureOf is an error of package lang as reports show it: the first, when there
// are several. It is nil when err is.
func FailureOf(err error) *ErrorInfo {
	all := lang.All(err)
	if len(all) == 0 {
		return nil
	}
	e := all[0]
	info := &ErrorInfo{
		Kind: string(e.Kind), Message: e.Message,
		File: e.Position.File, Line: e.Position.Line, Column: e.Position.Column,
	}
	for _, f := range e.Frames {
		info.Backtrace = append(info.Backtrace, Frame{
			Function: f.Function, File: f.File, Line: f.Line, Column: f.Column,
		})
	}
	return info
}

// A renderer writes whole results and, for documents that show results between
// their paragraphs, a part of the outputs without anything around it.
type renderer struct {
	whole func(io.Writer, *lang.Result, Options) error
	part  func(*bufio.Writer, *sheet, []int) error
}

var renderers = map[string]renderer{
	"text":     {Text, writeText},
	"markdown": {Markdown, writeMarkdown},
	"json":     {JSON, writeJSON},
	"csv":      {CSV, writeCSV},
	"html":     {HTML, writeHTML},
	"svg":      {SVG, writeSVG},
}

// Formats returns the names of all formats, sorted.
func Formats() []string {
	names := make([]string, 0, len(renderers))
	for name := range renderers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Render writes r to w in the named format; see [Formats].
func Render(w io.Writer, format string, r *lang.Result, o Options) error {
	f, err := rendererOf(format, o.Style)
	if err != nil {
		return err
	}
	return f.whole(w, r, o)
}

// Fragment writes only the outputs of r with the given 0-based places, in the
// given order, without a page or envelope around them: for a document that
// shows its results where they arise. What depends on the whole run (the common
// denominator of the playground style, the ids inside html) is as in [Render].
// An html fragment needs [HTMLStyle] once in its page.
func Fragment(w io.Writer, format string, r *lang.Result, places []int, o Options) error {
	f, err := rendererOf(format, o.Style)
	if err != nil {
		return err
	}
	s := newSheet(r, o)
	for _, place := range places {
		if place < 0 || place >= len(s.outputs) {
			return fmt.Errorf("fragment: output %d of %d", place, len(s.outputs))
		}
	}
	return flushed(w, o, func(b *bufio.Writer) error { return f.part(b, s, places) })
}

func rendererOf(format string, style Style) (renderer, error) {
	if style != "" && style != Exact && style != Playground {
		return renderer{}, fmt.Errorf("style: unknown style %q, want %s or %s", style, Exact, Playground)
	}
	f, ok := renderers[format]
	if !ok {
		return f, fmt.Errorf("format: unknown format %q, want one of %s", format, strings.Join(Formats(), ", "))
	}
	return f, nil
}

// flushed runs write on a buffer over w. Failed writes stick to the buffer, so
// write itself may ignore them; where there is much more to write it looks at
// broken.
func flushed(w io.Writer, o Options, write func(*bufio.Writer) error) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case stop:
			err = p.why
		default:
			panic(p)
		}
	}()
	if o.Context != nil {
		w = bounded{o.Context, w}
	}
	b := bufio.NewWriter(w)
	if err := write(b); err != nil {
		return err
	}
	if err := b.Flush(); err != nil {
		return err
	}
	return o.stopped()
}

// bounded writes as long as its context lasts. Then it leaves the rendering by a
// panic, which flushed makes an error: wherever the rendering is, it has nothing
// left to do.
type bounded struct {
	ctx context.Context
	w   io.Writer
}

func (b bounded) Write(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		panic(stop{err})
	}
	return b.w.Write(p)
}

// stop is the panic that ends a rendering whose context is done.
type stop struct{ why error }

// broken reports whether a write to b has failed.
func broken(b *bufio.Writer) bool {
	_, err := b.Write(nil)
	return err != nil
}

// stopped is the error of the context when it is done.
func (o Options) stopped() error {
	if o.Context == nil {
		return nil
	}
	return o.Context.Err()
}

// look ends the rendering when its context is done. What takes long without
// writing looks now and then.
func (o Options) look() {
	if err := o.stopped(); err != nil {
		panic(stop{err})
	}
}

// watched yields what seq does, and looks at the context before each: a row may
// hold numbers of thousands of digits.
func watched[K, V any](o Options, seq iter.Seq2[K, V]) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for k, v := range seq {
			o.look()
			if !yield(k, v) {
				return
			}
		}
	}
}

// A sheet is a result with what its renderings share.
type sheet struct {
	outputs []lang.Output
	o       Options
	heading int      // level of the headings of outputs in html
	common  *big.Int // the one N of the playground style; nil when there is none
}

func newSheet(r *lang.Result, o Options) *sheet {
	s := &sheet{o: o, heading: 2}
	if r == nil {
		return s
	}
	s.outputs = r.Outputs
	if o.Style == Playground {
		s.common = firstDenominator(r.Outputs)
	}
	return s
}

// most is how many rows a table may have before it is folded.
func (s *sheet) most() int {
	if s.o.most > 0 {
		return s.o.most
	}
	return mostRows
}

func (s *sheet) playground() bool { return s.o.Style == Playground }

// all returns the places of all outputs.
func (s *sheet) all() []int {
	places := make([]int, len(s.outputs))
	for i := range places {
		places[i] = i
	}
	return places
}
