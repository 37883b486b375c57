package anydice

import (
	"math/big"

	"dicescript/dist"
	"dicescript/dist/upper"
)

// The rolls of a pool, for a parameter that wants a sequence, are the multisets
// of its faces: n!/(c1! c2! ...) arrangements show c1 of the first face, c2 of
// the second and so on, each with the product of the weights of its faces. They
// come in the order of the sorted sequences, 33 32 31 22 21 11.

// rolls walks through the rolls of a pool.
type rolls struct {
	r      *run
	faces  []int           // of the roll of the moment, sorted
	kinds  []int           // the different faces in their order
	powers [][]dist.Weight // powers[i][c] is the weight of face i to the power c
	choose binomials
	each1  int64 // operations on words for the weight of one roll
	visit  func(w dist.Weight) error
}

var bigOne = big.NewInt(1)

// newRolls prepares the walk, with the highest face first or the lowest.
func (r *run) newRolls(pool *die, highestFirst bool) (*rolls, error) {
	kinds, weights, err := r.weighted(pool.base)
	if err != nil {
		return nil, err
	}
	if highestFirst {
		for i, j := 0, len(kinds)-1; i < j; i, j = i+1, j-1 {
			kinds[i], kinds[j] = kinds[j], kinds[i]
			weights[i], weights[j] = weights[j], weights[i]
		}
	}
	return r.rollsOf(kinds, weights, pool.count)
}

// rollsOf prepares the walk over faces with weights.
func (r *run) rollsOf(kinds []int, weights []dist.Weight, count int) (*rolls, error) {
	if err := r.holdElements(count); err != nil {
		return nil, err
	}
	l := &rolls{r: r, faces: make([]int, count), kinds: kinds, powers: make([][]dist.Weight, len(kinds)), choose: binomials{run: r}}
	longest := wordsOf(int64(count))
	for i, w := range weights {
		var err error
		if l.powers[i], err = r.powersOf(w, count); err != nil {
			return nil, err
		}
		longest += wordsOf(int64(l.powers[i][count].Int().BitLen()))
	}
	if longest > 8 {
		l.each1 = upper.MulSat(longest, longest)
	}
	return l, nil
}

// walk visits every roll with its weight; faces holds it for the moment.
func (l *rolls) walk(visit func(w dist.Weight) error) error {
	l.visit = visit
	unit, err := dist.NewWeight(bigOne)
	if err != nil {
		return err
	}
	return l.place(0, len(l.faces), unit)
}

// place places so many dice on the faces from kind i on.
func (l *rolls) place(i, left int, w dist.Weight) error {
	at := len(l.faces) - left
	for ; i < len(l.kinds)-1; i++ {
		if err := l.rest(at, i, left, w); err != nil {
			return err
		}
		choose, err := l.choose.row(left)
		if err != nil {
			return err
		}
		for c := left - 1; c > 0; c-- {
			ways := w.Times(choose[c]).Times(l.powers[i][c])
			if err := l.place(i+1, left-c, ways); err != nil {
				return err
			}
		}
	}
	return l.rest(at, i, left, w)
}

// rest visits the roll of which all dice from a place on show the face of kind i.
func (l *rolls) rest(at, i, left int, w dist.Weight) error {
	if l.each1 > 0 {
		if err := dist.ChargeWork(l.r.ctx, l.each1); err != nil {
			return err
		}
	}
	for j := range left {
		l.faces[at+j] = l.kinds[i]
	}
	return l.visit(w.Times(l.powers[i][left]))
}

// powersOf returns the powers of a weight up to the one that so many dice have.
func (r *run) powersOf(w dist.Weight, count int) ([]dist.Weight, error) {
	bits := int64(w.Int().BitLen())
	if bits > 1 {
		bits = upper.MulSat(bits, int64(count))
	}
	if err := r.chargeWeights(int64(count)+1, bits); err != nil {
		return nil, err
	}
	unit, err := dist.NewWeight(bigOne)
	if err != nil {
		return nil, err
	}
	powers := make([]dist.Weight, count+1)
	powers[0] = unit
	for c := range count {
		if err := r.step(); err != nil {
			return nil, err
		}
		powers[c+1] = powers[c].Times(w)
	}
	return powers, nil
}

// binomials are the rows of Pascal's triangle that a walk asks for.
type binomials struct {
	run  *run
	rows map[int][]dist.Weight
}

// row returns in how many ways c of n dice can be chosen, for each c.
func (b *binomials) row(n int) ([]dist.Weight, error) {
	if row, ok := b.rows[n]; ok {
		return row, nil
	}
	if err := b.run.chargeWeights(int64(n)+1, int64(n)); err != nil {
		return nil, err
	}
	row := make([]dist.Weight, n+1)
	ways := big.NewInt(1)
	for c := range row {
		if err := b.run.step(); err != nil {
			return nil, err
		}
		var err error
		if row[c], err = dist.NewWeight(ways); err != nil {
			return nil, err
		}
		ways.Mul(ways, big.NewInt(int64(n-c)))
		ways.Quo(ways, big.NewInt(int64(c+1)))
	}
	if b.rows == nil {
		b.rows = map[int][]dist.Weight{}
	}
	b.rows[n] = row
	return row, nil
}

// wordsOf is how many machine words so many bits take.
func wordsOf(bits int64) int64 { return bits/64 + 1 }

// chargeWeights charges so many weights of at most so many bits before they are made,
// each of the one before.
func (r *run) chargeWeights(n, bits int64) error {
	const head = 4 // words of a weight, besides the digits of a long one
	if err := dist.ChargeWork(r.ctx, upper.MulSat(n, wordsOf(bits))); err != nil {
		return err
	}
	return dist.ChargeTable(r.ctx, n, head+wordsOf(bits))
}
