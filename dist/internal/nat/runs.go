package nat

import (
	"cmp"
	"math/big"
	"slices"

	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// Many different fair dice are a product of runs 1 + z + ... + z^(m-1), each of which is
// multiplied by with a window that moves over the row: one addition and one subtraction
// for each limb. Rows grow from run to run, so the short runs come first.

// A Run is a power of 1 + z + ... + z^(Length-1).
type Run struct{ Length, Count int }

// RunsWork estimates the word operations of [TimesRuns].
func RunsWork(base Vec, runs []Run) int64 {
	return RunsWorkOf(int64(base.Len()), int64(base.Sum().BitLen()), base.IsSymmetric(), runs)
}

// RunsWorkOf is [RunsWork] for a base of so many weights whose sum has so many bits.
func RunsWorkOf(places, bits int64, symmetric bool, runs []Run) int64 {
	end := places
	for _, r := range runs {
		end = upper.AddSat(end, upper.MulSat(int64(r.Length-1), int64(r.Count)))
	}
	if symmetric {
		end = end/2 + 1
	}
	sum := int64(0)
	for _, r := range sortedRuns(runs) {
		morePlaces := upper.MulSat(int64(r.Length-1), int64(r.Count))
		moreBits := PowerBits(big.NewInt(int64(r.Length)), r.Count)
		each := upper.MulSat(min(end, upper.AddSat(places, morePlaces/2)), 2+2*(upper.AddSat(bits, moreBits/2)/LimbBits+1))
		sum = upper.AddSat(sum, upper.MulSat(each, int64(r.Count)))
		places, bits = upper.AddSat(places, morePlaces), upper.AddSat(bits, moreBits)
	}
	return sum
}

// sortedRuns returns the runs with the shortest first.
func sortedRuns(runs []Run) []Run {
	runs = slices.Clone(runs)
	slices.SortFunc(runs, func(a, b Run) int { return cmp.Compare(a.Length, b.Length) })
	return runs
}

// TimesRuns multiplies a row, of which some number must be positive, by all runs. The
// mass |A| of a row A bounds its numbers, and |A (1 + ... + z^(m-1))| = m |A|, so a row
// has as many words as its mass. Of a symmetric row only the lower half is computed.
func TimesRuns(ctx work.Context, base Vec, runs []Run) (Vec, error) {
	mass, last := base.Sum(), base.Len()-1
	upto := 0
	for _, r := range runs {
		last += (r.Length - 1) * r.Count
	}
	if upto = last + 1; base.IsSymmetric() {
		upto = last/2 + 1
	}
	row := base.Resized(WordsFor(mass)).Slice(0, min(upto, base.Len()))
	spare := Vec{}
	tick := work.NewTicker(ctx)
	for _, r := range sortedRuns(runs) {
		length := big.NewInt(int64(r.Length))
		for range r.Count {
			row = row.Resized(WordsFor(mass.Mul(mass, length)))
			limbs := min(upto, row.Len()+r.Length-1) * row.Words
			if cap(spare.Data) < limbs {
				spare.Data = make([]Limb, limbs+limbs/2)
			}
			next := Vec{Words: row.Words, Data: spare.Data[:limbs]}
			windowRow(next.Data, row.Data, row.Words, r.Length)
			if err := tick.Tick(limbs); err != nil {
				return Vec{}, err
			}
			if &row.Data[0] != &base.Data[0] {
				spare = row
			} else {
				spare = Vec{}
			}
			row = next
		}
	}
	out := NewVec(last+1, row.Words)
	copy(out.Data, row.Data)
	for k := row.Len(); k <= last; k++ {
		copy(out.At(k), out.At(last-k))
	}
	return out, nil
}
