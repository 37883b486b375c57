package rewrite

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"dicescript/builtins/meter"
	"dicescript/builtins/native"
	"dicescript/dist"
	dicesyntax "dicescript/lang/syntax"
	_ "dicescript/testdata/testseed"

	"go.starlark.net/starlark"
	"pgregory.net/rapid"
)

// asWritten runs a recipe without dice as Starlark does.
func asWritten(src string) (string, error) {
	var out strings.Builder
	thread := &starlark.Thread{Print: func(_ *starlark.Thread, msg string) { out.WriteString(msg + "\n") }}
	_, err := starlark.ExecFileOptions(dicesyntax.FileOptions(), thread, "test.dice", src, nil)
	return out.String(), err
}

// where is the innermost place of an error with its message.
func where(err error) string {
	e, ok := err.(*starlark.EvalError)
	if !ok {
		return fmt.Sprint(err)
	}
	for i := range e.CallStack {
		if p := e.CallStack.At(i).Pos; p.Line > 0 {
			return fmt.Sprintf("%d:%d: %s (%d frames)", p.Line, p.Col, e.Msg, len(e.CallStack))
		}
	}
	return e.Msg
}

// reworded are the messages of Starlark's that the operators say in other words, where T
// and U stand for what values of the types are called.
var reworded = []struct {
	pattern *regexp.Regexp
	words   string
}{
	{regexp.MustCompile(`unknown binary op: (\S*function\S*) (\S+) \S+`), "$2 has no meaning for a function; to call it, write its name with (...)"},
	{regexp.MustCompile(`unknown binary op: \S+ (\S+) \S*function\S*`), "$1 has no meaning for a function; to call it, write its name with (...)"},
	{regexp.MustCompile(`unknown binary op: string \+ (\S+)`), "a text can't be joined with <$1>; str(x) makes a text of any value"},
	{regexp.MustCompile(`unknown binary op: (\S+) \+ string`), "<$1> can't be joined with a text; str(x) makes a text of any value"},
	{regexp.MustCompile(`unknown binary op: list (//|%|-|/|\+) (int|float)`), "$1 has no meaning between a list and <$2>; a function of a pool sees the list of its faces: sum(faces) adds them up, and pool.sum().map(fn) looks at totals"},
	{regexp.MustCompile(`unknown binary op: (\S+) (\S+) (\S+)`), "$2 has no meaning between <$1> and <$3>"},
	{regexp.MustCompile(`unknown unary op: (\S+) (\S+)`), "$1 has no meaning for <$2>"},
	{regexp.MustCompile(`(\S*function\S*) ([<>]=?) \S+ not implemented`), "$2 has no meaning for a function; to call it, write its name with (...)"},
	{regexp.MustCompile(`\S+ ([<>]=?) \S*function\S* not implemented`), "$1 has no meaning for a function; to call it, write its name with (...)"},
	{regexp.MustCompile(`list (\S+) (int|float) not implemented`), "a list can't be compared with <$2> by $1; a function of a pool sees the list of its faces: sum(faces) adds them up, and pool.sum().map(fn) looks at totals"},
	{regexp.MustCompile(`(\S+) (\S+) (\S+) not implemented`), "<$1> can't be compared with <$3> by $2"},
	{regexp.MustCompile(`(\S+) value does not support item assignment`), "the elements of <$1> can't be changed"},
	{regexp.MustCompile(`(\S+) has no \.(\w+) field or method`), "$1 has no .$2"},
}

var typeWord = regexp.MustCompile(`<(\w+)>`)

// inWords is what where gives of an error of Starlark's, in the words of the operators.
func inWords(message string) string {
	for _, r := range reworded {
		if m := r.pattern.FindStringSubmatchIndex(message); m != nil {
			words := string(r.pattern.ExpandString(nil, r.words, message, m))
			words = typeWord.ReplaceAllStringFunc(words, func(t string) string { return native.TypeInWords(t[1 : len(t)-1]) })
			return message[:m[0]] + words + message[m[1]:]
		}
	}
	return message
}

// TestSameAsNative checks that a recipe without rolls does what Starlark does
// with it, to the place of its error and what that says.
func TestSameAsNative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := recipe(t)
		want, wantErr := asWritten(src)
		h, thread := limited(meter.Limits{}.Filled())
		got, _, err := executeOn(thread, src, Options{}, h)
		if limit := (*dist.LimitError)(nil); errors.As(err, &limit) && limit.Resource == meter.Depth {
			t.Skip("a list that holds itself is deeper than is compared here")
		}
		if got != want || where(err) != inWords(where(wantErr)) {
			t.Fatalf("%s\ngot  %s%s\nwant %s%s", src, got, where(err), want, inWords(where(wantErr)))
		}
	})
}

// recipe draws a recipe over a few variables.
func recipe(t *rapid.T) string {
	g := generator{t}
	var b strings.Builder
	b.WriteString("log = []\ndef note(x):\n  log.append(x)\n  return x\na, b, c = 1, 'x', [1, 'y', (2,)]\ne = {1: 'z', 'x': [0]}\ns = set([1, 'x'])\n")
	for range rapid.IntRange(1, 4).Draw(t, "statements") {
		b.WriteString(g.statement() + "\n")
	}
	b.WriteString("print(a, b, c, e, s, log)\n")
	return b.String()
}

type generator struct{ *rapid.T }

func (g generator) pick(options ...string) string {
	return rapid.SampledFrom(options).Draw(g.T, "pick")
}

func (g generator) expr(depth int) string {
	if depth == 0 {
		return g.pick("a", "b", "c", "e", "0", "1", "-2", "2.5", "s", "'x'", "'%s'", "None", "True", "()", "[1]", "note(a)", "{1: 2}")
	}
	x, y := func() string { return g.expr(depth - 1) }, func() string { return g.expr(rapid.IntRange(0, depth-1).Draw(g.T, "depth")) }
	switch g.pick("binary", "binary", "compare", "compare", "not", "logic", "ternary", "paren", "list", "comprehension", "comprehension", "dict comprehension", "note", "lambda", "method", "index") {
	case "binary":
		return "(" + x() + " " + g.pick("+", "-", "*", "%", "//", "<<", "|") + " " + y() + ")"
	case "compare":
		return "(" + x() + " " + g.pick("==", "!=", "<", "<=", ">", ">=", "in", "not in") + " " + y() + ")"
	case "not":
		return "(not " + x() + ")"
	case "logic":
		return "(" + x() + " " + g.pick("and", "or") + " " + y() + ")"
	case "ternary":
		return "(" + x() + " if " + y() + " else " + y() + ")"
	case "list":
		return "[" + x() + ", " + y() + "]"
	case "comprehension":
		return "[" + g.pick("i", "note(i)", x()) + g.clauses(x) + "]"
	case "dict comprehension":
		return "{" + g.pick("i", "note(i)", x()) + ": " + g.pick("i", "note(a)", y()) + g.clauses(x) + "}"
	case "note":
		return "note(" + x() + ")"
	case "lambda":
		return "(lambda p: " + g.pick("p == 1", "p", "p < 2", "[p] + [p]") + ")(" + x() + ")"
	case "method":
		return g.pick("', '.join(", "'{}{0}'.format(", "'a-x'.replace('x', ", "c.append(", "c.extend(", "e.update(", "e.get(", "e.setdefault(", "s.add(", "s.union(", "list(", "dict(", "set(") + x() + ")"
	case "index":
		return g.pick("c", "e", "[5, 6]") + "[" + x() + "]"
	}
	return "(" + x() + ")"
}

// clauses draws what follows in a comprehension.
func (g generator) clauses(x func() string) string {
	clauses := " for i in " + g.pick("[1, 'x', "+x()+"]", "[1, 'x', "+x()+"]", x(), "c", "e", "s", "range(3)")
	for range rapid.IntRange(0, 2).Draw(g.T, "clauses") {
		clauses += g.pick(" if i", " if i == a", " if i != 'x'", " if not i", " for j in [i, i]", " for j in [k for k in c if k]", " for j in "+x())
	}
	return clauses
}

func (g generator) statement() string {
	e := func() string { return g.expr(rapid.IntRange(0, 3).Draw(g.T, "depth")) }
	switch g.pick("assign", "augmented", "augmented", "element", "if", "for", "while", "def", "print") {
	case "assign":
		return g.pick("a", "b", "(a)", "c[0]", "a, b", "e[a]", "e[note('x')]", "a, (b, e[1])") + " = " + e()
	case "augmented":
		return g.pick("a", "b", "c", "(c)", "e", "s") + " " + g.pick("+=", "*=", "%=", "<<=", "-=", "|=", "&=", "^=") + " " + e()
	case "element":
		return g.pick("c[note(0)]", "e[note('x')]", "note(c)[1]", "c[7]") + " " + g.pick("+=", "*=", "%=", "<<=") + " " + e()
	case "if":
		return "if " + e() + ":\n  a = 'if'\nelif " + e() + ":\n  a = 'elif'\nelse:\n  a = 'else'"
	case "for":
		return "for i in " + g.pick("[1, 2]", "[1, 2]", "c", "e", "s") + ":\n  if " + e() + ": continue\n  " + g.pick("a = i", "a = i", "c += [i]", "e |= {}", "e |= {i: 1}", "e[i] = 2", "s |= s", "a = "+e())
	case "while":
		return "n = 0\nwhile " + e() + ":\n  n += 1\n  if n > 2: break"
	case "def":
		return "def f(p, q=" + e() + "):\n  p " + g.pick("+=", "*=") + " " + e() + "\n  return p == q\na = f(b)"
	}
	return "print(" + e() + ")"
}

// FuzzRewrite checks that no text makes any step panic.
func FuzzRewrite(f *testing.F) {
	for _, s := range []string{everything, "x = 4d6 >= 3 if 1..2 else -3.. in x", "a = (\ndef f(:\n", "if x\n y\n'''", "\ufeffx=1\\\n+2", "a[b] += c.append"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		tree, ds := dicesyntax.Parse("x", []byte(src))
		for _, d := range ds {
			if d.Line < 1 || d.Col < 1 || d.Msg == "" {
				t.Fatalf("%q: no place in %v", src, d)
			}
		}
		if (tree == nil) != (len(ds) > 0) {
			t.Fatalf("%q: a tree and mistakes %v", src, ds)
		}
		if tree == nil {
			return
		}
		code, ds := Rewrite(tree, Options{Predeclared: starlark.StringDict{"count": starlark.None}})
		if ds == nil {
			code.Program()
		}
	})
}
