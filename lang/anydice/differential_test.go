package anydice

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	_ "dicescript/testdata/testseed"

	"pgregory.net/rapid"
)

// Generated programs give the same as the plain evaluator, also when every pool
// is large enough for statistics and loops over faces.

// A scribe writes random programs that mostly make sense.
type scribe struct {
	t         *rapid.T
	b         strings.Builder
	vars      []string // that surely have a value
	functions []string // shapes with _ for arguments
	inBody    bool
	roll      string // a parameter of type s, in a body
	budget    int
}

func (s *scribe) pick(label string, list ...string) string {
	return rapid.SampledFrom(list).Draw(s.t, label)
}

func (s *scribe) number(label string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(s.t, label) }

func (s *scribe) expr(depth int) string {
	if depth <= 0 {
		return s.leaf()
	}
	switch s.number("form", 0, 11) {
	case 0, 1:
		return s.leaf()
	case 2, 3, 4:
		op := s.pick("op", "+", "-", "*", "/", "=", "!=", "<", ">", "<=", ">=", "&", "|", "+", "=")
		return "(" + s.expr(depth-1) + " " + op + " " + s.expr(depth-1) + ")"
	case 5:
		return s.pick("prefix", "-", "!", "#", "+", "d", "#") + s.paren(depth-1)
	case 6:
		return fmt.Sprintf("%d@%s", s.number("place", 1, 3), s.paren(depth-1))
	case 7:
		return "{" + s.expr(depth-1) + ", " + s.leaf() + "}@" + s.paren(depth-1)
	case 8:
		return fmt.Sprintf("%dd%s", s.number("count", 0, 3), s.paren(depth-1))
	case 9:
		return "(" + s.expr(0) + "d" + s.paren(0) + ")"
	case 10:
		return s.builtin(depth - 1)
	}
	if len(s.functions) == 0 {
		return s.leaf()
	}
	f := s.pick("function", s.functions...)
	return "[" + s.filled(f, depth-1) + "]"
}

// filled puts arguments into a shape.
func (s *scribe) filled(shape string, depth int) string {
	parts := strings.Split(shape, "_")
	for i := range parts[1:] {
		parts[i] += s.paren(depth)
	}
	return strings.Join(parts, "")
}

func (s *scribe) paren(depth int) string { return "(" + s.expr(depth) + ")" }

func (s *scribe) leaf() string {
	if len(s.vars) > 0 && s.number("variable", 0, 2) > 0 {
		return s.pick("name", s.vars...)
	}
	return s.pick("leaf", "0", "1", "2", "3", "5", "-2", "27", "d2", "d3", "2d2", "2d3", "3d2", "{}", "{1, 2}", "{2..4}", "{3, 1, 1}", "d{}", "d{0, 0, 1}", "2d{1, 3}", "d4", "2d4")
}

func (s *scribe) builtin(depth int) string {
	shape := s.pick("builtin", "absolute _", "_ contains _", "count _ in _", "highest _ of _", "lowest _ of _", "middle _ of _",
		"highest of _ and _", "lowest of _ and _", "highest _ of _ and _", "lowest _ of _ and _ and _", "maximum of _", "explode _", "reverse _", "sort _")
	return "[" + s.filled(shape, depth) + "]"
}

// rollLook is an expression that looks at the roll of a body.
func (s *scribe) rollLook() string {
	switch s.number("look", 0, 7) {
	case 0:
		return "#" + s.roll
	case 1:
		return "(" + s.roll + " + 0)"
	case 2, 3:
		return fmt.Sprintf("(%s %s %d)", s.roll, s.pick("comparison", "=", ">", "<=", "!="), s.number("face", 0, 4))
	case 4:
		return fmt.Sprintf("%d@%s", s.number("rank", 0, 4), s.roll)
	case 5:
		return fmt.Sprintf("[count {%d, 2} in %s]", s.number("face", 0, 4), s.roll)
	case 6:
		return fmt.Sprintf("[%s contains %d]", s.roll, s.number("face", 0, 4))
	}
	return s.roll
}

func (s *scribe) line(depth int) {
	s.budget--
	switch s.number("statement", 0, 6) {
	case 0, 1, 2:
		name := s.pick("variable", "A", "B", "C")
		x := s.expr(2)
		if s.roll != "" && s.number("roll", 0, 1) == 0 {
			x = s.rollLook() + " + " + s.expr(1)
		}
		fmt.Fprintf(&s.b, "%s: %s\n", name, x)
		if depth == 0 {
			s.vars = append(s.vars, name)
		}
	case 3:
		cond := "#" + s.paren(1) + " > " + s.pick("limit", "0", "1", "2")
		if s.roll != "" {
			cond = s.rollLook() + " > 1"
		}
		fmt.Fprintf(&s.b, "if %s {\n", cond)
		s.some(depth + 1)
		s.ending()
		s.b.WriteString("}")
		if s.number("else", 0, 1) == 1 {
			s.b.WriteString(" else {\n")
			s.some(depth + 1)
			s.ending()
			s.b.WriteString("}")
		}
		s.b.WriteString("\n")
	case 4:
		if s.roll == "" {
			return
		}
		v := s.pick("sum", s.vars...)
		fmt.Fprintf(&s.b, "loop I over %s {\n%s: %s\n", s.roll, v, s.pick("elements", v+" * 2 + I", v+" + (I > 2)", "[highest of "+v+" and I]", v+" + #"+s.roll+" * (I = "+v+")"))
		s.ending()
		s.b.WriteString("}\n")
	case 5:
		x := s.pick("loop variable", "I", "J")
		fmt.Fprintf(&s.b, "loop %s over %s {\n", x, s.pick("over", "{1..3}", "{0..4}", "{2, 1}", "{3, 3}", "{d3}"))
		if s.roll != "" && s.number("faces", 0, 2) > 0 {
			v := s.pick("sum", s.vars...)
			fmt.Fprintf(&s.b, "%s: %s\n", v, s.pick("faces",
				v+" + ("+s.roll+" = "+x+")", "[highest of "+v+" and "+x+" = "+s.roll+"]", v+" + "+x+" * ("+s.roll+" != "+x+") / 2",
				v+" * 2 + [count "+x+" in "+s.roll+"]", v+" + [ "+s.roll+" contains "+x+"]"))
		} else {
			s.some(depth + 1)
		}
		s.ending()
		s.b.WriteString("}\n")
	default:
		if s.inBody {
			s.ending()
			return
		}
		fmt.Fprintf(&s.b, "output %s\n", s.expr(3))
	}
}

func (s *scribe) some(depth int) {
	for range s.number("lines", 0, 2) {
		if s.budget > 0 && depth < 3 {
			s.line(depth)
		}
	}
}

// ending may end a body in the middle of it.
func (s *scribe) ending() {
	if s.inBody && s.number("ending", 0, 4) == 0 {
		fmt.Fprintf(&s.b, "if %s > %d { result: %s }\n", s.pick("name", s.vars...), s.number("limit", 0, 3), s.expr(1))
	}
}

func (s *scribe) function(i int) {
	shape := fmt.Sprintf("f%c", 'a'+i)
	header := "function: " + shape
	outer := s.vars
	s.vars = append([]string(nil), outer...)
	s.inBody, s.budget, s.roll = true, 5, ""
	for _, name := range []string{"P", "Q"}[:s.number("parameters", 0, 2)] {
		kind := s.pick("type", "n", "n", "s", "s", "d", "?")
		header += " " + name + ":" + kind
		shape += " _"
		s.vars = append(s.vars, name)
		if kind == "s" {
			s.roll = name
		}
	}
	fmt.Fprintf(&s.b, "%s {\n", header)
	if s.number("recursive", 0, 3) == 0 {
		s.functions = append(s.functions, shape)
	}
	s.some(0)
	if s.number("result", 0, 5) > 0 {
		x := s.expr(2)
		if s.roll != "" {
			x = s.rollLook() + " + " + s.pick("name", s.vars...)
		}
		fmt.Fprintf(&s.b, "result: %s\n", x)
	}
	s.b.WriteString("}\n")
	s.functions = append(s.functions, shape)
	s.vars, s.inBody, s.roll = outer, false, ""
}

func writeProgram(t *rapid.T) string {
	s := &scribe{t: t}
	fmt.Fprintf(&s.b, "A: 1 B: %s C: 2\n", s.leaf())
	s.vars = []string{"A", "B", "C"}
	fmt.Fprintf(&s.b, "set \"maximum function depth\" to %d\n", s.number("depth", 1, 4))
	if s.number("order", 0, 3) == 0 {
		s.b.WriteString("set \"position order\" to \"lowest first\"\n")
	}
	for i := range s.number("functions", 0, 3) {
		s.function(i)
	}
	s.budget = 6
	for range s.number("lines", 1, 4) {
		s.line(0)
	}
	fmt.Fprintf(&s.b, "output %s\n", s.expr(3))
	return s.b.String()
}

// outputsOf runs a program the quick way, with plans, in the form of runPlainly.
func outputsOf(p *Program, plans plans) ([]string, bool, error) {
	r := newRun(context.Background(), p, Options{})
	r.plans = plans
	if _, err := r.execAll(p.body); err != nil {
		return nil, false, p.report(err)
	}
	var lines []string
	for i, o := range r.outputs {
		line := fmt.Sprintf("output %d", i+1)
		if o.Roll != nil {
			line += " " + pmf(o.Roll)
		}
		lines = append(lines, line)
	}
	return lines, r.warned, nil
}

var plansToTry = map[string]plans{
	"every roll": {1 << 60, 1, 1, 1, exactWords},
	"statistics": {1, 1, 1 << 60, 1000, exactWords},
	"faces":      {1, 1, 1, 1000, exactWords},
}

// sameAsPlain compares all plans with the plain evaluator. It reports whether
// that took too long to tell.
func sameAsPlain(t interface{ Fatalf(string, ...any) }, text string) (told bool) {
	p, err := Compile("", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	want, warned, wantErr := runPlainly(p)
	if errors.Is(wantErr, errPlainTooLong) {
		return false
	}
	for name, plan := range plansToTry {
		got, gotWarned, err := outputsOf(p, plan)
		var e *Error
		if errors.As(err, &e) && e.Kind != Calculation {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		if (err != nil) != (wantErr != nil) {
			t.Fatalf("%s: got error %v, want %v\n%s", name, err, wantErr, text)
		}
		if err == nil && (strings.Join(got, "\n") != strings.Join(want, "\n") || gotWarned != warned) {
			t.Fatalf("%s: got %v\n%s\nwant %v\n%s\n%s", name, gotWarned, strings.Join(got, "\n"), warned, strings.Join(want, "\n"), text)
		}
	}
	return true
}

func TestGeneratedProgramsAgreeWithPlainEvaluation(t *testing.T) {
	told, worked := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := writeProgram(t)
		if sameAsPlain(t, text) {
			told++
			if p, _ := Compile("", text); p != nil {
				if _, err := p.Run(context.Background(), Options{}); err == nil {
					worked++
				}
			}
		}
	})
	t.Logf("%d programs compared, %d of them without an error", told, worked)
	if worked < told/2 {
		t.Errorf("only %d programs ran without an error", worked)
	}
}

func TestFixedCasesAgreeWithPlainEvaluation(t *testing.T) {
	told := 0
	for _, c := range fixedCases(t) {
		if c.Error == "" && !strings.HasPrefix(c.Name, "heavy") && !strings.Contains(c.Program, "named") && sameAsPlain(t, c.Program) {
			told++
		}
	}
	if told < 200 {
		t.Errorf("compared only %d cases", told)
	}
}
