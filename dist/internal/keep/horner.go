package keep

import (
	"math/big"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// The k highest dice by their threshold. Write t for the k-th highest face,
// P_t(z) for the generating function of the faces of a die above t and W_t for
// the weight of the others. When j < k of n dice are above t, replacing every
// face below t by t gives the kept total the generating function
//
//	E_t = sum over j < k of C(n,j) W_t^(n-j) P_t(z)^j z^((k-j)t).
//
// That the k-th highest is exactly t is E_t minus the same sum with t raised to
// the next face t' in the exponent only, for that is what E_t' counts of it
// again (summation by parts). With Horner's rule each threshold takes k
// multiplications by P_t, which are running sums when the faces are equally
// likely. With several kinds of dice, the product over the kinds of
// (W_t + P_t(z) x)^n, up to x^(k-1), takes the place of the binomial.

// hornerWork estimates the word operations of horner.
func (f *Faces) hornerWork(k int) int64 {
	work, words, keep := int64(0), int64(f.words), int64(k)
	for _, t := range f.faces {
		// What the rows of 1 to k dice above the threshold hold together.
		rows := upper.MulSat(upper.MulSat(keep, keep+1)/2, int64(f.places-1-t))
		for i, g := range f.groups {
			passes := int64(min(2*g.size, 2*len(g.changes)+6))
			switch {
			case i == 0:
				work = upper.AddSat(work, upper.MulSat(rows, passes*words))
				if len(f.groups) > 1 {
					work = upper.AddSat(work, upper.MulSat(rows, 2*words*words+4*words))
				}
			case i == 1 && g.count > 1:
				work = upper.AddSat(work, upper.MulSat(rows, passes*words+words*words))
			default:
				work = upper.AddSat(work, upper.MulSat(upper.MulSat(rows, int64(g.count)), (passes+3)*words))
			}
		}
		work = upper.AddSat(work, upper.AddSat(upper.MulSat(keep, 8*words+40), 2*nat.Karatsuba(words))) // with a power
	}
	return work
}

// horner returns the weights of the total of the k highest dice.
func (f *Faces) horner(k int) (nat.Vec, error) {
	outcomes := upper.AddSat(upper.MulSat(int64(k), int64(f.places-1)), 1)
	rows := int64(4)
	if len(f.groups) > 1 {
		rows += int64(k)
	}
	if err := f.meter.Room(upper.MulSat(outcomes, rows), int64(f.words)); err != nil {
		return nat.Vec{}, err
	}
	if err := f.meter.Work(f.hornerWork(k)); err != nil {
		return nat.Vec{}, err
	}
	h := newHorner(f, k, int(outcomes))
	le := newBelow(f)
	for i, t := range f.faces {
		le.advance(f, t)
		next := -1
		if i+1 < len(f.faces) {
			next = f.faces[i+1]
		}
		if err := h.threshold(t, next, le.sums); err != nil {
			return nat.Vec{}, err
		}
	}
	return h.result, nil
}

// A horner holds the rows that one threshold after the other is worked out in.
// Their exponents count from the threshold.
type horner struct {
	*Faces
	k       int
	tick    work.Ticker
	result  nat.Vec
	sum     []nat.Limb   // Horner's running sum
	product []nat.Limb   // the row that a multiplication writes to
	others  [][]nat.Limb // by number of dice above the threshold, of all groups but the largest
	width   []int        // the highest exponent of each of those
	atT     []nat.Limb   // the sum of others so far, for the threshold t
	atNext  []nat.Limb   // and for the next face
}

func newHorner(f *Faces, k, outcomes int) *horner {
	h := &horner{Faces: f, k: k, tick: work.NewTicker(f.meter), result: nat.NewVec(outcomes, f.words)}
	row := func(n int) []nat.Limb { return make([]nat.Limb, n*f.words) }
	h.sum, h.product = row(outcomes), row(outcomes)
	h.others = [][]nat.Limb{row(1)}
	if len(f.groups) > 1 {
		h.atT, h.atNext = row(outcomes), row(outcomes)
		for len(h.others) < min(k, f.dice()-f.groups[0].count+1) {
			h.others = append(h.others, row(len(h.others)*(f.places-1)+1))
		}
	} else {
		h.atT, h.atNext = row(1), row(1)
	}
	h.width = make([]int, len(h.others))
	return h
}

// dice is the number of dice of all kinds.
func (f *Faces) dice() int {
	n := 0
	for _, g := range f.groups {
		n += g.count
	}
	return n
}

// threshold adds what the rolls whose k-th highest face is t give. next is the
// next face above t, or -1; le holds the weights of at most t.
func (h *horner) threshold(t, next int, le []*big.Int) error {
	if err := h.tick.Tick((h.places - t) * len(h.groups)); err != nil {
		return err
	}
	used := 1
	clear(h.others[0])
	h.others[0][0], h.width[0] = 1, 0
	for i := 1; i < len(h.groups); i++ {
		var err error
		if i == 1 && h.groups[i].count > 1 {
			used, err = h.begin(&h.groups[i], t, le[i])
		} else {
			used, err = h.include(&h.groups[i], t, le[i], used)
		}
		if err != nil {
			return err
		}
	}
	return h.largestGroup(t, next, le[0], used)
}

// begin sets others to (W + P x)^count, whose coefficients are
// C(count,j) W^(count-j) P^j.
func (h *horner) begin(g *group, t int, le *big.Int) (int, error) {
	m := g.above(t)
	w, length := h.words, 1
	used := min(g.count+1, len(h.others))
	if m.Length == 0 {
		used = 1
	}
	factors, err := nat.BinomialTerms(&h.tick, g.count, le, big.NewInt(1), used-1)
	if err != nil {
		return 0, err
	}
	power := h.sum
	clear(power[:w])
	power[0] = 1
	for j := 0; j < used; j++ {
		if err := h.tick.Tick(length * (w*w + len(m.Terms)*w)); err != nil {
			return 0, err
		}
		if j > 0 {
			m.Times(h.product, power[:length*w], w)
			h.product, power = power, h.product
			length += m.Length
		}
		clear(h.others[j])
		h.width[j] = length - 1
		nat.AddScaled(h.others[j], power[:length*w], w, factors[j].Bits(), false)
	}
	h.sum = power
	return used, nil
}

// include multiplies others, of which used rows are filled, by
// (W + P x)^count, one die at a time.
func (h *horner) include(g *group, t int, le *big.Int, used int) (int, error) {
	m := g.above(t)
	w := h.words
	for range g.count {
		if m.Length > 0 && used < len(h.others) {
			clear(h.others[used])
			h.width[used] = 0
			used++
		}
		for a := used - 1; a >= 0; a-- {
			row := h.others[a][:(h.width[a]+1)*w]
			if err := h.tick.Tick(len(row) * (len(m.Terms) + 2)); err != nil {
				return 0, err
			}
			nat.ScaleRow(row, w, le.Bits())
			if a == 0 || m.Length == 0 {
				continue
			}
			n := h.width[a-1] + m.Length + 1
			h.width[a] = max(h.width[a], n-1)
			m.Times(h.product, h.others[a-1][:(h.width[a-1]+1)*w], w)
			nat.PlusRow(h.others[a], h.product[:n*w], w)
		}
	}
	return used, nil
}

// largestGroup runs Horner's rule over the powers of the largest group's
// polynomial: with m dice to keep that are not of this group and above t, the
// factor of P^(k-m) is C(n,k-m) W^(n-k+m) times the sum of the others with
// fewer than m dice above t, where what is missing to m counts as t, or as next.
func (h *horner) largestGroup(t, next int, le *big.Int, used int) error {
	g := &h.groups[0]
	if err := h.tick.Tick((h.places - t) * h.words); err != nil {
		return err
	}
	mul := g.above(t)
	w, gap := h.words, next-t
	first := h.k - 1
	if mul.Length == 0 {
		first = 0 // without faces above only the power 0 is left, and the others' factors may be wider than any weight
	}
	factors := nat.NewBinomialDescent(g.count, le, first)
	clear(h.atT)
	clear(h.atNext)
	length, wideT := 0, 0 // of sum and of atT, in coefficients
	for m := 1; m <= h.k; m++ {
		if m-1 < used {
			wideT = max(wideT, h.width[m-1]+1)
			row := h.others[m-1][:(h.width[m-1]+1)*w]
			nat.PlusRow(h.atT, row, w)
			if drop := (m - 1) * gap; next >= 0 && drop <= h.width[m-1] {
				nat.PlusRow(h.atNext, row[drop*w:], w)
			}
		}
		if err := h.tick.Tick(length * w * int(mul.Work())); err != nil {
			return err
		}
		if length > 0 {
			if mul.Length == 0 {
				length = 0
			} else {
				mul.Times(h.product, h.sum[:length*w], w)
				h.sum, h.product = h.product, h.sum
				length += mul.Length
			}
		}
		if m < h.k-first {
			continue // a power of no faces is zero
		}
		c := factors.Next()
		if len(c) == 0 {
			continue
		}
		need := wideT
		if next >= 0 {
			need = max(need, min(wideT+m*gap, m*(h.places-1-t)+1))
		}
		if need > length {
			clear(h.sum[length*w : need*w])
			length = need
		}
		nat.AddScaled(h.sum, h.atT[:wideT*w], w, c, false)
		if next >= 0 {
			n := min(wideT, need-m*gap)
			nat.AddScaled(h.sum[m*gap*w:], h.atNext[:n*w], w, c, true)
		}
	}
	nat.PlusRow(h.result.Data[h.k*t*w:], h.sum[:length*w], w)
	return nil
}
