package numeral

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestWordsPrintAsLongNumbers holds what machine words give for a quotient against
// what long numbers do for the same one in other terms.
func TestWordsPrintAsLongNumbers(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	terms := new(big.Int).Lsh(bigOne, 70)
	number := func() int64 {
		switch n := rnd.Uint64() >> rnd.IntN(64); rnd.IntN(3) {
		case 0:
			return int64(powersOfTen[rnd.IntN(18)]) + int64(rnd.IntN(3)) - 1
		default:
			return int64(n >> 5)
		}
	}
	short := 0
	for range 20_000 {
		num, den := max(1, number()), max(1, number())
		q := Quotient{big.NewInt(num), big.NewInt(den)}
		long := Quotient{new(big.Int).Mul(q.num, terms), new(big.Int).Mul(q.den, terms)}
		if _, _, ok := q.words(); ok {
			short++
		}
		if got, want := q.exponent(), long.exponent(); got != want {
			t.Fatalf("the exponent of %d/%d is %d, want %d", num, den, got, want)
		}
		at, of := rnd.Int64N(200), 1+rnd.Int64N(10_000)
		if got, want := q.reaches(at, of), long.reaches(at, of); got != want {
			t.Fatalf("%d/%d reaches %d/%d: %t, want %t", num, den, at, of, got, want)
		}
		n, digits := rnd.IntN(50)-25, rnd.IntN(6)
		if got, want := q.fixedShifted(n, digits), long.fixedShifted(n, digits); got != want {
			t.Fatalf("%d/%d * 10^%d is %s, want %s", num, den, n, got, want)
		}
	}
	if short < 15_000 {
		t.Errorf("only %d quotients fit machine words", short)
	}
}
