// Prose as html: what markdown means, what stays text, and how long it takes.

package report

import (
	"bufio"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

func proseHTML(s string) string {
	var out bytes.Buffer
	b := bufio.NewWriter(&out)
	p := newProse(Options{}, []string{s})
	if err := p.write(b, p.read(s)); err != nil {
		panic(err)
	}
	b.Flush()
	return out.String()
}

func TestProse(t *testing.T) {
	link := func(to, text string) string {
		return `<a href="` + to + `" rel="nofollow noopener noreferrer">` + text + `</a>`
	}
	for _, c := range []struct{ markdown, want string }{
		{"a\nb", "<p>a\nb</p>\n"},
		{"a  \nb\\\nc", "<p>a<br>\nb<br>\nc</p>\n"},
		{"# One *two*\n## Three ##\ntext", "<h1>One <em>two</em></h1>\n<h2>Three</h2>\n<p>text</p>\n"},
		{"Title\n=====\nSub\n---\n\n---", "<h1>Title</h1>\n<h2>Sub</h2>\n<hr>\n"},
		{"*a* **b** ***c*** _d_ snake_case_name 2*3*4", "<p><em>a</em> <strong>b</strong> <em><strong>c</strong></em> <em>d</em> snake_case_name 2<em>3</em>4</p>\n"},
		{"**a *b** c*", "<p><em><em>a <em>b</em></em> c</em></p>\n"},
		{"`2d6 < *7*` and ``a`b``, `open", "<p><code>2d6 &lt; *7*</code> and <code>a`b</code>, `open</p>\n"},
		{`\*a\* &ndash; &amp; R&D <b>`, "<p>*a* – &amp; R&amp;D &lt;b&gt;</p>\n"},
		{"- a\n- b\n  - c\n\ntext", "<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n<p>text</p>\n"},
		{"3. a\n\n4. b", "<ol start=\"3\">\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ol>\n"},
		{"The roll\n2. is not a list, and\n-5 is a number", "<p>The roll\n2. is not a list, and\n-5 is a number</p>\n"},
		{"> a\n> b\nc", "<blockquote>\n<p>a\nb\nc</p>\n</blockquote>\n"},
		{"~~~\n<x>\n~~~\n\n    code", "<pre class=\"ds-code\" tabindex=\"0\"><code>&lt;x&gt;\n</code></pre>\n<pre class=\"ds-code\" tabindex=\"0\"><code>code\n</code></pre>\n"},
		{"|a|b|\n|-|-:|\n|1|`x\\|y`|\n\nend", "<div class=\"ds-table\" tabindex=\"0\"><table>\n<thead>\n<tr>\n<th scope=\"col\">a</th>\n<th scope=\"col\" style=\"text-align:right\">b</th>\n</tr>\n</thead>\n" +
			"<tbody>\n<tr>\n<td>1</td>\n<td style=\"text-align:right\"><code>x|y</code></td>\n</tr>\n</tbody>\n</table></div>\n<p>end</p>\n"},
		{"[a *b*](https://x.org/?q=1&r=2 \"t\") <https://y.org> <me@x.org>", "<p>" + link("https://x.org/?q=1&amp;r=2", "a <em>b</em>") + " " + link("https://y.org", "https://y.org") + " " + link("mailto:me@x.org", "me@x.org") + "</p>\n"},
		{"[one][Two] [two] [three]\n\n[TWO]: house.md", "<p>" + link("house.md", "one") + " " + link("house.md", "two") + " [three]</p>\n"},
		{"![a die](die.png)", "<p>" + link("die.png", "a die") + "</p>\n"},
		{"[a](javascript:alert(1)) [b](data:text/html,x) <javascript:alert(1)> [c](java&#x0A;script:x) [d](javascript&colon;x) [e](//x.org)", "<p>a b &lt;javascript:alert(1)&gt; c d " + link("//x.org", "e") + "</p>\n"},
		{"a <!-- hidden --> b\n\n<!--\nhidden\n-->\nc <script>alert(1)</script>", "<p>a  b</p>\n<p>c &lt;script&gt;alert(1)&lt;/script&gt;</p>\n"},
		{"a\x1bb\u202e", `<p>a\x1bb\u202e</p>` + "\n"},
	} {
		if got := proseHTML(c.markdown); got != c.want {
			t.Errorf("%q is\n%swant\n%s", c.markdown, got, c.want)
		}
	}
}

// hostileProse is text that is hard for readers of markdown.
func hostileProse(n int) map[string]string {
	repeat := func(s string) string { return strings.Repeat(s, n/len(s)) }
	fill := func(line func(i int) string) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			b.WriteString(line(i))
		}
		return b.String()[:n]
	}
	all := map[string]string{
		"nested":    fill(func(i int) string { return strings.Repeat(" ", 2*i) + "- a\n" }),
		"stairs":    fill(func(i int) string { return strings.Repeat(" ", 2*(i%200)) + "- a\n" }),
		"ticks":     fill(func(i int) string { return strings.Repeat("`", i+1) + "a" }),
		"labels":    fill(func(i int) string { return "[a" + strconv.Itoa(i) + "]: b\n" }),
		"brackets":  strings.Repeat("[", n/2) + strings.Repeat("](a)", n/8),
		"links":     strings.Repeat("[", n/8) + strings.Repeat("](b)", n/8),
		"images":    strings.Repeat("![", n/8) + strings.Repeat("](b)", n/8),
		"marks":     strings.Repeat("*a ", n/6) + strings.Repeat("a_ ", n/6),
		"strong":    strings.Repeat("*", n/2) + "a" + strings.Repeat("*", n/2-1),
		"quoted":    strings.Repeat(">", n/2) + "a\n" + strings.Repeat("b\n", n/4),
		"quotation": strings.Repeat("> - ", n/8) + "a\n" + strings.Repeat(">\n", n/4),
		"blank":     strings.Repeat("- ", n/4) + "a\n" + strings.Repeat("\n", n/2),
		"goes on":   strings.Repeat("- ", n/4) + "a\n" + strings.Repeat("b\n", n/4),
		"numbered":  strings.Repeat("1) ", n/6) + "\n" + strings.Repeat("\t\n", n/4),
		"table":     "|a|b|\n|-|-|\n" + repeat("|a"),
		"columns":   repeat("|") + "\n" + repeat("|-") + "\n",
		"wide":      "|" + strings.Repeat("a|", n/6) + "\n|" + strings.Repeat("-|", n/6) + "\n" + strings.Repeat("|\n", n/6),
	}
	for _, s := range []string{"[", "[a](", "*a **b ", "> ", ">", "- ", "`a``b", "[a]: b\n\n", "[a](<b", "<a ", "<!--", "_a__", "![", "&#x3;", "<![CDATA[", "a\n", "> - 1. ",
		"~~~\n", "\\", "[a", "***a", "\t-\t", "- a\n\n", "a|", "=\n", "[a][", "  \n", "1. a\n", "> a\nb\n", "a**b*c_d__e", "a**bc* ", "|a\n|-\n", "a\n=\n", "<?", "[a](b)", "[a]:b\n", "![a][]"} {
		all[s] = repeat(s)
	}
	return all
}

// A document ends with its context, and is not many times longer as a page.
func TestProseEndsWithTheContext(t *testing.T) {
	for name, s := range hostileProse(longestStretch) {
		document := "# Title\n\n" + s + "\n\n```\noutput(1)\n```\n"
		ctx := &countedContext{Context: context.Background(), left: 2}
		if err := Weave(ctx, io.Discard, "html", []byte(document), nil, Options{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%.20q: %v", name, err)
		}
		if n := len(proseHTML(s)); n > 100*len(s) {
			t.Errorf("%.20q: %d bytes of html for %d", name, n, len(s))
		}
	}
}

// No stretch takes long, whatever is in it: goldmark can't be interrupted while
// it reads one, and a document has sixteen of the longest. That is a matter of
// time, which tests that run everywhere do not ask about.
func TestProseTakesAMoment(t *testing.T) {
	if os.Getenv("DICESCRIPT_TESTS") != "all" {
		t.Skip("measures time: DICESCRIPT_TESTS=all")
	}
	for name, s := range hostileProse(longestStretch) {
		s = s[:min(len(s), longestStretch)]
		took := time.Hour
		for range 5 { // a busy machine may be elsewhere for a second, but not each time
			start := time.Now()
			proseHTML(s)
			if took = min(took, time.Since(start)); took < time.Second {
				break
			}
		}
		if took > time.Second {
			t.Errorf("%q takes %s", name, took)
		} else if took > 50*time.Millisecond {
			t.Logf("%q takes %s", name, took)
		}
	}
}

// BenchmarkProse weaves the longest document that a host reads, whose stretches
// are as long as can be and as hard as is known.
func BenchmarkProse(b *testing.B) {
	for name, s := range hostileProse(longestStretch - 16) {
		s = s[:min(len(s), longestStretch-16)]
		document := []byte(strings.Repeat(s+"\n\n```\n1\n```\n", 16))
		b.Run(strings.Map(printed, name), func(b *testing.B) {
			for b.Loop() {
				if err := Weave(b.Context(), io.Discard, "html", document, nil, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func printed(r rune) rune {
	if r <= ' ' || r == '/' {
		return '.'
	}
	return r
}

// Prose that is too long to be read as markdown is shown as it is.
func TestLongProseIsPlainText(t *testing.T) {
	long := "*a*" + strings.Repeat("<b>\n", longestStretch)
	if got := proseHTML(long); !strings.HasPrefix(got, "<pre class=\"ds-plain\">*a*&lt;b&gt;") {
		t.Errorf("it begins with %.60q", got)
	}
	if got := proseHTML(strings.Repeat("x", longestStretch)); !strings.HasPrefix(got, "<p>xxx") {
		t.Errorf("what is just short enough begins with %.60q", got)
	}
}

// The context is looked at before each stretch is read, and before it is written.
func TestWeavingEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := newProse(Options{}, nil)
	p.o.ctx = ctx
	if err := flushed(io.Discard, Options{}, func(b *bufio.Writer) error { p.read("a"); return nil }); err != context.Canceled {
		t.Errorf("reading ends with %v", err)
	}
	if err := flushed(io.Discard, Options{}, func(b *bufio.Writer) error { return p.write(b, stretch{}) }); err != context.Canceled {
		t.Errorf("writing ends with %v", err)
	}
}

// A definition serves every stretch of its document, the first one of a label.
func TestLinksAreDefinedAnywhere(t *testing.T) {
	src := "[a] and [b]\n\n```\n1\n```\n\n[A]: one\n[b]: two\n\n```\n2\n```\n[b]: three\n"
	page := woven(t, "html", src, nil, Options{})
	for _, want := range []string{`href="one"`, `href="two"`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in %s", want, page)
		}
	}
}

func FuzzProse(f *testing.F) {
	for _, s := range hostileProse(60) {
		f.Add(s)
	}
	f.Add("# a\n\n- [b](c)\n\n|a|b|\n|-|-|\n|1|2|\n\n> *a* **b** `c` <d@e.f> ![g](h) &amp;\n")
	f.Fuzz(func(t *testing.T, s string) {
		out := strings.NewReplacer("<br>", "<br/>", "<hr>", "<hr/>").Replace(proseHTML(s))
		for element := range wellFormedProse(t, "<div>"+out+"</div>") {
			if !strings.Contains(" div p h1 h2 h3 h4 h5 h6 hr br pre code em strong a ul ol li blockquote table thead tbody tr th td ", " "+element+" ") {
				t.Errorf("%q has the element %s", s, element)
			}
		}
	})
}

// wellFormedProse reads html that is xml, and checks its links.
func wellFormedProse(t *testing.T, markup string) map[string]int {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(markup))
	count := map[string]int{}
	for {
		token, err := d.Token()
		if err == io.EOF {
			return count
		}
		if err != nil {
			t.Fatalf("%v in %q", err, markup)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		count[e.Name.Local]++
		for _, a := range e.Attr {
			if a.Name.Local != "href" {
				continue
			}
			if scheme, _, ok := strings.Cut(strings.ToLower(a.Value), ":"); ok && !strings.ContainsAny(scheme, "/?#") &&
				scheme != "http" && scheme != "https" && scheme != "mailto" {
				t.Errorf("a link leads to %s", a.Value)
			}
		}
	}
}
