package dist

import (
	"context"
	"iter"
	"math/big"

	"dicescript/dist/internal/nat"
	"dicescript/dist/upper"
)

// A Pool is several independent dice that have not been added up yet. What is
// asked of it does not depend on the order of the dice, so equal dice are
// counted together: a pool of a million equal dice is one die and a count, and
// the algorithms over pools are polynomial in the counts and never look at
// single combinations.

// A Pool is an immutable list of independent dice.
type Pool struct {
	runs   []poolRun // the dice in order, equal neighbours counted together
	groups []group   // the distinct dice, in order of first appearance
	size   int
}

type poolRun struct {
	group, count int
}

// A group is a number of equal dice.
type group struct {
	die   *Dist
	count int
	key   dieKey
}

// MaxDice is the largest number of dice of a pool. What is asked of a pool may have to
// name its dice one by one, and a budget is not there to refuse it everywhere.
const MaxDice = 1_000_000

// fitsPool refuses a pool of more than [MaxDice] dice.
func fitsPool(param string, dice int) error {
	if dice > MaxDice {
		return badArg(param, "got %s, want at most %s", upper.Grouped(int64(dice)), upper.Grouped(MaxDice))
	}
	return nil
}

// NewPool returns the pool of the given dice: at least one and at most [MaxDice].
func NewPool(dice ...*Dist) (*Pool, error) {
	if len(dice) == 0 {
		return nil, badArg("dice", "got none, want at least one")
	}
	if err := fitsPool("dice", len(dice)); err != nil {
		return nil, err
	}
	b := newPoolBuilder()
	for _, d := range dice {
		b.add(d, 1)
	}
	return &b.pool, nil
}

// Repeat returns the pool of count dice, at most [MaxDice], that are all like die. It costs
// the same for any count. The total of no dice, and every count of them, is 0.
func Repeat(die *Dist, count int) (*Pool, error) {
	if count < 0 {
		return nil, badArg("count", "got %d, want at least 0", count)
	}
	if err := fitsPool("count", count); err != nil {
		return nil, err
	}
	b := newPoolBuilder()
	if count > 0 {
		b.add(die, count)
	}
	return &b.pool, nil
}

// Size returns the number of dice.
func (p *Pool) Size() int { return p.size }

// Dice returns the dice in order, a list of [Pool.Size] entries.
func (p *Pool) Dice(ctx context.Context) ([]*Dist, error) {
	if err := chargeRoom(ctx, int64(p.size), 1); err != nil {
		return nil, err
	}
	if err := ChargeWork(ctx, int64(p.size)); err != nil {
		return nil, err
	}
	dice := make([]*Dist, 0, p.size)
	for _, r := range p.runs {
		for range r.count {
			dice = append(dice, p.groups[r.group].die)
		}
	}
	return dice, ctx.Err()
}

// Blocks yields the dice in order, equal neighbours as one block with their
// number.
func (p *Pool) Blocks() iter.Seq2[*Dist, int] {
	return func(yield func(*Dist, int) bool) {
		for _, r := range p.runs {
			if !yield(p.groups[r.group].die, r.count) {
				return
			}
		}
	}
}

// Kinds yields the distinct dice of the pool in order of first appearance, each
// with how many of it there are. It costs nothing for equal dice.
func (p *Pool) Kinds() iter.Seq2[*Dist, int] {
	return func(yield func(*Dist, int) bool) {
		for _, g := range p.groups {
			if !yield(g.die, g.count) {
				return
			}
		}
	}
}

// Join returns the pool of the dice of p followed by those of q, at most [MaxDice]
// together.
func (p *Pool) Join(q *Pool) (*Pool, error) {
	if err := fitsPool("dice", p.size+q.size); err != nil {
		return nil, err
	}
	b := newPoolBuilder()
	b.join(p)
	b.join(q)
	return &b.pool, nil
}

// Each returns the pool with every die replaced by what f makes of it. f is
// called once for each distinct die, in order of first appearance.
func (p *Pool) Each(f func(*Dist) (*Dist, error)) (*Pool, error) {
	made := make([]*Dist, len(p.groups))
	for i, g := range p.groups {
		d, err := f(g.die)
		if err != nil {
			return nil, err
		}
		made[i] = d
	}
	b := newPoolBuilder()
	for _, r := range p.runs {
		b.add(made[r.group], r.count)
	}
	return &b.pool, nil
}

// addAll adds up independent rolls, neighbours first, so that long rolls meet
// long ones.
func addAll(ctx context.Context, ds []*Dist) (*Dist, error) {
	if len(ds) == 0 {
		return Constant(0), nil
	}
	for len(ds) > 1 {
		var next []*Dist
		for i := 0; i+1 < len(ds); i += 2 {
			sum, err := ds[i].Add(ctx, ds[i+1])
			if err != nil {
				return nil, err
			}
			next = append(next, sum)
		}
		if len(ds)%2 == 1 {
			next = append(next, ds[len(ds)-1])
		}
		ds = next
	}
	return ds[0], nil
}

// Bound returns an upper bound on the chance that any die of the pool is
// not as represented, the sum of the dice's [Dist.Bound].
func (p *Pool) Bound() float64 {
	err := 0.0
	for _, g := range p.groups {
		err = upper.Add(err, upper.Mul(g.die.Bound(), float64(g.count)))
	}
	return min(1, err)
}

// wordsBound bounds the words of the pool's total weight without computing it.
func (p *Pool) wordsBound() int64 {
	bits := int64(0)
	for _, g := range p.groups {
		bits = upper.AddSat(bits, nat.PowerBits(g.die.total, g.count))
	}
	return bits/nat.LimbBits + 1
}

// total is the number of equally likely ways that the pool can fall.
func (p *Pool) total(ctx context.Context) (*big.Int, error) {
	if err := chargeProduct(ctx, p.wordsBound()); err != nil {
		return nil, err
	}
	if err := ChargeWork(ctx, int64(len(p.groups))); err != nil {
		return nil, err
	}
	return totalOf(p.groups), nil
}

// totalOf multiplies in halves, so that factors are about equally long.
func totalOf(groups []group) *big.Int {
	if len(groups) == 0 {
		return big.NewInt(1)
	}
	if len(groups) == 1 {
		return new(big.Int).Exp(groups[0].die.total, big.NewInt(int64(groups[0].count)), nil)
	}
	half := len(groups) / 2
	left := totalOf(groups[:half])
	return left.Mul(left, totalOf(groups[half:]))
}

// A poolBuilder puts equal dice together as they come.
type poolBuilder struct {
	pool Pool
	// Most pools are of one kind: there are maps from the second on.
	index map[dieKey][]int
	known map[*Dist]int // groups of dice that have come before
}

// A dieKey is the same for dice that are the same, and seldom for others.
type dieKey struct {
	size, lo, hi int
	weights      nat.Limb
}

func newPoolBuilder() *poolBuilder { return new(poolBuilder) }

func (b *poolBuilder) join(p *Pool) {
	to := make([]int, len(p.groups))
	for i, g := range p.groups {
		to[i] = b.groupOf(g.die, g.key)
	}
	for _, r := range p.runs {
		b.place(to[r.group], r.count)
	}
}

func (b *poolBuilder) add(d *Dist, count int) {
	i, ok := b.before(d)
	if !ok {
		i = b.groupOf(d, keyOf(d))
	}
	b.place(i, count)
}

// before is the group of a die that has come before.
func (b *poolBuilder) before(d *Dist) (int, bool) {
	if b.known == nil {
		return 0, len(b.pool.groups) == 1 && b.pool.groups[0].die == d
	}
	i, ok := b.known[d]
	return i, ok
}

func (b *poolBuilder) place(i, count int) {
	p := &b.pool
	p.groups[i].count += count
	p.size += count
	if n := len(p.runs); n > 0 && p.runs[n-1].group == i {
		p.runs[n-1].count += count
		return
	}
	p.runs = append(p.runs, poolRun{group: i, count: count})
}

// groupOf finds the group of dice like d, or begins one. It compares all weights
// of dice of one key, but only once.
func (b *poolBuilder) groupOf(d *Dist, key dieKey) int {
	if i, ok := b.before(d); ok {
		return i
	}
	if b.known == nil && len(b.pool.groups) == 1 {
		first := b.pool.groups[0]
		b.index = map[dieKey][]int{first.key: {0}}
		b.known = map[*Dist]int{first.die: 0}
	}
	for _, i := range b.index[key] {
		if g := b.pool.groups[i].die; g.same(d) && sameTail(g.tail, d.tail) {
			b.known[d] = i
			return i
		}
	}
	i := len(b.pool.groups)
	b.pool.groups = append(b.pool.groups, group{die: d, key: key})
	if b.known != nil {
		b.index[key] = append(b.index[key], i)
		b.known[d] = i
	}
	return i
}

func keyOf(d *Dist) dieKey {
	return dieKey{size: d.size, lo: d.Min(), hi: d.Max(), weights: nat.Limb(d.fingerprint())}
}

// sameTail reports whether the same is known of two rolls beyond what is
// represented. Dice that look alike may differ in that: what a map made of an
// unlimited roll has no known moments.
func sameTail(a, b *tail) bool {
	if a == nil || b == nil || a == b {
		return a == b
	}
	sameRat := func(x, y *big.Rat) bool { return x == y || x != nil && y != nil && x.Cmp(y) == 0 }
	return a.err == b.err && a.above == b.above && a.below == b.below && a.d1 == b.d1 && a.d2 == b.d2 &&
		sameRat(a.m1, b.m1) && sameRat(a.m2, b.m2)
}
