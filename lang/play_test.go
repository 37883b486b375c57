package lang_test

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
	"pgregory.net/rapid"

	"dicescript/lang"
)

// A play is compared with plain enumeration: go.starlark.net runs the same function again
// and again, once for every list of answers to its words, in the order of a tree.

// A wayThrough is one run of a function with the answers to its words.
type wayThrough struct {
	answers []int // which answer is given to each word
	sizes   []int // how many there were
	chooses []bool
	weight  *big.Rat
	earned  int64
	failed  bool
}

var errEvidence = errors.New("evidence fails")

// next moves on to the next way, and reports whether there is one.
func (w *wayThrough) next() bool {
	for n := len(w.answers) - 1; n >= 0; n-- {
		if w.answers[n]+1 < w.sizes[n] {
			w.answers = append(w.answers[:n:n], w.answers[n]+1)
			return true
		}
	}
	return false
}

// answer returns which answer the next word gets.
func (w *wayThrough) answer(size int, chooses bool) int {
	at := len(w.sizes)
	if at == len(w.answers) {
		w.answers = append(w.answers, 0)
	}
	w.sizes, w.chooses = append(w.sizes, size), append(w.chooses, chooses)
	return w.answers[at]
}

// enumerated runs rule() of src in all ways; visit is told of each one that came to an end.
// ok is false where there are too many.
func enumerated(t *rapid.T, src string, visit func(w *wayThrough, v starlark.Value)) (ok bool) {
	var w wayThrough
	word := func(name string, f func(x starlark.Value) (starlark.Value, error)) *starlark.Builtin {
		return starlark.NewBuiltin(name, func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return f(args[0])
		})
	}
	words := starlark.StringDict{
		"d": word("d", func(x starlark.Value) (starlark.Value, error) { return x, nil }),
		"sum": word("sum", func(x starlark.Value) (starlark.Value, error) {
			sum := starlark.MakeInt(0)
			for v := range starlark.Elements(x.(starlark.Iterable)) {
				sum = sum.Add(v.(starlark.Int))
			}
			return sum, nil
		}),
		"throw": word("throw", func(x starlark.Value) (starlark.Value, error) {
			sides, _ := starlark.AsInt32(x)
			w.weight.Quo(w.weight, big.NewRat(int64(sides), 1))
			return starlark.MakeInt(1 + w.answer(sides, false)), nil
		}),
		"given": word("given", func(x starlark.Value) (starlark.Value, error) {
			if !x.Truth() {
				w.failed = true
				return nil, errEvidence
			}
			return starlark.None, nil
		}),
		"earn": word("earn", func(x starlark.Value) (starlark.Value, error) {
			n, _ := starlark.AsInt32(x)
			w.earned += int64(n)
			return starlark.None, nil
		}),
		"choose": word("choose", func(x starlark.Value) (starlark.Value, error) {
			list := x.(starlark.Indexable)
			return list.Index(w.answer(list.Len(), true)), nil
		}),
		"draw": word("draw", func(x starlark.Value) (starlark.Value, error) {
			list := x.(*starlark.List)
			k := w.answer(list.Len(), false)
			w.weight.Quo(w.weight, big.NewRat(int64(list.Len()), 1))
			v := list.Index(k)
			var rest []starlark.Value
			for i := range list.Len() {
				if i != k {
					rest = append(rest, list.Index(i))
				}
			}
			list.Clear()
			for _, x := range rest {
				list.Append(x)
			}
			return v, nil
		}),
	}
	options := &syntax.FileOptions{Set: true, While: true, Recursion: true, TopLevelControl: true, GlobalReassign: true}
	thread := new(starlark.Thread)
	globals, err := starlark.ExecFileOptions(options, thread, "rule.star", src, words)
	if err != nil {
		t.Fatalf("%v in\n%s", err, src)
	}
	for n := 0; ; n++ {
		if n == 3_000 {
			return false
		}
		w = wayThrough{answers: w.answers, weight: big.NewRat(1, 1)}
		v, err := starlark.Call(thread, globals["rule"], nil, nil)
		if err != nil && !w.failed {
			t.Fatalf("%v in\n%s", err, src)
		}
		visit(&w, v)
		if !w.next() {
			return true
		}
	}
}

// drawnRule draws a function rule with its helpers.
type drawnRule struct {
	t       *rapid.T
	out     strings.Builder
	throws  int // how many are left
	depth   int
	loops   int
	chooses bool
}

func (r *drawnRule) pick(name string, n int) int { return rapid.IntRange(0, n-1).Draw(r.t, name) }

func (r *drawnRule) variable() string { return []string{"a", "b", "c"}[r.pick("variable", 3)] }

func (r *drawnRule) expr() string {
	r.depth++
	defer func() { r.depth-- }()
	n := 13
	if r.depth > 3 {
		n = 3
	}
	switch r.pick("expression", n) {
	case 0:
		return fmt.Sprint(r.pick("number", 4))
	case 1, 2:
		return r.variable()
	case 3, 4:
		if r.throws == 0 {
			return r.variable()
		}
		r.throws--
		return fmt.Sprintf("throw(d(%d))", 2+r.pick("sides", 2))
	case 5:
		return "(" + r.expr() + " + " + r.expr() + ")"
	case 6:
		return "(" + r.expr() + " * " + fmt.Sprint(r.pick("factor", 3)) + ")"
	case 7:
		return "(" + r.expr() + " if " + r.cond() + " else " + r.expr() + ")"
	case 8:
		return "(" + r.expr() + " and " + r.expr() + ")"
	case 9:
		return "max(" + r.expr() + ", " + r.expr() + ")"
	case 10:
		return "helper(" + r.expr() + ")"
	case 11:
		return "sum([" + r.expr() + " for q in range(2) if " + r.cond() + "])"
	}
	return "(seen[-1] if seen else " + r.expr() + ")"
}

func (r *drawnRule) cond() string {
	switch r.pick("condition", 6) {
	case 0:
		return "(" + r.expr() + " > 1 and " + r.expr() + " < 3)"
	case 1:
		return "not " + r.expr() + " == " + r.expr()
	case 2:
		return r.expr() + " in seen"
	}
	return r.expr() + []string{" < ", " == ", " >= "}[r.pick("comparison", 3)] + r.expr()
}

func (r *drawnRule) line(indent int, format string, args ...any) {
	fmt.Fprintf(&r.out, strings.Repeat("    ", indent)+format+"\n", args...)
}

func (r *drawnRule) block(indent int) {
	r.line(indent, "pass")
	for range 1 + r.pick("statements", 3) {
		r.stmt(indent)
	}
}

func (r *drawnRule) stmt(indent int) {
	n := 15
	if indent > 3 {
		n = 7
	}
	switch r.pick("statement", n) {
	case 0, 1:
		r.line(indent, "%s = %s", r.variable(), r.expr())
	case 2:
		r.line(indent, "%s += %s", r.variable(), r.expr())
	case 3:
		r.line(indent, "seen.append(%s)", r.expr())
	case 4:
		r.line(indent, "table[%s %% 3] = %s", r.expr(), r.expr())
	case 5:
		r.line(indent, "a, b = %s, %s", r.expr(), r.expr())
	case 6:
		r.line(indent, "table[0] += %s", r.expr())
	case 7, 8:
		r.line(indent, "if %s:", r.cond())
		r.block(indent + 1)
		if r.pick("else", 2) == 0 {
			r.line(indent, "else:")
			r.block(indent + 1)
		}
	case 9, 10:
		r.line(indent, "for i in range(%d):", 1+r.pick("times", 2))
		r.block(indent + 1)
		switch r.pick("leave", 3) {
		case 0:
			r.line(indent+1, "if %s:", r.cond())
			r.line(indent+2, "break")
		case 1:
			r.line(indent+1, "if %s:", r.cond())
			r.line(indent+2, "continue")
			r.line(indent+1, "c += i")
		}
	case 11:
		r.loops++
		r.line(indent, "left%d = 2", r.loops)
		r.line(indent, "while left%d > 0 and %s:", r.loops, r.cond())
		r.line(indent+1, "left%d -= 1", r.loops)
		r.block(indent + 1)
	case 12:
		r.line(indent, "more = lambda q: q + %s", r.variable())
		r.line(indent, "%s = more(%s)", r.variable(), r.expr())
	case 13:
		if r.pick("return", 3) == 0 {
			r.line(indent, "if %s:", r.cond())
			r.line(indent+1, "return %s", r.result())
		}
	case 14:
		switch {
		case r.chooses:
			r.line(indent, "%s = choose([%d, %d, %s])", r.variable(), r.pick("first", 3), r.pick("second", 5), r.expr())
		case r.pick("given", 4) == 0:
			r.line(indent, "given(%s)", r.cond())
		default:
			r.line(indent, "bag = [1, 2, %s]", r.variable())
			r.line(indent, "%s = draw(bag) + len(bag)", r.variable())
		}
	}
}

func (r *drawnRule) result() string {
	if r.chooses {
		return "a + b - c"
	}
	return "(a, b, tuple(seen[:2]), tuple(sorted(table.items())))"
}

// rule returns the text of a function.
func (r *drawnRule) rule() string {
	r.line(0, "def helper(n):")
	r.line(1, "a, b, c, seen, table = n, 1, 2, [n], {0: 0}")
	r.line(1, "if n > 3:")
	r.line(2, "return n + throw(d(2))")
	r.line(1, "return throw(d(2)) * n")
	r.line(0, "def rule():")
	r.line(1, "a, b, c, seen, table = 0, 1, 2, [], {0: 0}")
	r.block(1)
	r.block(1)
	r.line(1, "return %s", r.result())
	return r.out.String()
}

func played(t *rapid.T, src string) (*lang.Result, error) {
	h, err := lang.New()
	if err != nil {
		t.Fatal(err)
	}
	p, err := h.Compile(t.Context(), "rule.star", []byte(src))
	if err != nil {
		t.Fatalf("%v in\n%s", err, src)
	}
	return p.Run(t.Context())
}

func TestPlayIsPlainEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &drawnRule{t: t, throws: 5}
		src := r.rule()
		want, holds := map[string]*big.Rat{}, new(big.Rat)
		ok := enumerated(t, src, func(w *wayThrough, v starlark.Value) {
			if w.failed {
				return
			}
			key := strings.ReplaceAll(v.String(), ",)", ")")
			if want[key] == nil {
				want[key] = new(big.Rat)
			}
			want[key].Add(want[key], w.weight)
			holds.Add(holds, w.weight)
		})
		if !ok {
			t.Skip("too many ways")
		}
		res, err := played(t, src+"output(\"x\", play(rule))\n")
		if holds.Sign() == 0 {
			if err == nil || !strings.Contains(err.Error(), "the evidence is impossible") {
				t.Fatalf("%v in\n%s", err, src)
			}
			return
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, src)
		}
		got := res.Outputs[0].Data.(lang.Outcomes)
		if len(got.Entries) != len(want) || got.Bound != 0 {
			t.Fatalf("%d outcomes, want %d, bound %g in\n%s", len(got.Entries), len(want), got.Bound, src)
		}
		for _, e := range got.Entries {
			key := strings.ReplaceAll(e.Label.String(), ",)", ")")
			p := want[key]
			if p == nil || new(big.Rat).Quo(p, holds).Cmp(e.Value) != 0 {
				t.Fatalf("%s has %s, want %v of %s in\n%s", key, e.Value.RatString(), p, holds.RatString(), src)
			}
		}
	})
}

// The value of a plan is that of the whole tree of ways, in which each choice is made best.
func TestPlanIsTheBestOfTheTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &drawnRule{t: t, throws: 3, chooses: true}
		src := r.rule()
		root := &treeNode{}
		chooses := false
		ok := enumerated(t, src, func(w *wayThrough, v starlark.Value) {
			n := root
			for i, k := range w.answers[:len(w.sizes)] {
				chooses = chooses || w.chooses[i] && w.sizes[i] > 1
				n = n.child(w.chooses[i], w.sizes[i], k)
			}
			pays, _ := starlark.AsInt32(v)
			n.value = big.NewRat(int64(pays), 1)
		})
		if !ok {
			t.Skip("too many ways")
		}
		if !chooses {
			return
		}
		res, err := played(t, src+"output(\"x\", play(rule))\noutput(\"mean\", play(rule).play().mean())\n")
		if err != nil {
			t.Fatalf("%v in\n%s", err, src)
		}
		plan, want := res.Outputs[0].Data.(lang.Plan), root.best()
		if plan.Value.Cmp(want) != 0 {
			t.Fatalf("value %s, want %s in\n%s", plan.Value.RatString(), want.RatString(), src)
		}
		if mean := res.Outputs[1].Data.(lang.Number).Value; mean.Cmp(want) != 0 {
			t.Fatalf("mean %s, want %s in\n%s", mean.RatString(), want.RatString(), src)
		}
	})
}

// A treeNode is a word of a function with what follows on each answer.
type treeNode struct {
	chooses  bool
	children []*treeNode
	value    *big.Rat
}

func (n *treeNode) child(chooses bool, size, k int) *treeNode {
	if n.children == nil {
		n.chooses, n.children = chooses, make([]*treeNode, size)
		for i := range n.children {
			n.children[i] = &treeNode{}
		}
	}
	return n.children[k]
}

func (n *treeNode) best() *big.Rat {
	if n.children == nil {
		return n.value
	}
	sum := new(big.Rat)
	for i, c := range n.children {
		v := c.best()
		switch {
		case !n.chooses:
			sum.Add(sum, v)
		case i == 0 || v.Cmp(sum) > 0:
			sum.Set(v)
		}
	}
	if !n.chooses {
		sum.Quo(sum, big.NewRat(int64(len(n.children)), 1))
	}
	return sum
}
