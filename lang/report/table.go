// Tables: what an output says, in printed cells, before any format. Titles and
// labels are already free of control characters here.

package report

import (
	"context"
	"iter"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"

	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/internal/numeral"
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
	share   float64 // the height of its bar: the chance, of several outcomes their mean chance
	each    string  // that mean as the bar's label, for a row of several outcomes
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
		s.fillRoll(&t, data)
	case lang.Prob:
		s.fillChance(&t, data)
	case lang.Number:
		fillNumber(&t, data)
	case lang.Outcomes:
		if g, pairs := s.pairs(data); pairs {
			fillGrid(&t, g)
			break
		}
		s.fillLabeled(&t, data)
	case lang.ProbTable:
		s.fillTable(&t, data)
	case lang.Grid:
		fillGrid(&t, data)
	case lang.Comparison:
		s.fillComparison(&t, data)
	case lang.Plan:
		s.fillPlan(&t, data)
	case lang.Text:
		t.kind, t.text = paragraph, s.o.visibleLines(data.Text)
	default:
		t.kind = paragraph
	}
	return t
}

func noRows(func(row) bool) {}

func (s *sheet) fillRoll(t *table, r lang.Roll) {
	d := r.Dist
	if d == nil {
		t.kind, t.text = paragraph, "empty"
		return
	}
	t.notes = append(t.notes, s.summary(d)...)
	if r.ExtraRolls > 0 && !s.playground() {
		t.notes = append(t.notes, cappedAt(r.ExtraRolls))
	}
	p := s.printer(rollDenominator(d))
	p.show = s.o.show()
	t.head = p.head()
	axis := rollSeries(s.o, d)
	bands := s.bands(axis)
	t.rows = func(yield func(row) bool) {
		c := newClimb(axis.totals[0])
		for label, b := range bands {
			l := c.next(b.weights[0])
			if !yield(p.spread(p.levels(label, true, l, d.Bound()), b, l.exactly, d.Bound())) {
				return
			}
		}
	}
}

// summary returns the moments and the ends of d for its caption.
func (s *sheet) summary(d *dist.Dist) []string {
	notes := []string{"mean " + printedMean(d)}
	if s.playground() {
		return notes
	}
	if sd, ok := printedSD(d); ok {
		notes = append(notes, "sd "+sd)
	}
	return append(notes, ends(d))
}

// ends returns the range of outcomes, open where d has no end.
func ends(d *dist.Dist) string {
	lo, hi := "", ""
	if !d.UnboundedBelow() {
		lo = strconv.Itoa(d.Min())
	}
	if !d.UnboundedAbove() {
		hi = strconv.Itoa(d.Max())
	}
	return lo + ".." + hi
}

// cappedAt says that an explosion has an end: in a recipe dice explode to some
// depth, in the notation of the tables without end.
func cappedAt(extra int) string {
	if extra == 1 {
		return "at most 1 extra roll a die"
	}
	return "at most " + strconv.Itoa(extra) + " extra rolls a die"
}

// printedMean prints the mean of d: marked where it has an error, and unknown where it is
// not known at all, or not even its whole part.
func printedMean(d *dist.Dist) string {
	m, err := d.Moments(context.Background())
	if err != nil || m.Mean == nil || !(m.MeanBound < 0.5) {
		return "unknown"
	}
	return marked(m.MeanBound, numeral.Fixed(m.Mean, 3))
}

// marked puts the mark of a value with an error before it.
func marked(bound float64, text string) string {
	if bound > 0 {
		return "≈" + text
	}
	return text
}

// bands yields the labelled bands of a series as the options ask.
func (s *sheet) bands(axis series) iter.Seq2[string, band] {
	fold := sync.OnceValue(func() []band { return axis.fold(!s.playground(), s.most()) })
	return func(yield func(string, band) bool) {
		if s.o.AllRows || axis.length(s.most()+1) <= s.most() {
			for b := range axis.everyRow {
				if !yield(b.label(0), b) {
					return
				}
			}
			return
		}
		folded := fold()
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

func (s *sheet) fillChance(t *table, c lang.Prob) {
	t.kind = single
	p := s.printer(denominatorOf(c))
	t.head = p.head()
	t.rows = oneRow(p.value(t.title, false, c.Value, c.Bound))
}

func fillNumber(t *table, n lang.Number) {
	t.kind = single
	t.head = []string{"outcome", "value", "frac"}
	cells := []string{unknown, unknown}
	if n.Value != nil {
		cells = []string{marked(n.Bound, numeral.Number(n.Value)), numeral.NumberFraction(n.Value, n.Bound)}
	}
	t.rows = oneRow(row{label: t.title, cells: cells})
}

func (s *sheet) fillLabeled(t *table, l lang.Outcomes) {
	p := s.printer(denominatorOf(l))
	if ordered(l) {
		p.show = s.o.show()
	}
	t.head = p.head()
	t.rows = func(yield func(row) bool) {
		c := p.climbOf(l.Entries)
		for e := range s.foldLabels(l.Entries) {
			var r row
			if c != nil {
				r = p.levels(visible(e.label), e.numeric, c.climb(e.value), l.Bound)
			} else {
				r = p.value(visible(e.label), e.numeric, e.value, l.Bound)
			}
			if e.band.count > 0 {
				r = p.spread(r, e.band, numeral.Of(e.value), l.Bound)
			}
			if !yield(r) {
				return
			}
		}
	}
}

// ordered reports whether each outcome but the first is more than the one before it.
func ordered(l lang.Outcomes) bool {
	for _, e := range l.Entries {
		if e.Value == nil {
			return false
		}
	}
	n := ascending(l.Entries)
	return l.Ordered || n > 0 && n >= len(l.Entries)-1
}

func (s *sheet) fillTable(t *table, data lang.ProbTable) {
	p := s.printer(denominatorOf(data))
	t.head = p.head()
	t.rows = func(yield func(row) bool) {
		for _, r := range data.Rows {
			_, numeric := r.Label.Int()
			if !yield(p.value(visible(r.Label.String()), numeric, r.Value, r.Bound)) {
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
	unit := unitOf(g)
	if unit == allChances {
		t.notes = append(t.notes, inPercent)
	}
	t.head = append(t.head, visible(g.Corner))
	for _, c := range g.Cols {
		t.head = append(t.head, visible(c.String()))
	}
	t.rows = func(yield func(row) bool) {
		for i, label := range g.Rows {
			_, numeric := label.Int()
			if !yield(row{label: visible(label.String()), numeric: numeric, cells: gridRow(g, i, unit)}) {
				return
			}
		}
	}
}

// inPercent is the note of tables whose cells are chances, without signs.
const inPercent = "chances in %"

// gridUnit tells what the cells of a grid are.
type gridUnit uint8

const (
	allNumbers gridUnit = iota
	allChances
	mixed // chances have a sign
)

func unitOf(g lang.Grid) gridUnit {
	probs, numbers := 0, 0
	for i := range g.Rows {
		for j := range g.Cols {
			switch c, ok := cellAt(g, i, j); {
			case ok && c.Prob:
				probs++
			case ok:
				numbers++
			}
		}
	}
	switch {
	case probs == 0:
		return allNumbers
	case numbers == 0:
		return allChances
	}
	return mixed
}

func gridRow(g lang.Grid, i int, unit gridUnit) []string {
	cells := make([]string, len(g.Cols))
	for j := range cells {
		cells[j] = unknown
		if c, ok := cellAt(g, i, j); ok {
			cells[j] = certainCell(c, g.Digits)
			if unit == mixed && c.Prob {
				cells[j] += " %"
			}
		}
	}
	return cells
}

// certainCell prints a cell; where its error could change what is printed, it is
// marked.
func certainCell(c lang.Cell, digits int) string {
	print := func(x numeral.Quotient) string { return numeral.GridCell(x, c.Prob, digits) }
	x := numeral.Of(c.Value)
	if x.Certain(c.Bound, print) {
		return print(x)
	}
	return "≈" + print(x)
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
	show := s.o.show()
	t.notes = append(t.notes, show.inPercent())
	t.head = []string{"outcome"}
	var ds []*dist.Dist
	for _, r := range c.Rolls {
		if r.Dist != nil {
			ds = append(ds, r.Dist)
			t.head = append(t.head, visible(r.Name))
		}
	}
	axis := sharedSeries(s.o, ds)
	bands := s.bands(axis)
	t.rows = func(yield func(row) bool) {
		climbs := make([]*climb, len(ds))
		for k, total := range axis.totals {
			climbs[k] = newClimb(total)
		}
		for label, b := range bands {
			r := row{label: label, numeric: true}
			for k, w := range b.weights {
				r.cells = append(r.cells, s.percent(show.shown(climbs[k].next(w))[0], ds[k].Bound()))
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
	s    *sheet
	n    *big.Int // the N of the column X/N; nil when there is none
	show Show     // of rows that have an order
}

func (s *sheet) printer(n *big.Int) printer {
	if s.playground() {
		n = s.common
	}
	return printer{s, n, Exactly}
}

// head names the columns. Without an N the style of the playground has decimals.
func (p printer) head() []string {
	head := append([]string{"outcome"}, p.show.heads()...)
	head = append(head, "frac")
	switch {
	case p.n != nil:
		return append(head, "X/"+p.n.String())
	case p.s.playground():
		return append(head, "X")
	}
	return head
}

// value is the row of x, which may not be known.
func (p printer) value(label string, numeric bool, x *big.Rat, e float64) row {
	if x == nil {
		cells := make([]string, len(p.head())-1)
		for i := range cells {
			cells[i] = unknown
		}
		return row{label: label, numeric: numeric, cells: cells}
	}
	return p.row(label, numeric, numeral.Of(x), e)
}

func (p printer) row(label string, numeric bool, x numeral.Quotient, e float64) row {
	return p.levels(label, numeric, level{exactly: x}, e)
}

// levels returns the row of an outcome with all chances that are shown of it. Its
// fraction and its bar are those of the first one.
func (p printer) levels(label string, numeric bool, l level, e float64) row {
	shown := p.show.shown(l)
	x := shown[0]
	r := row{label: label, numeric: numeric, share: x.Float(), cells: make([]string, 0, 5)}
	for _, chance := range shown {
		r.cells = append(r.cells, p.s.percent(chance, e))
	}
	r.cells = append(r.cells, p.s.fraction(x, e))
	if p.n != nil || p.s.playground() {
		r.cells = append(r.cells, numeral.Counts(x, p.n))
	}
	return r
}

// leastEach is the mean chance from which on the bar of a row has it as its label.
const leastEach = 0.0001

// spread makes the bar of a row that stands for several outcomes as high as one of
// them is on average: the row of 9 and 10 is no peak between 8 and 11.
func (p printer) spread(r row, b band, x numeral.Quotient, e float64) row {
	if b.count < 2 || p.show == AtLeast || p.show == AtMost {
		return r
	}
	mean := x.Per(b.count)
	r.share = mean.Float()
	if b.open == closed && r.share >= leastEach {
		r.each = "each " + p.s.percent(mean, e)
	}
	return r
}

func (s *sheet) percent(x numeral.Quotient, e float64) string {
	if s.playground() {
		return numeral.PlaygroundPercent(x)
	}
	return numeral.CertainPercent(x, e)
}

func (s *sheet) fraction(x numeral.Quotient, e float64) string {
	if s.playground() {
		return numeral.PlaygroundFraction(x.Rat())
	}
	return numeral.ChanceFraction(x, e)
}

// firstDenominator returns the common denominator of the first output that is
// not a single value and has one small enough, else nil.
func firstDenominator(outputs []lang.Output) *big.Int {
	for _, out := range outputs {
		if _, ok := out.Data.(lang.Prob); ok {
			continue
		}
		if n := denominatorOf(out.Data); n != nil {
			return n
		}
	}
	return nil
}

// denominatorOf returns the common denominator of all chances of an output when
// they are exact and it is small, else nil.
func denominatorOf(data lang.Data) *big.Int {
	switch data := data.(type) {
	case lang.Roll:
		if data.Dist != nil {
			return rollDenominator(data.Dist)
		}
	case lang.Prob:
		if !(data.Bound > 0) {
			return numeral.CommonDenominator(func(yield func(*big.Rat) bool) { yield(data.Value) })
		}
	case lang.Outcomes:
		if !(data.Bound > 0) {
			return numeral.CommonDenominator(func(yield func(*big.Rat) bool) {
				for _, e := range data.Entries {
					if !yield(e.Value) {
						return
					}
				}
			})
		}
	case lang.ProbTable:
		if slices.ContainsFunc(data.Rows, func(r lang.ProbTableRow) bool { return r.Bound > 0 }) {
			return nil
		}
		return numeral.CommonDenominator(func(yield func(*big.Rat) bool) {
			for _, r := range data.Rows {
				if !yield(r.Value) {
					return
				}
			}
		})
	}
	return nil
}

func rollDenominator(d *dist.Dist) *big.Int {
	if d.Bound() > 0 {
		return nil
	}
	if n := d.Total(); n.Cmp(numeral.LargestCounted) <= 0 {
		return n
	}
	return nil
}

func oneRow(r row) iter.Seq[row] {
	return func(yield func(row) bool) { yield(r) }
}
