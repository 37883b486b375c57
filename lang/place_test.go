package lang_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"dicescript/lang"
)

// where shows an error as the command does, with its line and a caret, and the
// calls that led to it.
func where(err error) string {
	var b strings.Builder
	for _, e := range lang.Errors(err) {
		b.WriteString(e.Error() + "\n" + e.Source + "\n")
		if e.Position.Column > 0 {
			b.WriteString(strings.Repeat(" ", e.Position.Column-1) + "^\n")
		}
		for _, f := range e.Frames {
			b.WriteString("  " + f.Function + " " + f.Position.String() + "\n")
		}
	}
	return b.String()
}

// An error is shown where its author has written what is wrong, whatever file
// that is: a script, a document or a module.
func TestPlaces(t *testing.T) {
	files := fstest.MapFS{
		"house.star": {Data: []byte(`BONUS = 2

def hit(target):
    def inner(face):
        return face // (face - face)
    return map(inner, d(20)).p_ge(target)

def sides(n):
    return d(n)
`)},
		"outer.star":   {Data: []byte("load(\"./house.star\", \"sides\")\n\ndef twice(n):\n    return sides(n) + sides(n)\n")},
		"broken.star":  {Data: []byte("x = 1\ny = (2 +\n")},
		"unknown.star": {Data: []byte("def f():\n    return explod(d(6))\n")},
		"fails.star":   {Data: []byte("x = d(0)\n")},
		"shows.star":   {Data: []byte("output(\"x\", 1)\n")},
		"asks.star":    {Data: []byte("\nn = param(\"n\", 1)\n")},
		"round.star":   {Data: []byte("load(\"./again.star\", \"y\")\nx = 1\n")},
		"again.star":   {Data: []byte("load(\"./round.star\", \"x\")\ny = 1\n")},
	}
	h := newHost(t, lang.WithModules("./", files))
	for _, c := range []struct{ name, src, want string }{
		{"recipe.star", "p = 2d6\n\tx = 1", "recipe.star:2:2: this line is indented, but does not belong to a block; start it at the beginning of the line\n\tx = 1\n ^\n"},
		{"recipe.star", "würfel = 4d6 + foo(1)", "recipe.star:1:16: undefined: foo\nwürfel = 4d6 + foo(1)\n               ^\n"},
		{"recipe.star", "output('é', 2d6.p_gte(3))", `recipe.star:1:17: DicePool has no .p_gte; did you mean .p_ge?
output('é', 2d6.p_gte(3))
                ^
   recipe.star:1:17
`},
		// Windows line ends
		{"recipe.star", "x = 1\r\ny = d(0)\r\n", "recipe.star:2:5: d: sides: got 0, want at least 1\ny = d(0)\n    ^\n   recipe.star:2:5\n"},
		{"recipe.star", "x = 1\ry = d(0)\r", "recipe.star:2:5: d: sides: got 0, want at least 1\ny = d(0)\n    ^\n   recipe.star:2:5\n"},
		// a document keeps its own line numbers
		{"house.md", "# Rules\n\nWe roll.\n\n```dice\nr = 2d6\n```\n\nAnd then:\n\n```\noutput(\"x\", r.p_gte(3))\n```\n", `house.md:12:15: DicePool has no .p_gte; did you mean .p_ge?
output("x", r.p_gte(3))
              ^
   house.md:12:15
`},
		{"rules.dice", "text\n```\nx = (1 +\n```\nmore text\n", "rules.dice:3:5: this ( is never closed\nx = (1 +\n    ^\n"},
		{"house.md", "```\nx = 4d6d1\n```\n\n```\ny = 2d0\n```\n", `house.md:2:5: d1 is read in two ways: drop the lowest (write 4d6dl1) or drop the highest (write 4d6dh1)
x = 4d6d1
    ^
house.md:6:5: a die has at least one side, got 2d0
y = 2d0
    ^
`},
		// a literal in several lines
		{"recipe.star", "output(\n    \"x\",\n    d(6) +\n    [1])\n", `recipe.star:3:10: +: a roll can't be combined with a list, want a roll or a whole number
    d(6) +
         ^
   recipe.star:3:10
`},
		// modules
		{"recipe.star", "load(\"./house.star\", \"hit\")\noutput(\"x\", hit(3))\n", `house.star:5:21: division by zero
        return face // (face - face)
                    ^
   recipe.star:2:13
  hit house.star:6:12
  inner house.star:5:21
`},
		{"recipe.star", "load(\"./outer.star\", \"twice\")\nx = twice(0)\n", `house.star:9:12: d: sides: got 0, want at least 1
    return d(n)
           ^
   recipe.star:2:5
  twice outer.star:4:12
  sides house.star:9:12
`},
		{"recipe.star", "load(\"./house.star\", \"hits\")\n", "recipe.star:1:23: ./house.star has no hits; did you mean hit?\nload(\"./house.star\", \"hits\")\n                      ^\n"},
		{"recipe.star", "load(\"./hous.star\", \"hit\")\n", "recipe.star:1:6: "},
		{"recipe.star", "load(\"./broken.star\", \"x\")\n", "broken.star:2:5: this ( is never closed\ny = (2 +\n    ^\n"},
		{"recipe.star", "load(\"./unknown.star\", \"f\")\n", "unknown.star:2:12: undefined: explod; did you mean explode?\n    return explod(d(6))\n           ^\n"},
		{"recipe.star", "load(\"./fails.star\", \"x\")\n", "fails.star:1:5: d: sides: got 0, want at least 1\nx = d(0)\n    ^\n"},
		{"recipe.star", "load(\"./shows.star\", \"x\")\n", "shows.star:1:1: output: only the recipe itself records results; a module returns them\n"},
		{"recipe.star", "load(\"./asks.star\", \"n\")\n", "asks.star:2:5: param: only the recipe itself has inputs; a module takes arguments\n"},
		{"recipe.star", "load(\"./round.star\", \"x\")\n", "again.star:1:6: this file loads itself: round.star loads again.star loads round.star\n"},
		{"recipe.star", "load(\"../up.star\", \"x\")\n", "recipe.star:1:6: "},
		{"recipe.star", "load(\"dnd5e.star\", \"attack\")\nx = attack(5, \"high\")\n", `recipe.star:2:5: attack: ac: got "high", want a whole number
x = attack(5, "high")
    ^
   recipe.star:2:5
`},
		// callbacks of callbacks, and methods
		{"recipe.star", "def outer(a):\n    return d(6).map(lambda b: a + c(b))\nc = lambda b: b + None\nx = d(4).map(outer)\n", `recipe.star:3:17: + has no meaning between a whole number and None`},
		// every mistake of a file
		{"recipe.star", "a = 1 +\nb = 2\nc = )\nd = 1\n", `recipe.star:1:8: something is missing at the end of this line
a = 1 +
       ^
recipe.star:3:5: unexpected ')'
c = )
    ^
`},
		{"recipe.star", "a = blows\ndef f():\n    return misses\nf()\noutpt(1)\n", `recipe.star:1:5: undefined: blows
a = blows
    ^
recipe.star:3:12: undefined: misses
    return misses
           ^
recipe.star:5:1: undefined: outpt; did you mean output?
outpt(1)
^
`},
	} {
		p, err := h.Compile(context.Background(), c.name, []byte(c.src))
		if err == nil {
			_, err = p.Run(context.Background())
		}
		if got := where(err); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s\ngot\n%swant\n%s", c.src, got, c.want)
		}
	}
}

// What caused an error can be asked for.
func TestCauses(t *testing.T) {
	h := newHost(t)
	_, err := run(t, h, "x = 1\ny = d(0)")
	e := new(lang.Error)
	if !errors.As(err, &e) || e.Kind != lang.KindRuntime || e.Position != (lang.Position{File: "recipe.star", Line: 2, Column: 5}) {
		t.Errorf("%#v", err)
	}
	if _, err := h.Compile(context.Background(), "r.star", []byte("x = y")); len(lang.Errors(err)) != 1 || lang.Errors(err)[0].Kind != lang.KindName {
		t.Errorf("%#v", err)
	}
}
