package assist_test

import (
	"fmt"
	"strings"
	"testing"

	"dicescript/lang/assist"
)

// What an error suggests can be done, and then there is no error any more.
func TestFix(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"output(explod(d6))", "output(explode(d6))"},
		{"output(2 d6)", "output(2d6)"},
		{"output(4d6 kh3)", "output(4d6kh3)"},
		{"dc = 5\noutput(count(4d6, dc ..6))", "dc = 5\noutput(count(4d6, dc..6))"},
		{"dc = 6\noutput(count(4d6, 5.. dc))", "dc = 6\noutput(count(4d6, 5..dc))"},
		{"output(count(4d6, 5.. 6))", "output(count(4d6, 5..6))"},
		{"output(count(4d6, 6..5))", "output(count(4d6, 5..6))"},
		{"output(4d6Kh3)", "output(4d6kh3)"},
		{"output(4d6kh3dl1)", `output(roll("4d6kh3dl1"))`},
		{"load(\"./house.star\", \"bonu\")\noutput(bonu(1))", "load(\"./house.star\", \"bonus\")\noutput(bonu(1))"},
		{"load(\"./huose.star\", \"bonus\")\noutput(bonus(1))", "load(\"./house.star\", \"bonus\")\noutput(bonus(1))"},
		{"a = 1\nif a = 1: output(1)", "a = 1\nif a == 1: output(1)"},
		{"import math", ""},
		{"from math import sqrt", ""},
		{"# attack\nfrom rolemaster import open_ended, beats # why", "# attack\nload(\"rolemaster.star\", \"open_ended\", \"beats\") # why"},
		{"# attack\nfrom rolemaster import open_ended, beats\n", "# attack\nload(\"rolemaster.star\", \"open_ended\", \"beats\")\n"},
		{"output(“Hit”, d20 >= 9)", "output(\"Hit\", d20 >= 9)"},
		{"x = ‘é🎲’ + “b”", "x = \"é🎲\" + “b”"},
		{"x = “a", ""},
		{"n = 2\noutput(f\"{n} dice\", 3d6)", "n = 2\noutput(\"{} dice\".format(n), 3d6)"},
		{"output(f\"{n:2}\")", ""},
		{"output 3d6 + 2  # good", "output(3d6 + 2)  # good"},
		{"output 3d6 named \"x\"", "output(\"x\", 3d6)"},
		{"print \"x\"", "print(\"x\")"},
		{"output([highest 1 of 2d20] + 3)", "output(2d20kh1 + 3)"},
		{"output(4d6 drop lowest)", "output(4d6dl1)"},
		{"x = d{1, 2, 3} + 1", "x = die_faces([1, 2, 3]) + 1"},
		{"output(sqrt(4))", "output(math.sqrt(4))"},
		{"output(true)", "output(True)"},
		{"n = 3\noutput(nd6)", "n = 3\noutput(dice_pool(n, 6))"},
		{"n = 3\noutput(4dn)", "n = 3\noutput(dice_pool(4, n))"},
		{"output(4d6r1)", "output((4d6).reroll(1))"},
		{"output(3d%!)", "output(explode(3d%, None))"},
		{"output(2d%x)", "output(explode(2d%, None))"},
		{"output(4d6kh3!)", `output(roll("4d6!kh3"))`},
		{"output(2)\nx = d%  # ten-sided", "output(2)\nx = 1d%  # ten-sided"},
		{"output(3 in..6)", "output(3 in ..6)"},
		{"x = = 1", ""},
		{"x = 3d{1, 2}", "x = times(3, die_faces([1, 2]))"},
		{"if 1 == 1  # so\n    output(1)", "if 1 == 1:  # so\n    output(1)"},
		{"x = 1\nif x is 1: output(1)", "x = 1\nif x == 1: output(1)"},
		{"3d6 is 7", "3d6 == 7"},
		{"output(1d20 vs 15)", "output(1d20 >= 15)"},
		{"load(\"rolemaster\", \"beats\")\noutput(beats(50))", "load(\"rolemaster.star\", \"beats\")\noutput(beats(50))"},
		{"load(\"house.star\", \"bonus\")\noutput(bonus(1))", "load(\"./house.star\", \"bonus\")\noutput(bonus(1))"},
		{"output(beats(50))\nload(\"fate.star\", \"action\")", "output(beats(50))\nload(\"rolemaster.star\", \"beats\")\nload(\"fate.star\", \"action\")"},
		{"output(beats(50))", "load(\"rolemaster.star\", \"beats\")\noutput(beats(50))"},
		{"'''Attacks.'''\n\noutput(beats(50))", "'''Attacks.'''\n\nload(\"rolemaster.star\", \"beats\")\noutput(beats(50))"},
		{"load(\n    \"fate.star\", \"action\")\n\noutput(beats(50))", "load(\n    \"fate.star\", \"action\")\nload(\"rolemaster.star\", \"beats\")\n\noutput(beats(50))"},
	} {
		d := assist.New(newHost(t)).Analyze(t.Context(), "a.star", []byte(c.text))
		all := d.Diagnostics(t.Context())
		if len(all) == 0 {
			t.Errorf("%q: nothing is wrong", c.text)
			continue
		}
		edits := all[0].Fixes
		if len(edits) > 0 != (c.want != "") {
			t.Errorf("%q: %q: got %v", c.text, all[0].Message, edits)
		}
		if len(edits) == 0 {
			continue
		}
		if got := edited(c.text, edits[:1]); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestFolds(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.star", "# a\n# b\nx = [\n    1,\n]\n\ndef f():\n    if x:\n        y()\n    else:\n        z()\n\nf()\n", "1-2# 3-4 7-11 8-9 10-11"},
		{"a.star", "f(\n    1,\n    [\n        2,\n    ],\n)\nx = 1 # a\n# b\n", "1-5 3-4"},
		{"a.star", "load(\n    'm.star',\n    'a',\n)\nfor x in y:\n    '''a\n    b'''\n", "1-4 5-7 6-7"},
		{"a.md", "# T\n\n```\nx = 1\ny = 2\n```\n", "3-6"},
		{"a.star", "x = = 1\ndef f():\n    return 1\n", "2-3"},
	} {
		d := assist.New(newHost(t)).Analyze(t.Context(), c.name, []byte(c.text))
		var folds []string
		for _, f := range d.Folds() {
			text := fmt.Sprintf("%d-%d", f.Start, f.End)
			if f.Comment {
				text += "#"
			}
			folds = append(folds, text)
		}
		if got := strings.Join(folds, " "); got != c.want {
			t.Errorf("%q: got %s, want %s", c.text, got, c.want)
		}
	}
}

func TestMarks(t *testing.T) {
	text := "load('./house.star', 'bonus')\ndef hit(dc):\n    return count(4d6, 5..) >= dc\noutput('x', hit(3))\ny = bonus(2).mean() + len(z)\n"
	d := assist.New(newHost(t)).Analyze(t.Context(), "a.star", []byte(text))
	var marks []string
	for _, m := range d.Marks() {
		line := []rune(strings.Split(text, "\n")[m.Range.Start.Line-1])
		marks = append(marks, fmt.Sprintf("%s:%s", string(line[m.Range.Start.Column-1:m.Range.End.Column-1]), m.Kind))
	}
	want := "hit:function dc:parameter count:builtin 4d6:dice 5..:range dc:parameter output:builtin hit:function bonus:function mean:method len:builtin"
	if got := strings.Join(marks, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestOutputs(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"output(1)\nx = 2\noutput('a',\n  x)", "1-1 3-4"},
		{"def show(n):\n    output(n)\n\ndef quiet(n):\n    return n\n\nshow(1)\nquiet(2)\nfor n in [1]:\n    if n:\n        output(n)\n", "7-7 11-11"},
		{"x = 2d6\nx", "2-2"},
		{"x = 2d6", ""},
		{"def output(n):\n    pass\noutput(1)\nx = 1", ""},
		{"x = = 1\noutput(1)", "2-2"},
	} {
		d := assist.New(newHost(t)).Analyze(t.Context(), "a.star", []byte(c.text))
		var lines []string
		for _, r := range d.Outputs() {
			lines = append(lines, fmt.Sprintf("%d-%d", r.Start.Line, r.End.Line))
		}
		if got := strings.Join(lines, " "); got != c.want {
			t.Errorf("%q: got %s, want %s", c.text, got, c.want)
		}
	}
}

// A name is followed through the files that load it.
func TestGlobal(t *testing.T) {
	a := assist.New(newHost(t))
	for _, c := range []struct{ text, want string }{
		{"load('./house.star', 'bon|us')\nbonus(1)", "house.star bonus, 1:23 2:1"},
		{"load('./house.star', 'bonus')\nbon|us(1)", "house.star bonus, 1:23 2:1"},
		{"load('./house.star', b='bon|us')\nb(1)", "house.star bonus, 1:22 1:25 2:1"},
		{"load('./house.star', b='bonus')\nb|(1)", "house.star bonus, 1:22 1:25 2:1"},
		{"def hit|(n):\n    return n\nhit(1)", "recipe.star hit, 1:5 3:1"},
		{"def hit(n):\n    return n|\nhit(1)", ""},
		{"_hit| = 1\n_hit", ""},
		{"load('./hou|se.star', 'bonus')\nbonus(1)", ""},
		{"max|(1, 2)", ""},
	} {
		d, pos := at(t, "recipe.star", c.text)
		got := ""
		if g, ok := d.Global(pos); ok {
			var places []string
			for _, r := range d.UsesOf(g) {
				places = append(places, fmt.Sprintf("%d:%d", r.Start.Line, r.Start.Column))
			}
			got = g.File + " " + g.Name + ", " + strings.Join(places, " ")
		}
		if got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"load('./house.star', 'bonus')\nbonus(1)", "load('./house.star', bonus=\"extra\")\nbonus(1)"},
		{"load('./house.star', b='bonus')\nb(1)", "load('./house.star', b='extra')\nb(1)"},
		{"load('fate.star', 'action')\naction(1)", "load('fate.star', 'action')\naction(1)"},
	} {
		d := a.Analyze(t.Context(), "recipe.star", []byte(c.text))
		if got := edited(c.text, d.RenameLoaded(assist.Global{File: "house.star", Name: "bonus"}, "extra")); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// While a line is typed, it goes on as it would in a text that is read anew.
func TestTyped(t *testing.T) {
	a := assist.New(newHost(t))
	for _, c := range []struct{ name, before, after string }{
		{"a.star", "attack = 2d6\nx = 1\noutput(x)\n", "attack = 2d6\nx = att|\noutput(x)\n"},
		{"a.star", "attack = 2d6\n\noutput(attack)\n", "attack = 2d6\nattack.p_a|\noutput(attack)\n"},
		{"a.star", "def f(strength):\n    \n    return 1\n", "def f(strength):\n    st|\n    return 1\n"},
		{"a.star", "x = 2d6\nexplode(\n", "x = 2d6\nexplode(x, |\n"},
		{"a.star", "r = bucket(2d6, scale().step('Hit'), 7)\nr.pmf()\n", "r = bucket(2d6, scale().step('Hit'), 7)\nr.pmf(\"H|\")\n"},
		{"a.md", "# T\n\n```\nattack = 2d6\n\n```\n", "# T\n\n```\nattack = 2d6\nattack.mea|\n```\n"},
		{"a.star", "# 🎲\nattack = 2d6\r\nx = 1\r\n", "# 🎲\nattack = 2d6\r\nx = attack.me|\r\n"},
	} {
		whole, pos := at(t, c.name, c.after)
		typed, ok := a.Analyze(t.Context(), c.name, []byte(c.before)).Typed([]byte(strings.Replace(c.after, "|", "", 1)))
		if !ok {
			t.Errorf("%q: too much differs", c.after)
			continue
		}
		if got, want := typed.Complete(pos), whole.Complete(pos); fmt.Sprint(got) != fmt.Sprint(want) || len(want.Items) == 0 {
			t.Errorf("%q: got %v, want %v", c.after, got, want)
		}
		got, _ := typed.Signature(pos)
		if want, _ := whole.Signature(pos); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q: got %v, want %v", c.after, got, want)
		}
	}
	for _, c := range []struct{ name, before, after string }{
		{"a.star", "x = 1\n", "x = 1\n\n"},
		{"a.star", "x = 1\ny = 2\n", "x = 1 + 2\n"},
		{"a.star", "load(\"fate.star\")\n", "load(\"fate.star\", \"action\")\n"},
		{"a.md", "```\nx = 1\n``\n```\n", "```\nx = 1\n```\n```\n"},
		{"a.anydice", "output 1d6", "output 2d6"},
	} {
		if _, ok := a.Analyze(t.Context(), c.name, []byte(c.before)).Typed([]byte(c.after)); ok {
			t.Errorf("%q to %q: only a line differs", c.before, c.after)
		}
	}
}
