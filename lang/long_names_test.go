package lang_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"dicescript/lang"
)

// longSources name things at great length: NNN, MMM and so on stand for long names, the
// nines for digits.
var longSources = []struct{ name, file, src string }{
	{"an undefined name", "r.star", "NNN"},
	{"one beside another", "r.star", "NNN = 1\nMMM\n"},
	{"an attribute", "r.star", "d(6).NNN"},
	{"an attribute of a text", "r.star", "''.NNN"},
	{"an argument by name", "r.star", "d(NNN=6)"},
	{"an argument by name of a function", "r.star", "def f(MMM=1):\n    return 1\nf(NNN=2)"},
	{"an argument given twice", "r.star", "def f(NNN=1):\n    return 1\nf(1, NNN=2)"},
	{"an argument by name twice", "r.star", "dict(NNN=1, NNN=2)"},
	{"an argument that lacks", "r.star", "def NNN(MMM):\n    return 1\nNNN()"},
	{"too many arguments", "r.star", "def NNN():\n    return 1\nNNN(1)"},
	{"a parameter twice", "r.star", "def f(NNN, NNN):\n    return 1\n"},
	{"a module", "r.star", "load('NNN.star', 'x')"},
	{"a module beside", "r.star", "load('./NNN.star', 'x')"},
	{"a module in a folder", "r.star", "load('a/b/NNN.star', 'x')"},
	{"a module that leaves its root", "r.star", "load('../NNN.star', 'x')"},
	{"a module that is no name", "r.star", "load('http://NNN\\n', 'x')"},
	{"a module without an ending", "r.star", "load('./NNN', 'x')"},
	{"a name of a module", "r.star", "load('./m.star', 'NNN')"},
	{"a private name of a module", "r.star", "load('./m.star', '_NNN')"},
	{"a name that is loaded twice", "r.star", "load('./m.star', NNN='x')\nload('./m.star', NNN='x')"},
	{"a frame", "r.star", "def NNN(n):\n    return n.x\nNNN(1)"},
	{"frames", "r.star", "def NNN(n):\n    return NNN(n + 1)\nNNN(1)"},
	{"a frame of a callback", "r.star", "def NNN(n):\n    return n.x\nd(6).map(NNN)"},
	{"a function as a value", "r.star", "def NNN(n):\n    return n\nd(NNN)"},
	{"a function that returns itself", "r.star", "def NNN(n):\n    return NNN\nd(6).map(NNN)"},
	{"a function of wrong arity", "r.star", "def NNN(n, MMM):\n    return n\nd(6).map(NNN)"},
	{"a function added", "r.star", "def NNN(n):\n    return n\nd(6) + NNN"},
	{"a name before it has a value", "r.star", "def f():\n    return NNN\nf()\nNNN = 1"},
	{"a local before it has a value", "r.star", "def f():\n    x = NNN\n    NNN = 1\nf()"},
	{"a label", "r.star", "d(6).map(lambda n: 'NNN').pmf('MMM')"},
	{"a step", "r.star", "scale().step('NNN').step('NNN')"},
	{"a key", "r.star", "{}['NNN']"},
	{"a key that is written twice", "r.star", "{'NNN': 1, 'NNN': 2}"},
	{"a format", "r.star", "'{NNN}'.format(1)"},
	{"a percent", "r.star", "'%(NNN)s' % {}"},
	{"notation", "r.star", "roll('NNN')"},
	{"notation of digits", "r.star", "roll('999999999')"},
	{"an int", "r.star", "int('NNN')"},
	{"a chance", "r.star", "coin('NNN')"},
	{"fail", "r.star", "fail('NNN')"},
	{"a parameter of the recipe", "r.star", "param('NNN', [])"},
	{"two of them", "r.star", "x = param('NNN', 1)\ny = param('NNN', 1)"},
	{"a choice", "r.star", "x = param('x', 'NNN', choices=['MMM'])"},
	{"digits", "r.star", "x = 0o99999999"},
	{"a dice literal", "r.star", "x = 9999999999d99999999999999"},
	{"a suffix", "r.star", "x = 4d6NNN"},
	{"a token", "r.star", "x = 1 NNN"},
	{"a text", "r.star", "x = 'NNN"},
	{"an escape", "r.star", "x = '\\\\qNNN'"},
	{"an annotation", "r.star", "def f(x: NNN):\n    return 1\nf(d)\nf()"},
	{"an assignment to dice", "r.star", "4d6, NNN = 1, 2"},
	{"an assignment", "r.star", "NNN() = 1"},
	{"a word of other tools", "r.star", "output NNN"},
	{"an import", "r.star", "import NNN"},
	{"from", "r.star", "from NNN import MMM"},
	{"a hidden builtin", "r.star", "NNN = 1\nmap = NNN\nmap(1, 2)"},
	{"a global of a function", "r.star", "def NNN():\n    output('x', NNN)\nNNN()"},
	{"output of a function", "r.star", "def NNN():\n    return 1\noutput('NNN', NNN)"},
	{"a comparison", "r.star", "def NNN():\n    return 1\nx = d(6) == NNN"},
	{"a cycle", "r.star", "load('./cycleNNN.star', 'x')"},
	{"a mistake in a module", "r.star", "load('./wrong.star', 'x')"},
	{"a failure of a module", "r.star", "load('./fails.star', 'x')\nx()"},
	{"an undefined name of AnyDice", "r.anydice", "output NNN"},
	{"a name of AnyDice", "r.anydice", "output AAA"},
	{"a name of AnyDice beside another", "r.anydice", "AAA: 1\noutput BBB"},
	{"a function of AnyDice", "r.anydice", "output [NNN 1]"},
	{"a function of AnyDice beside another", "r.anydice", "function: NNN X:n { result: X }\noutput [MMM 1]"},
	{"a function of AnyDice twice", "r.anydice", "function: NNN X:n { result: X }\nfunction: NNN X:n { result: X }\noutput [NNN 1"},
	{"a parameter of AnyDice", "r.anydice", "function: f AAA:q { result: 1 }\noutput [f 1]"},
	{"a setting of AnyDice", "r.anydice", "set \"NNN\" to 1"},
	{"a value of a setting of AnyDice", "r.anydice", "set \"position order\" to \"NNN\""},
	{"a number of AnyDice", "r.anydice", "output 99999999"},
	{"a title of AnyDice", "r.anydice", "output 1 named \"NNN\""},
	{"a title with a name of AnyDice", "r.anydice", "output 1 named \"[AAA]\""},
	{"a word of AnyDice", "r.anydice", "NNN"},
	{"a condition of AnyDice", "r.anydice", "if {99999999} { output 1 }"},
	{"a sequence of AnyDice", "r.anydice", "output {1..6} d {99999999}"},
}

// Whatever a recipe names, its errors are short, and soon there.
func TestErrorsOfLongNames(t *testing.T) {
	const length, longest, soon = 60_000, 2 << 10, 5 * time.Second
	letters := func(s string) string { return strings.Repeat(s, length) }
	fill := strings.NewReplacer("NNN", letters("n"), "MMM", letters("m"), "AAA", letters("A"), "BBB", letters("B"), "99999999", letters("9"))
	files := fstest.MapFS{}
	for name, src := range map[string]string{
		"m.star": "x = 1\nMMM = 1\n", "wrong.star": "x = NNN\n", "fails.star": "def NNN():\n    return 1 .NNN\nx = NNN\n",
	} {
		files[name] = &fstest.MapFile{Data: []byte(fill.Replace(src))}
	}
	h := newHost(t, lang.WithModules("./", files))
	for _, c := range longSources {
		begin := time.Now()
		err := compiledAndRun(t.Context(), h, c.file, fill.Replace(c.src)+"\n")
		if took := time.Since(begin); took > soon {
			t.Errorf("%s: %s", c.name, took)
		}
		if text := fmt.Sprint(err); len(text) > longest {
			t.Errorf("%s: %d bytes: %.200s", c.name, len(text), text)
		}
		for _, e := range lang.Errors(err) {
			for _, f := range e.Frames {
				if len(f.Function) > 200 {
					t.Errorf("%s: a frame of %d bytes", c.name, len(f.Function))
					break
				}
			}
			for _, f := range e.Fixes {
				if len(f.Text) > longest {
					t.Errorf("%s: a fix of %d bytes", c.name, len(f.Text))
				}
			}
		}
	}
}

// A word that is cut does not take with it what the message says after it.
func TestMessageAfterALongName(t *testing.T) {
	name := strings.Repeat("n", 1500)
	err := compiledAndRun(t.Context(), newHost(t), "recipe.star", "def "+name+"():\n    return 1\n"+name+"(1)\n")
	if want := strings.Repeat("n", 100) + "...: got 1 arguments, want none"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A load statement may have thousands of names: those that there are cost nothing much,
// and of those that there are not the first are reported.
func TestLoadOfManyNames(t *testing.T) {
	var exports, loaded, missing strings.Builder
	for i := range 18_000 {
		fmt.Fprintf(&exports, "a%d=1\n", i)
	}
	for i := range 12_000 {
		fmt.Fprintf(&loaded, ", b%d='a%d'", i, i)
		fmt.Fprintf(&missing, ", 'c%d'", i)
	}
	h := newHost(t, lang.WithModules("./", fstest.MapFS{"m.star": {Data: []byte(exports.String())}}))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := compiledAndRun(ctx, h, "recipe.star", "load('./m.star'"+loaded.String()+")\n"); err != nil {
		t.Errorf("names that there are: %.300s", err.Error())
	}
	begin := time.Now()
	err := compiledAndRun(ctx, h, "recipe.star", "load('./m.star'"+missing.String()+")\n")
	if n := len(lang.Errors(err)); n != 50 || !strings.Contains(err.Error(), "./m.star has no c0; did you mean a0?") {
		t.Errorf("names that there are not: %d errors, %.300v", n, err)
	}
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("names that there are not: %s", took)
	}
}

// compiledAndRun compiles and runs a recipe.
func compiledAndRun(ctx context.Context, h *lang.Host, name, src string) error {
	p, err := h.Compile(ctx, name, []byte(src))
	if err == nil {
		_, err = p.Run(ctx)
	}
	return err
}
