package report

import (
	"bufio"
	"context"
	"fmt"
	"io"
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

// Fractions chooses how machines get exact values beside the floats.
type Fractions string

const (
	// ExactFractions gives each value as a fraction in lowest terms.
	ExactFractions Fractions = "exact"
	// Weights gives the outcomes of a distribution as weights over one total,
	// which takes a fraction of the time when they are long. In csv there is no
	// column for them.
	Weights Fractions = "weights"
	// NoFractions gives floats only.
	NoFractions Fractions = "none"
)

// Show chooses which chances the rows of a distribution give.
type Show string

const (
	// Exactly gives the chance of each row.
	Exactly Show = "exactly"
	// AtLeast gives the chance of each row or any that comes after it.
	AtLeast Show = "at-least"
	// AtMost gives the chance of each row or any that comes before it.
	AtMost Show = "at-most"
	// AllChances gives the three side by side.
	AllChances Show = "all"
)

// Options are what a reader may choose about a rendering. The zero value is a
// good default for each format.
type Options struct {
	Style   Style  // "" is Exact
	Show    Show   // "" is Exactly; outcomes without an order have no other
	AllRows bool   // list every outcome instead of folding long tables
	Width   int    // columns of the terminal, for text; 0 is 80
	Color   bool   // colour text for a terminal
	Title   string // title of an html page; "" is "dicescript"
	Failure error  // of the run, when it failed: html shows the first of its [lang.Errors], json all
	Limit   int64  // bytes of the rendering; 0 is DefaultLimit, lang.Unlimited any number. See [LimitError]

	// Fractions chooses how json and csv give exact values; "" is ExactFractions.
	Fractions Fractions

	ctx  context.Context // of the rendering, which ends with its error
	most int             // rows of a table before it is folded; 0 is mostRows
}

// failures are the errors of package lang that Failure consists of, none when nothing has
// failed.
func (o Options) failures() []*lang.Error { return lang.Errors(o.Failure) }

// A renderer writes whole results and, for documents that show results between
// their paragraphs, a part of the outputs without anything around it.
type renderer struct {
	whole func(io.Writer, *lang.Result, Options) error
	part  func(*bufio.Writer, *sheet, []int) error
}

var renderers = map[string]renderer{
	"text":     {renderText, writeText},
	"markdown": {renderMarkdown, writeMarkdown},
	"json":     {renderJSON, writeJSON},
	"csv":      {renderCSV, writeCSV},
	"html":     {renderHTML, writeHTML},
	"svg":      {renderSVG, writeSVG},
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

// Render writes r to w in the named format; see [Formats]. It ends with the error
// of its context when that is done, as all that renders does, or with a
// [LimitError].
func Render(ctx context.Context, w io.Writer, format string, r *lang.Result, o Options) error {
	o.ctx = ctx
	f, err := rendererOf(format, o)
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
func Fragment(ctx context.Context, w io.Writer, format string, r *lang.Result, places []int, o Options) error {
	o.ctx = ctx
	f, err := rendererOf(format, o)
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

func rendererOf(format string, o Options) (renderer, error) {
	switch o.Style {
	case "", Exact, Playground:
	default:
		return renderer{}, fmt.Errorf("style: unknown style %q, want %s or %s", o.Style, Exact, Playground)
	}
	switch o.Show {
	case "", Exactly, AtLeast, AtMost, AllChances:
	default:
		return renderer{}, fmt.Errorf("show: got %q, want %s, %s, %s or %s", o.Show, Exactly, AtLeast, AtMost, AllChances)
	}
	switch o.Fractions {
	case "", ExactFractions, Weights, NoFractions:
	default:
		return renderer{}, fmt.Errorf("fractions: got %q, want %s, %s or %s", o.Fractions, ExactFractions, Weights, NoFractions)
	}
	f, ok := renderers[format]
	if !ok {
		return f, fmt.Errorf("format: unknown format %q, want one of %s", format, strings.Join(Formats(), ", "))
	}
	return f, nil
}

// exact reports whether values are given as fractions in lowest terms.
func (o Options) exact() bool { return o.Fractions == "" || o.Fractions == ExactFractions }

// A sheet is a result with what its renderings share.
type sheet struct {
	outputs []lang.Output
	notes   []string
	o       Options
	heading int      // level of the headings of outputs in html
	common  *big.Int // the one N of the playground style; nil when there is none
	fitted  bool     // columns that the window has no room for are left out
}

func newSheet(r *lang.Result, o Options) *sheet {
	s := &sheet{o: o, heading: 2}
	if r == nil {
		return s
	}
	s.outputs, s.notes = r.Outputs, r.Notes
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
