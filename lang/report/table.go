// Tables: what an output says, in printed cells, before any format. Titles and
// labels are already free of control characters here.

package report

import (
	"iter"
	"math/big"
	"strings"

	"dicescript/dist"
	"dicescript/lang"
)

// A table is one output in printed cells. Text has no head and no rows.
type table struct {
	title string
	notes []string // what the caption says behind the title
	head  []string
	rows  iter.Seq[row] // repeatable
	text  string        // of a text output
	kind  tableKind
}

type tableKind uint8

const (
	chances   tableKind = iota // rows of chances that may be drawn as bars
	single                     // one row that is named by the title
	columns                    // rows and columns, all of one sort
	paragraph                  // text
)

// A row is one printed line of a table.
type row struct {
	label   string
	numeric bool // whether the label is a number or a band of numbers
	cells   []string
	share   float64 // the chance, for drawing
}

// separator stands between the parts of a caption.
const separator = " · "

// caption returns the parts of the caption behind the title.
func (t table) caption() string { return strings.Join(t.notes, separator) }

// manyLines reports whether it is a text of several lines. Such a text is
// printed as it is laid out.
func (t table) manyLines() bool { return strings.Contains(t.text, "\n") }

// table prints the output at place.
func (s *sheet) table(place int) table {
	s.o.look()
	t := s.tableOf(s.outputs[place])
	s.o.look()
	rows := t.rows
	t.rows = func(yield func(row) bool) {
		for r := range rows {
			if s.o.look(); !yield(r) {
				return
			}
		}
	}
	return t
}

func (s *sheet) tableOf(out lang.Output) table {
	t := table{title: visible(out.Title), notes: []string{out.Kind()}, rows: noRows}
	switch data := out.Data.(type) {
	case lang.Roll:
		s.fillRoll(&t, data.Dist)
	case lang.Chance:
		s.fillChance(&t, data)
	case lang.Number:
		fillNumber(&t, data)
	case lang.Labeled:
		s.fillLabeled(&t, data)
	case lang.Table:
		s.fillTable(&t, data)
	case lang.Grid:
		fillGrid(&t, data)
	case lang.Comparison:
		s.fillComparison(&t, data)
	case lang.Text:
		t.kind, t.text = paragraph, s.o.visibleLines(data.Text)
	default:
		t.kind = paragraph
	}
	return t
}

func noRows(func(row) bool) {}

func (s *sheet) fillRoll(t *table, d *dist.Dist) {
	if d == nil {
		t.kind = paragraph
		return
	}
	if mean, ok := printedMean(d); ok {
		t.notes = append(t.notes, "mean "+mean)
	}
	p := s.printer(commonDenominator(yieldRat(new(big.Rat).SetFrac(bigOne, d.Total()))))
	t.head = p.head()
	axis := rollSeries(s.o, d)
	t.rows = func(yield func(row) bool) {
		for label, b := range s.bands(axis) {
			x := new(big.Rat).SetFrac(b.weights[0], axis.totals[0])
			if !yield(p.row(label, true, x, d.ErrorBound())) {
				return
			}
		}
	}
}

// printedMean prints the mean of d when it is certain to the last digit.
func printedMean(d *dist.Dist) (string, bool) {
	m, err := d.Moments()
	if err != nil || m.Mean == nil {
		return "", false
	}
	slack := rational(m.MeanError)
	low := fixed(new(big.Rat).Sub(m.Mean, slack), 3)
	high := fixed(new(big.Rat).Add(m.Mean, slack), 3)
	return low, low == high
}

// bands yields the labelled bands of a series as the options ask.
func (s *sheet) bands(axis series) iter.Seq2[string, band] {
	return func(yield func(string, band) bool) {
		if s.o.AllRows || axis.length(s.most()+1) <= s.most() {
			for b := range axis.everyRow {
				if !yield(b.label(0), b) {
					return
				}
			}
			return
		}
		folded := axis.fold(!s.playground(), s.most())
		for i, b := range folded {
			if !yield(b.label(neighbour(folded, i)), b) {
				return
			}
		}
	}
}

// neighbour returns the outcome that the label of an open band i refers to.
func neighbour(bands []band, i int) int {
	switch {
	case bands[i].open == below && i+1 < len(bands):
		return bands[i+1].lo
	case bands[i].open == above && i > 0:
		return bands[i-1].hi
	}
	return 0
}

func (s *sheet) fillChance(t *table, c lang.Chance) {
	t.kind = single
	p := s.printer(commonDenominator(yieldRat(c.Value)))
	t.head = p.head()
	t.rows = oneRow(p.row(t.title, false, c.Value, c.Error))
}

func fillNumber(t *table, n lang.Number) {
	t.kind = single
	t.head = []string{"outcome", "value", "frac"}
	cells := []string{unknown, unknown}
	if n.Value != nil {
		cells = []string{certainNumber(n.Value, n.Error), fraction(n.Value, n.Error)}
	}
	t.rows = oneRow(row{label: t.title, cells: cells})
}

// certainNumber prints x; where its error could change what is printed, it is
// marked.
func certainNumber(x *big.Rat, e float64) string {
	s, slack := number(x), rational(e)
	if slack.Sign() == 0 || number(new(big.Rat).Sub(x, slack)) == s && number(new(big.Rat).Add(x, slack)) == s {
		return s
	}
	return "≈" + s
}

func (s *sheet) fillLabeled(t *table, l lang.Labeled) {
	p := s.printer(commonDenominator(func(yield func(*big.Rat) bool) {
		for _, e := range l.Entries {
			if !yield(e.Value) {
				return
			}
		}
	}))
	t.head = p.head()
	t.rows = func(yield func(row) bool) {
		for e := range s.foldLabels(l.Entries) {
			if !yield(p.row(visible(e.label), e.numeric, e.value, l.Error)) {
				return
			}
		}
	}
}

func (s *sheet) fillTable(t *table, data lang.Table) {
	p := s.printer(commonDenominator(func(yield func(*big.Rat) bool) {
		for _, r := range data.Rows {
			if !yield(r.Value) {
				return
			}
		}
	}))
	t.head = p.head()
	t.rows = func(yield func(row) bool) {
		for _, r := range data.Rows {
			_, numeric := r.Label.Int()
			if !yield(p.row(visible(r.Label.String()), numeric, r.Value, r.Error)) {
				return
			}
		}
	}
}

func fillGrid(t *table, g lang.Grid) {
	t.kind = columns
	if g.Title != "" && g.Title != t.title {
		t.notes = append(t.notes, visible(g.Title))
	}
	t.head = append(t.head, visible(g.Corner))
	for _, c := range g.Cols {
		t.head = append(t.head, visible(c.String()))
	}
	t.rows = func(yield func(row) bool) {
		for i, label := range g.Rows {
			_, numeric := label.Int()
			if !yield(row{label: visible(label.String()), numeric: numeric, cells: gridRow(g, i)}) {
				return
			}
		}
	}
}

func gridRow(g lang.Grid, i int) []string {
	cells := make([]string, len(g.Cols))
	for j := range cells {
		cells[j] = unknown
		if c, ok := cellAt(g, i, j); ok {
			cells[j] = gridCell(c.Value, c.Prob, g.Digits)
		}
	}
	return cells
}

// cellAt returns a cell of g; ok is false where g has none.
func cellAt(g lang.Grid, i, j int) (c lang.Cell, ok bool) {
	if i >= len(g.Cells) || j >= len(g.Cells[i]) || g.Cells[i][j].Value == nil {
		return c, false
	}
	return g.Cells[i][j], true
}

func (s *sheet) fillComparison(t *table, c lang.Comparison) {
	t.kind = columns
	t.head = []string{"outcome"}
	var ds []*dist.Dist
	for _, r := range c.Rolls {
		if r.Dist != nil {
			ds = append(ds, r.Dist)
			t.head = append(t.head, visible(r.Name))
		}
	}
	axis := sharedSeries(s.o, ds)
	t.rows = func(yield func(row) bool) {
		for label, b := range s.bands(axis) {
			r := row{label: label, numeric: true}
			for k, w := range b.weights {
				r.cells = append(r.cells, s.percent(new(big.Rat).SetFrac(w, axis.totals[k]), ds[k].ErrorBound()))
			}
			if !yield(r) {
				return
			}
		}
	}
}

// unknown is printed for a value that is not there.
const unknown = "?"

// A printer prints the cells of chances of one table.
type printer struct {
	s *sheet
	n *big.Int // the N of the column X/N; nil for decimals
}

func (s *sheet) printer(n *big.Int) printer {
	if s.playground() {
		n = s.common
	}
	return printer{s, n}
}

func (p printer) head() []string {
	count := "X"
	if p.n != nil {
		count = "X/" + p.n.String()
	}
	return []string{"outcome", "%", "frac", count}
}

func (p printer) row(label string, numeric bool, x *big.Rat, e float64) row {
	r := row{label: label, numeric: numeric, cells: []string{unknown, unknown, unknown}}
	if x == nil {
		return r
	}
	r.share, _ = x.Float64()
	r.cells = []string{p.s.percent(x, e), p.s.fraction(x, e), counts(x, p.n)}
	return r
}

func (s *sheet) percent(x *big.Rat, e float64) string {
	if s.playground() {
		return playgroundPercent(x)
	}
	return certainPercent(x, e)
}

func (s *sheet) fraction(x *big.Rat, e float64) string {
	if s.playground() {
		return playgroundFraction(x)
	}
	return fraction(x, e)
}

// firstDenominator returns the common denominator of the first output that is
// not a single value and has one small enough, else nil.
func firstDenominator(outputs []lang.Output) *big.Int {
	for _, out := range outputs {
		if n := denominatorOf(out.Data); n != nil {
			return n
		}
	}
	return nil
}

func denominatorOf(data lang.Data) *big.Int {
	switch data := data.(type) {
	case lang.Roll:
		if data.Dist != nil {
			return commonDenominator(yieldRat(new(big.Rat).SetFrac(bigOne, data.Dist.Total())))
		}
	case lang.Labeled:
		return commonDenominator(func(yield func(*big.Rat) bool) {
			for _, e := range data.Entries {
				if !yield(e.Value) {
					return
				}
			}
		})
	case lang.Table:
		return commonDenominator(func(yield func(*big.Rat) bool) {
			for _, r := range data.Rows {
				if !yield(r.Value) {
					return
				}
			}
		})
	}
	return nil
}

func yieldRat(x *big.Rat) iter.Seq[*big.Rat] {
	return func(yield func(*big.Rat) bool) { yield(x) }
}

func oneRow(r row) iter.Seq[row] {
	return func(yield func(row) bool) { yield(r) }
}
