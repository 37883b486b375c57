package syntax

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dicescript/lang/notation"

	"go.starlark.net/syntax"
)

// recipes are all those of the repository, and what their texts are made of.
func recipes(t testing.TB) (texts []string) {
	t.Helper()
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if ext := filepath.Ext(path); d.IsDir() || ext != ".star" && ext != ".md" && ext != ".dice" {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if doc := notation.Literate(src); doc != nil && !strings.HasSuffix(path, ".star") {
			src = doc.Program
		} else if strings.HasSuffix(path, ".md") {
			return nil
		}
		texts = append(texts, string(src))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(texts) < 30 {
		t.Fatalf("only %d recipes were found", len(texts))
	}
	return texts
}

// readBoth reads a recipe without mistakes in its literals in both ways, and
// reports whether it was read here.
func readBoth(t *testing.T, text string) bool {
	t.Helper()
	bare, tokens := withoutAnnotations([]byte(text), notation.Tokens([]byte(text)))
	scanned := notation.ScanTokens(bare, tokens)
	if len(scanned.Errors) > 0 {
		return false
	}
	got := readPlain("recipe", bare, tokens, scanned.Ident)
	if got == nil {
		return false
	}
	want, err := FileOptions().Parse("recipe", scanned.Source(), 0)
	if err != nil {
		t.Fatalf("%q was read, and Starlark says %v", text, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%q is another tree than Starlark's", text)
	}
	if d, deep := tooDeep(got, len(tokens)), tooDeep(want, maxDepth); (d == nil) != (deep == nil) {
		t.Fatalf("%q is too deep in one way only", text)
	}
	return true
}

// TestReadsAsStarlark holds the trees of all recipes against those of Starlark's
// own parser.
func TestReadsAsStarlark(t *testing.T) {
	left, all := 0, recipes(t)
	for _, text := range all {
		if !readBoth(t, text) {
			left++
		}
	}
	if left > len(all)/10 {
		t.Errorf("%d of %d recipes are left to Starlark's parser", left, len(all))
	}
	for _, text := range []string{
		everything, "", "\n", "x", "x = 1", "# nothing", "if x: pass", "if x:\n  pass", "if x:\n\tpass\n        pass\n", "x = 1;", "x = 1; y = 2\n",
		"if a:\n  b\n  # between\n# outside\n  c\nd", "def f():\n    return\n\n\n", "f(\n  1,\n# note\n 2)\n", "if x:\n  f(1,\n2)\n  y\n",
		"not a == b", "a not in b", "not not a", "a or not b and c", "-a.b(c)[d]", "--1", "a if b else c if d else e", "lambda: 1", "lambda x, y=2, *z, **w: (x, y)",
		"[a for b in c if d if lambda: e for f, h in g]", "{a: b for a, b in c}", "{}", "()", "(1,)", "[1, 2,]", "{1: 2,}", "f(a, b=c, *d, **e,)",
		"x[1]", "x[1:]", "x[:1]", "x[::1]", "x[1:2:3]", "x[1, 2]", "a, b = b, a", "for (a, b), c in d:\n  pass\nelse_ = 1",
		`x = "a" + 'b' + """c""" + '''d''' + "" + '' + """"""`, `x = "\n" + r"\d" + b"x" + rb'y' + "é"`, "x = '''a\nb'''\ny", "x = 'a\\\nb'",
		"x = 0 + 00 + 1.5 + .5 + 1e9 + 0x1F + 0b1 + 0o7 + 123456789012345678901234567890 + 999999999999999999", "x = 3d6 + 4d6kh3 + d20 + 1d%; y = 5..6; z = -3..5",
		"def f(x: int, y: list[int] = [1]) -> int:\n    z: int = 3\n    return z", "x = 1\r\ny = 2\rz = 3", "é = 1\nf(é, é)", "load('m', 'a', b='c',)", "a = b if c else (lambda: d)",
		"while a:\n  if b:\n    c\n  elif d:\n    e\n  else:\n    f\ng", "if a: b; c\nd", "x = a & b | c ^ d << e >> f", "return", "pass\nbreak\ncontinue", "x += 1; y //= 2; z <<= 3",
	} {
		if !readBoth(t, text) {
			t.Errorf("%q is left to Starlark's parser", text)
		}
	}
}

// TestLeavesToStarlark checks what is not read here.
func TestLeavesToStarlark(t *testing.T) {
	for _, text := range []string{
		"a == b == c", "a < b not in c", "x = 1,", "f(1=2)", "f(a.b=2)", "lambda a,: 1", "1 + not a", "a ** b", "class x: pass", "x = 'a", "x = '''a", "(", ")", "(]", "]x[", "x = 1 2",
		" x", "if a:\nb", "if a:\n    b\n  c", "x = \\\n 1", "x!", "x ? y", "1if a else b", "08", "0x", "1e", "'\\q'", "load()", "load('a')", "load(b'a', 'b')", "def f(a b): pass", "x = a if b",
		"[a for b in c", "{a}", "{a: b, c}", "x\x00y", "x = '\xff'", "a.b.", "x[]", "x[1:2:3:4]", "if a: if b: c", "x = yield", "from a import b", "for x: y", "for a, in b: c", "elif a: b", "=",
		strings.Repeat("(", 60) + "x" + strings.Repeat(")", 60), strings.Repeat("-", 60) + "x", strings.Repeat("not ", 60) + "x",
	} {
		bare, tokens := withoutAnnotations([]byte(text), notation.Tokens([]byte(text)))
		if readPlain("recipe", bare, tokens, func(string) string { return "x" }) != nil {
			t.Errorf("%q is read here", text)
		}
	}
}

// TestReadsAsStarlarkBroken does so with recipes that have been broken.
func TestReadsAsStarlarkBroken(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var pieces, lines []string
	for _, text := range append(recipes(t), everything) {
		for _, tok := range notation.Tokens([]byte(text)) {
			pieces = append(pieces, text[tok.Start:tok.End])
		}
		lines = append(lines, strings.SplitAfter(text, "\n")...)
	}
	slices.Sort(pieces)
	pieces = append(slices.Compact(pieces), " ", "  ", "\t", "\n", "\n    ", "\\\n", "\r\n", "\x00", "é", "not", "in", "not in", "lambda", "if", "else", "for", "(", ")", "[", "]", "{", "}", ":", ",", "=", "==", "*", "**", "-", ";", ".", "..", "'", `"`, `"""`)
	read, runs := 0, 20_000
	if testing.Short() {
		runs = 2_000
	}
	for range runs {
		first := rnd.IntN(len(lines))
		part := lines[first:min(len(lines), first+1+rnd.IntN(8))]
		text := strings.Join(part, "")
		for range rnd.IntN(4) {
			tokens := notation.Tokens([]byte(text))
			if len(tokens) == 0 {
				break
			}
			tok := tokens[rnd.IntN(len(tokens))]
			with := pieces[rnd.IntN(len(pieces))]
			switch rnd.IntN(4) {
			case 0:
				text = text[:tok.Start] + text[tok.End:]
			case 1:
				text = text[:tok.Start] + with + text[tok.End:]
			case 2:
				text = text[:tok.Start] + with + " " + text[tok.Start:]
			case 3:
				text = text[:tok.End] + with + text[tok.End:]
			}
		}
		if readBoth(t, text) {
			read++
		}
	}
	if read < runs/10 {
		t.Errorf("only %d of %d texts were read", read, runs)
	}
}

func FuzzReadsAsStarlark(f *testing.F) {
	for _, text := range append(recipes(f), everything) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { readBoth(t, text) })
}

func BenchmarkRead(b *testing.B) {
	src := []byte(strings.Repeat(strings.TrimPrefix(everything, "\nload(\"m\", \"x\", y=\"z\")"), 10))
	tokens := notation.Tokens(src)
	scanned := notation.ScanTokens(src, tokens)
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			if readPlain("recipe", src, tokens, scanned.Ident) == nil {
				b.Fatal("not read")
			}
		}
	})
	b.Run("starlark", func(b *testing.B) {
		var f *syntax.File
		for b.Loop() {
			f, _ = FileOptions().Parse("recipe", scanned.Source(), 0)
		}
		if f == nil {
			b.Fatal("not read")
		}
	})
}
