package nat

import (
	"math/big"

	"dicescript/dist/internal/work"
)

// The terms of a power of a sum, C(n,j) a^(n-j) b^j, each from the one before by a
// product and an exact quotient.

// BinomialTerms returns C(n,j) a^(n-j) b^j for j from 0 to min(n, upto).
func BinomialTerms(tick *work.Ticker, n int, a, b *big.Int, upto int) ([]*big.Int, error) {
	terms := make([]*big.Int, min(n, upto)+1)
	err := EachBinomialTerm(tick, n, a, b, upto, func(j int, t *big.Int) { terms[j] = new(big.Int).Set(t) })
	return terms, err
}

// EachBinomialTerm visits C(n,j) a^(n-j) b^j for j from 0 to min(n, upto). The
// term is only good until the next.
func EachBinomialTerm(tick *work.Ticker, n int, a, b *big.Int, upto int, visit func(j int, t *big.Int)) error {
	upto = min(n, upto)
	if a.Sign() == 0 {
		for j := 0; j < upto; j++ {
			visit(j, a)
		}
		last := new(big.Int)
		if upto == n {
			last.Exp(b, big.NewInt(int64(n)), nil)
		}
		visit(upto, last)
		return nil
	}
	t := new(big.Int).Exp(a, big.NewInt(int64(n)), nil)
	visit(0, t)
	factor, divisor := new(big.Int), new(big.Int)
	for j := 1; j <= upto; j++ {
		factor.SetInt64(int64(n - j + 1))
		factor.Mul(factor, b)
		divisor.SetInt64(int64(j))
		divisor.Mul(divisor, a)
		t.Mul(t, factor)
		t.Quo(t, divisor)
		if err := tick.Tick(8 * len(t.Bits()) * len(factor.Bits())); err != nil {
			return err
		}
		visit(j, t)
	}
	return nil
}

// MulTruncated multiplies two polynomials up to the power upto.
func MulTruncated(tick *work.Ticker, a, b []*big.Int, upto int) ([]*big.Int, error) {
	out := make([]*big.Int, min(upto, len(a)+len(b)-2)+1)
	product := new(big.Int)
	for i := range out {
		out[i] = new(big.Int)
		for j := max(0, i-len(b)+1); j < len(a) && j <= i; j++ {
			out[i].Add(out[i], product.Mul(a[j], b[i-j]))
			if err := tick.Tick(16 + len(a[j].Bits())*len(b[i-j].Bits())); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// A binomialDescent yields C(n,j) a^(n-j) for j from a highest one down to 0:
// C(n,j) = C(n,j+1) (j+1)/(n-j).
type binomialDescent struct {
	n, j   int
	a      *big.Int
	value  *big.Int
	factor big.Int
	spare  *big.Int
}

func NewBinomialDescent(n int, a *big.Int, from int) *binomialDescent {
	return &binomialDescent{n: n, j: from + 1, a: a, spare: new(big.Int)}
}

// Next returns the next coefficient, which is only good until the one after.
func (b *binomialDescent) Next() []Limb {
	b.j--
	switch {
	case b.j > b.n, b.a.Sign() == 0 && b.j < b.n:
		return nil
	case b.value == nil:
		b.value = new(big.Int).Binomial(int64(b.n), int64(b.j))
		b.value.Mul(b.value, b.factor.Exp(b.a, big.NewInt(int64(b.n-b.j)), nil))
		return b.value.Bits()
	}
	b.factor.SetInt64(int64(b.j + 1))
	b.spare.Mul(b.value, b.factor.Mul(&b.factor, b.a))
	b.factor.SetInt64(int64(b.n - b.j))
	b.value.Quo(b.spare, &b.factor)
	return b.value.Bits()
}
