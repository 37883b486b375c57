package linear

import (
	"math/big"
	"math/bits"

	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// Solve returns the solution x = num / den.
func (s *Solver) Solve(b []*big.Int) (num []*big.Int, den *big.Int, err error) {
	words := int64(1)
	for _, x := range b {
		words = max(words, int64(len(x.Bits())))
	}
	l := s.newLifting(b)
	for digits := 2; ; digits += digits/2 + 1 {
		for l.length < digits {
			if err := s.meter.Work(s.work + int64(len(b))*16); err != nil {
				return nil, nil, err
			}
			if err := s.meter.Table(int64(len(b)), 1); err != nil {
				return nil, nil, err
			}
			l.lift()
		}
		if err := s.meter.Work(upper.MulSat(int64(len(b)), upper.MulSat(int64(digits), int64(digits)+8))); err != nil {
			return nil, nil, err
		}
		if num, den, ok, err := l.fractions(); err != nil || ok {
			return num, den, err
		}
	}
}

// A lifting finds the digits of the solution in base p.
type lifting struct {
	*Solver
	b      []*big.Int
	digits [][]uint64 // by unknown
	length int
	x      []uint64

	carry []int64    // with small coefficients: what is left of the right side but for its digits to come
	right [][]uint64 // the digits of the right side
	rest  []*big.Int // with large coefficients: what is left of the right side
}

func (s *Solver) newLifting(b []*big.Int) *lifting {
	l := &lifting{Solver: s, b: b, digits: make([][]uint64, len(b)), x: make([]uint64, len(b))}
	if s.small == nil {
		for _, v := range b {
			l.rest = append(l.rest, new(big.Int).Set(v))
		}
		return l
	}
	l.carry, l.right = make([]int64, len(b)), make([][]uint64, len(b))
	p, digit := new(big.Int).SetUint64(s.p), new(big.Int)
	for i, v := range b {
		if v.IsInt64() && max(v.Int64(), -v.Int64()) < 1<<60 && v.Int64() != -1<<63 {
			l.carry[i] = v.Int64()
			continue
		}
		for rest := new(big.Int).Abs(v); rest.Sign() > 0; {
			rest.QuoRem(rest, p, digit)
			l.right[i] = append(l.right[i], digit.Uint64())
		}
	}
	return l
}

// lift finds one more digit.
func (l *lifting) lift() {
	if l.small == nil {
		l.liftLarge()
	} else {
		l.liftSmall()
	}
	for i, x := range l.x {
		l.digits[i] = append(l.digits[i], x)
	}
	l.length++
}

func (l *lifting) liftSmall() {
	p := l.p
	for i := range l.b {
		if l.length < len(l.right[i]) {
			// A carry of the size of a row and one digit stay below 2^62.
			if d := int64(l.right[i][l.length]); l.b[i].Sign() < 0 {
				l.carry[i] -= d
			} else {
				l.carry[i] += d
			}
		}
		r := l.carry[i] % int64(p)
		if r < 0 {
			r += int64(p)
		}
		l.x[i] = uint64(r)
	}
	l.modulo(l.x)
	for i, to := range l.eq.to {
		hi, lo := uint64(l.carry[i]>>63), uint64(l.carry[i])
		for k, j := range to {
			c := l.small[i][k]
			if c < 0 {
				h, m := bits.Mul64(uint64(-c), l.x[j])
				var carry uint64
				lo, carry = bits.Add64(lo, m, 0)
				hi, _ = bits.Add64(hi, h, carry)
				continue
			}
			h, m := bits.Mul64(uint64(c), l.x[j])
			var borrow uint64
			lo, borrow = bits.Sub64(lo, m, 0)
			hi, _ = bits.Sub64(hi, h, borrow)
		}
		negative := int64(hi) < 0
		if negative {
			var borrow uint64
			lo, borrow = bits.Sub64(0, lo, 0)
			hi, _ = bits.Sub64(0, hi, borrow)
		}
		q, _ := bits.Div64(hi, lo, p)
		l.carry[i] = int64(q)
		if negative {
			l.carry[i] = -int64(q)
		}
	}
}

func (l *lifting) liftLarge() {
	for i, r := range l.rest {
		l.x[i] = intMod(r, l.p)
	}
	l.modulo(l.x)
	p, term := new(big.Int).SetUint64(l.p), new(big.Int)
	for i, to := range l.eq.to {
		for k, j := range to {
			l.rest[i].Sub(l.rest[i], term.Mul(l.eq.coeff[i][k], term.SetUint64(l.x[j])))
		}
		l.rest[i].Quo(l.rest[i], p)
	}
}

// slack is how many bits a fraction must be shorter than what determines it, to
// be worth multiplying out.
const slack = 64

// fractions finds fractions over one denominator from the digits so far, and
// reports whether they solve the equations.
func (l *lifting) fractions() (num []*big.Int, den *big.Int, ok bool, err error) {
	base := newDigitBase(l.p, l.length)
	whole := base.power(l.length)
	half := new(big.Int).Rsh(whole, 1)
	den = big.NewInt(1)
	dens := make([]*big.Int, len(l.b)) // the denominator when an unknown was found
	num = make([]*big.Int, len(l.b))
	tick := work.NewTicker(l.meter)
	for i := range l.b {
		if err := tick.Tick(l.length*l.length + 16); err != nil {
			return nil, nil, false, err
		}
		x := base.number(l.digits[i])
		x.Mod(x.Mul(x, den), whole)
		if x.Cmp(half) > 0 {
			x.Sub(x, whole)
		}
		if x.BitLen()+den.BitLen()+slack > whole.BitLen() {
			n, d, err := reconstruct(&tick, x, whole)
			if err != nil {
				return nil, nil, false, err
			}
			if n.BitLen()+d.BitLen()+den.BitLen()+slack > whole.BitLen() {
				return nil, nil, false, nil
			}
			x = n
			den = new(big.Int).Mul(den, d)
		}
		num[i], dens[i] = x, den
	}
	for i, d := range dens {
		if d != den {
			num[i].Mul(num[i], new(big.Int).Quo(den, d))
		}
	}
	ok, err = l.verify(num, den, &tick)
	return num, den, ok, err
}

// verify multiplies out.
func (l *lifting) verify(num []*big.Int, den *big.Int, tick *work.Ticker) (bool, error) {
	sum, term := new(big.Int), new(big.Int)
	for i, to := range l.eq.to {
		sum.SetInt64(0)
		for k, j := range to {
			sum.Add(sum, term.Mul(l.eq.coeff[i][k], num[j]))
		}
		if sum.Cmp(term.Mul(den, l.b[i])) != 0 {
			return false, nil
		}
		if err := tick.Tick(len(to) * (len(den.Bits()) + 8)); err != nil {
			return false, err
		}
	}
	return true, nil
}

// reconstruct finds the fraction n/d of least size with n = d x modulo m: the
// remainders of Euclid's algorithm are such fractions (Wang, 1981).
func reconstruct(tick *work.Ticker, x, m *big.Int) (n, d *big.Int, err error) {
	limit := m.BitLen() / 2
	r0, r1 := new(big.Int).Set(m), new(big.Int).Mod(x, m)
	d0, d1 := new(big.Int), big.NewInt(1)
	q, t := new(big.Int), new(big.Int)
	for r1.BitLen() > limit {
		q.QuoRem(r0, r1, t)
		r0, r1, t = r1, t, r0
		d0.Sub(d0, t.Mul(q, d1))
		d0, d1 = d1, d0
		if err := tick.Tick(8 * len(m.Bits())); err != nil {
			return nil, nil, err
		}
	}
	if d1.Sign() < 0 {
		r1.Neg(r1)
		d1.Neg(d1)
	}
	return r1, d1, nil
}

// A digitBase puts digits of base p together, halves first.
type digitBase struct {
	p      uint64
	powers []*big.Int // p^(2^k)
}

func newDigitBase(p uint64, length int) *digitBase {
	b := &digitBase{p: p, powers: []*big.Int{new(big.Int).SetUint64(p)}}
	for n := 1; 2*n <= length; n *= 2 {
		last := b.powers[len(b.powers)-1]
		b.powers = append(b.powers, new(big.Int).Mul(last, last))
	}
	return b
}

func (b *digitBase) power(n int) *big.Int {
	out := big.NewInt(1)
	for k := 0; n>>k > 0; k++ {
		if n>>k&1 == 1 {
			out.Mul(out, b.powers[k])
		}
	}
	return out
}

func (b *digitBase) number(digits []uint64) *big.Int {
	if len(digits) == 1 {
		return new(big.Int).SetUint64(digits[0])
	}
	k := bits.Len(uint(len(digits)-1)) - 1
	high := b.number(digits[1<<k:])
	return high.Add(high.Mul(high, b.powers[k]), b.number(digits[:1<<k]))
}
