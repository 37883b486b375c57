package nat

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"dicescript/dist/internal/work"

	_ "dicescript/testdata/testseed"

	"pgregory.net/rapid"
)

// Powers, products of powers and sparse products are compared with plain convolution.

var free = work.Free{Context: context.Background()}

// plainProduct multiplies every coefficient with every one.
func plainProduct(a, b []*big.Int) []*big.Int {
	out := make([]*big.Int, len(a)+len(b)-1)
	for i := range out {
		out[i] = new(big.Int)
	}
	for i, x := range a {
		for j, y := range b {
			out[i+j].Add(out[i+j], new(big.Int).Mul(x, y))
		}
	}
	return out
}

func plainPower(a []*big.Int, n int) []*big.Int {
	out := []*big.Int{big.NewInt(1)}
	for range n {
		out = plainProduct(out, a)
	}
	return out
}

func numbers(v Vec) []*big.Int {
	out := make([]*big.Int, v.Len())
	for i := range out {
		out[i] = Natural(v.At(i))
	}
	return out
}

func rowOf(ns []*big.Int) Vec {
	sum := new(big.Int)
	for _, n := range ns {
		sum.Add(sum, n)
	}
	v := NewVec(len(ns), WordsFor(sum))
	for i, n := range ns {
		PutInt(v.At(i), n)
	}
	return v
}

func sameNumbers(t *rapid.T, what string, got, want []*big.Int) {
	t.Helper()
	if !slices.EqualFunc(got, want, func(a, b *big.Int) bool { return a.Cmp(b) == 0 }) {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
}

// drawWeights draws the weights of a die: the first and the last are not 0.
func drawWeights(t *rapid.T, name string) []*big.Int {
	n := rapid.IntRange(1, 12).Draw(t, name+" length")
	top := rapid.SampledFrom([]uint64{1, 3, 1 << 29, 1<<31 - 1, 1<<62 - 1, 1<<64 - 1}).Draw(t, name+" top")
	ns := make([]*big.Int, n)
	equal := rapid.IntRange(0, 2).Draw(t, name+" equal") == 0
	for i := range ns {
		low := uint64(0)
		if i == 0 || i == n-1 {
			low = 1
		}
		ns[i] = new(big.Int).SetUint64(rapid.Uint64Range(low, top).Draw(t, name))
		if equal {
			ns[i] = ns[0]
		}
	}
	return ns
}

// A product of powers by one recurrence is what multiplying out gives, whichever of two
// machines runs it.
func TestRecurrenceOfProducts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := []*big.Int{big.NewInt(1)}
		g := NewGenFunc()
		symmetric := true
		for range rapid.IntRange(1, 3).Draw(t, "kinds") {
			ws, n := drawWeights(t, "weights"), rapid.IntRange(1, 5).Draw(t, "n")
			if len(ws) == 1 {
				continue
			}
			row := rowOf(ws)
			short, err := ShortestGenFunc(free, row, row.Len(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if every := rapid.IntRange(1, 3).Draw(t, "every"); every > 1 {
				short = short.Stretched(every)
				spread := make([]*big.Int, (len(ws)-1)*every+1)
				for i := range spread {
					if spread[i] = new(big.Int); i%every == 0 {
						spread[i] = ws[i/every]
					}
				}
				ws = spread
			}
			if rapid.Bool().Draw(t, "reversed") {
				short = short.Reversed()
				ws = slices.Clone(ws)
				slices.Reverse(ws)
			}
			g = g.Times(short.ToPower(n))
			want = plainProduct(want, plainPower(ws, n))
			symmetric = symmetric && rowOf(ws).IsSymmetric()
		}
		p := Powering{
			Recurrence: NewRecurrence(g, 1), First: want[0], N: len(want),
			Words: rowOf(want).Words, Symmetric: symmetric,
		}
		got, err := p.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		sameNumbers(t, "run", numbers(got), want)
		wide := NewVec(p.N, p.Words)
		PutInt(wide.At(0), p.First)
		if err := p.runWide(context.Background(), wide, p.N); err != nil {
			t.Fatal(err)
		}
		sameNumbers(t, "wide", numbers(wide), want)
	})
}

// Sums of products with words are exact up to the bound of their coefficients, for any
// number of terms, signs and divisors.
func TestDotterAtItsBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.IntRange(1, 4).Draw(t, "words")
		terms := rapid.IntRange(1, 11).Draw(t, "terms")
		n := rapid.SampledFrom([]uint64{1, 2, 3, 6, 1 << 31, 1<<63 + 2, 1<<64 - 1}).Draw(t, "divisor")
		all := new(big.Int).Lsh(big.NewInt(1), uint(64*words))
		all.Sub(all, big.NewInt(1))
		// q divisor = sum over all but the last of c x, and the last x, whose factor is 1. The
		// others are taken off, so that the last x is positive; it is cut to fit.
		data, sum := NewVec(terms, words), new(big.Int)
		d := newDotter(words, terms)
		d.high = words
		left := int64(1)<<sumBits - 2
		for i := range terms - 1 {
			c := -rapid.SampledFrom([]int64{0, min(1, left), left / 2, left}).Draw(t, "coefficient")
			left += c
			x := rapid.SampledFrom([]*big.Int{new(big.Int), big.NewInt(1), all, new(big.Int).Rsh(all, 63)}).Draw(t, "row")
			if product := new(big.Int).Mul(big.NewInt(-c), x); new(big.Int).Add(sum, product).Cmp(all) > 0 {
				c = 0
			} else {
				sum.Add(sum, product)
			}
			PutInt(data.At(i), x)
			d.add(c, i*words)
		}
		q := new(big.Int).Sub(all, sum)
		q.Quo(q, new(big.Int).SetUint64(n))
		sum.Add(sum, new(big.Int).Mul(q, new(big.Int).SetUint64(n)))
		PutInt(data.At(terms-1), sum)
		d.add(1, (terms-1)*words)
		out := make([]Limb, words)
		d.quotient(out, data.Data, uint(n))
		if Natural(out).Cmp(q) != 0 {
			t.Fatalf("got %v, want %v", Natural(out), q)
		}
		// The largest factor by itself.
		c := int64(1)<<sumBits - 1
		PutInt(data.At(0), q)
		d.add(c, 0)
		d.quotient(out, data.Data, uint(c))
		if Natural(out).Cmp(q) != 0 {
			t.Fatalf("largest factor: got %v, want %v", Natural(out), q)
		}
	})
}

// Windows over a row, one after another, are products with runs.
func TestTimesRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := drawWeights(t, "base")
		if rapid.Bool().Draw(t, "symmetric") {
			mirror := slices.Clone(base)
			slices.Reverse(mirror)
			base = append(base, mirror...)
		}
		want := base
		var runs []Run
		for range rapid.IntRange(0, 4).Draw(t, "runs") {
			r := Run{Length: rapid.IntRange(2, 30).Draw(t, "length"), Count: rapid.IntRange(1, 12).Draw(t, "count")}
			ones := make([]*big.Int, r.Length)
			for i := range ones {
				ones[i] = big.NewInt(1)
			}
			runs = append(runs, r)
			want = plainProduct(want, plainPower(ones, r.Count))
		}
		row := rowOf(base)
		before := slices.Clone(row.Data)
		got, err := TimesRuns(context.Background(), row, runs)
		if err != nil {
			t.Fatal(err)
		}
		sameNumbers(t, "runs", numbers(got), want)
		if !slices.Equal(before, row.Data) {
			t.Fatal("the base has changed")
		}
	})
}

// Sparse products and powers are sums over all pairs of terms.
func TestSparse(t *testing.T) {
	draw := func(t *rapid.T, name string, most int) Sparse {
		exps := rapid.SliceOfNDistinct(rapid.SampledFrom([]int{1, 2, 3, 7, 100, 101, 1 << 20, 1<<20 + 1, 1 << 40, 1 << 55}), 1, most, rapid.ID[int]).Draw(t, name)
		slices.Sort(exps)
		exps = append([]int{0}, exps...)
		ws := make([]*big.Int, len(exps))
		top := rapid.SampledFrom([]uint64{1, 5, 1 << 31, 1 << 60, 1<<64 - 1}).Draw(t, name+" top")
		for i := range ws {
			ws[i] = new(big.Int).SetUint64(rapid.Uint64Range(1, top).Draw(t, name+" weight"))
		}
		return Sparse{exps, rowOf(ws)}
	}
	times := func(a, b map[int]*big.Int) map[int]*big.Int {
		out := map[int]*big.Int{}
		for e, x := range a {
			for f, y := range b {
				AddTerm(out, e+f, new(big.Int).Mul(x, y))
			}
		}
		return out
	}
	table := func(p Sparse) map[int]*big.Int {
		out := map[int]*big.Int{}
		for i, e := range p.Exps {
			out[e] = Natural(p.W.At(i))
		}
		return out
	}
	wordsOf := func(m map[int]*big.Int) int {
		words := 1
		for _, n := range m {
			words = max(words, WordsFor(n))
		}
		return words
	}
	same := func(t *rapid.T, what string, got Sparse, want map[int]*big.Int) {
		if len(got.Exps) != len(want) || got.W.Len() != len(want) || !slices.IsSorted(got.Exps) {
			t.Fatalf("%s: %d exponents, want %d, ascending", what, len(got.Exps), len(want))
		}
		for i, e := range got.Exps {
			if n := want[e]; n == nil || n.Cmp(Natural(got.W.At(i))) != 0 {
				t.Fatalf("%s: at %d %v, want %v", what, e, Natural(got.W.At(i)), n)
			}
		}
	}
	fit := 0
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw(t, "a", 9), draw(t, "b", 5)
		want := times(table(a), table(b))
		got, ok, err := TimesSparse(free, a, b, wordsOf(want))
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			same(t, "product", got, want)
		}
		n := rapid.IntRange(2, 6).Draw(t, "n")
		power := table(b)
		for range n - 1 {
			power = times(power, table(b))
		}
		got, ok, err = SparsePower(free, b, n, wordsOf(power))
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			fit++
			same(t, "power", got, power)
		}
	})
	if fit == 0 {
		t.Error("no power was small enough to be computed")
	}
}
