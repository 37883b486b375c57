// The prose of a document as html: the part of markdown that documents about
// rules use. Documents come from strangers, so html in them is shown as text,
// images become links, for a page requests nothing, links lead to the web, to a
// mail address or to a place beside the page, and the time taken grows with the
// length of the text only, whatever it says.

package report

import (
	"bufio"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

const proseStyle = `main>p,main>ul,main>ol,main>blockquote,main>h1,main>h2,main>h3{max-width:44rem}` +
	`h2{font-size:1.3rem;margin:2.2rem 0 .8rem}h3{font-size:1.1rem}a{color:#0969da}` +
	`main pre.ds-code{overflow-x:auto;padding:.8rem 1rem;border-radius:6px;background:#f6f8fa;line-height:1.45}` +
	`code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9rem}` +
	`blockquote{margin:1rem 0;padding:0 1rem;border-left:4px solid #d1d9e0;color:#59636e}` +
	`.ds-table{overflow-x:auto}.ds-table table{border-collapse:collapse}.ds-table th,.ds-table td{padding:.25rem .6rem;border:1px solid #d1d9e0}` +
	`hr{border:0;border-top:1px solid #d1d9e0}` +
	`@media(prefers-color-scheme:dark){a{color:#4493f8}main pre.ds-code{background:#151b23}blockquote{border-color:#3d444d;color:#9198a1}` +
	`hr,.ds-table th,.ds-table td{border-color:#3d444d}}`

// deepest is how deep lists and quotations may stand in each other; what is
// deeper is text.
const deepest = 6

// prose renders the parts of one document.
type prose struct {
	links map[string]string // defined anywhere in the document, by folded label
	level int               // of the last heading

	definition, atx, rule, item, fence, underline, columns, tag *regexp.Regexp
}

// newProse reads the link definitions of a document.
func newProse(src string) *prose {
	p := &prose{
		links:      map[string]string{},
		definition: regexp.MustCompile(`^ {0,3}\[([^\[\]]+)\]:\s*<?([^\s<>]+)>?(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*$`),
		atx:        regexp.MustCompile(`^ {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$`),
		rule:       regexp.MustCompile(`^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$`),
		item:       regexp.MustCompile(`^( {0,3})([-*+]|\d{1,9}[.)])(?:([ \t]+)(.*))?$`),
		fence:      regexp.MustCompile("^ {0,3}(`{3,}[^`]*|~{3,}.*)$"),
		underline:  regexp.MustCompile(`^ {0,3}(?:=+|-+)[ \t]*$`),
		tag:        regexp.MustCompile(`<[^>]*>`),
		columns:    regexp.MustCompile(`^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`),
	}
	for line := range strings.Lines(visibleCode(src)) {
		if !strings.Contains(line, "]:") {
			continue
		}
		if m := p.definition.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			if label := foldLabel(m[1]); p.links[label] == "" {
				p.links[label] = m[2]
			}
		}
	}
	return p
}

func foldLabel(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// render writes a part of the document.
func (p *prose) render(b *bufio.Writer, part string) {
	p.blocks(b, strings.Split(strings.TrimRight(visibleCode(part), "\n"), "\n"), 0, false)
}

// blocks writes lines. In a tight list, paragraphs are not marked as such.
func (p *prose) blocks(b *bufio.Writer, lines []string, depth int, tight bool) {
	for i := 0; i < len(lines); {
		line := lines[i]
		n := 1
		switch {
		case strings.TrimSpace(line) == "":
		case p.fence.MatchString(line):
			n = p.fenced(b, lines[i:])
		case p.atx.MatchString(line):
			m := p.atx.FindStringSubmatch(line)
			p.heading(b, len(m[1]), m[2])
		case p.rule.MatchString(line):
			b.WriteString("<hr>\n")
		case strings.HasPrefix(strings.TrimLeft(line, " "), "<!--"):
			n = commentLines(lines[i:])
		case isIndented(line):
			n = writeIndented(b, lines[i:])
		case depth < deepest && isQuoted(line):
			n = p.quotation(b, lines[i:], depth)
		case depth < deepest && p.item.MatchString(line):
			n = p.list(b, lines[i:], depth)
		case p.isTable(lines[i:]):
			n = p.table(b, lines[i:])
		case strings.Contains(line, "]:") && p.definition.MatchString(line):
		default:
			n = p.paragraph(b, lines[i:], depth, tight)
		}
		i += n
	}
}

func (p *prose) heading(b *bufio.Writer, level int, text string) {
	p.level = level
	fmt.Fprintf(b, "<h%d>%s</h%d>\n", level, p.inline(text), level)
}

// commentLines counts the lines of a comment, which no reader sees.
func commentLines(lines []string) int {
	for i, line := range lines {
		if strings.Contains(line, "-->") {
			return i + 1
		}
	}
	return len(lines)
}

// writeFenced writes a fence of code, up to where it is closed.
func (p *prose) fenced(b *bufio.Writer, lines []string) int {
	text := strings.TrimLeft(lines[0], " ")
	indent := len(lines[0]) - len(text)
	mark := text[:len(text)-len(strings.TrimLeft(text, text[:1]))]
	end := 1
	for end < len(lines) {
		text := strings.Trim(lines[end], " \t")
		if len(text) >= len(mark) && strings.Trim(text, mark[:1]) == "" {
			break
		}
		end++
	}
	code := make([]string, 0, end)
	for _, line := range lines[1:end] {
		code = append(code, dedent(line, indent))
	}
	writeCode(b, strings.Join(code, "\n"))
	return min(end+1, len(lines))
}

func writeCode(b *bufio.Writer, text string) {
	fmt.Fprintf(b, "<pre class=\"ds-code\" tabindex=\"0\"><code>%s</code></pre>\n", htmlText(text))
}

func isIndented(line string) bool {
	return strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
}

func writeIndented(b *bufio.Writer, lines []string) int {
	n, end := 0, 0
	for n < len(lines) && (isIndented(lines[n]) || strings.TrimSpace(lines[n]) == "") {
		n++
		if isIndented(lines[n-1]) {
			end = n
		}
	}
	code := make([]string, end)
	for i, line := range lines[:end] {
		code[i] = dedent(line, 4)
	}
	writeCode(b, strings.Join(code, "\n"))
	return n
}

// dedent takes up to n columns of space off a line.
func dedent(line string, n int) string {
	for n > 0 && line != "" {
		switch line[0] {
		case ' ':
			n--
		case '\t':
			n -= 4
		default:
			return line
		}
		line = line[1:]
	}
	return line
}

func isQuoted(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " "), ">") }

func (p *prose) quotation(b *bufio.Writer, lines []string, depth int) int {
	var inner []string
	n := 0
	for n < len(lines) && (isQuoted(lines[n]) || n > 0 && p.continues(lines[n])) {
		text := strings.TrimLeft(lines[n], " ")
		text = strings.TrimPrefix(strings.TrimPrefix(text, ">"), " ")
		inner = append(inner, text)
		n++
	}
	b.WriteString("<blockquote>\n")
	p.blocks(b, inner, depth+1, false)
	b.WriteString("</blockquote>\n")
	return n
}

// continues reports whether a line goes on with the paragraph before it.
func (p *prose) continues(line string) bool {
	return strings.TrimSpace(line) != "" && !p.fence.MatchString(line) && !p.atx.MatchString(line) &&
		!p.rule.MatchString(line) && !isQuoted(line) && !p.interrupts(line)
}

// interrupts reports whether a line begins a list in the midst of a paragraph:
// one with text, and with the number 1 when it is numbered.
func (p *prose) interrupts(line string) bool {
	m := p.item.FindStringSubmatch(line)
	return m != nil && m[4] != "" && (len(m[2]) == 1 || m[2] == "1." || m[2] == "1)")
}

// list writes items of one sort.
func (p *prose) list(b *bufio.Writer, lines []string, depth int) int {
	first := p.item.FindStringSubmatch(lines[0])[2]
	mark := first[len(first)-1]
	var items [][]string
	loose, gap, n := false, false, 0
	for n < len(lines) {
		m := p.item.FindStringSubmatch(lines[n])
		if m == nil || m[2][len(m[2])-1] != mark || p.rule.MatchString(lines[n]) {
			break
		}
		loose = loose || gap
		item, used := p.itemLines(lines[n:], m)
		loose = loose || slices.Contains(item, "")
		items = append(items, item)
		n += used
		gap = strings.TrimSpace(lines[n-1]) == ""
	}
	open, end := "<ul>", "</ul>"
	if number := first[:len(first)-1]; number != "" {
		open, end = "<ol>", "</ol>"
		if number != "1" {
			open = fmt.Sprintf("<ol start=\"%s\">", number)
		}
	}
	b.WriteString(open + "\n")
	for _, item := range items {
		b.WriteString("<li>")
		p.blocks(b, item, depth+1, !loose)
		b.WriteString("</li>\n")
	}
	b.WriteString(end + "\n")
	return n
}

// itemLines returns the lines of the first item without their indent and the
// empty lines after them, and how many lines it takes with those.
func (p *prose) itemLines(lines []string, m []string) (item []string, used int) {
	indent := len(m[1]) + len(m[2]) + 1
	if n := len(m[3]); 0 < n && n <= 4 {
		indent += n - 1
	}
	item, end, n := []string{m[4]}, 1, 1
	for ; n < len(lines); n++ {
		line := lines[n]
		switch {
		case strings.TrimSpace(line) == "":
			item = append(item, "")
			continue
		case len(line)-len(strings.TrimLeft(line, " ")) >= indent || line[0] == '\t':
			item = append(item, dedent(line, indent))
		case end == n && p.continues(line) && !p.item.MatchString(line):
			item = append(item, strings.TrimLeft(line, " ")) // the paragraph goes on
		default:
			return item[:end], n
		}
		end = len(item)
	}
	return item[:end], n
}

// isTable reports whether a table begins here: a row over a line that divides
// as many columns.
func (p *prose) isTable(lines []string) bool {
	return len(lines) > 1 && strings.Contains(lines[0], "|") && strings.Contains(lines[1], "|") &&
		p.columns.MatchString(lines[1]) && len(splitRow(lines[0])) == len(splitRow(lines[1]))
}

func (p *prose) table(b *bufio.Writer, lines []string) int {
	head, rule := splitRow(lines[0]), splitRow(lines[1])
	align := make([]string, len(rule))
	for i, cell := range rule {
		left, right := strings.HasPrefix(cell, ":"), strings.HasSuffix(cell, ":")
		switch {
		case left && right:
			align[i] = ` style="text-align:center"`
		case right:
			align[i] = ` style="text-align:right"`
		case left:
			align[i] = ` style="text-align:left"`
		}
	}
	b.WriteString("<div class=\"ds-table\" tabindex=\"0\"><table>\n<thead><tr>")
	for i, cell := range head {
		fmt.Fprintf(b, "<th scope=\"col\"%s>%s</th>", align[i], p.inline(cell))
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	n := 2
	for ; n < len(lines) && strings.TrimSpace(lines[n]) != "" && strings.Contains(lines[n], "|"); n++ {
		b.WriteString("<tr>")
		for i, cell := range splitRow(lines[n]) {
			if i < len(align) {
				fmt.Fprintf(b, "<td%s>%s</td>", align[i], p.inline(cell))
			}
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n</table></div>\n")
	return n
}

// splitRow returns the cells of a row of a table.
func splitRow(line string) []string {
	line = strings.TrimPrefix(strings.TrimSpace(line), "|")
	var cells []string
	var cell strings.Builder
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line) && line[i+1] == '|':
			cell.WriteByte('|')
			i++
		case line[i] == '|':
			cells = append(cells, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(line[i])
		}
	}
	if rest := strings.TrimSpace(cell.String()); rest != "" {
		cells = append(cells, rest)
	}
	return cells
}

// paragraph writes lines up to where another block begins. A line of = or -
// below makes it a heading.
func (p *prose) paragraph(b *bufio.Writer, lines []string, depth int, tight bool) int {
	n := 1
	for n < len(lines) && !p.underline.MatchString(lines[n]) && (p.continues(lines[n]) || depth >= deepest && strings.TrimSpace(lines[n]) != "") {
		n++
	}
	text := make([]string, n)
	for i, line := range lines[:n] {
		text[i] = strings.TrimLeft(line, " \t")
	}
	body := strings.TrimRight(strings.Join(text, "\n"), " \t")
	switch {
	case n < len(lines) && p.underline.MatchString(lines[n]):
		level := 2
		if strings.Contains(lines[n], "=") {
			level = 1
		}
		p.heading(b, level, strings.ReplaceAll(body, "\n", " "))
		return n + 1
	case tight:
		b.WriteString(p.inline(body) + "\n")
	default:
		b.WriteString("<p>" + p.inline(body) + "</p>\n")
	}
	return n
}
