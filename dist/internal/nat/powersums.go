package nat

import (
	"math/big"

	"dicescript/dist/internal/work"
)

// Power sums of the weights, the sums of i^p w_i over the indices of an axis,
// need no multiplication: running sums of running sums, taken from the top, end
// as the sums of C(i+k-1, k) w_i, and every power is a combination of these
// rising binomials (Knuth, Graham, Patashnik, Concrete Mathematics, 6.1).

// MostPower is the highest power that is summed.
const MostPower = 4

// PowerSums returns the sums of i w_i, i² w_i, i³ w_i and i⁴ w_i of a stepped
// axis.
func (v Vec) PowerSums(tick *work.Ticker) ([]*big.Int, error) {
	const room = 3 // n^4 in words, for axes of up to 2^48 places
	var sums [MostPower + 1][]Limb
	for k := range sums {
		sums[k] = make([]Limb, v.Words+room+1)
	}
	for i := v.Len() - 1; i >= 1; i-- {
		Add(sums[0], v.At(i))
		for k := 1; k <= MostPower; k++ {
			Add(sums[k], sums[k-1][:v.Words+room])
		}
		if err := tick.Tick(MostPower * (v.Words + room)); err != nil {
			return nil, err
		}
	}
	out := make([]*big.Int, MostPower)
	for p := range out {
		out[p] = new(big.Int)
		for k := 0; k <= p; k++ {
			binomial := Natural(sums[k+1])
			out[p].Add(out[p], binomial.Mul(binomial, big.NewInt(risings[p][k])))
		}
	}
	return out, nil
}

// risings[p][k] is how often C(i+k, k+1) stands in i^(p+1): the Stirling numbers
// of the second kind S(p+1, k+1), signed, times (k+1)!.
var risings = [MostPower][]int64{
	{1},
	{-1, 2},
	{1, -6, 6},
	{-1, 14, -36, 24},
}
