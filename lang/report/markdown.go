// Markdown: a caption line and a pipe table for each output.

package report

import (
	"bufio"
	"io"

	"dicescript/lang"
)

// renderMarkdown writes r as pipe tables under captions.
func renderMarkdown(w io.Writer, r *lang.Result, o Options) error {
	s := newSheet(r, o)
	return flushed(w, o, func(b *bufio.Writer) error {
		err := writeMarkdown(b, s, s.all())
		for _, note := range s.notes {
			b.WriteString("\nNote: " + markdownText(note) + "\n")
		}
		return err
	})
}

func writeMarkdown(b *bufio.Writer, s *sheet, places []int) error {
	for i, place := range places {
		if i > 0 {
			b.WriteByte('\n')
		}
		writeMarkdownTable(b, s.table(place))
	}
	return nil
}

func writeMarkdownTable(b *bufio.Writer, t table) {
	b.WriteString(markdownLine(t.title))
	for _, note := range t.notes {
		b.WriteString(separator + markdownText(note))
	}
	b.WriteString("\n\n")
	if t.manyLines() {
		b.WriteString(markdownFence("text", t.text))
		return
	}
	if t.kind == paragraph {
		b.WriteString(markdownLine(t.text) + "\n")
		return
	}
	writePipes(b, t.head)
	b.WriteByte('|')
	for range t.head {
		b.WriteString("---|")
	}
	b.WriteByte('\n')
	for r := range t.rows {
		writePipes(b, append([]string{r.label}, r.cells...))
	}
}

func writePipes(b *bufio.Writer, cells []string) {
	b.WriteByte('|')
	for _, cell := range cells {
		b.WriteString(" " + markdownText(cell) + " |")
	}
	b.WriteByte('\n')
}
