// HTML: one self-contained page, with a chart beside the exact table of each
// output. It loads nothing and runs no script.

package report

import (
	"bufio"
	"fmt"
	"io"

	"dicescript/lang"
)

// HTMLStyle is the style sheet of html fragments, for the head of the page that
// they are put into.
const HTMLStyle = chartStyle +
	`.ds-output{--ds-ink:#1f2328;--ds-soft:#59636e;--ds-line:#d1d9e0;--ds-wash:#f6f8fa;margin:2.5rem 0;color:var(--ds-ink)}` +
	`@media(prefers-color-scheme:dark){.ds-output{--ds-ink:#e6edf3;--ds-soft:#9198a1;--ds-line:#3d444d;--ds-wash:#151b23}}` +
	`.ds-output h2{font-size:1.15rem;margin:0 0 .6rem;overflow-wrap:anywhere}.ds-output h2 small{font-weight:400;color:var(--ds-soft)}` +
	`.ds-output figure{margin:0 0 1rem}.ds-output svg{max-width:100%;height:auto}` +
	`.ds-scroll{overflow-x:auto}` +
	`.ds-output table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92rem}` +
	`.ds-output caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}` +
	`.ds-output th,.ds-output td{padding:.2rem .5rem;text-align:right;border-bottom:1px solid var(--ds-line)}` +
	`.ds-output thead th{background:var(--ds-wash)}.ds-output tbody th{font-weight:600}.ds-output th.ds-label{text-align:left}` +
	`.ds-output tbody tr:hover{background:var(--ds-wash)}.ds-output p{overflow-wrap:anywhere}`

const pageStyle = `:root{color-scheme:light dark}` +
	`body{margin:0 auto;max-width:46rem;padding:1.5rem 1rem 4rem;font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;background:#fff;color:#1f2328}` +
	`h1{font-size:1.5rem;overflow-wrap:anywhere}.ds-inputs{color:#59636e}` +
	`.ds-failure{border:1px solid #cf222e;border-left-width:6px;padding:.6rem 1rem;margin:2rem 0;overflow-wrap:anywhere}` +
	`@media(prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}.ds-inputs{color:#9198a1}.ds-failure{border-color:#f85149}}`

// HTML writes r as one self-contained page.
func HTML(w io.Writer, r *lang.Result, o Options) error {
	s := newSheet(r, o)
	return flushed(w, func(b *bufio.Writer) error {
		title := visible(o.Title)
		if title == "" {
			title = "dicescript"
		}
		fmt.Fprintf(b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"+
			"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"+
			"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"+
			"<title>%[1]s</title>\n<style>%[2]s%[3]s</style>\n</head>\n<body>\n<main>\n<h1>%[1]s</h1>\n", htmlText(title), pageStyle, HTMLStyle)
		if r != nil {
			writeInputs(b, r.Params)
		}
		err := writeHTML(b, s, s.all())
		if o.Failure != nil {
			writeHTMLFailure(b, o.Failure)
		}
		b.WriteString("</main>\n</body>\n</html>\n")
		return err
	})
}

func writeInputs(b *bufio.Writer, params []lang.ParamValue) {
	if len(params) == 0 {
		return
	}
	b.WriteString(`<p class="ds-inputs">`)
	for i, p := range params {
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(htmlText(visible(fmt.Sprintf("%s = %v", p.Name, p.Value))))
	}
	b.WriteString("</p>\n")
}

func writeHTMLFailure(b *bufio.Writer, e *ErrorInfo) {
	place := e.File
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
	}
	if place != "" {
		place += ": "
	}
	fmt.Fprintf(b, "<p class=\"ds-failure\" role=\"alert\">%s</p>\n", htmlText(visible(place+e.Message)))
}

func writeHTML(b *bufio.Writer, s *sheet, places []int) error {
	for _, place := range places {
		s.writeSection(b, place)
	}
	return nil
}

func (s *sheet) writeSection(b *bufio.Writer, place int) {
	t, id := s.table(place), chartID(place)
	fmt.Fprintf(b, "<section class=\"ds-output\" aria-labelledby=\"%[1]s-h\">\n<h2 id=\"%[1]s-h\">%[2]s <small>%[3]s</small></h2>\n",
		id, htmlText(t.title), htmlText(separator[1:]+t.caption()))
	if c := s.chart(place); c != nil {
		fmt.Fprintf(b, "<figure>%s</figure>\n", c.svg(id, ""))
	}
	if t.kind == paragraph {
		fmt.Fprintf(b, "<p>%s</p>\n", htmlText(t.text))
	} else {
		writeHTMLTable(b, t)
	}
	b.WriteString("</section>\n")
}

func writeHTMLTable(b *bufio.Writer, t table) {
	fmt.Fprintf(b, "<div class=\"ds-scroll\" tabindex=\"0\"><table>\n<caption>%s</caption>\n<thead><tr>", htmlText(t.title+separator+t.caption()))
	for i, head := range t.head {
		class := ""
		if i == 0 && t.kind != columns {
			class = ` class="ds-label"`
		}
		fmt.Fprintf(b, `<th scope="col"%s>%s</th>`, class, htmlText(head))
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for r := range t.rows {
		class := ` class="ds-label"`
		if r.numeric {
			class = ""
		}
		fmt.Fprintf(b, `<tr><th scope="row"%s>%s</th>`, class, htmlText(r.label))
		for _, cell := range r.cells {
			b.WriteString("<td>" + htmlText(cell) + "</td>")
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n</table></div>\n")
}
