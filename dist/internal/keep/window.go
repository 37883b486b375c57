package keep

import (
	"math/big"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// Different dice of which h are dropped at the high end and l at the low end.
// Write U and T for the highest and the lowest kept face. For a pair of faces
// t < u let C(a,b) be the generating function of the dice strictly between t and
// u, over the rolls with a dice of at least u and b of at most t. Where a > h and
// b > l, that is where U >= u and T <= t,
//
//	F(u,t;x,y) = sum of C(a,b) z^((a-h)x + (b-l)y)
//
// counts every kept face of at least u as x and every one of at most t as y. The
// rolls with U = u and T = t are those of F(u,t;u,t) less those with U >= u+, the
// next face above u, or T <= t-, the next below t, whose totals count as if U
// were u and T were t:
//
//	F(u,t;u,t) - F(u+,t;u,t) - F(u,t-;u,t) + F(u+,t-;u,t).
//
// Collected by pairs, C(a,b) of a pair of faces that are far enough apart comes
// with the factor (z^((a-h)u) - z^((a-h)u-)) (z^((b-l)t) - z^((b-l)t+)). The work
// is polynomial in the numbers of faces and of dice, however many kinds of dice
// there are.

// windowWork estimates the word operations of window.
func (f *Faces) windowWork(high, low int) int64 {
	n, words := int64(f.dice()), int64(f.words)
	k := n - int64(high+low)
	rows := upper.MulSat(n-int64(low), k-1)
	dice := int64(0)
	for _, g := range f.groups {
		passes := int64(min(2*g.size, 2*len(g.changes)+6))
		dice = upper.AddSat(dice, upper.MulSat(int64(g.count), (passes+6)*words))
	}
	faces := int64(len(f.faces))
	width := upper.MulSat(k-2, int64(f.places))/6 + 2
	pairs := upper.MulSat(upper.MulSat(faces, faces)/2, upper.MulSat(upper.MulSat(rows, width), dice))
	diagonal := upper.MulSat(upper.MulSat(faces, n), upper.MulSat(int64(high+1)*int64(low+1), 3*words*words+12))
	return upper.AddSat(pairs, diagonal)
}

// window returns the weights of the total of the dice without the high highest
// and the low lowest, of which there must be two at least.
func (f *Faces) window(high, low int) (nat.Vec, error) {
	n := int64(f.dice())
	k := n - int64(high+low)
	outcomes := upper.AddSat(upper.MulSat(k, int64(f.places-1)), 1)
	rows := upper.MulSat(n-int64(low), k-1)
	if err := f.meter.Room(upper.AddSat(outcomes, upper.MulSat(rows, outcomes/2+1)), int64(f.words)); err != nil {
		return nat.Vec{}, err
	}
	if err := f.meter.Room(upper.MulSat(int64(high+1), int64(low+1)), int64(f.words)); err != nil {
		return nat.Vec{}, err
	}
	if err := f.meter.Room(upper.MulSat(int64(len(f.groups)), int64(len(f.faces))), int64(f.words+nat.TermCells)); err != nil {
		return nat.Vec{}, err
	}
	if err := f.meter.Work(f.windowWork(high, low)); err != nil {
		return nat.Vec{}, err
	}
	w := newWindow(f, high, low, int(outcomes))
	for i := range f.faces {
		if err := w.diagonal(i); err != nil {
			return nat.Vec{}, err
		}
		for j := i + 1; j < len(f.faces); j++ {
			if err := w.pair(i, j); err != nil {
				return nat.Vec{}, err
			}
		}
	}
	return w.result, nil
}

// A window holds the rows of a pair of faces. Their exponents count from the
// lower face of the pair.
type window struct {
	*Faces
	high, low, k int
	tick         work.Ticker
	result       nat.Vec
	atMost       [][]*big.Int   // by group, the weight of at most each of the faces
	rows         [][][]nat.Limb // by dice of at least u and dice between
	product      []nat.Limb
	reach        int // dice of at least u go up to this
	inner        int // dice between go up to this
}

func newWindow(f *Faces, high, low, outcomes int) *window {
	n := f.dice()
	w := &window{Faces: f, high: high, low: low, k: n - high - low, tick: work.NewTicker(f.meter)}
	w.result = nat.NewVec(outcomes, f.words)
	w.reach, w.inner = n-low-1, w.k-2
	w.rows = make([][][]nat.Limb, w.reach+1)
	for a := range w.rows {
		w.rows[a] = make([][]nat.Limb, w.inner+1)
		for j := range w.rows[a] {
			w.rows[a][j] = make([]nat.Limb, (j*(f.places-1)+1)*f.words)
		}
	}
	w.product = make([]nat.Limb, outcomes*f.words)
	le := newBelow(f)
	w.atMost = make([][]*big.Int, len(f.groups))
	for _, t := range f.faces {
		le.advance(f, t)
		for g := range f.groups {
			w.atMost[g] = append(w.atMost[g], new(big.Int).Set(le.sums[g]))
		}
	}
	return w
}

// upTo returns the weight of at most face i, and from that of at least it.
func (w *window) upTo(g, i int) *big.Int {
	if i < 0 {
		return new(big.Int)
	}
	return w.atMost[g][i]
}

func (w *window) from(g, i int) *big.Int {
	return new(big.Int).Sub(w.upTo(g, len(w.faces)-1), w.upTo(g, i-1))
}

// pair adds what comes with the dice between faces i and j.
func (w *window) pair(i, j int) error {
	t, u := w.faces[i], w.faces[j]
	if err := w.fill(i, j); err != nil {
		return err
	}
	n := w.dice()
	lift, sink := w.faces[i+1]-t, w.faces[j-1]-t // t+ and u-, from t
	for a := w.high + 1; a <= w.reach; a++ {
		for m := 0; m <= w.inner; m++ {
			p, q := a-w.high, n-a-m-w.low
			if q < 1 {
				break
			}
			row := w.rows[a][m][:w.width(t, u, m)*w.words]
			if err := w.tick.Tick(4 * len(row)); err != nil {
				return err
			}
			w.add(row, w.k*t+p*(u-t), false)
			if j > i+1 {
				w.add(row, w.k*t+p*sink, true)
				w.add(row, w.k*t+p*(u-t)+q*lift, true)
			}
			if j > i+2 {
				w.add(row, w.k*t+p*sink+q*lift, false)
			}
		}
	}
	return nil
}

// width is the number of coefficients of m dice strictly between t and u.
func (w *window) width(t, u, m int) int { return m*(u-t-1) + 1 }

// add adds a row to the result or subtracts it.
func (w *window) add(row []nat.Limb, at int, negative bool) {
	if negative {
		nat.MinusRow(w.result.Data[at*w.words:], row, w.words)
	} else {
		nat.PlusRow(w.result.Data[at*w.words:], row, w.words)
	}
}

// fill computes the rows for faces i and j, one die after the other.
func (w *window) fill(i, j int) error {
	t, u := w.faces[i], w.faces[j]
	if err := w.tick.Tick((u - t) * len(w.groups)); err != nil {
		return err
	}
	for a := range w.rows {
		for m := range w.rows[a] {
			clear(w.rows[a][m][:w.width(t, u, m)*w.words])
		}
	}
	w.rows[0][0][0] = 1
	dice := 0
	for g := range w.groups {
		under, over := w.upTo(g, i).Bits(), w.from(g, j).Bits()
		between := w.groups[g].between(t, u)
		for range w.groups[g].count {
			if err := w.include(under, over, &between, t, u, dice); err != nil {
				return err
			}
			dice++
		}
	}
	return nil
}

// include takes one more die into the rows, after so many others.
func (w *window) include(under, over []nat.Limb, between *nat.Multiplier, t, u, dice int) error {
	for a := min(w.reach, dice+1); a >= 0; a-- {
		for m := min(w.inner, dice+1-a); m >= 0; m-- {
			row := w.rows[a][m][:w.width(t, u, m)*w.words]
			if err := w.tick.Tick(len(row) * (4 + len(between.Terms))); err != nil {
				return err
			}
			nat.ScaleRow(row, w.words, under)
			if a > 0 {
				nat.AddScaled(row, w.rows[a-1][m][:len(row)], w.words, over, false)
			}
			if m > 0 && between.Length > 0 {
				from := w.rows[a][m-1][:w.width(t, u, m-1)*w.words]
				between.Times(w.product, from, w.words)
				nat.PlusRow(row, w.product[:len(from)+between.Length*w.words], w.words)
			}
		}
	}
	return nil
}

// diagonal adds the rolls whose kept dice all show face i: those with at most
// high dice above it and at most low below.
func (w *window) diagonal(i int) error {
	ways := make([][]*big.Int, w.high+1)
	for a := range ways {
		ways[a] = make([]*big.Int, w.low+1)
		for b := range ways[a] {
			ways[a][b] = new(big.Int)
		}
	}
	ways[0][0].SetInt64(1)
	product := new(big.Int)
	for g := range w.groups {
		under, over := w.upTo(g, i-1), w.from(g, i+1)
		here := new(big.Int).Sub(w.upTo(g, i), under)
		for range w.groups[g].count {
			if err := w.tick.Tick(8 * len(ways) * len(ways[0]) * w.words); err != nil {
				return err
			}
			for a := w.high; a >= 0; a-- {
				for b := w.low; b >= 0; b-- {
					x := ways[a][b]
					x.Mul(x, here)
					if a > 0 {
						x.Add(x, product.Mul(ways[a-1][b], over))
					}
					if b > 0 {
						x.Add(x, product.Mul(ways[a][b-1], under))
					}
				}
			}
		}
	}
	sum := new(big.Int)
	for a := range ways {
		for _, x := range ways[a] {
			sum.Add(sum, x)
		}
	}
	nat.AddScaled(w.result.At(w.k*w.faces[i]), nat.One(w.words), w.words, sum.Bits(), false)
	return nil
}
