package nat

import (
	"math/big"
	"math/bits"

	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// Products of long rows by transforms: both rows are evaluated at all roots of unity of
// some order modulo a prime, multiplied value by value, and interpolated. Three primes,
// and the Chinese remainder theorem, give every number below their product.
//
// What is transformed are the numbers of the rows themselves, where the product of the
// masses is below that of the primes, since it bounds every sum of products. Else it is
// their limbs, each number in the limbs of the result: the limbs of the result are sums of
// n products of two limbs at most, where n is the number of limbs of the shorter row, and
//
//	n (2^64-1)^2 < p1 p2 p3  for n < 2^55,
//
// which is more limbs than there are. The sums are added up with their carries; a number
// of the result does not run into the next, because it fits its limbs.

// A transformPrime is a prime c 2^e + 1 below 2^62, with an element of order 2^e.
type transformPrime struct {
	p, root uint64
	order   int // e
}

// transformPrimes are 29 2^57 + 1, 27 2^56 + 1 and 69 2^55 + 1.
var transformPrimes = [3]transformPrime{
	{29<<57 + 1, 68630377364883, 57},
	{27<<56 + 1, 1613915479851665306, 56},
	{69<<55 + 1, 1700750308946223057, 55},
}

// mulMod returns x y modulo p, for x below p.
func mulMod(x, y, p uint64) uint64 {
	hi, lo := bits.Mul64(x, y%p)
	_, r := bits.Div64(hi, lo, p)
	return r
}

func powMod(x, e, p uint64) uint64 {
	y := uint64(1)
	for ; e > 0; e >>= 1 {
		if e&1 == 1 {
			y = mulMod(y, x, p)
		}
		x = mulMod(x, x, p)
	}
	return y
}

// inverseWord returns the inverse of an odd number modulo 2^64.
func inverseWord(p uint64) uint64 { return uint64(NewExactDivisor(Limb(p)).inverse) }

// invMod returns the inverse of x modulo a prime.
func invMod(x, p uint64) uint64 { return powMod(x, p-2, p) }

// rootOf returns an element of order 2^k.
func (t transformPrime) rootOf(k int) uint64 {
	w := t.root
	for i := t.order; i > k; i-- {
		w = mulMod(w, w, t.p)
	}
	return w
}

// A twiddle is a factor below p with floor(w 2^64 / p), by which a product modulo p takes
// no division (Shoup): for q = floor(w' x / 2^64) the rest w x - q p lies below 2p.
type twiddle struct{ w, quotient uint64 }

func newTwiddle(w, p uint64) twiddle {
	q, _ := bits.Div64(w, 0, p)
	return twiddle{w, q}
}

// times returns w x modulo p, below 2p, for any x.
func (t twiddle) times(x, p uint64) uint64 {
	q, _ := bits.Mul64(t.quotient, x)
	return t.w*x - q*p
}

// A transform evaluates rows of 2^k values modulo a prime.
type transform struct {
	prime transformPrime
	p     uint64
	k     int
	// The powers of a root of order 2^k and of its inverse, up to half of the order. What
	// shorter rows need stands at equal distances.
	forward, back []twiddle
	tick          *work.Ticker
}

func newTransform(prime transformPrime, k int, tick *work.Ticker) *transform {
	t := &transform{prime: prime, p: prime.p, k: k, tick: tick}
	root := prime.rootOf(k)
	t.forward = powersOf(root, 1<<k>>1, t.p)
	t.back = powersOf(invMod(root, t.p), 1<<k>>1, t.p)
	return t
}

// powersOf returns the first n powers of w, by levels: those of w^(2^i) that a row of
// 2^(k-i) values needs stand side by side, the longest row first.
func powersOf(w uint64, n int, p uint64) []twiddle {
	out := make([]twiddle, 0, 2*n)
	step := newTwiddle(w, p)
	x := uint64(1)
	for range n {
		out = append(out, newTwiddle(x, p))
		if x = step.times(x, p); x >= p {
			x -= p
		}
	}
	for from := 0; n > 1; n /= 2 {
		for i := 0; i < n; i += 2 {
			out = append(out, out[from+i])
		}
		from += n
	}
	return out
}

// cachedRow is how many values fit well into a cache: longer rows are split first.
const cachedRow = 1 << 12

// run transforms a row of values below 2p, which come out in bit-reversed order.
// Gentleman and Sande's butterflies, lazily reduced (Harvey, "Faster arithmetic for
// number-theoretic transforms", 2014): x and y below 2p become x + y and (x - y) w.
func (t *transform) run(row []uint64, w []twiddle) error {
	n := len(row)
	if n == 1 {
		return nil
	}
	if n > cachedRow {
		if err := t.tick.Tick(n); err != nil {
			return err
		}
		t.split(row, w[:n/2])
		if err := t.run(row[:n/2], w[n/2:]); err != nil {
			return err
		}
		return t.run(row[n/2:], w[n/2:])
	}
	for ; n > 1; n /= 2 {
		for from := 0; from < len(row); from += n {
			t.split(row[from:from+n], w[:n/2])
		}
		w = w[n/2:]
	}
	return t.tick.Tick(len(row) * 8)
}

func (t *transform) split(row []uint64, w []twiddle) {
	p, twice := t.p, 2*t.p
	low, high := row[:len(w)], row[len(w):2*len(w)]
	for i, w := range w {
		x, y := low[i], high[i]
		s := x + y
		if s >= twice {
			s -= twice
		}
		low[i], high[i] = s, w.times(x-y+twice, p)
	}
}

// undo is the inverse of run, up to the factor 2^k: Cooley and Tukey's butterflies from
// the bit-reversed order.
func (t *transform) undo(row []uint64, w []twiddle) error {
	n := len(row)
	if n == 1 {
		return nil
	}
	if n > cachedRow {
		if err := t.tick.Tick(n); err != nil {
			return err
		}
		if err := t.undo(row[:n/2], w[n/2:]); err != nil {
			return err
		}
		if err := t.undo(row[n/2:], w[n/2:]); err != nil {
			return err
		}
		t.join(row, w[:n/2])
		return nil
	}
	for size := 2; size <= n; size *= 2 {
		at := n - size // n/2 + n/4 + ... + size
		for from := 0; from < n; from += size {
			t.join(row[from:from+size], w[at:at+size/2])
		}
	}
	return t.tick.Tick(n * 8)
}

func (t *transform) join(row []uint64, w []twiddle) {
	p, twice := t.p, 2*t.p
	low, high := row[:len(w)], row[len(w):2*len(w)]
	for i, w := range w {
		x, y := low[i], w.times(high[i], p)
		s, d := x+y, x-y+twice
		if s >= twice {
			s -= twice
		}
		if d >= twice {
			d -= twice
		}
		low[i], high[i] = s, d
	}
}

// product returns the values of the product of two rows, below p. It takes both rows over.
func (t *transform) product(a, b []uint64) ([]uint64, error) {
	if err := t.run(a, t.forward); err != nil {
		return nil, err
	}
	square := &a[0] == &b[0]
	if !square {
		if err := t.run(b, t.forward); err != nil {
			return nil, err
		}
	}
	p := t.p
	inverse := inverseWord(p)
	// Montgomery's product x y 2^-64: x and y below 2p, and 4p below 2^64.
	scale := newTwiddle(mulMod(invMod(uint64(len(a)), p), -p%p, p), p) // 2^64 / len
	for i, x := range a {
		hi, lo := bits.Mul64(x, b[i])
		h, _ := bits.Mul64(lo*inverse, p)
		a[i] = scale.times(hi-h+p, p)
	}
	if err := t.undo(a, t.back); err != nil {
		return nil, err
	}
	for i, x := range a {
		if x >= p {
			x -= p
		}
		a[i] = x
	}
	return a, nil
}

// A transformPlan is how two rows are transformed.
type transformPlan struct {
	limbs  bool // or the numbers themselves
	primes int
	k      int // rows of 2^k values
}

// planTransform returns how the product of two rows is found, whose numbers have so many
// words.
func planTransform(a, b Vec, words int) transformPlan {
	mass := new(big.Int).Mul(a.Sum(), b.Sum())
	plan := transformPlan{k: bits.Len(uint(a.Len() + b.Len() - 2))}
	bound := big.NewInt(1)
	for _, t := range transformPrimes {
		plan.primes++
		if bound.Mul(bound, new(big.Int).SetUint64(t.p)); mass.Cmp(bound) < 0 {
			return plan
		}
	}
	plan.limbs, plan.k = true, limbsOrder(a, b, words)
	return plan
}

// limbsOrder is k where the limbs of two rows are transformed.
func limbsOrder(a, b Vec, words int) int {
	return bits.Len(uint((a.Len()+b.Len()-2)*words + a.Words + b.Words - 2))
}

// leastTransformWork is the work of a product for which transforms are not looked at.
const leastTransformWork = 1 << 16

// butterflyWork is what one butterfly takes in operations on words.
const butterflyWork = 4

// work estimates the word operations of the plan.
func (t transformPlan) work() int64 {
	return upper.MulSat(int64(t.primes)<<t.k, int64(butterflyWork*(3*t.k/2+6)))
}

// ProductWork estimates the work of the product of two long rows of so many weights,
// where a weight of the result has so many words.
func ProductWork(a, b, words int64) int64 {
	packed := PackedWork(a, b, words)
	if packed < leastTransformWork {
		return packed
	}
	t := transformPlan{primes: 3}
	places := upper.AddSat(a, b)
	if 64*words > 183 { // the bits of the product of all primes
		places = upper.MulSat(places, words)
	}
	if t.k = bits.Len64(uint64(places)); t.k > 48 {
		return packed
	}
	return min(packed, t.work())
}

// cells is how many words the rows take while they are transformed.
func (t transformPlan) cells() int64 { return int64(t.primes+6) << t.k }

// convolveTransformed multiplies two rows by transforms.
func convolveTransformed(ctx work.Context, a, b Vec, words int, plan transformPlan) (Vec, error) {
	var residues [3][]uint64
	tick := work.NewTicker(ctx)
	for i := range plan.primes {
		t := newTransform(transformPrimes[i], plan.k, &tick)
		x := t.residues(a, words, plan)
		y := x
		if !sameRow(a, b) {
			y = t.residues(b, words, plan)
		}
		var err error
		if residues[i], err = t.product(x, y); err != nil {
			return Vec{}, err
		}
	}
	out := NewVec(a.Len()+b.Len()-1, words)
	each := 1
	values := len(out.Data)
	if !plan.limbs {
		each, values = words, out.Len()
	}
	r := newRemainders(plan.primes)
	for i := range min(values, 1<<plan.k) {
		value := r.number(residues, i)
		addValue(out.Data[i*each:], value)
		if err := tick.Tick(16); err != nil {
			return Vec{}, err
		}
	}
	return out, nil
}

func sameRow(a, b Vec) bool { return &a.Data[0] == &b.Data[0] && len(a.Data) == len(b.Data) }

// addValue adds a value of three limbs to dst, which has room for the sum.
func addValue(dst []Limb, value [3]uint64) {
	var carry uint64
	for j, v := range value {
		if j < len(dst) {
			var s uint64
			s, carry = bits.Add64(uint64(dst[j]), v, carry)
			dst[j] = Limb(s)
		}
	}
	if carry != 0 {
		addWordAt(dst, len(value), 1)
	}
}

// residues returns the values of a row that are transformed, below 2p.
func (t *transform) residues(v Vec, words int, plan transformPlan) []uint64 {
	out := make([]uint64, 1<<t.k)
	one := newTwiddle(1, t.p)
	if plan.limbs {
		for i := range v.Len() {
			for j, x := range v.At(i) {
				out[i*words+j] = one.times(uint64(x), t.p)
			}
		}
		return out
	}
	shift := newTwiddle(-t.p%t.p, t.p) // 2^64
	for i := range out[:v.Len()] {
		r := uint64(0)
		x := v.At(i)
		for j := len(x) - 1; j >= 0; j-- {
			r = shift.times(r, t.p) + one.times(uint64(x[j]), t.p)
			if r >= 2*t.p {
				r -= 2 * t.p
			}
		}
		out[i] = r
	}
	return out
}

// remainders finds the numbers below the product of the first primes that have given
// remainders, by Garner's mixed radix: x = r1 + p1 (t2 + p2 t3).
type remainders struct {
	primes         int
	inverse12      twiddle // of p1 modulo p2
	inverse13      twiddle // of p1 modulo p3
	inverse23      twiddle // of p2 modulo p3
	productHi, low uint64  // p1 p2
}

func newRemainders(primes int) remainders {
	p1, p2, p3 := transformPrimes[0].p, transformPrimes[1].p, transformPrimes[2].p
	r := remainders{
		primes:    primes,
		inverse12: newTwiddle(invMod(p1%p2, p2), p2),
		inverse13: newTwiddle(invMod(p1%p3, p3), p3),
		inverse23: newTwiddle(invMod(p2%p3, p3), p3),
	}
	r.productHi, r.low = bits.Mul64(p1, p2)
	return r
}

// number returns the number whose remainders stand in place i.
func (r *remainders) number(residues [3][]uint64, i int) [3]uint64 {
	r1 := residues[0][i]
	if r.primes == 1 {
		return [3]uint64{r1}
	}
	p1, p2, p3 := transformPrimes[0].p, transformPrimes[1].p, transformPrimes[2].p
	t2 := r.inverse12.exactly(less(residues[1][i], r1, p2), p2)
	hi, lo := bits.Mul64(p1, t2)
	lo, c := bits.Add64(lo, r1, 0)
	hi += c
	if r.primes == 2 {
		return [3]uint64{lo, hi}
	}
	t3 := r.inverse13.exactly(less(residues[2][i], r1, p3), p3)
	t3 = r.inverse23.exactly(less(t3, t2, p3), p3)
	h0, l0 := bits.Mul64(r.low, t3)
	h1, l1 := bits.Mul64(r.productHi, t3)
	l1, c = bits.Add64(l1, h0, 0)
	h1 += c
	lo, c = bits.Add64(lo, l0, 0)
	hi, c = bits.Add64(hi, l1, c)
	return [3]uint64{lo, hi, h1 + c}
}

// less returns x - y modulo p, for x below p and any y.
func less(x, y, p uint64) uint64 {
	if y %= p; x < y {
		return x + p - y
	}
	return x - y
}

// exactly is times below p.
func (t twiddle) exactly(x, p uint64) uint64 {
	if x = t.times(x, p); x >= p {
		x -= p
	}
	return x
}
