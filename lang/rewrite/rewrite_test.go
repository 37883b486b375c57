package rewrite

import (
	"fmt"
	"strings"
	"testing"

	"dicescript/builtins/meter"
	"dicescript/builtins/native"
	"dicescript/lang/notation"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// chance stands for a roll: comparisons with it are text that says so.
type chance struct{ name string }

func (c chance) String() string     { return c.name }
func (chance) Type() string         { return "chance" }
func (chance) Freeze()              {}
func (chance) Truth() starlark.Bool { return true }
func (chance) Hash() (uint32, error) {
	return 0, nil
}

// odds is what comparing a chance gives; it is no condition.
type odds struct{ chance }

// A table is the hooks of the tests: what is not about chances is left to Starlark.
type table struct {
	meter  *meter.Meter
	thread *starlark.Thread // of the recipe that runs
}

func testHooks() *table { return &table{} }

func (*table) Compare(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if _, ok := x.(chance); ok && y != starlark.None {
		return odds{chance{fmt.Sprintf("P(%s %s %s)", x, op, y)}}, nil
	}
	if _, ok := y.(chance); ok && x != starlark.None {
		return odds{chance{fmt.Sprintf("P(%s %s %s)", x, op, y)}}, nil
	}
	return compareNatively(op, x, y)
}

// compareNatively compares as Starlark does.
func compareNatively(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	switch op {
	case syntax.IN:
		return native.Binary(op, x, y)
	case syntax.NOT_IN:
		v, err := native.Binary(syntax.IN, x, y)
		if err != nil {
			return nil, err
		}
		return !v.Truth(), nil
	}
	return native.Compare(op, x, y)
}

func (*table) Truth(v starlark.Value) error {
	switch v.(type) {
	case chance, odds:
		return fmt.Errorf("a chance is not a condition")
	}
	return nil
}

func (*table) Literal(l *notation.Literal) (starlark.Value, error) { return chance{l.Text}, nil }

func (*table) Binary(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	return native.Binary(op, x, y)
}

func (*table) Unary(op syntax.Token, x starlark.Value) (starlark.Value, error) {
	return native.Unary(op, x)
}

func (t *table) Attribute(x starlark.Value, name string) (starlark.Value, error) {
	return t.meter.Attribute(x, name)
}

func (t *table) Call(fn, arg starlark.Value) (starlark.Value, error) {
	return starlark.Call(t.thread, fn, starlark.Tuple{arg}, nil)
}

// execute runs a recipe and returns what it prints.
func execute(t testing.TB, src string, o Options, h *table) (string, starlark.StringDict, error) {
	t.Helper()
	return executeOn(&starlark.Thread{}, src, o, h)
}

func executeOn(thread *starlark.Thread, src string, o Options, h *table) (string, starlark.StringDict, error) {
	var out strings.Builder
	thread.Print = func(_ *starlark.Thread, msg string) { out.WriteString(msg + "\n") }
	thread.SetMaxExecutionSteps(1 << 20)
	thread.Load = func(_ *starlark.Thread, module string) (starlark.StringDict, error) {
		return starlark.StringDict{"count": starlark.String("loaded"), "x": starlark.MakeInt(1)}, nil
	}
	if o.Predeclared == nil {
		o.Predeclared = starlark.StringDict{}
	}
	tree, ds := dicesyntax.Parse("test.dice", []byte(src))
	if ds != nil {
		return "", nil, fmt.Errorf("parse: %v", ds)
	}
	code, ds := Rewrite(tree, o)
	if ds != nil {
		return "", nil, fmt.Errorf("rewrite: %v", ds)
	}
	program, ds := code.Program()
	if ds != nil {
		return "", nil, fmt.Errorf("names: %v", ds)
	}
	env := starlark.StringDict{}
	for k, v := range o.Predeclared {
		env[k] = v
	}
	h.thread = thread
	code.Predeclare(env, h, h.meter)
	globals, err := program.Init(thread, env)
	return out.String(), globals, err
}

func TestPrograms(t *testing.T) {
	builtins := starlark.StringDict{"count": starlark.String("builtin")}
	for _, test := range []struct{ name, src, want string }{
		{"literal", "print(4d6kh3, d20, 1d%, 5..6, -3.., ..6)", "4d6kh3 d20 1d% 5..6 -3.. ..6"},
		{"chance", "print(4d6 >= 15, 3 < d6, d6 == d6, 2d6 in [7, 11], d6 != None, None == d6)",
			"P(4d6 >= 15) P(3 < d6) P(d6 == d6) P(2d6 in [7, 11]) True False"},
		{"range of a loop", "x = [n for n in [1, 2, 3] if n > 1]\nprint(x)", "[2, 3]"},
		{"plain", "print(1 < 2, 'a' in 'abc', 3 not in [1, 2], 2 == 2.0, 'a' < 'b', [1] == [1])", "True True True True True True"},
		{"both sides", "x = 3\nprint(x > 2, 2 > x, -1 < x, x != 'a', x == 3)", "True False True True True"},
		{"or keeps its value", "x = None\nprint(x or 'none', 0 or [], 2 and 3, not x)", "none [] 3 True"},
		{"ternary", "x = 5\nprint('big' if x > 3 else 'small', 'y' if not x == 5 else 'n')", "big n"},
		{"while", "i = 0\nwhile i < 3:\n    i += 1\nprint(i)", "3"},
		{"hidden by assignment", "def f():\n    return count\nprint(f(), count)\ncount = 3\nprint(f(), count)", "builtin builtin\n3 3"},
		{"hidden in a loop", "for i in [1, 2]:\n    print(count)\n    count = i\nprint(count)", "builtin\n1\n2"},
		{"hidden by load", "def f(): return count\nprint(f())\nload('m', 'count')\nprint(f(), count)", "builtin\nloaded loaded"},
		{"hidden by def", "print(count)\ndef count(): pass\nprint(type(count))", "builtin\nfunction"},
		{"hidden in a branch", "if False:\n    count = 1\nprint(count)", "builtin"},
		{"hidden universal", "def f(): return len\nprint(type(f()))\nlen = 3\nprint(f())", "builtin_function_or_method\n3"},
		{"local", "def f(count): return count\nprint(f(2), count)", "2 builtin"},
		{"load", "load('m', 'x')\nprint(x)", "1"},
		{"augmented element", "n = [0]\ndef i():\n    n[0] += 1\n    return 0\na = [5]\na[i()] += 2 * 3\nprint(a, n)", "[11] [1]"},
		{"augmented list", "a = [1]\nb = a\na += (2, 3)\na += a\nprint(b)", "[1, 2, 3, 1, 2, 3]"},
		{"augmented in a function", "def f():\n    a = {'x': 'a%s'}\n    a['x'] %= 3\n    a['x'] *= 2\n    x = 1\n    x <<= 3\n    return a, x\nprint(f())", "({\"x\": \"a3a3\"}, 8)"},
		{"methods", "s = 'a-b'\nl = []\nl.append(1)\nl.extend([2])\nm = l.append\nm(3)\nprint(s.replace('-', '+'), '+'.join(['1', '2']), '{}!'.format(s), l, type(m))", "a+b 1+2 a-b! [1, 2, 3] builtin_function_or_method"},
		{"order", "l = []\ndef f(x):\n    l.append(x)\n    return x\nf(1) + f(2) < f(3) * f(4)\nprint(l)", "[1, 2, 3, 4]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h, thread := limited(meter.Limits{}.Filled())
			got, _, err := executeOn(thread, test.src, Options{Predeclared: builtins}, h)
			if err != nil {
				t.Fatal(err)
			}
			if strings.TrimSpace(got) != test.want {
				t.Errorf("%s\ngot  %s\nwant %s", test.src, got, test.want)
			}
		})
	}
}

// TestConditions checks that a chance is refused wherever a truth is wanted,
// at the author's own text.
func TestConditions(t *testing.T) {
	for src, at := range map[string]string{
		"if d6 > 3: pass":                              "1:7",
		"if d6: pass":                                  "1:4",
		"x = not d6":                                   "1:9",
		"x = (d6 >= 3) and 1":                          "1:9",
		"x = 1 and d6 or 2":                            "1:11",
		"x = 1 if 2d6 == 7 else 2":                     "1:14",
		"x = [i for i in [1] if d6 < i]":               "1:27",
		"while 3 in d6: pass":                          "1:9",
		"if 1 < 2 and not d6: pass":                    "1:18",
		"def f(a):\n  if a <= 3:\n    return 1\nf(d6)": "2:8",
	} {
		_, _, err := execute(t, src, Options{}, testHooks())
		evalErr, ok := err.(*starlark.EvalError)
		if !ok {
			t.Errorf("%s: got %v, want a refusal", src, err)
			continue
		}
		frame := evalErr.CallStack.At(0)
		if got := fmt.Sprintf("%d:%d", frame.Pos.Line, frame.Pos.Col); got != at || !strings.Contains(err.Error(), "a chance is not a condition") {
			t.Errorf("%s: %s at %s, want %s", src, err, got, at)
		}
	}
}

func TestDiagnostics(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"x = 1 <= d6 <= 3", "1:13: comparisons do not chain"},
		{"if x = 3: pass", "1:6: expected a colon, got = (equality is written ==)"},
		{"if x\n  pass", "1:5: expected a colon, got the end of the line (def, if"},
		{"x = 5 6", "1:7: did not expect a number here"},
		{"x is y", "1:3: did not expect is here (equality is written ==)"},
		{"import x", "1:1: did not expect import here (modules are loaded"},
		{"x = {1, 2}", "1:5: a list is written [1, 2], a die with these faces die_faces([1, 2]), and a set set([1, 2])"},
		{"  x = 1", "1:3: this line is indented"},
		{"if x:\ny = 1", "1:6: expected an indented block"},
		{"x = 3 +", "1:8: something is missing"},
		{"print('a)", "1:7: this text is never closed"},
		{"d6 = 3", "1:1: d6: a dice literal is not a name"},
		{"def f(d6): pass", "1:7: d6: a dice literal is not a name"},
		{"for d6 in [1]: pass", "1:5: d6: a dice literal is not a name"},
		{"def d6(): pass", "1:5: d6: a dice literal is not a name"},
		{"f = lambda d6: 1", "1:12: d6: a dice literal is not a name"},
		{"x = [1 for d6 in [1]]", "1:12: d6: a dice literal is not a name"},
		{"load('m', d6='x')", "1:11: d6: a dice literal is not a name"},
		{"print(d6=1)", "1:7: d6: a dice literal is not a name; equality is written =="},
		{"x = 2 d6", "1:5: write the number of dice and the die together: 2d6"},
		{"a = (\nb = 2\nc = )\nd = 3", "1:5: this ( is never closed"},
		{"x = = 1\ny = 2\nif x\n  y = 3\nz = )\n", "1:5"},
		{"x + 1 = 3", "1:3: can't assign to this"},
		{"print(explod)\nexplode = 1\nprnt(2)", "1:7: undefined: explod (did you mean explode?); 3:1: undefined: prnt (did you mean print?)"},
		{"print(d6r1)", "1:7: undefined: d6r1 (dice are written"},
		{"return 1\nbreak", "1:1: return statement outside a function; 2:1: break outside a loop"},
		{strings.Repeat("(", 900) + strings.Repeat(")", 900), "nested too deeply"},
		{"x = " + strings.Repeat("a+", 5000) + "a", "nested too deeply"},
		{"x = " + strings.Repeat("-", 5000) + "a", "nested too deeply"},
		{"x = " + strings.Repeat("not ", 5000) + "a", "nested too deeply"},
		{"x = a" + strings.Repeat(".b", 5000), "nested too deeply"},
		{"x = " + strings.Repeat("1 if a else ", 5000) + "a", "nested too deeply"},
		{"x = " + strings.Repeat("lambda: ", 5000) + "a", "nested too deeply"},
		{"if x: pass\n" + strings.Repeat("elif x: pass\n", 5000), "nested too deeply"},
	} {
		_, _, err := execute(t, test.src, Options{}, testHooks())
		if err == nil {
			t.Errorf("%.40s: no error, want %s", test.src, test.want)
			continue
		}
		got := strings.ReplaceAll(err.Error(), ") ", "); ")
		for _, part := range strings.Split(test.want, "; ") {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%.40s:\ngot  %s\nwant %s", test.src, got, part)
			}
		}
	}
}
