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
// they are put into. Chart and table stand side by side where there is room.
const HTMLStyle = chartStyle +
	`.ds-output{--ds-ink:#1f2328;--ds-soft:#59636e;--ds-line:#d1d9e0;--ds-wash:#f6f8fa;--ds-paper:#fff;--ds-shade:#59636e66;--ds-bar:#0072b2;margin:2.25rem 0;color:var(--ds-ink)}` +
	`@media(prefers-color-scheme:dark){.ds-output{--ds-ink:#e6edf3;--ds-soft:#9198a1;--ds-line:#3d444d;--ds-wash:#151b23;--ds-paper:#0d1117;--ds-shade:#9198a188;--ds-bar:#56b4e9}}` +
	`.ds-title{font-size:1.1rem;line-height:1.4;margin:0 0 .75rem;overflow-wrap:anywhere}.ds-title small{font-weight:400;color:var(--ds-soft)}` +
	`.ds-body{display:flex;flex-wrap:wrap;gap:1rem 2.5rem;align-items:flex-start}` +
	`.ds-body figure{flex:1 1 20rem;min-width:0;max-width:32rem;margin:0}.ds-body figure.ds-wide{flex-basis:100%;max-width:46rem}` +
	`.ds-output svg{display:block;width:100%;height:auto}` +
	// What is wider than the window scrolls, and a shadow at its edge tells so.
	`.ds-scroll,.ds-heat{overflow-x:auto;background:linear-gradient(90deg,var(--ds-paper) 40%,transparent) 0 0/3rem 100% no-repeat local,` +
	`linear-gradient(270deg,var(--ds-paper) 40%,transparent) 100% 0/3rem 100% no-repeat local,` +
	`linear-gradient(90deg,var(--ds-shade),transparent) 0 0/.9rem 100% no-repeat scroll,` +
	`linear-gradient(270deg,var(--ds-shade),transparent) 100% 0/.9rem 100% no-repeat scroll}` +
	`.ds-scroll{flex:0 1 auto;min-width:0;max-width:100%}.ds-output .ds-heat svg{min-width:30rem}.ds-output .ds-heat.ds-wide svg{min-width:40rem}` +
	`.ds-output .ds-share{width:8rem;padding-right:0}.ds-share div{height:.7rem;background:var(--ds-bar)}.ds-output thead .ds-share{border-bottom:1px solid var(--ds-line)}` +
	`.ds-output table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92rem;line-height:1.35}` +
	`.ds-output caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}` +
	`.ds-output th,.ds-output td{padding:.2rem .55rem;text-align:right;border-bottom:1px solid var(--ds-line)}` +
	`.ds-output td{white-space:nowrap}.ds-output thead th{background:var(--ds-wash)}.ds-output tbody th{font-weight:600;position:sticky;left:0;background:var(--ds-paper)}` +
	`.ds-output th.ds-label{text-align:left}.ds-output thead th:first-child{position:sticky;left:0}` +
	`.ds-output tbody tr:hover>*{background:var(--ds-wash)}.ds-output p{margin:0;overflow-wrap:anywhere}` +
	`.ds-text{margin:0;overflow-x:auto;font:.9rem/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}` +
	`@media(max-width:30rem){.ds-output .ds-share{display:none}.ds-output table{font-size:.85rem}.ds-output th,.ds-output td{padding:.2rem .4rem}}`

const pageStyle = `:root{color-scheme:light dark}` +
	`body{margin:0;font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;background:#fff;color:#1f2328;-webkit-text-size-adjust:100%}` +
	`main{box-sizing:border-box;max-width:62rem;margin:0 auto;padding:1.5rem 1rem 4rem}` +
	`h1{font-size:1.6rem;line-height:1.25;overflow-wrap:anywhere}` +
	`.ds-inputs{list-style:none;margin:1rem 0;padding:0;color:#59636e}.ds-inputs b{color:#1f2328;overflow-wrap:anywhere}` +
	`.ds-failure{border:1px solid #cf222e;border-left-width:6px;padding:.6rem 1rem;margin:2rem 0;overflow-wrap:anywhere}` +
	`@media(prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}.ds-inputs{color:#9198a1}.ds-inputs b{color:#e6edf3}.ds-failure{border-color:#f85149}}`

// policy lets a page have its own styles and nothing else: whatever it holds,
// it requests nothing and runs nothing.
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

// renderHTML writes r as one self-contained page.
func renderHTML(w io.Writer, r *lang.Result, o Options) error {
	s := newSheet(r, o)
	return flushed(w, o, func(b *bufio.Writer) error {
		title := s.pageTitle()
		openPage(b, title, "")
		fmt.Fprintf(b, "<h1>%s</h1>\n", htmlText(title))
		if r != nil {
			writeInputs(b, r.Params)
		}
		err := writeHTML(b, s, s.all())
		for _, note := range s.notes {
			fmt.Fprintf(b, "<p>Note: %s</p>\n", htmlText(note))
		}
		if all := o.failures(); len(all) > 0 {
			writeHTMLFailure(b, all[0])
		}
		closePage(b)
		return err
	})
}

func (s *sheet) pageTitle() string {
	if s.o.Title == "" {
		return "dicescript"
	}
	return visible(s.o.Title)
}

// openPage writes a page up to what it is about; style is added to its styles.
func openPage(b *bufio.Writer, title, style string) {
	fmt.Fprintf(b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"+
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"+
		"<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n"+
		"<title>%s</title>\n<style>%s</style>\n</head>\n<body>\n<main>\n", policy, htmlText(title), pageStyle+HTMLStyle+style)
}

func closePage(b *bufio.Writer) { b.WriteString("</main>\n</body>\n</html>\n") }

// writeInputs lists the inputs of a run.
func writeInputs(b *bufio.Writer, params []lang.ParamValue) {
	if len(params) == 0 {
		return
	}
	b.WriteString("<ul class=\"ds-inputs\" aria-label=\"Inputs\">\n")
	for _, p := range params {
		fmt.Fprintf(b, "<li><b>%s</b>", htmlText(inputText(p)))
		if p.Help != "" {
			b.WriteString(htmlText(separator + visible(p.Help)))
		}
		b.WriteString("</li>\n")
	}
	b.WriteString("</ul>\n")
}

// inputText is one input as it was set.
func inputText(p lang.ParamValue) string { return visible(fmt.Sprintf("%s = %v", p.Name, p.Value)) }

func writeHTMLFailure(b *bufio.Writer, e *lang.Error) {
	fmt.Fprintf(b, "<p class=\"ds-failure\" role=\"alert\">%s</p>\n", htmlText(failureText(e)))
}

// failureText tells where a run failed, and why.
func failureText(e *lang.Error) string { return visible(e.Error()) }

func writeHTML(b *bufio.Writer, s *sheet, places []int) error {
	for len(places) > 0 {
		if n := s.singles(places); n > 1 {
			s.writeSingles(b, places[:n])
			places = places[n:]
			continue
		}
		s.writeSection(b, places[0])
		places = places[1:]
	}
	return nil
}

func (s *sheet) writeSection(b *bufio.Writer, place int) {
	t, id := s.table(place), chartID(place)
	fmt.Fprintf(b, "<section class=\"ds-output\" aria-labelledby=\"%[1]s-h\">\n<h%[4]d class=\"ds-title\" id=\"%[1]s-h\">%[2]s <small>%[3]s</small></h%[4]d>\n",
		id, htmlText(t.title), htmlText(separator[1:]+t.caption()), s.heading)
	b.WriteString("<div class=\"ds-body\">\n")
	if c := s.chart(place); c != nil {
		class := ""
		switch {
		case c.heat && c.width > chartWidth:
			class = ` class="ds-wide ds-heat" tabindex="0"`
		case c.heat:
			class = ` class="ds-heat" tabindex="0"`
		case c.width > chartWidth:
			class = ` class="ds-wide"`
		}
		fmt.Fprintf(b, "<figure%s>%s</figure>\n", class, c.svg(id, ""))
	}
	switch {
	case t.manyLines():
		fmt.Fprintf(b, "<pre class=\"ds-text\" tabindex=\"0\">%s</pre>\n", htmlText(t.text))
	case t.kind == paragraph:
		fmt.Fprintf(b, "<p>%s</p>\n", htmlText(t.text))
	default:
		writeHTMLTable(b, t)
	}
	b.WriteString("</div>\n</section>\n")
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
