package assist_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"dicescript/builtins"
	"dicescript/lang"
	"dicescript/lang/assist"
)

var files = fstest.MapFS{
	"house.star":    {Data: []byte("\"\"\"Our rules.\"\"\"\nLIMIT = 3\n\ndef bonus(level, cap=LIMIT):\n    \"\"\"The bonus of a level.\"\"\"\n    return min(level, cap)\n")},
	"more/far.star": {Data: []byte("def far():\n    return 1\n")},
	"notes.txt":     {},
}

func newHost(t testing.TB) *lang.Host {
	t.Helper()
	h, err := lang.New(lang.WithModules("./", files))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// at reads a text in which | is the cursor.
func at(t testing.TB, name, marked string) (*assist.Document, lang.Position) {
	t.Helper()
	head, tail, ok := strings.Cut(marked, "|")
	if !ok {
		t.Fatalf("no cursor in %q", marked)
	}
	line := strings.Count(head, "\n") + 1
	column := len([]rune(head[strings.LastIndexByte(head, '\n')+1:])) + 1
	d := assist.New(newHost(t)).Analyze(t.Context(), name, []byte(head+tail))
	return d, lang.Position{File: name, Line: line, Column: column}
}

func texts(c assist.Completion) []string {
	var out []string
	for _, item := range c.Items {
		out = append(out, item.Text)
	}
	return out
}

func TestComplete(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"explo|", "explode"},
		{"attack = 2d6\nattic = 1\natt|", "attack attic"},
		{"x = at_l|", "at_least"},
		{"whi|", "while"},
		{"ret|urn", "return"},
		// After a dot: by the type of what stands before.
		{"2d6.p_a|", "p_any p_at_least"},
		{"4d6kh3.hi|", ""},
		{"d6.quan|", "quantile"},
		{"(d(6) + 1).quan|", "quantile"},
		{"x = explode(3d6)\nx.high|", "highest"},
		{"x = explode(d(6))\nx.high|", ""},
		{"x = 3d6\nx += 1\nx.high|", "highest"}, // a pool before, and a roll since
		{"x = 3d6 if 1 > 0 else d6\nx.high|", "highest"},
		{"(2d6 >= 7).fr|", "fraction"},
		{"'text'.upp|", "upper"},
		{"[1].app|", "append"},
		{"math.sq|", "sqrt"},
		{"def f(n):\n    return dice_pool(n, 6)\nf(3).longest|", "longest_run"},
		{"s = scale().|", "labels step"},
		{"bucket(2d6, scale().step('a').step('b'), 6).p_at|", "p_at_least p_at_most"},
		{"deck([1, 2]).de|", "deal deal_weighted"},
		// What is not known has the methods of all types.
		{"def f(roll):\n    roll.quan|", "quantile"},
		// In functions.
		{"def f(strength, skill):\n    st|\n", "stationary str strength"},
		{"def f(strength):\n    total = 1\n\n    tot|", "total"},
		{"def f(strength):\n    total = 1\n\ntot|", ""},
		{"[y for yard in [1] if ya|]", "yard"},
		{"f = lambda yard: ya|", "yard"},
		// With mistakes around.
		{"x = = 3\nattack = 2\nif x\n  y = 1\nz = (att|", "attack"},
		{"def broken(\n\nattack = 3\natt|\n", "attack"},
		// Arguments of the call.
		{"explode(d6, max_|", "max_depth="},
		{"def f(strength, skill=1):\n    return 1\nf(1, sk|", "skill="},
		// Texts.
		{"load(\"|", "./house.star ./more/ blades.star d20.star fate.star fitd.star"},
		{"load(\"./h|\")", "./house.star"},
		{"load(\"./more/|\")", "./more/far.star"},
		{"load(\"./house.star\", \"|\")", "LIMIT bonus"},
		{"load(\"./house.star\", \"bonus\")\nbon|", "bonus"},
		{"r = bucket(2d6, scale().step(\"Miss\").step(\"Mighty hit\"), 6)\nr.pmf(\"Mi|\")", "Mighty hit Miss"},
		{"# at|", ""},
	} {
		d, pos := at(t, "recipe.star", c.text)
		got := strings.Join(texts(d.Complete(pos)), " ")
		if strings.HasPrefix(c.text, "load(\"|") { // all modules that come along
			if !strings.HasPrefix(got, "./house.star ./more/ ") || !strings.Contains(got, " fate.star") || strings.Contains(got, "notes") {
				t.Errorf("%q: got %q", c.text, got)
			}
			continue
		}
		if got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestCompleteReplacesTheWord(t *testing.T) {
	d, pos := at(t, "recipe.star", "é = 1; x = expl|ode(d6)")
	c := d.Complete(pos)
	if c.Range.Start.Column != 12 || c.Range.End.Column != 16 || len(c.Items) != 1 {
		t.Fatalf("got %+v", c)
	}
	item := c.Items[0]
	if item.Kind != assist.FunctionKind || item.Detail != "explode(roll, max_depth=2, on=None)" || item.Doc == "" {
		t.Errorf("got %+v", item)
	}
}

// In a literate document only the code is code, and columns are the document's.
func TestLiterate(t *testing.T) {
	document := "# Rules\n\nexplo\n\n```\nattack = 2d6\n```\n\nand then att\n\n```dice\noutput(\"x\", att|)\n```\n"
	d, pos := at(t, "attack.md", document)
	if got := string(d.Program()); got != "\n\n\n\n\nattack = 2d6\n\n\n\n\n\noutput(\"x\", att)\n\n" {
		t.Errorf("the program is %q", got)
	}
	if got := texts(d.Complete(pos)); !slices.Equal(got, []string{"attack"}) {
		t.Errorf("in a fence: got %q", got)
	}
	if got := d.Complete(lang.Position{Line: 3, Column: 6}); len(got.Items) != 0 {
		t.Errorf("in prose: got %q", texts(got))
	}
	found, ok := d.Definition(lang.Position{Line: 12, Column: 15})
	if ok {
		t.Errorf("att is defined nowhere: got %v", found)
	}
	d, pos = at(t, "attack.md", strings.Replace(document, "att|", "att|ack", 1))
	found, ok = d.Definition(pos)
	if !ok || found.Range.Start.String() != "attack.md:6:1" {
		t.Errorf("got %v, %v", found, ok)
	}
	var symbols []string
	for _, s := range d.Symbols() {
		symbols = append(symbols, fmt.Sprintf("%s %s %d", s.Kind, s.Name, s.Select.Start.Line))
	}
	if got := strings.Join(symbols, ", "); got != "variable attack 6, output x 12" {
		t.Errorf("got %s", got)
	}
}

func TestHover(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"x = expl|ode(d6)", []string{"explode(roll, max_depth=2, on=None)", "explode(d(6), None)"}},
		{"x = 2d6.hi|ghest()", []string{"DicePool.highest(k=1)"}},
		{"def f(a, b = 2):\n    \"\"\"Does f.\n\n    More.\n    \"\"\"\n    return a\nf|(1)", []string{"f(a, b = 2)", "Does f.\n\nMore."}},
		{"load(\"./house.star\", \"bonus\")\nbonu|s(1)", []string{"bonus(level, cap=LIMIT)", "The bonus of a level."}},
		{"load(\"./house.star\", \"bo|nus\")", []string{"The bonus of a level."}},
		{"load(\"./hou|se.star\", \"bonus\")", []string{"Our rules."}},
		{"x = 4d6|kh3", []string{"4d6kh3: mean 12.245, 3 to 18", "█"}},
		{"x = 2..|7", []string{"2..7: from 2 to 7"}},
		{"x = 3d6\nx|", []string{"x: DicePool"}},
		{"def f(n):\n    return n|", []string{"n: a parameter"}},
		{"le|n([1])", []string{"len(x)"}},
		{"zi|p([1])", []string{"zip(*lists)"}},
		{"x = = 1\ny = explo|de(", []string{"explode(roll"}},
	} {
		d, pos := at(t, "recipe.star", c.text)
		h, ok := d.Hover(t.Context(), pos)
		text := h.Markdown()
		for _, want := range c.want {
			if !ok || !strings.Contains(text, want) {
				t.Errorf("%q: got %q, want %q in it", c.text, text, want)
			}
		}
	}
	for _, nothing := range []string{"x = 1 |+ 2", "|", "not|hing", "f(na|me=1)"} {
		d, pos := at(t, "recipe.star", nothing)
		if h, ok := d.Hover(t.Context(), pos); ok {
			t.Errorf("%q: got %+v", nothing, h)
		}
	}
}

func TestSignature(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"explode(|", "explode(roll, max_depth=2, on=None) 0"},
		{"explode(d(6), |", "explode(roll, max_depth=2, on=None) 1"},
		{"explode(d(6), on=|", "explode(roll, max_depth=2, on=None) 2"},
		{"explode(d(|6), 3)", "d(sides) 0"},
		{"explode(d(6), 3|)", "explode(roll, max_depth=2, on=None) 1"},
		{"x = 2d6\nx.keep_dice(low=|", ".keep_dice(high=None, low=None, drop_high=None, drop_low=None) 1"},
		{"pool(d6, d8, |", "pool(*rolls) 0"},
		{"def hit(bonus, dc=[1, 2], *rest):\n    return 1\nhit(1, 2, 3, |)", "hit(bonus, dc=[1, 2], *rest) 2"},
		{"load(\"./house.star\", b=\"bonus\")\nb(1, |", "bonus(level, cap=LIMIT) 1"},
		{"def hit(|", ""},
		{"x = (1, |", ""},
		{"nothing(|", ""},
	} {
		d, pos := at(t, "recipe.star", c.text)
		s, ok := d.Signature(pos)
		got := ""
		if ok {
			got = fmt.Sprint(s.Text, " ", s.Active)
		}
		if got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
	d, pos := at(t, "recipe.star", "explode(|")
	if s, _ := d.Signature(pos); len(s.Parameters) != 3 || s.Parameters[1].Text != "max_depth=2" || s.Parameters[1].Doc == "" {
		t.Errorf("got %+v", s)
	}
}

func TestDefinition(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"x = 1\ny = x| + 1", "recipe.star:1:1"},
		{"def f(a):\n    b = a|\n    return b", "recipe.star:1:7"},
		{"x = 1\ndef f(x):\n    return |x", "recipe.star:2:7"},
		{"x = 1\ny = [x| for x in [1]]", "recipe.star:2:12"},
		{"load(\"./house.star\", \"bonus\")\nbo|nus(1)", "house.star:4:5"},
		{"load(\"./house.star\", limit=\"LIMIT\")\nlim|it", "house.star:2:1"},
		{"load(\"./hou|se.star\", \"bonus\")", "house.star:1:1"},
		{"load(\"fate.star\", \"act|ion\")", "stdlib/fate.star:"},
		{"x = 1\nx = = 2\ny = (x|", "recipe.star:1:1"},
		{"explo|de(d6)", ""},
		{"d6.me|an()", ""},
		{"x = 1\nf(x|=2)", ""},
	} {
		d, pos := at(t, "recipe.star", c.text)
		found, ok := d.Definition(pos)
		got := ""
		if ok {
			got = found.Range.Start.String()
		}
		if got != c.want && (!strings.HasSuffix(c.want, ":") || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
		if ok && !strings.HasPrefix(got, "recipe.star") {
			lines := strings.Split(found.Source, "\n")
			if found.Range.Start.Line > len(lines) || found.Source == "" {
				t.Errorf("%q: no source of %v", c.text, found.Range)
			}
		}
	}
}

func TestReferencesAndRename(t *testing.T) {
	for _, c := range []struct{ text, places, renamed string }{
		{"x = 1\ny = x| + x\nx = 2\ndef f(x):\n    return x\n", "1:1 2:5 2:9 3:1", "z = 1\ny = z + z\nz = 2\ndef f(x):\n    return x\n"},
		{"x = 1\ndef f(x|):\n    g = lambda: x\n    return x\n", "2:7 3:17 4:12", "x = 1\ndef f(z):\n    g = lambda: z\n    return z\n"},
		{"load(\"./house.star\", \"bonus\")\nb = bonus|(1)", "1:23 2:5", "load(\"./house.star\", z=\"bonus\")\nb = z(1)"},
		{"load(\"./house.star\", bonus=\"LIMIT\")\nb = bonus| + 1", "1:22 2:5", "load(\"./house.star\", z=\"LIMIT\")\nb = z + 1"},
		{"x = |max(d6, max(1, 2))", "1:5 1:13", ""},
	} {
		d, pos := at(t, "recipe.star", c.text)
		var places []string
		for _, r := range d.References(pos) {
			places = append(places, fmt.Sprintf("%d:%d", r.Start.Line, r.Start.Column))
		}
		if got := strings.Join(places, " "); got != c.places {
			t.Errorf("%q: got %s, want %s", c.text, got, c.places)
		}
		edits, err := d.Rename(pos, "z")
		if c.renamed == "" {
			if err == nil {
				t.Errorf("%q: renamed a builtin", c.text)
			}
			continue
		}
		if got := edited(strings.Replace(c.text, "|", "", 1), edits); err != nil || got != c.renamed {
			t.Errorf("%q: got %q, %v, want %q", c.text, got, err, c.renamed)
		}
	}
	for _, c := range []struct{ text, to string }{{"x| = 1\ny = x + 2", "y"}, {"x| = 1", "d6"}, {"x| = 1", "for"}, {"x| = 1", "a b"}, {"n = 2\ndef f(x|):\n    return n + x", "n"}} {
		d, pos := at(t, "recipe.star", c.text)
		if edits, err := d.Rename(pos, c.to); err == nil {
			t.Errorf("%q to %s: got %v", c.text, c.to, edits)
		}
	}
}

// edited is a text with edits made, from the last one on.
func edited(text string, edits []assist.Edit) string {
	lines := strings.Split(text, "\n")
	for _, e := range slices.Backward(edits) {
		line := []rune(lines[e.Range.Start.Line-1])
		lines[e.Range.Start.Line-1] = string(line[:e.Range.Start.Column-1]) + e.Text + string(line[e.Range.End.Column-1:])
	}
	return strings.Join(lines, "\n")
}

func TestDiagnostics(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.star", "x = explod(d6)\noutput(x)", "1:5-1:11 name explode"},
		{"a.star", "x = = 1\noutput(2)\ny = )", "1:5-1:6 syntax , 3:5-3:6 syntax "},
		{"a.star", "x = 3\noutput(1)", "1:1-1:2 warning "},
		{"a.star", "output(d6)", ""},
		{"a.md", "Text\n\n```\nx = explod(d6)\n```\n", "4:5-4:11 name explode"},
		{"a.star", "load(\"./nowhere.star\", \"x\")\noutput(x)", "1:6-1:22 module "},
		{"a.anydice", "output 1d6 +", "1:"},
	} {
		d := assist.New(newHost(t)).Analyze(t.Context(), c.name, []byte(c.text))
		var found []string
		for _, g := range d.Diagnostics(t.Context()) {
			kind := string(g.Kind)
			if g.IsWarning() {
				kind = "warning"
			}
			r := g.Range
			fix := ""
			if len(g.Fixes) > 0 {
				fix = g.Fixes[0].Text
			}
			found = append(found, fmt.Sprintf("%d:%d-%d:%d %s %s", r.Start.Line, r.Start.Column, r.End.Line, r.End.Column, kind, fix))
		}
		if got := strings.Join(found, ", "); got != c.want && (!strings.HasSuffix(c.want, ":") || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// Positions of editors count UTF-16.
func TestUTF16(t *testing.T) {
	d := assist.New(newHost(t)).Analyze(t.Context(), "a.star", []byte("x = 1\ny = \"🎲é\" + x\n"))
	for _, c := range []struct{ line, column, character int }{{1, 1, 0}, {2, 5, 4}, {2, 7, 7}, {2, 8, 8}, {2, 12, 12}} {
		line, character := d.UTF16(lang.Position{Line: c.line, Column: c.column})
		if line != c.line-1 || character != c.character {
			t.Errorf("%d:%d is %d:%d, want character %d", c.line, c.column, line, character, c.character)
		}
		if back := d.FromUTF16(line, character); back.Line != c.line || back.Column != c.column {
			t.Errorf("%d:%d comes back as %v", c.line, c.column, back)
		}
	}
	if line, character := assist.UTF16("é\n🎲x", lang.Position{Line: 2, Column: 2}); line != 1 || character != 2 {
		t.Errorf("in another text: %d:%d", line, character)
	}
	if end := d.FromUTF16(0, 99); end.Column != 6 {
		t.Errorf("behind the end: %v", end)
	}
}

// An input of a session knows what the session does, and its own names first.
func TestAnalyzeInput(t *testing.T) {
	h := newHost(t)
	s := h.NewSession()
	if _, err := s.Eval(t.Context(), "attack = 2d6\nload('./house.star', 'bonus')"); err != nil {
		t.Fatal(err)
	}
	a := assist.New(h)
	for _, c := range []struct{ text, want string }{
		{"att", "attack"},
		{"attack.p_a", "p_any p_at_least"},
		{"bon", "bonus"},
		{"for attitude in [1]:\n    att", "attack attitude"},
		{"\"Fum", "Fumble"},
	} {
		d := a.AnalyzeInput(t.Context(), s, c.text, "Fumble")
		lines := strings.Split(c.text, "\n")
		pos := lang.Position{Line: len(lines), Column: len(lines[len(lines)-1]) + 1}
		if got := strings.Join(texts(d.Complete(pos)), " "); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
	d := a.AnalyzeInput(t.Context(), s, "bonus(attack, ")
	if h, ok := d.Hover(t.Context(), lang.Position{Line: 1, Column: 8}); !ok || h.Text != "attack: DicePool" {
		t.Errorf("got %+v", h)
	}
	if sig, ok := d.Signature(lang.Position{Line: 1, Column: 15}); !ok || sig.Text != "bonus(level, cap=LIMIT)" || sig.Active != 1 {
		t.Errorf("got %+v", sig)
	}
}

// No text makes any question panic, whatever the place.
func FuzzDocument(f *testing.F) {
	for _, s := range []string{"x = explode(d6, ", "def f(a):\n    a.", "load(\"./house.star\", \"b", "```\nx.\n```", "[x for x in", "'''", "lambda a: (a", "x.y.z(1)[2].", "a = (\ndef f(:\n"} {
		f.Add(s, 1, 3)
	}
	a := assist.New(newHost(f))
	f.Fuzz(func(t *testing.T, text string, line, column int) {
		if len(text) > 2000 {
			return
		}
		for _, name := range []string{"a.star", "a.dice"} {
			d := a.Analyze(t.Context(), name, []byte(text))
			pos := lang.Position{Line: line, Column: column}
			c := d.Complete(pos)
			for _, item := range c.Items {
				if strings.ContainsAny(item.Text, "·") {
					t.Fatalf("an internal name: %q", item.Text)
				}
			}
			d.Hover(t.Context(), pos)
			d.Signature(pos)
			d.Definition(pos)
			d.References(pos)
			d.Rename(pos, "z")
			d.Symbols()
			d.Folds()
			d.Marks()
			d.Outputs()
			if g, ok := d.Global(pos); ok {
				d.UsesOf(g)
				d.RenameLoaded(g, "z")
			}
			for _, g := range d.Diagnostics(t.Context()) {
				for _, edit := range g.Fixes {
					edited(text, []assist.Edit{edit})
				}
			}
			if typed, ok := d.Typed([]byte(strings.Replace(text, "a", "b", 1))); ok {
				typed.Complete(pos)
				typed.Signature(pos)
			}
		}
	})
}

// Every example of the reference has the type that assist finds for it.
func TestTypesOfExamples(t *testing.T) {
	known := 0
	h := newHost(t)
	for _, e := range builtins.Table() {
		lines := strings.Split(strings.TrimRight(e.Example, "\n"), "\n")
		last := len(lines) - 1
		if strings.HasPrefix(lines[last], "output(") || strings.HasPrefix(lines[last], "param(") {
			continue
		}
		// Each beginning of the last line that ends before a dot outside brackets.
		for _, cut := range append(outerDots(lines[last]), len(lines[last])) {
			head := strings.Join(append(slices.Clone(lines[:last]), ""), "\n")
			expr := lines[last][:cut]
			d := assist.New(h).Analyze(t.Context(), "a.star", []byte(head+"value = "+expr+"\nvalue\n"))
			hover, ok := d.Hover(t.Context(), lang.Position{Line: last + 2, Column: 1})
			if !ok {
				t.Fatalf("nothing about %q", expr)
			}
			text, found := strings.CutPrefix(hover.Text, "value: ")
			if !found || text == "a variable" {
				continue
			}
			known++
			s := h.NewSession()
			if _, err := s.Eval(t.Context(), head+"value = "+expr); err != nil {
				t.Fatalf("%s: %v", expr, err)
			}
			if got := assist.PromptOf(s).TypeOf("value"); !slices.Contains(strings.Split(text, " or "), got) {
				t.Errorf("%s is a %s, assist says %s", expr, got, text)
			}
		}
	}
	if known < 150 {
		t.Errorf("the types of %d examples are known", known)
	}
}

func outerDots(line string) []int {
	var dots []int
	depth, quoted := 0, false
	for i, c := range line {
		switch c {
		case '"':
			quoted = !quoted
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '.':
			if depth == 0 && !quoted && i > 0 && (line[i-1] == ')' || line[i-1] == ']') {
				dots = append(dots, i)
			}
		}
	}
	return dots
}
