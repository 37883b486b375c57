// The frame of a plot: where bins and chances lie in a chart, its axes and
// lines.

package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A frame maps the bins of p and chances from 0 to most to a part of a chart.
type frame struct {
	p           *plot
	c           *chart
	top, height float64
	most        float64
}

// step is the width of a bin.
func (f frame) step() float64 {
	return (f.c.width - leftMargin - rightMargin) / float64(len(f.p.bins[0]))
}

func (f frame) x(i int) float64 { return leftMargin + float64(i)*f.step() }

func (f frame) y(chance float64) float64 {
	if !(f.most > 0) {
		return f.top + f.height
	}
	return f.top + f.height*(1-min(chance/f.most, 1))
}

// grid draws lines at nothing, half and all of the range of chances.
func (f frame) grid() {
	for _, part := range []float64{0, 0.5, 1} {
		y := f.y(part * f.most)
		f.c.add(`<path class="ds-axis" d="M%s %sH%s"/>`, px(leftMargin), px(y), px(f.c.width-rightMargin))
		f.c.text(leftMargin-6, y+4, "", "end", shortPercent(part*f.most)+" %")
	}
}

// mostLabels is how many numbers fit under the bins, twelve at most, so that none
// touches the next.
func (f frame) mostLabels() float64 {
	widest := max(len(px(f.p.lo)), len(px(f.p.hi)))
	return min(12, math.Floor((f.c.width-leftMargin-rightMargin)/(digitWidth*float64(widest)+14)))
}

// outcomes writes numbers under the bins, about ten of them.
func (f frame) outcomes() {
	n := len(f.p.bins[0])
	every := niceStep(float64(n) * f.p.size / f.mostLabels())
	all := n <= int(f.mostLabels())
	taken := 0.0 // up to here there are numbers
	for i := range n {
		first := f.p.lo + float64(i)*f.p.size
		last := first + f.p.size - 1
		tick := math.Ceil(first/every) * every
		if !all && tick > last {
			continue
		}
		label := first
		if !all {
			label = tick
		}
		text := strconv.FormatFloat(label+0, 'f', -1, 64)
		half := digitWidth * float64(len(text)) / 2
		x := min(max(f.x(i)+f.step()/2, half), f.c.width-half) // not beyond the edge
		if taken > 0 && x-half < taken+4 {
			continue
		}
		f.c.text(x, f.top+f.height+16, "", "middle", text)
		taken = x + half
	}
}

// overlay draws one line for each roll.
func (f frame) overlay(values [][]float64, names []string) {
	f.grid()
	for k, v := range values {
		f.c.add(`<path class="ds-curve" style="%s" d="%s"><title>%s</title></path>`, lineStyle(k), f.steps(v), htmlText(names[k]))
	}
}

// steps returns the path of a line that is level over each bin.
func (f frame) steps(values []float64) string {
	var b strings.Builder
	for i, v := range values {
		verb := "V"
		if i == 0 {
			verb = "M" + px(f.x(0)) + " "
		}
		fmt.Fprintf(&b, "%s%sH%s", verb, px(f.y(v)), px(f.x(i+1)))
	}
	return b.String()
}

// area returns the path of what lies below steps.
func (f frame) area(values []float64) string {
	bottom := px(f.top + f.height)
	return f.steps(values) + "V" + bottom + "H" + px(leftMargin) + "Z"
}

// binName names the outcomes of bin i.
func (p *plot) binName(i int) string {
	first := p.lo + float64(i)*p.size
	if p.size == 1 {
		return px(first)
	}
	return px(first) + ".." + px(first+p.size-1)
}

// binNote tells what a reader of a picture with bins must know.
func (p *plot) binNote() string {
	note := ""
	if p.size > 1 {
		note = ", " + px(p.size) + " outcomes to a bar"
	}
	if p.cut {
		note += ", without the far tails"
	}
	return note
}

// shortPercent prints a chance on a chart, in percent.
func shortPercent(chance float64) string {
	return strconv.FormatFloat(chance*100, 'g', 3, 64)
}
