// SVG: the charts alone, one below the other in one picture.

package report

import (
	"bufio"
	"fmt"
	"io"

	"dicescript/lang"
)

// renderSVG writes the charts of r as one picture. Numbers and texts have no chart.
func renderSVG(w io.Writer, r *lang.Result, o Options) error {
	s := newSheet(r, o)
	return flushed(w, o, func(b *bufio.Writer) error { return writeSVG(b, s, s.all()) })
}

const (
	headHeight = 30.0 // the caption above each chart
	chartGap   = 16.0
	svgMargin  = 12.0
)

func writeSVG(b *bufio.Writer, s *sheet, places []int) error {
	charts := make([]*chart, len(places))
	width, height := chartWidth, 2*svgMargin
	for i, place := range places {
		if charts[i] = s.chart(place); charts[i] != nil {
			width = max(width, charts[i].width)
			height += headHeight + charts[i].height + chartGap
		}
	}
	width += 2 * svgMargin
	fmt.Fprintf(b, `<svg class="ds-chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]s %[2]s" width="%[1]s" height="%[2]s">`, px(width), px(height))
	fmt.Fprintf(b, "<style>%s</style>\n<rect width=\"100%%\" height=\"100%%\" style=\"fill:var(--ds-paper)\"/>\n", chartStyle)
	y := svgMargin
	for i, c := range charts {
		if c == nil {
			continue
		}
		fmt.Fprintf(b, `<text x="%s" y="%s" class="ds-head">%s</text>`, px(svgMargin), px(y+18), htmlText(shortened(c.head, int(c.width/8.5))))
		y += headHeight
		b.WriteString(c.svg(chartID(places[i]), fmt.Sprintf(` x="%s" y="%s"`, px(svgMargin), px(y))))
		b.WriteByte('\n')
		y += c.height + chartGap
	}
	b.WriteString("</svg>\n")
	return nil
}

// chartID is unique for each output of a run.
func chartID(place int) string { return fmt.Sprintf("ds-%d", place) }
