// Making text of recipes safe to show. Control characters become visible
// first; then each format escapes what has a meaning of its own there.

package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// visible writes control characters, line separators, characters that turn the
// direction of writing and broken UTF-8 as Go escapes.
func visible(s string) string {
	if strings.IndexFunc(s, hidden) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case hidden(r):
			b.WriteString(escaped(r))
		default:
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
}

// visibleLines is visible for a text of several lines: only the ends of lines
// stay as they are, without those around the text.
func visibleLines(s string) string {
	lines := strings.Split(strings.Trim(s, "\n"), "\n")
	for i, line := range lines {
		lines[i] = visible(line)
	}
	return strings.Join(lines, "\n")
}

// visibleCode is visible for the text of a program or of a document, which keeps
// its lines and tabs.
func visibleCode(s string) string {
	if strings.Contains(s, "\r") {
		s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	}
	s = strings.TrimPrefix(s, "\uFEFF")
	if strings.IndexFunc(s, func(r rune) bool { return r != '\n' && r != '\t' && hidden(r) }) < 0 && utf8.ValidString(s) {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		parts := strings.Split(line, "\t")
		for j, part := range parts {
			parts[j] = visible(part)
		}
		lines[i] = strings.Join(parts, "\t")
	}
	return strings.Join(lines, "\n")
}

// hidden reports whether r can change how the text around it is shown.
func hidden(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control) || r == '\uFEFF' || 0xE0000 <= r && r <= 0xE007F
}

func escaped(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// markdownText escapes visible text for a paragraph or a cell of a table. Names
// and bands such as p_at_least_150 and <-88 stay as they are, because nothing
// in them is markup.
func markdownText(s string) string {
	var b strings.Builder
	runes := []rune(s)
	at := func(i int) rune {
		if i < 0 || i >= len(runes) {
			return 0
		}
		return runes[i]
	}
	for i, r := range runes {
		if isMarkup(at(i-1), r, at(i+1)) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
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

// markdownFence puts text between the lines of a fence, as it is.
func markdownFence(info, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + info + "\n" + text + "\n" + fence + "\n"
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
