package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"dicescript/lang"
	"dicescript/lang/report"

	"github.com/mattn/go-runewidth"
	"golang.org/x/term"
)

// This file writes errors for people: the place, the line, a caret below it.

// maxExplained is how many errors are shown at once.
const maxExplained = 20

// explain writes an error, or several, to standard error.
func (t *tool) explain(err error) {
	all := lang.Errors(err)
	for i, e := range all {
		if i == maxExplained {
			t.tell(fmt.Sprintf("... and %d errors more", len(all)-i))
			return
		}
		t.tell(e.Error() + t.raise(e))
		if e.Source != "" && e.Position.Column > 0 {
			line, space := excerpt(e.Source, e.Position.Column, t.excerptWidth())
			fmt.Fprintf(t.stderr, "    %s\n    %s^\n", line, space)
		}
		t.calls(e.Frames)
	}
}

// tell writes a line of what is explained.
func (t *tool) tell(line string) {
	fmt.Fprintln(t.stderr, report.Fit(report.Visible(line), t.columns))
}

// maxCalls is how many calls of a backtrace are shown at each of its ends.
const maxCalls = 5

// calls writes the calls that led to the place of the error, innermost first.
func (t *tool) calls(frames []lang.Frame) {
	n := len(frames)
	for i := n - 1; i > 0; i-- {
		if skipped := n - 1 - 2*maxCalls; skipped > 0 && i == n-1-maxCalls {
			t.tell(fmt.Sprintf("  ... and %d calls more", skipped))
			i = maxCalls
		}
		if name := frames[i].Function; name != "" {
			t.tell(fmt.Sprintf("  in %s, called at %s", name, frames[i-1].Position))
		} else {
			t.tell(fmt.Sprintf("  loaded at %s", frames[i-1].Position))
		}
	}
}

// maxExcerpt is how many columns of a long line are shown.
const maxExcerpt = 100

// excerptWidth is how many columns of a long line the window has room for.
func (t *tool) excerptWidth() int {
	const around = 5 // columns before the line and for the caret
	if t.columns <= 0 {
		return maxExcerpt
	}
	return max(2, min(maxExcerpt, t.columns-around))
}

// excerpt is the part of a line around a column, at most so many columns, and the
// space that puts a caret below that column.
func excerpt(line string, column, most int) (text, space string) {
	runes := []rune(line)
	at := min(column-1, len(runes))
	from := 0
	if at > most*3/4 {
		from = at - most/2
	}
	to := min(len(runes), from+most)
	var b, s strings.Builder
	for i, r := range runes[from:to] {
		r = visible(r)
		b.WriteRune(r)
		switch {
		case from+i >= at:
		case r == '\t':
			s.WriteByte('\t')
		default:
			s.WriteString(strings.Repeat(" ", runewidth.RuneWidth(r)))
		}
	}
	return strings.TrimRightFunc(b.String(), unicode.IsSpace), s.String()
}

// visible is a rune that a terminal shows rather than obeys.
func visible(r rune) rune {
	if r != '\t' && !unicode.IsPrint(r) && !unicode.IsSpace(r) || unicode.IsControl(r) && r != '\t' {
		return '\uFFFD'
	}
	return r
}

// terminal is the width of the terminal that w is, and whether it may be
// coloured; 0 when it is none.
func terminal(w io.Writer) (width int, color bool) {
	if !isTerminal(w) {
		return 0, false
	}
	width, _, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil {
		width = 0
	}
	return width, os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

func isTerminal(x any) bool {
	f, ok := x.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
