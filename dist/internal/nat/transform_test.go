package nat

import (
	"context"
	"math/big"
	"testing"

	_ "dicescript/testdata/testseed"

	"pgregory.net/rapid"
)

// The primes are primes, and their roots have the order that they are used with.
func TestTransformPrimes(t *testing.T) {
	product := big.NewInt(1)
	for _, prime := range transformPrimes {
		p := new(big.Int).SetUint64(prime.p)
		if !p.ProbablyPrime(0) || p.BitLen() > 62 { // exact below 2^64
			t.Errorf("%v is no prime below 2^62", p)
		}
		half := new(big.Int).Lsh(big.NewInt(1), uint(prime.order-1))
		root := new(big.Int).SetUint64(prime.root)
		if got := root.Exp(root, half, p); got.Cmp(new(big.Int).Sub(p, big.NewInt(1))) != 0 {
			t.Errorf("the root of %v has not the order 2^%d", p, prime.order)
		}
		product.Mul(product, p)
	}
	// Sums of 2^55 products of two limbs stay below the product.
	limb := new(big.Int).Lsh(big.NewInt(1), 64)
	limb.Sub(limb, big.NewInt(1))
	sum := limb.Mul(limb, limb)
	if sum.Lsh(sum, 55); sum.Cmp(product) >= 0 {
		t.Errorf("%v, the largest sum, is not below %v", sum, product)
	}
}

// Numbers are found from their remainders up to the last below the product of the primes.
func TestRemaindersAtTheBound(t *testing.T) {
	for primes := 1; primes <= 3; primes++ {
		r := newRemainders(primes)
		bound := big.NewInt(1)
		for _, prime := range transformPrimes[:primes] {
			bound.Mul(bound, new(big.Int).SetUint64(prime.p))
		}
		check := func(x *big.Int) {
			var residues [3][]uint64
			for i, prime := range transformPrimes[:primes] {
				residues[i] = []uint64{new(big.Int).Mod(x, new(big.Int).SetUint64(prime.p)).Uint64()}
			}
			value := r.number(residues, 0)
			if got := View([]Limb{Limb(value[0]), Limb(value[1]), Limb(value[2])}); got.Cmp(x) != 0 {
				t.Fatalf("%d primes: got %v, want %v", primes, got, x)
			}
		}
		for i := int64(0); i < 3; i++ {
			check(big.NewInt(i))
			check(new(big.Int).Sub(bound, big.NewInt(i+1)))
		}
		rapid.Check(t, func(t *rapid.T) {
			x := new(big.Int)
			for range 4 {
				x.Lsh(x, 64).Add(x, new(big.Int).SetUint64(rapid.Uint64().Draw(t, "x")))
			}
			check(x.Mod(x, bound))
		})
	}
}

// Rows whose mass is just below and just above what one, two and three primes hold, and
// rows of the largest limbs.
func TestTransformsAtTheBound(t *testing.T) {
	ctx := context.Background()
	check := func(name string, a, b Vec, words, primes int, limbs bool) {
		t.Helper()
		plan := planTransform(a, b, words)
		if plan.primes != primes || plan.limbs != limbs {
			t.Errorf("%s: %d primes, of limbs %v; want %d, %v", name, plan.primes, plan.limbs, primes, limbs)
		}
		got, err := convolveTransformed(ctx, a, b, words, plan)
		if err != nil {
			t.Fatal(err)
		}
		want, err := convolvePacked(ctx, a, b, words)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range want.Data {
			if got.Data[i] != x {
				t.Fatalf("%s: limb %d differs", name, i)
			}
		}
	}
	bound := big.NewInt(1)
	for i, prime := range transformPrimes {
		bound.Mul(bound, new(big.Int).SetUint64(prime.p))
		for above := range int64(2) {
			// One number has all of the mass but 1.
			mass := new(big.Int).Add(bound, big.NewInt(above-1))
			a := rowOf([]*big.Int{big.NewInt(1), new(big.Int).Sub(mass, big.NewInt(1))})
			b := rowOf([]*big.Int{big.NewInt(1)})
			primes, limbs := i+1+int(above), false
			if primes > 3 {
				primes, limbs = 3, true
			}
			check("mass", a, b, WordsFor(mass), primes, limbs)
		}
	}
	// The longest sums of the largest products.
	const n, words = 1 << 10, 6
	a := NewVec(n, 3)
	for i := range a.Data {
		a.Data[i] = ^Limb(0)
	}
	check("largest limbs", a, a, words+1, 3, true)
	b := Vec{Words: 3, Data: append([]Limb(nil), a.Data[:3*n/3]...)}
	check("largest limbs of two rows", a, b, words+1, 3, true)
}

// A transform ends when its context is done.
func TestTransformLooksAtTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a := NewVec(1<<17, 1)
	for i := range a.Data {
		a.Data[i] = Limb(i%7 + 1)
	}
	if _, err := PlanConvolution(a, a, 1).Run(ctx); err == nil {
		t.Error("it went on")
	}
}
