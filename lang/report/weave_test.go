// A woven document has every output once, in the order of the document.

package report

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"dicescript/dist"
	"dicescript/lang"
)

func woven(t *testing.T, format, src string, r *lang.Result, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Weave(t.Context(), &b, format, []byte(src), r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func wholeNumber(n int64) lang.Number { return lang.Number{Value: big.NewRat(n, 1)} }

func TestResultsComeAfterTheirPrograms(t *testing.T) {
	src := "Before\n\n```\na\nb\n```\nbetween\n```result\nold\n```\n```result\nolder\n```\n\n~~~\nnot code\n~~~\n```dice\nc\n```\nAfter"
	r := &lang.Result{Outputs: []lang.Output{
		{Title: "third", Data: wholeNumber(3), Line: 19}, {Title: "first", Data: wholeNumber(1), Line: 4},
		{Title: "second", Data: wholeNumber(2), Line: 5}, {Title: "last", Data: wholeNumber(4)},
	}, Params: []lang.ParamValue{{Name: "bonus", Value: 7, Line: 4}}}
	for format, marks := range map[string][]string{
		"markdown": {"Before", "```\na\nb\n```\n", "between\n", "Inputs: bonus = 7\n", "first ·", "second ·", "~~~\nnot code\n~~~", "```dice\nc\n```", "third ·", "After", "last ·"},
		"html":     {"<p>Before</p>", "<code>a\nb\n</code>", "<p>between</p>", "bonus = 7", ">first<", ">second<", "<code>not code\n</code>", "<code>c\n</code>", ">third ", "<p>After</p>", ">last "},
	} {
		out := woven(t, format, src, r, Options{})
		at := 0
		for _, mark := range marks {
			i := strings.Index(out[at:], mark)
			if i < 0 {
				t.Fatalf("%s: %q is missing in\n%s", format, mark, out[at:])
			}
			at += i + len(mark)
		}
		if strings.Contains(out, "old") {
			t.Errorf("%s: an old result is left in\n%s", format, out)
		}
	}
	if again := woven(t, "markdown", src, r, Options{}); strings.Contains(again, "\n\n\n") {
		t.Errorf("too many blank lines in\n%s", again)
	}
}

func TestWeaveShowsTheFailure(t *testing.T) {
	src := "```\na\n```\n\n```\nb\n```\nend\n"
	for line, before := range map[int]string{2: "<code>b", 6: "<p>end", 0: "</main>"} {
		out := woven(t, "html", src, nil, Options{Failure: &lang.Error{Message: "no <dice>", Position: lang.Position{File: "f", Line: 9}, Frames: []lang.Frame{{Position: lang.Position{File: "r.md", Line: line}}}}})
		i, j := strings.Index(out, "f:9:0: no &lt;dice&gt;"), strings.Index(out, before)
		if i < 0 || i > j || strings.Count(out, "role=\"alert\"") != 1 {
			t.Errorf("a failure of line %d is not before %s", line, before)
		}
	}
}

// Programs are coloured, and keep every character.
func TestProgramsAreColoured(t *testing.T) {
	src := "# a < b\nfor x in 1..6:\n    output(\"<&>\", 4d6kh3 + 12) # c\x1b\n"
	got := highlighted(visibleCode(src))
	for _, want := range []string{`<i class="c"># a &lt; b</i>`, `<i class="k">for</i>`, `<i class="d">1..6</i>`, `<i class="s">&quot;&lt;&amp;&gt;&quot;</i>`, `<i class="d">4d6kh3</i>`, `<i class="n">12</i>`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	plain := html.UnescapeString(regexp.MustCompile("<[^>]*>").ReplaceAllString(got, ""))
	if plain != visibleCode(src) {
		t.Errorf("coloured, the program is %q", plain)
	}
}

// The title of a page is the document's own first heading.
func TestPagesHaveTheTitleOfTheirDocument(t *testing.T) {
	for src, want := range map[string]string{
		"## Sub *one*\n\n# The `real` &amp; title\n": "<title>The real &amp; title</title>",
		"## Only *sub*\n": "<title>Only sub</title>",
		"prose\n":         "<title>file</title>",
	} {
		page := woven(t, "html", src+"\n```\n1\n```\n", nil, Options{Title: "file"})
		if !strings.Contains(page, want) || strings.Count(page, "<h1>") > 1 {
			t.Errorf("%q: no %s, or several headings", src, want)
		}
	}
}

func TestWeaveIsSafe(t *testing.T) {
	for _, evil := range []*lang.Result{nasty(), everyKind(), nil} {
		src := "```\n1 < 2 </code></pre><script>alert(1)</script>\x1b\n```\n<script src=\"https://x.org/\"></script>\n![x](https://x.org/i.png)\n"
		page := woven(t, "html", src, evil, Options{})
		for _, bad := range []string{"<script", "<img", "src=", "\x1b", "<link"} {
			if strings.Contains(strings.ReplaceAll(page, "src=&quot;", ""), bad) {
				t.Errorf("the page has %q", bad)
			}
		}
		woven(t, "markdown", src, evil, Options{Style: Playground})
	}
	for _, format := range []string{"text", "json", "csv", "svg", "pdf"} {
		if err := Weave(t.Context(), &bytes.Buffer{}, format, []byte("```\n1\n```\n"), nil, Options{}); err == nil {
			t.Errorf("a document was woven as %s", format)
		}
	}
	if err := Weave(t.Context(), &bytes.Buffer{}, "html", []byte("prose"), nil, Options{}); err == nil {
		t.Error("prose without programs was woven")
	}
}

// Rendering a large result ends with its context, and when nobody reads on.
func TestRenderingStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	closed := writerFunc(func([]byte) (int, error) { return 0, fmt.Errorf("closed") })
	rows := &lang.Result{Outputs: []lang.Output{{Title: "many", Data: lang.Roll{Dist: dist.Must(dist.Die(1 << 12))}}}}
	for _, format := range Formats() {
		if err := Render(ctx, &bytes.Buffer{}, format, rows, Options{AllRows: true}); err != context.Canceled {
			t.Errorf("%s: a cancelled rendering ends with %v", format, err)
		}
		if err := Render(t.Context(), closed, format, rows, Options{AllRows: true}); err == nil {
			t.Errorf("%s: a rendering that can't be written ends well", format)
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestCSVSaysItsEncodingWhenItMatters(t *testing.T) {
	plain := render(t, "csv", everyKind(), Options{})
	foreign := render(t, "csv", &lang.Result{Outputs: []lang.Output{{Title: "Würfel", Data: lang.Text{Text: "x"}}}}, Options{})
	if !strings.HasPrefix(plain, "output,") || !strings.HasPrefix(foreign, "\uFEFFoutput,") {
		t.Errorf("csv begins with %q, and beyond ASCII with %q", plain[:8], foreign[:8])
	}
}

func TestTextsKeepTheirLines(t *testing.T) {
	r := &lang.Result{Outputs: []lang.Output{
		{Title: "a\nb", Data: lang.Text{Text: "\none | two\n\t```<b>\x1b\n"}}, {Title: "c", Data: lang.Text{Text: "one line\n"}}, {Title: "d", Data: wholeNumber(1)},
	}}
	for format, want := range map[string]string{
		"text":     "a\\nb · Text\none | two\n\\t```<b>\\x1b\n\nc · Text · one line\nd · Number · 1\n",
		"markdown": "a\\nb · Text\n\n````text\none | two\n\\t```<b>\\x1b\n````\n\nc · Text\n\none line\n\nd ",
		"html":     "tabindex=\"0\">one | two\n\\t```&lt;b&gt;\\x1b</pre>",
	} {
		if got := render(t, format, r, Options{}); !strings.Contains(got, want) {
			t.Errorf("%s gives\n%s\nwant\n%s", format, got, want)
		}
	}
}
