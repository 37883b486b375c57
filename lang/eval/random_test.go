package eval_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"dicescript/builtins/meter"

	"go.starlark.net/starlark"
)

// Random programs do in the evaluator what they do in plain Starlark: the same values, and
// where one fails, the same calls at the same places, and the same error in our words.
// RANDOM_PROGRAMS is how many there are.
func TestRandomPrograms(t *testing.T) {
	n := 2000
	if s := os.Getenv("RANDOM_PROGRAMS"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	first := uint64(1)
	if s := os.Getenv("RANDOM_FIRST"); s != "" {
		first, _ = strconv.ParseUint(s, 10, 64)
	}
	failures := 0
	for seed := first; seed < first+uint64(n) && failures < 5; seed++ {
		src := newProgram(seed).text()
		got, static := byEvaluator(new(starlark.Thread), "random.star", src, nil)
		want := byStarlark(new(starlark.Thread), "random.star", src, nil)
		if static {
			if want.err == nil || want.calls != nil {
				t.Fatalf("%d: refused: %v\n%s", seed, got.err, src)
			}
			continue
		}
		if got.err != nil && (strings.Contains(got.err.Error(), errEndless.Error()) || meter.Ends(got.err)) || want.err != nil && strings.Contains(want.err.Error(), "too many steps") {
			continue
		}
		if want.err != nil && isOfSlice(want.err.Error()) {
			continue // Starlark's place is that of whatever was evaluated last
		}
		if !same(t, fmt.Sprintf("%d:\n%s", seed, src), got, want) {
			failures++
			continue
		}
		if want.err != nil {
			if g, w := inWords(got.err), inWords(want.err); g != w && !isMeaningless(w, g) {
				t.Errorf("%d:\n%s\ngot  %s\nwant %s", seed, src, g, w)
				failures++
			}
		}
	}
}

// isMeaningless reports whether Starlark says that an operator has no meaning, and the
// evaluator too, in other words.
func isMeaningless(starlark, ours string) bool {
	if strings.HasPrefix(ours, "the elements of ") || strings.HasPrefix(ours, "the place in ") { // of an assignment
		return true
	}
	without := strings.HasPrefix(starlark, "unknown unary op") || strings.HasPrefix(starlark, "unknown binary op") || strings.HasSuffix(starlark, "not implemented")
	return without && (strings.Contains(ours, "has no meaning") || strings.Contains(ours, "can't be compared") || strings.Contains(ours, "be joined with"))
}

func isOfSlice(message string) bool {
	return strings.Contains(message, "invalid slice") || strings.Contains(message, "invalid start index") ||
		strings.Contains(message, "invalid end index") || strings.Contains(message, "valid slice step")
}

// A program is one that is being drawn.
type program struct {
	r     *rand.Rand
	b     strings.Builder
	depth int
	loops int
	funcs []string // that can be called, with how many parameters
	inner bool     // in a function
}

func newProgram(seed uint64) *program { return &program{r: rand.New(rand.NewPCG(seed, 7))} }

func (p *program) text() string {
	p.b.WriteString("a = 1\nb = [1, 2, 3]\nc = \"xyz\"\nd = {1: 2}\n")
	for i := range 2 + p.r.IntN(3) {
		p.function(0, fmt.Sprintf("f%d", i))
	}
	p.b.WriteString("a = 1\nb = [1, 2, 3]\nc = \"xyz\"\nd = {1: 2}\n")
	for range 3 + p.r.IntN(5) {
		p.stmt(0)
	}
	return p.b.String()
}

func (p *program) line(indent int, format string, args ...any) {
	fmt.Fprintf(&p.b, "%s%s\n", strings.Repeat("    ", indent), fmt.Sprintf(format, args...))
}

func (p *program) function(indent int, name string) {
	inner := p.inner
	p.inner = true
	params := []string{"a", "b"}
	switch p.r.IntN(6) {
	case 0:
		params = []string{"a", "b=" + p.expr(2)}
	case 1:
		params = []string{"a", "*b"}
	case 2:
		params = []string{"a", "b=2", "*args", "c=3", "**named"}
	case 3:
		params = []string{"a", "*", "b"}
	}
	p.line(indent, "def %s(%s):", name, strings.Join(params, ", "))
	loops := p.loops
	p.loops = 0
	for range 1 + p.r.IntN(4) {
		p.stmt(indent + 1)
	}
	p.line(indent+1, "return %s", p.expr(3))
	p.loops = loops
	p.inner = inner
	if indent == 0 {
		p.funcs = append(p.funcs, name)
	}
}

func (p *program) stmt(indent int) {
	if indent > 3 {
		p.line(indent, "%s = %s", p.name(), p.expr(2))
		return
	}
	switch p.r.IntN(16) {
	case 0, 1, 2, 3:
		p.line(indent, "%s = %s", p.name(), p.expr(3))
	case 4, 5:
		p.line(indent, "%s %s= %s", p.name(), p.pick("+", "-", "*", "//", "%", "|", "&", "^"), p.expr(2))
	case 6:
		p.line(indent, "%s, %s = %s", p.name(), p.name(), p.expr(2))
	case 7:
		p.line(indent, "%s[%s] = %s", p.name(), p.expr(1), p.expr(2))
	case 8:
		p.line(indent, "if %s:", p.expr(2))
		p.block(indent + 1)
		if p.r.IntN(2) == 0 {
			p.line(indent, "elif %s:", p.expr(2))
			p.block(indent + 1)
		}
		if p.r.IntN(2) == 0 {
			p.line(indent, "else:")
			p.block(indent + 1)
		}
	case 9, 10:
		p.line(indent, "for %s in %s:", p.target(), p.iterable())
		p.loops++
		p.block(indent + 1)
		p.loops--
	case 11:
		p.line(indent, "n%d = 0", indent)
		p.line(indent, "while n%d < %d and (%s):", indent, p.r.IntN(5), p.expr(1))
		p.loops++
		p.line(indent+1, "n%d += 1", indent)
		p.block(indent + 1)
		p.loops--
	case 12:
		if p.loops > 0 {
			p.line(indent, "if %s:", p.expr(1))
			p.line(indent+1, "%s", p.pick("break", "continue"))
			return
		}
		p.line(indent, "pass")
	case 13:
		if p.inner && p.r.IntN(2) == 0 {
			p.line(indent, "if %s:", p.expr(1))
			p.line(indent+1, "return %s", p.expr(2))
			return
		}
		p.line(indent, "%s.append(%s)", p.name(), p.expr(1))
	case 14:
		p.line(indent, "%s[%s] %s= %s", p.name(), p.expr(1), p.pick("+", "-", "*"), p.expr(1))
	default:
		if indent > 1 {
			p.line(indent, "%s", p.expr(2))
			return
		}
		name := p.pick("g", "h")
		p.function(indent, name)
		p.line(indent, "%s = %s", p.name(), p.call(name, 2))
	}
}

func (p *program) block(indent int) {
	for range 1 + p.r.IntN(2) {
		p.stmt(indent)
	}
}

func (p *program) name() string { return p.pick("a", "b", "c", "d") }

func (p *program) pick(of ...string) string { return of[p.r.IntN(len(of))] }

func (p *program) target() string {
	switch p.r.IntN(5) {
	case 0:
		return p.name() + ", " + p.name()
	case 1:
		return fmt.Sprintf("(%s, [%s, %s])", p.name(), p.name(), p.name())
	}
	return p.name()
}

func (p *program) iterable() string {
	switch p.r.IntN(8) {
	case 0, 1:
		return fmt.Sprintf("range(%s)", p.expr(1))
	case 2:
		return fmt.Sprintf("range(%d, %s, %d)", p.r.IntN(4), p.expr(1), p.r.IntN(5)-2)
	case 3:
		return fmt.Sprintf("enumerate(%s)", p.expr(1))
	case 4:
		return "{1: 2, \"k\": 3, (1, 2): [4]}"
	case 5:
		return fmt.Sprintf("[(1, 2), (%s, 4)]", p.expr(1))
	}
	return p.expr(2)
}

func (p *program) call(name string, depth int) string {
	args := []string{p.expr(depth), p.expr(depth)}
	switch p.r.IntN(8) {
	case 0:
		args = args[:1]
	case 1:
		args[1] = "b=" + args[1]
	case 2:
		args = append(args, "c="+p.expr(depth))
	case 3:
		args = []string{args[0], "*" + p.expr(depth)}
	case 4:
		args = []string{args[0], "**{\"b\": " + args[1] + "}"}
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

func (p *program) expr(depth int) string {
	if depth <= 0 {
		switch p.r.IntN(9) {
		case 0, 1, 2:
			return strconv.Itoa(p.r.IntN(9) - 2)
		case 3:
			return p.pick("True", "False", "None", "1.5", "\"x\"", "\"\"", "9223372036854775807", "4611686018427387904", "[]", "{}", "()")
		}
		return p.name()
	}
	e := func() string { return p.expr(depth - 1 - p.r.IntN(2)) }
	switch p.r.IntN(22) {
	case 0, 1, 2, 3:
		return fmt.Sprintf("(%s %s %s)", e(), p.pick("+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>", "+", "-"), e())
	case 4, 5:
		return fmt.Sprintf("(%s %s %s)", e(), p.pick("==", "!=", "<", "<=", ">", ">=", "in", "not in"), e())
	case 6:
		return fmt.Sprintf("(%s %s %s)", e(), p.pick("and", "or"), e())
	case 7:
		return fmt.Sprintf("(not %s)", e())
	case 8:
		return fmt.Sprintf("(%s if %s else %s)", e(), e(), e())
	case 9:
		return fmt.Sprintf("[%s, %s]", e(), e())
	case 10:
		return fmt.Sprintf("(%s, %s)", e(), e())
	case 11:
		return fmt.Sprintf("{%s: %s}", p.pick("1", "2", "\"k\"", e()), e())
	case 12, 13:
		return fmt.Sprintf("%s[%s]", p.pick("b", "c", "d", e()), e())
	case 14:
		return fmt.Sprintf("%s[%s:%s%s]", p.pick("b", "c", "d"), p.pick("", e()), p.pick("", e()), p.pick("", ":2", ":-1", ":"+e()))
	case 15:
		return fmt.Sprintf("[%s for %s in %s%s]", e(), p.target(), p.iterable(), p.pick("", " if "+e(), " for a in [1, 2]"))
	case 16:
		return fmt.Sprintf("{%s: %s for %s in %s}", p.pick("a", "b", e()), e(), p.target(), p.iterable())
	case 17:
		return fmt.Sprintf("%s(%s)", p.pick("len", "abs", "str", "sorted", "list", "tuple", "bool", "type"), e())
	case 18:
		return fmt.Sprintf("%s(%s, %s)", p.pick("max", "min", "zip"), e(), e())
	case 19:
		return fmt.Sprintf("(lambda a, d=%s: %s)(%s)", e(), e(), e())
	case 20:
		return p.pick("-", "+", "~") + e()
	}
	if len(p.funcs) == 0 || depth < 2 {
		return e()
	}
	return p.call(p.pick(p.funcs...), depth-2)
}
