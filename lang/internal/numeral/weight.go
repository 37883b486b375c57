// Weights in decimal. Sums of dice are symmetric, and to write a long number in
// Decimal takes longer than all else of a row, so what has been written going up
// is kept for the way down.

package numeral

import "math/big"

const (
	longWeight = 4       // words from which on a weight is worth keeping
	mostKept   = 4 << 20 // bytes of decimals that are kept
)

// Weights remembers weights that may come again, the last one first.
type Weights struct {
	long  *decimals // nil when there are no long ones
	kept  []keptWeight
	bytes int
	text  []byte // of the last short weight
	room  []byte // for the texts to come
}

type keptWeight struct {
	weight *big.Int
	text   []byte
}

// NewWeights is for weights up to a total, nil when it is not known.
func NewWeights(total *big.Int) *Weights { return &Weights{long: newDecimals(total)} }

// digits returns the digits of a weight in memory of their own.
func (m *Weights) digits(weight *big.Int) []byte {
	if !m.long.suits(weight) {
		return weight.Append(nil, 10)
	}
	const texts = 16 // at a time
	most := m.long.blocks * blockDigits
	if len(m.room) < most {
		m.room = make([]byte, texts*most)
	}
	text := m.long.append(m.room[:0:most], weight)
	m.room = m.room[len(text):]
	return text
}

// Decimal returns the digits of a weight. They hold until the next call.
func (m *Weights) Decimal(weight *big.Int) []byte {
	if len(weight.Bits()) < longWeight {
		m.text = weight.Append(m.text[:0], 10)
		return m.text
	}
	// Of an odd number of weights the one in the middle comes only once.
	for back := 1; back <= 2 && back <= len(m.kept); back++ {
		if last := m.kept[len(m.kept)-back]; last.weight.Cmp(weight) == 0 {
			m.kept = m.kept[:len(m.kept)-back]
			return last.text
		}
	}
	text := m.digits(weight)
	if m.bytes += len(text); m.bytes <= mostKept {
		m.kept = append(m.kept, keptWeight{weight, text})
	}
	return text
}
