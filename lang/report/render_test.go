// What each format owes to its readers: nothing of a recipe's text is taken for
// markup, markup is well formed, and tables keep their shape.

package report

import (
	"encoding/csv"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"dicescript/lang"
)

func TestControlCharactersAreVisible(t *testing.T) {
	for s, want := range map[string]string{
		"plain é 😀": "plain é 😀", "a\nb\tc\r": `a\nb\tc\r`, "\x1b[31m": `\x1b[31m`, "\x7f\u0085": `\x7f\x85`, "\u202e": `\u202e`,
		"\xff": `\xff`, "\U000E0041": `\U000e0041`, "\u2028": `\u2028`,
	} {
		if got := visible(s); got != want {
			t.Errorf("visible(%q) is %s, want %s", s, got, want)
		}
	}
	for _, format := range Formats() {
		out := render(t, format, nasty(), Options{})
		if i := strings.IndexFunc(out, func(r rune) bool { return r != '\n' && hidden(r) }); i >= 0 {
			t.Errorf("%s shows a control character at %q", format, out[max(0, i-20):i+1])
		}
	}
}

func TestMarkdownEscapes(t *testing.T) {
	for s, want := range map[string]string{
		"p_at_least_150": "p_at_least_150", "_a_": `\_a\_`, "<-88": "<-88", "<b>": `\<b>`, "a|b": `a\|b`, `\n`: `\n`, `a\|`: `a\\\|`,
		"*x*": `\*x\*`, "[a](b)": `\[a\](b)`, "R&D": `R\&D`, "4d6 & 2": "4d6 & 2",
	} {
		if got := markdownText(s); got != want {
			t.Errorf("%s is written %s, want %s", s, got, want)
		}
	}
	for s, want := range map[string]string{"# a": `\# a`, "1. a": `1\. a`, "- a": `\- a`, "2d6": "2d6", "12": "12", " x": "&#32;x"} {
		if got := markdownLine(s); got != want {
			t.Errorf("a line %s is written %s, want %s", s, got, want)
		}
	}
}

func TestCSVHasNoFormulas(t *testing.T) {
	r := csv.NewReader(strings.NewReader(render(t, "csv", nasty(), Options{})))
	r.FieldsPerRecord = -1
	for {
		line, err := r.Read()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, cell := range line[:3] {
			if cell != "" && strings.ContainsRune("=+@", rune(cell[0])) {
				t.Errorf("the cell %s is a formula", cell)
			}
		}
	}
}

func TestCSVBlocks(t *testing.T) {
	r := everyKind()
	r.Outputs = []lang.Output{r.Outputs[0], r.Outputs[3], r.Outputs[7], r.Outputs[4]}
	blocks := strings.Split(render(t, "csv", r, Options{}), "\n\n")
	if len(blocks) != 3 {
		t.Fatalf("%d blocks, want 3", len(blocks))
	}
	first := strings.Split(blocks[0], "\n")
	if first[0] != "output,kind,outcome,exact,value" || first[1] != "2d6,DieRoll,2,1/36,0.027777777777777776" || first[12] != "p,Prob,p,49/2000,0.0245" {
		t.Errorf("the first block is\n%s", blocks[0])
	}
	if !strings.HasPrefix(blocks[1], "output,kind,row,col,exact,value\nopposed,Grid,0,0,1/2,0.5\n") {
		t.Errorf("the grid starts\n%s", blocks[1][:100])
	}
	if blocks[2] != "output,kind,outcome,exact,value\nmean,Number,mean,-21/5,-4.2\n" {
		t.Errorf("the last block is\n%s", blocks[2])
	}
}

// wellFormed reads markup as xml and returns how often each element occurs.
func wellFormed(t *testing.T, markup string) map[string]int {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(markup))
	d.Strict = true
	count := map[string]int{}
	for {
		token, err := d.Token()
		if err == io.EOF {
			return count
		}
		if err != nil {
			t.Fatalf("%v in\n%.2000s", err, markup)
		}
		if e, ok := token.(xml.StartElement); ok {
			count[e.Name.Local]++
			for _, a := range e.Attr {
				if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" || a.Name.Local == "src" {
					t.Errorf("%s has the attribute %s", e.Name.Local, a.Name.Local)
				}
			}
		}
	}
}

func TestSVGIsWellFormed(t *testing.T) {
	for _, r := range []*lang.Result{everyKind(), nasty(), {}} {
		wellFormed(t, render(t, "svg", r, Options{}))
	}
	count := wellFormed(t, render(t, "svg", everyKind(), Options{}))
	// A number and a text have no chart; the other eight do, in one picture.
	if count["svg"] != 9 || count["desc"] != 8 || count["script"] != 0 {
		t.Errorf("elements: %v", count)
	}
}

func TestHTMLIsSelfContained(t *testing.T) {
	for _, r := range []*lang.Result{everyKind(), nasty()} {
		page := render(t, "html", r, Options{Title: "A & B <i>"})
		body := page[strings.Index(page, "<main>"):strings.Index(page, "</body>")]
		count := wellFormed(t, body)
		if count["script"] != 0 || count["i"] != 0 || count["h2"] != len(r.Outputs) {
			t.Errorf("elements: %v", count)
		}
		if !strings.Contains(page, "<title>A &amp; B &lt;i&gt;</title>") {
			t.Error("the title of the page is not escaped")
		}
		if strings.Contains(strings.ReplaceAll(page, "http://www.w3.org/2000/svg", ""), "http:") || strings.Contains(page, "url(") {
			t.Error("the page refers to something outside")
		}
	}
}

func TestHTMLTablesHaveHeadings(t *testing.T) {
	page := render(t, "html", everyKind(), Options{})
	for _, want := range []string{
		`<th scope="col" class="ds-label">outcome</th><th scope="col">%</th><th scope="col">frac</th><th scope="col">X/36</th>`,
		`<tr><th scope="row">7</th><td>16.7</td><td>1/6</td><td>6</td></tr>`,
		`<caption>2d6 · DieRoll · mean 7.000</caption>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

func TestTextAlignsByWhatIsShown(t *testing.T) {
	l := lang.Labeled{Entries: []lang.LabelChance{
		{Label: lang.TextLabel("ascii"), Value: rat(t, "1/2")}, {Label: lang.TextLabel("大成功"), Value: rat(t, "1/4")}, {Label: lang.TextLabel("é"), Value: rat(t, "1/4")},
	}}
	lines := strings.Split(render(t, "text", oneOutput("x", l), Options{}), "\n")
	for _, line := range lines[2:5] {
		before, _, ok := strings.Cut(line, "█")
		if !ok || narrow.StringWidth(before) != narrow.StringWidth("outcome  50.0  frac  X/4  ") {
			t.Errorf("the bar of %q starts elsewhere", line)
		}
	}
}

func TestTextFitsTheTerminal(t *testing.T) {
	for _, width := range []int{30, 40, 80, 200} {
		for line := range strings.Lines(render(t, "text", oneOutput("2d6", lang.Roll{Dist: twoD6()}), Options{Width: width})) {
			if w := narrow.StringWidth(strings.TrimRight(line, "\n")); w > width {
				t.Errorf("a line takes %d of %d columns: %s", w, width, line)
			}
		}
	}
}

func TestColourOnlyWhenAsked(t *testing.T) {
	plain := render(t, "text", everyKind(), Options{})
	coloured := render(t, "text", everyKind(), Options{Color: true})
	if strings.Contains(plain, "\x1b") {
		t.Error("colour without being asked")
	}
	for _, code := range []ink{bold, dim, cyan, "\x1b[0m"} {
		coloured = strings.ReplaceAll(coloured, string(code), "")
	}
	if plain != coloured {
		t.Error("colour changes the text")
	}
}

func TestFragmentIsAPartOfTheWhole(t *testing.T) {
	r := rolemaster()
	whole := render(t, "markdown", r, Options{Style: Playground})
	var parts []string
	for i := range r.Outputs {
		var b strings.Builder
		if err := Fragment(&b, "markdown", r, []int{i}, Options{Style: Playground}); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, b.String())
	}
	if strings.Join(parts, "\n") != whole {
		t.Error("the fragments do not make up the whole")
	}
	if err := Fragment(io.Discard, "markdown", r, []int{4}, Options{}); err == nil {
		t.Error("there is no output 4")
	}
}

func TestOneNForAllInPlaygroundStyle(t *testing.T) {
	r := everyKind()
	md := render(t, "markdown", &lang.Result{Outputs: []lang.Output{r.Outputs[3], r.Outputs[0], r.Outputs[5]}}, Options{Style: Playground})
	if n := strings.Count(md, "X/36 |"); n != 3 {
		t.Errorf("%d tables count 36ths, want all 3:\n%s", n, md)
	}
	if !strings.Contains(md, "| miss | 41.7 | 5/12 | 15 |") || !strings.Contains(md, "| p | 2.45 | 27/1102 | 0.882 |") {
		t.Error(md)
	}
}

func TestUnknownFormatAndStyle(t *testing.T) {
	if err := Render(io.Discard, "pdf", nil, Options{}); err == nil || !strings.Contains(err.Error(), "markdown") {
		t.Errorf("pdf gives %v", err)
	}
	if err := Render(io.Discard, "text", nil, Options{Style: "fancy"}); err == nil {
		t.Error("there is no style fancy")
	}
}
