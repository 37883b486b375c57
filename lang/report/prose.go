// The prose of a document as html. Documents come from strangers, so html in
// them is shown as text, images become links, for a page requests nothing, and
// links lead to the web, to a mail address or to a place beside the page.
//
// Prose is CommonMark with tables, read by goldmark: each stretch between the
// programs and results of a document by itself. Goldmark can't be interrupted,
// and in the worst case its time grows with the square of a text or faster. So a
// stretch is only so long, nests only so deep and has only so many brackets that
// it takes a moment, and the context is looked at before each.

package report

import (
	"bufio"
	"bytes"
	"fmt"
	"net/url"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extended "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	write "github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

const proseStyle = `main>p,main>ul,main>ol,main>blockquote,main>h1,main>h2,main>h3{max-width:44rem}` +
	`h2{font-size:1.3rem;margin:2.2rem 0 .8rem}h3{font-size:1.1rem}a{color:#0969da}` +
	`main pre.ds-code{overflow-x:auto;padding:.8rem 1rem;border-radius:6px;background:#f6f8fa;line-height:1.45}` +
	`main pre.ds-plain{white-space:pre-wrap;overflow-wrap:anywhere}` +
	`code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9rem}` +
	`blockquote{margin:1rem 0;padding:0 1rem;border-left:4px solid #d1d9e0;color:#59636e}` +
	`.ds-table{overflow-x:auto}.ds-table table{border-collapse:collapse}.ds-table th,.ds-table td{padding:.25rem .6rem;border:1px solid #d1d9e0}` +
	`hr{border:0;border-top:1px solid #d1d9e0}` +
	`@media(prefers-color-scheme:dark){a{color:#4493f8}main pre.ds-code{background:#151b23}blockquote{border-color:#3d444d;color:#9198a1}` +
	`hr,.ds-table th,.ds-table td{border-color:#3d444d}}`

const (
	longestStretch = 16 << 10 // bytes; what is longer is shown as plain text
	deepestBlock   = 12       // blocks inside each other: six lists of items; what is deeper is text
	mostBrackets   = 500      // opening brackets in a stretch that may begin a link
	mostTableCells = 10_000   // cells of a table, whose short rows are filled up; a larger one is text
)

// A prose reads the stretches of one document.
type prose struct {
	o     Options
	md    goldmark.Markdown
	links map[string]parser.Reference // defined anywhere in the document, by folded label
}

// A stretch is prose between programs and results.
type stretch struct {
	source []byte
	root   ast.Node // nil for one that is shown as plain text
}

// newProse reads the link definitions of a document, given in its stretches.
func newProse(o Options, texts []string) *prose {
	p := &prose{o: o, md: goldmark.New(
		goldmark.WithParser(newProseParser()),
		goldmark.WithRendererOptions(write.WithNodeRenderers(
			util.Prioritized(proseRenderer{}, 1), util.Prioritized(extension.NewTableHTMLRenderer(), 500))),
	), links: map[string]parser.Reference{}}
	definitions := parser.NewParser(parser.WithBlockParsers(proseBlocks()...), parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...))
	for _, text := range texts {
		if strings.Contains(text, "]:") {
			p.parse(definitions, text)
		}
	}
	return p
}

func newProseParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(proseBlocks()...),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(fewLinks{parser.NewLinkParser()}, 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewRawHTMLParser(), 400),
			util.Prioritized(parser.NewEmphasisParser(), 500)),
		parser.WithParagraphTransformers(
			util.Prioritized(parser.LinkReferenceParagraphTransformer, 100),
			util.Prioritized(smallTables{extension.NewTableParagraphTransformer()}, 200)),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
}

func proseBlocks() []util.PrioritizedValue {
	return []util.PrioritizedValue{
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(shallow{parser.NewListParser()}, 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(shallow{parser.NewBlockquoteParser()}, 800),
		util.Prioritized(parser.NewHTMLBlockParser(), 900),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	}
}

// shallow begins lists and quotations only so deep.
type shallow struct{ parser.BlockParser }

func (s shallow) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if len(pc.OpenedBlocks()) >= deepestBlock {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, r, pc)
}

// fewLinks takes brackets beyond so many for text.
type fewLinks struct{ parser.InlineParser }

var bracketsKey = parser.NewContextKey()

func (l fewLinks) Parse(parent ast.Node, r text.Reader, pc parser.Context) ast.Node {
	if line, _ := r.PeekLine(); line[0] != ']' {
		n, _ := pc.Get(bracketsKey).(int)
		if n >= mostBrackets {
			return nil
		}
		pc.Set(bracketsKey, n+1)
	}
	return l.InlineParser.Parse(parent, r, pc)
}

// CloseBlock ends the links of a block.
func (l fewLinks) CloseBlock(parent ast.Node, r text.Reader, pc parser.Context) {
	l.InlineParser.(parser.CloseBlocker).CloseBlock(parent, r, pc)
}

// smallTables makes tables of paragraphs, but not of those that it would make
// much larger than they are.
type smallTables struct{ parser.ParagraphTransformer }

func (t smallTables) Transform(n *ast.Paragraph, r text.Reader, pc parser.Context) {
	widest := 0
	for _, line := range n.Lines().Sliced(0, n.Lines().Len()) {
		widest = max(widest, bytes.Count(line.Value(r.Source()), []byte{'|'})+1)
	}
	if widest*n.Lines().Len() <= mostTableCells {
		t.ParagraphTransformer.Transform(n, r, pc)
	}
}

// definedLinks is the context of a stretch with the definitions of the document.
type definedLinks struct {
	parser.Context
	links map[string]parser.Reference
}

func (d definedLinks) AddReference(r parser.Reference) {
	label := util.ToLinkReference(r.Label())
	if _, ok := d.links[label]; !ok {
		d.links[label] = r
	}
}

func (d definedLinks) Reference(label string) (parser.Reference, bool) {
	r, ok := d.links[label]
	return r, ok
}

// read takes a stretch apart.
func (p *prose) read(raw string) stretch { return p.parse(p.md.Parser(), raw) }

func (p *prose) parse(by parser.Parser, raw string) stretch {
	p.o.look()
	s := stretch{source: []byte(visibleCode(raw))}
	if len(s.source) <= longestStretch {
		s.root = by.Parse(text.NewReader(s.source), parser.WithContext(definedLinks{parser.NewContext(), p.links}))
	}
	return s
}

// write writes a stretch as html.
func (p *prose) write(b *bufio.Writer, s stretch) error {
	p.o.look()
	if s.root == nil {
		fmt.Fprintf(b, "<pre class=\"ds-plain\">%s</pre>\n", htmlText(strings.Trim(string(s.source), "\n")))
		return nil
	}
	var out bytes.Buffer
	if err := p.md.Renderer().Render(&out, s.source, s.root); err != nil {
		return err
	}
	// Character references may stand for what must not be shown as it is.
	b.WriteString(visibleBut(out.String(), "\n\t"))
	return nil
}

// headings yields the headings of a stretch.
func (s stretch) headings(yield func(*ast.Heading) bool) {
	if s.root == nil {
		return
	}
	for n := s.root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && !yield(h) {
			return
		}
	}
}

// plain is the text below a node, without markup.
func plain(n ast.Node, source []byte) string {
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	writePlain(w, n, source)
	w.Flush()
	return visible(strings.TrimSpace(string(util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(b.Bytes()))))))
}

func writePlain(w *bufio.Writer, n ast.Node, source []byte) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			w.Write(c.Value(source))
			if c.SoftLineBreak() || c.HardLineBreak() {
				w.WriteByte(' ')
			}
		case *ast.String:
			w.Write(c.Value)
		case *ast.AutoLink:
			w.Write(c.Label(source))
		case *ast.RawHTML:
			w.WriteString(rawText(c.Segments, source))
		default:
			writePlain(w, c, source)
		}
	}
}

// A proseRenderer writes what goldmark would write in another way.
type proseRenderer struct{}

// RegisterFuncs tells goldmark what the renderer writes.
func (proseRenderer) RegisterFuncs(reg write.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindLink, renderLink)
	reg.Register(ast.KindImage, renderImage)
	reg.Register(ast.KindAutoLink, renderAutoLink)
	reg.Register(ast.KindRawHTML, renderRawHTML)
	reg.Register(ast.KindHTMLBlock, renderHTMLBlock)
	reg.Register(ast.KindFencedCodeBlock, renderCode)
	reg.Register(ast.KindCodeBlock, renderCode)
	reg.Register(extended.KindTable, renderProseTable)
	reg.Register(extended.KindTableCell, renderTableCell)
}

// openLink begins a link, when it leads to where links may. References of
// characters in it are resolved, so that what is looked at is where it leads.
func openLink(w util.BufWriter, to []byte, mail bool) bool {
	href := string(util.URLEscape(to, true))
	if mail && !strings.HasPrefix(strings.ToLower(href), "mailto:") {
		href = "mailto:" + href
	}
	u, err := url.Parse(href)
	if err != nil || href == "" {
		return false
	}
	switch strings.ToLower(u.Scheme) {
	case "", "http", "https", "mailto":
	default:
		return false
	}
	fmt.Fprintf(w, `<a href="%s" rel="nofollow noopener noreferrer">`, htmlText(href))
	return true
}

// linked reports whether a link may be opened for n: none stands in another.
func linked(w util.BufWriter, n ast.Node, to []byte, mail bool) bool {
	for a := n.Parent(); a != nil; a = a.Parent() {
		if a.Kind() == ast.KindLink || a.Kind() == ast.KindImage {
			return false
		}
	}
	return openLink(w, to, mail)
}

func renderLink(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	return anchor(w, n, entering, n.(*ast.Link).Destination)
}

// renderImage writes a link to an image, with what describes it.
func renderImage(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	return anchor(w, n, entering, n.(*ast.Image).Destination)
}

// opened marks the links that have been opened, and must be closed.
var opened = []byte("opened")

// anchor writes the begin and the end of a link.
func anchor(w util.BufWriter, n ast.Node, entering bool, to []byte) (ast.WalkStatus, error) {
	switch _, open := n.Attribute(opened); {
	case entering && linked(w, n, to, false):
		n.SetAttribute(opened, true)
	case open:
		w.WriteString("</a>")
	}
	return ast.WalkContinue, nil
}

func renderAutoLink(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.AutoLink)
	label := htmlText(string(n.Label(source)))
	switch {
	case linked(w, n, n.URL(source), n.AutoLinkType == ast.AutoLinkEmail):
		w.WriteString(label + "</a>")
	default:
		w.WriteString("&lt;" + label + "&gt;")
	}
	return ast.WalkContinue, nil
}

// Html is shown as text, but for comments, which no reader sees.
func renderRawHTML(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if s := rawText(node.(*ast.RawHTML).Segments, source); entering && !strings.HasPrefix(s, "<!--") {
		w.WriteString(htmlText(s))
	}
	return ast.WalkSkipChildren, nil
}

func rawText(segments *text.Segments, source []byte) string { return string(segments.Value(source)) }

func renderHTMLBlock(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.HTMLBlock)
	s := rawText(n.Lines(), source)
	if n.HasClosure() {
		s += string(n.ClosureLine.Value(source))
	}
	if n.HTMLBlockType == ast.HTMLBlockType2 {
		_, s, _ = strings.Cut(s, "-->")
	}
	if s = strings.TrimSpace(s); s != "" {
		w.WriteString("<p>" + htmlText(s) + "</p>\n")
	}
	return ast.WalkContinue, nil
}

func renderCode(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		fmt.Fprintf(w, codeElement, htmlText(rawText(n.Lines(), source)))
	}
	return ast.WalkSkipChildren, nil
}

const codeElement = "<pre class=\"ds-code\" tabindex=\"0\"><code>%s</code></pre>\n"

// renderProseTable writes a table that scrolls where it is too wide.
func renderProseTable(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		w.WriteString("<div class=\"ds-table\" tabindex=\"0\"><table>\n")
	} else {
		w.WriteString("</table></div>\n")
	}
	return ast.WalkContinue, nil
}

func renderTableCell(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*extended.TableCell)
	tag, scope := "td", ""
	if n.Parent().Kind() == extended.KindTableHeader {
		tag, scope = "th", ` scope="col"`
	}
	if !entering {
		w.WriteString("</" + tag + ">\n")
		return ast.WalkContinue, nil
	}
	align := ""
	if n.Alignment != extended.AlignNone {
		align = ` style="text-align:` + n.Alignment.String() + `"`
	}
	w.WriteString("<" + tag + scope + align + ">")
	return ast.WalkContinue, nil
}
