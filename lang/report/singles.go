// Single values in a row: chances and numbers that follow each other stand in one
// table of a page, a row each, instead of under one heading each.

package report

import (
	"bufio"
	"fmt"
	"math"

	"dicescript/lang"
)

// isSingle reports whether the output at place is a single value.
func (s *sheet) isSingle(place int) bool {
	switch s.outputs[place].Data.(type) {
	case lang.Prob, lang.Number:
		return true
	}
	return false
}

// singles counts how many of the first outputs of places are single values.
func (s *sheet) singles(places []int) int {
	n := 0
	for n < len(places) && s.isSingle(places[n]) {
		n++
	}
	return n
}

// writeSingles writes single values as one table.
func (s *sheet) writeSingles(b *bufio.Writer, places []int) {
	b.WriteString("<section class=\"ds-output ds-singles\">\n<div class=\"ds-scroll\" tabindex=\"0\"><table>\n<caption>Chances and numbers</caption>\n" +
		"<thead><tr><th scope=\"col\" class=\"ds-label\">outcome</th><th scope=\"col\">value</th><th scope=\"col\">frac</th><td class=\"ds-share\"></td></tr></thead>\n<tbody>\n")
	for _, place := range places {
		t := s.table(place)
		for r := range t.rows {
			value, fraction, bar := r.cells[0], r.cells[1], ""
			if fraction == value {
				fraction = "" // a whole number
			}
			if _, chance := s.outputs[place].Data.(lang.Prob); chance && value != unknown {
				value += " %"
				bar = fmt.Sprintf(`<div style="width:%s%%"></div>`, px(100*math.Min(math.Max(r.share, 0), 1)))
			}
			fmt.Fprintf(b, "<tr><th scope=\"row\" class=\"ds-label\" id=\"%s-h\">%s</th><td>%s</td><td>%s</td><td class=\"ds-share\">%s</td></tr>\n",
				chartID(place), htmlText(t.title), htmlText(value), htmlText(fraction), bar)
		}
	}
	b.WriteString("</tbody>\n</table></div>\n</section>\n")
}
