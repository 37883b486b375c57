package lang_test

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"dicescript/lang"

	"go.starlark.net/starlark"
	"pgregory.net/rapid"
)

// A quotient is exact in arithmetic, and to the eye the float that plain Starlark has.
func TestQuotients(t *testing.T) {
	for _, c := range [][2]string{
		{`coin(1/3).mean().fraction`, `"1/3"`},
		{`either(1/3, 3, 0).mean().fraction`, `"1"`},
		{`(100 * (1/6)).fraction`, `"50/3"`},
		{`type(6/2), 6/2, 7/2, -1/4, 1/3, 10*100/1`, `("Number", 3.0, 3.5, -0.25, 0.3333333333333333, 1000.0)`},
		{`1/3 + 1/3 + 1/3 == 1, 1/10 + 2/10 == 3/10, 0.1 + 0.2 == 0.3`, `(True, True, False)`},
		{`1/3 == 0.3333333333333333, 6/2 == 3, 1/2 < 0.6, 2 > 3/2, 1/2 != 1/3, 1/2 == "x"`, `(True, True, True, True, True, False)`},
		{`type(1/2 + 0.5), type(1.0 / 2), 0.1 + 1/10`, `("float", "float", 0.2)`},
		{`7/2 // 1, 7/2 % 2, 7 // 2, 7 % 2, -(7/2), +(7/2), abs(-7/2)`, `(3.0, 1.5, 3, 1, -3.5, 3.5, 3.5)`},
		{`int(7/2), int(-7/2), float(7/2), round(7/2), round(10/3, 2), round(6/2, 1), percent(1/3)`, `(3, -3, 3.5, 4, 3.33, 3.0, "33.3%")`},
		{`math.floor(7/2), math.ceil(7/2), math.sqrt(1/4), math.pow(4, 1/2), math.floor(10/5)`, `(3, 4, 0.5, 2.0, 2)`},
		{`sum([1/2, 1/3]).fraction, sum([1/2, 1]), max(1/2, 0.3, 2), min([1/2, 1/3]), sorted([3/2, 1, 0.5, 1/3])`, `("5/6", 1.5, 2, 0.3333333333333333, [0.3333333333333333, 0.5, 1, 1.5])`},
		{`"%s %r %d %x %f %e" % (7/2, 6/2, 7/2, 33/2, 1/4, 1/8)`, `"3.5 3.0 3 10 0.250000 1.250000e-01"`},
		{`"%.1f %.0f %.3f%% %s" % (7/2, 5/2, 2/3, "x"), "%.2f" % 1.005, "%.1f" % (2d6 >= 7), "%(a).2f%(b)d" % {"a": 2/3, "b": 9/2}`, `("3.5 3 0.667% x", "1.01", "0.6", "0.674")`},
		{`"{} {}".format(6/2, 1/3), str(7/2), repr(7/2), "" + str(6/2)`, `("3.0 0.3333333333333333", "3.5", "3.5", "3.0")`},
		{`json.encode({"a": 7/2, "b": [6/2, 1/3]})`, `"{\"a\":3.5,\"b\":[3.0,0.3333333333333333]}"`},
		{`bool(0/3), bool(1/3), 1/3 and 2, "x" if 0/2 else "y"`, `(False, True, 2, "y")`},
		{`{1/2: "a", 6/2: "b", 1/3: "c"}`, `{0.5: "a", 3: "b", 0.3333333333333333: "c"}`},
		{`[{0.5: "a", 3: "b", 1/3: "c", (0.5, 1): "d"}[k] for k in [1/2, 9/3, 2/6, (2/4, 1)]]`, `["a", "b", "c", "d"]`},
		{`{1/2: 1}[0.5], 1/2 in {0.5: 1}, {3: 1}.get(6/2), {3: 1}.pop(3/1), {3: 1}.setdefault(6/2, 2), dict([(4/2, 1)]), dict({}, a=1/2)`, `(1, True, 1, 1, 1, {2: 1}, {"a": 0.5})`},
		{`set([1/2, 0.5, 2/2, 1]), 1/2 in set([0.5]), 3 in set([3/1])`, `(set([0.5, 1]), True, True)`},
		{`1/2 in [0.5], 0.5 in [1/2], 2 in (4/2, 3), 1/2 in [0.3]`, `(True, True, True, False)`},
		{`[1/2, 1] == [0.5, 1], (1/2, "a") < (1, "b"), [1] < [3/2], {1: [1/2]} == {1: [0.5]}, [1/2] != [1/2], (1/2,) >= (0.5,)`, `(True, True, True, True, False, True)`},
		{`sorted([(1, "a"), (1/2, "b"), (0.75, "c")])`, `[(0.5, "b"), (0.75, "c"), (1, "a")]`},
		{`d6 >= 7/2, d6 == 6/2, 6/2 in 1..4, 7/2 in 1..4`, `(0.5, 0.16666666666666666, True, False)`},
		{`type(p_half * (1/2)), (d6 == 6) * (1/2)`, `("Number", 0.08333333333333333)`},
	} {
		src := "p_half = d2 == 1\noutput(\"got\", repr((" + c[0] + ")))"
		got, err := run(t, newHost(t), src)
		if err != nil {
			t.Errorf("%s: %v", c[0], err)
			continue
		}
		if text := got.Outputs[0].Data.(lang.Text).Text; text != c[1] {
			t.Errorf("%s is %s, want %s", c[0], text, c[1])
		}
	}
}

// Where a whole number is wanted, the error names the operator that gives one.
func TestQuotientsAreRefused(t *testing.T) {
	for _, src := range []string{
		`[1, 2][2/1]`, `"ab"[2/2]`, `range(6/2)`, `"a" * (6/2)`, `[0] * (4/2)`, `d6 + 7/2`, `d6 * (6/2)`, `d(6/2)`,
		`dice_pool(4/2, 6)`, `map(lambda n: n / 2, d6)`, `[1, 2, 3][0:4/2]`,
	} {
		if _, err := run(t, newHost(t), "x = "+src); err == nil || !strings.Contains(err.Error(), "// divides without a remainder") {
			t.Errorf("%s: got %v", src, err)
		}
	}
	for src, want := range map[string]string{
		`1 / 0`: "division by zero", `0 / 0`: "division by zero", `1/2 // 0`: "division by zero", `1/2 % 0`: "division by zero",
		`1/2 < "a"`: `got "a", want a number`, `(1/2) | 1`: "| has no meaning between a number and a whole number",
		`"%.1f" % d6`: "%.1f shows a plain number", `"%.1f %d" % 3`: "more % places than there are values",
	} {
		if _, err := run(t, newHost(t), "x = "+src); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", src, err, want)
		}
	}
}

// Arithmetic of quotients is that of fractions, and what is shown of one is what plain
// Starlark shows of the float.
func TestQuotientsAreFractions(t *testing.T) {
	h := newHost(t)
	rapid.Check(t, func(t *rapid.T) {
		text, want := fractionText(t, 4)
		if want == nil {
			return
		}
		src := fmt.Sprintf("x = %s / 1\noutput(\"x\", x)\noutput(\"text\", str(x))\noutput(\"near\", x == float(x))", text)
		p, err := h.Compile(context.Background(), "recipe.star", []byte(src))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		r, err := p.Run(context.Background())
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got, err := lang.Get[*big.Rat](r, "x"); err != nil || got.Cmp(want) != 0 {
			t.Fatalf("%s is %v (%v), want %v", text, got, err, want)
		}
		f, _ := want.Float64()
		if got := r.Outputs[1].Data.(lang.Text).Text; got != starlark.Float(f).String() {
			t.Fatalf("%s is written %s, want %s", text, got, starlark.Float(f))
		}
		if near, err := lang.Get[bool](r, "near"); err != nil || !near {
			t.Fatalf("%s does not equal its float: %v", text, err)
		}
	})
}

// fractionText draws an expression of whole numbers, and what it is; nil for a division
// by zero.
func fractionText(t *rapid.T, depth int) (string, *big.Rat) {
	if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
		n := rapid.Int64Range(-20, 20).Draw(t, "n")
		return fmt.Sprintf("(%d)", n), big.NewRat(n, 1)
	}
	x, a := fractionText(t, depth-1)
	y, b := fractionText(t, depth-1)
	op := rapid.SampledFrom([]string{"+", "-", "*", "/", "//", "%"}).Draw(t, "op")
	text := "(" + x + " " + op + " " + y + ")"
	if a == nil || b == nil {
		return text, nil
	}
	z := new(big.Rat)
	switch op {
	case "+":
		return text, z.Add(a, b)
	case "-":
		return text, z.Sub(a, b)
	case "*":
		return text, z.Mul(a, b)
	}
	if b.Sign() == 0 {
		return text, nil
	}
	z.Quo(a, b)
	if op == "/" {
		return text, z
	}
	whole := new(big.Rat).SetInt(new(big.Int).Div(z.Num(), z.Denom())) // rounds down
	if op == "//" {
		return text, whole
	}
	return text, z.Sub(a, whole.Mul(whole, b))
}

// A quotient that has grown long becomes the nearest float.
func TestLongQuotientsAreFloats(t *testing.T) {
	r := mustRun(t, newHost(t), `
def halves(n):
    x = 1/3
    for _ in range(n):
        x = x * (1/8) + 1/3
    return x

output("short", type(halves(600)))
output("long", type(halves(800)))
output("value", abs(halves(3000) - 8/21) < 0.0000000000001)
`)
	for i, want := range []string{"Number", "float", "True"} {
		if got := r.Outputs[i].Data.(lang.Text).Text; got != want {
			t.Errorf("%s: got %s, want %s", r.Outputs[i].Title, got, want)
		}
	}
}
