// Making text of recipes safe to show. Control characters become visible
// first; then each format escapes what has a meaning of its own there.

package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dicescript/lang/internal/unseen"
)

// Visible returns a text of a recipe, or about one, as a terminal may show it: characters
// that control it, or turn the direction of writing, are written as Go escapes, and so is
// broken UTF-8. Ends of lines and tabs stay.
func Visible(text string) string { return visibleBut(text, "\n\t") }

// visible writes control characters, line separators, characters that turn the
// direction of writing and broken UTF-8 as Go escapes.
func visible(s string) string {
	return visibleBut(s, "")
}

// visiblePieces is visibleBut for a text of any length: it looks at the context
// now and then, and refuses one that is longer than the rendering may be.
func (o Options) visiblePieces(s, kept string) string {
	const piece = 1 << 18
	o.fits(int64(len(s)))
	var b strings.Builder
	for o.look(); len(s) > piece; o.look() {
		end := piece
		for end > piece-utf8.UTFMax && !utf8.RuneStart(s[end]) {
			end--
		}
		b.WriteString(visibleBut(s[:end], kept))
		s = s[end:]
	}
	if b.Len() == 0 {
		return visibleBut(s, kept)
	}
	b.WriteString(visibleBut(s, kept))
	return b.String()
}

// visibleBut is visible, and leaves the given characters as they are.
func visibleBut(s, kept string) string {
	hides := func(r rune) bool { return unseen.Rune(r) && !strings.ContainsRune(kept, r) }
	if strings.IndexFunc(s, hides) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			writeHex(&b, 'x', rune(s[0]), 2)
		case hides(r):
			writeEscaped(&b, r)
		default:
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
}

// visibleLines is visible for a text of several lines: only the ends of lines
// stay as they are, without those around the text.
func (o Options) visibleLines(s string) string {
	return o.visiblePieces(strings.Trim(s, "\n"), "\n")
}

// visibleCode is visible for the text of a program or of a document, which keeps
// its lines and tabs.
func visibleCode(s string) string {
	if strings.Contains(s, "\r") {
		s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	}
	return visibleBut(strings.TrimPrefix(s, "\uFEFF"), "\n\t")
}

// writeEscaped writes a character as Go would in a string.
func writeEscaped(b *strings.Builder, r rune) {
	switch {
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == '\t':
		b.WriteString(`\t`)
	case r < 0x100:
		writeHex(b, 'x', r, 2)
	case r < 0x10000:
		writeHex(b, 'u', r, 4)
	default:
		writeHex(b, 'U', r, 8)
	}
}

// writeHex writes a backslash, a letter and so many digits: \x1b.
func writeHex(b *strings.Builder, letter byte, r rune, digits int) {
	b.WriteByte('\\')
	b.WriteByte(letter)
	for digits--; digits >= 0; digits-- {
		b.WriteByte("0123456789abcdef"[r>>(4*digits)&15])
	}
}

// markdownText escapes visible text for a paragraph or a cell of a table. Names
// and bands such as p_at_least_150 and <-88 stay as they are, because nothing
// in them is markup.
func markdownText(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	prev := rune(0)
	for rest := s; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		next := rune(0)
		if len(rest) > size {
			next, _ = utf8.DecodeRuneInString(rest[size:])
		}
		if isMarkup(prev, r, next) {
			b.WriteByte('\\')
		}
		b.WriteString(rest[:size])
		prev, rest = r, rest[size:]
	}
	return b.String()
}

// isMarkup reports whether r would be read as markup between prev and next; 0
// stands for an end of the text.
func isMarkup(prev, r, next rune) bool {
	switch r {
	case '|', '`', '*', '[', ']', '~', '$':
		return true
	case '\\':
		return next == 0 || next < 0x80 && (unicode.IsPunct(next) || unicode.IsSymbol(next))
	case '_':
		return !(isWord(prev) && isWord(next))
	case '<':
		return unicode.IsLetter(next) || next == '/' || next == '!' || next == '?'
	case '&':
		return unicode.IsLetter(next) || next == '#'
	}
	return false
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// markdownLine escapes visible text that starts a line, where more is markup.
func markdownLine(s string) string {
	text := markdownText(s)
	trimmed := strings.TrimLeft(text, "0123456789")
	switch {
	case text == "":
		return ""
	case strings.ContainsRune("#>-+=", rune(text[0])):
		return `\` + text
	case len(trimmed) < len(text) && trimmed != "" && (trimmed[0] == '.' || trimmed[0] == ')'):
		return text[:len(text)-len(trimmed)] + `\` + trimmed
	case text[0] == ' ':
		return "&#32;" + text[1:]
	}
	return text
}

// markdownFence puts text between the lines of a fence, as it is. A fence is
// longer than any row of backticks in the text.
func markdownFence(info, text string) string {
	fence := strings.Repeat("`", max(3, longestRow(text, '`')+1))
	return fence + info + "\n" + text + "\n" + fence + "\n"
}

// longestRow is how often a byte stands in a text at most without another one
// between.
func longestRow(text string, c byte) int {
	longest, row := 0, 0
	for i := range len(text) {
		if text[i] != c {
			row = 0
			continue
		}
		row++
		longest = max(longest, row)
	}
	return longest
}

var htmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// htmlText escapes visible text for html and svg, in elements and attributes.
func htmlText(s string) string { return htmlEscapes.Replace(s) }

// csvText escapes visible text for a spreadsheet, so that none is a formula.
func csvText(s string) string {
	if s != "" && strings.ContainsRune("=+-@", rune(s[0])) {
		return "'" + s
	}
	return s
}
