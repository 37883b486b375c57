package value

import (
	"math/big"

	"dicescript/builtins/meter"

	"go.starlark.net/starlark"
)

// How large the values of recipes are, for the meter of a run. What the engine
// holds is looked at where a value is compared, hashed or written; all else that
// is done with it the engine charges.

// Size is that of the weights.
func (r *Roll) Size() meter.Size {
	return meter.Size{Elements: 1, Cells: int64(r.dist.Len()) * int64(r.dist.Words()), Bytes: 64}
}

// Size is that of the weights of the dice, each kind once.
func (p *Pool) Size() meter.Size {
	s := meter.Size{Elements: 1, Bytes: 64 * maxShownDice}
	for die := range p.dice.Blocks() {
		s.Elements++
		s.Cells += int64(die.Len()) * int64(die.Words())
	}
	return s
}

// Held is the memory of the total, once it has been asked for.
func (p *Pool) Held() (bytes int64, inside []starlark.Value) {
	if t := p.sum.Load(); t != nil {
		bytes = 8 * int64(t.dist.Len()) * int64(t.dist.Words())
	}
	return bytes, nil
}

// Memory is that of two ends.
func (b *Band) Memory() int64 { return 64 }

// Size is that of the kinds of cards.
func (d *Deck) Size() meter.Size {
	kinds := int64(d.dist.Kinds())
	memory := deckBytes + 32*kinds
	if !d.cards.AreNumbers() {
		memory += labelledBytes + 96*kinds
	}
	return meter.Size{Elements: 1, Bytes: 32, Memory: memory}
}

// Bytes of a deck with the index of its cards, and of an index of labels with some room.
const (
	deckBytes     = 896
	labelledBytes = 512
)

// Size is that of the place of a hand in a deal: the deck is in common.
func (m *Multiset) Size() meter.Size { return meter.Size{Elements: 1, Bytes: 32} }

// Size is that of the labels and their chances.
func (o *Outcomes) Size() meter.Size {
	words := int64(o.over.Total().BitLen()/64) + 1
	chances := meter.FractionProducts(64*words) * min(maxShown, int64(len(o.set.labels)))
	return meter.Size{Elements: 1, Cells: o.set.weight.Elements + words*int64(len(o.set.labels)), Products: chances, Bytes: o.set.shown, Memory: outcomesBytes + o.set.shown + 64*int64(len(o.set.labels))}
}

// outcomesBytes is what Outcomes of few labels take: their index, and tables with some room.
const outcomesBytes = 2304

// Size is that of the labels and bands of the steps.
func (s *Scale) Size() meter.Size {
	bytes := s.set.weight.Bytes + 64*int64(len(s.steps))
	return meter.Size{Elements: 1, Cells: s.set.weight.Elements, Bytes: bytes, Memory: scaleBytes + bytes}
}

// scaleBytes is what a scale takes without its steps.
const scaleBytes = 640

// Size is that of the rows.
func (t *ProbTable) Size() meter.Size { return t.size }

// Size is that of the rows and their rolls.
func (t *Comparison) Size() meter.Size { return t.size }

// Size is that of the title and the cells.
func (g *Grid) Size() meter.Size { return g.size }

// rowBytes is what a label with its chance takes, besides what is long about them.
const rowBytes = 160

// Held is the memory of the labels, which several outcomes may have in common.
func (o *Outcomes) Held() (bytes int64, inside []starlark.Value) {
	return 2 * rowBytes * int64(len(o.set.labels)), o.set.labels
}

// Held is the memory of the labels.
func (s *Scale) Held() (bytes int64, inside []starlark.Value) {
	return rowBytes * int64(len(s.set.labels)), s.set.labels
}

// Held is the memory of the rows.
func (t *ProbTable) Held() (bytes int64, inside []starlark.Value) {
	return rowBytes * int64(len(t.rows)), nil
}

// Held is the memory of the cells.
func (g *Grid) Held() (bytes int64, inside []starlark.Value) {
	for _, row := range g.cells {
		bytes += rowBytes * int64(len(row))
	}
	return bytes, nil
}

var _ = []meter.Holder{(*Pool)(nil), (*Deck)(nil), (*Multiset)(nil), (*Outcomes)(nil), (*Scale)(nil), (*ProbTable)(nil), (*Grid)(nil)}

var _ = []meter.Sized{(*Roll)(nil), (*Pool)(nil), (*Outcomes)(nil), (*Scale)(nil), (*Prob)(nil), (*Number)(nil), (*ProbTable)(nil), (*Comparison)(nil), (*Grid)(nil), (*Deck)(nil), (*Multiset)(nil)}

// Memory is that of the places, as of a slice of them.
func (f *Faces) Memory() int64 { return 160 + 8*int64(len(f.places)) }

// Memory is that of a place in a list of faces.
func (f Face) Memory() int64 { return 48 }

var _ = []meter.Flat{(*Band)(nil), (*Faces)(nil), Face{}}

func sizeOfTable(rows []ProbRow) meter.Size {
	s := meter.Size{Elements: 1}
	for _, row := range rows {
		label := weighed(row.Label)
		s.Cells += label.Elements + sizeOfRat(row.Chance)
		s.Bytes += label.Bytes + 32
	}
	return s
}

func sizeOfComparison(rows []ComparedRoll) meter.Size {
	s := meter.Size{Elements: 1}
	for _, row := range rows {
		label := weighed(row.Label)
		s.Cells += label.Elements + int64(row.Roll.Len())*int64(row.Roll.Words())
		s.Bytes += label.Bytes + 64
	}
	return s
}

func sizeOfGrid(g *Grid) meter.Size {
	headings := weighed(g.headings.Rows...)
	columns := weighed(g.headings.Cols...)
	s := meter.Size{Elements: 1, Cells: headings.Elements + columns.Elements, Bytes: int64(len(g.headings.Title)) + 64}
	for _, row := range g.cells {
		for _, cell := range row {
			s.Cells += sizeOfRat(cell.Value)
		}
	}
	return s
}

func sizeOfRat(r *big.Rat) int64 { return 1 + int64(r.Num().BitLen()+r.Denom().BitLen())/64 }

// weighed is the size of labels.
func weighed(labels ...starlark.Value) (s meter.Size) {
	for _, label := range labels {
		one := meter.SizeOf(label)
		s.Elements += one.Elements
		s.Bytes += one.Bytes + 2
	}
	return s
}
