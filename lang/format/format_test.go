package format_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"dicescript/lang"
	"dicescript/lang/format"
	"dicescript/lang/notation"
	"dicescript/lang/report"
	dicesyntax "dicescript/lang/syntax"
)

func TestSource(t *testing.T) {
	for _, c := range []struct{ about, name, src, want string }{
		{"operators and literals", "a.star", "x=2d6+3\ny = 4D6KH3*2\nz=1d%-4dF", "x = 2d6 + 3\ny = 4D6KH3 * 2\nz = 1d% - 4dF\n"},
		{"ranges", "a.star", "a=5..6\nb=[ 5..,..6,-3..5 ]\nc = 7-3..5", "a = 5..6\nb = [5.., ..6, -3..5]\nc = 7 - 3..5\n"},
		{"computed ranges", "a.star", "a=lo..hi\nb=[ 5..n,lo..,..hi,(n+1)..6,1..(n*2),lo..-1 , f(1)..f(2),..(n+1),x.y..3]\nlo_=a if 1 in ..6 else ..n", "a = lo..hi\nb = [5..n, lo.., ..hi, (n + 1)..6, 1..(n * 2), lo..-1, f(1)..f(2), ..(n + 1), x.y..3]\nlo_ = a if 1 in ..6 else ..n\n"},
		{"names that look like those of a stand-in", "a.star", "aa=d6+ab\naaa = 2d6+aaaa", "aa = d6 + ab\naaa = 2d6 + aaaa\n"},
		{"literals in strings and comments", "a.star", "x='2d6' # 3d6\n", "x = \"2d6\"  # 3d6\n"},
		{"numbers", "a.star", "x=[1.5,.5,1e3,0x1F,1.,2.5e-3]", "x = [1.5, .5, 1e3, 0x1F, 1., 2.5e-3]\n"},
		{"escapes stay", "a.star", `x=['\u00e9"', b"\x00", 'it\'s', r'\d']`, `x = ['\u00e9"', b"\x00", 'it\'s', r'\d']` + "\n"},
		{"a block of two spaces", "a.star", "def f( a,b=2 ):\n  \"\"\"Doc.\n\n  More.\n  \"\"\"\n  return a", "def f(a, b = 2):\n    \"\"\"Doc.\n\n    More.\n    \"\"\"\n    return a\n"},
		{"tabs", "a.star", "if x:\n\ty=1\n\tif y:\n\t\tz=1\n", "if x:\n    y = 1\n    if y:\n        z = 1\n"},
		{"types", "a.star", "def f(a:int=3,*b: list[int])->int:\n    x:int=a\n    return x", "def f(a: int = 3, *b: list[int]) -> int:\n    x: int = a\n    return x\n"},
		{"while", "a.star", "n=0\nwhile(n<3):\n  n+=1\nwhile  n < 5 : n+=1", "n = 0\nwhile (n < 3):\n    n += 1\nwhile n < 5:\n    n += 1\n"},
		{"while below else", "a.star", "if a:\n    b()\nelse:\n    while c:\n        d()", "if a:\n    b()\nelse:\n    while c:\n        d()\n"},
		{"if below else", "a.star", "if a:\n    b()\nelse:\n    if c:\n        d()", "if a:\n    b()\nelif c:\n    d()\n"},
		{"statements on one line", "a.star", "a=1;b=2", "a = 1\nb = 2\n"},
		{"lines of a list stay lines", "a.star", "x=[1,\n2]", "x = [\n    1,\n    2,\n]\n"},
		{"brackets aligned after a literal", "a.star", "x = 2d6 + (a +\n  b)", "x = 2d6 + (a +\n           b)\n"},
		{"CRLF", "a.star", "x=1\r\ny=2\r\n", "x = 1\r\ny = 2\r\n"},
		{"byte order mark", "a.star", "\ufeffx=d6", "\ufeffx = d6\n"},
		{"nothing", "a.star", "", ""},
		{"a document", "a.md", "# T\n\nx=1 in prose\n\n```dice\nx=2d6\n\n```\n\n```text\ny=1\n```\n\n```result\na  b\n```\n", "# T\n\nx=1 in prose\n\n```dice\nx = 2d6\n```\n\n```text\ny=1\n```\n\n```result\na  b\n```\n"},
		{"a document with CRLF", "a.md", "Hi\r\n```\r\nx=1\r\ny=2\r\n```\r\n", "Hi\r\n```\r\nx = 1\r\ny = 2\r\n```\r\n"},
		{"a function over two fences", "a.md", "```\ndef f( n):\n    a=1\n```\nand\n```\n    return n\n```\n", "```\ndef f(n):\n    a = 1\n```\nand\n```\n    return n\n```\n"},
		{"a document without code", "a.md", "x=1\n", "x=1\n"},
		{"code in a .dice file", "a.dice", "x=1", "x = 1\n"},
	} {
		got, err := format.Source(t.Context(), c.name, []byte(c.src))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %q, %v, want %q", c.about, got, err, c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	if _, err := format.Source(t.Context(), "old.anydice", []byte("output 3d6")); !errors.Is(err, format.ErrAnyDice) {
		t.Errorf("an AnyDice program: %v", err)
	}
	_, err := format.Source(t.Context(), "a.md", []byte("Text\n\n```\nx = = 2d6\n```\n"))
	all := lang.Errors(err)
	if len(all) != 1 || all[0].Position.String() != "a.md:4:5" || all[0].Source != "x = = 2d6" {
		t.Errorf("a syntax error: %v", err)
	}
	// The second fence would have to move with the first one.
	if out, err := format.Source(t.Context(), "a.md", []byte("```\nif x:\n  a=1\n```\n```\n  b=1\n```\n")); err == nil {
		t.Errorf("a block over two fences: got %q", out)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := format.Source(ctx, "a.star", []byte("x = 1")); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context: %v", err)
	}
}

// Every recipe of the repository that can be read is formatted, once and for all,
// into the same words in the same order.
func TestRepository(t *testing.T) {
	formatted := 0
	err := filepath.WalkDir("../..", func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			if e.Name() == "node_modules" || e.Name() == ".git" {
				return fs.SkipDir
			}
			return err
		}
		if !slices.Contains([]string{".star", ".dice", ".md"}, filepath.Ext(file)) {
			return nil
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if isRecipe(file, src) {
			formatted++
			checkFormatted(t, file, src)
		}
		return nil
	})
	if err != nil || formatted < 500 {
		t.Errorf("formatted %d files, %v", formatted, err)
	}
}

func isRecipe(file string, src []byte) bool {
	program := src
	if !strings.HasSuffix(file, ".star") {
		doc := notation.Literate(src)
		if doc == nil {
			return false
		}
		program = doc.Program
	}
	_, mistakes := dicesyntax.Parse(file, program)
	return len(mistakes) == 0
}

// odd are recipes that use a form which the style does not have.
var odd = []string{"load_backslash.star", "load_nul.star"}

func checkFormatted(t *testing.T, file string, src []byte) {
	t.Helper()
	out, err := format.Source(t.Context(), file, src)
	if err != nil {
		if !slices.Contains(odd, filepath.Base(file)) {
			t.Errorf("%s: %v", file, err)
		}
		return
	}
	again, err := format.Source(t.Context(), file, out)
	if err != nil || !bytes.Equal(again, out) {
		t.Errorf("%s: formatted again it is another text, %v", file, err)
	}
	if got, want := words(file, out), words(file, src); !slices.Equal(got, want) {
		t.Errorf("%s: the words are others:\n%q\n%q", file, got, want)
	}
}

// words are the tokens of the code that carry meaning, each as the style may write
// it.
func words(name string, src []byte) []string {
	program := src
	if !strings.HasSuffix(name, ".star") {
		if doc := notation.Literate(src); doc != nil {
			program = doc.Program
		}
	}
	var all []string
	for _, t := range notation.Tokens(bytes.TrimPrefix(program, []byte("\ufeff"))) {
		word := string(program[t.Start:t.End])
		switch {
		case t.Kind == notation.StringToken:
			all = append(all, plainText(word))
		case word == "elif":
			all = append(all, "else", "if")
		case t.Kind == notation.NewlineToken, t.Kind == notation.CommentToken, strings.Contains("()[]{},:;", word):
		default:
			all = append(all, word)
		}
	}
	return all
}

// plainText is a text literal without its quotes, and with single spaces between
// its words where it may be the description of a function.
func plainText(literal string) string {
	if strings.Contains(literal, "\n") {
		return strings.Join(strings.Fields(strings.Trim(literal, `"'`)), " ")
	}
	if s, err := strconv.Unquote(literal); err == nil {
		return s
	}
	return strings.Trim(literal, `"'`)
}

// Recipes that are put on one line where they can be, and formatted, give the
// results that they gave before.
func TestSameResults(t *testing.T) {
	files, err := filepath.Glob("../../examples/*/*.md")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	h, err := lang.New(lang.WithLimits(lang.Limits{Work: 100_000_000}))
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		before, ok := results(t, h, file, src)
		if !ok {
			continue
		}
		out, err := format.Source(t.Context(), file, squeezed(src))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if after, _ := results(t, h, file, out); !bytes.Equal(before, after) {
			t.Errorf("%s: got\n%s\nwant\n%s", file, after, before)
		}
		compared++
	}
	if compared < 20 {
		t.Errorf("compared %d recipes", compared)
	}
}

// squeezed is a document without the spaces around the operators of its lines of
// code, and with half of their indentation.
func squeezed(src []byte) []byte {
	doc := notation.Literate(src)
	var b bytes.Buffer
	for _, s := range doc.Segments {
		if s.Kind != notation.ProgramCode {
			b.WriteString(s.Raw)
			continue
		}
		before, after, _ := strings.Cut(s.Raw, s.Text)
		b.WriteString(before + squeezedCode(s.Text) + after)
	}
	return b.Bytes()
}

func squeezedCode(text string) string {
	var b strings.Builder
	tokens := notation.Tokens([]byte(text))
	for i, t := range tokens {
		if t.Col == 1 || i > 0 && tokens[i-1].Kind == notation.NewlineToken {
			b.WriteString(strings.Repeat(" ", (t.Col-1)/2))
		} else if i > 0 && spaced(tokens[i-1].Kind) && spaced(t.Kind) {
			b.WriteByte(' ')
		}
		b.WriteString(text[t.Start:t.End])
	}
	return b.String()
}

// spaced reports whether two tokens of such kinds need a space between them.
func spaced(k notation.Kind) bool {
	switch k {
	case notation.OpenToken, notation.CloseToken, notation.OperatorToken, notation.NewlineToken:
		return false
	}
	return true
}

// results are those of a recipe that needs nothing beside it and little time.
func results(t *testing.T, h *lang.Host, name string, src []byte) ([]byte, bool) {
	t.Helper()
	p, err := h.Compile(t.Context(), name, src)
	if err != nil {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := p.Run(ctx)
	if err != nil {
		return nil, false
	}
	var b bytes.Buffer
	if err := report.Render(t.Context(), &b, "csv", r, report.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), true
}

// Whatever can be formatted is stable then, and has the words that it had.
func FuzzSource(f *testing.F) {
	for _, s := range []string{
		"x=2d6+3", "while a<b:c()", "def f(a,*,b=2,**k):\n  return a if b else [x for x in k if x]",
		"x = a + \\\n b", "if a:\n  b # c\n# d\nelse:\n  while c: pass\n", "(a,\n# b\nc)", "x='''\n a'''", "load('m.star',a='b')",
		"```\nx=1\n```\n", "x = -3..5", "f(a)(b)[c:d:e].g", "not a in b", "lambda x:(x,1)", "{1:2,**a}", "x: int = 3",
		"a=- 3..5", "def f():\n\t'''x\n\ty'''\n\treturn {1,2}\n", "f(\n\n# a\n)", "x = [ # a\n1 # b\n] # c\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return
		}
		for _, name := range []string{"a.star", "a.md"} {
			out, err := format.Source(t.Context(), name, []byte(text))
			if err != nil {
				continue
			}
			again, err := format.Source(t.Context(), name, out)
			if err != nil || !bytes.Equal(again, out) {
				t.Errorf("%q became %q and then %q, %v", text, out, again, err)
			}
			if got, want := words(name, out), words(name, []byte(text)); !slices.Equal(got, want) {
				t.Errorf("%q became %q: %q, not %q", text, out, got, want)
			}
		}
	})
}
