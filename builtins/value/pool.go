package value

import (
	"fmt"
	"hash/fnv"
	"iter"
	"math/big"
	"strings"
	"sync/atomic"

	"dicescript/builtins/runenv"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A pool is several independent dice that have not been added up. It stands for
// its total wherever a total is wanted, so it works its total out when it is
// first asked and keeps it.
//
// Pools are shared between runs (the literals of a program are), and a run must
// cost the same whether another one was there before it or not. So a pool also
// keeps what its total cost, and every run pays that once.

// A Pool is the DicePool of recipes.
type Pool struct {
	made
	dice  *dist.Pool
	sum   atomic.Pointer[poolTotal]
	extra int // see [Pool.ExtraRolls]
}

// A poolTotal is the total of a pool and what it took to find it.
type poolTotal struct {
	dist  *dist.Dist
	spent dist.Limits
	by    *runenv.ID // the run that worked it out
}

var (
	_ starlark.HasAttrs   = (*Pool)(nil)
	_ starlark.HasBinary  = (*Pool)(nil)
	_ starlark.HasUnary   = (*Pool)(nil)
	_ starlark.Comparable = (*Pool)(nil)
)

// total returns the distribution of the total. Finding it is charged once to each run,
// and then a look at it, as of a roll.
func (p *Pool) total(env *runenv.Env) (*dist.Dist, error) {
	t := p.sum.Load()
	if found, ok := env.FoundFor(p).(*poolTotal); ok {
		t = found
	}
	if t == nil {
		return p.workOut(env)
	}
	if env == nil {
		return t.dist, nil
	}
	if env.IsOf(t.by) || env.Paid(p) {
		return t.dist, dist.ChargeWork(env.Engine(), int64(t.dist.Len())*int64(t.dist.Words()))
	}
	if err := dist.ChargeAgain(env.Engine(), t.dist, t.spent); err != nil {
		return nil, err
	}
	env.NotePaid(p)
	return t.dist, nil
}

func (p *Pool) workOut(env *runenv.Env) (*dist.Dist, error) {
	ctx := env.Engine()
	budget := dist.BudgetOf(ctx)
	if budget == nil {
		budget = dist.NewBudget(dist.Limits{})
		ctx = dist.WithBudget(ctx, budget)
	}
	before := budget.Used()
	d, err := p.dice.Total(ctx)
	if err != nil {
		return nil, err
	}
	after := budget.Used()
	spent := dist.Limits{Work: after.Work - before.Work, Cells: after.Cells - before.Cells}
	t := &poolTotal{d, spent, env.ID()}
	if env.IsBeside() { // and others must find the pool as it was
		env.Found(p, t)
		return d, nil
	}
	if !p.sum.CompareAndSwap(nil, t) {
		env.NotePaid(p)
	}
	return d, nil
}

// PaidBy reports whether a run has paid for the total.
func (p *Pool) PaidBy(env *runenv.Env) bool {
	t := p.sum.Load()
	return t != nil && env.IsOf(t.by) || env.Paid(p)
}

// Take takes the total that was found beside a run, for which the run has paid.
func (p *Pool) Take(env *runenv.Env, found any) {
	t := found.(*poolTotal)
	if !p.sum.CompareAndSwap(nil, &poolTotal{t.dist, t.spent, env.ID()}) {
		env.NotePaid(p)
	}
}

// NewPool returns p as a value with methods.
func NewPool(m Methods, p *dist.Pool) *Pool { return &Pool{made: made{methods: m}, dice: p} }

// Exploded returns dice of which each adds at most so many extra rolls.
func (p *Pool) Exploded(extra int) *Pool { return &Pool{made: p.made, dice: p.dice, extra: extra} }

// ExtraRolls is that of a roll, see [Roll.ExtraRolls].
func (p *Pool) ExtraRolls() int { return p.extra }

// Pool returns the dice.
func (p *Pool) Pool() *dist.Pool { return p.dice }

// Total returns the distribution of the total. Its work is charged to the run
// of thread.
func (p *Pool) Total(thread *starlark.Thread) (*dist.Dist, error) { return p.total(runenv.Of(thread)) }

// String lists the dice: "DicePool 4 x 1..6 + 1..8".
func (p *Pool) String() string {
	b := new(strings.Builder)
	b.WriteString("DicePool ")
	if p.dice.Size() == 0 {
		b.WriteString("of no dice")
	}
	shown := 0
	for die, count := range p.dice.Blocks() {
		if shown == maxShownDice {
			b.WriteString(" + ...")
			break
		}
		if shown > 0 {
			b.WriteString(" + ")
		}
		writeDice(b, die, count)
		shown++
	}
	return b.String()
}

// Written is how a recipe writes the pool: 4d6, or pool where that is not known.
func (p *Pool) Written() string {
	for die, count := range p.dice.Blocks() {
		if isFair(die) && count == p.dice.Size() {
			return fmt.Sprintf("%dd%d", count, die.Max())
		}
		break
	}
	return "pool"
}

// maxShownDice is how many different dice the text of a pool lists.
const maxShownDice = 8

// writeDice writes a number of equal dice: 4d6 for fair ones.
func writeDice(b *strings.Builder, die *dist.Dist, count int) {
	if isFair(die) {
		fmt.Fprintf(b, "%dd%d", count, die.Max())
		return
	}
	if count > 1 {
		fmt.Fprintf(b, "%d x ", count)
	}
	b.WriteString(rangeText(die))
}

// isFair reports whether die shows 1 to its highest face with equal chances.
func isFair(die *dist.Dist) bool {
	n := int64(die.Len())
	return die.Min() == 1 && die.Max() == die.Len() && die.Bound() == 0 && die.Total().Cmp(big.NewInt(n)) == 0
}

func (p *Pool) Type() string                             { return "DicePool" }
func (p *Pool) Freeze()                                  {}
func (p *Pool) Truth() starlark.Bool                     { return true }
func (p *Pool) Attr(name string) (starlark.Value, error) { return p.methods.Attr(p, name) }
func (p *Pool) AttrNames() []string                      { return p.methods.AttrNames(p) }

// CompareSameType is what containers ask: whether two pools hold the same dice
// in the same order.
func (p *Pool) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	other, ok := y.(*Pool)
	return structurally(op, ok && samePool(p, other), p)
}

func samePool(p, q *Pool) bool {
	if p == q || p.dice == q.dice {
		return true
	}
	if p.dice.Size() != q.dice.Size() {
		return false
	}
	next, stop := iter.Pull2(q.dice.Blocks())
	defer stop()
	for die, count := range p.dice.Blocks() {
		other, n, ok := next()
		if !ok || n != count || !sameDist(die, other) {
			return false
		}
	}
	return true
}

// hashedDice is how many different dice of a pool its hash covers.
const hashedDice = 8

// Hash covers the number of dice and the ends of the first ones, which equal
// pools share.
func (p *Pool) Hash() (uint32, error) {
	h := fnv.New32a()
	fmt.Fprintln(h, p.dice.Size())
	n := 0
	for die, count := range p.dice.Blocks() {
		if n++; n > hashedDice {
			break
		}
		fmt.Fprintln(h, count, die.Min(), die.Max(), die.Len())
	}
	return h.Sum32(), nil
}

// MarshalJSON refuses: json.encode writes single values.
func (p *Pool) MarshalJSON() ([]byte, error) { return nil, errNoJSON }
