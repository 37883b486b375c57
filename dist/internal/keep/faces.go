package keep

import (
	"math/big"
	"slices"

	"dicescript/dist/internal/axis"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// Dice are a number of equal dice: the weights of their faces, of which so many are
// positive.
type Dice struct {
	Count int
	Axis  axis.Axis
	W     nat.Vec
	Size  int
}

// A Faces lays the faces of all dice of a pool out at equal distances.
// Place i stands for the face lo + step*i or, when mirrored, for the i-th face
// from the other end.
type Faces struct {
	meter    work.Meter
	lo, step int
	mirrored bool
	places   int
	faces    []int    // the places that some die can show, ascending
	groups   []group  // those of most dice first
	total    *big.Int // the weight of the whole pool
	words    int      // of it
}

// A group is a number of equal dice on common places.
type group struct {
	count   int
	w       nat.Vec      // by place
	changes []nat.Change // the differences of neighbouring weights
	size    int          // places of positive weight
}

// Lay lays out the faces of dice, of which there is one at least, in turned order
// when mirrored. It returns nil when they are too scattered.
func Lay(m work.Meter, dice []Dice, mirrored bool) (*Faces, error) {
	lo, hi := ends(dice)
	step, size, words := commonStep(dice, lo), 0, int64(1)
	for _, d := range dice {
		size += d.Size
		words = upper.AddSat(words, int64(d.W.Words+nat.TermCells)) // with the differences
	}
	wide := axis.Span(lo, hi) / step
	if wide >= 16*uint(size)+256 || wide >= axis.MaxOutcomes {
		return nil, nil
	}
	f := &Faces{meter: m, lo: lo, step: int(step), mirrored: mirrored, places: int(wide) + 1}
	if err := m.Room(upper.MulSat(int64(f.places), words), 1); err != nil {
		return nil, err
	}
	if err := m.Work(upper.MulSat(int64(f.places), words)); err != nil {
		return nil, err
	}
	shown := make([]bool, f.places)
	for _, d := range dice {
		if err := m.Err(); err != nil {
			return nil, err
		}
		f.groups = append(f.groups, f.group(d, shown))
	}
	slices.SortStableFunc(f.groups, func(a, b group) int { return b.count - a.count })
	for i, s := range shown {
		if s {
			f.faces = append(f.faces, i)
		}
	}
	return f, nil
}

// group puts dice on the common places and marks those that they can show.
func (f *Faces) group(d Dice, shown []bool) group {
	g := group{count: d.Count, w: nat.NewVec(f.places, d.W.Words), size: d.Size}
	for i, n := 0, d.Axis.Len(); i < n; i++ {
		x := d.W.At(i)
		if nat.IsZero(x) {
			continue
		}
		place := int(axis.Span(f.lo, d.Axis.At(i)) / uint(f.step))
		if f.mirrored {
			place = f.places - 1 - place
		}
		shown[place] = true
		copy(g.w.At(place), x)
	}
	g.findChanges()
	return g
}

// ends returns the lowest and the highest face of all dice.
func ends(dice []Dice) (lo, hi int) {
	lo, hi = dice[0].Axis.At(0), dice[0].Axis.Last()
	for _, d := range dice[1:] {
		lo, hi = min(lo, d.Axis.At(0)), max(hi, d.Axis.Last())
	}
	return lo, hi
}

// commonStep is the greatest common divisor of the distances of all faces from
// lo.
func commonStep(dice []Dice, lo int) uint {
	step := uint(0)
	for _, d := range dice {
		ax := d.Axis
		step = nat.GCD(step, axis.Span(lo, ax.At(0)))
		if ax.List == nil {
			if ax.N > 1 {
				step = nat.GCD(step, uint(ax.Step))
			}
			continue
		}
		for _, x := range ax.List {
			step = nat.GCD(step, axis.Span(lo, x))
		}
	}
	return max(1, step)
}

func (g *group) findChanges() {
	difference := new(big.Int)
	for i := 1; i < g.w.Len(); i++ {
		if nat.Cmp(g.w.At(i), g.w.At(i-1)) == 0 {
			continue
		}
		difference.Sub(nat.View(nat.Trim(g.w.At(i))), nat.View(nat.Trim(g.w.At(i-1))))
		g.changes = append(g.changes, nat.Change{
			Place:    i,
			By:       append([]nat.Limb(nil), difference.Bits()...),
			Negative: difference.Sign() < 0,
		})
	}
}

// above returns the multiplier for the faces of g above place t.
func (g *group) above(t int) nat.Multiplier { return g.between(t, g.w.Len()) }

// between returns the multiplier for the faces of g above place t and below
// place u.
func (g *group) between(t, u int) nat.Multiplier {
	var m nat.Multiplier
	faces := 0
	for i := t + 1; i < u; i++ {
		if !nat.IsZero(g.w.At(i)) {
			if faces == 0 {
				m.Lowest = i - t
			}
			m.Length = i - t
			faces++
		}
	}
	if faces == 0 {
		return m
	}
	m.Prefix = true
	m.Terms = g.differences(t, u)
	if len(m.Terms) == 2 && len(nat.Trim(m.Terms[0].By)) == 1 && m.Terms[0].By[0] == 1 {
		m.Run = faces
		return m
	}
	if len(m.Terms)+1 < faces {
		return m
	}
	m.Prefix, m.Terms = false, nil
	for i := t + m.Lowest; i <= t+m.Length; i++ {
		if !nat.IsZero(g.w.At(i)) {
			m.Terms = append(m.Terms, nat.Change{Place: i - t, By: g.w.At(i)})
		}
	}
	return m
}

// differences returns the differences of neighbouring weights when those
// outside of t+1 to u-1 count as zero. Places count from t.
func (g *group) differences(t, u int) []nat.Change {
	terms := make([]nat.Change, 0, 4)
	if !nat.IsZero(g.w.At(t + 1)) {
		terms = append(terms, nat.Change{Place: 1, By: g.w.At(t + 1)})
	}
	for _, c := range g.changes {
		if c.Place > t+1 && c.Place < u {
			terms = append(terms, nat.Change{Place: c.Place - t, By: c.By, Negative: c.Negative})
		}
	}
	if !nat.IsZero(g.w.At(u - 1)) {
		terms = append(terms, nat.Change{Place: u - t, By: g.w.At(u - 1), Negative: true})
	}
	return terms
}

// below returns the weights of showing at most a place, for every group.
type below struct {
	sums []*big.Int
	upto int
}

func newBelow(f *Faces) *below {
	b := &below{}
	for range f.groups {
		b.sums = append(b.sums, new(big.Int))
	}
	return b
}

// advance moves on to the weights of showing at most place.
func (b *below) advance(f *Faces, place int) {
	for ; b.upto <= place; b.upto++ {
		for i := range f.groups {
			if w := nat.Trim(f.groups[i].w.At(b.upto)); len(w) > 0 {
				b.sums[i].Add(b.sums[i], nat.View(w))
			}
		}
	}
}
