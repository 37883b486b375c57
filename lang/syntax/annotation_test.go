package syntax

import (
	"strings"
	"testing"
	"unicode/utf8"

	"dicescript/lang/notation"

	_ "dicescript/testdata/testseed"

	"pgregory.net/rapid"
)

func TestAnnotations(t *testing.T) {
	for _, c := range [][2]string{
		{"def f(x: int) -> int:\n    return x\n", "def f(x     )       :\n    return x\n"},
		{"def f(x: int = 3, *a: str, **k: dict[str, int]): pass\n", "def f(x      = 3, *a     , **k                ): pass\n"},
		{"def f(x, y: list[int] | None = None) -> list[int]:\n", "def f(x, y                   = None)             :\n"},
		{"def f(\n    x: int,  # größe\n    y: \"Würfel\" = 3d6,\n):\n", "def f(\n    x     ,  # größe\n    y           = 3d6,\n):\n"},
		{"x: int = 6\n", "x      = 6\n"},
		{"x: int\ny = 1\n", "pass  \ny = 1\n"},
		{"if a:\n    x: int = 6; y: str\n", "if a:\n    x      = 6; pass  \n"},
		{"x: int  # note\n", "pass    # note\n"},
		{"größe: Größe = 1\n", "größe        = 1\n"},
		{"def f(x=lambda y: y, z={a: b}): return z[1:2]\n", ""},
		{"d = {a: int, b: c}\nlambda x: y\nif x: y = 2\nelse: y = 3\ns[a:b] = c\n", ""},
		{"hp: 5\nattack: 3d6\nx: = 3\n", ""},
		{"def f(x: 5): pass\n", ""},
		{"def", ""}, {"def f(", ""}, {"def f(x:", ""}, {"def f() ->", ""}, {"x:", ""}, {"))) x: 1", ""},
	} {
		want := c[1]
		if want == "" {
			want = c[0]
		}
		if got := blank(c[0]); got != want {
			t.Errorf("%q\n got %q\nwant %q", c[0], got, want)
		}
	}
}

// Whatever the text, every token that is left stands where it stood.
func TestAnnotationsKeepPlaces(t *testing.T) {
	words := []string{"def ", "f", "(", ")", ":", "->", " int", "x", ",", "=", "\n", "    ", "[", "]", "3d6", "\"é\"", "#c", ";", "lambda ", "*", "ö"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 40).Draw(t, "words"), "")
		out := blank(text)
		if strings.Count(out, "\n") != strings.Count(text, "\n") {
			t.Fatalf("%q became %q", text, out)
		}
		type place struct {
			line, col int
			word      string
		}
		had := map[place]bool{}
		for _, k := range notation.Tokens([]byte(text)) {
			had[place{k.Line, k.Col, text[k.Start:k.End]}] = true
		}
		for _, k := range notation.Tokens([]byte(out)) {
			if w := out[k.Start:k.End]; w != "pass" && !had[place{k.Line, k.Col, w}] && utf8.RuneCountInString(text) >= 8 {
				t.Fatalf("%q became %q: %q moved", text, out, w)
			}
		}
	})
}

// blank is a text without its annotations.
func blank(text string) string {
	out, _ := withoutAnnotations([]byte(text), notation.Tokens([]byte(text)))
	return string(out)
}
