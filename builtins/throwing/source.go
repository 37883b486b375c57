package throwing

import (
	"encoding/binary"
	"io"
	"math/big"
	"math/bits"
	"math/rand/v2"
)

// A source of chance decides what dice show. One that is made of random bits draws; one
// that enumerates shows everything that can happen, see [Enumerate].

// A Source decides what happens.
type Source interface {
	// Below returns a whole number from 0 to n-1, each equally likely; n is at least 1.
	Below(n uint64) uint64
	// Pick returns i with the chance weights[i] / total, where total is their sum. Nobody
	// changes the weights.
	Pick(weights []*big.Int, total *big.Int) int
}

// Bits is a source that draws with random bits. A number that is not below n is thrown
// away, so that there is no bias of a remainder.
func Bits(src rand.Source) Source { return bitSource{src} }

type bitSource struct{ src rand.Source }

func (s bitSource) Below(n uint64) uint64 {
	mask := uint64(1)<<bits.Len64(n-1) - 1
	for {
		if u := s.src.Uint64() & mask; u < n {
			return u
		}
	}
}

func (s bitSource) Pick(weights []*big.Int, total *big.Int) int {
	u := s.below(total)
	for i, w := range weights {
		if u.Cmp(w) < 0 {
			return i
		}
		u.Sub(u, w)
	}
	return len(weights) - 1
}

// below reads words of 64 bits, lowest first.
func (s bitSource) below(n *big.Int) *big.Int {
	if n.IsUint64() {
		return new(big.Int).SetUint64(s.Below(n.Uint64()))
	}
	size := new(big.Int).Sub(n, big.NewInt(1)).BitLen()
	u := new(big.Int)
	for {
		u.SetInt64(0)
		for at := 0; at < size; at += 64 {
			x := s.src.Uint64()
			if left := size - at; left < 64 {
				x &= 1<<left - 1
			}
			word := new(big.Int).SetUint64(x)
			u.Or(u, word.Lsh(word, uint(at)))
		}
		if u.Cmp(n) < 0 {
			return u
		}
	}
}

// A Reader is a source that draws with the bits of r, eight bytes at a time, lowest first.
// When r has no more, or fails, Err says so, and what is drawn from then on is worthless.
type Reader struct {
	Source
	words *readerWords
}

// NewReader returns a source of the bits of r.
func NewReader(r io.Reader) *Reader {
	w := &readerWords{r: r}
	return &Reader{Bits(w), w}
}

// Err is the error of the reader, nil while there is none.
func (r *Reader) Err() error { return r.words.err }

type readerWords struct {
	r   io.Reader
	err error
}

func (w *readerWords) Uint64() uint64 {
	var b [8]byte
	if w.err == nil {
		_, w.err = io.ReadFull(w.r, b[:])
	}
	if w.err != nil {
		return 0 // which is below everything, so that nobody draws for ever
	}
	return binary.LittleEndian.Uint64(b[:])
}
