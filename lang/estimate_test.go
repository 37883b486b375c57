package lang_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dicescript/lang"

	"pgregory.net/rapid"
)

// holds fails when a run takes more than was estimated.
func holds(t interface{ Errorf(string, ...any) }, what string, bound, used lang.Usage) {
	if used.Steps > bound.Steps || used.Work > bound.Work {
		t.Errorf("%s\ntakes %d steps and %d work, estimated were %d and %d", what, used.Steps, used.Work, bound.Steps, bound.Work)
	}
}

// What is estimated is never below what a run takes, for every example and tutorial.
func TestEstimateOfExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("runs all examples")
	}
	h := newHost(t, lang.WithModules("./", os.DirFS("../examples")))
	told, all := 0, 0
	err := filepath.WalkDir("../examples", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".star", ".dice", ".md", ".anydice"}, filepath.Ext(path)) || strings.HasSuffix(path, "_test.star") {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		p, err := h.Compile(t.Context(), filepath.Base(path), src)
		if err != nil {
			return nil // one that stands on what is beside it
		}
		all++
		bound, ok := p.Estimate(t.Context())
		read, readable := p.Foresee()
		if !ok && !readable {
			return nil
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		r, err := p.Run(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if ok {
			told++
			holds(t, path, bound, r.Usage)
		}
		if readable {
			holds(t, path+" as it reads", read, r.Usage)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if told < all/2 || all < 50 {
		t.Errorf("%d of %d examples could be estimated", told, all)
	}
	t.Logf("%d of %d", told, all)
}

// A recipeWriter writes recipes of the sort that can be read.
type recipeWriter struct {
	*rapid.T
	lines []string
	rolls []string
}

func (w *recipeWriter) number(depth int, names ...string) string {
	switch k := rapid.IntRange(0, 3).Draw(w.T, "number"); {
	case k == 0 && depth > 0:
		op := rapid.SampledFrom([]string{"+", "-", "*"}).Draw(w.T, "operator")
		return "(" + w.number(depth-1, names...) + " " + op + " " + w.number(depth-1, names...) + ")"
	case k == 1 && len(names) > 0:
		return rapid.SampledFrom(names).Draw(w.T, "name")
	}
	return fmt.Sprint(rapid.IntRange(0, 12).Draw(w.T, "literal"))
}

func (w *recipeWriter) dice() string {
	count := rapid.OneOf(rapid.IntRange(1, 5), rapid.IntRange(1, 150)).Draw(w.T, "count")
	sides := rapid.OneOf(rapid.IntRange(2, 12), rapid.IntRange(1, 300)).Draw(w.T, "sides")
	return fmt.Sprintf("%dd%d", count, sides)
}

func (w *recipeWriter) roll(depth int, names ...string) string {
	switch k := rapid.IntRange(0, 5).Draw(w.T, "roll"); {
	case k <= 1 && depth > 0:
		op := rapid.SampledFrom([]string{"+", "-"}).Draw(w.T, "operator")
		return "(" + w.roll(depth-1, names...) + " " + op + " " + w.roll(depth-1, names...) + ")"
	case k == 2 && depth > 0:
		return "(" + w.roll(depth-1, names...) + " + " + w.number(1, names...) + ")"
	case k == 3 && len(w.rolls) > 0:
		return rapid.SampledFrom(w.rolls).Draw(w.T, "variable")
	case k == 4:
		n := rapid.IntRange(2, 12).Draw(w.T, "faces")
		if rapid.Bool().Draw(w.T, "two") {
			return fmt.Sprintf("map(lambda x, y: %s, 1d%d, 2d%d)", w.number(2, "x", "y"), n, rapid.IntRange(2, 20).Draw(w.T, "others"))
		}
		return fmt.Sprintf("map(lambda x: %s, %dd%d)", w.number(2, "x"), rapid.IntRange(1, 20).Draw(w.T, "dice"), n)
	}
	return w.dice()
}

func (w *recipeWriter) chance(names ...string) string {
	relation := rapid.SampledFrom([]string{">=", "<", "==", "!=", ">", "<="}).Draw(w.T, "relation")
	if rapid.Bool().Draw(w.T, "against") {
		return w.roll(2, names...) + " " + relation + " " + w.roll(1, names...)
	}
	return w.roll(2, names...) + " " + relation + " " + w.number(1, names...)
}

func (w *recipeWriter) statement() {
	n := func() int { return rapid.IntRange(0, 12).Draw(w.T, "length") }
	switch rapid.IntRange(0, 6).Draw(w.T, "statement") {
	case 0:
		name := fmt.Sprintf("r%d", len(w.rolls))
		w.lines = append(w.lines, name+" = "+w.roll(2))
		w.rolls = append(w.rolls, name)
	case 1:
		w.lines = append(w.lines, "output("+w.roll(2)+")")
	case 2:
		w.lines = append(w.lines, "output('a chance', "+w.chance()+")")
	case 3:
		w.lines = append(w.lines, fmt.Sprintf("output(grid(range(%d), [1, 2, 5], lambda a, b: %s, title='Chances'))", 1+n(), w.chance("a", "b")))
	case 4:
		w.lines = append(w.lines, fmt.Sprintf("l = [%s for i in range(%d)]", w.chance("i"), n()))
	case 5:
		w.lines = append(w.lines, fmt.Sprintf("for i in range(%d):\n    output(%s)", n(), w.roll(2, "i")))
	default:
		w.lines = append(w.lines, fmt.Sprintf("bonus = param('bonus', %d)\noutput(1d20 + bonus >= 15)", n()))
	}
}

// What is read off the text of random recipes is never below what they take.
func TestForeseenIsNeverTooLittle(t *testing.T) {
	h := newHost(t)
	readable, runs := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		w := &recipeWriter{T: t}
		for range rapid.IntRange(1, 4).Draw(t, "statements") {
			w.statement()
		}
		src := strings.Join(w.lines, "\n")
		if strings.Count(src, "param(") > 1 {
			t.Skip()
		}
		p, err := h.Compile(context.Background(), "r.star", []byte(src))
		if err != nil {
			t.Fatalf("%s\n%v", src, err)
		}
		bound, ok := p.Foresee()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		r, _ := p.Run(ctx)
		runs++
		if ok {
			readable++
			holds(t, src, bound, r.Usage)
		}
		if bound, ok := p.Estimate(context.Background()); ok {
			holds(t, src, bound, r.Usage)
		}
	})
	if readable < runs/2 {
		t.Errorf("%d of %d recipes could be read", readable, runs)
	}
}

// What can't be told is unknown, and what is small is known.
func TestEstimate(t *testing.T) {
	called := 0
	h := newHost(t, lang.WithFunc("mine", func() int { called++; return 1 }, lang.Doc{}))
	for _, c := range []struct {
		src   string
		known bool
		exact bool
	}{
		{"output(3d6)", true, true},
		{"def f(x):\n    return x\noutput(map(f, 1d6))", true, true},
		{"while True:\n    pass", false, false},
		{"output(sum([x * x for x in range(1000000) if x % 7]))", false, false},
		{"output(1000d1000)", true, false},
		{"output(grid(range(1, 100), range(1, 100), lambda a, b: 200d6 + a >= 200d6 + b))", true, false},
		{"output(mine())", false, false},
		{"fail('so')", true, true},
		{"print('unheard')", true, true},
	} {
		p := compiled(t, h, c.src)
		u, ok := p.Estimate(t.Context())
		if ok != c.known {
			t.Errorf("%s: known is %v", c.src, ok)
		}
		if !c.exact {
			continue
		}
		r, _ := p.Run(t.Context())
		if u.Steps != r.Usage.Steps || u.Work != r.Usage.Work {
			t.Errorf("%s: got %v, want %v", c.src, u, r.Usage)
		}
	}
	if called != 0 {
		t.Error("an estimate called a function of the host")
	}
	p := compiled(t, h, "n = param('n', 1)\noutput([d(6) for i in range(n)][0])")
	few, _ := p.Estimate(t.Context())
	many, ok := p.Estimate(t.Context(), lang.WithInput("n", 1000))
	if !ok || many.Steps <= few.Steps {
		t.Errorf("got %v and %v", few, many)
	}
	if _, ok := new(lang.Program).Estimate(t.Context()); ok {
		t.Error("an empty program can be estimated")
	}
}

// A host lets in what it can afford.
func ExampleProgram_Estimate() {
	host, _ := lang.New()
	ctx := context.Background()
	for _, src := range []string{"output(4d6)", "output(3000d1000)", "while True:\n    pass"} {
		program, err := host.Compile(ctx, "r.star", []byte(src))
		if err != nil {
			fmt.Println(err)
			return
		}
		usage, ok := program.Estimate(ctx)
		switch {
		case !ok:
			fmt.Println("unknown: it waits for the others")
		case usage.Work > 1_000_000_000:
			fmt.Println("large: it waits for the others")
		default:
			fmt.Println("small: it runs at once")
		}
	}
	// Output:
	// small: it runs at once
	// large: it waits for the others
	// unknown: it waits for the others
}
