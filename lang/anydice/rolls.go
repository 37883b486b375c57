package anydice

import (
	"math/big"

	"dicescript/dist"
)

// The rolls of a pool, for a parameter that wants a sequence, are the multisets
// of its faces: n!/(c1! c2! ...) arrangements show c1 of the first face, c2 of
// the second and so on, each with the product of the weights of its faces. They
// come in the order of the sorted sequences, 33 32 31 22 21 11.

// rolls walks through the rolls of a pool.
type rolls struct {
	faces  []int           // of the roll of the moment, sorted
	kinds  []int           // the different faces in their order
	powers [][]dist.Weight // powers[i][c] is the weight of face i to the power c
	choose [][]dist.Weight // choose[n][c] is n over c
	visit  func(w dist.Weight) error
}

var bigOne = big.NewInt(1)

// newRolls prepares the walk, with the highest face first or the lowest.
func newRolls(pool *die, highestFirst bool) (*rolls, error) {
	kinds, weights, err := weighted(pool.base)
	if err != nil {
		return nil, err
	}
	if highestFirst {
		for i, j := 0, len(kinds)-1; i < j; i, j = i+1, j-1 {
			kinds[i], kinds[j] = kinds[j], kinds[i]
			weights[i], weights[j] = weights[j], weights[i]
		}
	}
	return rollsOf(kinds, weights, pool.count)
}

// rollsOf prepares the walk over faces with weights.
func rollsOf(kinds []int, weights []dist.Weight, count int) (*rolls, error) {
	unit, err := dist.NewWeight(bigOne)
	if err != nil {
		return nil, err
	}
	l := &rolls{faces: make([]int, count), kinds: kinds, powers: make([][]dist.Weight, len(kinds)), choose: make([][]dist.Weight, count+1)}
	for i, w := range weights {
		l.powers[i] = make([]dist.Weight, count+1)
		l.powers[i][0] = unit
		for c := range count {
			l.powers[i][c+1] = l.powers[i][c].Times(w)
		}
	}
	for n := range l.choose {
		row := make([]dist.Weight, n+1)
		row[0], row[n] = unit, unit
		for c := 1; c < n; c++ {
			row[c] = l.choose[n-1][c-1].Plus(l.choose[n-1][c])
		}
		l.choose[n] = row
	}
	return l, nil
}

// each visits every roll with its weight; faces holds it for the moment.
func (l *rolls) each(visit func(w dist.Weight) error) error {
	l.visit = visit
	return l.place(0, len(l.faces), l.choose[0][0])
}

// place places so many dice on the faces from kind i on.
func (l *rolls) place(i, left int, w dist.Weight) error {
	at := len(l.faces) - left
	for ; i < len(l.kinds)-1; i++ {
		for j := range left {
			l.faces[at+j] = l.kinds[i]
		}
		if err := l.visit(w.Times(l.powers[i][left])); err != nil {
			return err
		}
		for c := left - 1; c > 0; c-- {
			ways := w.Times(l.choose[left][c]).Times(l.powers[i][c])
			if err := l.place(i+1, left-c, ways); err != nil {
				return err
			}
		}
	}
	for j := range left {
		l.faces[at+j] = l.kinds[i]
	}
	return l.visit(w.Times(l.powers[i][left]))
}
