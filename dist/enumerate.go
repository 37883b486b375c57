package dist

import (
	"context"
	"math/big"
	"math/bits"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// A rule that fits no algorithm looks at every combination of faces. Tuples
// visits the product of independent dice; the weight of a tuple is the product
// of the weights of its faces, and all weights add up to the product of the
// totals. Sorted visits each multiset of a pool once, with the number of ways
// to arrange it; see sorted.go.

// A face list is a die taken apart: its possible faces and their weights.
type faceList struct {
	faces   []int
	weights []Weight
	total   *big.Int
}

func facesOf(d *Dist, tick *work.Ticker) (faceList, error) {
	f := faceList{faces: make([]int, 0, d.size), weights: make([]Weight, 0, d.size), total: d.total}
	for i, n := 0, d.axis.Len(); i < n; i++ {
		if err := tick.Tick(d.w.Words + 8); err != nil {
			return f, err
		}
		if w := d.w.At(i); !nat.IsZero(w) {
			f.faces = append(f.faces, d.axis.At(i))
			f.weights = append(f.weights, weightOfLimbs(w))
		}
	}
	return f, nil
}

// Tuples calls visit for every combination of one face per die, the last die
// moving fastest, each from its lowest face up. w is the weight of the tuple;
// the total of all weights is the product of the dice's totals, and the chance
// of a result is certain to within the sum of their error bounds. No dice have
// one tuple, which is empty.
//
// The slice of faces is used again for the next tuple: visit must not keep or
// change it. An error of visit ends the walk and is returned.
//
// Cost: the product of the numbers of faces, which is charged before the first
// visit.
func Tuples(ctx context.Context, dice []*Dist, visit func(faces []int, w Weight) error) error {
	lists, err := tupleFaces(ctx, dice)
	if err != nil {
		return err
	}
	return eachTuple(ctx, lists, visit)
}

// Rows is [Tuples] with all faces of the last die together: visit is called for
// every combination of faces of the others, of which there may be none, and w is
// the weight of theirs. There must be a last die.
func Rows(ctx context.Context, dice []*Dist, visit func(faces []int, w Weight, last Row) error) error {
	lists, err := tupleFaces(ctx, dice)
	if err != nil {
		return err
	}
	last := lists[len(lists)-1].row()
	tick := work.NewTicker(ctx)
	return eachTuple(ctx, lists[:len(lists)-1], func(faces []int, w Weight) error {
		if err := tick.Tick(min(last.Len(), 1<<10) * (work.TickEvery >> 10)); err != nil {
			return err
		}
		return visit(faces, w, last)
	})
}

// A Row is all faces of a die with their weights.
type Row struct {
	Faces []int      // nobody may change them
	sums  []nat.Limb // those of the weights before each face, nil when they are long
	wide  []Weight
}

// row returns the faces as a row.
func (f *faceList) row() Row {
	r := Row{Faces: f.faces, sums: make([]nat.Limb, len(f.faces)+1), wide: f.weights}
	for i, w := range f.weights {
		sum, carry := bits.Add(uint(r.sums[i]), uint(w.word), 0)
		if carry != 0 || w.wide != nil {
			r.sums = nil
			break
		}
		r.sums[i+1] = nat.Limb(sum)
	}
	return r
}

// Len returns the number of faces.
func (r *Row) Len() int { return len(r.Faces) }

// Weight returns the weight of the faces from place i up to j.
func (r *Row) Weight(i, j int) Weight {
	if r.sums != nil {
		return Weight{word: r.sums[j] - r.sums[i]}
	}
	var sum Weight
	for _, w := range r.wide[i:j] {
		sum = sum.Plus(w)
	}
	return sum
}

// tupleFaces charges a walk through all combinations of faces and returns the faces
// of each die.
func tupleFaces(ctx context.Context, dice []*Dist) ([]faceList, error) {
	visits, words, faces := int64(1), 0, int64(0)
	for _, d := range dice {
		visits = upper.MulSat(visits, int64(d.size))
		words += d.w.Words
		faces = upper.AddSat(faces, upper.MulSat(int64(d.size), int64(d.w.Words+2)))
	}
	if err := ChargeWork(ctx, upper.MulSat(visits, int64(work.Visit+words))); err != nil {
		return nil, err
	}
	if err := ChargeTable(ctx, 1, upper.AddSat(faces, 8*int64(len(dice)))); err != nil {
		return nil, err
	}
	lists := make([]faceList, len(dice))
	tick := work.NewTicker(ctx)
	for i, d := range dice {
		var err error
		if lists[i], err = facesOf(d, &tick); err != nil {
			return nil, err
		}
	}
	return lists, nil
}

// eachTuple is an odometer: at holds the position of each die, prefix[i] the
// weight of the first i faces.
func eachTuple(ctx context.Context, dice []faceList, visit func(faces []int, w Weight) error) error {
	n := len(dice)
	at := make([]int, n)
	faces := make([]int, n)
	prefix := make([]Weight, n+1)
	prefix[0] = Weight{word: 1}
	tick := work.NewTicker(ctx)
	for changed := 0; ; {
		for i := changed; i < n; i++ {
			faces[i] = dice[i].faces[at[i]]
			prefix[i+1] = prefix[i].Times(dice[i].weights[at[i]])
		}
		if err := tick.Tick(work.TickEvery >> 10); err != nil {
			return err
		}
		if err := visit(faces, prefix[n]); err != nil {
			return err
		}
		changed = n - 1
		for changed >= 0 && at[changed] == len(dice[changed].faces)-1 {
			at[changed] = 0
			changed--
		}
		if changed < 0 {
			return nil
		}
		at[changed]++
	}
}
