// Words in a window: lines end where words do, and never within a number.

package report

import (
	"strings"
	"unicode"
)

// Fit breaks the lines of a text at the ends of words, so that none takes more
// columns than given; 0 is any number. What a line goes on with stands as far in
// as the line does. A number stays whole, also with spaces between its digits or
// before a percent sign, and so does a word that is longer than a line.
func Fit(text string, columns int) string {
	if columns <= 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = fitLine(line, columns)
	}
	return strings.Join(lines, "\n")
}

func fitLine(line string, columns int) string {
	if widthOf(line) <= columns {
		return line
	}
	bare := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(bare)]
	below := indent[:min(len(indent), columns/2)]
	var b strings.Builder
	b.WriteString(indent)
	at, gap := len(indent), 0
	for i, word := range unbroken(bare) {
		text := strings.TrimRight(word, " ")
		if width := widthOf(text); i > 0 && at+gap+width > columns {
			b.WriteString("\n" + below + text)
			at = len(below) + width
		} else {
			b.WriteString(strings.Repeat(" ", gap) + text)
			at += gap + width
		}
		gap = len(word) - len(text)
	}
	return b.String()
}

// unbroken are the parts of a line that stay together, each with the spaces
// behind it.
func unbroken(line string) []string {
	var parts []string
	start := 0
	for i := 1; i < len(line); i++ {
		if line[i-1] == ' ' && line[i] != ' ' && !within(line, i) {
			parts = append(parts, line[start:i])
			start = i
		}
	}
	return append(parts, line[start:])
}

// within reports whether what begins at i belongs to the number before the space:
// a group of three digits, or a percent sign.
func within(line string, i int) bool {
	if i < 2 || !unicode.IsDigit(rune(line[i-2])) {
		return false
	}
	rest := line[i:]
	if rest[0] == '%' {
		return true
	}
	group := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	return group == 3
}

// Columns is how many columns of a terminal a text takes.
func Columns(text string) int { return widthOf(text) }
