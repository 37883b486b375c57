package compiled_test

import (
	"fmt"
	"strings"
	"testing"

	_ "dicescript/testdata/testseed"
	"go.starlark.net/starlark"

	"pgregory.net/rapid"
)

// Random functions of the language that is compiled, and some of it that is not,
// are run both ways. Most of them are well typed, so that they get somewhere.

// A writer writes a function at random.
type writer struct {
	t     *rapid.T
	out   strings.Builder
	depth int
	vars  []string // that hold whole numbers, for sure or perhaps
	lists []string
	loops int
	names int
}

func (w *writer) pick(label string, n int) int { return rapid.IntRange(0, n-1).Draw(w.t, label) }

func (w *writer) oneOf(words ...string) string { return words[w.pick("word", len(words))] }

func (w *writer) variable() string { return w.vars[w.pick("variable", len(w.vars))] }

// own is a variable of the function, which may be assigned to.
func (w *writer) own() string {
	if v := w.variable(); v != "size" {
		return v
	}
	return "a"
}

func (w *writer) fresh() string {
	w.names++
	return fmt.Sprintf("v%d", w.names)
}

// number writes an expression that is mostly a whole number.
func (w *writer) number(depth int) string {
	if depth <= 0 {
		switch w.pick("leaf", 40) {
		case 39:
			return w.oneOf("9223372036854775807", "-9223372036854775808", "4611686018427387904", "3037000500")
		case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10:
			return fmt.Sprint(rapid.IntRange(-3, 12).Draw(w.t, "literal"))
		}
		return w.variable()
	}
	d := depth - 1
	switch w.pick("number", 19) {
	case 0, 1, 2, 3:
		return fmt.Sprintf("(%s %s %s)", w.number(d), w.oneOf("+", "-", "*", "//", "%", "+", "-", "+", "-", "*", "&", "|", "^", ">> 1 +", "<< 2 *"), w.number(d))
	case 4:
		return fmt.Sprintf("(%s if %s else %s)", w.number(d), w.condition(d), w.number(d))
	case 5:
		return fmt.Sprintf("%s(%s, %s)", w.oneOf("min", "max"), w.number(d), w.number(d))
	case 6:
		return fmt.Sprintf("%s%s", w.oneOf("abs", "-", "~", "int", "+"), "("+w.number(d)+")")
	case 7:
		return fmt.Sprintf("%s(%s)", w.oneOf("sum", "len", "min", "max"), w.list(d))
	case 8:
		return fmt.Sprintf("%s[%s]", w.list(d), w.oneOf("0", "-1", "1", w.number(d)+" % 2", w.number(d)))
	case 9:
		return fmt.Sprintf("(%s, %s, %s)[%s]", w.number(d), w.number(d), w.number(d), w.oneOf("0", "-1", "2", w.number(d)+" % 3", w.number(d)))
	case 10:
		return fmt.Sprintf("%s.index(%s)", w.oneOf("weights", "(weights + [2, 6])", w.list(d)), w.oneOf("3", "1 + b % 6", w.number(d)))
	case 11:
		return fmt.Sprintf("help(%s, %s)", w.number(d), w.oneOf(w.number(d), "b = "+w.number(d), "c = 4"))
	case 12:
		table := w.oneOf("table", "{1: 2, 2: 5}", fmt.Sprintf("{%s: %s, %s: 3}", w.number(d), w.number(d), w.number(d)))
		return fmt.Sprintf(w.oneOf("%s.get(%s, %s)", "len(%s) + %s - %s"), table, w.number(d), w.number(d))
	case 13:
		return fmt.Sprintf("len(%s)", w.text(d))
	case 14:
		return fmt.Sprintf("(%s %s %s)", w.number(d), w.oneOf("and", "or"), w.number(d))
	case 15:
		return fmt.Sprintf(w.oneOf("table[%s %% 2 + 1]", "weights[%s %% 5]", "int(str(%s))"), w.number(d))
	case 16:
		return fmt.Sprintf("max([(%s, %s), (%s, 1)])[%d]", w.number(d), w.number(d), w.number(d), w.pick("place", 2))
	}
	return w.number(0)
}

// condition writes an expression that is mostly a truth value.
func (w *writer) condition(depth int) string {
	d := depth - 1
	if depth <= 0 {
		return fmt.Sprintf("%s %s %d", w.variable(), w.oneOf("<", "<=", ">", ">=", "==", "!="), rapid.IntRange(-2, 9).Draw(w.t, "bound"))
	}
	switch w.pick("condition", 12) {
	case 0, 1, 2:
		return fmt.Sprintf("%s %s %s", w.number(d), w.oneOf("<", "<=", ">", ">=", "==", "!="), w.number(d))
	case 3:
		return fmt.Sprintf("(%s %s %s)", w.condition(d), w.oneOf("and", "or"), w.condition(d))
	case 4:
		return fmt.Sprintf("not (%s)", w.condition(d))
	case 5:
		return fmt.Sprintf("%s %s %s", w.number(d), w.oneOf("in", "not in"), w.oneOf("[1, 2, 6]", "(3, -1)", "2..5", "..0", "4..", "weights", "table", "range(1, 9, 2)", w.list(d)))
	case 6:
		return fmt.Sprintf("%s %s %s", w.text(d), w.oneOf("==", "!=", "<", ">=", "in"), w.text(d))
	case 7:
		return fmt.Sprintf("(%s, %s) %s (%s, %s)", w.number(d), w.number(d), w.oneOf("<", "<=", "==", "!="), w.number(d), w.number(d))
	case 8:
		return fmt.Sprintf("%s([%s for x in %s])", w.oneOf("any", "all"), w.condition(0), w.list(d))
	case 9:
		return fmt.Sprintf("%s.%s(%s)", w.text(d), w.oneOf("startswith", "endswith"), w.text(d))
	case 10:
		return w.oneOf("True", "False", "type("+w.number(d)+`) == "int"`, "bool("+w.number(d)+")", w.text(d), w.list(d), "None == "+w.number(d))
	}
	return w.condition(0)
}

func (w *writer) list(depth int) string {
	d := depth - 1
	if depth <= 0 || w.pick("leaf", 3) == 0 {
		return w.lists[w.pick("list", len(w.lists))]
	}
	switch w.pick("list", 9) {
	case 0:
		return fmt.Sprintf("[%s, %s]", w.number(d), w.number(d))
	case 1:
		return fmt.Sprintf("sorted(%s)", w.list(d))
	case 2:
		return fmt.Sprintf("%s[%s:%s]", w.list(d), w.oneOf("", "1", "-2", w.number(d)), w.oneOf("", "2", "-1", w.number(d)))
	case 3:
		return fmt.Sprintf("(%s + %s)", w.list(d), w.list(d))
	case 4:
		return fmt.Sprintf("list(range(%s))", w.oneOf("5", "1, 4", "6, 0, -2", w.number(d)+" % 9"))
	case 5:
		return fmt.Sprintf("list(reversed(%s))", w.list(d))
	case 6:
		return fmt.Sprintf("%s[::%s]", w.list(d), w.oneOf("-1", "2", "-2"))
	}
	name := w.fresh()
	w.vars = append(w.vars, name)
	body, filter := w.number(d), ""
	if w.pick("filter", 2) == 0 {
		filter = " if " + w.condition(d)
	}
	w.vars = w.vars[:len(w.vars)-1]
	return fmt.Sprintf("[%s for %s in %s%s]", body, name, w.oneOf("range(4)", "1..3", w.list(d)), filter)
}

func (w *writer) text(depth int) string {
	d := depth - 1
	if depth <= 0 {
		return w.oneOf(`"a"`, `"hit"`, `""`, `"ab"`)
	}
	switch w.pick("text", 10) {
	case 0:
		return fmt.Sprintf("str(%s)", w.number(d))
	case 1:
		return fmt.Sprintf(`("%%d:%%s" %% (%s, %s))`, w.number(d), w.text(d))
	case 2:
		return fmt.Sprintf("(%s + %s)", w.text(d), w.text(d))
	case 3:
		return fmt.Sprintf("%s.%s", w.text(d), w.oneOf("upper()", "title()", "strip()", `split("i")[0]`, `format(1, 2)`))
	case 4:
		return fmt.Sprintf(`", ".join([%s, %s])`, w.text(d), w.text(d))
	case 5:
		return fmt.Sprintf("(%s if %s else %s)", w.text(d), w.condition(d), w.text(d))
	case 6:
		return fmt.Sprintf("%s[%s]", w.text(d), w.oneOf("0", "-1", ":1", "1:", w.number(d)))
	case 7:
		return fmt.Sprintf(`"{} {}".format(%s, %s)`, w.number(d), w.text(d))
	case 8:
		return fmt.Sprintf("str((%s, %s))", w.number(d), w.text(d))
	}
	return w.text(0)
}

// value writes what may be returned.
func (w *writer) value() string {
	switch w.pick("value", 8) {
	case 0:
		return w.condition(2)
	case 1:
		return w.text(2)
	case 2:
		return fmt.Sprintf("(%s, %s)", w.number(1), w.text(1))
	case 3:
		return fmt.Sprintf("(%s, (%s, %s))", w.condition(1), w.number(1), w.number(1))
	}
	return w.number(3)
}

func (w *writer) line(format string, args ...any) {
	w.out.WriteString(strings.Repeat("    ", w.depth) + fmt.Sprintf(format, args...) + "\n")
}

func (w *writer) block() {
	w.depth++
	for range 1 + w.pick("statements", 3) {
		w.statement()
	}
	w.depth--
}

func (w *writer) statement() {
	if w.depth > 4 {
		w.line("%s = %s", w.own(), w.number(2))
		return
	}
	switch w.pick("statement", 11) {
	case 0, 1:
		name := w.fresh()
		w.line("%s = %s", name, w.number(3))
		w.vars = append(w.vars, name)
	case 2:
		w.line("%s %s= %s", w.own(), w.oneOf("+", "-", "*", "//", "%"), w.number(2))
	case 3, 4:
		w.line("if %s:", w.condition(2))
		w.block()
		if w.pick("else", 2) == 0 {
			w.line("elif %s:", w.condition(1))
			w.block()
			w.line("else:")
			w.block()
		}
	case 5:
		name := w.fresh()
		w.line("for %s in %s:", name, w.oneOf("range("+w.number(1)+" % 7)", "range(2, 9, 3)", "1..4", w.list(1)))
		w.vars = append(w.vars, name)
		w.loops++
		w.block()
		w.loops--
	case 6:
		if w.loops > 0 {
			w.line("if %s:", w.condition(1))
			w.line("    %s", w.oneOf("break", "continue"))
		} else {
			w.line("return %s", w.value())
		}
	case 7:
		a, b := w.fresh(), w.fresh()
		w.line("%s, %s = %s, %s", a, b, w.number(2), w.number(2))
		w.vars = append(w.vars, a, b)
	case 8:
		name := w.fresh()
		w.line("%s = %s", name, w.list(2))
		w.lists = append(w.lists, name)
	case 9:
		w.line("if %s == 7:", w.number(1))
		w.line("    %s", w.oneOf(`fail("no")`, "return "+w.value(), "return", "seen.append(1)"))
	default:
		w.line("if %s:", w.condition(2))
		w.line("    return %s", w.value())
	}
}

// randomRecipe writes a recipe whose function f takes two numbers and a list.
func randomRecipe(t *rapid.T) string {
	w := &writer{t: t, vars: []string{"a", "b", "size"}, lists: []string{"faces", "weights"}}
	w.out.WriteString(`weights = [3, 1, 4, 1, 5]
table = {1: 10, 2: 20, -1: 7}
seen = []
def help(a, b = 2, c = None):
    if a < 0:
        return b
    return a - b if c == None else help(a - c, b)
def maker(size):
    def f(a, b, faces):
`)
	w.depth = 2
	for range 1 + w.pick("statements", 5) {
		w.statement()
	}
	w.line("return %s", w.value())
	w.out.WriteString("    return f\nf = maker(3)\n")
	return w.out.String()
}

func TestRandomFunctions(t *testing.T) {
	runs, all := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		src := randomRecipe(t)
		r, err := newRecipe(src)
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		fn := r.function("f")
		m := r.machine()
		b := m.Bind(fn)
		all += 4
		if b == nil {
			return
		}
		for range 4 {
			n := rapid.IntRange(-2, 9)
			faces := rapid.SliceOfN(rapid.IntRange(1, 6), 0, 5).Draw(t, "faces")
			list := make([]starlark.Value, len(faces))
			for i, x := range faces {
				list[i] = starlark.MakeInt(x)
			}
			args := append(ints(n.Draw(t, "a"), n.Draw(t, "b")), starlark.NewList(list))
			if r.agree(located{t, src}, fn, m, b, args) {
				runs++
			} else if b.HoldsLists() {
				b = m.Bind(fn)
			}
		}
	})
	if runs*3 < all {
		t.Errorf("only %d of %d calls ran compiled", runs, all)
	}
	t.Logf("%d of %d calls ran compiled", runs, all)
}

// located adds the text of a recipe to what is wrong with it.
type located struct {
	t   failer
	src string
}

func (l located) Fatalf(format string, args ...any) {
	l.t.Fatalf("%s\n%s", fmt.Sprintf(format, args...), l.src)
}
