// Charts: inline svg with a title and a description, coloured by classes so
// that one style sheet serves light and dark pages. Every shape that stands for
// a value names it when it is pointed at.

package report

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"dicescript/dist"
	"dicescript/lang"
)

// chartStyle colours charts; it holds only rules for elements of charts. On a
// phone a chart is scaled down, so its text is larger in proportion, and the
// cells of a heat map, too narrow to be read there, leave theirs to the table.
const chartStyle = `.ds-chart{--ds-ink:#1f2328;--ds-soft:#59636e;--ds-line:#d1d9e0;--ds-paper:#ffffff;` +
	`--ds-0:#0072b2;--ds-1:#c24e00;--ds-2:#00795a;--ds-3:#a83f7d;--ds-4:#7a6000;--ds-5:#3d3d9e;` +
	`font:13px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}` +
	`@media(prefers-color-scheme:dark){.ds-chart{--ds-ink:#e6edf3;--ds-soft:#9198a1;--ds-line:#3d444d;--ds-paper:#0d1117;` +
	`--ds-0:#56b4e9;--ds-1:#ff9a5c;--ds-2:#3fc79a;--ds-3:#e79ac6;--ds-4:#e3c34a;--ds-5:#a5a5ff}}` +
	`.ds-chart text{fill:var(--ds-soft)}.ds-chart .ds-strong{fill:var(--ds-ink)}` +
	`.ds-chart .ds-head{fill:var(--ds-ink);font-weight:600;font-size:14px}` +
	`.ds-chart .ds-axis{stroke:var(--ds-line);stroke-width:1;fill:none}` +
	`.ds-chart .ds-track{fill:var(--ds-line);fill-opacity:.5}` +
	`.ds-chart .ds-curve{fill:none;stroke-width:2;stroke-linejoin:round}` +
	`.ds-chart .ds-area{fill:var(--ds-0);fill-opacity:.12}` +
	`.ds-chart .ds-bar{fill:var(--ds-0)}.ds-chart .ds-bar:hover{fill:var(--ds-1)}` +
	`.ds-chart .ds-cell{font-size:12px}` +
	`@media(max-width:30rem){.ds-chart{font-size:16px}.ds-heat .ds-chart{font-size:13px}}`

const (
	chartWidth  = 480.0
	wideChart   = 640.0 // of heat maps with many columns
	charWidth   = 9.0   // of a character in a chart, with what a phone adds to it
	digitWidth  = 10.5  // of a digit under one, which is wider than most letters
	leftMargin  = 56.0
	rightMargin = 14.0
	plotHeight  = 170.0
	curveHeight = 90.0
	rowHeight   = 22.0

	mostChartRows  = 200    // rows that a chart of labelled bars may have
	mostChartCells = 10_000 // cells that a heat map may have
	fewColumns     = 8      // columns of a heat map up to which it is not wide

	// The characters that labels may have.
	mostLabel   = 26 // of a bar
	mostRowName = 12 // of a row of a heat map
	mostCorner  = 16 // where its rows and columns meet

	cellCharWidth = 7.6 // of a character in a cell of a heat map

	// The opacity of cells of a heat map. Text stays readable on the strongest
	// one, on light and on dark pages.
	palest, strongest = 0.05, 0.6
)

// A chart is a finished drawing.
type chart struct {
	o             Options
	title, desc   string
	head          string // the title for those who see what it is
	width, height float64
	heat          bool // whether it is a heat map
	body          strings.Builder
}

// add draws one thing. A drawing is held until it is finished, so what could not
// be written is refused here.
func (c *chart) add(format string, args ...any) {
	c.o.look()
	fmt.Fprintf(&c.body, format, args...)
	c.o.fits(int64(c.body.Len()))
}

// text writes text that is already free of control characters.
func (c *chart) text(x, y float64, class, anchor, s string) {
	c.add(`<text x="%s" y="%s" class="%s" text-anchor="%s">%s</text>`, px(x), px(y), class, anchor, htmlText(s))
}

// px writes a coordinate with as few digits as a picture needs.
func px(x float64) string {
	s := strings.TrimRight(fmt.Sprintf("%.2f", x), "0")
	return strings.TrimSuffix(s, ".")
}

// chart draws the output at place; it is nil for what has no picture.
func (s *sheet) chart(place int) *chart {
	if _, text := s.outputs[place].Data.(lang.Text); text {
		return nil
	}
	t := s.table(place)
	c := &chart{o: s.o, title: t.title + separator + t.caption(), width: chartWidth}
	c.head = strings.Join(append([]string{t.title}, t.notes[1:]...), separator)
	drawn := false
	switch data := s.outputs[place].Data.(type) {
	case lang.Roll:
		drawn = data.Dist != nil && c.drawRoll(data.Dist)
	case lang.Comparison:
		drawn = c.drawComparison(data)
	case lang.Outcomes:
		if g, pairs := s.pairs(data); pairs {
			drawn = c.drawGrid(g)
			break
		}
		drawn = c.drawRows(t)
	case lang.Prob, lang.ProbTable:
		drawn = c.drawRows(t)
	case lang.Grid:
		drawn = c.drawGrid(data)
	}
	if !drawn {
		return nil
	}
	return c
}

// HasChart reports whether the output of r at a 0-based place has a chart: whether svg
// has a picture of it. A text, a number, and a table of very many cells have none. It
// draws the chart to see; the error is that of the context.
func HasChart(ctx context.Context, r *lang.Result, place int) (has bool, err error) {
	o := Options{ctx: ctx}
	s := newSheet(r, o)
	if place < 0 || place >= len(s.outputs) {
		return false, fmt.Errorf("chart: output %d of %d", place, len(s.outputs))
	}
	err = flushed(io.Discard, o, func(*bufio.Writer) error {
		has = s.chart(place) != nil
		return nil
	})
	return has, err
}

// svg returns the drawing as an element; id makes its references unique in a
// page, and attrs are further attributes.
func (c *chart) svg(id, attrs string) string {
	return fmt.Sprintf(`<svg class="ds-chart" xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 %[1]s %[2]s" width="%[1]s" height="%[2]s" aria-labelledby="%[3]s-t %[3]s-d"%[4]s>`+
		`<title id="%[3]s-t">%[5]s</title><desc id="%[3]s-d">%[6]s</desc>%[7]s</svg>`,
		px(c.width), px(c.height), id, attrs, htmlText(c.title), htmlText(c.desc), c.body.String())
}

// drawRoll draws bars for the chances and a curve for "at least".
func (c *chart) drawRoll(d *dist.Dist) bool {
	p := newPlot(c.o, []*dist.Dist{d})
	p.cumulate(c.o.show())
	c.desc = fmt.Sprintf("Bars show the chance of %s outcome from %s to %s%s; the curve below shows the chance of at least that outcome.",
		c.o.show().each(), px(p.lo), px(p.hi), p.binNote())
	f := frame{p: p, c: c, top: 10, height: plotHeight, most: topOf(p.most())}
	f.grid()
	for i, chance := range p.bins[0] {
		if chance <= 0 {
			continue
		}
		x, w := f.x(i), f.step()
		gap := min(1, w/5)
		c.add(`<rect class="ds-bar" x="%s" y="%s" width="%s" height="%s"><title>%s: %s %%</title></rect>`,
			px(x+gap/2), px(f.y(chance)), px(w-gap), px(f.top+f.height-f.y(chance)), p.binName(i), p.printed[0](i))
	}
	f.outcomes()
	f = frame{p: p, c: c, top: f.top + f.height + 40, height: curveHeight, most: 1}
	f.grid()
	c.add(`<path class="ds-area" d="%s"/>`, f.area(p.from[0]))
	c.add(`<path class="ds-curve" style="stroke:var(--ds-0)" d="%s"/>`, f.steps(p.from[0]))
	c.text(c.width-rightMargin, f.top+12, "", "end", "at least")
	c.height = f.top + f.height + 8
	return true
}

// drawComparison overlays the chances of several rolls, and their curves.
func (c *chart) drawComparison(data lang.Comparison) bool {
	var ds []*dist.Dist
	var names []string
	for _, r := range data.Rolls {
		if r.Dist != nil {
			ds, names = append(ds, r.Dist), append(names, visible(r.Name))
		}
	}
	p := newPlot(c.o, ds)
	if p == nil {
		return false
	}
	p.cumulate(c.o.show())
	c.desc = fmt.Sprintf("Lines show the chance of %s outcome from %s to %s%s for %s; the curves below show the chance of at least that outcome.",
		c.o.show().each(), px(p.lo), px(p.hi), p.binNote(), strings.Join(names, ", "))
	top := c.legend(names)
	f := frame{p: p, c: c, top: top, height: plotHeight, most: topOf(p.most())}
	f.overlay(p.bins, names)
	f.outcomes()
	f = frame{p: p, c: c, top: top + plotHeight + 40, height: curveHeight, most: 1}
	f.overlay(p.from, names)
	c.text(c.width-rightMargin, f.top+12, "", "end", "at least")
	c.height = f.top + f.height + 8
	return true
}

// lineStyle returns colour and dashes of line k, so that lines differ in both.
func lineStyle(k int) string {
	dashes := []string{"none", "7 3", "2 3", "9 3 2 3"}
	return fmt.Sprintf("stroke:var(--ds-%d);stroke-dasharray:%s", k%6, dashes[k%len(dashes)])
}

// legend names the lines above a chart and returns where the chart starts.
func (c *chart) legend(names []string) float64 {
	x, y := leftMargin, 16.0
	for k, name := range names {
		name = shortened(name, 40)
		w := 34 + charWidth*float64(narrow.StringWidth(name))
		if x+w > c.width && x > leftMargin {
			x, y = leftMargin, y+18
		}
		c.add(`<path class="ds-curve" style="%s" d="M%s %sh20"/>`, lineStyle(k), px(x), px(y-4))
		c.text(x+25, y, "ds-strong", "start", name)
		x += w
	}
	return y + 14
}

// shortened cuts visible text to the given width for a picture. What is left out is
// from the middle: labels in a row often begin alike, and differ at their ends.
func shortened(s string, width int) string {
	total := narrow.StringWidth(s)
	if total <= width {
		return s
	}
	end := (width - 1) / 2
	return narrow.Truncate(s, width-end-1, "") + "…" + narrow.TruncateLeft(s, total-end, "")
}

// distinct shortens labels, and shows of those that would then look alike the part
// in which they differ.
func distinct(labels []string, width int) []string {
	short := make([]string, len(labels))
	alike := map[string][]int{}
	for i, label := range labels {
		short[i] = shortened(label, width)
		alike[short[i]] = append(alike[short[i]], i)
	}
	for _, group := range alike {
		for _, i := range group[1:] {
			if labels[i] != labels[group[0]] {
				showDifference(labels, short, group, width)
				break
			}
		}
	}
	return short
}

// showDifference shortens a group of labels from where they differ on.
func showDifference(labels, short []string, group []int, width int) {
	same := len(labels[group[0]])
	for _, i := range group {
		same = min(same, commonPrefix(labels[group[0]], labels[i]))
	}
	for _, i := range group {
		begin := strings.LastIndexByte(labels[i][:same], ' ') + 1 // of the word
		if narrow.StringWidth(labels[i][begin:same]) > width/2 {
			begin = same
		}
		rest := labels[i][begin:]
		short[i] = "…" + narrow.Truncate(rest, width-1, "…")
	}
}

// commonPrefix is how many bytes two texts begin alike, up to the end of a rune.
func commonPrefix(a, b string) int {
	for i, r := range a {
		if !strings.HasPrefix(b[min(i, len(b)):], string(r)) {
			return i
		}
	}
	return len(a)
}

// drawRows draws one horizontal bar for each row of a table of chances.
func (c *chart) drawRows(t table) bool {
	var rows []row
	widest := 0
	for r := range t.rows {
		if len(rows) == mostChartRows {
			return false
		}
		rows = append(rows, r)
	}
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = r.label
	}
	names = distinct(names, mostLabel)
	for _, name := range names {
		widest = max(widest, narrow.StringWidth(name))
	}
	if len(rows) == 0 {
		return false
	}
	c.desc = fmt.Sprintf("One bar for the chance of each of %d, from 0 to 100 %%.", len(rows))
	if len(rows) == 1 {
		c.desc = "One bar for the chance, from 0 to 100 %."
	}
	left := 14 + charWidth*float64(widest)
	room := c.width - left - 78
	for i, r := range rows {
		y := 6 + float64(i)*rowHeight
		share := min(max(r.share, 0), 1)
		c.text(left-8, y+15, "ds-strong", "end", names[i])
		c.add(`<rect class="ds-track" x="%s" y="%s" width="%s" height="%s"/>`, px(left), px(y+3), px(room), px(rowHeight-6))
		c.add(`<rect class="ds-bar" x="%s" y="%s" width="%s" height="%s"><title>%s: %s %%</title></rect>`,
			px(left), px(y+3), px(room*share), px(rowHeight-6), htmlText(r.label), htmlText(r.cells[0]))
		c.text(left+room+8, y+15, "ds-strong", "start", r.cells[0]+" %")
	}
	c.height = 12 + float64(len(rows))*rowHeight
	return true
}

// drawGrid draws a heat map: probabilities from 0 to 1, numbers from the least
// to the greatest.
func (c *chart) drawGrid(g lang.Grid) bool {
	n, m := len(g.Rows), len(g.Cols)
	if n == 0 || m == 0 || n > mostChartCells || m > mostChartCells || n*m > mostChartCells {
		return false
	}
	c.desc = fmt.Sprintf("A heat map of %d rows and %d columns; the stronger the colour, the greater the value.", n, m)
	if m > fewColumns {
		c.width = wideChart
	}
	shade, lo, hi := shades(c.o, g)
	unit := unitOf(g)
	corner, widest := shortened(visible(g.Corner), mostCorner), 0
	names := make([]string, n)
	for i, label := range g.Rows {
		names[i] = visible(label.String())
	}
	names = distinct(names, mostRowName)
	for _, name := range names {
		widest = max(widest, narrow.StringWidth(name))
	}
	heads := make([]string, m)
	for j, col := range g.Cols {
		heads[j] = visible(col.String())
	}
	left, top := 20+charWidth*float64(max(widest, narrow.StringWidth(corner))), 30.0
	w := (c.width - left - rightMargin) / float64(m)
	h := min(max(w*0.6, 4), 28)
	c.text(left-8, top-10, "", "end", corner)
	heads = distinct(heads, max(4, int(w/charWidth)))
	for j, head := range heads {
		if every := int(math.Ceil(40 / w)); j%every == 0 {
			c.text(left+(float64(j)+.5)*w, top-10, "", "middle", head)
		}
	}
	written := h >= 14 && cellCharWidth*float64(c.widestCell(g, unit))+4 <= w
	for i, name := range names {
		y := top + float64(i)*h
		if every := int(math.Ceil(16 / h)); i%every == 0 {
			c.text(left-8, y+h/2+4, "", "end", name)
		}
		printed := gridRow(g, i, unit)
		for j := range g.Cols {
			c.cell(left+float64(j)*w, y, w, h, shade(i, j), printed[j], written)
		}
	}
	c.heat = true
	c.height = c.key(left, top+float64(n)*h+14, lo, hi, unit)
	return true
}

// key tells which colours stand for which values and returns where it ends.
func (c *chart) key(x, y, lo, hi float64, unit gridUnit) float64 {
	if !(hi > lo) || math.IsInf(hi-lo, 0) || unit == mixed {
		return y - 6
	}
	const steps, w, h = 20, 8.0, 10.0
	ends := [2]string{shortNumber(lo), shortNumber(hi)}
	if unit == allChances {
		ends = [2]string{"0 %", "100 %"}
	}
	left := x + 8 + charWidth*float64(len(ends[0]))
	c.text(left-8, y+h, "", "end", ends[0])
	for i := range steps {
		shade := float64(i) / (steps - 1)
		c.add(`<rect x="%s" y="%s" width="%s" height="%s" style="fill:var(--ds-0)" fill-opacity="%s"/>`,
			px(left+float64(i)*w), px(y), px(w), px(h), px(palest+(strongest-palest)*shade))
	}
	c.text(left+steps*w+8, y+h, "", "start", ends[1])
	return y + h + 8
}

func shortNumber(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

// widestCell is how many characters the longest cell takes.
func (c *chart) widestCell(g lang.Grid, unit gridUnit) int {
	widest := 0
	for i := range g.Rows {
		c.o.look()
		for _, text := range gridRow(g, i, unit) {
			widest = max(widest, narrow.StringWidth(text))
		}
	}
	return widest
}

// cell draws one cell of a heat map.
func (c *chart) cell(x, y, w, h, shade float64, text string, written bool) {
	c.add(`<rect x="%s" y="%s" width="%s" height="%s" style="fill:var(--ds-0)" fill-opacity="%s"><title>%s</title></rect>`,
		px(x), px(y), px(max(w-1, w*.9)), px(max(h-1, h*.9)), px(palest+(strongest-palest)*shade), htmlText(text))
	if written {
		c.text(x+w/2, y+h/2+4, "ds-strong ds-cell", "middle", text)
	}
}

// shades returns how strongly each cell is coloured, from 0 to 1, and the values
// that those stand for.
func shades(o Options, g lang.Grid) (shade func(i, j int) float64, lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for i := range g.Rows {
		o.look()
		for j := range g.Cols {
			if c, ok := cellAt(g, i, j); ok {
				v, _ := c.Value.Float64()
				lo, hi = min(lo, v), max(hi, v)
				if c.Prob {
					lo, hi = min(lo, 0), max(hi, 1)
				}
			}
		}
	}
	return func(i, j int) float64 {
		c, ok := cellAt(g, i, j)
		if !ok || !(hi > lo) || math.IsInf(hi-lo, 0) {
			return 0
		}
		v, _ := c.Value.Float64()
		return (v - lo) / (hi - lo)
	}, lo, hi
}
