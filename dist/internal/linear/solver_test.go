package linear

import (
	"context"
	"math/big"
	"testing"

	"dicescript/dist/internal/gauss"
	"dicescript/dist/internal/work"

	"pgregory.net/rapid"
)

var free = work.Free{Context: context.Background()}

func TestPrimesArePrime(t *testing.T) {
	for _, p := range primes {
		if !new(big.Int).SetUint64(p).ProbablyPrime(20) || p >= 1<<60 {
			t.Errorf("2^60 - %d", 1<<60-p)
		}
	}
}

// drawEquations draws a matrix whose diagonal outweighs the rest of its rows, as
// that of a process does, and a right side.
func drawEquations(t *rapid.T) (*Equations, []*big.Int) {
	n := rapid.IntRange(1, 9).Draw(t, "unknowns")
	top := rapid.SampledFrom([]int64{1, 6, 1 << 40, 1 << 61}).Draw(t, "top")
	huge := rapid.Bool().Draw(t, "huge right side")
	eq := &Equations{}
	var b []*big.Int
	for i := range n {
		var to []int
		var coeff []*big.Int
		sum := big.NewInt(rapid.Int64Range(1, top).Draw(t, "leaves"))
		at := -1
		for j := range n {
			if j == i {
				at = len(to)
				to, coeff = append(to, j), append(coeff, nil)
			} else if rapid.Bool().Draw(t, "leads on") {
				w := big.NewInt(rapid.Int64Range(0, top).Draw(t, "weight"))
				sum.Add(sum, w)
				to, coeff = append(to, j), append(coeff, w.Neg(w))
			}
		}
		coeff[at] = sum
		eq.to, eq.coeff = append(eq.to, to), append(eq.coeff, coeff)
		x := big.NewInt(rapid.Int64().Draw(t, "right"))
		if huge {
			x.Lsh(x, uint(rapid.IntRange(0, 300).Draw(t, "shift")))
		}
		b = append(b, x)
	}
	return eq, b
}

// solvedInFractions checks the solution of equations with one in plain fractions.
func solvedInFractions(t rapid.TB, eq *Equations, b []*big.Int) {
	t.Helper()
	s, err := NewSolver(free, eq)
	if err != nil {
		t.Fatal(err)
	}
	num, den, err := s.Solve(b)
	if err != nil {
		t.Fatal(err)
	}
	rows := make([][]*big.Rat, len(b))
	for i := range rows {
		for range len(b) + 1 {
			rows[i] = append(rows[i], new(big.Rat))
		}
		for k, j := range eq.to[i] {
			rows[i][j].SetInt(eq.coeff[i][k])
		}
		rows[i][len(b)].SetInt(b[i])
	}
	for i, want := range gauss.Solve(rows) {
		if got := new(big.Rat).SetFrac(num[i], den); got.Cmp(want) != 0 {
			t.Fatalf("x_%d = %v, want %v", i, got, want)
		}
	}
}

func TestEquationsAreSolvedAsInFractions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		eq, b := drawEquations(t)
		solvedInFractions(t, eq, b)
	})
}

// A matrix that is singular modulo the first prime is solved by another one.
func TestEquationsWithoutSolutionModuloAPrime(t *testing.T) {
	p := new(big.Int).SetUint64(primes[0])
	eq := &Equations{to: [][]int{{0, 1}, {0, 1}}, coeff: [][]*big.Int{{p, big.NewInt(-1)}, {big.NewInt(-1), big.NewInt(2)}}}
	solvedInFractions(t, eq, []*big.Int{big.NewInt(3), big.NewInt(5)})
	none := &Equations{to: [][]int{{0}}, coeff: [][]*big.Int{{new(big.Int)}}}
	if _, err := NewSolver(free, none); err == nil {
		t.Error("0 x = 1 has a solution")
	}
}
