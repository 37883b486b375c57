// Prose as html: what markdown means, what stays text, and how long it takes.

package report

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"
	"time"
)

func proseHTML(s string) string {
	var out bytes.Buffer
	b := bufio.NewWriter(&out)
	newProse(s).render(b, s)
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
		{"*a* **b** ***c*** _d_ snake_case_name 2*3*4", "<p><em>a</em> <strong>b</strong> <strong><em>c</em></strong> <em>d</em> snake_case_name 2<em>3</em>4</p>\n"},
		{"**a *b** c*", "<p><strong>a *b</strong> c*</p>\n"},
		{"`2d6 < *7*` and ``a`b``, `open", "<p><code>2d6 &lt; *7*</code> and <code>a`b</code>, `open</p>\n"},
		{`\*a\* &ndash; &amp; R&D <b>`, "<p>*a* – &amp; R&amp;D &lt;b&gt;</p>\n"},
		{"- a\n- b\n  - c\n\ntext", "<ul>\n<li>a\n</li>\n<li>b\n<ul>\n<li>c\n</li>\n</ul>\n</li>\n</ul>\n<p>text</p>\n"},
		{"3. a\n\n4. b", "<ol start=\"3\">\n<li><p>a</p>\n</li>\n<li><p>b</p>\n</li>\n</ol>\n"},
		{"The roll\n2. is not a list, and\n-5 is a number", "<p>The roll\n2. is not a list, and\n-5 is a number</p>\n"},
		{"> a\n> b\nc", "<blockquote>\n<p>a\nb\nc</p>\n</blockquote>\n"},
		{"~~~\n<x>\n~~~\n\n    code", "<pre class=\"ds-code\" tabindex=\"0\"><code>&lt;x&gt;</code></pre>\n<pre class=\"ds-code\" tabindex=\"0\"><code>code</code></pre>\n"},
		{"|a|b|\n|-|-:|\n|1|`x\\|y`|\n\nend", "<div class=\"ds-table\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">a</th><th scope=\"col\" style=\"text-align:right\">b</th></tr></thead>\n" +
			"<tbody>\n<tr><td>1</td><td style=\"text-align:right\"><code>x|y</code></td></tr>\n</tbody>\n</table></div>\n<p>end</p>\n"},
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

// hostileProse is long text that is hard for readers of markdown.
func hostileProse(n int) map[string]string {
	repeat := func(s string) string { return strings.Repeat(s, n/len(s)) }
	nested := func() string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			b.WriteString(strings.Repeat(" ", 2*i) + "- a\n")
		}
		return b.String()
	}
	all := map[string]string{"nested": nested(), "brackets": strings.Repeat("[", n/2) + strings.Repeat("](a)", n/8),
		"marks": strings.Repeat("*a ", n/6) + strings.Repeat("a_ ", n/6), "quoted": strings.Repeat(">", n/2) + "a\n" + strings.Repeat("b\n", n/4),
		"table": "|a|b|\n|-|-|\n" + repeat("|a"), "columns": repeat("|") + "\n" + repeat("|-") + "\n"}
	for _, s := range []string{"[", "[a](", "*a **b ", "> ", ">", "- ", "`a``b", "[a]: b\n\n", "[a](<b", "<a ", "<!--", "_a__", "![", "&#x3;", "<![CDATA[", "a\n", "> - 1. ",
		"~~~\n", "\\", "[a", "***a", "\t-\t", "- a\n\n", "a|", "=\n", "[a][", "  \n", "1. a\n", "> a\nb\n"} {
		all[s] = repeat(s)
	}
	return all
}

// The longest document that a host reads takes a moment, whatever is in it.
func TestProseTakesTimeByLength(t *testing.T) {
	const longest = 256 << 10
	for name, s := range hostileProse(longest) {
		start := time.Now()
		proseHTML(s)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%q takes %s", name, took)
		} else if took > 300*time.Millisecond {
			t.Logf("%q takes %s", name, took)
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
