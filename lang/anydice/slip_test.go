package anydice

import (
	"context"
	"math/big"
	"testing"

	"dicescript/dist"
)

// distance is the total-variation distance of two distributions.
func distance(a, b *dist.Dist) *big.Rat {
	sum := new(big.Rat)
	seen := map[int]bool{}
	for _, d := range []*dist.Dist{a, b} {
		for _, x := range d.Outcomes() {
			if !seen[x] {
				seen[x] = true
				gap := a.PMF(x)
				sum.Add(sum, gap.Abs(gap.Sub(gap, b.PMF(x))))
			}
		}
	}
	return sum.Quo(sum, big.NewRat(2, 1))
}

// runOutputs runs a program that keeps so many words exact.
func runOutputs(t *testing.T, text string, exact int) []Output {
	t.Helper()
	p, err := Compile("", text)
	if err != nil {
		t.Fatal(err)
	}
	r := newRun(context.Background(), p, Options{})
	r.plans.exact = exact
	if _, err := r.execAll(p.body); err != nil {
		t.Fatalf("%v\n%s", p.report(err), text)
	}
	return r.outputs
}

// Programs whose weights grow long are run exactly and with rounding: the
// rounded chances are as near as their bound says, and no farther from the
// exact ones than anybody will ever see.
func TestRoundedChancesKeepTheirBound(t *testing.T) {
	const grow = `X: d{1, 2, 4} function: low A:n with B:d { if A = 1 { result: B } result: A }
		loop P over {1..12} { X: [low X with X] }
		function: rare A:n { if A = 2 { result: d{} } if A = 1 { result: 1 } if A = 4 { result: 7 } }
		function: scarce A:n B:n { if A > 2 | B > 2 { result: d{} } result: A }
		function: seen S:s { result: 10 * (S = 4) + 1@S }
		function: twice S:s { result: S = 1 }
		`
	nearly := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 500))
	rounded := 0
	for _, tail := range []string{
		"output X", "output X + X", "output X * X - X", "output 3dX", "output 2@3dX", "output {1, 3}@3dX", "output XdX", "output (X - 3)dX",
		"output [explode X]", "output [highest 2 of 2dX and X]", "output [highest of X and 2]", "output [count {4, 4} in 3dX]",
		"output [3dX contains 4]", "output [X contains X]", "output X > 2", "output X = X", "output X & X", "output X | 0", "output !X", "output -2dX",
		"output [rare X]", "output [scarce X X]", "output [seen 4dX]", "output [twice 9dX]", "output [low X with 2dX]", "output [absolute X - 3]",
		"output 2d[rare X] - [rare X]", "output [count 2dX in {1, 2, 4}]", "output [count 2dX in 2dX]", "Y: [low X with X] output Y - X",
		"output [middle 1 of 3dX]", "output [lowest X of 2dX]", "output X / X output X ^ 2", "output d{X, 9} output [sort 2dX]",
	} {
		exact := runOutputs(t, grow+tail, 1<<30)
		short := runOutputs(t, grow+tail, 40)
		for i, o := range short {
			if exact[i].slip != nil || exact[i].Roll.Bound() != 0 {
				t.Fatalf("%s: the exact run is rounded", tail)
			}
			d := distance(exact[i].inner, o.inner)
			bound := new(big.Rat)
			if o.slip != nil {
				rounded++
				o.slip.bound.Rat(bound)
			}
			if d.Cmp(bound) > 0 {
				t.Errorf("%s: the chances are off by %s, more than the bound %s", tail, d.FloatString(700), bound.FloatString(700))
			}
			if bound.Cmp(nearly) > 0 {
				t.Errorf("%s: the bound is %s", tail, bound.FloatString(30))
			}
			if exact[i].inner.Len() != o.inner.Len() {
				t.Errorf("%s: an outcome is lost", tail)
			}
		}
	}
	if rounded < 25 {
		t.Errorf("only %d outputs were rounded", rounded)
	}
}

// What is left has a chance of 2^-2048 and less: no float knows it. As long as
// it is known after rounding, the answer is right; beyond, there is an error.
func TestConditionsBelowEveryFloat(t *testing.T) {
	const text = `X: d{0, 1} function: both A:n B:n { result: A & B }
		loop P over {1..8} { X: [both (X) (X)] }
		function: only A:n B:n { if A = 0 { result: d{} } result: B }
		output [only X (d6)] output [only X X]`
	for _, o := range runOutputs(t, text, 40) {
		if o.slip.float() > 1e-300 {
			t.Errorf("%s: the bound is %g", o.Title, o.slip.float())
		}
	}
	_, err := runProgram(`X: d{0, 1} function: both A:n B:n { result: A & B }
		loop P over {1..30} { X: [both (X) (X)] }
		function: only A:n B:n { if A = 0 { result: d{} } result: B }
		output [only (X) (d6)]`)
	if err == nil {
		t.Error("a chance of 2^-1073741824 is divided by")
	}
}

func TestShorterOutput(t *testing.T) {
	r, err := runProgram("output 999d(d6 > 3)")
	if err != nil {
		t.Fatal(err)
	}
	long := r.Outputs[0]
	short, err := long.Shorter(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	bound := new(big.Rat).SetFloat64(short.Roll.Bound())
	if d := distance(long.Roll, short.inner); short.Roll.Words() > 6 || d.Sign() == 0 || d.Cmp(bound) > 0 || short.Roll.Len() != 1000 {
		t.Errorf("got %d words, off by %s, bound %g", short.Roll.Words(), d.FloatString(120), short.Roll.Bound())
	}
}
