package dist

import (
	"context"
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"sort"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/upper"
)

// Sampling is for playing: it never enters a computation. A draw is exact all
// the same. It takes a uniform natural u below the total T of the weights and
// returns the outcome in whose part of 0..T-1 it falls:
//
//	w(x_0) + ... + w(x_i-1) <= u < w(x_0) + ... + w(x_i)
//
// u is made of as many random bits as T-1 has, and is thrown away and drawn
// again while it is not below T. So every outcome has exactly the chance w/T.

// A Sampler draws outcomes of one distribution. It is immutable and may be
// shared by goroutines that have a source each.
type Sampler struct {
	axis  axis.Axis
	below nat.Vec // below.at(i) is the weight of the outcomes 0..i
	total []nat.Limb
	bits  int // of total-1
}

// Sampler prepares draws from d. Of a cut unlimited roll it draws what is
// represented, which is within [Dist.Bound] of the truth. Cost: one
// addition for each outcome; each draw takes the logarithm of their number.
func (d *Dist) Sampler(ctx context.Context) (*Sampler, error) {
	n, words := d.axis.Len(), nat.WordsFor(d.total)
	if err := ChargeWork(ctx, upper.MulSat(int64(n), int64(words))); err != nil {
		return nil, err
	}
	if err := chargeWeights(ctx, int64(n), int64(words)); err != nil {
		return nil, err
	}
	s := &Sampler{axis: d.axis, below: nat.NewVec(n, words), total: make([]nat.Limb, words)}
	for i := range n {
		nat.Add(s.total, d.w.At(i))
		copy(s.below.At(i), s.total)
	}
	s.bits = new(big.Int).Sub(d.total, big.NewInt(1)).BitLen()
	return s, nil
}

// Draw returns an outcome, with the randomness of src.
func (s *Sampler) Draw(src rand.Source) int {
	u := s.uniform(src)
	return s.axis.At(sort.Search(s.below.Len(), func(i int) bool { return nat.Cmp(s.below.At(i), u) > 0 }))
}

// uniform draws a natural below the total. It reads words of 64 bits, lowest
// first, whatever the machine's words are.
func (s *Sampler) uniform(src rand.Source) []nat.Limb {
	u := make([]nat.Limb, len(s.total))
	for {
		for done := 0; done < s.bits; done += 64 {
			x := src.Uint64()
			if left := s.bits - done; left < 64 {
				x &= 1<<left - 1
			}
			putWord(u, done, x)
		}
		if nat.Cmp(u, s.total) < 0 {
			return u
		}
	}
}

// putWord writes 64 bits at bit position at, a multiple of 64.
func putWord(u []nat.Limb, at int, x uint64) {
	for i := at / nat.LimbBits; i < len(u) && i*nat.LimbBits < at+64; i++ {
		u[i] = nat.Limb(x >> (i*nat.LimbBits - at))
	}
}

// SeededSource returns the source of random numbers that belongs to a seed:
// ChaCha8 as C2SP specifies it, whose key is the seed in 8 bytes, lowest first,
// and 24 zero bytes. The same seed gives the same draws in every version.
func SeededSource(seed int64) rand.Source {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:8], uint64(seed))
	return rand.NewChaCha8(key)
}
