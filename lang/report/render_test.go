// What each format owes to its readers: nothing of a recipe's text is taken for
// markup, markup is well formed, and tables keep their shape.

package report

import (
	"encoding/csv"
	"encoding/xml"
	"io"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/internal/unseen"
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
		if i := strings.IndexFunc(out, func(r rune) bool { return r != '\n' && unseen.Rune(r) }); i >= 0 {
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
	for {
		line, err := r.Read()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, cell := range line[:4] {
			if cell != "" && strings.ContainsRune("=+@", rune(cell[0])) {
				t.Errorf("the cell %s is a formula", cell)
			}
		}
	}
}

// All outputs stand in one table, whatever their kinds.
func TestCSVIsOneTable(t *testing.T) {
	r := everyKind()
	r.Outputs = append(r.Outputs, lang.Output{Title: "long", Data: lang.Roll{Dist: unlimited(t)}})
	lines, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(render(t, "csv", r, Options{}), "\uFEFF"))).ReadAll()
	if err != nil {
		t.Fatal(err) // also when a line has more or fewer cells than the first
	}
	seen := map[string]bool{}
	for i, line := range lines {
		seen[strings.Join(line, ",")] = true
		if i == 0 {
			continue
		}
		if inexact := line[6] != "0"; line[1] != "Text" && inexact != (line[4] == "") {
			t.Errorf("%v has an error beside a fraction, or neither", line)
		}
	}
	for _, want := range []string{
		"output,kind,row,outcome,exact,value,error", "2d6,DieRoll,,2,1/36,0.027777777777777776,0", "p,Prob,,p,49/2000,0.0245,0",
		"opposed,Grid,0,0,1/2,0.5,0", "mean,Number,,mean,-21/5,-4.2,0",
	} {
		if !seen[want] {
			t.Errorf("there is no line %s", want)
		}
	}
}

// unlimited is a d6 that explodes without end.
func unlimited(t *testing.T) *dist.Dist {
	t.Helper()
	die := dist.Must(dist.Die(6))
	d, err := die.Explode(t.Context(), die.TopFace(), dist.Unlimited)
	if err != nil {
		t.Fatal(err)
	}
	return d
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
	// A number, a plan and a text have no chart; the other nine do, in one picture.
	if count["svg"] != 10 || count["desc"] != 9 || count["script"] != 0 {
		t.Errorf("elements: %v", count)
	}
}

func TestHTMLIsSelfContained(t *testing.T) {
	// The single values, three and seven of them in a row, have no headings.
	for _, c := range []struct {
		r        *lang.Result
		headings int
	}{{everyKind(), 9}, {nasty(), 13}} {
		page := render(t, "html", c.r, Options{Title: "A & B <i>"})
		body := page[strings.Index(page, "<main>"):strings.Index(page, "</body>")]
		count := wellFormed(t, body)
		if count["script"] != 0 || count["i"] != 0 || count["h2"] != c.headings {
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

// Chances and numbers that follow each other stand in one table.
func TestSingleValuesShareATable(t *testing.T) {
	page := render(t, "html", everyKind(), Options{})
	for _, want := range []string{
		`<th scope="row" class="ds-label" id="ds-2-h">unlimited</th><td>33.3 %</td><td>≈1/3</td>`,
		`<th scope="row" class="ds-label" id="ds-3-h">p</th><td>2.45 %</td><td>49/2000</td><td class="ds-share"><div style="width:2.45%"></div></td>`,
		`<th scope="row" class="ds-label" id="ds-4-h">mean</th><td>-4.200</td><td>-21/5</td><td class="ds-share"></td>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if alone := render(t, "html", oneOutput("p", lang.Prob{Value: rat(t, "1/4")}), Options{}); strings.Contains(alone, `<section class="ds-output ds-singles"`) {
		t.Error("a value alone has a table of several")
	}
}

// Labels that begin alike stay different when they are shortened.
func TestShortenedLabelsDiffer(t *testing.T) {
	a, b := shortened("the chance of at least 10 successes: 4 dice", 26), shortened("the chance of at least 10 successes: 5 dice", 26)
	if a == b || a != "the chance of…esses: 4 dice" && narrow.StringWidth(a) > 26 {
		t.Errorf("they are %s and %s", a, b)
	}
	for _, s := range []string{"大成功大成功大成功大成功大成功大成功", strings.Repeat("x", 100), "short"} {
		for width := 3; width < 40; width++ {
			if got := shortened(s, width); narrow.StringWidth(got) > width {
				t.Errorf("%s in %d columns is %s", s, width, got)
			}
		}
	}
}

// A colour key tells what the colours of a heat map stand for.
func TestHeatMapsHaveAKey(t *testing.T) {
	chances := render(t, "svg", oneOutput("g", opposed()), Options{})
	if !strings.Contains(chances, ">0 %</text>") || !strings.Contains(chances, ">100 %</text>") {
		t.Error("the key of chances does not go from 0 to 100 %")
	}
	g := opposed()
	for i := range g.Cells {
		for j := range g.Cells[i] {
			g.Cells[i][j] = lang.Cell{Value: big.NewRat(int64(3+i+j), 2)}
		}
	}
	if numbers := render(t, "svg", oneOutput("g", g), Options{}); !strings.Contains(numbers, ">1.5</text>") || !strings.Contains(numbers, ">11.5</text>") {
		t.Error("the key of numbers does not have their ends")
	}
}

// Numbers under a chart do not touch, on a phone neither.
func TestAxisLabelsDoNotTouch(t *testing.T) {
	label := regexp.MustCompile(`<text x="([0-9.]+)" y="196" class="" text-anchor="middle">(-?[0-9]+)</text>`)
	for _, d := range []*dist.Dist{sixes(t, 300), sixes(t, 2), distOf(openEnded(8)), dist.Must(dist.Uniform(-1_000_000, 1_000_000)), dist.Must(dist.Die(1)), dist.Must(dist.Faces(0, 1_000_000_000))} {
		end, n := -4.0, 0
		for _, m := range label.FindAllStringSubmatch(render(t, "html", oneOutput("x", lang.Roll{Dist: d}), Options{Fractions: NoFractions}), -1) {
			x, _ := strconv.ParseFloat(m[1], 64)
			half := digitWidth * float64(len(m[2])) / 2
			if x-half < end+4 || x+half > chartWidth {
				t.Errorf("%s touches the number before it, or the edge", m[2])
			}
			end, n = x+half, n+1
		}
		if n == 0 {
			t.Error("there are no labels")
		}
	}
}

func TestHTMLTablesHaveHeadings(t *testing.T) {
	page := render(t, "html", everyKind(), Options{})
	for _, want := range []string{
		`<th scope="col" class="ds-label">outcome</th><th scope="col">%</th><th scope="col">frac</th><th scope="col">X/36</th>`,
		`<tr><th scope="row">7</th><td>16.7</td><td>1/6</td><td>6</td></tr>`,
		`<caption>2d6 · DieRoll · mean 7.000 · sd 2.42 · 2..12</caption>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

func TestTextAlignsByWhatIsShown(t *testing.T) {
	l := lang.Outcomes{Entries: []lang.Outcome{
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
		if err := Fragment(t.Context(), &b, "markdown", r, []int{i}, Options{Style: Playground}); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, b.String())
	}
	if strings.Join(parts, "\n") != whole {
		t.Error("the fragments do not make up the whole")
	}
	if err := Fragment(t.Context(), io.Discard, "markdown", r, []int{4}, Options{}); err == nil {
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
	if err := Render(t.Context(), io.Discard, "pdf", nil, Options{}); err == nil || !strings.Contains(err.Error(), "markdown") {
		t.Errorf("pdf gives %v", err)
	}
	if err := Render(t.Context(), io.Discard, "text", nil, Options{Style: "fancy"}); err == nil {
		t.Error("there is no style fancy")
	}
}

func rat(t *testing.T, s string) *big.Rat {
	t.Helper()
	x, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatalf("no number: %s", s)
	}
	return x
}
