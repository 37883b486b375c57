// Text for a terminal: tables aligned by what is shown, with a bar per row
// where there is room, and single values on one line.

package report

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"dicescript/lang"
)

const (
	defaultWidth = 80
	columnGap    = 2
	longestBar   = 40
	shortestBar  = 8
)

// narrow measures text whatever the locale of the process is.
var narrow = &runewidth.Condition{StrictEmojiNeutral: true}

// widthOf is how many columns a text takes.
func widthOf(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= utf8.RuneSelf {
			return narrow.StringWidth(s)
		}
	}
	return len(s)
}

// renderText writes r for a terminal.
func renderText(w io.Writer, r *lang.Result, o Options) error {
	s := newSheet(r, o)
	return flushed(w, o, func(b *bufio.Writer) error {
		if err := writeText(b, s, s.all()); err != nil {
			return err
		}
		for _, note := range s.notes {
			b.WriteByte('\n')
			s.writeSpans(b, span{"note: " + visible(note), dim})
		}
		return nil
	})
}

func writeText(b *bufio.Writer, s *sheet, places []int) error {
	compact := false
	for i, place := range places {
		t := s.table(place)
		short := t.kind == single || t.kind == paragraph && !t.manyLines()
		if i > 0 && !(short && compact) {
			b.WriteByte('\n')
		}
		if t.kind == single || t.kind == paragraph {
			s.writeLine(b, t)
		} else {
			s.writeAligned(b, t)
		}
		compact = short
	}
	return nil
}

// ink is a way to show a piece of text in colour.
type ink string

const (
	bold ink = "\x1b[1m"
	dim  ink = "\x1b[2m"
	cyan ink = "\x1b[36m"
)

func (s *sheet) inked(text string, how ink) string {
	if !s.o.Color || text == "" {
		return text
	}
	return string(how) + text + "\x1b[0m"
}

// A span is a part of a line in one ink.
type span struct {
	text string
	how  ink // "" for none
}

// writeSpans writes a line, broken at word ends where the window does.
func (s *sheet) writeSpans(b *bufio.Writer, spans ...span) {
	var line strings.Builder
	for _, p := range spans {
		line.WriteString(p.text)
	}
	fitted := Fit(line.String(), s.o.Width)
	for _, p := range spans {
		text, rest := sameWords(fitted, p.text)
		b.WriteString(s.inked(text, p.how))
		fitted = rest
	}
	b.WriteString(fitted + "\n")
}

// sameWords is as much of a fitted text as has the characters of a part of it,
// spaces aside, and what comes after that.
func sameWords(fitted, part string) (text, rest string) {
	want := len(part) - strings.Count(part, " ") - strings.Count(part, "\n")
	for i := range len(fitted) {
		if want == 0 {
			return fitted[:i], fitted[i:]
		}
		if fitted[i] != ' ' && fitted[i] != '\n' {
			want--
		}
	}
	return fitted, ""
}

// captionSpans are the caption of a table.
func captionSpans(t table) []span {
	spans := []span{{t.title, bold}}
	if notes := t.caption(); notes != "" {
		spans = append(spans, span{separator + notes, dim})
	}
	return spans
}

// writeLine writes a single value or a text behind its caption.
func (s *sheet) writeLine(b *bufio.Writer, t table) {
	line := captionSpans(t)
	if t.kind == paragraph {
		s.writeParagraph(b, t, line)
		return
	}
	for r := range t.rows {
		value := r.cells[0]
		if t.head[1] == "%" {
			value += " %"
		}
		line = append(line, span{separator, dim}, span{value, ""})
		if r.cells[1] != "" && r.cells[1] != r.cells[0] {
			line = append(line, span{separator, dim}, span{r.cells[1], ""})
		}
	}
	s.writeSpans(b, line...)
}

// writeParagraph writes a text behind its caption, or below it when it has
// several lines.
func (s *sheet) writeParagraph(b *bufio.Writer, t table, line []span) {
	if t.manyLines() {
		s.writeSpans(b, line...)
		b.WriteString(Fit(t.text, s.o.Width) + "\n")
		return
	}
	s.writeSpans(b, append(line, span{separator, dim}, span{t.text, ""})...)
}

// mostKeptRows is how many printed rows are kept from the first pass over a table
// to the second; of longer tables they are printed twice.
const mostKeptRows = 4096

// once yields rows, and remembers them for the next time.
func once(rows iter.Seq[row]) iter.Seq[row] {
	var kept []row
	complete := false
	return func(yield func(row) bool) {
		if complete {
			for _, r := range kept {
				if !yield(r) {
					return
				}
			}
			return
		}
		kept = kept[:0]
		for r := range rows {
			if len(kept) <= mostKeptRows {
				kept = append(kept, r)
			}
			if !yield(r) {
				return
			}
		}
		complete = len(kept) <= mostKeptRows
	}
}

// A layout is what the first pass over the rows of a table found.
type layout struct {
	widths  []int
	numeric bool    // whether all labels are numbers, to be aligned right
	most    float64 // the largest chance
	bar     int     // columns for the bars
}

func (s *sheet) writeAligned(b *bufio.Writer, t table) {
	s.writeSpans(b, captionSpans(t)...)
	t.rows = once(t.rows)
	l := s.layout(t)
	b.WriteString(s.inked(l.line(t.head), dim))
	b.WriteByte('\n')
	for r := range t.rows {
		line := l.line(append([]string{r.label}, r.cells...))
		if bar := l.barOf(r.share); bar != "" {
			line += strings.Repeat(" ", columnGap) + s.inked(bar, cyan)
			if r.each != "" {
				line += " " + s.inked(r.each, dim)
			}
		}
		b.WriteString(line + "\n")
	}
	if all := len(t.head); s.fitted && len(l.widths) < all {
		s.writeSpans(b, span{fmt.Sprintf("%d of %d columns; widen the window or :save", len(l.widths)-1, all-1), dim})
	}
}

func (s *sheet) layout(t table) layout {
	l := layout{numeric: true, widths: make([]int, len(t.head))}
	l.widen(t.head)
	each := 0 // the widest label of a bar
	for r := range t.rows {
		l.widen(append([]string{r.label}, r.cells...))
		l.numeric = l.numeric && r.numeric
		l.most = max(l.most, r.share)
		each = max(each, widthOf(r.each))
	}
	if t.kind == chances {
		l.bar = s.room(l.widths, each)
	}
	if s.fitted && s.o.Width > 0 {
		l.fit(s.o.Width)
	}
	return l
}

// leastLabel is how narrow the column of labels may become.
const leastLabel = 12

// fit leaves out the last columns of a table that is too wide for a window, but
// never all of them, and then takes the room that is still missing from long
// labels.
func (l *layout) fit(window int) {
	wide := func() (sum int) {
		for _, w := range l.widths {
			sum += w + columnGap
		}
		return sum - columnGap
	}
	for len(l.widths) > 2 && wide() > window {
		l.widths = l.widths[:len(l.widths)-1]
	}
	if over := wide() - window; over > 0 {
		l.widths[0] = max(min(l.widths[0], leastLabel), l.widths[0]-over)
	}
}

func (l *layout) widen(cells []string) {
	for i, cell := range cells {
		if i < len(l.widths) {
			l.widths[i] = max(l.widths[i], widthOf(cell))
		}
	}
}

// room returns how long bars may be beside columns of the given widths, with a label
// of so many columns behind them.
func (s *sheet) room(widths []int, label int) int {
	left := s.o.Width
	if left <= 0 {
		left = defaultWidth
	}
	for _, w := range widths {
		left -= w + columnGap
	}
	if label > 0 {
		left -= label + 1
	}
	if left < shortestBar {
		return 0
	}
	return min(left, longestBar)
}

func (l *layout) line(cells []string) string {
	var b strings.Builder
	cells = cells[:min(len(cells), len(l.widths))]
	if widthOf(cells[0]) > l.widths[0] { // it takes several lines
		label := Fit(cells[0], l.widths[0])
		end := strings.LastIndexByte(label, '\n') + 1
		cells = slices.Clone(cells)
		b.WriteString(label[:end])
		cells[0] = label[end:]
	}
	for i, cell := range cells {
		if i > 0 {
			b.WriteString(strings.Repeat(" ", columnGap))
		}
		pad := max(0, l.widths[i]-widthOf(cell))
		if i == 0 && !l.numeric {
			b.WriteString(cell + strings.Repeat(" ", pad))
		} else {
			b.WriteString(strings.Repeat(" ", pad) + cell)
		}
	}
	return b.String()
}

// eighths are bars from one to eight eighths of a character.
var eighths = []rune("▏▎▍▌▋▊▉█")

// barOf draws a chance as a bar; the largest one takes all the room.
func (l *layout) barOf(share float64) string {
	if l.bar == 0 || !(share > 0) || !(l.most > 0) {
		return ""
	}
	units := int(math.Round(share / l.most * float64(8*l.bar)))
	units = min(max(units, 1), 8*l.bar)
	bar := strings.Repeat("█", units/8)
	if rest := units % 8; rest > 0 {
		bar += string(eighths[rest-1])
	}
	return bar
}
