package dist

import (
	"context"
	"math/big"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// The longest straight of a pool depends only on which faces show at all. For
// equal fair dice, every choice of j faces shows in as many ways as there are
// maps of the dice onto j faces, so it is enough to count the choices of j
// faces without a straight longer than r.

// LongestRun returns the length of the longest straight: the most consecutive
// integers that all show. A gap in the faces of the dice ends a straight. Cost:
// for fair equal dice, faces times the square of the smaller of size and faces
// additions; otherwise that of [Evaluate], where a state is the straight that is
// going on and the longest so far.
func (p *Pool) LongestRun(ctx context.Context) (*Dist, error) {
	if p.size == 0 {
		return Constant(0), nil
	}
	if faces, dice, ok := p.fair(); ok {
		return longestRunFair(ctx, p.groups[0].die, faces, dice)
	}
	return evaluateNumber(ctx, p.Multiset(), straight{}, straight.next, straight.longest, p.countTail(1, p.size))
}

// A straight is how many consecutive faces have shown, up to the last one that
// did, and the most of them so far.
type straight struct {
	last, now, best int
}

func (s straight) next(face, count int) (straight, error) {
	if count == 0 {
		return straight{best: s.best}, nil
	}
	if s.now > 0 && s.last == face-1 {
		s.now++
	} else {
		s.now = 1
	}
	s.last, s.best = face, max(s.best, s.now)
	return s, nil
}

func (s straight) longest() int { return s.best }

func longestRunFair(ctx context.Context, die *Dist, faces, dice int) (*Dist, error) {
	onto, err := surjections(ctx, faces, dice)
	if err != nil {
		return nil, err
	}
	c, err := newChoices(ctx, die, len(onto)-1)
	if err != nil {
		return nil, err
	}
	var t Tally[int]
	before := new(big.Int)
	each := int64(c.table.Words) * int64(nat.WordsFor(onto[len(onto)-1])+4)
	if err := ChargeWork(ctx, upper.MulSat(upper.MulSat(int64(c.longest), int64(len(onto))), each)); err != nil {
		return nil, err
	}
	for r := 1; r <= c.longest; r++ {
		if err := c.count(r); err != nil {
			return nil, err
		}
		ways, product := new(big.Int), new(big.Int)
		for j := 1; j < len(onto); j++ {
			if err := c.tick.Tick(int(each)); err != nil {
				return nil, err
			}
			ways.Add(ways, product.Mul(onto[j], nat.View(nat.Trim(c.of(faces, j)))))
		}
		t.Add(r, weightOf(before.Sub(ways, before)))
		before = ways
	}
	return distFrom(ctx, &t, nil)
}

// choices counts the choices of j of the first i faces that hold no straight
// longer than r. The last of those faces is chosen or not; of the choices with
// it, those have to go in which it completes a straight of r+1, which begins
// after a face that is not chosen or after a gap.
type choices struct {
	tick    work.Ticker
	within  []int // the position of every face in its run of consecutive faces
	most    int   // faces chosen at most
	longest int   // the longest straight that can come up
	table   nat.Vec
}

func newChoices(ctx context.Context, die *Dist, most int) (*choices, error) {
	c := &choices{tick: work.NewTicker(ctx), most: most}
	if err := ChargeTable(ctx, int64(die.size), 2); err != nil {
		return nil, err
	}
	faces := die.Outcomes()
	for i, x := range faces {
		position := 1
		if i > 0 && faces[i-1] == x-1 {
			position = c.within[i-1] + 1
		}
		c.within = append(c.within, position)
		c.longest = max(c.longest, position)
	}
	c.longest = min(c.longest, most)
	// There are no more choices than faces^most and 2^faces.
	bits := min(int64(len(faces)), upper.MulSat(int64(most), int64(big.NewInt(int64(len(faces))).BitLen())))
	words := bits/nat.LimbBits + 1
	cells := upper.MulSat(int64(len(faces)+1), int64(most+1))
	if err := chargeRoom(ctx, cells, words); err != nil {
		return nil, err
	}
	if err := ChargeWork(ctx, upper.MulSat(upper.MulSat(cells, int64(c.longest)), 3*words+4)); err != nil {
		return nil, err
	}
	c.table = nat.NewVec(int(cells), int(words))
	return c, nil
}

// of returns the number of choices of j of the first i faces.
func (c *choices) of(i, j int) []nat.Limb { return c.table.At(i*(c.most+1) + j) }

// count fills the table for straights of at most r.
func (c *choices) count(r int) error {
	clear(c.table.Data)
	c.of(0, 0)[0] = 1
	w := c.table.Words
	for i := 1; i <= len(c.within); i++ {
		row := c.table.Data[i*(c.most+1)*w : (i+1)*(c.most+1)*w]
		last := c.table.Data[(i-1)*(c.most+1)*w : i*(c.most+1)*w]
		copy(row, last)
		nat.PlusRow(row[w:], last[:c.most*w], w)
		if before := c.before(i, r); before >= 0 && r < c.most {
			from := c.table.Data[before*(c.most+1)*w : (before+1)*(c.most+1)*w]
			nat.MinusRow(row[(r+1)*w:], from[:(c.most-r)*w], w)
		}
		if err := c.tick.Tick(3 * len(row)); err != nil {
			return err
		}
	}
	return nil
}

// before returns how many faces come before a straight of r+1 that ends with the
// i-th face and the face that is not chosen in front of it, or -1 when there is
// no room for one.
func (c *choices) before(i, r int) int {
	switch position := c.within[i-1]; {
	case position > r+1:
		return i - r - 2
	case position == r+1:
		return i - r - 1
	}
	return -1
}
