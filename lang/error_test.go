package lang_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"dicescript/lang"
)

// Every error stands where its author would look for it.
func TestPositions(t *testing.T) {
	h := newHost(t)
	for _, c := range []struct{ src, want string }{
		{"x = 1\noutput(\"a\", d(0))", "recipe.star:2:13: d: sides: got 0, want at least 1"},
		{"def f(n):\n    return d(n)\n\noutput(\"a\", f(0))", "recipe.star:2:12: d: sides"},
		{"x = [1, 2]\ny = x[5]", "recipe.star:2:6: there is no element 5: the last one is 1, counted from 0"},
		{"é = 4d6 + undefined_thing", "recipe.star:1:11: undefined: undefined_thing"},
		{"é = (2d6).foo", "recipe.star:1:11: DicePool has no .foo"},
		{"roll = 2d6 + 1\nroll.p_gte(5)", "recipe.star:2:6: DieRoll has no .p_gte; did you mean .p_ge?"},
		{"'x'.uper()", "has no .uper; did you mean .upper?"},
		{"x = 1 // 0", "recipe.star:1:7: "},
		{"x = 5\nx()", "recipe.star:2:1: this is not a function"},
		{"d = 5\nx = d(6)", "recipe.star:2:5: this is not a function, it is a whole number; line 1 gives the name d to something else than the builtin"},
		{"def f():\n    return later\nf()\nlater = 1", "recipe.star:2:12: later has no value yet"},
		{"fail('no', 'good')", "no good"},
		{"x = 4d6 +\ny = 3", "recipe.star:1:"},
		{"2d6.chance(7)", "recipe.star:1:5: DicePool has no .chance; it is called .p_eq(x)"},
		{"(2d6 + 1).average()", "DieRoll has no .average; it is called .mean()"},
		{"x = stdev(2d6)", "undefined: stdev; it is asked after a dot: write roll.sd()"},
		{"x = 1 in 2", "recipe.star:1:7: in has no meaning between a whole number and a whole number"},
		{"x = 'a'\ny = x not in len", "recipe.star:2:11: in has no meaning for a function"},
		{"x = 1 + 'a'", "recipe.star:1:7: a whole number can't be joined with a text; str(x) makes a text of any value"},
		{"x = 1 < 'a'", "recipe.star:1:7: a whole number can't be compared with a text by <"},
		{"x = 2\ny = 1.5 >> x", "recipe.star:2:9: >> has no meaning between a number and a whole number"},
		{"x = 'a'\ny = +x", "recipe.star:2:5: + has no meaning for a text"},
		{"x = (1, 2)\nx[0] = 3", "recipe.star:2:2: the elements of a tuple can't be changed"},
		{"def f(x):\n    x.kep += 1\nf(2d6)", "recipe.star:2:7: DicePool has no .kep; did you mean .keep?"},
		{"def f(first):\n    pass\nf(frist=1)", "recipe.star:3:1: f: there is no argument frist; did you mean first?"},
		{"x = roll('2 * (1..2)')", "recipe.star:1:5: roll: * has no meaning between a whole number and a band"},
		{"output('seven', 2d6 = 7)", "2d6: a dice literal is not a name; equality is written =="},
		{"if d20 >= 5:\n    pass", "recipe.star:1:"},
		{"output(\"a\", len)", "recipe.star:1:1: output: "},
		{"map(lambda x: 1 // (x - 3), d(6))", "recipe.star:1:17: "},
		{"def f(a, b):\n    return a\nf(1)", "recipe.star:3:1: f: missing 1 argument (b)"},
	} {
		p, err := h.Compile(context.Background(), "recipe.star", []byte(c.src))
		if err == nil {
			_, err = p.Run(context.Background())
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n got %v\nwant %s", c.src, err, c.want)
		}
	}
}

// The calls of an error are the recipe's own, outermost first.
func TestFrames(t *testing.T) {
	_, err := run(t, newHost(t), "def inner(face):\n    return 1 // 0\n\ndef outer():\n    return map(inner, d(6))\n\nouter()")
	e := new(lang.Error)
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	var got []string
	for _, f := range e.Frames {
		got = append(got, f.Function+"@"+f.Position.String())
	}
	want := "@recipe.star:7:1 outer@recipe.star:5:12 inner@recipe.star:2:14"
	if strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), want)
	}
	if e.Source != "    return 1 // 0" {
		t.Errorf("source line %q", e.Source)
	}
}

// A compilation reports every mistake that it can, in order.
func TestSeveralMistakes(t *testing.T) {
	h := newHost(t)
	_, err := h.Compile(context.Background(), "r.star", []byte("a = b\nc = load_me\noutput('x', dd(6))\n"))
	es := lang.Errors(err)
	if len(es) != 3 || es[0].Position.Line != 1 || es[1].Position.Line != 2 || es[2].Position.Line != 3 {
		t.Errorf("names: %v", err)
	}
	for _, e := range es {
		if e.Kind != lang.KindName {
			t.Errorf("kind %s of %v", e.Kind, e)
		}
	}
	_, err = h.Compile(context.Background(), "r.star", []byte("a = (1 +\nb = 2\nc = 3 3\nd6 = 4\n"))
	es = lang.Errors(err)
	if len(es) < 2 || es[0].Kind != lang.KindSyntax {
		t.Errorf("syntax: %v", err)
	}
}

// No message lets the machinery show.
func TestNoInternalNames(t *testing.T) {
	h := newHost(t)
	for _, src := range []string{
		"x = [1] < 2d6", "x = 2d6 + 'a'", "x = 'a' - 1", "x = -'a'", "x = not 2d6", "x = 4d6 and 1", "if 4d6:\n    pass",
		"x = {} < {}", "x = 1 in 5", "x = len + 1", "x = {[]: 1}", "x = 2d6[0]", "for x in 2d6:\n    pass", "x = (2d6)(1)",
		"x = [1][2d6]", "x = 1\nx.y = 2", "a, b = 1", "a, b = 2d6", "x = 5..\nfor i in x:\n    pass", "x = 2 <= 2d6 <= 3",
		"x = [].append(1, 2)", "'a'.join(1)", "x = 'a' % 2d6", "x = None + 1", "del", "x = 2d6 ** 2", "x = roll('4d6k3')",
		"load('nothing', 'x')", "x = 1 if 2d6 else 2", "x = [i for i in [1] if 2d6]", "f = lambda: g\ng = 1", "while 2d6:\n    pass",
	} {
		p, err := h.Compile(context.Background(), "recipe.star", []byte(src))
		if err == nil {
			_, err = p.Run(context.Background())
		}
		if err == nil {
			continue
		}
		for _, bad := range []string{"·", "starlark", "*builtins", "rewrite", "<builtin>", "0x", "nil", "Starlark"} {
			if strings.Contains(err.Error(), bad) {
				t.Errorf("%q: %v", src, err)
			}
		}
		for _, r := range err.Error() {
			if 0x12000 <= r && r <= 0x12399 {
				t.Errorf("%q: %v", src, err)
			}
		}
	}
}

func TestNotText(t *testing.T) {
	h := newHost(t)
	for _, src := range []string{"\xff\xfe", "a = 1\n\x00", "x = 'a\xc3'"} {
		_, err := h.Compile(context.Background(), "r.star", []byte(src))
		if err == nil || !strings.Contains(err.Error(), "this is not a text file in UTF-8") {
			t.Errorf("%q: %v", src, err)
		}
	}
}

// What a recipe says itself stays as it is, whatever it looks like.
func TestWordsOfRecipes(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`fail("3·d6 of <int> is $1, unknown binary op: int + string")`, "fail: 3·d6 of <int> is $1, unknown binary op: int + string"},
		{`x = {}["a·<int>$1"]`, `there is no key "a·<int>$1" in this dict`},
		{`int("<list>")`, "int: this text is not a whole number: <list>"},
		{`1 + "<int>"`, "a whole number can't be joined with a text; str(x) makes a text of any value"},
	} {
		_, err := run(t, newHost(t), c.src)
		e := new(lang.Error)
		if !errors.As(err, &e) || e.Message != c.want {
			t.Errorf("%s\n got %v\nwant %s", c.src, err, c.want)
		}
	}
}
