package reference

import (
	"bufio"
	"io"
	"strings"

	"dicescript/lang/report"
)

// A page is text on its way to a window: paragraphs, and rows of names and what
// they are for, broken at word ends.
type page struct {
	b       *bufio.Writer
	columns int
}

// The widths of a page: of its text, and of names before what they are for.
const (
	textWidth      = 78
	nameWidth      = 24
	parameterWidth = 16
	belowName      = 6 // where there is no room beside it
)

func (l Layout) page(w io.Writer) *page {
	columns := textWidth
	if l.Columns > 0 {
		columns = min(columns, l.Columns)
	}
	return &page{bufio.NewWriter(w), columns}
}

func (p *page) flush() error { return p.b.Flush() }

func (p *page) gap() { p.b.WriteByte('\n') }

// fit breaks a text, which may be that of a recipe, at the width of the page.
func (p *page) fit(text string) string { return report.Fit(report.Visible(text), p.columns) }

// para writes a paragraph; line ends in it do not count.
func (p *page) para(indent, text string) {
	p.b.WriteString(p.fit(indent+strings.Join(strings.Fields(text), " ")) + "\n")
}

// laidOut writes a text that is laid out already: only lines that are too long are
// broken.
func (p *page) laidOut(indent, text string) {
	for _, line := range strings.Split(text, "\n") {
		if line != "" {
			line = p.fit(indent + line)
		}
		p.b.WriteString(line + "\n")
	}
}

// row writes a name and, from a column on, what it is for; in a narrow window, or
// after a long name, that stands below the name.
func (p *page) row(name, text string, column int) {
	text = strings.Join(strings.Fields(text), " ")
	head := "  " + report.Visible(name)
	beside := column <= p.columns/2
	if !beside {
		column = belowName
	}
	body := p.fit(strings.Repeat(" ", column)+text) + "\n"
	if beside && len(head) < column {
		p.b.WriteString(head + body[len(head):])
		return
	}
	p.b.WriteString(head + "\n" + body)
}

// Rows writes names and, from a column on, what they are for.
func (l Layout) Rows(w io.Writer, rows [][2]string, column int) error {
	p := l.page(w)
	for _, r := range rows {
		p.row(r[0], r[1], column)
	}
	return p.flush()
}
